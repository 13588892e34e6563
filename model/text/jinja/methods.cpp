// Methods of texts, lists, tuples and dicts: Python's, those that change nothing.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "model/text/jinja/format.h"
#include "model/text/jinja/letters.h"
#include "model/text/jinja/value.h"

namespace headlight::jinja {

namespace {

using Kind = Value::Kind;

// The arguments of a method of a text.
struct TextCall {
  const std::string& self;
  const Arguments& arguments;
  Limits& limits;

  const Value* at(std::size_t place, const char* name = nullptr) const {
    const Value* found = arguments.at(place, name);
    return found && found->is(Kind::none) ? nullptr : found;
  }
  const std::string& text(std::size_t place, const char* name = nullptr) const {
    const Value* found = at(place, name);
    if (!found) fail_with("an argument is missing");
    if (found->is_undefined()) fail_undefined(*found);
    if (!found->is_text()) fail_with(std::string("expected str, got ") + found->type_name());
    return found->text();
  }
  Whole whole(std::size_t place, const char* name, Whole otherwise) const {
    const Value* found = at(place, name);
    if (!found) return otherwise;
    if (!found->is_whole()) fail_with(std::string("expected int, got ") + found->type_name());
    return found->whole();
  }
};

Value strip(const TextCall& c, Side side) {
  return c.at(0) ? stripped(c.self, c.text(0), side) : stripped(c.self, side);
}

Value text_list(std::vector<std::string> texts, Limits& limits) {
  Values items;
  limits.step(static_cast<std::int64_t>(texts.size()));
  for (std::string& text : texts) {
    limits.bytes(static_cast<double>(text.size()) + sizeof(Value));
    items.emplace_back(std::move(text));
  }
  return Value::list(std::move(items));
}

// At white space; from the right, the rest keeps its own.
std::vector<std::string> split_at_spaces(const std::string& text, Whole most, bool from_right) {
  const std::u32string all = letters(text);
  std::vector<std::string> parts;
  const auto part = [&](std::size_t begin, std::size_t end) {
    return utf8(std::u32string_view(all).substr(begin, end - begin));
  };
  if (from_right) {
    std::size_t end = all.size();
    while (true) {
      while (end > 0 && is_space(all[end - 1])) --end;
      if (end == 0) break;
      std::size_t begin = end;
      if (most >= 0 && static_cast<Whole>(parts.size()) == most) {
        begin = 0;
      } else {
        while (begin > 0 && !is_space(all[begin - 1])) --begin;
      }
      parts.push_back(part(begin, end));
      end = begin;
    }
    std::reverse(parts.begin(), parts.end());
    return parts;
  }
  std::size_t begin = 0;
  while (true) {
    while (begin < all.size() && is_space(all[begin])) ++begin;
    if (begin == all.size()) break;
    std::size_t end = begin;
    if (most >= 0 && static_cast<Whole>(parts.size()) == most) {
      end = all.size();
    } else {
      while (end < all.size() && !is_space(all[end])) ++end;
    }
    parts.push_back(part(begin, end));
    begin = end;
  }
  return parts;
}

std::vector<std::string> split_at(const std::string& text, const std::string& by, Whole most, bool from_right) {
  if (by.empty()) fail_with("empty separator");
  std::vector<std::string> parts;
  if (from_right) {
    std::size_t end = text.size();
    while (most < 0 || static_cast<Whole>(parts.size()) < most) {
      const std::size_t found = end < by.size() ? std::string::npos : text.rfind(by, end - by.size());
      if (found == std::string::npos) break;
      parts.push_back(text.substr(found + by.size(), end - found - by.size()));
      end = found;
    }
    parts.push_back(text.substr(0, end));
    std::reverse(parts.begin(), parts.end());
    return parts;
  }
  std::size_t begin = 0;
  while (most < 0 || static_cast<Whole>(parts.size()) < most) {
    const std::size_t found = text.find(by, begin);
    if (found == std::string::npos) break;
    parts.push_back(text.substr(begin, found - begin));
    begin = found + by.size();
  }
  parts.push_back(text.substr(begin));
  return parts;
}

Value split(const TextCall& c, bool from_right) {
  const Whole most = c.whole(1, "maxsplit", -1);
  c.limits.step(static_cast<std::int64_t>(c.self.size() / 16));
  return text_list(
      c.at(0, "sep") ? split_at(c.self, c.text(0, "sep"), most, from_right) : split_at_spaces(c.self, most, from_right),
      c.limits);
}

Value begins_or_ends(const TextCall& c, bool ends) {
  const auto fits = [&](const std::string& part) { return ends ? c.self.ends_with(part) : c.self.starts_with(part); };
  const Value* which = c.at(0);
  if (!which || !which->is(Kind::tuple)) return fits(c.text(0));
  return std::any_of(which->items().begin(), which->items().end(),
                     [&](const Value& each) { return each.is_text() && fits(each.text()); });
}

// find, rfind, index, rindex: places count letters.
Value find(const TextCall& c, bool last, bool must) {
  const std::string& part = c.text(0);
  c.limits.step(static_cast<std::int64_t>(c.self.size() / 16));
  const std::u32string all = letters(c.self), wanted = letters(part);
  const auto size = static_cast<Whole>(all.size());
  const auto bound = [&](Whole place) { return std::clamp<Whole>(place < 0 ? place + size : place, 0, size); };
  const auto begin = static_cast<std::size_t>(bound(c.whole(1, nullptr, 0))),
             end = static_cast<std::size_t>(bound(c.whole(2, nullptr, size)));
  const std::u32string_view room = std::u32string_view(all).substr(0, std::max(begin, end));
  std::size_t found = last ? room.rfind(wanted) : room.find(wanted, begin);
  if (found != std::u32string::npos && (found < begin || end < begin)) found = std::u32string::npos;
  if (found != std::u32string::npos) return found;
  if (must) fail_with("substring not found");
  return -1;
}

Value count(const TextCall& c) {
  const std::string& part = c.text(0);
  if (part.empty()) return letter_count(c.self) + 1;
  std::size_t times = 0;
  for (std::size_t at = c.self.find(part); at != std::string::npos; at = c.self.find(part, at + part.size())) ++times;
  return times;
}

Value join(const TextCall& c) {
  if (c.arguments.positional.empty()) fail_with("join() takes exactly one argument (0 given)");
  std::string made;
  bool first = true;
  for (const Value& each : elements(c.arguments.positional[0], c.limits)) {
    if (!each.is_text()) fail_with(std::string("sequence item: expected str instance, ") + each.type_name() + " found");
    c.limits.bytes(static_cast<double>(each.text().size() + c.self.size()));
    if (!std::exchange(first, false)) made += c.self;
    made += each.text();
  }
  return made;
}

Value partition(const TextCall& c, bool last) {
  const std::string& by = c.text(0);
  if (by.empty()) fail_with("empty separator");
  const std::size_t at = last ? c.self.rfind(by) : c.self.find(by);
  if (at == std::string::npos) return Value::tuple(last ? Values{"", "", c.self} : Values{c.self, "", ""});
  return Value::tuple({c.self.substr(0, at), by, c.self.substr(at + by.size())});
}

// center, ljust, rjust, zfill
Value padded(const TextCall& c, double left) {
  const Whole width = c.whole(0, "width", 0);
  const std::string fill = c.at(1) ? c.text(1) : " ";
  return widened(c.self, width, fill, left, c.limits);
}

Value zero_filled(const TextCall& c) {
  const bool sign = !c.self.empty() && (c.self[0] == '-' || c.self[0] == '+');
  const std::string rest = c.self.substr(sign ? 1 : 0);
  return (sign ? c.self.substr(0, 1) : std::string()) +
         widened(rest, c.whole(0, "width", 0) - (sign ? 1 : 0), "0", 1, c.limits);
}

Value is_all(const TextCall& c, LetterClass kind) {
  const std::u32string all = letters(c.self);
  return !all.empty() && std::all_of(all.begin(), all.end(), [&](char32_t letter) { return is_of(letter, kind); });
}

// isupper, islower: at least one letter that has a case, and none of the other.
Value is_case(const TextCall& c, LetterClass wanted, LetterClass other) {
  bool any = false;
  for (const char32_t letter : letters(c.self)) {
    if (is_of(letter, other) || is_of(letter, LetterClass::title)) return false;
    any = any || is_of(letter, wanted);
  }
  return any;
}

// Capitals begin words and stand nowhere else, and there is one.
bool is_title(const TextCall& c) {
  bool any = false, inside = false;
  for (const char32_t letter : letters(c.self)) {
    const bool large = is_of(letter, LetterClass::upper) || is_of(letter, LetterClass::title);
    const bool small = is_of(letter, LetterClass::lower);
    if ((large && inside) || (small && !inside)) return false;
    inside = large || small;
    any = any || inside;
  }
  return any;
}

Value expanded(const TextCall& c) {
  const Whole size = std::min<Whole>(c.whole(0, "tabsize", 8), 10'000);
  std::string made;
  Whole column = 0;
  for (const char32_t letter : letters(c.self)) {
    if (letter == U'\t') {
      const Whole blanks = size > 0 ? size - column % size : 0;
      c.limits.bytes(static_cast<double>(blanks));
      made.append(static_cast<std::size_t>(blanks), ' ');
      column += blanks;
      continue;
    }
    made += utf8({&letter, 1});
    column = letter == U'\n' || letter == U'\r' ? 0 : column + 1;
  }
  return made;
}

using T = const TextCall&;
using TextMethod = Value (*)(T);

const std::unordered_map<std::string, TextMethod>& text_methods() {
  static const std::unordered_map<std::string, TextMethod> rows = {
      {"strip", [](T c) { return strip(c, Side::both); }},
      {"lstrip", [](T c) { return strip(c, Side::left); }},
      {"rstrip", [](T c) { return strip(c, Side::right); }},
      {"split", [](T c) { return split(c, false); }},
      {"rsplit", [](T c) { return split(c, true); }},
      {"splitlines",
       [](T c) {
         const Value* ends = c.at(0, "keepends");
         return text_list(lines_of(c.self, ends && ends->is_true()), c.limits);
       }},
      {"expandtabs", expanded},
      {"startswith", [](T c) { return begins_or_ends(c, false); }},
      {"endswith", [](T c) { return begins_or_ends(c, true); }},
      {"upper", [](T c) -> Value { return upper(c.self); }},
      {"lower", [](T c) -> Value { return lower(c.self); }},
      {"casefold", [](T c) -> Value { return lower(c.self); }},
      {"title", [](T c) -> Value { return title(c.self); }},
      {"capitalize", [](T c) -> Value { return capitalized(c.self); }},
      {"swapcase", [](T c) -> Value { return swapped(c.self); }},
      {"replace",
       [](T c) -> Value { return replaced(c.self, c.text(0), c.text(1), c.whole(2, "count", -1), c.limits); }},
      {"find", [](T c) { return find(c, false, false); }},
      {"rfind", [](T c) { return find(c, true, false); }},
      {"index", [](T c) { return find(c, false, true); }},
      {"rindex", [](T c) { return find(c, true, true); }},
      {"count", count},
      {"join", join},
      {"removeprefix",
       [](T c) -> Value { return c.self.starts_with(c.text(0)) ? c.self.substr(c.text(0).size()) : c.self; }},
      {"removesuffix",
       [](T c) -> Value {
         return c.self.ends_with(c.text(0)) ? c.self.substr(0, c.self.size() - c.text(0).size()) : c.self;
       }},
      {"partition", [](T c) { return partition(c, false); }},
      {"rpartition", [](T c) { return partition(c, true); }},
      {"center", [](T c) { return padded(c, 0.5); }},
      {"ljust", [](T c) { return padded(c, 0); }},
      {"rjust", [](T c) { return padded(c, 1); }},
      {"zfill", zero_filled},
      {"format", [](T c) -> Value { return braces_filled(c.self, c.arguments, c.limits); }},
      {"isalnum", [](T c) { return is_all(c, LetterClass::alnum); }},
      {"isalpha", [](T c) { return is_all(c, LetterClass::alpha); }},
      {"isdigit", [](T c) { return is_all(c, LetterClass::digit); }},
      {"isdecimal", [](T c) { return is_all(c, LetterClass::decimal); }},
      {"isnumeric", [](T c) { return is_all(c, LetterClass::numeric); }},
      {"isspace", [](T c) { return is_all(c, LetterClass::space); }},
      {"isupper", [](T c) { return is_case(c, LetterClass::upper, LetterClass::lower); }},
      {"isascii",
       [](T c) -> Value { return std::all_of(c.self.begin(), c.self.end(), [](char l) { return (l & 0x80) == 0; }); }},
      {"istitle", [](T c) -> Value { return is_title(c); }},
      {"islower", [](T c) { return is_case(c, LetterClass::lower, LetterClass::upper); }},
  };
  return rows;
}

Value pairs_of(const Dict& dict) {
  Values pairs;
  for (const auto& [key, value] : dict.entries) pairs.push_back(Value::tuple({key, value}));
  return Value::list(std::move(pairs));
}

Value dict_method(const Value& of, const std::string& name, Limits& limits) {
  if (name == "get")
    return Value::function(name, [of](const Arguments& arguments) -> Value {
      const Value* key = arguments.at(0, "key");
      if (!key) fail_with("get expected at least 1 argument, got 0");
      if (const Value* found = of.dict().find(*key)) return *found;
      const Value* otherwise = arguments.at(1, "default");
      return otherwise ? *otherwise : Value(nullptr);
    });
  const auto listed = [&](auto one) {
    return Value::function(name, [of, one, &limits](const Arguments&) -> Value {
      limits.bytes(static_cast<double>(of.dict().entries.size() * sizeof(Value)) * 3);
      limits.step(static_cast<std::int64_t>(of.dict().entries.size()));
      return one(of.dict());
    });
  };
  if (name == "items") return listed(pairs_of);
  if (name == "keys" || name == "values")
    return listed([keys = name == "keys"](const Dict& dict) {
      Values found;
      for (const auto& [key, value] : dict.entries) found.push_back(keys ? key : value);
      return Value::list(std::move(found));
    });
  if (name == "copy") return Value::function(name, [of](const Arguments&) { return of; });
  return {};
}

Value list_method(const Value& of, const std::string& name, Limits& limits) {
  if (name == "copy" && of.is(Kind::list)) return Value::function(name, [of](const Arguments&) { return of; });
  if (name != "index" && name != "count") return {};
  return Value::function(name, [of, counts = name == "count", &limits](const Arguments& arguments) -> Value {
    const Value* wanted = arguments.at(0, nullptr);
    if (!wanted) fail_with("an argument is missing");
    Whole times = 0;
    for (std::size_t i = 0; i < of.items().size(); ++i) {
      if (!equal(of.items()[i], *wanted, limits)) continue;
      if (!counts) return i;
      ++times;
    }
    if (!counts) fail_with(represented(*wanted, limits) + " is not in list");
    return times;
  });
}

}  // namespace

Value method(const Value& of, const std::string& name, Limits& limits) {
  if (of.is(Kind::dict)) return dict_method(of, name, limits);
  if (of.is(Kind::list) || of.is(Kind::tuple)) return list_method(of, name, limits);
  if (!of.is_text()) return {};
  const auto found = text_methods().find(name);
  if (found == text_methods().end()) return {};
  return Value::function(name, [of, call = found->second, &limits](const Arguments& arguments) {
    limits.step(1 + static_cast<std::int64_t>(of.text().size() / 256));
    limits.bytes(static_cast<double>(of.text().size()));
    return call({of.text(), arguments, limits});
  });
}

}  // namespace headlight::jinja
