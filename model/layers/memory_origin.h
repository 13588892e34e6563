// Where what is read from a memory came from.
#pragma once

#include <vector>

#include "model/layers/memory_head.h"

namespace headlight {

// The memory is linear in what was added to it: M(i) = Σ_j w_j(i) a_j ⊙ Π_{k>j} (1 − w_k(i) e_k), besides what is left
// of its first content. So a read is the sum of one vector for each step and one for the first content, exactly, and
// the norms of these vectors tell how much of it stems from which.
class MemoryOrigin {
 public:
  // `first` [N x N_m x W]: the memory before the first write. In every step each of `heads` writes once.
  MemoryOrigin(Tensor first, Index s_count, Index heads) : first_(std::move(first)), s_count_(s_count), heads_(heads) {}

  // A write that belongs to source token `source`, or to none (−1). `keep` [N]: 1 where it took place; undefined: all.
  void add_write(const WriteHead::Written& write, Index source, const Tensor& keep);
  // A read of what all writes so far have made of the memory: weights [N x N_m].
  void add_read(const Tensor& weights) { reads_.push_back({weights, writes_.size()}); }
  void forget_reads() { reads_.clear(); }
  void select(const std::vector<Index>& rows);

  // Of every read since forget_reads() the share of each source token: the norm of its vector over the sum of all norms
  // [N x T x S]. Rows add up to at most 1: what is missing stems from the first content and from writes that belong to
  // no token. Values only, no gradient.
  Tensor shares() const;

 private:
  struct Write {
    Tensor weights, erase, add, keep;
    Index source;
  };
  struct Read {
    Tensor weights;
    std::size_t writes;  // that came before it
  };
  void share(const Read& read, Index n, Scalar* shares) const;

  Tensor first_;
  Index s_count_, heads_;
  std::vector<Write> writes_;
  std::vector<Read> reads_;
};

}  // namespace headlight
