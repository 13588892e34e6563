#include "model/ops/memory.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/ops/explaining.h"
#include "model/ops/gradients.h"

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
using Values = Eigen::Array<Scalar, Eigen::Dynamic, 1>;
constexpr double kTiny = 1e-16;  // keeps the logarithm of an unused slot finite

struct Identity {
  static Values f(const ConstArrayMap& x) { return x; }
  static Values derivative(const ConstArrayMap& x) { return Values::Ones(x.size()); }
  static double f(double x) { return x; }
};
struct Logarithm {
  static Values f(const ConstArrayMap& x) { return (x + Scalar(kTiny)).log(); }
  static Values derivative(const ConstArrayMap& x) { return (x + Scalar(kTiny)).inverse(); }
  static double f(double x) { return std::log(x + kTiny); }
};

template <class F>
Tensor softmax_of_product(const Tensor& x, const Tensor& factor) {
  Tensor weights(x.shape());
  for (Index n = 0; n < x.rows(); ++n) {
    ArrayMap w = row_of(weights, n);
    w = factor[n] * F::f(row_of(x, n));
    w = (w - w.maxCoeff()).exp();
    double total = 0;
    for (Index i = 0; i < w.size(); ++i) total += static_cast<double>(w[i]);
    w *= static_cast<Scalar>(1 / total);
  }
  return weights;
}

template <class F>
void softmax_of_product_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &x = node.inputs[0], &factor = node.inputs[1];
  Tensor dx(x.shape()), dfactor(factor.shape());
  for (Index n = 0; n < x.rows(); ++n) {
    const ConstArrayMap g = row_of(gradient, n), w = row_of(node.output, n), values = row_of(x, n);
    const Values dscores = w * (g - (g * w).sum());
    dfactor[n] = (dscores * F::f(values)).sum();
    row_of(dx, n) = dscores * factor[n] * F::derivative(values);
  }
  graph.add(x, dx);
  graph.add(factor, dfactor);
}

template <class F>
Explanation softmax_of_product_explain(const Node& node, Index cell, const char* label) {
  const Tensor &x = node.inputs[0], &factor = node.inputs[1];
  const Index n_slots = x.columns(), n = cell / n_slots;
  const Cell k{factor, n};
  const auto score = [&](Index i) { return k.value() * F::f(static_cast<double>(x[n * n_slots + i])); };
  double maximum = -std::numeric_limits<double>::infinity();
  for (Index i = 0; i < n_slots; ++i) maximum = std::max(maximum, score(i));
  return explaining::softmax(node, cell, cell % n_slots, n_slots, [&](Index i) {
    return explaining::term(label, std::exp(score(i) - maximum), {k, {x, n * n_slots + i}});
  });
}

Explanation content_explain(const Node& node, Index cell) {
  return softmax_of_product_explain<Identity>(node, cell, "exp(β·K − max)");
}
Explanation sharpen_explain(const Node& node, Index cell) {
  return softmax_of_product_explain<Logarithm>(node, cell, "(w̃ / max)^γ");
}

const Op kContent{"content addressing", "w_i = exp(β K_i) / Σ_k exp(β K_k)", kContentPaper,
                  softmax_of_product_backward<Identity>, content_explain};
const Op kSharpen{"sharpening", "w_i = w̃_i^γ / Σ_k w̃_k^γ", kSharpenPaper, softmax_of_product_backward<Logarithm>,
                  sharpen_explain};

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

// --- circular convolution with three numbers
// y(i) += s x(i + 1) and y(i) += s x(i − 1), in a circle.
void add_next(ArrayMap y, Scalar s, const ConstArrayMap& x) {
  const Index rest = x.size() - 1;
  y.head(rest) += s * x.tail(rest);
  y[rest] += s * x[0];
}
void add_last(ArrayMap y, Scalar s, const ConstArrayMap& x) {
  const Index rest = x.size() - 1;
  y.tail(rest) += s * x.head(rest);
  y[0] += s * x[rest];
}
// Σ_i y(i) x(i + 1), in a circle.
Scalar dot_next(const ConstArrayMap& y, const ConstArrayMap& x) {
  const Index rest = x.size() - 1;
  return (y.head(rest) * x.tail(rest)).sum() + y[rest] * x[0];
}

void shift_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &weights = node.inputs[0], &shift = node.inputs[1];
  Tensor dweights(weights.shape()), dshift(shift.shape());
  for (Index n = 0; n < weights.rows(); ++n) {
    const ConstArrayMap g = row_of(gradient, n), w = row_of(weights, n), s = row_of(shift, n);
    row_of(dweights, n) = s[1] * g;
    add_last(row_of(dweights, n), s[0], g);
    add_next(row_of(dweights, n), s[2], g);
    dshift[n * 3] = dot_next(g, w);
    dshift[n * 3 + 1] = (g * w).sum();
    dshift[n * 3 + 2] = dot_next(w, g);
  }
  graph.add(weights, dweights);
  graph.add(shift, dshift);
}

// Term k of slot i is s_k w(i + 1 − k), k = 0 standing for a shift of −1.
Index shifted_from(Index i, Index k, Index n_slots) { return (i + 1 - k + n_slots) % n_slots; }

Explanation shift_explain(const Node& node, Index cell) {
  const Tensor &weights = node.inputs[0], &shift = node.inputs[1];
  const Index n_slots = weights.columns(), n = cell / n_slots;
  return explaining::sum(node, cell, explaining::terms(3, [&](Index k) {
                           return explaining::product(
                               "s·w_g", {shift, n * 3 + k},
                               {weights, n * n_slots + shifted_from(cell % n_slots, k, n_slots)});
                         }));
}

const Op kShift{"circular shift", "w̃_i = s(−1) w_{i+1} + s(0) w_i + s(+1) w_{i−1}", kShiftPaper, shift_backward,
                shift_explain};

// --- 1 + softplus
double one_plus_log(double x) { return 1 + std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

Explanation one_plus_explain(const Node& node, Index cell) {
  return explaining::function(node, cell, "1 + softplus", one_plus_log,
                              {explaining::itself("x", {node.inputs[0], cell})});
}

const Op kOnePlus{"1 + softplus", "y = 1 + log(1 + exp(x))", "Graves et al. 2014, section 3.3.2",
                  elementwise_backward<softplus_slope>, one_plus_explain};

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
  return recorded(kContent, {similarity, beta}, softmax_of_product<Identity>(similarity, beta));
}

Tensor sharpened_weights(const Tensor& weights, const Tensor& gamma) {
  require_one_each("sharpening", weights, gamma);
  return recorded(kSharpen, {weights, gamma}, softmax_of_product<Logarithm>(weights, gamma));
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
  Tensor y(weights.shape());
  for (Index n = 0; n < weights.rows(); ++n) {
    const ConstArrayMap w = row_of(weights, n), s = row_of(shift, n);
    row_of(y, n) = s[1] * w;
    add_next(row_of(y, n), s[0], w);
    add_last(row_of(y, n), s[2], w);
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
