// The types of numbers that GGUF files have: blocks of quantised weights, and how they become float32 again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace headlight {
class PackedFactor;
}

namespace headlight::gguf {

struct BlockType {
  std::uint32_t number;  // in the file
  const char* name;      // "Q4_K"
  std::uint32_t values;  // of a block
  std::uint32_t bytes;   // of a block
  // `blocks` blocks as float32; null: the numbers are read as they are (`as_is`), or need a table that is not here.
  void (*widen)(const unsigned char* from, std::size_t blocks, float* to);
  // A row of them times a vector; null: they are widened for it.
  float (*multiply)(const unsigned char* from, std::size_t blocks, const PackedFactor& x) = nullptr;
  bool as_is = false;  // the type is one of ours, by the same name

  bool has_numbers() const { return as_is || widen != nullptr; }
};

// Null: no file has this type, or nobody knows it.
const BlockType* block_type(std::uint32_t number);
// "Q4_2, which was withdrawn", "Q8_1, which never lies in files", "not known".
std::string why_no_type(std::uint32_t number);

}  // namespace headlight::gguf
