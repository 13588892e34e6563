// Filters that make a text of a text.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <unordered_map>

#include "model/text/jinja/builtins.h"
#include "model/text/jinja/format.h"
#include "model/text/jinja/letters.h"

namespace headlight::jinja {

namespace {

using Kind = Value::Kind;
using F = const FilterCall&;

std::string filtered_text(F c) { return printed(c.value, c.limits); }

// Of filters that work on a text alone.
const std::string& text_only(F c) {
  if (c.value.is_undefined()) fail_undefined(c.value);
  if (!c.value.is_text()) fail_with(std::string("expected a text, got ") + c.value.type_name());
  return c.value.text();
}

// indent(text, width=4, first=false, blank=false)
Value indent(F c) {
  const Value* width = c.at(0, "width");
  const std::string by =
      width && width->is_text() ? width->text() : widened("", c.whole(0, "width", 4), " ", 1, c.limits);
  const bool first = c.flag(1, "first"), blank = c.flag(2, "blank");
  const std::vector<std::string> lines = lines_of(text_only(c) + "\n");
  c.limits.bytes(static_cast<double>(by.size()) * static_cast<double>(lines.size()) +
                 static_cast<double>(text_only(c).size()));
  std::string made = first ? by : "";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) made += "\n" + (blank || !lines[i].empty() ? by : "");
    made += lines[i];
  }
  return made;
}

// Of a text that works on what is safe as on any other.
Value as_safe_as(F c, std::string made) { return c.value.is_safe() ? Value::safe(std::move(made)) : Value(made); }

}  // namespace

std::string escaped(const Value& value, Limits& limits) {
  const std::string text = printed(value, limits);
  if (value.is_safe()) return text;
  std::string made;
  for (const char letter : text) {
    constexpr std::pair<char, const char*> kRows[] = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'\'', "&#39;"}, {'"', "&#34;"}};
    const auto* row =
        std::find_if(std::begin(kRows), std::end(kRows), [&](const auto& r) { return r.first == letter; });
    made += row == std::end(kRows) ? std::string(1, letter) : row->second;
  }
  limits.bytes(static_cast<double>(made.size()));
  return made;
}

namespace {

Value escape(F c) { return Value::safe(escaped(c.value, c.limits)); }

// xmlattr(of a dict, autospace=True): ' class="a" id="b"', without what is none or undefined.
Value xml_attributes(F c) {
  if (!c.value.is(Kind::dict)) fail_with("xmlattr needs a mapping");
  std::string made;
  for (const auto& [key, value] : c.value.dict().entries) {
    if (value.is(Kind::none) || value.is_undefined()) continue;
    const std::string name = printed(key, c.limits);
    if (name.find_first_of(" \t\n\v\f\r/>=") != std::string::npos)
      fail_with("Invalid character in attribute name: " + represented(key, c.limits));
    made += (made.empty() ? "" : " ") + escaped(key, c.limits) + "=\"" + escaped(value, c.limits) + '"';
  }
  return made.empty() || !c.flag(0, "autospace", true) ? made : ' ' + made;
}

Value without_tags(F c) {
  std::string text = filtered_text(c);
  const auto drop = [&](const char* open, const char* close) {
    for (std::size_t at = 0; (at = text.find(open, at)) != std::string::npos;) {
      const std::size_t end = text.find(close, at);
      if (end == std::string::npos) break;
      text.erase(at, end + std::string(close).size() - at);
    }
  };
  drop("<!--", "-->");
  drop("<", ">");
  std::string made;
  bool space = false;
  for (const char32_t letter : letters(stripped(text))) {
    if (is_space(letter)) {
      space = true;
      continue;
    }
    if (std::exchange(space, false)) made += ' ';
    made += utf8({&letter, 1});
  }
  for (const auto& [name, letter] :
       {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&#39;", "'"}, {"&#34;", "\""}, {"&quot;", "\""}, {"&amp;", "&"}})
    made = replaced(made, name, letter, -1, c.limits);
  return made;
}

// truncate(text, length=255, killwords=false, end='...', leeway=5)
Value truncated(F c) {
  const Whole length = c.whole(0, "length", 255), leeway = c.whole(3, "leeway", 5);
  if (!c.value.is_text() && headlight::jinja::length(c.value, c.limits) <= length + leeway) return c.value;
  const std::u32string all = letters(text_only(c));
  const std::string end = c.text(2, "end", "...");
  if (static_cast<Whole>(all.size()) <= length + leeway) return c.value;
  const Whole kept = std::max<Whole>(length - static_cast<Whole>(letter_count(end)), 0);
  std::string made = utf8(std::u32string_view(all).substr(0, static_cast<std::size_t>(kept)));
  if (!c.flag(1, "killwords"))
    if (const std::size_t space = made.rfind(' '); space != std::string::npos) made.resize(space);
  return made + end;
}

std::string quoted_url(const std::string& text, bool query) {
  std::string made;
  char code[8];
  for (const unsigned char c : text) {
    if ((c < 0x80 && std::isalnum(c)) || std::string("_.-~").find(static_cast<char>(c)) != std::string::npos ||
        (c == '/' && !query)) {
      made += static_cast<char>(c);
    } else if (c == ' ' && query) {
      made += '+';
    } else {
      std::snprintf(code, sizeof code, "%%%02X", c);
      made += code;
    }
  }
  return made;
}

Value url(F c) {
  if (c.value.is_text() || !is_iterable(c.value)) return quoted_url(filtered_text(c), false);
  std::string made;
  const Values all = c.value.is(Kind::dict) ? elements(call(method(c.value, "items", c.limits), {}, c.limits), c.limits)
                                            : elements(c.value, c.limits);
  for (const Value& pair : all) {
    const Values two = elements(pair, c.limits);
    if (two.size() != 2) fail_with("urlencode needs pairs");
    made += (made.empty() ? "" : "&") + quoted_url(printed(two[0], c.limits), true) + "=" +
            quoted_url(printed(two[1], c.limits), true);
  }
  return made;
}

Value file_size(F c) {
  const Value size = c.value.is_text() ? (*find_filter("float"))({c.value, {}, c.limits}) : c.value;
  if (!size.is_number()) fail_with("filesizeformat needs a number");
  const bool binary = c.flag(0, "binary");
  const double bytes = size.real(), base = binary ? 1024 : 1000;
  if (bytes == 1) return "1 Byte";
  char text[64];
  if (bytes < base) {
    std::snprintf(text, sizeof text, "%lld Bytes", static_cast<long long>(bytes));
    return text;
  }
  constexpr const char* kUnits[] = {"k", "M", "G", "T", "P", "E", "Z", "Y"};
  double unit = base;
  std::size_t at = 0;
  while (at + 1 < std::size(kUnits) && bytes >= unit * base) unit *= base, ++at;
  std::snprintf(text, sizeof text, "%.1f %s%s", bytes / unit, at == 0 && binary ? "K" : kUnits[at],
                binary ? "iB" : "B");
  return text;
}

// At each beginning of a word, which stands behind blanks, hyphens and opening brackets.
Value titled(F c) {
  std::string made;
  bool begins = true;
  for (const char32_t letter : letters(filtered_text(c))) {
    const std::string one = utf8({&letter, 1});
    made += begins ? upper(one) : lower(one);
    begins = is_space(letter) || std::u32string_view(U"-({[<").find(letter) != std::u32string_view::npos;
  }
  return made;
}

Value word_count(F c) {
  std::size_t count = 0;
  bool inside = false;
  for (const char32_t letter : letters(filtered_text(c))) {
    const bool word = is_of(letter, LetterClass::word);
    if (word && !inside) ++count;
    inside = word;
  }
  return count;
}

Value formatted(F c) {
  if (!c.arguments.positional.empty() && !c.arguments.named.empty())
    fail_with("can't handle positional and keyword arguments at the same time");
  if (c.arguments.named.empty())
    return percents_filled(filtered_text(c), Value::tuple(c.arguments.positional), c.limits);
  Dict names;
  for (const auto& [name, value] : c.arguments.named) names.set(name, value);
  return percents_filled(filtered_text(c), Value::dict(std::move(names)), c.limits);
}

Value trimmed(F c) {
  const Value* which = c.at(0, "chars");
  return which && which->is_text() ? stripped(filtered_text(c), which->text()) : stripped(filtered_text(c));
}

// wordwrap(text, width=79, break_long_words=true, wrapstring="\n"), line by line at blanks
Value wrapped(F c) {
  const Whole width = c.whole(0, "width", 79);
  if (width < 1) fail_with("width must be at least 1");
  const std::string by = c.text(2, "wrapstring", "\n");
  const bool breaks = c.flag(1, "break_long_words", true);
  std::string made;
  for (const std::string& line : lines_of(text_only(c))) {
    if (!made.empty()) made += by;
    std::u32string row;
    const std::u32string all = letters(line);
    for (std::size_t at = 0; at < all.size();) {
      std::size_t end = at;
      while (end < all.size() && is_space(all[end]) == is_space(all[at])) ++end;
      std::u32string word = all.substr(at, end - at);
      at = end;
      if (static_cast<Whole>(row.size() + word.size()) > width && !row.empty()) {
        while (!row.empty() && is_space(row.back())) row.pop_back();
        made += utf8(row) + by, row.clear();
        if (is_space(word[0])) continue;
      }
      while (breaks && static_cast<Whole>(word.size()) > width) {
        made += utf8(std::u32string_view(word).substr(0, static_cast<std::size_t>(width))) + by;
        word.erase(0, static_cast<std::size_t>(width));
      }
      row += word;
    }
    made += utf8(row);
    c.limits.bytes(static_cast<double>(line.size()));
  }
  return made;
}

}  // namespace

const Filter* find_text_filter(const std::string& name) {
  static const std::unordered_map<std::string, Filter> rows = {
      {"capitalize", [](F c) { return as_safe_as(c, capitalized(filtered_text(c))); }},
      {"center",
       [](F c) { return as_safe_as(c, widened(filtered_text(c), c.whole(0, "width", 80), " ", 0.5, c.limits)); }},
      {"e", escape},
      {"escape", escape},
      {"filesizeformat", file_size},
      {"forceescape", [](F c) { return Value::safe(escaped(filtered_text(c), c.limits)); }},
      {"format", formatted},
      {"indent", [](F c) { return as_safe_as(c, indent(c).text()); }},
      {"lower", [](F c) { return as_safe_as(c, lower(filtered_text(c))); }},
      {"replace",
       [](F c) -> Value {
         return replaced(filtered_text(c), c.text(0, "old", ""), c.text(1, "new", ""), c.whole(2, "count", -1),
                         c.limits);
       }},
      {"safe", [](F c) { return Value::safe(filtered_text(c)); }},
      {"string", [](F c) { return as_safe_as(c, filtered_text(c)); }},
      {"striptags", without_tags},
      {"title", titled},
      {"trim", [](F c) { return as_safe_as(c, trimmed(c).text()); }},
      {"truncate",
       [](F c) {
         const Value made = truncated(c);
         return made.is_text() ? as_safe_as(c, made.text()) : made;
       }},
      {"upper", [](F c) { return as_safe_as(c, upper(filtered_text(c))); }},
      {"urlencode", url},
      {"urlize",
       [](F) -> Value { fail_with("'urlize' makes links of HTML, which chat templates are not given here"); }},
      {"wordcount", word_count},
      {"wordwrap", wrapped},
      {"xmlattr", xml_attributes},
  };
  const auto found = rows.find(name);
  return found == rows.end() ? nullptr : &found->second;
}

}  // namespace headlight::jinja
