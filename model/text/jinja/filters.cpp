#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <unordered_map>

#include "model/text/jinja/builtins.h"
#include "model/text/jinja/format.h"
#include "model/text/jinja/letters.h"

namespace headlight::jinja {

namespace {

using Kind = Value::Kind;
using C = const FilterCall&;

std::vector<std::string> parts_of(const std::string& path, char by = '.') {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t dot = 0; (dot = path.find(by, begin)) != std::string::npos; begin = dot + 1)
    parts.push_back(path.substr(begin, dot - begin));
  parts.push_back(path.substr(begin));
  return parts;
}

// "x.a.1" of a value, each part as an item first, as Jinja's attribute= has it; with a default where one is missing.
Value by_path(Value value, const Value& path, const Value* otherwise, Limits& limits) {
  if (!path.is_text()) return item(value, path, limits);
  for (const std::string& part : parts_of(path.text())) {
    const bool whole = !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
    value = whole ? item(value, static_cast<Whole>(std::atoll(part.c_str())), limits) : item(value, part, limits);
    if (otherwise && value.is_undefined() && !value.is_refused()) value = *otherwise;
  }
  return value;
}

Value small(const Value& value) { return value.is_text() ? Value(lower(value.text())) : value; }

// What elements are compared by: an attribute, without regard to capitals unless it is asked for.
std::function<Value(const Value&)> key_of(C c, const Value* path, bool case_sensitive,
                                          const Value* otherwise = nullptr) {
  const Value by = path && !path->is(Kind::none) ? *path : Value();
  const Value instead = otherwise ? *otherwise : Value();
  return [by, case_sensitive, instead, has = otherwise != nullptr, &limits = c.limits](const Value& value) {
    const Value found = by.is_undefined() ? value : by_path(value, by, has ? &instead : nullptr, limits);
    return case_sensitive ? found : small(found);
  };
}

void sort_by(Values& values, const std::function<Value(const Value&)>& key, bool reverse, Limits& limits) {
  std::vector<std::pair<Value, Value>> keyed;
  for (const Value& value : values) keyed.emplace_back(key(value), value);
  // Python keeps equals in their order in both directions.
  std::stable_sort(keyed.begin(), keyed.end(), [&](const auto& a, const auto& b) {
    return reverse ? less(b.first, a.first, limits) : less(a.first, b.first, limits);
  });
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = keyed[i].second;
}

// sort(value, reverse=false, case_sensitive=false, attribute=none); of several attributes, "a,b", the first counts
// first.
Value sort(C c) {
  Values values = elements(c.value, c.limits);
  const Value* path = c.at(2, "attribute");
  const bool case_sensitive = c.flag(1, "case_sensitive");
  std::vector<std::function<Value(const Value&)>> keys;
  if (path && path->is_text()) {
    for (const std::string& part : parts_of(path->text(), ',')) {
      const Value one = part;
      keys.push_back(key_of(c, &one, case_sensitive));
    }
  } else {
    keys.push_back(key_of(c, path, case_sensitive));
  }
  const auto all = [&keys](const Value& value) {
    Values made;
    for (const auto& key : keys) made.push_back(key(value));
    return Value::list(std::move(made));
  };
  sort_by(values, path && path->is_text() ? all : keys.front(), c.flag(0, "reverse"), c.limits);
  return Value::list(std::move(values));
}

Value unique(C c) {
  const auto key = key_of(c, c.at(1, "attribute"), c.flag(0, "case_sensitive"));
  Values kept, seen;
  for (const Value& value : elements(c.value, c.limits)) {
    const Value one = key(value);
    if (std::any_of(seen.begin(), seen.end(), [&](const Value& other) { return equal(one, other, c.limits); }))
      continue;
    seen.push_back(one), kept.push_back(value);
  }
  return Value::lazy(std::move(kept));
}

Value extreme(C c, bool largest) {
  const auto key = key_of(c, c.at(1, "attribute"), c.flag(0, "case_sensitive"));
  const Values values = elements(c.value, c.limits);
  if (values.empty()) return Value::missing("No aggregated item, sequence was empty.");
  const Value* best = &values[0];
  for (const Value& value : values)
    if (largest ? less(key(*best), key(value), c.limits) : less(key(value), key(*best), c.limits)) best = &value;
  return *best;
}

Value sum(C c) {
  const Value* path = c.at(0, "attribute");
  const Value* start = c.at(1, "start");
  Value total = start ? *start : Value(0);
  if (total.is_text()) fail_with("sum() can't sum strings [use ''.join(seq) instead]");
  for (const Value& value : elements(c.value, c.limits))
    total = added(total, path && !path->is(Kind::none) ? by_path(value, *path, nullptr, c.limits) : value, c.limits);
  return total;
}

Value grouped(C c) {
  const Value* path = c.at(0, "attribute");
  if (!path) fail_with("groupby needs an attribute");
  const bool case_sensitive = c.flag(2, "case_sensitive");
  const Value* otherwise = c.at(1, "default");
  const auto key = key_of(c, path, case_sensitive, otherwise), shown = key_of(c, path, true, otherwise);
  Values values = elements(c.value, c.limits), groups;
  sort_by(values, key, false, c.limits);
  for (std::size_t i = 0; i < values.size();) {
    Values group;
    const Value first = key(values[i]);
    const std::size_t begin = i;
    while (i < values.size() && equal(key(values[i]), first, c.limits)) group.push_back(values[i++]);
    groups.push_back(Value::tuple({shown(values[begin]), Value::list(std::move(group))}));
  }
  return Value::list(std::move(groups));
}

// map(attribute=..., default=...) or map('filter', ...)
Value map(C c) {
  Values made;
  if (const Value* path = c.arguments.named_one("attribute"); path && c.arguments.positional.empty()) {
    const Value* otherwise = c.arguments.named_one("default");
    for (const Value& value : elements(c.value, c.limits)) made.push_back(by_path(value, *path, otherwise, c.limits));
    return Value::lazy(std::move(made));
  }
  if (c.arguments.positional.empty()) fail_with("map requires a filter argument");
  const std::string name = printed(c.arguments.positional[0], c.limits);
  const Filter* filter = find_filter(name);
  if (!filter) fail_with("No filter named '" + name + "'.");
  Arguments rest = c.arguments;
  rest.positional.erase(rest.positional.begin());
  for (const Value& value : elements(c.value, c.limits)) made.push_back((*filter)({value, rest, c.limits}));
  return Value::lazy(std::move(made));
}

// select, reject, selectattr, rejectattr
Value chosen(C c, bool by_attribute, bool wanted) {
  Arguments rest = c.arguments;
  Value path;
  if (by_attribute) {
    if (rest.positional.empty()) fail_with("Missing parameter for attribute name");
    path = rest.positional[0];
    rest.positional.erase(rest.positional.begin());
  }
  const Test* test = nullptr;
  if (!rest.positional.empty()) {
    const std::string name = printed(rest.positional[0], c.limits);
    test = find_test(name);
    if (!test) fail_with("No test named '" + name + "'.");
    rest.positional.erase(rest.positional.begin());
  }
  Values kept;
  for (const Value& value : elements(c.value, c.limits)) {
    const Value one = by_attribute ? by_path(value, path, nullptr, c.limits) : value;
    if ((test ? (*test)({one, rest, c.limits}) : one.is_true()) == wanted) kept.push_back(value);
  }
  return Value::lazy(std::move(kept));
}

Value join(C c) {
  const std::string by = c.text(0, "d", "");
  const Value* path = c.at(1, "attribute");
  std::string made;
  bool first = true;
  for (const Value& value : elements(c.value, c.limits)) {
    const std::string one =
        printed(path && !path->is(Kind::none) ? by_path(value, *path, nullptr, c.limits) : value, c.limits);
    c.limits.bytes(static_cast<double>(one.size() + by.size()));
    if (!std::exchange(first, false)) made += by;
    made += one;
  }
  return made;
}

Value pairs(C c) {
  if (c.value.is_undefined()) return Value::lazy({});
  if (!c.value.is(Kind::dict)) fail_with("Can only get item pairs from a mapping.");
  Values made;
  for (const auto& [key, value] : c.value.dict().entries) made.push_back(Value::tuple({key, value}));
  return Value::lazy(std::move(made));
}

Value sorted_pairs(C c) {
  if (!c.value.is(Kind::dict)) fail_with("dictsort needs a mapping");
  const std::string by = c.text(1, "by", "key");
  if (by != "key" && by != "value") fail_with("You can only sort by either \"key\" or \"value\"");
  const bool case_sensitive = c.flag(0, "case_sensitive");
  Values made = pairs(c).items();
  sort_by(
      made,
      [&](const Value& pair) {
        const Value& one = pair.items()[by == "key" ? 0 : 1];
        return case_sensitive ? one : small(one);
      },
      c.flag(2, "reverse"), c.limits);
  return Value::list(std::move(made));
}

Value to_json(C c) {
  JsonStyle style;
  const auto given = [&](const char* name) {
    const Value* found = c.arguments.named_one(name);
    return found && !found->is(Kind::none) ? found : nullptr;
  };
  style.ascii = given("ensure_ascii") && given("ensure_ascii")->is_true();
  style.sorted = given("sort_keys") && given("sort_keys")->is_true();
  const Value* indent = given("indent");
  if (!indent && !c.arguments.positional.empty()) {
    // tojson(x, ensure_ascii=false, indent=none, separators=none, sort_keys=false)
    style.ascii = c.arguments.positional[0].is_true();
    if (c.arguments.positional.size() > 1) indent = &c.arguments.positional[1];
  }
  if (indent && indent->is_whole()) {
    style.lines = true, style.item = ",";
    style.indent = widened("", indent->whole(), " ", 1, c.limits);
  } else if (indent && indent->is_text()) {
    style.lines = true, style.item = ",", style.indent = indent->text();
  }
  if (const Value* both = given("separators")) {
    const Values parts = elements(*both, c.limits);
    if (parts.size() != 2 || !parts[0].is_text() || !parts[1].is_text()) fail_with("separators are two texts");
    style.item = parts[0].text(), style.key = parts[1].text();
  }
  return as_json(c.value, style, c.limits);
}

// Python reads 1_000.
std::string without_underscores(std::string text) {
  std::erase(text, '_');
  return text;
}

// As int() and float() read texts.
bool read_real(const std::string& text, double& value) {
  const std::string plain = without_underscores(stripped(text));
  if (plain.empty()) return false;
  char* end = nullptr;
  value = std::strtod(plain.c_str(), &end);
  return *end == 0 && plain.find_first_of("xX") == std::string::npos;
}

bool read_whole(const std::string& text, int base, Whole& value) {
  std::string plain = without_underscores(stripped(text));
  bool negative = false;
  if (!plain.empty() && (plain[0] == '-' || plain[0] == '+')) negative = plain[0] == '-', plain.erase(0, 1);
  if (base == 16 && (plain.starts_with("0x") || plain.starts_with("0X"))) plain.erase(0, 2);
  if (base == 2 && (plain.starts_with("0b") || plain.starts_with("0B"))) plain.erase(0, 2);
  if (base == 8 && (plain.starts_with("0o") || plain.starts_with("0O"))) plain.erase(0, 2);
  if (plain.empty()) return false;
  value = 0;
  for (const char c : plain) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 10
                      : c >= 'A' && c <= 'Z' ? c - 'A' + 10
                                             : 99;
    if (digit >= base || __builtin_mul_overflow(value, static_cast<Whole>(base), &value) ||
        __builtin_add_overflow(value, static_cast<Whole>(digit), &value))
      return false;
  }
  if (negative) value = -value;
  return true;
}

// int(value, default=0, base=10)
Value to_whole(C c) {
  const Value* given = c.at(0, "default");
  const Value otherwise = given ? *given : Value(0);
  if (c.value.is_undefined()) fail_undefined(c.value);
  if (c.value.is_whole()) return c.value.whole();
  if (c.value.is(Kind::real))
    return std::abs(c.value.real()) < kLargestWhole ? Value(static_cast<Whole>(c.value.real())) : otherwise;
  if (!c.value.is_text()) return otherwise;
  Whole whole = 0;
  const auto base = static_cast<int>(std::clamp<Whole>(c.whole(1, "base", 10), 2, 36));
  if (read_whole(c.value.text(), base, whole)) return whole;
  double real = 0;
  return read_real(c.value.text(), real) && std::abs(real) < kLargestWhole ? Value(static_cast<Whole>(real))
                                                                           : otherwise;
}

Value to_real(C c) {
  const Value* given = c.at(0, "default");
  if (c.value.is_undefined()) fail_undefined(c.value);
  if (c.value.is_number()) return c.value.real();
  double real = 0;
  if (c.value.is_text() && read_real(c.value.text(), real)) return real;
  return given ? *given : Value(0.0);
}

Value round(C c) {
  if (c.value.is_undefined()) fail_undefined(c.value);
  if (!c.value.is_number()) fail_with("round() needs a number");
  const auto digits = static_cast<int>(std::clamp<Whole>(c.whole(0, "precision", 0), -300, 300));
  const std::string how = c.text(1, "method", "common");
  if (how != "common" && how != "ceil" && how != "floor") fail_with("method must be common, ceil or floor");
  if (how == "common" && c.value.is_whole())
    return digits >= 0 ? c.value.whole() : static_cast<Whole>(rounded(c.value.real(), digits));
  if (how == "common") return rounded(c.value.real(), digits);
  const double scale = std::pow(10, digits), scaled = c.value.real() * scale;
  return (how == "ceil" ? std::ceil(scaled) : std::floor(scaled)) / scale;
}

Value absolute(C c) {
  if (c.value.is_undefined()) fail_undefined(c.value);
  if (c.value.is_whole()) return c.value.whole() < 0 ? -c.value.whole() : c.value.whole();
  if (c.value.is(Kind::real)) return std::abs(c.value.real());
  fail_with(std::string("bad operand type for abs(): '") + c.value.type_name() + "'");
}

// Rows of so many; the last one filled up, if a value for that is given.
Value batch(C c) {
  const Whole count = c.whole(0, "linecount", 0);
  const Value* fill = c.at(1, "fill_with");
  if (count < 1) fail_with("batch needs a count of at least 1");
  Values rows, row;
  for (const Value& value : elements(c.value, c.limits)) {
    if (static_cast<Whole>(row.size()) == count) rows.push_back(Value::list(std::exchange(row, {})));
    row.push_back(value);
  }
  if (!row.empty()) {
    if (fill && !fill->is(Kind::none)) {
      c.limits.step(static_cast<std::int64_t>(std::min<Whole>(count, 1 << 30)));
      while (static_cast<Whole>(row.size()) < count) row.push_back(*fill);
    }
    rows.push_back(Value::list(std::move(row)));
  }
  return Value::lazy(std::move(rows));
}

Value sliced(C c) {
  const Values values = elements(c.value, c.limits);
  const Whole slices = c.whole(0, "slices", 0);
  const Value* fill = c.at(1, "fill_with");
  if (slices < 1) fail_with("slice needs a count of at least 1");
  c.limits.step(static_cast<std::int64_t>(std::min<Whole>(slices, 1 << 30)));
  const Whole each = static_cast<Whole>(values.size()) / slices, longer = static_cast<Whole>(values.size()) % slices;
  Values rows;
  Whole begin = 0;
  for (Whole i = 0; i < slices; ++i) {
    const Whole count = each + (i < longer ? 1 : 0);
    Values row(values.begin() + static_cast<std::ptrdiff_t>(begin),
               values.begin() + static_cast<std::ptrdiff_t>(begin + count));
    if (fill && !fill->is(Kind::none) && i >= longer) row.push_back(*fill);
    rows.push_back(Value::list(std::move(row)));
    begin += count;
  }
  return Value::lazy(std::move(rows));
}

Value at_end(C c, bool last) {
  if (last && c.value.is(Kind::lazy)) fail_with("'generator' object is not reversible");
  const Values values = elements(c.value, c.limits);
  if (values.empty())
    return Value::missing(last ? "No last item, sequence was empty." : "No first item, sequence was empty.");
  return last ? values.back() : values.front();
}

Value reversed(C c) {
  if (c.value.is_text()) {
    std::u32string all = letters(c.value.text());
    std::reverse(all.begin(), all.end());
    return utf8(all);
  }
  Values values = elements(c.value, c.limits);
  std::reverse(values.begin(), values.end());
  return Value::lazy(std::move(values));
}

Value otherwise(C c) {
  const Value* given = c.at(0, "default_value");
  const bool missing = c.value.is_undefined() || (c.flag(1, "boolean") && !c.value.is_true());
  return missing ? (given ? *given : Value("")) : c.value;
}

Value by_attribute(C c) {
  const Value* name = c.at(0, "name");
  if (!name || !name->is_text()) fail_with("attr needs a name");
  // An attribute alone: no item.
  if (c.value.is(Kind::dict)) {
    if (name->text().starts_with("__")) return attribute(c.value, name->text(), c.limits);
    const Value found = method(c.value, name->text(), c.limits);
    return found.is_undefined() ? Value::missing("no attribute '" + name->text() + "'") : found;
  }
  return attribute(c.value, name->text(), c.limits);
}

}  // namespace

bool FilterCall::flag(std::size_t place, const char* name, bool otherwise) const {
  const Value* found = at(place, name);
  return found ? found->is_true() : otherwise;
}

Whole FilterCall::whole(std::size_t place, const char* name, Whole otherwise) const {
  const Value* found = at(place, name);
  if (!found || found->is(Kind::none)) return otherwise;
  if (found->is_undefined()) fail_undefined(*found);
  if (!found->is_whole()) fail_with(std::string("expected a whole number for ") + name + ", got " + found->type_name());
  return found->whole();
}

std::string FilterCall::text(std::size_t place, const char* name, const std::string& otherwise) const {
  const Value* found = at(place, name);
  return found && !found->is(Kind::none) ? printed(*found, limits) : otherwise;
}

const Filter* find_filter(const std::string& name) {
  static const std::unordered_map<std::string, Filter> rows = {
      {"abs", absolute},
      {"attr", by_attribute},
      {"batch", batch},
      {"count", [](C c) -> Value { return length(c.value, c.limits); }},
      {"d", otherwise},
      {"default", otherwise},
      {"dictsort", sorted_pairs},
      {"first", [](C c) { return at_end(c, false); }},
      {"float", to_real},
      {"groupby", grouped},
      {"int", to_whole},
      {"items", pairs},
      {"join", join},
      {"last", [](C c) { return at_end(c, true); }},
      {"length", [](C c) -> Value { return length(c.value, c.limits); }},
      {"list", [](C c) { return Value::list(elements(c.value, c.limits)); }},
      {"map", map},
      {"max", [](C c) { return extreme(c, true); }},
      {"min", [](C c) { return extreme(c, false); }},
      {"pprint", [](C c) -> Value { return represented(c.value, c.limits); }},
      {"random", [](C c) { return at_end(c, false); }},  // the first: templates should say the same each time
      {"reject", [](C c) { return chosen(c, false, false); }},
      {"rejectattr", [](C c) { return chosen(c, true, false); }},
      {"reverse", reversed},
      {"round", round},
      {"select", [](C c) { return chosen(c, false, true); }},
      {"selectattr", [](C c) { return chosen(c, true, true); }},
      {"slice", sliced},
      {"sort", sort},
      {"sum", sum},
      {"tojson", to_json},
      {"unique", unique},
  };
  const auto found = rows.find(name);
  return found == rows.end() ? find_text_filter(name) : &found->second;
}

}  // namespace headlight::jinja
