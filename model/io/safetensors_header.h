// The header of a safetensors file: parsed and checked without touching the numbers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/io/safetensors.h"

namespace headlight {

struct SafetensorsHeader {
  std::vector<TensorInfo> tensors;
  std::map<std::string, std::string> metadata;
};

// Bits of one number, or 0 for a dtype that does not exist.
int dtype_bits(const std::string& dtype);

// Parses the JSON text and checks every tensor and the cover of the buffer. Throws FormatError ("NAME: ...").
SafetensorsHeader parse_safetensors_header(const std::string& json, std::uint64_t buffer_size, const std::string& name);

// Throws FormatError for what is well known not to be a safetensors file (a Git LFS pointer, a web page, an archive),
// judged by the first bytes.
void refuse_known_others(std::string_view start, const std::string& name);

}  // namespace headlight
