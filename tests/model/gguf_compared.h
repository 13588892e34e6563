// A GGUF file's model beside the values that a library computed.
#pragma once

#include <cmath>
#include <map>

#include "model/io/formats/gguf/gguf_format.h"
#include "model/io/npz.h"
#include "tests/model/io_helpers.h"

namespace headlight::testing {

inline std::vector<TokenId> ids_in(const Tensor& tensor) {
  std::vector<TokenId> ids;
  for (Index i = 0; i < tensor.size(); ++i) ids.push_back(static_cast<TokenId>(tensor[i]));
  return ids;
}

// In shares of the largest.
inline double difference(const Tensor& found, const Tensor& expected) {
  if (found.size() != expected.size()) return INFINITY;
  double worst = 0, largest = 0;
  for (Index i = 0; i < found.size(); ++i) {
    worst = std::max(worst, std::abs(static_cast<double>(found[i]) - static_cast<double>(expected[i])));
    largest = std::max(largest, std::abs(static_cast<double>(expected[i])));
  }
  return worst / largest;
}

// How many arrays of a reference the file's model gives within 1e-4 of the largest; −1: one is not.
inline int compared_with(const fs::path& reference, const fs::path& file) {
  const auto model = open_gguf_model(file, {});
  std::map<std::string, std::map<std::string, Tensor>> cases;
  for (const NamedTensor& array : read_npz(reference)) {
    const std::size_t point = array.name.find('.');
    cases[array.name.substr(0, point)][array.name.substr(point + 1)] = array.value;
  }
  int arrays = 0;
  for (const auto& [name, expected] : cases) {
    const auto ids_of = [&, &expected = expected](const char* what) {
      const auto found = expected.find(what);
      return found == expected.end() ? std::vector<TokenId>() : ids_in(found->second);
    };
    const LibraryValues values =
        model->run(ids_of("input_ids"), ids_of("token_type_ids"), ids_of("decoder_input_ids"), {});
    for (const NamedTensor& value : values) {
      const auto wanted = expected.find(value.name);
      if (wanted == expected.end()) continue;
      if (!(difference(value.value, wanted->second) <= 1e-4)) {
        qWarning("%s: %s.%s differs", file.c_str(), name.c_str(), value.name.c_str());
        return -1;
      }
      ++arrays;
    }
  }
  return arrays;
}

}  // namespace headlight::testing
