#include "model/ops/memory.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/ops/explaining.h"

namespace headlight {

namespace {

constexpr const char* kContentPaper = "Graves et al. 2014, eq. 5";
constexpr const char* kGatePaper = "Graves et al. 2014, eq. 7";
constexpr const char* kShiftPaper = "Graves et al. 2014, eq. 8";
constexpr const char* kSharpenPaper = "Graves et al. 2014, eq. 9";

ConstArrayMap row_of(const Tensor& t, Index n) { return {t.data() + n * t.columns(), t.columns()}; }
ArrayMap row_of(Tensor& t, Index n) { return {t.data() + n * t.columns(), t.columns()}; }

// One number for each row of the weightings.
void require_one_each(const char* operation, const Tensor& weights, const Tensor& factor) {
  require_shape(factor.size() == weights.rows(), operation, std::to_string(weights.rows()) + " numbers",
                factor.shape());
}

// --- a softmax of k·f(x): content addressing has f(x) = x, sharpening f(x) = ln(x + 1e-16)
double identity(double x) { return x; }
double one(double) { return 1; }
constexpr double kTiny = 1e-16;  // keeps the logarithm of an unused slot finite
double log_of(double x) { return std::log(x + kTiny); }
double reciprocal(double x) { return 1 / (x + kTiny); }

template <double (*f)(double)>
Tensor softmax_of_product(const Tensor& x, const Tensor& factor) {
  const Index n_slots = x.columns();
  Tensor weights(x.shape());
  std::vector<double> scores(static_cast<std::size_t>(n_slots));
  for (Index n = 0; n < x.rows(); ++n) {
    double maximum = -std::numeric_limits<double>::infinity(), total = 0;
    for (Index i = 0; i < n_slots; ++i) {
      double& score = scores[static_cast<std::size_t>(i)];
      score = static_cast<double>(factor[n]) * f(static_cast<double>(x[n * n_slots + i]));
      maximum = std::max(maximum, score);
    }
    for (double& score : scores) total += score = std::exp(score - maximum);
    for (Index i = 0; i < n_slots; ++i)
      weights[n * n_slots + i] = static_cast<Scalar>(scores[static_cast<std::size_t>(i)] / total);
  }
  return weights;
}

template <double (*f)(double), double (*derivative)(double)>
void softmax_of_product_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &x = node.inputs[0], &factor = node.inputs[1], &weights = node.output;
  const Index n_slots = x.columns();
  Tensor dx(x.shape()), dfactor(factor.shape());
  for (Index n = 0; n < x.rows(); ++n) {
    const double dot = (row_of(gradient, n) * row_of(weights, n)).cast<double>().sum();
    double sum = 0;
    for (Index i = n * n_slots; i < (n + 1) * n_slots; ++i) {
      const double at = static_cast<double>(x[i]);
      const double dscore = static_cast<double>(weights[i]) * (static_cast<double>(gradient[i]) - dot);
      sum += dscore * f(at);
      dx[i] = static_cast<Scalar>(dscore * static_cast<double>(factor[n]) * derivative(at));
    }
    dfactor[n] = static_cast<Scalar>(sum);
  }
  graph.add(x, dx);
  graph.add(factor, dfactor);
}

template <double (*f)(double)>
Explanation softmax_of_product_explain(const Node& node, Index cell, const char* label) {
  const Tensor &x = node.inputs[0], &factor = node.inputs[1];
  const Index n_slots = x.columns(), n = cell / n_slots;
  const Cell k{factor, n};
  const auto score = [&](Index i) { return k.value() * f(static_cast<double>(x[n * n_slots + i])); };
  double maximum = -std::numeric_limits<double>::infinity(), total = 0;
  for (Index i = 0; i < n_slots; ++i) maximum = std::max(maximum, score(i));
  Explanation explanation;
  explanation.kind = Explanation::Kind::share;
  explanation.op = node.op;
  explanation.value = static_cast<double>(node.output[cell]);
  // The cell's own term first, then its rivals in order.
  const auto add = [&](Index i) {
    const double value = std::exp(score(i) - maximum);
    total += value;
    explanation.terms.push_back(explaining::term(label, value, {k, {x, n * n_slots + i}}));
  };
  add(cell % n_slots);
  for (Index i = 0; i < n_slots; ++i)
    if (i != cell % n_slots) add(i);
  explanation.recomputed = explanation.terms[0].value / total;
  return explanation;
}

Explanation content_explain(const Node& node, Index cell) {
  return softmax_of_product_explain<identity>(node, cell, "exp(β·K − max)");
}
Explanation sharpen_explain(const Node& node, Index cell) {
  return softmax_of_product_explain<log_of>(node, cell, "(w̃ / max)^γ");
}

const Op kContent{"content addressing", "w_i = exp(β K_i) / Σ_k exp(β K_k)", kContentPaper,
                  softmax_of_product_backward<identity, one>, content_explain};
const Op kSharpen{"sharpening", "w_i = w̃_i^γ / Σ_k w̃_k^γ", kSharpenPaper,
                  softmax_of_product_backward<log_of, reciprocal>, sharpen_explain};

// --- the gate between content and the last step's weighting
void gate_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &gate = node.inputs[0], &content = node.inputs[1], &previous = node.inputs[2];
  Tensor dgate(gate.shape()), dcontent(content.shape()), dprevious(previous.shape());
  for (Index n = 0; n < gate.size(); ++n) {
    const ConstArrayMap g = row_of(gradient, n);
    dgate[n] = (g * (row_of(content, n) - row_of(previous, n))).sum();
    row_of(dcontent, n) = g * gate[n];
    row_of(dprevious, n) = g * (Scalar(1) - gate[n]);
  }
  graph.add(gate, dgate);
  graph.add(content, dcontent);
  graph.add(previous, dprevious);
}

Explanation gate_explain(const Node& node, Index cell) {
  const Cell gate{node.inputs[0], cell / node.output.columns()}, content{node.inputs[1], cell},
      previous{node.inputs[2], cell};
  return explaining::sum(node, cell,
                         {explaining::product("g·w_c", gate, content),
                          explaining::term("(1 − g)·w′", (1 - gate.value()) * previous.value(), {gate, previous})});
}

const Op kGate{"interpolation", "w_g = g w_c + (1 − g) w′", kGatePaper, gate_backward, gate_explain};

// --- circular convolution with three numbers; term k of slot i is s_k w(i + 1 − k), k = 0 standing for a shift of −1
Index shifted_from(Index i, Index k, Index n_slots) { return (i + 1 - k + n_slots) % n_slots; }

void shift_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &weights = node.inputs[0], &shift = node.inputs[1];
  const Index n_slots = weights.columns();
  Tensor dweights = Tensor::zeros(weights.shape()), dshift = Tensor::zeros(shift.shape());
  for (Index cell = 0; cell < gradient.size(); ++cell) {
    const Index n = cell / n_slots;
    for (Index k = 0; k < 3; ++k) {
      const Index from = n * n_slots + shifted_from(cell % n_slots, k, n_slots);
      dweights[from] += gradient[cell] * shift[n * 3 + k];
      dshift[n * 3 + k] += gradient[cell] * weights[from];
    }
  }
  graph.add(weights, dweights);
  graph.add(shift, dshift);
}

Explanation shift_explain(const Node& node, Index cell) {
  const Tensor &weights = node.inputs[0], &shift = node.inputs[1];
  const Index n_slots = weights.columns(), n = cell / n_slots;
  std::vector<Term> terms;
  for (Index k = 0; k < 3; ++k)
    terms.push_back(explaining::product("s·w_g", {shift, n * 3 + k},
                                        {weights, n * n_slots + shifted_from(cell % n_slots, k, n_slots)}));
  return explaining::sum(node, cell, std::move(terms));
}

const Op kShift{"circular shift", "w̃_i = s(−1) w_{i+1} + s(0) w_i + s(+1) w_{i−1}", kShiftPaper, shift_backward,
                shift_explain};

// --- 1 + softplus
double one_plus_log(double x) { return 1 + std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

void one_plus_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  Tensor d(gradient.shape());
  d.array() = gradient.array() * node.inputs[0].array().logistic();
  graph.add(node.inputs[0], d);
}

Explanation one_plus_explain(const Node& node, Index cell) {
  return explaining::function(node, cell, "1 + softplus", one_plus_log,
                              {explaining::itself("x", {node.inputs[0], cell})});
}

const Op kOnePlus{"1 + softplus", "y = 1 + log(1 + exp(x))", "Graves et al. 2014, section 3.3.2", one_plus_backward,
                  one_plus_explain};

// --- erase, then add
ConstMatrixMap matrix_of(const Tensor& t, Index n) { return {t.data() + n * t.dim(1) * t.dim(2), t.dim(1), t.dim(2)}; }
MatrixMap matrix_of(Tensor& t, Index n) { return {t.data() + n * t.dim(1) * t.dim(2), t.dim(1), t.dim(2)}; }

void write_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &memory = node.inputs[0], &weights = node.inputs[1], &erase = node.inputs[2], &add = node.inputs[3];
  Tensor dmemory(memory.shape()), dweights(weights.shape()), derase(erase.shape()), dadd(add.shape());
  for (Index n = 0; n < weights.rows(); ++n) {
    const ConstMatrixMap g = matrix_of(gradient, n), m = matrix_of(memory, n);
    const auto w = row_of(weights, n).matrix(), e = row_of(erase, n).matrix(), a = row_of(add, n).matrix();
    const Matrix lost = g.cwiseProduct(m);
    matrix_of(dmemory, n) = g.array() * (Scalar(1) - (w * e.transpose()).array());
    row_of(dweights, n) = g * a - lost * e;
    row_of(derase, n) = -(lost.transpose() * w);
    row_of(dadd, n) = g.transpose() * w;
  }
  graph.add(memory, dmemory);
  graph.add(weights, dweights);
  graph.add(erase, derase);
  graph.add(add, dadd);
}

Explanation write_explain(const Node& node, Index cell) {
  const Tensor &memory = node.inputs[0], &weights = node.inputs[1], &erase = node.inputs[2], &add = node.inputs[3];
  const Index width = memory.dim(2), unit = cell / (memory.dim(1) * width) * width + cell % width;
  const Cell m{memory, cell}, w{weights, cell / width}, e{erase, unit}, a{add, unit};
  return explaining::sum(node, cell,
                         {explaining::term("M′·(1 − w·e)", m.value() * (1 - w.value() * e.value()), {m, w, e}),
                          explaining::product("w·a", w, a)});
}

const Op kWrite{"memory write", "M_i = M′_i ⊙ (1 − w_i e) + w_i a", "Graves et al. 2014, eq. 3 and 4", write_backward,
                write_explain};

}  // namespace

Tensor content_weights(const Tensor& similarity, const Tensor& beta) {
  require_one_each("content addressing", similarity, beta);
  return recorded(kContent, {similarity, beta}, softmax_of_product<identity>(similarity, beta));
}

Tensor sharpened_weights(const Tensor& weights, const Tensor& gamma) {
  require_one_each("sharpening", weights, gamma);
  return recorded(kSharpen, {weights, gamma}, softmax_of_product<log_of>(weights, gamma));
}

Tensor gated_weights(const Tensor& gate, const Tensor& content, const Tensor& previous) {
  require_one_each("interpolation", content, gate);
  require_shape(content.shape() == previous.shape(), "interpolation", content.shape().text(), previous.shape());
  Tensor y(content.shape());
  for (Index n = 0; n < gate.size(); ++n)
    row_of(y, n) = gate[n] * row_of(content, n) + (Scalar(1) - gate[n]) * row_of(previous, n);
  return recorded(kGate, {gate, content, previous}, std::move(y));
}

Tensor shifted_weights(const Tensor& weights, const Tensor& shift) {
  require_shape(shift.columns() == 3 && shift.rows() == weights.rows(), "circular shift",
                "[" + std::to_string(weights.rows()) + " x 3]", shift.shape());
  const Index n_slots = weights.columns();
  Tensor y(weights.shape());
  for (Index cell = 0; cell < y.size(); ++cell) {
    const Index n = cell / n_slots;
    y[cell] = 0;
    for (Index k = 0; k < 3; ++k)
      y[cell] += shift[n * 3 + k] * weights[n * n_slots + shifted_from(cell % n_slots, k, n_slots)];
  }
  return recorded(kShift, {weights, shift}, std::move(y));
}

Tensor one_plus_softplus(const Tensor& x) {
  Tensor y(x.shape());
  y.array() = Scalar(1) + x.array().max(Scalar(0)) + (-x.array().abs()).exp().log1p();
  return recorded(kOnePlus, {x}, std::move(y));
}

Tensor write_memory(const Tensor& memory, const Tensor& weights, const Tensor& erase, const Tensor& add) {
  require_shape(memory.rank() == 3, "memory write", "[N x slots x W]", memory.shape());
  const Index batch = memory.dim(0), width = memory.dim(2);
  require_shape(weights.size() == memory.rows() && weights.rows() == batch, "memory write",
                "a weight for each slot of " + memory.shape().text(), weights.shape());
  for (const Tensor& vector : {erase, add})
    require_shape(vector.columns() == width && vector.rows() == batch, "memory write",
                  "[" + std::to_string(batch) + " x " + std::to_string(width) + "]", vector.shape());
  Tensor y(memory.shape());
  for (Index n = 0; n < batch; ++n) {
    const auto w = row_of(weights, n).matrix(), e = row_of(erase, n).matrix(), a = row_of(add, n).matrix();
    matrix_of(y, n) =
        matrix_of(memory, n).array() * (Scalar(1) - (w * e.transpose()).array()) + (w * a.transpose()).array();
  }
  return recorded(kWrite, {memory, weights, erase, add}, std::move(y));
}

}  // namespace headlight
