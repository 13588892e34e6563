// From the numbers of a file to one parameter, without a copy of the whole tensor in between.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/core/cancel.h"
#include "model/core/tensor.h"
#include "model/io/formats/families/family.h"
#include "model/io/tensor_file.h"

namespace headlight::families {

// A part of the tensor: others are the rest.
inline bool is_cut(How how) { return how >= How::first && how <= How::odd_rows; }

bool is_of_columns(How how);  // what is cut is so many columns, else rows

// Which of their numbers become ours.
struct Part {
  Shape theirs, shape;  // shape: ours
  bool transposed = false;
  std::vector<std::pair<Index, Index>> runs;  // first and count: of their columns; of their rows where transposed
};

// As a parameter of shape `wanted`, where the shapes allow it; else of some other shape, which the caller refuses. What
// lies between the first and the last part is the middle one, as wide as the last.
Part part_of(const Shape& theirs, How how, const Shape& wanted, Index head_size);

// The same in the words of NumPy, of a tensor that is called so.
std::string converted_text(const std::string& name, How how, const TensorEntry& entry, const Shape& wanted,
                           Index head_size);

// Whether the parameter keeps the half precision of its file: matrices that only products and look-ups of rows read.
// Small ones, which other arithmetic reads too, take no memory to speak of.
bool stays_half(const TensorEntry& entry, How how, const Shape& wanted);

// Whether it keeps the quantised blocks of its file, for the same reasons: rows of the file that become rows or
// columns.
bool stays_packed(const TensorFile& file, std::size_t i, How how, const Shape& wanted);
Tensor read_packed(const TensorFile& file, std::size_t i, const Part& part, const CancelToken& cancel);

// On all threads. Nothing is mapped: weights that are in use must not change or vanish with their file, which somebody
// may cut off or replace, and where our layout is another one they are copied anyway. Throws FormatError, FileError and
// Cancelled.
Tensor read_part(const TensorFile& file, std::size_t i, const Part& part, bool half, const std::string& where,
                 const CancelToken& cancel);

}  // namespace headlight::families
