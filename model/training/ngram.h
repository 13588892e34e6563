// Counting beside a model: how well the n − 1 characters before tell the next one, from counts alone.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/core/cancel.h"
#include "model/training/tasks/task.h"

namespace headlight {

// Interpolated n-grams (Witten & Bell 1991, method C; in this form Chen & Goodman 1999, section 2.5). With N(h c) times
// that c came behind h in the text, N(h) = Σ_c N(h c), and U(h) different c that came there:
//
//   (1)  p_0(c) = 1 / V
//   (2)  p_n(c | h) = (N(h c) + U(h) p_{n−1}(c | h′)) / (N(h) + U(h)),   h the n − 1 symbols before, h′ without its
//   first
//
// A history that never came gives p_{n−1}(c | h′); one that is shorter, at the beginning of a text, is used as it is.
class Ngrams {
 public:
  // Of symbols 0 .. symbols − 1, up to this order (1: symbols alone). Throws UsageError outside 1 .. kMostOrder.
  Ngrams(Index symbols, int most_order);
  // Adds the counts of a running text. Throws Cancelled.
  void count(std::span<const TokenId> text, const CancelToken& cancel = {});
  // p_order(text[at] | the symbols before it in this text).
  double probability(std::span<const TokenId> text, std::size_t at, int order) const;

  static constexpr int kMostOrder = 16;

 private:
  // A sequence of symbols that came in the text.
  struct Node {
    std::uint32_t times = 0;     // N of it
    std::uint32_t followed = 0;  // N(h): how often something came behind it
    std::uint32_t kinds = 0;     // U(h)
  };
  using Child = std::uint64_t;  // (node, symbol)
  static Child child(std::uint32_t node, TokenId symbol) {
    return static_cast<Child>(node) << 32 | static_cast<std::uint32_t>(symbol);
  }

  Index symbols_;
  int most_order_;
  std::vector<Node> nodes_;  // the first is the empty sequence
  std::unordered_map<Child, std::uint32_t> children_;
};

struct NgramPerplexity {
  int order = 1;          // 1: letters alone, 2: pairs
  double perplexity = 0;  // of a character
};

// Orders 1 .. most_order, counted on the training windows and measured on the held-out ones:
//
//   (3)  perplexity = exp(−(1 / C) Σ ln p_n(c | h)),   over all C held-out characters
//
// What is counted are characters, also beside models of words and byte pairs: those of the vocabulary of a model of
// characters, else all of the training part, and one symbol that stands for all others. Each held-out window is read
// from its beginning, as the model reads it (perplexity_per_character): both know the same of what stands before.
// Throws Cancelled.
std::vector<NgramPerplexity> ngram_perplexities(const TextRules& rules, const TaskData& data, int most_order = 6,
                                                const CancelToken& cancel = {});

}  // namespace headlight
