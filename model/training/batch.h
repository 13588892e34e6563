// Examples as ids, and batches of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "model/core/tensor.h"
#include "model/models/model.h"
#include "model/training/tasks/task.h"

namespace headlight {

struct Batch {
  Source source;   // ids [S x N], keep [N x S] (undefined: nothing is padded)
  Tensor inputs;   // [T x N]: BOS, y_0 .. y_{T−2}
  Tensor targets;  // [N x T]: y_0 .. y_{T−1}; the last one is EOS where the task has one
  Tensor mask;     // [N x T]: 1 = counts, 0 = padding, or a token that does not count (Example::counted)
};

// Encoded examples of one task.
class Dataset {
 public:
  // `reverse_target`: targets are learned from their end to their start (an EOS stays last).
  // Throws FormatError that names the example when a token is not in the vocabulary or a text is too long.
  Dataset(const TextRules& text, const std::vector<Example>& examples, bool reverse_target = false);
  Dataset(const Task& task, const std::vector<Example>& examples, bool reverse_target = false)
      : Dataset(task.text, examples, reverse_target) {}

  Index size() const { return static_cast<Index>(rows_.size()); }
  Index source_width() const { return source_width_; }    // of the longest source
  Index target_length() const { return target_length_; }  // of the longest target, EOS included
  // Target tokens of one example, and those of all examples that count.
  Index target_tokens(std::uint32_t row) const { return rows_[row].target_count; }
  Index counted_tokens() const { return static_cast<Index>(std::count(counted_.begin(), counted_.end(), true)); }
  const std::vector<int>& groups() const { return groups_; }  // Example::group of each example

  // These examples; shorter ones are padded at their end.
  Batch batch(std::span<const std::uint32_t> rows) const;
  // Those at `order[begin .. begin + count)`.
  Batch batch(const std::vector<std::uint32_t>& order, Index begin, Index count) const {
    return batch(std::span(order).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count)));
  }

  // An epoch of full batches in the order of (seed, epoch); the rest waits for the next epoch. Where lengths differ, 20
  // batches at a time are sorted by length before they are cut (Bahdanau et al. 2015, appendix B.2), so that little is
  // padded, and then run in random order.
  std::vector<std::vector<std::uint32_t>> batches(std::uint64_t seed, std::uint32_t epoch, Index size) const;
  // All examples once, sorted by length, at most `size` in a batch: for evaluation.
  std::vector<std::vector<std::uint32_t>> all_batches(Index size) const;
  const std::vector<TokenId>& never_written() const { return never_written_; }  // of the text rules

 private:
  struct Row {
    std::size_t source, target;  // where it begins
    Index source_count, target_count;
  };
  bool by_length(std::uint32_t a, std::uint32_t b) const;
  std::vector<Row> rows_;
  void mark_counted(const TextRules& text, const Example& example, const Row& row, bool reversed);
  std::vector<TokenId> sources_, targets_;
  std::vector<bool> counted_;  // of the targets
  std::vector<int> groups_;
  Index source_width_ = 0, target_length_ = 0;
  bool uniform_ = true;  // all sources have one length, and all targets
  TokenId bos_, pad_;
  std::vector<TokenId> never_written_;
};

}  // namespace headlight
