// One row for each way of using an operation or a layer; a new one adds its row here.
#pragma once

#include "model/layers/attention.h"
#include "model/layers/lstm.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/lstm.h"
#include "model/ops/softmax.h"
#include "tests/model/gradient_cases_attention.h"
#include "tests/model/gradient_cases_transformer.h"
#include "tests/model/gradient_check.h"

namespace headlight::testing {

inline std::vector<Differentiable> linear_cases() {
  const auto three_times = [](const Inputs& in) {
    return linear(linear(linear(in[0], in[1], in[2]), in[1]), in[1], in[2]);
  };
  return {
      {"linear without addend",
       {fill(1, {2, 3}), parameter(2, {3, 4})},
       [](const Inputs& in) { return linear(in[0], in[1]); }},
      {"linear with bias",
       {fill(1, {2, 3}), parameter(2, {3, 4}), parameter(3, {4})},
       [](const Inputs& in) { return linear(in[0], in[1], in[2]); }},
      {"linear with bias, one row",
       {fill(1, {1, 3}), parameter(2, {3, 4}), parameter(3, {4})},
       [](const Inputs& in) { return linear(in[0], in[1], in[2]); }},
      {"linear with a full addend",
       {fill(1, {2, 3}), parameter(2, {3, 4}), fill(3, {2, 4})},
       [](const Inputs& in) { return linear(in[0], in[1], in[2]); }},
      {"linear on 3 dimensions",
       {fill(1, {2, 5, 3}), parameter(2, {3, 4}), parameter(3, {4})},
       [](const Inputs& in) { return linear(in[0], in[1], in[2]); }},
      {"linear with a weight that is no parameter",
       {fill(1, {2, 3}), fill(2, {3, 4}), fill(3, {4})},
       [](const Inputs& in) { return linear(in[0], in[1], in[2]); }},
      {"linear with a weight that was computed",
       {fill(1, {2, 3}), parameter(2, {3, 4})},
       [](const Inputs& in) { return linear(in[0], scale(in[1], Scalar(1.5))); }},
      {"linear, its parameter used three times",
       {fill(1, {2, 3}), parameter(2, {3, 3}), parameter(3, {3})},
       three_times},
      {"linear, its watched weight used three times", {fill(1, {2, 3}), fill(2, {3, 3}), fill(3, {3})}, three_times},
      {"linear, its parameter used three times on many rows",
       {fill(1, {9, 3}), parameter(2, {3, 3}), parameter(3, {3})},
       three_times},
      {"linear, products of different row counts",
       {fill(1, {2, 3}), fill(4, {5, 3}), parameter(2, {3, 4})},
       [](const Inputs& in) {
         return concat(reshape(linear(in[0], in[2]), {8}), reshape(linear(in[1], in[2]), {20}));
       }},
  };
}

inline std::vector<Differentiable> moving_cases() {
  return {
      {"embedding",
       {parameter(1, {5, 3})},
       [](const Inputs& in) {
         return embedding(Tensor::of({2, 2}, {4, 0, 4, 2}), in[0]);
       }},
      {"reshape",
       {fill(1, {2, 6})},
       [](const Inputs& in) {
         return scale(reshape(in[0], {3, 4}), Scalar(2));
       }},
      {"rows", {fill(1, {5, 3})}, [](const Inputs& in) { return rows(in[0], 1, 3); }},
      {"rows that overlap",
       {fill(1, {5, 3})},
       [](const Inputs& in) { return multiply(rows(in[0], 0, 3), rows(in[0], 2, 3)); }},
      {"row", {fill(1, {4, 2, 3})}, [](const Inputs& in) { return row(in[0], 2); }},
      {"columns of one row", {fill(1, {1, 8})}, [](const Inputs& in) { return columns(in[0], 3, 4); }},
      {"columns of several rows", {fill(1, {3, 8})}, [](const Inputs& in) { return columns(in[0], 3, 4); }},
      {"all columns, cut and joined",
       {fill(1, {2, 6})},
       [](const Inputs& in) { return concat(columns(in[0], 4, 2), columns(in[0], 0, 4)); }},
      {"concat", {fill(1, {2, 3}), fill(2, {2, 4})}, [](const Inputs& in) { return concat(in[0], in[1]); }},
      {"concat beside several rows",
       {fill(1, {2, 3}), fill(2, {2, 5, 4})},
       [](const Inputs& in) { return concat(in[0], in[1]); }},
      {"repeated", {fill(1, {2, 3})}, [](const Inputs& in) { return repeated(in[0], 4); }},
      {"repeated once", {fill(1, {2, 3})}, [](const Inputs& in) { return scale(repeated(in[0], 1), Scalar(2)); }},
      {"stack",
       {fill(1, {2, 3}), fill(2, {2, 3}), fill(3, {2, 3})},
       [](const Inputs& in) {
         return stack({in[0], in[1], in[2]});
       }},
      {"joined",
       {fill(1, {2, 3}), fill(2, {2, 3})},
       [](const Inputs& in) {
         return stack0({in[0], in[1], in[0]});
       }},
      {"swapped", {fill(1, {2, 4, 3})}, [](const Inputs& in) { return transpose01(in[0]); }},
      {"stack of one tensor, twice",
       {fill(1, {2, 3}), fill(2, {2, 3})},
       [](const Inputs& in) {
         return stack({in[0], in[1], in[0]});
       }},
  };
}

inline std::vector<Differentiable> arithmetic_cases() {
  return {
      {"multiply", {fill(1, {2, 3}), fill(2, {2, 3})}, [](const Inputs& in) { return multiply(in[0], in[1]); }},
      {"a square", {fill(1, {2, 3})}, [](const Inputs& in) { return multiply(in[0], in[0]); }},
      {"add", {fill(1, {2, 3}), fill(2, {2, 3})}, [](const Inputs& in) { return add(in[0], in[1]); }},
      {"a tensor added to itself", {fill(1, {2, 3})}, [](const Inputs& in) { return add(in[0], in[0]); }},
      // Both sides of a sum share one gradient; what arrives later for one of them must not reach the other.
      {"added, then multiplied",
       {fill(1, {2, 3}), fill(2, {2, 3})},
       [](const Inputs& in) { return add(multiply(in[0], in[0]), add(in[0], in[1])); }},
      {"multiplied, then added",
       {fill(1, {2, 3}), fill(2, {2, 3})},
       [](const Inputs& in) { return multiply(add(in[0], in[1]), add(in[1], in[0])); }},
      {"a sum that is used twice",
       {fill(1, {2, 3}), fill(2, {2, 3})},
       [](const Inputs& in) {
         const Tensor sum = add(in[0], in[1]);
         return add(multiply(sum, in[0]), reshape(sum, {2, 3}));
       }},
      {"a view and its whole",
       {fill(1, {4, 3})},
       [](const Inputs& in) {
         return add(reshape(row(reshape(in[0], {2, 2, 3}), 1), {2, 3}), rows(in[0], 1, 2));
       }},
      {"scale", {fill(1, {2, 3})}, [](const Inputs& in) { return scale(in[0], Scalar(-2.5)); }},
  };
}

inline std::vector<Differentiable> attention_cases() {
  const Tensor keep = Tensor::of({2, 4}, {1, 0, 1, 1, 0, 0, 0, 0});  // the second row is fully masked
  const auto xent = [](const Inputs& in) {
    return cross_entropy(in[0], Tensor::of({3}, {4, 0, 2}), Tensor::of({3}, {1, 0, 1}), Scalar(0.5));
  };
  return {
      {"softmax", {fill(1, {3, 4})}, [](const Inputs& in) { return softmax(in[0]); }},
      {"softmax with a mask", {fill(1, {2, 4})}, [keep](const Inputs& in) { return softmax(in[0], keep); }},
      {"softmax with a mask for several rows",
       {fill(1, {2, 3, 4})},
       [keep](const Inputs& in) { return softmax(in[0], keep); }},
      {"cross-entropy with a mask", {fill(1, {3, 5})}, xent},
      {"cross-entropy on 3 dimensions", {fill(1, {1, 3, 5})}, xent},
      {"a part of a loss",
       {fill(1, {3, 5})},
       [xent](const Inputs& in) { return multiply(xent(in), scale(xent(in), Scalar(3))); }},
      {"dot scores",
       {fill(1, {2, 3, 4}), fill(2, {2, 5, 4})},
       [](const Inputs& in) { return dot_scores(in[0], in[1]); }},
      {"dot scores of a tensor with itself",
       {fill(1, {2, 3, 4})},
       [](const Inputs& in) { return dot_scores(in[0], in[0]); }},
      {"weighted sum",
       {fill(1, {2, 3, 5}), fill(2, {2, 5, 4})},
       [](const Inputs& in) { return weighted_sum(in[0], in[1]); }},
      {"attend",
       {fill(1, {2, 3, 4}), fill(2, {2, 5, 4}), fill(3, {2, 5, 4})},
       [](const Inputs& in) { return attend(in[0], in[1], in[2], SitePath("decoder"), Tap()); }},
      {"attend, keys = values",
       {fill(1, {2, 3, 4}), fill(2, {2, 5, 4})},
       [](const Inputs& in) { return attend(in[0], in[1], in[1], SitePath("decoder"), Tap()); }},
  };
}

// An LSTM layer over 3 steps; in: x [3 x N x D], h and c at the start, then its parameters.
inline Differentiable lstm_layer_case() {
  struct Layer {
    ParameterTable table;
    Random random{1, Random::Stream::init};
    Lstm lstm{ParameterBuilder(table, {}, random), 3, 4};
  };
  const auto layer = std::make_shared<Layer>();
  Inputs inputs = {fill(1, {3, 2, 3}), fill(2, {2, 4}), fill(3, {2, 4})};
  for (Parameter& p : layer->table.all()) {
    p.value.array() = fill(4 + static_cast<double>(inputs.size()), p.value.shape()).array();
    inputs.push_back(p.value);
  }
  return {"LSTM layer", inputs, [layer](const Inputs& in) {
            const Tensor projected = layer->lstm.project(in[0]);
            CellState state{in[1], in[2]};
            for (Index t = 0; t < 3; ++t) state = layer->lstm.step(row(projected, t), state, SitePath("x"), Tap());
            return concat(state.h, state.c);
          }};
}

inline std::vector<Differentiable> lstm_cases() {
  return {
      {"LSTM gates", {fill(1, {2, 12})}, [](const Inputs& in) { return lstm_gates(in[0]); }},
      {"LSTM cell", {fill(1, {2, 12}), fill(2, {2, 3})}, [](const Inputs& in) { return lstm_cell(in[0], in[1]); }},
      {"LSTM output", {fill(1, {2, 12}), fill(2, {2, 3})}, [](const Inputs& in) { return lstm_hidden(in[0], in[1]); }},
      {"LSTM cell and output of the same gates",
       {fill(1, {2, 12}), fill(2, {2, 3})},
       [](const Inputs& in) {
         const Tensor gates = lstm_gates(in[0]);
         return lstm_hidden(gates, lstm_cell(gates, in[1]));
       }},
      lstm_layer_case(),
  };
}

// The mean loss of a whole model under teacher forcing, a function of all its parameters (models.md 7.5: D = 3, H = 4,
// V = 7, S = 4, T = 3; N = 2).
inline Differentiable model_case(const char* architecture, bool reverse) {
  const std::shared_ptr<Model> model = tiny_model(architecture, reverse);
  Inputs inputs;
  for (const Parameter& p : model->parameters().all()) inputs.push_back(p.value);
  return {std::string(architecture) + (reverse ? ", reversed" : ""), inputs, [model](const Inputs&) {
            const Tensor source = Tensor::of({4, 2}, {3, 1, 4, 1, 5, 2, 6, 0});  // [S x N]
            const Tensor fed = Tensor::of({3, 2}, {0, 0, 2, 5, 3, 6});           // [T x N]
            const Tensor targets = Tensor::of({2, 3}, {2, 3, 1, 5, 6, 4});       // [N x T]
            const Tensor mask = Tensor::of({2, 3}, {1, 1, 1, 1, 1, 0});
            const Tensor logits = model->begin(source, Tap())->advance(fed, Tap());
            return cross_entropy(logits, targets, mask, Scalar(1) / Scalar(5));
          }};
}

inline std::vector<Differentiable> all_gradient_cases() {
  std::vector<Differentiable> rows;
  for (const auto& group :
       {linear_cases(), moving_cases(), arithmetic_cases(), attention_cases(), lstm_cases(), activation_cases(),
        masking_cases(), score_cases(), choice_cases(), expert_cases(), smoothing_cases(), transformer_cases()})
    rows.insert(rows.end(), group.begin(), group.end());
  for (const char* architecture : kArchitectures)
    for (const bool reverse : {false, true}) rows.push_back(model_case(architecture, reverse));
  return rows;
}

// A data-driven test has one row for each case without a model.
inline void add_operation_rows() {
  QTest::addColumn<int>("row");
  const auto cases = all_gradient_cases();
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (cases[i].name.find("seq2seq") == std::string::npos) QTest::newRow(cases[i].name.c_str()) << static_cast<int>(i);
}

}  // namespace headlight::testing
