#include "model/text/jinja/format.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "model/text/jinja/letters.h"

namespace headlight::jinja {

namespace {

using Kind = Value::Kind;

constexpr Whole kWidest = 10'000'000;
constexpr int kMostDigits = 300;  // behind a point

// How a value is written: "{:>08.2f}", "%-5d".
struct Layout {
  std::string fill = " ";
  char align = 0;  // < > ^ =
  char sign = 0;   // + or space
  Whole width = 0;
  int precision = -1;
  char kind = 0;
  bool thousands = false, other_form = false;
};

std::string digits_in(Whole value, int base, bool capitals) {
  if (value == 0) return "0";
  std::string digits;
  for (Whole rest = value < 0 ? -value : value; rest != 0; rest /= base)
    digits += (capitals ? "0123456789ABCDEF" : "0123456789abcdef")[static_cast<int>(rest % base)];
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::string real_text(double value, char kind, int precision, bool other_form) {
  char pattern[8] = {'%', '.', '*', kind, 0};
  if (other_form) std::snprintf(pattern, sizeof pattern, "%%#.*%c", kind);
  char made[1024];
  std::snprintf(made, sizeof made, pattern, std::min(precision < 0 ? 6 : precision, kMostDigits), std::abs(value));
  return made;
}

void with_thousands(std::string& digits) {
  const std::size_t end = std::min(digits.find_first_not_of("0123456789"), digits.size());
  for (std::size_t at = end; at > 3; at -= 3) digits.insert(at - 3, ",");
}

// A number by its layout, with its sign in front.
std::string laid_out_number(const Value& value, const Layout& layout, Limits& limits) {
  const bool as_real = value.is(Kind::real) || std::string("eEfFgG%").find(layout.kind) != std::string::npos;
  std::string digits, sign;
  bool negative = false;
  if (as_real && layout.kind != 'd') {
    const double real = value.real() * (layout.kind == '%' ? 100 : 1);
    negative = std::signbit(real);
    if (std::string("eEfFgG%").find(layout.kind) != std::string::npos && layout.kind) {
      digits = real_text(real, layout.kind == '%' ? 'f' : layout.kind, layout.precision, layout.other_form);
      if (layout.kind == '%') digits += '%';
    } else {
      digits = layout.precision >= 0 ? real_text(real, 'g', std::max(layout.precision, 1), false)
                                     : printed_real(std::abs(real));
    }
  } else {
    const Whole whole = value.is(Kind::real) ? static_cast<Whole>(value.real()) : value.whole();
    negative = whole < 0;
    const int base = layout.kind == 'x' || layout.kind == 'X' ? 16
                     : layout.kind == 'o'                     ? 8
                     : layout.kind == 'b'                     ? 2
                                                              : 10;
    digits = digits_in(whole, base, layout.kind == 'X');
    if (layout.other_form && base != 10) digits = std::string("0") + layout.kind + digits;
  }
  if (layout.thousands) with_thousands(digits);
  sign = negative ? "-" : layout.sign ? std::string(1, layout.sign) : "";
  if (layout.align == '=')
    return sign + widened(digits, layout.width - static_cast<Whole>(sign.size()), layout.fill, 1, limits);
  return sign + digits;
}

std::string laid_out(const Value& value, const Layout& layout, Limits& limits) {
  if (layout.width > kWidest) Limits::refuse("it asks for a very wide text");
  const bool number = value.is_number() && layout.kind != 's' && (layout.kind || !value.is(Kind::boolean));
  std::string text;
  if (number) {
    text = laid_out_number(value, layout, limits);
  } else {
    text = printed(value, limits);
    if (layout.precision >= 0)
      text = utf8(std::u32string_view(letters(text)).substr(0, static_cast<std::size_t>(layout.precision)));
  }
  const char align = layout.align ? layout.align : number ? '>' : '<';
  return widened(text, layout.width, layout.fill, align == '>' || align == '=' ? 1 : align == '^' ? 0.5 : 0, limits);
}

Whole read_whole(const std::string& text, std::size_t& at) {
  Whole value = 0;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9')
    value = std::min<Whole>(value * 10 + (text[at++] - '0'), kWidest * 10);
  return value;
}

Layout read_layout(const std::string& spec) {
  Layout layout;
  const std::u32string all = letters(spec);
  std::size_t at = 0;
  const auto is_align = [](char32_t c) { return c == '<' || c == '>' || c == '^' || c == '='; };
  std::string rest = spec;
  if (all.size() > 1 && is_align(all[1])) {
    layout.fill = utf8({all.data(), 1}), layout.align = static_cast<char>(all[1]);
    rest = spec.substr(layout.fill.size() + 1);
  } else if (!all.empty() && is_align(all[0])) {
    layout.align = static_cast<char>(all[0]), rest = spec.substr(1);
  }
  if (at < rest.size() && (rest[at] == '+' || rest[at] == '-' || rest[at] == ' ')) {
    if (rest[at] != '-') layout.sign = rest[at];
    ++at;
  }
  if (at < rest.size() && rest[at] == '#') layout.other_form = true, ++at;
  if (at < rest.size() && rest[at] == '0') {
    if (!layout.align) layout.align = '=', layout.fill = "0";
    ++at;
  }
  layout.width = read_whole(rest, at);
  if (at < rest.size() && (rest[at] == ',' || rest[at] == '_')) layout.thousands = true, ++at;
  if (at < rest.size() && rest[at] == '.')
    layout.precision = static_cast<int>(std::min<Whole>(read_whole(rest, ++at), kMostDigits));
  if (at < rest.size()) layout.kind = rest[at++];
  if (at != rest.size() || (layout.kind && std::string("sdfFeEgGxXob%c").find(layout.kind) == std::string::npos))
    fail_with("Invalid format specifier '" + spec + "'");
  return layout;
}

}  // namespace

std::string widened(const std::string& text, Whole width, const std::string& fill, double left, Limits& limits) {
  const Whole more = width - static_cast<Whole>(letter_count(text));
  if (more <= 0) return text;
  if (more > kWidest) Limits::refuse("it asks for a very wide text");
  if (letter_count(fill) != 1) fail_with("The fill character must be exactly one character long");
  limits.bytes(static_cast<double>(more) * static_cast<double>(fill.size()) + static_cast<double>(text.size()));
  // What is left over stands in front where the width is odd, as Python has it.
  Whole front = left == 1 ? more : left == 0 ? 0 : more / 2 + (more & width & 1);
  std::string made;
  for (Whole i = 0; i < front; ++i) made += fill;
  made += text;
  for (Whole i = front; i < more; ++i) made += fill;
  return made;
}

std::string replaced(const std::string& text, const std::string& what, const std::string& by, Whole most,
                     Limits& limits) {
  std::string made;
  if (what.empty()) {  // before each letter and at the end
    Whole times = 0;
    for (const char32_t letter : letters(text)) {
      if (most < 0 || times < most) made += by, ++times, limits.bytes(static_cast<double>(by.size()));
      made += utf8({&letter, 1});
    }
    return most < 0 || times < most ? made + by : made;
  }
  std::size_t begin = 0;
  for (Whole times = 0; most < 0 || times < most; ++times) {
    const std::size_t found = text.find(what, begin);
    if (found == std::string::npos) break;
    limits.bytes(static_cast<double>(found - begin + by.size()));
    made.append(text, begin, found - begin).append(by);
    begin = found + what.size();
  }
  limits.bytes(static_cast<double>(text.size() - begin));
  return made.append(text, begin);
}

double rounded(double value, int digits) {
  if (!std::isfinite(value) || std::abs(digits) > kMostDigits) return value;
  if (digits < 0) {
    const double scale = std::pow(10, -digits);
    return std::nearbyint(value / scale) * scale;
  }
  char text[1024];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return std::strtod(text, nullptr);
}

std::string percents_filled(const std::string& pattern, const Value& values, Limits& limits) {
  std::string made;
  std::size_t next = 0;
  const auto take = [&]() -> Value {
    if (!values.is(Kind::tuple)) {
      if (next++ > 0) fail_with("not enough arguments for format string");
      return values;
    }
    if (next >= values.items().size()) fail_with("not enough arguments for format string");
    return values.items()[next++];
  };
  for (std::size_t at = 0; at < pattern.size();) {
    if (pattern[at] != '%') {
      made += pattern[at++];
      continue;
    }
    if (++at >= pattern.size()) fail_with("incomplete format");
    if (pattern[at] == '%') {
      made += pattern[at++];
      continue;
    }
    Value value;
    bool named = false;
    if (pattern[at] == '(') {
      const std::size_t end = pattern.find(')', at);
      if (end == std::string::npos || !values.is(Kind::dict)) fail_with("format requires a mapping");
      const Value* found = values.dict().find(pattern.substr(at + 1, end - at - 1));
      if (!found) fail_with("KeyError: " + pattern.substr(at + 1, end - at - 1));
      value = *found, named = true, at = end + 1;
    }
    Layout layout;
    layout.align = '>';
    for (; at < pattern.size() && std::string("-+ #0").find(pattern[at]) != std::string::npos; ++at) {
      if (pattern[at] == '-') layout.align = '<';
      if (pattern[at] == '+' || (pattern[at] == ' ' && !layout.sign)) layout.sign = pattern[at];
      if (pattern[at] == '#') layout.other_form = true;
      if (pattern[at] == '0' && layout.align != '<') layout.align = '=', layout.fill = "0";
    }
    layout.width = read_whole(pattern, at);
    if (at < pattern.size() && pattern[at] == '.')
      layout.precision = static_cast<int>(std::min<Whole>(read_whole(pattern, ++at), kMostDigits));
    if (at >= pattern.size()) fail_with("incomplete format");
    char kind = pattern[at++];
    if (!named) value = take();
    if (kind == 'i' || kind == 'u') kind = 'd';
    if (std::string("srdfFeEgGxXoc").find(kind) == std::string::npos) fail_with("unsupported format character");
    if (kind == 'r') value = represented(value, limits);
    if (kind == 'r' || kind == 's' || kind == 'c') {
      if (layout.align == '=') layout.align = '>', layout.fill = " ";
      layout.kind = 's';
    } else {
      if (!value.is_number())
        fail_with(std::string("%") + kind + " format: a real number is required, not " + value.type_name());
      layout.kind = kind;
    }
    made += laid_out(value, layout, limits);
  }
  if (values.is(Kind::tuple) && next < values.items().size())
    fail_with("not all arguments converted during string formatting");
  if (!values.is(Kind::tuple) && !values.is(Kind::dict) && !values.is(Kind::list) && next == 0)
    fail_with("not all arguments converted during string formatting");
  limits.bytes(static_cast<double>(made.size()));
  return made;
}

namespace {

// "0", "name", "0.attribute", "name[key]" of a field.
Value field_of(const std::string& field, const Arguments& arguments, std::size_t& next, Limits& limits) {
  const std::size_t end = std::min(field.find_first_of(".["), field.size());
  const std::string first = field.substr(0, end);
  Value value;
  if (first.empty() || first.find_first_not_of("0123456789") == std::string::npos) {
    const std::size_t place =
        first.empty() ? next++ : static_cast<std::size_t>(std::min(std::atoll(first.c_str()), 1'000'000LL));
    if (place >= arguments.positional.size()) fail_with("Replacement index " + std::to_string(place) + " out of range");
    value = arguments.positional[place];
  } else {
    const Value* found = arguments.named_one(first);
    if (!found) fail_with("KeyError: '" + first + "'");
    value = *found;
  }
  for (std::size_t at = end; at < field.size();) {
    const bool place = field[at] == '[';
    const std::size_t stop = std::min(field.find_first_of(place ? "]" : ".[", at + 1), field.size());
    const std::string name = field.substr(at + 1, stop - at - 1);
    const bool whole = place && !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
    value = whole   ? item(value, static_cast<Whole>(std::atoll(name.c_str())), limits)
            : place ? item(value, name, limits)
                    : attribute(value, name, limits);
    if (value.is_undefined()) fail_undefined(value);
    at = stop + (place ? 1 : 0);
  }
  return value;
}

}  // namespace

std::string braces_filled(const std::string& pattern, const Arguments& arguments, Limits& limits) {
  std::string made;
  std::size_t next = 0;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char c = pattern[at];
    if (c != '{' && c != '}') {
      made += c;
      continue;
    }
    if (at + 1 < pattern.size() && pattern[at + 1] == c) {
      made += c, ++at;
      continue;
    }
    if (c == '}') fail_with("Single '}' encountered in format string");
    int depth = 1;
    std::size_t end = at + 1;
    for (; end < pattern.size() && depth > 0; ++end) depth += pattern[end] == '{' ? 1 : pattern[end] == '}' ? -1 : 0;
    if (depth > 0) fail_with("expected '}' before end of string");
    std::string field = pattern.substr(at + 1, end - at - 2), spec;
    if (const std::size_t colon = field.find(':'); colon != std::string::npos) {
      const std::string inner = field.substr(colon + 1);
      field.resize(colon);
      const std::size_t place = next;
      next = place + (field.empty() || field[0] == '!' ? 1 : 0);  // the value comes before what stands in its layout
      if (inner.find('{') == std::string::npos) {
        spec = inner;
      } else {
        Arguments rest = arguments;
        rest.positional.erase(rest.positional.begin(), rest.positional.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                                     next, rest.positional.size())));
        spec = braces_filled(inner, rest, limits);
      }
      next = place;
    }
    char conversion = 0;
    if (const std::size_t mark = field.find('!'); mark != std::string::npos) {
      conversion = mark + 1 < field.size() ? field[mark + 1] : 0;
      field.resize(mark);
    }
    Value value = field_of(field, arguments, next, limits);
    if (conversion == 'r') value = represented(value, limits);
    if (conversion == 's') value = printed(value, limits);
    made += laid_out(value, read_layout(spec), limits);
    at = end - 1;
  }
  limits.bytes(static_cast<double>(made.size()));
  return made;
}

}  // namespace headlight::jinja
