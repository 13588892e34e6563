// What values look like as text: as Python prints them, and as JSON.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "model/text/jinja/letters.h"
#include "model/text/jinja/value.h"

namespace headlight::jinja {

using Kind = Value::Kind;

std::string printed_whole(Whole value) {
  if (value == 0) return "0";
  std::string digits;
  const bool negative = value < 0;
  for (; value != 0; value /= 10)
    digits += static_cast<char>('0' + static_cast<int>(negative ? -(value % 10) : value % 10));
  if (negative) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

// The shortest digits that read back, with an exponent where Python has one.
std::string printed_real(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[64];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  (void)error;
  const std::string text(buffer, end);
  const std::size_t e = text.find('e');
  const int exponent = std::stoi(text.substr(e + 1));
  if (exponent < -4 || exponent >= 16) {
    const std::string number = std::to_string(std::abs(exponent));
    return text.substr(0, e) + (exponent < 0 ? "e-" : "e+") + (number.size() < 2 ? "0" : "") + number;
  }
  const auto [fixed, unused] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
  (void)unused;
  std::string plain(buffer, fixed);
  return plain.find('.') == std::string::npos ? plain + ".0" : plain;
}

namespace {

void append_quoted(const std::string& text, std::string& to) {
  const char quote = text.find('\'') != std::string::npos && text.find('"') == std::string::npos ? '"' : '\'';
  to += quote;
  for (const char32_t c : letters(text)) {
    char code[16];
    if (c == static_cast<char32_t>(quote) || c == '\\') {
      to += '\\', to += static_cast<char>(c);
    } else if (c == '\n' || c == '\r' || c == '\t') {
      to += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else if (is_of(c, LetterClass::printable)) {
      to += utf8({&c, 1});
    } else {
      std::snprintf(code, sizeof code,
                    c < 0x100     ? "\\x%02x"
                    : c < 0x10000 ? "\\u%04x"
                                  : "\\U%08x",
                    static_cast<unsigned>(c));
      to += code;
    }
  }
  to += quote;
}

void append_represented(const Value& value, std::string& to, Limits& limits) {
  const Limits::Depth depth(limits);
  limits.step();
  const std::size_t before = to.size();
  const auto in_row = [&](const Values& items, const char* open, const char* close) {
    to += open;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) to += ", ";
      append_represented(items[i], to, limits);
    }
    to += close;
  };
  switch (value.kind()) {
    case Kind::undefined:
      if (value.is_refused()) fail_undefined(value);
      to += "Undefined";
      break;
    case Kind::none:
      to += "None";
      break;
    case Kind::boolean:
      to += value.whole() ? "True" : "False";
      break;
    case Kind::whole:
      to += printed_whole(value.whole());
      break;
    case Kind::real:
      to += printed_real(value.real());
      break;
    case Kind::text:
      append_quoted(value.text(), to);
      break;
    case Kind::list:
      in_row(value.items(), "[", "]");
      break;
    case Kind::tuple:
      in_row(value.items(), "(", value.items().size() == 1 ? ",)" : ")");
      break;
    case Kind::dict: {
      to += '{';
      bool first = true;
      for (const auto& [key, each] : value.dict().entries) {
        if (!std::exchange(first, false)) to += ", ";
        append_represented(key, to, limits);
        to += ": ";
        append_represented(each, to, limits);
      }
      to += '}';
      break;
    }
    case Kind::range: {
      const Range& range = value.range();
      to += "range(" + printed_whole(range.start) + ", " + printed_whole(range.stop) +
            (range.step == 1 ? "" : ", " + printed_whole(range.step)) + ")";
      break;
    }
    default:
      to += std::string("<") + value.type_name() + ">";
      break;
  }
  // What stands inside was counted where it was written.
  if (!value.is_items() && !value.is(Kind::dict)) limits.bytes(static_cast<double>(to.size() - before));
}

}  // namespace

std::string represented(const Value& value, Limits& limits) {
  std::string text;
  append_represented(value, text, limits);
  return text;
}

std::string printed(const Value& value, Limits& limits) {
  if (value.is_refused()) fail_undefined(value);
  if (value.is_undefined()) return {};
  if (value.is_text()) return value.text();
  return represented(value, limits);
}

// ---- JSON

namespace {

void append_json_text(const std::string& text, bool ascii, std::string& to) {
  to += '"';
  char code[16];
  for (const char32_t c : letters(text)) {
    constexpr std::pair<char, const char*> kShort[] = {{'"', "\\\""}, {'\\', "\\\\"}, {'\n', "\\n"}, {'\r', "\\r"},
                                                       {'\t', "\\t"}, {'\b', "\\b"},  {'\f', "\\f"}};
    const auto* found = std::find_if(std::begin(kShort), std::end(kShort),
                                     [&](const auto& row) { return static_cast<char32_t>(row.first) == c; });
    if (found != std::end(kShort)) {
      to += found->second;
    } else if (c < 0x20 || (ascii && c > 0x7e && c < 0x10000)) {
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      to += code;
    } else if (ascii && c >= 0x10000) {
      const unsigned rest = static_cast<unsigned>(c) - 0x10000;
      std::snprintf(code, sizeof code, "\\u%04x\\u%04x", 0xd800 + (rest >> 10), 0xdc00 + (rest & 0x3ff));
      to += code;
    } else {
      to += utf8({&c, 1});
    }
  }
  to += '"';
}

class JsonWriter {
 public:
  JsonWriter(const JsonStyle& style, Limits& limits) : style_(style), limits_(limits) {}

  void write(const Value& value, int level) {
    const Limits::Depth depth(limits_);
    limits_.step();
    const std::size_t before = text_.size();
    switch (value.kind()) {
      case Kind::none:
        text_ += "null";
        break;
      case Kind::boolean:
        text_ += value.whole() ? "true" : "false";
        break;
      case Kind::whole:
        text_ += printed_whole(value.whole());
        break;
      case Kind::real:
        text_ += number(value.real());
        break;
      case Kind::text:
        append_json_text(value.text(), style_.ascii, text_);
        break;
      case Kind::list:
      case Kind::tuple:
        return row(value.items(), level);
      case Kind::dict:
        return object(value.dict(), level);
      default:
        fail_with(std::string("Object of type ") + value.type_name() + " is not JSON serializable");
    }
    limits_.bytes(static_cast<double>(text_.size() - before));
  }
  std::string take() { return std::move(text_); }

 private:
  static std::string number(double value) {
    if (std::isnan(value)) return "NaN";
    return std::isinf(value) ? (value < 0 ? "-Infinity" : "Infinity") : printed_real(value);
  }
  void line(int level) {
    if (!style_.lines) return;
    limits_.bytes(static_cast<double>(style_.indent.size()) * level + 1);
    text_ += '\n';
    for (int i = 0; i < level; ++i) text_ += style_.indent;
  }
  void row(const Values& items, int level) {
    text_ += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) text_ += style_.item;
      line(level + 1);
      write(items[i], level + 1);
    }
    if (!items.empty()) line(level);
    text_ += ']';
  }
  std::string key_of(const Value& key) const {
    if (key.is_text()) return key.text();
    if (key.is(Kind::boolean)) return key.whole() ? "true" : "false";
    if (key.is(Kind::whole)) return printed_whole(key.whole());
    if (key.is(Kind::real)) return number(key.real());
    if (key.is(Kind::none)) return "null";
    fail_with(std::string("keys must be str, int, float, bool or None, not ") + key.type_name());
  }
  void object(const Dict& dict, int level) {
    auto entries = dict.entries;
    if (style_.sorted)
      std::stable_sort(entries.begin(), entries.end(),
                       [&](const auto& a, const auto& b) { return less(a.first, b.first, limits_); });
    text_ += '{';
    bool first = true;
    for (const auto& [key, value] : entries) {
      if (!std::exchange(first, false)) text_ += style_.item;
      line(level + 1);
      append_json_text(key_of(key), style_.ascii, text_);
      text_ += style_.key;
      write(value, level + 1);
    }
    if (!entries.empty()) line(level);
    text_ += '}';
  }

  const JsonStyle& style_;
  Limits& limits_;
  std::string text_;
};

}  // namespace

std::string as_json(const Value& value, const JsonStyle& style, Limits& limits) {
  JsonWriter writer(style, limits);
  writer.write(value, 0);
  return writer.take();
}

}  // namespace headlight::jinja
