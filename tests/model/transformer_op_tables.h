// What test_transformer_ops.cpp and test_positions.cpp share: results worked out by hand or by PyTorch, and errors.
#pragma once

#include <functional>
#include <limits>
#include <numbers>

#include "tests/model/gradient_cases_transformer.h"

namespace headlight::testing {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

inline double dot(const Tensor& table, Index a, Index b) {
  double sum = 0;
  for (Index i = 0; i < table.columns(); ++i)
    sum += static_cast<double>(table[a * table.columns() + i]) * static_cast<double>(table[b * table.columns() + i]);
  return sum;
}

inline double largest_difference(const Tensor& a, const Tensor& b) {
  double largest = 0;
  for (Index i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return largest;
}
struct HandCase {
  const char* name;
  std::function<Tensor()> compute;
  std::vector<double> expected;
};

// Two query rows of two heads over three keys.
inline Tensor two_heads() { return counting({2, 2, 3}); }

inline std::vector<HandCase> norm_tables() {
  const Tensor ones = Tensor::full({2}, 1);
  const Tensor columns_apart = Tensor::of({3, 2}, {1, 10, 3, 10, 100, 100});
  return {
      // mean 2, variance 1, 1/√(1 + 3) = 1/2; mean 6, variance 1
      {"layer norm",
       [] {
         return layer_norm(Tensor::of({2, 2}, {1, 3, 5, 7}), Tensor::of({2}, {2, 4}), Tensor::of({2}, {10, 20}), 3);
       },
       {9, 22, 9, 22}},
      {"layer norm without a shift",
       [] {
         return layer_norm(Tensor::of({2, 2}, {1, 3, 5, 7}), Tensor::of({2}, {2, 4}), {}, 3);
       },
       {-1, 2, -1, 2}},
      {"layer norm without parameters",
       [] {
         return layer_norm(Tensor::of({2, 2}, {1, 3, 5, 7}), {}, {}, 3);
       },
       {-0.5, 0.5, -0.5, 0.5}},
      // models.md 15.2
      {"layer norm, golden",
       [] {
         return layer_norm(fill(67, {1, 6}), Tensor::full({6}, 1), Tensor::zeros({6}), 1e-5);
       },
       {-1.000357, -0.697457, 0.933425, 1.555763, 0.277949, -1.069324}},
      // torch.nn.functional.layer_norm
      {"layer norm, PyTorch",
       [] {
         return layer_norm(rows(reshape(fill(2, {2, 3, 4}), {6, 4}), 0, 2), fill(3, {4}), fill(5, {4}), 1e-3);
       },
       {-0.104480072, -0.242417556, 0.028786057, 0.305494861, -0.084253370, -0.755095142, -0.222905802, 0.534029154}},
      // mean square (1 + 1 + 1 + 25) / 4 = 7, √(7 + 2) = 3
      {"RMS norm",
       [] {
         return rms_norm(Tensor::of({1, 4}, {1, 1, 1, 5}), Tensor::of({4}, {3, 6, 9, 3}), 2);
       },
       {1, 2, 3, 5}},
      // Of the first two rows: means 2 and 10, variances 1 and 0; 1/√(1 + 3) = 1/2, 1/√(0 + 3)
      {"batch norm of the kept rows",
       [=] {
         return batch_norm(columns_apart, ones, Tensor::of({2}, {0, 1}), 3, Tensor::of({3}, {1, 1, 0}), nullptr);
       },
       {-0.5, 1, 0.5, 1, 49, 1 + 90 / std::sqrt(3.0)}},
      // torch.nn.functional.batch_norm, training
      {"batch norm, PyTorch",
       [] {
         return rows(batch_norm(fill(2, {6, 4}), fill(3, {4}), fill(5, {4}), 1e-3, {}, nullptr), 0, 2);
       },
       {-0.290132000, -0.289293215, 0.558510332, 0.354617323, 0.023503792, -0.719138153, -0.856440214, 0.485013097}},
      // (x − 2) / 2, (x − 10) / 4
      {"batch norm by given numbers",
       [=] {
         return normalised_by(columns_apart, Tensor::of({2}, {2, 10}), Tensor::of({2}, {1, 13}),
                              Tensor::of({2}, {1, 2}), Tensor::of({2}, {0, 1}), 3);
       },
       {-0.5, 1, 0.5, 1, 49, 46}},
      {"row mean",
       [] {
         return row_mean(Tensor::of({2, 2}, {1, 3, 5, 7}));
       },
       {2, 6}},
      {"row deviation",
       [] {
         return row_rstd(Tensor::of({2, 2}, {1, 3, 5, 9}), 0, true);
       },
       {1, 0.5}},
      // (1 + 9) / 2 + 4 = 9, (25 + 49) / 2 + 4 = 41
      {"row RMS",
       [] {
         return row_rstd(Tensor::of({2, 2}, {1, 3, 5, 7}), 4, false);
       },
       {1 / 3.0, 1 / std::sqrt(41.0)}},
  };
}

inline std::vector<HandCase> head_tables() {
  return {
      {"split heads",
       [] {
         return split_heads(counting({1, 2, 4}), 2);
       },
       {1, 2, 5, 6, 3, 4, 7, 8}},
      {"split heads of two sentences",
       [] {
         return split_heads(counting({2, 2, 2}), 2);
       },
       {1, 3, 2, 4, 5, 7, 6, 8}},
      {"join heads",
       [] {
         return join_heads(counting({2, 2, 2}), 1);
       },
       {1, 2, 5, 6, 3, 4, 7, 8}},
      {"join heads of two sentences",
       [] {
         return join_heads(counting({4, 2, 1}), 2);
       },
       {1, 3, 2, 4, 5, 7, 6, 8}},
      {"repeat heads",
       [] {
         return repeat_heads(counting({2, 1, 2}), 2);
       },
       {1, 2, 1, 2, 3, 4, 3, 4}},
      {"append rows",
       [] {
         return append_rows(counting({2, 1, 2}), counting({2, 2, 2}));
       },
       {1, 2, 1, 2, 3, 4, 3, 4, 5, 6, 7, 8}},
      {"mask scores, the same for all heads",
       [] {
         return mask_scores(two_heads(), Tensor::of({1, 2, 3}, {1, 0, 0, 1, 1, 0}));
       },
       {1, -kInfinite, -kInfinite, 4, 5, -kInfinite, 7, -kInfinite, -kInfinite, 10, 11, -kInfinite}},
      {"mask scores of each sentence",
       [] {
         return mask_scores(counting({4, 1, 2}), Tensor::of({2, 1, 2}, {1, 0, 0, 1}));
       },
       {1, -kInfinite, 3, -kInfinite, -kInfinite, 6, -kInfinite, 8}},
      {"add bias",
       [] {
         return add_bias(counting({4, 1, 2}), Tensor::of({2, 1, 2}, {10, 20, 30, 40}));
       },
       {11, 22, 33, 44, 15, 26, 37, 48}},
      {"causal", [] { return attention_keep(3, 3, 0, true, 0, {}); }, {1, 0, 0, 1, 1, 0, 1, 1, 1}},
      {"causal behind a prompt", [] { return attention_keep(2, 4, 1, true, 0, {}); }, {1, 1, 0, 0, 1, 1, 1, 0}},
      {"causal, the last two", [] { return attention_keep(2, 4, 2, true, 2, {}); }, {0, 1, 1, 0, 0, 0, 1, 1}},
      {"a window to both sides",
       [] { return attention_keep(3, 4, 0, false, 2, {}); },
       {1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1}},
      {"padding, the same for all queries",
       [] {
         return attention_keep(2, 3, 0, false, 0, Tensor::of({2, 3}, {1, 1, 1, 1, 0, 0}));
       },
       {1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0}},
      {"causal with padding",
       [] {
         return attention_keep(2, 2, 0, true, 0, Tensor::of({2, 2}, {1, 1, 0, 1}));
       },
       {1, 0, 1, 1, 0, 0, 0, 1}},
      {"causal without any padding",
       [] {
         return attention_keep(2, 2, 0, true, 0, Tensor::full({3, 2}, 1));
       },
       {1, 0, 1, 1}},
  };
}

inline std::vector<HandCase> other_tables() {
  const Tensor quarter_turn = Tensor::full({1, 1}, static_cast<Scalar>(std::numbers::pi / 2));
  const Tensor whole_turn = Tensor::full({1, 1}, static_cast<Scalar>(2 * std::numbers::pi));
  const Tensor numbers = Tensor::of({7}, {-3, -1, -0.5, 0, 0.5, 1, 3});
  return {
      // torch.nn.functional.gelu, its approximation, and silu
      {"gelu",
       [=] { return gelu(numbers); },
       {-0.004049694, -0.158655254, -0.154268769, 0, 0.345731231, 0.841344746, 2.995950306}},
      {"gelu by tanh",
       [=] { return gelu_tanh(numbers); },
       {-0.003637392, -0.158808009, -0.154285990, 0, 0.345714010, 0.841191991, 2.996362608}},
      {"silu",
       [=] { return silu(numbers); },
       {-0.142277620, -0.268941421, -0.188770334, 0, 0.311229666, 0.731058579, 2.857722380}},
      // 1 + 4 + 9, 4 + 10 + 18; 4 + 10 + 18, 16 + 25 + 36
      {"linear, transposed",
       [] {
         return linear_transposed(counting({2, 3}), counting({2, 3}));
       },
       {14, 32, 32, 77}},
      {"linear, transposed, with a bias",
       [] {
         return linear_transposed(counting({1, 2, 3}), counting({2, 3}), Tensor::of({2}, {10, -20}));
       },
       {24, 12, 42, 57}},
      // (a, b) becomes (−b, a) by a quarter turn; θ = 1 turns all pairs alike.
      {"rotary, halves",
       [=] {
         return rotary(counting({1, 1, 4}), quarter_turn, 1, false);
       },
       {-3, -4, 1, 2}},
      {"rotary, neighbours",
       [=] {
         return rotary(counting({1, 1, 4}), quarter_turn, 1, true);
       },
       {-2, 1, -4, 3}},
      // 16^(−2/4) = 1/4: a whole turn of pair 0 is a quarter turn of pair 1.
      {"rotary, two speeds",
       [=] {
         return rotary(counting({1, 1, 4}), whole_turn, 16, false);
       },
       {1, -4, 3, 2}},
      {"rotary, two speeds of neighbours",
       [=] {
         return rotary(counting({1, 1, 4}), whole_turn, 16, true);
       },
       {1, 2, -4, 3}},
      // A quarter turn of the first pair, twice as large; the rest stays.
      {"rotary of a part",
       [=] {
         return rotary(counting({1, 1, 4}), quarter_turn, std::vector<double>{1}, false, 2);
       },
       {-4, 2, 3, 4}},
      // Distances −1 0 1 for query 1, −2 −1 0 for query 2; 4 buckets of one direction: 0, 1, then 2 and 3 up to 8.
      {"relative bias",
       [] {
         return relative_bias(counting({4, 2}), 1, 2, 3, false, 8);
       },
       {3, 1, 1, 5, 3, 1, 4, 2, 2, 6, 4, 2}},
      // Rows for the distances −1, 0 and 1: of the query's numbers, then of the key's.
      {"by distance, of queries",
       [] {
         return by_distance(counting({1, 2, 3}), {2, 0, 2}, false);
       },
       {2, 1, 6, 5}},
      {"by distance, of keys",
       [] {
         return by_distance(counting({1, 2, 3}), {2, 0, 2}, true);
       },
       {2, 4, 3, 5}},
  };
}

inline const std::vector<HandCase>& hand_cases() {
  static const std::vector<HandCase> cases = [] {
    std::vector<HandCase> all = norm_tables();
    for (const auto& group : {head_tables(), other_tables()}) all.insert(all.end(), group.begin(), group.end());
    return all;
  }();
  return cases;
}

struct ErrorCase {
  const char* name;
  std::function<void()> call;
  const char* message;
};

inline const std::vector<ErrorCase>& error_cases() {
  static const std::vector<ErrorCase> cases = {
      {"layer norm, gamma",
       [] {
         layer_norm(fill(1, {2, 3}), fill(1, {4}), {}, 1);
       },
       "layer norm: expected [3], got [4]"},
      {"layer norm, beta",
       [] {
         layer_norm(fill(1, {2, 3}), fill(1, {3}), fill(1, {2}), 1);
       },
       "layer norm: expected [3], got [2]"},
      {"RMS norm",
       [] {
         rms_norm(fill(1, {2, 3}), fill(1, {4}), 1);
       },
       "RMS norm: expected [3], got [4]"},
      {"batch norm, mask",
       [] {
         batch_norm(fill(1, {2, 3}), fill(1, {3}), {}, 1, fill(1, {3}), nullptr);
       },
       "batch norm: expected a mask of 2, got [3]"},
      {"running batch norm",
       [] {
         normalised_by(fill(1, {2, 3}), fill(1, {3}), fill(1, {1}), fill(1, {3}), {}, 1);
       },
       "batch norm, running: expected [3], got [1]"},
      {"split heads",
       [] {
         split_heads(fill(1, {2, 3, 8}), 3);
       },
       "split heads: expected [N x T x a multiple of 3], got [2 x 3 x 8]"},
      {"split heads of a matrix",
       [] {
         split_heads(fill(1, {3, 8}), 2);
       },
       "split heads: expected [N x T x a multiple of 2], got [3 x 8]"},
      {"join heads",
       [] {
         join_heads(fill(1, {5, 3, 8}), 2);
       },
       "join heads: expected [(2·H) x T x k], got [5 x 3 x 8]"},
      {"repeat heads",
       [] {
         repeat_heads(fill(1, {5, 3, 8}), 0);
       },
       "repeat heads: expected [(N·G) x S x k], at least once, got [5 x 3 x 8]"},
      {"append rows of another size",
       [] {
         append_rows(fill(1, {2, 3, 7}), fill(1, {2, 1, 8}));
       },
       "append rows: expected a cache for [2 x 1 x 8], got [2 x 3 x 7]"},
      {"mask of another size",
       [] {
         mask_scores(fill(1, {4, 2, 3}), fill(1, {1, 3, 2}));
       },
       "mask scores: expected a part of [4 x 2 x 3], got [1 x 3 x 2]"},
      {"mask of too many sentences",
       [] {
         mask_scores(fill(1, {4, 2, 3}), fill(1, {3, 2, 3}));
       },
       "mask scores: expected a part of [4 x 2 x 3], got [3 x 2 x 3]"},
      {"bias of another size",
       [] {
         add_bias(fill(1, {4, 2, 3}), fill(1, {2, 3}));
       },
       "add bias: expected a part of [4 x 2 x 3], got [2 x 3]"},
      {"padding of another length",
       [] {
         attention_keep(2, 3, 0, true, 0, fill(1, {1, 2}));
       },
       "attention mask: expected padding [N x 3], got [1 x 2]"},
      {"rotary of an odd size",
       [] {
         rotary(fill(1, {1, 2, 3}), fill(1, {1, 2}), 100, false);
       },
       "rotary: expected [(N·H) x T x an even size], got [1 x 2 x 3]"},
      {"rotary, too few positions",
       [] {
         rotary(fill(1, {1, 2, 4}), fill(1, {1, 3}), 100, false);
       },
       "rotary: expected positions [N x 2], got [1 x 3]"},
      {"by distance, too few rows",
       [] {
         by_distance(fill(1, {1, 2, 2}), {2, 0, 2}, false);
       },
       "by distance: expected [B x T x rows of the distances of T tokens], got [1 x 2 x 2]"},
      {"relative bias without heads", [] { relative_bias(fill(1, {8}), 0, 2, 2, true, 9); },
       "relative bias: expected a table [buckets x H], got [8]"},
      {"linear, transposed",
       [] {
         linear_transposed(fill(1, {2, 3}), fill(1, {3, 4}));
       },
       "linear, transposed: expected input [.. x 4], got [2 x 3]"},
      {"linear, transposed, bias",
       [] {
         linear_transposed(fill(1, {2, 3}), fill(1, {5, 3}), fill(1, {3}));
       },
       "linear, transposed: expected addend [5], got [3]"},
  };
  return cases;
}

}  // namespace headlight::testing
