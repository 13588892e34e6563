#include "model/text/jinja/value.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "model/core/json_library.h"
#include "model/text/jinja/letters.h"

namespace headlight::jinja {

using Kind = Value::Kind;

namespace {

struct Missing {
  std::string why;
  bool refused = false;
};
struct Shape {  // of functions and objects
  Function function;
  Dict attributes;
};

const std::string& nothing() {
  static const std::string text;
  return text;
}

}  // namespace

const char* name_of(TemplateError::Kind kind) {
  constexpr const char* kNames[] = {"raised", "undefined", "syntax", "security", "no-template", "limit", "other"};
  return kNames[static_cast<int>(kind)];
}

void fail_with(const std::string& text) { throw TemplateError(TemplateError::Kind::other, text); }

void fail_undefined(const Value& undefined) {
  const std::string& why = undefined.why();
  throw TemplateError(undefined.is_refused() ? TemplateError::Kind::security : TemplateError::Kind::undefined,
                      why.empty() ? "a value that is not defined is used" : why);
}

Whole Range::count() const {
  if (step > 0) return start >= stop ? 0 : (stop - start + step - 1) / step;
  return start <= stop ? 0 : (start - stop - step - 1) / -step;
}

// ---- making

Value::Value(std::string value) : kind_(Kind::text), shared_(std::make_shared<std::string>(std::move(value))) {}
Value Value::safe(std::string text) {
  Value made(std::move(text));
  made.safe_ = true;
  return made;
}
Value Value::list(Values items, Kind kind) {
  Value made;
  made.kind_ = kind;
  made.shared_ = std::make_shared<Values>(std::move(items));
  return made;
}
Value Value::dict(Dict dict) {
  Value made;
  made.kind_ = Kind::dict;
  made.shared_ = std::make_shared<Dict>(std::move(dict));
  return made;
}
Value Value::range(Range range) {
  Value made;
  made.kind_ = Kind::range;
  made.shared_ = std::make_shared<Range>(range);
  return made;
}
Value Value::function(std::string name, std::function<Value(const Arguments&)> call) {
  Value made = object(std::move(name), {}, std::move(call));
  made.kind_ = Kind::function;
  return made;
}
Value Value::space(Dict attributes) {
  Value made = dict(std::move(attributes));
  made.kind_ = Kind::space;
  return made;
}
Value Value::object(std::string name, Dict attributes, std::function<Value(const Arguments&)> call) {
  Value made;
  made.kind_ = Kind::object;
  made.shared_ = std::make_shared<Shape>(Shape{{std::move(name), std::move(call)}, std::move(attributes)});
  return made;
}
Value Value::missing(std::string why, bool refused) {
  Value made;
  made.shared_ = std::make_shared<Missing>(Missing{std::move(why), refused});
  return made;
}

Value Value::from_json(const Json& json) {
  switch (json.type()) {
    case Json::value_t::null:
      return nullptr;
    case Json::value_t::boolean:
      return json.get<bool>();
    case Json::value_t::number_integer:
      return static_cast<Whole>(json.get<std::int64_t>());
    case Json::value_t::number_unsigned:
      return static_cast<Whole>(json.get<std::uint64_t>());
    case Json::value_t::number_float:
      return json.get<double>();
    case Json::value_t::string:
      return json.get<std::string>();
    case Json::value_t::array: {
      Values items;
      for (const Json& each : json) items.push_back(from_json(each));
      return list(std::move(items));
    }
    case Json::value_t::object: {
      Dict made;
      for (const auto& [key, value] : json.items()) made.entries.emplace_back(key, from_json(value));
      return dict(std::move(made));
    }
    default:
      return {};
  }
}

// ---- looking

const std::string& Value::text() const { return *static_cast<const std::string*>(shared_.get()); }
const Values& Value::items() const { return *static_cast<const Values*>(shared_.get()); }
const Dict& Value::dict() const {
  return kind_ == Kind::object || kind_ == Kind::function ? static_cast<const Shape*>(shared_.get())->attributes
                                                          : *static_cast<const Dict*>(shared_.get());
}
Dict& Value::space() const { return *static_cast<Dict*>(shared_.get()); }
const Range& Value::range() const { return *static_cast<const Range*>(shared_.get()); }
const Function& Value::function() const { return static_cast<const Shape*>(shared_.get())->function; }
const std::string& Value::why() const { return shared_ ? static_cast<const Missing*>(shared_.get())->why : nothing(); }
bool Value::is_refused() const {
  return is_undefined() && shared_ && static_cast<const Missing*>(shared_.get())->refused;
}

bool Value::is_true() const {
  switch (kind_) {
    case Kind::undefined:
    case Kind::none:
      return false;
    case Kind::boolean:
    case Kind::whole:
      return whole_ != 0;
    case Kind::real:
      return real_ != 0;
    case Kind::text:
      return !text().empty();
    case Kind::list:
    case Kind::tuple:
      return !items().empty();
    case Kind::dict:
      return !dict().entries.empty();
    case Kind::range:
      return range().count() > 0;
    default:
      return true;
  }
}

const char* Value::type_name() const {
  constexpr const char* kNames[] = {"Undefined", "NoneType",  "bool", "int",   "float",    "str",       "list",
                                    "tuple",     "generator", "dict", "range", "function", "Namespace", "object"};
  return kNames[static_cast<int>(kind_)];
}

const Value* Dict::find(const std::string& key) const {
  for (const auto& [name, value] : entries)
    if (name.is_text() && name.text() == key) return &value;
  return nullptr;
}

const Value* Dict::find(const Value& key) const {
  if (key.is_text()) return find(key.text());
  Limits limits;  // keys are small: text, numbers, tuples
  for (const auto& [name, value] : entries)
    if (equal(name, key, limits)) return &value;
  return nullptr;
}

void Dict::set(Value key, Value value) {
  if (!key.is_text() && !key.is_number() && !key.is(Kind::none) && !key.is(Kind::tuple))
    fail_with(std::string("unhashable type: '") + key.type_name() + "'");
  if (const Value* found = find(key)) {
    *const_cast<Value*>(found) = std::move(value);
  } else {
    entries.emplace_back(std::move(key), std::move(value));
  }
}

const Value* Arguments::named_one(const std::string& name) const {
  for (const auto& [key, value] : named)
    if (key == name) return &value;
  return nullptr;
}

const Value* Arguments::at(std::size_t place, const char* name) const {
  return place < positional.size() ? &positional[place] : name ? named_one(name) : nullptr;
}

// ---- comparing

bool equal(const Value& a, const Value& b, Limits& limits) {
  const Limits::Depth depth(limits);
  limits.step();
  if (a.is_number() && b.is_number())
    return a.is_whole() && b.is_whole() ? a.whole() == b.whole() : a.real() == b.real();
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::undefined:
    case Kind::none:
      return true;
    case Kind::text:
      return a.text() == b.text();
    case Kind::list:
    case Kind::tuple: {
      const Values &x = a.items(), &y = b.items();
      if (x.size() != y.size()) return false;
      for (std::size_t i = 0; i < x.size(); ++i)
        if (!equal(x[i], y[i], limits)) return false;
      return true;
    }
    case Kind::dict: {
      if (a.dict().entries.size() != b.dict().entries.size()) return false;
      for (const auto& [key, value] : a.dict().entries) {
        const Value* other = b.dict().find(key);
        if (!other || !equal(value, *other, limits)) return false;
      }
      return true;
    }
    case Kind::range: {
      const Range &x = a.range(), &y = b.range();
      return x.count() == y.count() && (x.count() == 0 || (x.start == y.start && (x.count() == 1 || x.step == y.step)));
    }
    default:
      return a.same_object(b);
  }
}

bool less(const Value& a, const Value& b, Limits& limits) {
  const Limits::Depth depth(limits);
  limits.step();
  if (a.is_undefined()) fail_undefined(a);
  if (b.is_undefined()) fail_undefined(b);
  if (a.is_number() && b.is_number()) return a.is_whole() && b.is_whole() ? a.whole() < b.whole() : a.real() < b.real();
  if (a.is_text() && b.is_text()) return a.text() < b.text();  // bytes of UTF-8 are in the order of code points
  if (a.kind() == b.kind() && (a.is(Kind::list) || a.is(Kind::tuple))) {
    const Values &x = a.items(), &y = b.items();
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
      if (!equal(x[i], y[i], limits)) return less(x[i], y[i], limits);
    return x.size() < y.size();
  }
  fail_with(std::string("'<' not supported between instances of '") + a.type_name() + "' and '" + b.type_name() + "'");
}

bool contains(const Value& all, const Value& one, Limits& limits) {
  if (all.is_text()) {
    if (one.is_undefined()) fail_undefined(one);
    if (!one.is_text()) fail_with(std::string("'in <string>' requires string as left operand, not ") + one.type_name());
    limits.step(static_cast<std::int64_t>(all.text().size() / 64));
    return all.text().find(one.text()) != std::string::npos;
  }
  if (all.is(Kind::dict)) return all.dict().find(one) != nullptr;
  if (all.is(Kind::range)) {
    if (!one.is_number()) return false;
    const Range& range = all.range();
    const auto place = static_cast<Whole>(one.real());
    if (static_cast<double>(place) != one.real() || range.count() == 0) return false;
    const Whole steps = (place - range.start) / range.step;
    return range.start + steps * range.step == place && steps >= 0 && steps < range.count();
  }
  const Values items = elements(all, limits);
  return std::any_of(items.begin(), items.end(), [&](const Value& each) { return equal(each, one, limits); });
}

// ---- going through

bool is_iterable(const Value& value) {
  return value.is_undefined() || value.is_text() || value.is_items() || value.is(Kind::dict) || value.is(Kind::range);
}

Values elements(const Value& value, Limits& limits) {
  Values made;
  const auto room = [&](double count) {
    limits.bytes(count * sizeof(Value));
    made.reserve(static_cast<std::size_t>(count));
  };
  switch (value.kind()) {
    case Kind::undefined:
      if (value.is_refused()) fail_undefined(value);
      break;
    case Kind::text: {
      const std::u32string all = letters(value.text());
      room(static_cast<double>(all.size()) * 2);
      for (const char32_t letter : all) made.emplace_back(utf8({&letter, 1}));
      break;
    }
    case Kind::list:
    case Kind::tuple:
    case Kind::lazy:
      room(static_cast<double>(value.items().size()));
      made = value.items();
      break;
    case Kind::dict:
      room(static_cast<double>(value.dict().entries.size()));
      for (const auto& entry : value.dict().entries) made.push_back(entry.first);
      break;
    case Kind::range: {
      const Range& range = value.range();
      room(static_cast<double>(range.count()));
      for (Whole i = 0; i < range.count(); ++i) made.emplace_back(range.start + i * range.step);
      break;
    }
    default:
      fail_with(std::string("'") + value.type_name() + "' object is not iterable");
  }
  limits.step(static_cast<std::int64_t>(made.size()));
  return made;
}

Whole length(const Value& value, Limits&) {
  switch (value.kind()) {
    case Kind::undefined:
      return 0;
    case Kind::text:
      return static_cast<Whole>(letter_count(value.text()));
    case Kind::list:
    case Kind::tuple:
      return static_cast<Whole>(value.items().size());
    case Kind::dict:
      return static_cast<Whole>(value.dict().entries.size());
    case Kind::range:
      return value.range().count();
    default:
      fail_with(std::string("object of type '") + value.type_name() + "' has no len()");
  }
}

// ---- attributes and items

namespace {

// Python's names that lead out of a template.
bool is_hidden(const std::string& name) { return name.starts_with("__"); }

Value refused(const Value& of, const std::string& name) {
  return Value::missing("a template may not use '" + name + "' of a value of type '" + of.type_name() + "'", true);
}

Value not_there(const Value& of, const std::string& name) {
  if (of.is(Kind::none)) return Value::missing("'None' has no attribute '" + name + "'");
  return Value::missing(std::string("'") + of.type_name() + " object' has no attribute '" + name + "'");
}

bool changes(const Value& of, const std::string& name) {
  static const std::vector<std::string> lists = {"append", "extend",  "insert", "pop",
                                                 "remove", "reverse", "sort",   "clear"};
  static const std::vector<std::string> dicts = {"update", "pop", "popitem", "clear", "setdefault"};
  const std::vector<std::string>& names = of.is(Kind::list) ? lists : dicts;
  return (of.is(Kind::list) || of.is(Kind::dict)) && std::find(names.begin(), names.end(), name) != names.end();
}

Value place_in(const Values& items, const Value& of, Whole place) {
  const auto count = static_cast<Whole>(items.size());
  if (place < 0) place += count;
  if (place < 0 || place >= count) return not_there(of, printed_whole(place));
  return items[static_cast<std::size_t>(place)];
}

}  // namespace

Value attribute(const Value& of, const std::string& name, Limits& limits) {
  limits.step();
  if (of.is_undefined()) fail_undefined(of);
  if (is_hidden(name)) return refused(of, name);
  if (of.is(Kind::space)) {
    const Value* found = of.dict().find(name);
    if (found && name.starts_with('_')) return refused(of, name);
    return found ? *found : not_there(of, name);
  }
  if (of.is(Kind::object) || of.is(Kind::function)) {
    const Value* found = of.dict().find(name);
    return found ? *found : not_there(of, name);
  }
  if (changes(of, name)) return refused(of, name);
  if (Value found = method(of, name, limits); !found.is_undefined()) return found;
  if (of.is(Kind::dict))
    if (const Value* found = of.dict().find(name)) return *found;
  return not_there(of, name);
}

Value item(const Value& of, const Value& key, Limits& limits) {
  limits.step();
  if (of.is_undefined()) fail_undefined(of);
  if (of.is(Kind::dict)) {
    if (const Value* found = of.dict().find(key)) return *found;
  } else if (key.is_whole() && of.is_text()) {
    const std::u32string all = letters(of.text());
    Whole place = key.whole() + (key.whole() < 0 ? static_cast<Whole>(all.size()) : 0);
    if (place < 0 || place >= static_cast<Whole>(all.size())) return not_there(of, printed_whole(key.whole()));
    limits.step(static_cast<std::int64_t>(all.size() / 64));
    return utf8({&all[static_cast<std::size_t>(place)], 1});
  } else if (key.is_whole() && (of.is(Kind::list) || of.is(Kind::tuple))) {
    return place_in(of.items(), of, key.whole());
  } else if (key.is_whole() && of.is(Kind::range)) {
    const Range& range = of.range();
    const Whole place = key.whole() + (key.whole() < 0 ? range.count() : 0);
    if (place < 0 || place >= range.count()) return not_there(of, printed_whole(key.whole()));
    return range.start + place * range.step;
  }
  if (key.is_text()) return attribute(of, key.text(), limits);
  return not_there(of, printed(key, limits));
}

Value call(const Value& function, const Arguments& arguments, Limits& limits) {
  limits.step();
  if (function.is_undefined()) fail_undefined(function);
  if ((!function.is(Kind::function) && !function.is(Kind::object)) || !function.function().call)
    fail_with(std::string("'") + function.type_name() + "' object is not callable");
  return function.function().call(arguments);
}

}  // namespace headlight::jinja
