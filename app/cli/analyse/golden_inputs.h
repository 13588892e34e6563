// The .json beside a file of golden values.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "model/core/errors.h"
#include "model/core/json_library.h"
#include "model/core/tensor.h"

namespace headlight {

// A file of inputs, read with errors that name the key.
class GoldenInputs {
 public:
  GoldenInputs(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json.is_object()) throw FormatError(where_ + ": expected an object");
  }
  bool has(const char* key) const { return json_.contains(key) && !json_[key].is_null(); }
  const Json& at(const char* key) const {
    if (!json_.contains(key)) throw FormatError(where_ + ": " + key + " is missing");
    return json_[key];
  }
  GoldenInputs object(const char* key) const { return {at(key), where_ + ": " + key}; }
  const Json& list(const char* key) const {
    if (!at(key).is_array()) throw FormatError(where_ + ": " + key + ": expected a list");
    return at(key);
  }
  template <class Number>
  std::vector<Number> numbers(const Json& list, const char* key) const {
    std::vector<Number> all;
    if (!list.is_array()) throw FormatError(where_ + ": " + key + ": expected a list of whole numbers");
    for (const Json& value : list) {
      if (!value.is_number_integer() || value.get<std::int64_t>() < 0 || value.get<std::int64_t>() > kMostNumber)
        throw FormatError(where_ + ": " + key + ": expected whole numbers, found " + value.dump().substr(0, 40));
      all.push_back(value.get<Number>());
    }
    return all;
  }
  std::vector<TokenId> ids(const char* key) const { return numbers<TokenId>(list(key), key); }
  std::vector<Index> places(const char* key) const { return numbers<Index>(list(key), key); }
  std::vector<Index> places_or_none(const char* key) const { return has(key) ? places(key) : std::vector<Index>(); }
  std::string text(const char* key) const {
    if (!at(key).is_string()) throw FormatError(where_ + ": " + key + ": expected a text");
    return at(key).get<std::string>();
  }
  const std::string& where() const { return where_; }
  // Values of weights that this folder does not have any more would differ for no fault of the program.
  void warn_of_other_weights(const std::filesystem::path& folder) const;

 private:
  static constexpr std::int64_t kMostNumber = 1 << 24;
  const Json& json_;
  std::string where_;
};

}  // namespace headlight
