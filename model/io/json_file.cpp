#include "model/io/json_file.h"

#include <algorithm>
#include <set>

#include "model/core/errors.h"
#include "model/io/file.h"

namespace headlight {

namespace {

constexpr int kMaxDepth = 64;

// A value in an error message: short, and on one line.
std::string found_text(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  constexpr std::size_t kLongest = 60;
  const std::string text = value.dump(-1, ' ', true);  // ASCII: no character is cut in two
  return text.size() > kLongest ? text.substr(0, kLongest) + "..." : text;
}

// Looks at each event of the parser and stops at what the tree of values would hide or should not hold.
class Guard {
 public:
  explicit Guard(std::string name) : name_(std::move(name)) {}

  bool operator()(int depth, Json::parse_event_t event, Json& value) {
    using Event = Json::parse_event_t;
    if (depth >= kMaxDepth && (event == Event::object_start || event == Event::array_start))
      throw FormatError(name_ + ": nested more than " + std::to_string(kMaxDepth) + " levels deep");
    if (event == Event::object_start) keys_.emplace_back();
    if (event == Event::object_end) keys_.pop_back();
    if (event == Event::key && !keys_.back().insert(value.get<std::string>()).second)
      throw FormatError(name_ + ": the key " + found_text(value) + " is there twice");
    return true;
  }

 private:
  std::string name_;
  std::vector<std::set<std::string>> keys_;
};

}  // namespace

Json parse_json(const std::string& text, const std::string& name) {
  const auto broken = [&](std::size_t byte) {
    throw FormatError(name + ": not valid JSON (byte " + std::to_string(byte) + ")");
  };
  // The parser takes a zero byte for the end of the text.
  if (const std::size_t zero = text.find('\0'); zero != std::string::npos) broken(zero + 1);
  try {
    Guard guard(name);
    return Json::parse(text,
                       [&](int depth, Json::parse_event_t event, Json& value) { return guard(depth, event, value); });
  } catch (const Json::parse_error& error) {
    broken(error.byte);
  } catch (const Json::exception&) {
    broken(0);
  }
  return {};
}

Json read_json(const std::filesystem::path& path, std::uint64_t limit) {
  return parse_json(read_file(path, limit), path.string());
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

}  // namespace headlight
