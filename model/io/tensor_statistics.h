// What can be said of a tensor of a file without knowing what it is for.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/core/cancel.h"
#include "model/core/tensor.h"
#include "model/io/tensor_file.h"

namespace headlight {

struct TensorStatistics {
  std::uint64_t count = 0, nan = 0, infinite = 0;          // numbers in all, and those that are none
  double least = 0, largest = 0, mean = 0, deviation = 0;  // of the finite ones; deviation with n
  static constexpr int kBins = 40;
  std::array<std::uint64_t, kBins> histogram{};  // from the least to the largest, equally wide
};

// The numbers are read in one piece, and looked at in runs between which `cancel` is. Throws FormatError for tensors
// that hold no numbers, BudgetError for those that do not fit into memory, and Cancelled.
TensorStatistics statistics_of(const TensorFile& file, std::size_t i, const std::string& where,
                               const CancelToken& cancel = {});

// A tensor as a matrix: its last axis as columns, the others as rows; at most `most` numbers of a side, each the one
// that is farthest from 0 of those that it stands for. Throws as above.
Tensor matrix_of(const TensorFile& file, std::size_t i, Index most, const std::string& where,
                 const CancelToken& cancel = {});

// What two files, two checkpoints of one training say, have of a tensor.
struct TensorDifference {
  enum class State { equal, different, other_shape, only_first, only_second, no_numbers };
  std::string name;                  // in the first file that has it
  std::vector<std::uint64_t> shape;  // there
  State state = State::equal;
  // Of different ones: |a − b| at most and in the mean, and ‖a − b‖ / ‖a‖. NaN where a number is none in one of them
  // only.
  double largest = 0, mean = 0, relative = 0;
  std::string whole{};       // the largest one, exactly, where both are whole numbers; else empty
  std::string other_name{};  // in the second file, where it is another one
  // As the files store them ("Q4_K"), in the second too where it is there.
  std::string type{}, other_type{};
  // Of numbers that were compared: roots of the mean squares of a and of a − b, and the cosine of a and b.
  double rms = 0, rms_difference = 0, cosine = 1;
};
const char* state_text(TensorDifference::State state);

// Every tensor of either file, those of the first in its order, then what only the second has. A tensor is found under
// its name, or without what training programs put into names and around a state dict ("_orig_mod.", "module.": see
// state_dict.h). Numbers are compared in the precision of their types, what is no number byte by byte. Throws as above.
// `progress` is told the share of the first file's bytes that is behind, 0 to 1, on the thread of the caller.
std::vector<TensorDifference> differences_of(const TensorFile& first, const TensorFile& second,
                                             const CancelToken& cancel = {},
                                             const std::function<void(double share)>& progress = nullptr);

// A file that has one tensor alone: the change of tensors()[i] of the first file to the one called `other` in the
// second, number by number. Throws UsageError unless that has numbers and the same shape.
std::shared_ptr<const TensorFile> change_of(const TensorFile& first, std::size_t i, const TensorFile& second,
                                            const std::string& other, const std::string& where);

// Of a matrix [m x n] of finite numbers, the largest first: min(m, n) of them. Throws UsageError for one with NaN.
std::vector<double> singular_values(const Tensor& matrix);

}  // namespace headlight
