// Results as numbers: in double, with their shape and their name.
#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "model/core/tensor.h"

namespace headlight {

using DoubleMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// One behind the other, the last axis fastest.
struct NumberArray {
  std::string name;
  std::vector<Index> shape;
  std::vector<double> values;
};

// Matrices of one shape as one array, `outer` axes in front: [outer… x rows x columns].
inline NumberArray stacked(std::string name, std::vector<Index> outer, const std::vector<DoubleMatrix>& matrices) {
  NumberArray made{std::move(name), std::move(outer), {}};
  if (matrices.empty()) return made;
  made.shape.push_back(matrices.front().rows());
  made.shape.push_back(matrices.front().cols());
  for (const DoubleMatrix& matrix : matrices)
    made.values.insert(made.values.end(), matrix.data(), matrix.data() + matrix.size());
  return made;
}
inline NumberArray as_array(std::string name, const DoubleMatrix& matrix) {
  return stacked(std::move(name), {}, {matrix});
}

// One slice of the leading axes of a tensor, [rows x columns], in double.
inline DoubleMatrix slice_of(const Tensor& tensor, Index i) {
  const Index rows = tensor.dim(-2), columns = tensor.dim(-1);
  return ConstMatrixMap(tensor.data() + i * rows * columns, rows, columns).cast<double>();
}

}  // namespace headlight
