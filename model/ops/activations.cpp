#include "model/ops/activations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <sstream>
#include <unsupported/Eigen/SpecialFunctions>
#include <utility>

#include "model/ops/elementwise.h"
#include "model/ops/explaining.h"
#include "model/ops/gradients.h"

namespace headlight {

namespace {

// --- one number by itself
using explaining::logistic, explaining::tangent;
double positive_part(double x) { return std::max(x, 0.0); }
double squared_positive_part(double x) { return positive_part(x) * positive_part(x); }
double log_of_one_plus_exp(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

double gaussian_unit(double x) { return x / 2 * (1 + std::erf(x / std::numbers::sqrt2)); }
constexpr double kRootOf2OverPi = std::numbers::sqrt2 * std::numbers::inv_sqrtpi, kCubic = 0.044715;
double gaussian_unit_by_tanh(double x) { return x / 2 * (1 + std::tanh(kRootOf2OverPi * (x + kCubic * x * x * x))); }
double times_logistic(double x) { return x * logistic(x); }

void sigmoid_slope(const Node& node, const ConstArrayMap& g, ArrayMap d) {
  d = g * node.output.array() * (Scalar(1) - node.output.array());
}

void tanh_slope(const Node& node, const ConstArrayMap& g, ArrayMap d) {
  d = g * (Scalar(1) - node.output.array().square());
}

void relu_slope(const Node& node, const ConstArrayMap& g, ArrayMap d) {
  d = (node.output.array() > Scalar(0)).select(g, Scalar(0));
}

void relu_squared_slope(const Node& node, const ConstArrayMap& g, ArrayMap d) {
  d = g * Scalar(2) * node.inputs[0].array().max(Scalar(0));
}

// attributes.x: the bound
void clipped_slope(const Node& node, const ConstArrayMap& g, ArrayMap d) {
  d = (node.inputs[0].array().abs() <= static_cast<Scalar>(node.attributes.x)).select(g, Scalar(0));
}

// Φ(x), the share of a normal distribution below x, and tanh of the cubic that comes close to 2Φ(x) − 1.
void normal_share(const ConstArrayMap& x, ArrayMap y) {
  constexpr auto kInverseRoot = static_cast<Scalar>(1 / std::numbers::sqrt2);
  y = Scalar(0.5) * (Scalar(1) + (x * kInverseRoot).erf());
  // Below −1 the sum loses what erfc keeps.
  for (Index i = 0; i < x.size(); ++i)
    if (x[i] < Scalar(-1)) y[i] = Scalar(0.5) * std::erfc(-x[i] * kInverseRoot);
}
template <class X>
auto cubic(const X& x) {
  return static_cast<Scalar>(kRootOf2OverPi) * x * (Scalar(1) + static_cast<Scalar>(kCubic) * x.square());
}
template <class X>
auto tanh_of_cubic(const X& x) {
  return cubic(x).tanh();
}

// Φ(x) + x φ(x)
void gelu_slope(const Node& node, const ConstArrayMap& g, ArrayMap d) {
  const ConstArrayMap x = node.inputs[0].array();
  const auto inverse_root_of_2_pi = static_cast<Scalar>(std::numbers::inv_sqrtpi / std::numbers::sqrt2);
  normal_share(x, d);
  d = g * (d + x * inverse_root_of_2_pi * (Scalar(-0.5) * x.square()).exp());
}

// (1 + t + x (1 − t²) c′) / 2, t = tanh(c), c = √(2/π) (x + 0.044715 x³)
void gelu_tanh_slope(const Node& node, const ConstArrayMap& g, ArrayMap d) {
  const ConstArrayMap x = node.inputs[0].array();
  Tensor t(node.output.shape());
  t.array() = tanh_of_cubic(x);
  d = g * Scalar(0.5) *
      (Scalar(1) + t.array() +
       x * (Scalar(1) - t.array().square()) * static_cast<Scalar>(kRootOf2OverPi) *
           (Scalar(1) + static_cast<Scalar>(3 * kCubic) * x.square()));
}

// σ(x) + y (1 − σ(x))
void silu_slope(const Node& node, const ConstArrayMap& g, ArrayMap d) {
  Tensor s(node.output.shape());
  sigmoid_of(node.inputs[0].array(), s.array());
  d = g * (s.array() + node.output.array() * (Scalar(1) - s.array()));
}

template <double (*f)(double)>
Explanation explain(const Node& node, Index cell) {
  return explaining::function(node, cell, node.op->id, f, {explaining::itself("x", {node.inputs[0], cell})});
}
// The logistic function goes by its letter in every formula.
Explanation sigmoid_explain(const Node& node, Index cell) {
  return explaining::function(node, cell, "σ", logistic, {explaining::itself("x", {node.inputs[0], cell})});
}

const Op kSigmoid{"sigmoid", "y = σ(x)", "", elementwise_backward<sigmoid_slope>, sigmoid_explain};
const Op kTanh{"tanh", "y = tanh(x)", "", elementwise_backward<tanh_slope>, explain<tangent>};
const Op kRelu{"relu", "y = max(x, 0)", "", elementwise_backward<relu_slope>, explain<positive_part>};
const Op kReluSquared{"relu2", "y = max(x, 0)²", "So et al. 2021, section 4", elementwise_backward<relu_squared_slope>,
                      explain<squared_positive_part>};
Explanation clipped_explain(const Node& node, Index cell) {
  return explaining::sum(node, cell,
                         {explaining::term("min(max(x, −c), c)", node.output[cell], {{node.inputs[0], cell}})});
}
const Op kClipped{"clip", "y = min(max(x, −c), c)", "", elementwise_backward<clipped_slope>, clipped_explain};
const Op kSoftplus{"softplus", "y = log(1 + exp(x))", "", elementwise_backward<softplus_slope>,
                   explain<log_of_one_plus_exp>};
const Op kGelu{"gelu", "y = x Φ(x) = x/2 · (1 + erf(x/√2))", "Hendrycks and Gimpel 2016, section 2",
               elementwise_backward<gelu_slope>, explain<gaussian_unit>};
const Op kGeluTanh{"gelu_tanh", "y = x/2 · (1 + tanh(√(2/π) (x + 0.044715 x³)))",
                   "Hendrycks and Gimpel 2016, section 2", elementwise_backward<gelu_tanh_slope>,
                   explain<gaussian_unit_by_tanh>};
const Op kSilu{"silu", "y = x σ(x)", "Hendrycks and Gimpel 2016, section 2", elementwise_backward<silu_slope>,
               explain<times_logistic>};

// --- maxout: the larger of two neighbours
bool odd_wins(const Tensor& x, Index cell) { return x[2 * cell + 1] > x[2 * cell]; }

void maxout_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor& x = node.inputs[0];
  if (!graph.wants(x)) return;
  Tensor d = Tensor::zeros(x.shape());
  for (Index i = 0; i < gradient.size(); ++i) d[2 * i + (odd_wins(x, i) ? 1 : 0)] = gradient[i];
  graph.add(x, d);
}

Explanation maxout_explain(const Node& node, Index cell) {
  const Tensor& x = node.inputs[0];
  const Index winner = 2 * cell + (odd_wins(x, cell) ? 1 : 0), other = 4 * cell + 1 - winner;
  return explaining::sum(node, cell,
                         {explaining::itself("larger", {x, winner}), explaining::term("smaller · 0", 0, {{x, other}})});
}

const Op kMaxout{"maxout", "y_k = max(x_2k, x_2k+1)", "Goodfellow et al. 2013, eq. 1", maxout_backward, maxout_explain};

// --- gated linear unit; saved: σ(B)
void glu_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor& x = node.inputs[0];
  if (!graph.wants(x)) return;
  const Index d = gradient.columns();
  Tensor dx(x.shape());
  for (Index r = 0; r < gradient.rows(); ++r) {
    const ConstArrayMap g(gradient.data() + r * d, d), a(x.data() + r * 2 * d, d), s(node.saved.data() + r * d, d);
    ArrayMap(dx.data() + r * 2 * d, d) = g * s;
    ArrayMap(dx.data() + r * 2 * d + d, d) = g * a * s * (Scalar(1) - s);
  }
  graph.add(x, dx);
}

Explanation glu_explain(const Node& node, Index cell) {
  const Tensor& x = node.inputs[0];
  const Index d = node.output.columns(), at = cell / d * 2 * d + cell % d;
  const Cell a{x, at}, b{x, at + d};
  return explaining::sum(node, cell, {explaining::term("A⊙σ(B)", a.value() * logistic(b.value()), {a, b})});
}

const Op kGlu{"GLU", "y = A ⊙ σ(B)", "Dauphin et al. 2017, eq. 1", glu_backward, glu_explain};

// --- dropout; the mask holds 0 or 1 / (1 − p)
void dropout_slope(const Node& node, const ConstArrayMap& g, ArrayMap d) { d = g * node.inputs[1].array(); }

Explanation dropout_explain(const Node& node, Index cell) {
  return explaining::sum(node, cell, {explaining::product("x⊙m", {node.inputs[0], cell}, {node.inputs[1], cell})});
}

const Op kDropout{"dropout", "y = x ⊙ m, m = b / (1 − p)", "Srivastava et al. 2014, section 4",
                  elementwise_backward<dropout_slope>, dropout_explain};

Shape halved(const Tensor& x, const char* operation, const char* expected) {
  require_shape(x.rank() > 0 && x.columns() % 2 == 0, operation, expected, x.shape());
  return x.shape().with_last(x.columns() / 2);
}

}  // namespace

Tensor sigmoid(const Tensor& x) {
  Tensor y(x.shape());
  sigmoid_of(x.array(), y.array());
  return recorded(kSigmoid, {x}, std::move(y));
}

Tensor tanh(const Tensor& x) {
  Tensor y(x.shape());
  y.array() = x.array().tanh();
  return recorded(kTanh, {x}, std::move(y));
}

Tensor relu(const Tensor& x) {
  const auto f = [](const ConstArrayMap& v, ArrayMap to) { to = v.max(Scalar(0)); };
  return recorded(kRelu, {x}, elementwise(x, kCheap, f));
}

Tensor relu_squared(const Tensor& x) {
  const auto f = [](const ConstArrayMap& v, ArrayMap to) { to = v.max(Scalar(0)).square(); };
  return recorded(kReluSquared, {x}, elementwise(x, kCheap, f));
}

Tensor clipped(const Tensor& x, Scalar bound) {
  const auto f = [bound](const ConstArrayMap& v, ArrayMap to) { to = v.max(-bound).min(bound); };
  return recorded(kClipped, {x}, elementwise(x, kCheap, f), {.x = static_cast<double>(bound)});
}

Tensor softplus(const Tensor& x) {
  Tensor y(x.shape());
  y.array() = x.array().max(Scalar(0)) + (-x.array().abs()).exp().log1p();
  return recorded(kSoftplus, {x}, std::move(y));
}

Tensor gelu(const Tensor& x) {
  const auto f = [](const ConstArrayMap& v, ArrayMap to) {
    normal_share(v, to);
    to *= v;
  };
  return recorded(kGelu, {x}, elementwise(x, kExponential, f));
}

Tensor gelu_tanh(const Tensor& x) {
  const auto f = [](const ConstArrayMap& v, ArrayMap to) {  // (1 + tanh(c)) / 2 = σ(2c), which keeps its digits
    to = (Scalar(-2) * cubic(v).abs()).exp();
    to = v * (v >= Scalar(0)).select(Scalar(1), to) / (Scalar(1) + to);
  };
  return recorded(kGeluTanh, {x}, elementwise(x, kExponential, f));
}

Tensor silu(const Tensor& x) {
  const auto f = [](const ConstArrayMap& v, ArrayMap to) {
    sigmoid_of(v, to);
    to *= v;
  };
  return recorded(kSilu, {x}, elementwise(x, kExponential, f));
}

Tensor maxout(const Tensor& x) {
  Tensor y(halved(x, "maxout", "[.. x 2l]"));
  for (Index i = 0; i < y.size(); ++i) y[i] = x[2 * i + (odd_wins(x, i) ? 1 : 0)];
  return recorded(kMaxout, {x}, std::move(y));
}

Tensor glu(const Tensor& x) {
  Tensor y(halved(x, "GLU", "[.. x 2d]")), gate(y.shape());
  const Index d = y.columns();
  // All at once, as the parts that are shown: so both give the same numbers.
  Tensor b(y.shape());
  b.matrix() = x.matrix().rightCols(d);
  sigmoid_of(std::as_const(b).array(), gate.array());
  y.matrix() = x.matrix().leftCols(d).cwiseProduct(gate.matrix());
  return recorded(kGlu, {x}, std::move(y), {}, gate);
}

Tensor dropout(const Tensor& x, double p, Random& random) {
  if (!(p >= 0 && p < 1)) {
    std::ostringstream text;
    text << "dropout " << p << " is outside [0, 1)";
    throw UsageError(text.str());
  }
  if (p == 0) return x;
  Tensor mask(x.shape()), y(x.shape());
  const auto kept = static_cast<Scalar>(1 / (1 - p));
  std::array<std::uint32_t, 1024> draws;
  for (Index begin = 0; begin < x.size(); begin += static_cast<Index>(draws.size())) {
    const Index count = std::min(static_cast<Index>(draws.size()), x.size() - begin);
    random.bits(draws.data(), static_cast<std::size_t>(count));
    Scalar* out = mask.data() + begin;
    for (Index i = 0; i < count; ++i) out[i] = draws[static_cast<std::size_t>(i)] * 0x1p-32 < p ? Scalar(0) : kept;
  }
  y.array() = x.array() * mask.array();
  return recorded(kDropout, {x, mask}, std::move(y));
}

}  // namespace headlight
