#include "model/io/json_file.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <utility>

#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/io/text_file.h"

namespace headlight {

namespace {

// A value in an error message: short, and on one line.
std::string found_text(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  if (value.is_number_float() && !std::isfinite(value.get<double>()))
    return std::isnan(value.get<double>()) ? "NaN" : "Infinity";
  constexpr std::size_t kLongest = 60;
  const std::string text = value.dump(-1, ' ', true);  // ASCII: no character is cut in two
  return text.size() > kLongest ? text.substr(0, kLongest) + "..." : text;
}

// The parser has no words for what is no number. In their places stand numbers as long, so that bytes keep their
// places, written as nobody writes a number; the builder takes them for what they stand for.
struct NotANumber {
  std::string_view word, placeholder;
  double value;
};
constexpr NotANumber kNotNumbers[] = {{"NaN", "0E9", std::numeric_limits<double>::quiet_NaN()},
                                      {"Infinity", "0E000009", std::numeric_limits<double>::infinity()}};

std::string with_placeholders(std::string text) {
  const auto is_of_word = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '.');
  };
  bool inside = false;  // of a text in quotation marks
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') inside = !inside;
    if (inside && text[at] == '\\') ++at;
    if (inside || is_of_word(at - 1)) continue;
    for (const NotANumber& row : kNotNumbers)
      if (text.compare(at, row.word.size(), row.word) == 0 && !is_of_word(at + row.word.size()))
        text.replace(at, row.word.size(), row.placeholder);
  }
  return text;
}

// Makes the tree of values from what the parser reports. Its own builder looks each key up among those before it, which
// takes hours for a large object, and keeps the last of two equal keys.
class Builder {
 public:
  Builder(const std::string& name, const std::string& text, const JsonLimits& limits)
      : name_(name), text_(text), limits_(limits) {}
  Json root;

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double value, const std::string& written) {
    const bool negative = written.starts_with('-');
    if (limits_.not_numbers)
      for (const NotANumber& row : kNotNumbers)
        if (std::string_view(written).substr(negative) == row.placeholder) value = negative ? -row.value : row.value;
    return add(value);
  }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }  // not in texts
  bool start_object(std::size_t) {
    seen_.emplace_back();
    return open(Json::object());
  }
  bool end_object() {
    seen_.pop_back();
    return end_array();
  }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_array() {
    open_.pop_back();
    return true;
  }
  bool key(std::string& key) {
    if (++keys_ > limits_.keys) fail("expected at most " + std::to_string(limits_.keys) + " keys, found more");
    if (!seen_.back().insert(key).second) fail("the key " + found_text(key) + " is there twice");
    key_ = std::move(key);
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&, const Json::exception&) { broken(byte); }
  [[noreturn]] void broken(std::size_t byte) const {
    const std::string other = what_else_in_text(text_, true);
    fail(other.empty() ? "not valid JSON (byte " + std::to_string(byte) + ")" : other);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw FormatError(name_ + ": " + what); }

  bool add(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json value) {
    if (open_.size() >= limits_.depth) fail("nested more than " + std::to_string(limits_.depth) + " levels deep");
    open_.push_back(place(std::move(value)));
    return true;
  }
  // Nothing is put into what holds an open value, so that pointers to these last.
  Json* place(Json value) {
    if (++values_ > limits_.values) fail("expected at most " + std::to_string(limits_.values) + " values, found more");
    if (open_.empty()) return &(root = std::move(value));
    Json& in = *open_.back();
    if (in.is_array()) return &in.get_ref<Json::array_t&>().emplace_back(std::move(value));
    Json::object_t::Container& members = in.get_ref<Json::object_t&>();
    return &members.emplace_back(std::move(key_), std::move(value)).second;
  }

  std::string name_;
  const std::string& text_;
  JsonLimits limits_;
  std::vector<Json*> open_;
  std::vector<std::unordered_set<std::string>> seen_;  // the keys of each open object
  std::string key_;
  std::size_t keys_ = 0, values_ = 0;
};

}  // namespace

Json parse_json(const std::string& text, const std::string& name, const JsonLimits& limits) {
  Builder builder(name, text, limits);
  // The parser takes a zero byte for the end of the text.
  if (const std::size_t zero = text.find('\0'); zero != std::string::npos) builder.broken(zero + 1);
  Json::sax_parse(limits.not_numbers ? with_placeholders(text) : text, &builder);
  return std::move(builder.root);
}

Json read_python_json(const std::filesystem::path& path, std::uint64_t limit, JsonLimits limits) {
  limits.not_numbers = true;
  return read_json(path, limit, limits);
}

Json read_json(const std::filesystem::path& path, std::uint64_t limit, const JsonLimits& limits) {
  return parse_json(read_file(path, limit), path.string(), limits);
}

Settings::Settings(const Json& value, std::string file, std::string where)
    : value_(&value), file_(std::move(file)), where_(std::move(where)) {
  if (!value.is_object())
    throw FormatError(file_ + ": " + (where_.empty() ? "" : where_ + ": ") + "expected an object, found " +
                      found_text(value));
}

void Settings::fail(const std::string& key, const std::string& what) const {
  throw FormatError(file_ + ": " + (where_.empty() ? key : where_ + "." + key) + ": " + what);
}

void Settings::expected(const std::string& key, const std::string& what, const Json& found) const {
  fail(key, "expected " + what + ", found " + found_text(found));
}

const Json& Settings::at(const char* key) const {
  const auto found = value_->find(key);
  if (found == value_->end()) fail(key, "missing");
  return *found;
}

Settings Settings::object(const char* key) const {
  return Settings(at(key), file_, where_.empty() ? key : where_ + "." + key);
}

std::string Settings::text(const char* key) const {
  const Json& value = at(key);
  if (!value.is_string()) expected(key, "a text", value);
  return value.get<std::string>();
}

std::string Settings::text(const char* key, const std::string& fallback) const {
  return has(key) ? text(key) : fallback;
}

std::int64_t Settings::integer(const char* key, std::int64_t least, std::int64_t most) const {
  const Json& value = at(key);
  const bool fits = value.is_number_unsigned() ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX)
                                               : value.is_number_integer();
  const std::int64_t number = fits ? value.get<std::int64_t>() : 0;
  if (!fits || number < least || number > most)
    expected(key, "a whole number from " + std::to_string(least) + " to " + std::to_string(most), value);
  return number;
}

std::int64_t Settings::integer(const char* key, std::int64_t least, std::int64_t most, std::int64_t fallback) const {
  return has(key) ? integer(key, least, most) : fallback;
}

std::vector<std::string> Settings::texts(const char* key) const {
  const Json& list = at(key);
  if (!list.is_array()) expected(key, "a list of texts", list);
  std::vector<std::string> texts;
  for (const Json& value : list) {
    if (!value.is_string()) expected(std::string(key) + "[" + std::to_string(texts.size()) + "]", "a text", value);
    texts.push_back(value.get<std::string>());
  }
  return texts;
}

void Settings::allow_only(std::initializer_list<const char*> keys) const {
  for (const auto& item : value_->items())
    if (std::find(keys.begin(), keys.end(), item.key()) == keys.end()) fail(item.key(), "unknown setting");
}

std::string text_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Json typed_value(const std::string& text) {
  try {
    return parse_json(text, "");
  } catch (const FormatError&) {
    return text;
  }
}

}  // namespace headlight
