// Examples as ids.
#pragma once

#include <vector>

#include "model/core/tensor.h"
#include "model/training/task.h"

namespace headlight {

// Encoded examples of one task; all sources have one width and all targets one length.
class Dataset {
 public:
  // Throws FormatError that names the example when a character is not in the vocabulary or a text is too long.
  Dataset(const Task& task, const std::vector<Example>& examples);

  Index size() const { return size_; }
  Index source_width() const { return source_width_; }
  Index target_length() const { return target_length_; }

  struct Batch {
    Tensor source;   // [S x N]
    Tensor inputs;   // [T x N]: BOS, y_0 .. y_{T−2}
    Tensor targets;  // [N x T]: y_0 .. y_{T−1}
  };
  // The examples at `order[begin .. begin + count)`.
  Batch batch(const std::vector<std::uint32_t>& order, Index begin, Index count) const;

 private:
  Index size_, source_width_, target_length_;
  TokenId bos_;
  std::vector<TokenId> sources_, targets_;  // [size x S], [size x T]
};

}  // namespace headlight
