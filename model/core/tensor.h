// Tensors: contiguous row-major values with a shape, reference-counted.
#pragma once

#include <Eigen/Core>
#include <array>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/core/errors.h"
#include "model/core/halves.h"
#include "model/core/scalar.h"

namespace headlight {

// Up to five dimensions, outermost first. Letters used in shape comments everywhere:
//   N batch   S source length   T target length   V vocabulary   D embedding size   H hidden size   A annotation size
class Shape {
 public:
  static constexpr int kMaxRank = 5;

  Shape() = default;
  Shape(std::initializer_list<Index> dims);
  explicit Shape(const std::vector<Index>& dims);

  int rank() const { return rank_; }
  // Dimension i; negative i counts from the end. A rank-0 shape has size 1.
  Index operator[](int i) const { return dims_[static_cast<std::size_t>(i < 0 ? i + rank_ : i)]; }
  Index size() const;
  Index last() const { return rank_ == 0 ? 1 : dims_[static_cast<std::size_t>(rank_ - 1)]; }
  Shape without(int axis) const;
  Shape with_last(Index n) const;
  std::string text() const;  // "[4 x 7]"
  std::vector<Index> vector() const { return {dims_.begin(), dims_.begin() + rank_}; }
  bool operator==(const Shape&) const = default;

 private:
  std::array<Index, kMaxRank> dims_{};  // unused dimensions stay 0, so that == compares what is used
  int rank_ = 0;
};

using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixMap = Eigen::Map<Matrix>;
using ConstMatrixMap = Eigen::Map<const Matrix>;
using StridedMatrixMap = Eigen::Map<Matrix, 0, Eigen::OuterStride<>>;
using ConstStridedMatrixMap = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>;
using ArrayMap = Eigen::Map<Eigen::Array<Scalar, Eigen::Dynamic, 1>>;
using ConstArrayMap = Eigen::Map<const Eigen::Array<Scalar, Eigen::Dynamic, 1>>;

// A handle on values; copying it shares them. Values are written by whoever made the tensor, before it is shared, and
// by an optimiser (parameters). Views made by view() share storage, so a cell of a view is the same cell as in the
// whole.
class Tensor {
 public:
  // Where the tensor stands in a computation graph; see graph.h.
  struct NodeRef {
    std::uint64_t graph = 0;
    std::int32_t node = -1;
  };

  Tensor() = default;
  explicit Tensor(const Shape& shape);  // values are not initialised
  static Tensor zeros(const Shape& shape);
  // A shape without values; defined() is false.
  static Tensor shape_only(const Shape& shape);
  static Tensor full(const Shape& shape, Scalar value);
  static Tensor of(const Shape& shape, const std::vector<Scalar>& values);
  static Tensor vector(const std::vector<Scalar>& values) { return of({static_cast<Index>(values.size())}, values); }
  static Tensor ids(const std::vector<TokenId>& ids);  // [S]; ids are exact in float32 up to 2^24
  // Weights that stay in half precision: products, rows of a table and single cells are read as they are. Whoever asks
  // for data(), matrix() or array() gets a copy of all of them as Scalars, which lasts as long as they do.
  static Tensor in_halves(const Shape& shape, std::shared_ptr<const Halves> numbers);

  bool defined() const { return storage_ != nullptr; }
  explicit operator bool() const { return defined(); }

  const Shape& shape() const { return shape_; }
  int rank() const { return shape_.rank(); }
  Index dim(int i) const { return shape_[i]; }
  Index size() const { return shape_.size(); }
  Index columns() const { return shape_.last(); }
  Index rows() const { return columns() == 0 ? 0 : size() / columns(); }

  const Scalar* data() const {
    if (halves_) [[unlikely]]
      return halves_->scalars() + offset_;
    return storage_.get() + offset_;
  }
  Scalar* data() { return const_cast<Scalar*>(std::as_const(*this).data()); }
  Scalar operator[](Index i) const {
    if (halves_) [[unlikely]]
      return halves_->at(offset_ + i);
    return storage_.get()[offset_ + i];
  }
  Scalar& operator[](Index i) { return data()[i]; }
  // `count` numbers from number `first` on, whatever their precision.
  void read(Index first, Index count, Scalar* to) const;
  const Halves* halves() const { return halves_; }  // null: Scalars

  // [rows x columns]: all leading dimensions folded into the rows.
  ConstMatrixMap matrix() const { return {data(), rows(), columns()}; }
  MatrixMap matrix() { return {data(), rows(), columns()}; }
  ConstArrayMap array() const { return {data(), size()}; }
  ArrayMap array() { return {data(), size()}; }

  // The same storage from `offset` elements on, under another shape; no graph node.
  Tensor view(Index offset, const Shape& shape) const;
  Tensor clone() const;
  bool shares_storage(const Tensor& other) const { return storage_ && storage_ == other.storage_; }
  // The identity of the storage, and the place of the first value in it: together the address of a cell.
  const void* storage_id() const { return storage_.get(); }
  Index offset() const { return offset_; }
  const Scalar* address() const { return storage_.get() + offset_; }  // not to be read

  // Parameters are the leaves that gradients are wanted for.
  bool is_parameter() const { return parameter_; }
  void mark_parameter() { parameter_ = true; }

  NodeRef node() const { return node_; }
  void set_node(NodeRef node) { node_ = node; }

  std::vector<Scalar> values() const;

 private:
  std::shared_ptr<Scalar[]> storage_;  // of halves: what keeps them, and their address
  const Halves* halves_ = nullptr;
  Index offset_ = 0;
  Shape shape_;
  NodeRef node_;
  bool parameter_ = false;
};

// Throws ShapeError "operation: expected ..., got ..." unless `ok`.
void require_shape(bool ok, const char* operation, const std::string& expected, const Shape& got);

}  // namespace headlight
