// The rows of gradient_cases.h for activations, masks, scores, windows, choices and losses.
#pragma once

#include "model/ops/activations.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/choice.h"
#include "model/ops/softmax.h"
#include "tests/model/gradient_check.h"

namespace headlight::testing {

inline std::vector<Differentiable> activation_cases() {
  // The same draws at every evaluation.
  const auto dropped = [](const Inputs& in) {
    Random random(1, Random::Stream::dropout);
    return dropout(in[0], 0.25, random);
  };
  return {
      {"sigmoid", {fill(1, {2, 3})}, [](const Inputs& in) { return sigmoid(scale(in[0], 4)); }},
      {"tanh", {fill(1, {2, 3})}, [](const Inputs& in) { return tanh(scale(in[0], 4)); }},
      {"relu", {fill(1, {2, 3})}, [](const Inputs& in) { return relu(in[0]); }},
      {"softplus", {fill(1, {2, 3})}, [](const Inputs& in) { return softplus(scale(in[0], 4)); }},
      {"maxout", {fill(1, {2, 3, 4})}, [](const Inputs& in) { return maxout(in[0]); }},
      {"GLU", {fill(1, {2, 3, 4})}, [](const Inputs& in) { return glu(scale(in[0], 4)); }},
      {"GLU of one row", {fill(1, {6})}, [](const Inputs& in) { return glu(in[0]); }},
      {"dropout", {fill(1, {4, 5})}, dropped},
  };
}

inline std::vector<Differentiable> masking_cases() {
  const Tensor keep = Tensor::of({2, 3}, {1, 0, 1, 0, 0, 0});  // the second keeps nothing
  return {
      {"interpolate",
       {fill(1, {2, 3}), fill(2, {2, 3}), fill(3, {2, 3})},
       [](const Inputs& in) { return interpolate(in[0], in[1], in[2]); }},
      {"interpolate with a gate that is also an end",
       {fill(1, {2, 3}), fill(2, {2, 3})},
       [](const Inputs& in) { return interpolate(in[0], in[0], in[1]); }},
      {"sum", {fill(1, {2, 3})}, [](const Inputs& in) { return sum(multiply(in[0], in[0])); }},
      {"scale rows",
       {fill(1, {2, 3, 2})},
       [](const Inputs& in) {
         return scale_rows(in[0], Tensor::of({2}, {Scalar(2.5), Scalar(-1)}));
       }},
      {"choose rows",
       {fill(1, {3, 2}), fill(2, {3, 2})},
       [](const Inputs& in) {
         return where(Tensor::of({3}, {1, 0, 1}), in[0], in[1]);
       }},
      {"choose rows, a state over padding",
       {fill(1, {2, 2}), fill(2, {2, 2})},
       [](const Inputs& in) {
         const Tensor first = where(Tensor::of({2}, {1, 0}), tanh(in[0]), in[1]);
         return where(Tensor::of({2}, {0, 1}), tanh(first), first);
       }},
      {"mask rows", {fill(1, {2, 3, 4})}, [keep](const Inputs& in) { return mask_rows(in[0], keep); }},
      {"mean", {fill(1, {2, 3, 4})}, [](const Inputs& in) { return mean_rows(in[0]); }},
      {"mean with a mask", {fill(1, {2, 3, 4})}, [keep](const Inputs& in) { return mean_rows(in[0], keep); }},
      {"maximum", {fill(1, {2, 3, 4})}, [](const Inputs& in) { return max_rows(in[0]); }},
      {"maximum with a mask", {fill(1, {2, 3, 4})}, [keep](const Inputs& in) { return max_rows(in[0], keep); }},
  };
}

inline Differentiable additive_case(const char* name, Squash squash) {
  return {name, {fill(1, {2, 3, 4}), fill(2, {2, 5, 4}), fill(3, {4}), fill(4, {1})}, [squash](const Inputs& in) {
            return additive_scores(in[0], in[1], in[2], in[3], squash);
          }};
}

inline std::vector<Differentiable> score_cases() {
  // Half way between the entries, where the window does not jump.
  const auto positions = [](const Tensor& x) { return add(x, Tensor::full(x.shape(), Scalar(2.5))); };
  const Tensor keep = Tensor::of({2, 6}, {1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0});
  return {
      additive_case("additive scores", Squash::tanh),
      additive_case("additive scores with ReLU", Squash::relu),
      additive_case("linear scores", Squash::none),
      {"additive scores without bias, v a parameter",
       {fill(1, {2, 1, 4}), fill(2, {2, 5, 4}), parameter(3, {4})},
       [](const Inputs& in) { return additive_scores(in[0], in[1], in[2]); }},
      {"additive scores of fixed queries and keys",
       {fill(3, {4})},
       [](const Inputs& in) {
         return additive_scores(fill(1, {2, 3, 4}), fill(2, {2, 5, 4}), in[0]);
       }},
      {"additive scores of a tensor with itself",
       {fill(1, {2, 3, 4}), fill(3, {4})},
       [](const Inputs& in) { return additive_scores(in[0], in[0], in[1]); }},
      {"cosine scores",
       {fill(1, {2, 3, 4}), fill(2, {2, 5, 4}), Tensor::of({1}, {2})},
       [](const Inputs& in) { return cosine_scores(in[0], in[1], in[2]); }},
      {"cosine scores, a beta for each query",
       {fill(1, {2, 3, 4}), fill(2, {2, 5, 4}), fill(3, {2, 3, 1})},
       [](const Inputs& in) { return cosine_scores(in[0], in[1], in[2]); }},
      {"cosine scores of short vectors",
       {scale(fill(1, {1, 2, 3}), Scalar(0.01)), scale(fill(2, {1, 4, 3}), Scalar(0.01)), Tensor::of({1}, {1})},
       [](const Inputs& in) { return cosine_scores(in[0], in[1], in[2]); }},
      {"Gaussian window",
       {fill(1, {2, 3, 1})},
       [positions](const Inputs& in) { return gaussian_window(positions(in[0]), 6, 1.5); }},
      {"local attention",
       {fill(1, {2, 3, 1}), fill(2, {2, 3, 6})},
       [positions, keep](const Inputs& in) {
         const Tensor p = positions(in[0]);
         return multiply(softmax(in[1], window_mask(p, 1, 6, keep)), gaussian_window(p, 6, 0.5));
       }},
      {"a window without a mask",
       {fill(2, {2, 3, 6})},
       [positions](const Inputs& in) {
         return softmax(in[0], window_mask(positions(scale(fill(1, {2, 3, 1}), 3)), 1, 6));
       }},
  };
}

inline std::vector<Differentiable> choice_cases() {
  const Tensor keep = Tensor::of({2, 4}, {1, 1, 0, 1, 0, 0, 0, 0});  // the second keeps nothing
  const Tensor indices = Tensor::of({2, 3}, {0, 3, 1, 0, 0, 0});
  const Tensor uniforms = Tensor::of({2, 3}, {Scalar(0.1), Scalar(0.5), Scalar(0.95), 0, 0, 0});
  return {
      // The choice itself passes nothing on, so the gradient is that of the values alone.
      {"hard attention, the largest",
       {fill(2, {2, 4, 3})},
       [](const Inputs& in) {
         const Tensor weights = softmax(fill(1, {2, 3, 4}));
         return weighted_sum(hard_choice(weights, argmax_rows(weights)), in[0]);
       }},
      {"hard attention, a sample",
       {fill(2, {2, 4, 3})},
       [keep, uniforms](const Inputs& in) {
         const Tensor weights = softmax(fill(1, {2, 3, 4}), keep);
         return weighted_sum(hard_choice(weights, sample_rows(weights, uniforms)), in[0]);
       }},
      {"log of the choice",
       {fill(1, {2, 3, 4})},
       [indices](const Inputs& in) { return log_of_choice(softmax(in[0]), indices); }},
      {"log of the choice with a mask",
       {fill(1, {2, 3, 4})},
       [keep, indices](const Inputs& in) { return log_of_choice(softmax(in[0], keep), indices); }},
      {"entropy", {fill(1, {2, 3, 4})}, [](const Inputs& in) { return entropy(softmax(scale(in[0], 3))); }},
      {"entropy with a mask",
       {fill(1, {2, 3, 4})},
       [keep](const Inputs& in) { return entropy(softmax(scale(in[0], 3), keep)); }},
  };
}

// Experts: which ones are chosen does not change within the small steps of the check.
inline std::vector<Differentiable> expert_cases() {
  const Tensor ids = Tensor::of({2, 3, 2}, {0, 3, 1, 0, 2, 2, 3, 1, 0, 1, 2, 0});
  const auto numbers = [](const Tensor& logits, ExpertChoice choice) { return chosen_experts(logits, {}, choice); };
  return {
      {"shares of the chosen experts",
       {fill(1, {2, 3, 4})},
       [numbers](const Inputs& in) {
         return divide_by_sum(take_columns(softmax(in[0]), numbers(in[0], {.count = 2})), 1e-20);
       }},
      {"columns, some of them twice",
       {fill(1, {2, 3, 4})},
       [ids](const Inputs& in) { return take_columns(in[0], ids); }},
      {"shares in two rounds",
       {fill(1, {3, 5})},
       [numbers](const Inputs& in) {
         const Tensor z = scale(in[0], 3);
         return shares_of_rounds(z, numbers(z, {.by = ExpertChoice::By::rounds, .count = 2, .noise = 0.9}), 0.9);
       }},
      {"limited SwiGLU",
       {fill(1, {3, 4}), fill(2, {3, 4})},
       [](const Inputs& in) { return limited_swiglu(scale(in[0], 3), scale(in[1], 3), 1, 1.702); }},
      {"rows of several parts",
       {fill(1, {2, 3}), fill(2, {4, 3})},
       [](const Inputs& in) {
         return gather_rows({in[0], in[1]}, {{1, 3}, {0, 0}, {1, 3}, {1, 1}, {0, 1}});
       }},
      {"rows that were taken, one twice",
       {fill(1, {4, 3})},
       [](const Inputs& in) {
         return index_select(in[0], {2, 0, 2});
       }},
  };
}

inline std::vector<Differentiable> smoothing_cases() {
  const auto loss = [](double smoothing, Index excluded) {
    return [=](const Inputs& in) {
      return cross_entropy(in[0], Tensor::of({3}, {4, 0, 2}), Tensor::of({3}, {1, 0, 1}), Scalar(0.5), smoothing,
                           excluded);
    };
  };
  return {
      {"cross-entropy, smoothed", {fill(1, {3, 5})}, loss(0.1, -1)},
      {"cross-entropy, smoothed without padding", {fill(1, {3, 5})}, loss(0.25, 1)},
      {"cross-entropy on 3 dimensions, smoothed", {fill(1, {1, 3, 5})}, loss(0.1, 0)},
  };
}

}  // namespace headlight::testing
