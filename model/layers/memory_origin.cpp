#include "model/layers/memory_origin.h"

#include <algorithm>

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
// All heads write once in each step, so that step k has the writes k·heads and following.
void MemoryOrigin::share(const Read& read, Index n, Scalar* shares) const {
  const Index slots = first_.dim(1), width = first_.dim(2),
              steps = (static_cast<Index>(read.writes) + heads_ - 1) / heads_;
  Matrix left = row_of(read.weights, n).transpose().replicate(1, width);
  Matrix of_steps = Matrix::Zero(steps, width);
  for (std::size_t i = read.writes; i-- > 0;) {
    const Write& write = writes_[i];
    if (write.keep.defined() && write.keep[n] == 0) continue;
    const auto weights = row_of(write.weights, n);
    of_steps.row(static_cast<Index>(i) / heads_) += (weights * left).cwiseProduct(row_of(write.add, n));
    left.array() *= Scalar(1) - (weights.transpose() * row_of(write.erase, n)).array();
  }
  const ConstMatrixMap first(first_.data() + n * slots * width, slots, width);
  const Scalar of_first = left.cwiseProduct(first).colwise().sum().norm();
  const Scalar total = of_steps.rowwise().norm().sum() + of_first;
  std::fill_n(shares, s_count_, Scalar(0));
  for (Index k = 0; k < steps && total > 0; ++k)
    if (const Index source = writes_[static_cast<std::size_t>(k * heads_)].source; source >= 0)
      shares[source] += of_steps.row(k).norm() / total;
}

}  // namespace headlight
