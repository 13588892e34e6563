// Numbers and texts out of the tensors of a file.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/tensor.h"
#include "model/io/tensor_file.h"

namespace headlight {

// Whether its numbers are F16, BF16, F32 or F64.
bool has_fractions(const std::string& dtype);
inline bool has_fractions(const TensorEntry& entry) { return has_fractions(entry.dtype); }
// Whether they are numbers that can be read at all, and whether they are whole ones, or truths.
bool has_numbers(const std::string& dtype);
inline bool has_numbers(const TensorEntry& entry) { return has_numbers(entry.dtype); }
bool has_whole_numbers(const TensorEntry& entry);
// `count` numbers from number `first` on, of the bytes of a tensor of this type, as float, double or long double, which
// has room for every whole number of 64 bits. Truths too. Throws FormatError "WHERE: ..." for other types.
template <class Number>
void read_numbers(const std::string& dtype, std::string_view bytes, std::uint64_t first, std::uint64_t count,
                  Number* to, const std::string& where);
// All of tensor i, at most 5 dimensions; the same.
Tensor numbers_of(const TensorFile& file, std::size_t i, const std::string& where);
// Whether two tensors have the same shape and numbers, NaN for NaN. In pieces, where the file gives them. Throws Error,
// and Cancelled.
bool equal_numbers(const TensorFile& file, std::size_t a, std::size_t b, const CancelToken& cancel);
// Calls take(bytes, count) with all numbers as they are stored, a piece at a time.
template <class Stored, class Convert, class Take>
void in_pieces(const Tensor& tensor, Convert convert, Take take) {
  constexpr Index kPiece = 16384;
  std::vector<Stored> piece;
  for (Index begin = 0; begin < tensor.size(); begin += kPiece) {
    piece.clear();
    for (Index i = begin; i < std::min(tensor.size(), begin + kPiece); ++i) piece.push_back(convert(tensor[i]));
    take(piece.data(), piece.size() * sizeof(Stored));
  }
}
// The texts of an array of NumPy's type "<U7" (UTF-32) or "|S7"; the zeros at their ends are none of them. Throws
// FormatError "WHERE: ..." for other types.
std::vector<std::string> texts_of(const TensorEntry& entry, std::string_view bytes, const std::string& where);

}  // namespace headlight
