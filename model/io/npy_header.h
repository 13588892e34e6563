// The header of an npy file: a magic number, a version, and the literal of a Python dict.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/io/tensor_file.h"

namespace headlight {

struct NpyHeader {
  std::string descr;  // "<f4"
  // 'f', 'i', 'u', 'b', 'c' (complex), 'U' or 'S' (texts) of the descr; 'V' of bfloat16, for which NumPy has no name
  char kind = 0;
  std::string
      unread;  // why its values are none that are read: "arrays of Python objects are not supported"; else empty
  std::size_t item_bytes = 0;
  bool swap = false;  // big-endian
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  std::size_t data_begin = 0;

  std::string dtype() const;  // as safetensors calls it; see TensorEntry
  StridedView view() const;   // of the numbers behind the header
};

// Versions 1.0, 2.0 and 3.0. Throws FormatError with `name` in front for what is damaged.
NpyHeader parse_npy_header(std::string_view bytes, const std::string& name);

// Bytes of magic number, version, length and dict, as the first bytes of the array say; 0 when they are too few or not
// those of an array.
std::uint64_t npy_header_size(std::string_view start);

// Magic number, version 1.0 and dict, padded to a multiple of 64 bytes.
std::string npy_header_text(const std::vector<std::uint64_t>& shape, const std::string& descr);

}  // namespace headlight
