// Values of chat templates: JSON and undefined, tuples, ranges, functions, as Python's Jinja has them.
//
// Values are immutable but for namespaces; copies share what is large. Whatever makes text or lists asks Limits first:
// templates come from strangers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/core/errors.h"
#include "model/core/json.h"

namespace headlight::jinja {

// How a template fails. `limit`: it asks for too much; `security`: for what templates may not have.
struct TemplateError : Error {
  enum class Kind { raised, undefined, syntax, security, no_template, limit, other };
  // `line`: of the template; 0: whoever runs the line says it.
  TemplateError(Kind kind_, const std::string& text, int line_ = 0)
      : Error(line_ > 0 ? "line " + std::to_string(line_) + ": " + text : text), kind(kind_), line(line_) {}
  Kind kind;
  int line;
};
const char* name_of(TemplateError::Kind kind);  // "no-template"

// What one rendering may take in all.
class Limits {
 public:
  static constexpr std::int64_t kSteps = 4'000'000, kBytes = 300'000'000;
  static constexpr int kDepth = 400;

  void step(std::int64_t count = 1) {
    if ((steps_ += count) > kSteps) refuse("it takes too many steps");
  }
  // So many bytes more are made; negative and absurd sizes are refused as well.
  void bytes(double count) {
    if ((bytes_ += count) > static_cast<double>(kBytes)) refuse("it makes too much text");
  }
  [[noreturn]] static void refuse(const char* why) { throw TemplateError(TemplateError::Kind::limit, why); }

  // While something nested is computed.
  class Depth {
   public:
    explicit Depth(Limits& limits) : limits_(limits) {
      if (++limits_.depth_ > kDepth) refuse("it is nested too deeply");
    }
    ~Depth() { --limits_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

   private:
    Limits& limits_;
  };

 private:
  std::int64_t steps_ = 0;
  double bytes_ = 0;
  int depth_ = 0;
};

// Python's have no end; beyond this one a template is refused.
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 Whole;
inline constexpr double kLargestWhole = 1e37;
#else
typedef std::int64_t Whole;
inline constexpr double kLargestWhole = 9e18;
#endif

class Value;
using Values = std::vector<Value>;
struct Arguments;
struct Function;
struct Dict;
struct Range {
  Whole start = 0, stop = 0, step = 1;
  Whole count() const;
};

class Value {
 public:
  enum class Kind : std::uint8_t {
    undefined,
    none,
    boolean,
    whole,
    real,
    text,
    list,
    tuple,
    lazy,  // what Python makes while it is looked at: as a list, but without its length and its places
    dict,
    range,
    function,
    space,  // namespace(): the one value that changes
    object  // something with attributes and a call: loop, cycler
  };

  Value() = default;  // undefined
  Value(std::nullptr_t) : kind_(Kind::none) {}
  Value(bool value) : kind_(Kind::boolean), whole_(value) {}
  Value(int value) : kind_(Kind::whole), whole_(value) {}
  Value(Whole value) : kind_(Kind::whole), whole_(value) {}
  Value(std::size_t value) : kind_(Kind::whole), whole_(static_cast<Whole>(value)) {}
  Value(double value) : kind_(Kind::real), real_(value) {}
  Value(std::string value);
  Value(const char* value) : Value(std::string(value)) {}
  // A text that is escaped already, or said to be safe (Python's Markup): it is not escaped again.
  static Value safe(std::string text);
  static Value list(Values items, Kind kind = Kind::list);
  static Value tuple(Values items) { return list(std::move(items), Kind::tuple); }
  static Value lazy(Values items) { return list(std::move(items), Kind::lazy); }
  static Value dict(Dict dict);
  static Value range(Range range);
  static Value function(std::string name, std::function<Value(const Arguments&)> call);
  static Value space(Dict attributes);
  static Value object(std::string name, Dict attributes, std::function<Value(const Arguments&)> call = nullptr);
  // Why it is undefined: what using it says. `refused`: it is one of what templates may not have.
  static Value missing(std::string why, bool refused = false);
  static Value from_json(const Json& json);

  Kind kind() const { return kind_; }
  bool is(Kind kind) const { return kind_ == kind; }
  bool is_text() const { return kind_ == Kind::text; }
  bool is_safe() const { return safe_; }
  bool is_number() const { return kind_ == Kind::boolean || kind_ == Kind::whole || kind_ == Kind::real; }
  bool is_whole() const { return kind_ == Kind::boolean || kind_ == Kind::whole; }
  bool is_items() const { return kind_ == Kind::list || kind_ == Kind::tuple || kind_ == Kind::lazy; }
  bool is_undefined() const { return kind_ == Kind::undefined; }
  bool is_true() const;

  Whole whole() const { return whole_; }  // of whole numbers and booleans
  double real() const { return kind_ == Kind::real ? real_ : static_cast<double>(whole_); }
  const std::string& text() const;
  const Values& items() const;  // of lists, tuples and what is lazy
  const Dict& dict() const;     // of dicts, namespaces and objects
  Dict& space() const;
  const Range& range() const;
  const Function& function() const;  // of functions and objects
  const std::string& why() const;    // it is undefined
  bool is_refused() const;
  bool same_object(const Value& other) const { return kind_ == other.kind_ && shared_ == other.shared_; }

  // "str", "list": as Python calls it.
  const char* type_name() const;

 private:
  Kind kind_ = Kind::undefined;
  bool safe_ = false;
  Whole whole_ = 0;
  double real_ = 0;
  std::shared_ptr<void> shared_;
};

// In the order in which the keys came; a key stays what it was first (1 and true are one key, as in Python).
struct Dict {
  std::vector<std::pair<Value, Value>> entries;
  const Value* find(const Value& key) const;
  const Value* find(const std::string& key) const;
  void set(Value key, Value value);
};

struct Arguments {
  Values positional;
  std::vector<std::pair<std::string, Value>> named;
  const Value* named_one(const std::string& name) const;
  // The argument at this place or of this name; null: neither is given.
  const Value* at(std::size_t place, const char* name) const;
};

struct Function {
  std::string name;
  std::function<Value(const Arguments&)> call;
};

// Python's ==.
bool equal(const Value& a, const Value& b, Limits& limits);
// Python's <; throws where it does.
bool less(const Value& a, const Value& b, Limits& limits);
// Each as Python prints it: str() and repr().
std::string printed(const Value& value, Limits& limits);
std::string represented(const Value& value, Limits& limits);
std::string printed_real(double value);
std::string printed_whole(Whole value);
// What a loop goes through: items, keys of a dict, letters of a text, nothing of what is undefined.
Values elements(const Value& value, Limits& limits);
bool is_iterable(const Value& value);
Whole length(const Value& value, Limits& limits);
bool contains(const Value& all, const Value& one, Limits& limits);

struct JsonStyle {
  bool ascii = false, sorted = false, lines = false;
  std::string indent, item = ", ", key = ": ";
};
std::string as_json(const Value& value, const JsonStyle& style, Limits& limits);

// x.name and x[key]; undefined where there is none.
Value attribute(const Value& of, const std::string& name, Limits& limits);
Value item(const Value& of, const Value& key, Limits& limits);
// A method of a text, list or dict; undefined: it has none of this name.
Value method(const Value& of, const std::string& name, Limits& limits);

[[noreturn]] void fail_with(const std::string& text);      // Kind::other
[[noreturn]] void fail_undefined(const Value& undefined);  // or security
Value call(const Value& function, const Arguments& arguments, Limits& limits);

}  // namespace headlight::jinja
