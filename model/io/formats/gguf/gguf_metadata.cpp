// Values of the metadata of a GGUF file.

#include <charconv>
#include <cmath>
#include <iterator>

#include "model/core/numbers.h"
#include "model/io/formats/gguf/gguf_file.h"
#include "model/io/formats/gguf/gguf_front.h"
#include "model/text/utf8.h"

namespace headlight {

namespace gguf {

namespace {

constexpr ValueType kValueTypes[] = {{"UINT8", 1},  {"INT8", 1},    {"UINT16", 2}, {"INT16", 2},  {"UINT32", 4},
                                     {"INT32", 4},  {"FLOAT32", 4}, {"BOOL", 1},   {"STRING", 0}, {"ARRAY", 0},
                                     {"UINT64", 8}, {"INT64", 8},   {"FLOAT64", 8}};

template <class Number>
Number number_in(const char* bytes) {
  Number number;
  std::memcpy(&number, bytes, sizeof(number));
  return number;
}
Json real_json(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

}  // namespace

const ValueType* value_type(std::uint32_t number) {
  return number < std::size(kValueTypes) ? &kValueTypes[number] : nullptr;
}

Json number_json(std::uint32_t type, const char* at) {
  switch (type) {
    case 0:
      return static_cast<std::uint64_t>(number_in<std::uint8_t>(at));
    case 1:
      return static_cast<std::int64_t>(number_in<std::int8_t>(at));
    case 2:
      return static_cast<std::uint64_t>(number_in<std::uint16_t>(at));
    case 3:
      return static_cast<std::int64_t>(number_in<std::int16_t>(at));
    case 4:
      return static_cast<std::uint64_t>(number_in<std::uint32_t>(at));
    case 5:
      return static_cast<std::int64_t>(number_in<std::int32_t>(at));
    case 6:
      return real_json(static_cast<double>(number_in<float>(at)));
    case kTruth:
      return *at != 0;
    case 10:
      return number_in<std::uint64_t>(at);
    case 11:
      return number_in<std::int64_t>(at);
    default:
      return real_json(number_in<double>(at));
  }
}

}  // namespace gguf

using gguf::Front, gguf::kArray, gguf::kLongestText, gguf::kText, gguf::kTruth, gguf::value_type, gguf::number_json;

namespace {

constexpr std::uint64_t kMostInArray = 1u << 24, kShownWhole = 64, kShownOfMore = 4;  // values of an array

// The number of fewest digits that is this float32.
double shortest(float value) {
  char digits[32];
  const auto [end, unused] = std::to_chars(digits, digits + sizeof(digits), value);
  double number = static_cast<double>(value);
  parse_number(digits, end, number);
  return number;
}

}  // namespace

void GgufFile::fail(const std::string& key, const std::string& what) const {
  throw FormatError(where_ + ": " + key + ": " + what);
}

const GgufFile::Value* GgufFile::find(const std::string& key) const {
  const auto found = keys_.find(key);
  return found == keys_.end() ? nullptr : &found->second;
}

bool GgufFile::is_array(const std::string& key) const {
  const Value* value = find(key);
  return value && value->type == kArray;
}

Json GgufFile::json_of(const FileReader& file, const Value& value, std::uint64_t first, std::uint64_t count) {
  Json list = Json::array();
  Front front(file, value.offset);
  const std::size_t size = value_type(value.element)->size;
  if (size > 0) front.skip(first * size);
  for (std::uint64_t i = 0; size == 0 && i < first; ++i) front.skip_text(kLongestText, "its metadata");
  char bytes[8];
  for (std::uint64_t i = 0; i < count; ++i) {
    if (size == 0) {
      list.push_back(valid_utf8(front.text(kLongestText, "its metadata")));
      continue;
    }
    front.read(bytes, size, "its metadata");
    list.push_back(number_json(value.element, bytes));
  }
  return list;
}

std::optional<std::string> GgufFile::text(const std::string& key) const {
  const Value* value = find(key);
  if (!value) return {};
  if (value->type != kText)
    fail(key, std::string("expected a text, found a value of type ") + value_type(value->type)->name);
  return json_of(*value).get<std::string>();
}

std::optional<std::uint64_t> GgufFile::whole(const std::string& key) const {
  const Value* value = find(key);
  if (!value) return {};
  const Json number = value->type == kArray ? Json() : json_of(*value);
  const bool negative = number.is_number_integer() && !number.is_number_unsigned() && number.get<std::int64_t>() < 0;
  if (!number.is_number_integer() || negative)
    fail(key, "expected a whole number, found " +
                  (number.is_null() ? "an array" : number.dump(-1, ' ', true).substr(0, 60)) + " of type " +
                  value_type(value->type)->name);
  return number.get<std::uint64_t>();
}

std::optional<double> GgufFile::real(const std::string& key) const {
  const Value* value = find(key);
  if (!value) return {};
  const Json number = value->type == kArray ? Json() : json_of(*value);
  if (!number.is_number())
    fail(key, "expected a number, found " + (number.is_null() ? "an array" : number.dump(-1, ' ', true).substr(0, 60)));
  // What was written as 1e-06 is meant as that: a float32 is a little beside it.
  return value->type == 6 ? shortest(number.get<float>()) : number.get<double>();
}

std::optional<bool> GgufFile::truth(const std::string& key) const {
  const Value* value = find(key);
  if (!value) return {};
  if (value->type != kTruth)
    fail(key, std::string("expected true or false, found a value of type ") + value_type(value->type)->name);
  return json_of(*value).get<bool>();
}

std::vector<std::string> GgufFile::texts(const std::string& key) const {
  const Value* value = find(key);
  if (!value) return {};
  if (value->type != kArray || value->element != kText || value->count > kMostInArray)
    fail(key, "expected a list of texts");
  std::vector<std::string> all;
  Front front(*parts_.front(), value->offset);
  for (std::uint64_t i = 0; i < value->count; ++i) all.push_back(front.text(kLongestText, key));
  return all;
}

std::vector<double> GgufFile::numbers(const std::string& key) const {
  const Value* value = find(key);
  if (!value) return {};
  if (value->element == kText || value->count > kMostInArray) fail(key, "expected a list of numbers");
  std::vector<double> all;
  Front front(*parts_.front(), value->offset);
  char bytes[8];
  for (std::uint64_t i = 0; i < value->count; ++i) {
    front.read(bytes, value_type(value->element)->size, key);
    const Json number = number_json(value->element, bytes);
    if (!number.is_number() && !number.is_boolean()) fail(key, "expected numbers, found " + number.dump());
    all.push_back(number.is_boolean() ? (number.get<bool>() ? 1.0 : 0.0) : number.get<double>());
  }
  return all;
}

void GgufFile::show_values() {
  for (const std::string& key : order_) {
    const Value& value = keys_.at(key);
    if (value.type != kArray) {
      const Json one = json_of(value);
      values_.emplace_back(key, one.is_string() ? one.get<std::string>() : one.dump());
      continue;
    }
    const bool all = value.count <= kShownWhole;
    std::string list = json_of(*parts_.front(), value, 0, all ? value.count : kShownOfMore)
                           .dump(-1, ' ', false, Json::error_handler_t::replace);
    if (!all) list.replace(list.size() - 1, 1, ", … of " + std::to_string(value.count) + "]");
    values_.emplace_back(key, std::move(list));
  }
}

std::pair<std::string, std::string> GgufFile::typed_value(std::size_t i) const {
  const Value& value = keys_.at(order_[i]);
  const std::string type = value_type(value.element)->name;
  const auto written = [](const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); };
  if (value.type != kArray) return {type, written(json_of(value))};
  if (value.count == 0) return {"ARRAY", "[]"};
  if (value.count <= kShownWhole) return {"ARRAY/" + type, written(json_of(*parts_.front(), value, 0, value.count))};
  return {"ARRAY/" + type,
          written({{"length", value.count},
                   {"first", json_of(*parts_.front(), value, 0, kShownOfMore)},
                   {"last", json_of(*parts_.front(), value, value.count - kShownOfMore, kShownOfMore)}})};
}

}  // namespace headlight
