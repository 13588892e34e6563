// The rows of gradient_cases.h for what a Transformer is made of.
#pragma once

#include "model/ops/activations.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/heads.h"
#include "model/ops/normalise.h"
#include "model/ops/positions.h"
#include "model/ops/softmax.h"
#include "tests/model/gradient_check.h"

namespace headlight::testing {

inline std::vector<Differentiable> norm_cases() {
  constexpr double kEpsilon = 1e-3;
  const Tensor keep = Tensor::of({2, 3}, {1, 0, 1, 1, 0, 1});
  return {
      {"layer norm",
       {fill(1, {2, 3, 5}), parameter(2, {5}), parameter(3, {5})},
       [](const Inputs& in) { return layer_norm(in[0], in[1], in[2], kEpsilon); }},
      {"layer norm without a shift, of long rows",
       {fill(1, {2, 37}), fill(2, {37})},
       [](const Inputs& in) { return layer_norm(in[0], in[1], {}, kEpsilon); }},
      {"layer norm without parameters",
       {fill(1, {2, 3, 5})},
       [](const Inputs& in) { return layer_norm(in[0], {}, {}, kEpsilon); }},
      {"layer norm of a norm, with the same parameters",
       {fill(1, {3, 4}), parameter(2, {4}), parameter(3, {4})},
       [](const Inputs& in) { return layer_norm(layer_norm(in[0], in[1], in[2], kEpsilon), in[1], in[2], kEpsilon); }},
      {"layer norm of heads, with a scale for each",
       {fill(1, {4, 3, 5}), parameter(2, {2, 5})},
       [](const Inputs& in) { return layer_norm(in[0], in[1], {}, kEpsilon); }},
      {"RMS norm of heads, with a scale for each",
       {fill(1, {4, 3, 5}), parameter(2, {4, 5})},
       [](const Inputs& in) { return rms_norm(in[0], in[1], kEpsilon); }},
      {"RMS norm",
       {fill(1, {2, 3, 5}), parameter(2, {5})},
       [](const Inputs& in) { return rms_norm(in[0], in[1], kEpsilon); }},
      {"batch norm",
       {fill(1, {2, 3, 4}), parameter(2, {4}), parameter(3, {4})},
       [](const Inputs& in) { return batch_norm(in[0], in[1], in[2], kEpsilon, {}, nullptr); }},
      {"batch norm over the kept rows, without a shift",
       {fill(1, {2, 3, 4}), parameter(2, {4})},
       [keep](const Inputs& in) { return batch_norm(in[0], in[1], {}, kEpsilon, keep, nullptr); }},
      {"batch norm by given numbers",
       {fill(1, {2, 3, 4}), parameter(2, {4}), parameter(3, {4})},
       [](const Inputs& in) {
         Tensor variance = fill(5, {4});
         variance.array() += Scalar(0.75);
         return normalised_by(in[0], fill(4, {4}), variance, in[1], in[2], kEpsilon);
       }},
      {"batch norm by given numbers, without a shift",
       {fill(1, {5, 4}), fill(2, {4})},
       [](const Inputs& in) { return normalised_by(in[0], fill(4, {4}), Tensor::full({4}, 2), in[1], {}, kEpsilon); }},
  };
}

inline std::vector<Differentiable> head_cases() {
  const Tensor causal = attention_keep(3, 5, 1, true, 0, {});  // [1 x 3 x 5]
  const Tensor empty = attention_keep(3, 5, 1, true, 0,
                                      Tensor::of({2, 5}, {0, 0, 1, 1, 1,  // its first row keeps nothing
                                                          1, 1, 1, 0, 0}));
  return {
      {"split heads", {fill(1, {2, 3, 8})}, [](const Inputs& in) { return split_heads(in[0], 4); }},
      {"split heads of one row", {fill(1, {2, 1, 8})}, [](const Inputs& in) { return split_heads(in[0], 4); }},
      {"join heads", {fill(1, {6, 3, 2})}, [](const Inputs& in) { return join_heads(in[0], 2); }},
      {"heads, split and joined",
       {fill(1, {2, 3, 8})},
       [](const Inputs& in) { return join_heads(multiply(split_heads(in[0], 2), split_heads(in[0], 2)), 2); }},
      {"repeat heads", {fill(1, {4, 3, 2})}, [](const Inputs& in) { return repeat_heads(in[0], 3); }},
      {"append rows",
       {fill(1, {2, 3, 4}), fill(2, {2, 2, 4})},
       [](const Inputs& in) { return append_rows(in[0], in[1]); }},
      {"a row that is appended twice",
       {fill(1, {2, 1, 4})},
       [](const Inputs& in) { return append_rows(append_rows({}, in[0]), in[0]); }},
      {"masked scores",
       {fill(1, {4, 3, 5})},
       [causal](const Inputs& in) { return softmax(mask_scores(in[0], causal)); }},
      {"masked scores of sentences, one row empty",
       {fill(1, {4, 3, 5})},
       [empty](const Inputs& in) { return softmax(mask_scores(in[0], empty)); }},
      {"attention weights, masked and biased",
       {fill(1, {4, 3, 2}), fill(2, {4, 5, 2}), fill(3, {2, 3, 5})},
       [empty](const Inputs& in) { return attention_weights(in[0], in[1], Scalar(0.7), empty, in[2]); }},
      {"dot scores of grouped heads",
       {fill(1, {4, 3, 2}), fill(2, {2, 5, 2})},
       [](const Inputs& in) { return dot_scores(in[0], in[1]); }},
      {"weighted sum of grouped heads",
       {fill(1, {4, 3, 5}), fill(2, {2, 5, 2})},
       [](const Inputs& in) { return weighted_sum(in[0], in[1]); }},
      {"attention weights of grouped heads",
       {fill(1, {8, 3, 2}), fill(2, {4, 5, 2}), fill(3, {4, 3, 5})},
       [empty](const Inputs& in) { return attention_weights(in[0], in[1], Scalar(0.7), empty, in[2]); }},
      {"added bias", {fill(1, {4, 3, 5}), fill(2, {2, 3, 5})}, [](const Inputs& in) { return add_bias(in[0], in[1]); }},
  };
}

inline std::vector<Differentiable> position_cases() {
  const Tensor positions = Tensor::of({2, 3}, {0, 1, 2, 5, 0, 1});
  const auto rotated = [positions](bool neighbours) {
    return [positions, neighbours](const Inputs& in) { return rotary(in[0], positions, 100, neighbours); };
  };
  return {
      {"rotary, halves", {fill(1, {4, 3, 6})}, rotated(false)},
      {"rotary, neighbours", {fill(1, {4, 3, 6})}, rotated(true)},
      {"rotary of neighbours that are written as halves",
       {fill(1, {2, 3, 6})},
       [](const Inputs& in) {
         return rotary(in[0], Tensor::of({1, 3}, {0, 1, 7}), {1, Scalar(0.1)}, true, 1.5, true);
       }},
      {"relative bias, both directions",
       {parameter(1, {8, 2})},
       [](const Inputs& in) { return relative_bias(in[0], 2, 3, 9, true, 6); }},
      {"relative bias, backwards",
       {parameter(1, {4, 2})},
       [](const Inputs& in) { return relative_bias(in[0], 7, 2, 9, false, 6); }},
      {"by distance, of queries",
       {fill(1, {2, 4, 7})},
       [](const Inputs& in) {
         return by_distance(in[0], {4, 4, 9}, false);
       }},
      {"by distance, of keys",
       {fill(1, {2, 4, 7})},
       [](const Inputs& in) {
         return by_distance(in[0], {4, 4, 9}, true);
       }},
  };
}

inline std::vector<Differentiable> transformer_cases() {
  std::vector<Differentiable> cases = {
      {"gelu", {fill(1, {3, 4})}, [](const Inputs& in) { return gelu(scale(in[0], 5)); }},
      {"gelu by tanh", {fill(1, {3, 4})}, [](const Inputs& in) { return gelu_tanh(scale(in[0], 5)); }},
      {"silu", {fill(1, {3, 4})}, [](const Inputs& in) { return silu(scale(in[0], 5)); }},
      {"relu, squared", {fill(1, {3, 4})}, [](const Inputs& in) { return relu_squared(scale(in[0], 3)); }},
      {"clipped", {fill(1, {3, 4})}, [](const Inputs& in) { return clipped(scale(in[0], 3), Scalar(0.9)); }},
      {"linear, transposed",
       {fill(1, {2, 3, 4}), parameter(2, {7, 4}), parameter(3, {7})},
       [](const Inputs& in) { return linear_transposed(in[0], in[1], in[2]); }},
      {"linear, transposed, without a bias, of a table that was computed",
       {fill(1, {2, 4}), fill(2, {7, 4})},
       [](const Inputs& in) { return linear_transposed(in[0], scale(in[1], 2)); }},
      {"a table that is looked up in, and gives the logits",
       {parameter(2, {7, 4})},
       [](const Inputs& in) {
         return linear_transposed(embedding(Tensor::of({3}, {1, 6, 1}), in[0]), in[0]);
       }},
  };
  for (const auto& group : {norm_cases(), head_cases(), position_cases()})
    cases.insert(cases.end(), group.begin(), group.end());
  return cases;
}

}  // namespace headlight::testing
