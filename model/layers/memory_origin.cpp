#include "model/layers/memory_origin.h"

#include "model/ops/basic.h"

namespace headlight {

namespace {
using Row = Eigen::Map<const Eigen::Matrix<Scalar, 1, Eigen::Dynamic>>;
Row row_of(const Tensor& t, Index n) { return {t.data() + n * t.columns(), t.columns()}; }
}  // namespace

void MemoryOrigin::add_write(const WriteHead::Written& write, Index source, const Tensor& keep) {
  writes_.push_back({write.weights, write.erase, write.add, keep, source});
}

void MemoryOrigin::select(const std::vector<Index>& rows) {
  first_ = index_select(first_, rows);
  for (Write& write : writes_)
    for (Tensor* tensor : {&write.weights, &write.erase, &write.add, &write.keep})
      *tensor = index_select(*tensor, rows);
  for (Read& read : reads_) read.weights = index_select(read.weights, rows);
}

Tensor MemoryOrigin::shares() const {
  const Index batch = first_.dim(0), t_count = static_cast<Index>(reads_.size());
  Tensor all({batch, t_count, s_count_});
  for (Index n = 0; n < batch; ++n)
    for (Index t = 0; t < t_count; ++t)
      share(reads_[static_cast<std::size_t>(t)], n, all.data() + (n * t_count + t) * s_count_);
  return all;
}

// From the last write back to the first: `left` is how much of a slot later writes have left, times the read's weight.
void MemoryOrigin::share(const Read& read, Index n, Scalar* shares) const {
  const Index slots = first_.dim(1), width = first_.dim(2);
  Matrix left = row_of(read.weights, n).transpose().replicate(1, width);
  Matrix of_tokens = Matrix::Zero(s_count_, width), of_none = Matrix::Zero(1, width);
  for (std::size_t i = read.writes; i-- > 0;) {
    const Write& write = writes_[i];
    if (write.keep.defined() && write.keep[n] == 0) continue;
    const auto weights = row_of(write.weights, n);
    Matrix& origin = write.source >= 0 ? of_tokens : of_none;
    origin.row(std::max<Index>(write.source, 0)) += (weights * left).cwiseProduct(row_of(write.add, n));
    left.array() *= Scalar(1) - (weights.transpose() * row_of(write.erase, n)).array();
  }
  const ConstMatrixMap first(first_.data() + n * slots * width, slots, width);
  const Scalar elsewhere = of_none.norm() + left.cwiseProduct(first).colwise().sum().norm();
  const Scalar total = of_tokens.rowwise().norm().sum() + elsewhere;
  for (Index j = 0; j < s_count_; ++j) shares[j] = total > 0 ? of_tokens.row(j).norm() / total : Scalar(0);
}

}  // namespace headlight
