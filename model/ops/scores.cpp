// Scores other than the dot product: additive and cosine.

#include <cmath>

#include "model/ops/attention.h"
#include "model/ops/explaining.h"

namespace headlight {

namespace {

// Where the vectors of score [n, t, j] begin: row n·T + t of the queries, row n·S + j of the keys.
struct Sizes {
  Index batch, t_count, s_count, width;
  Sizes(const Tensor& queries, const Tensor& keys)
      : batch(queries.dim(0)), t_count(queries.dim(1)), s_count(keys.dim(1)), width(keys.dim(2)) {}
  ConstArrayMap row(const Tensor& t, Index r) const { return {t.data() + r * width, width}; }
  ArrayMap row(Tensor& t, Index r) const { return {t.data() + r * width, width}; }
};

// --- additive; attributes.i[0] is the Squash
Squash squash_of(const Node& node) { return static_cast<Squash>(node.attributes.i[0]); }

// Calls `with` with f and its derivative, given f(x), as functions of an Eigen expression: the loops below are compiled
// once for each f and stay one vectorised pass.
template <class With>
void with_squash(Squash squash, With with) {
  switch (squash) {
    case Squash::tanh:
      return with([](const auto& x) { return x.tanh(); }, [](const auto& y) { return Scalar(1) - y.square(); });
    case Squash::relu:
      return with([](const auto& x) { return x.max(Scalar(0)); },
                  [](const auto& y) { return (y > Scalar(0)).template cast<Scalar>(); });
    case Squash::none:
      return with([](const auto& x) { return x * Scalar(1); }, [](const auto& y) { return y * Scalar(0) + Scalar(1); });
  }
}

struct AdditiveGradients {
  Tensor queries, keys, v;  // undefined: not wanted
};

// f(q + k) is computed again: that costs less than writing and reading T·S vectors for each sentence of a batch.
template <class F, class Derivative>
void additive_gradients(const Node& node, const Tensor& gradient, AdditiveGradients& d, F f, Derivative derivative) {
  const Tensor &queries = node.inputs[0], &keys = node.inputs[1];
  const Sizes sizes(queries, keys);
  const ConstArrayMap v = node.inputs[2].array();
  Eigen::Array<Scalar, Eigen::Dynamic, 1> y(sizes.width), dx(sizes.width), dq(sizes.width), dv(sizes.width);
  dv.setZero();
  for (Index r = 0; r < sizes.batch * sizes.t_count; ++r) {
    const ConstArrayMap q = sizes.row(queries, r);
    dq.setZero();
    for (Index j = 0; j < sizes.s_count; ++j) {
      const Scalar g = gradient[r * sizes.s_count + j];
      if (g == 0) continue;  // padding
      const Index key = r / sizes.t_count * sizes.s_count + j;
      y = f(q + sizes.row(keys, key));
      dv += g * y;
      dx = g * v * derivative(y);
      dq += dx;
      if (d.keys) sizes.row(d.keys, key) += dx;
    }
    if (d.queries) sizes.row(d.queries, r) = dq;
  }
  if (d.v) d.v.array() = dv;
}

void additive_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  AdditiveGradients d;
  if (graph.wants(node.inputs[0])) d.queries = Tensor(node.inputs[0].shape());
  if (graph.wants(node.inputs[1])) d.keys = Tensor::zeros(node.inputs[1].shape());
  if (graph.wants(node.inputs[2])) d.v = Tensor(node.inputs[2].shape());
  with_squash(squash_of(node), [&](auto f, auto derivative) { additive_gradients(node, gradient, d, f, derivative); });
  if (d.queries) graph.add(node.inputs[0], d.queries);
  if (d.keys) graph.add(node.inputs[1], d.keys);
  if (d.v) graph.add(node.inputs[2], d.v);
  const Tensor& bias = node.inputs[3];
  if (bias.defined() && graph.wants(bias)) graph.add(bias, Tensor::full({1}, gradient.array().sum()));
}

double squashed(Squash squash, double x) {
  if (squash == Squash::none) return x;
  return squash == Squash::tanh ? std::tanh(x) : std::max(x, 0.0);
}

Explanation additive_explain(const Node& node, Index cell) {
  const Tensor &queries = node.inputs[0], &keys = node.inputs[1], &bias = node.inputs[3];
  const Sizes sizes(queries, keys);
  const Squash squash = squash_of(node);
  const char* label = squash == Squash::tanh ? "v·tanh(q+k)" : squash == Squash::relu ? "v·relu(q+k)" : "v·(q+k)";
  const Index r = cell / sizes.s_count, key = r / sizes.t_count * sizes.s_count + cell % sizes.s_count;
  std::vector<Term> terms = explaining::terms(sizes.width, [&](Index i) {
    const Cell v{node.inputs[2], i}, q{queries, r * sizes.width + i}, k{keys, key * sizes.width + i};
    return explaining::term(label, v.value() * squashed(squash, q.value() + k.value()), {v, q, k});
  });
  if (bias.defined()) terms.push_back(explaining::itself("b", {bias, 0}));
  return explaining::sum(node, cell, std::move(terms));
}

const Op kAdditive{"additive score", "s_j = v · f(q + k_j) + b", "Bahdanau et al. 2015, A.1.2", additive_backward,
                   additive_explain};

// --- cosine
constexpr double kSmallest = 1e-8;

// What the score of a pair is made from.
struct Cosine {
  double dot, query, key;  // q·k, ‖q‖, ‖k‖
  double denominator() const { return query * key + kSmallest; }
  double value() const { return dot / denominator(); }
};

double norm_of(const ConstArrayMap& v) { return std::sqrt(v.cast<double>().square().sum()); }

Cosine cosine_of(const ConstArrayMap& q, const ConstArrayMap& k) {
  return {(q.cast<double>() * k.cast<double>()).sum(), norm_of(q), norm_of(k)};
}

Index beta_of(const Tensor& beta, Index row) { return beta.size() == 1 ? 0 : row; }

// With u = ‖q‖ ‖k‖ + ε: d cos / dq = k / u − cos · ‖k‖ / u · q / ‖q‖, and the same for k.
void cosine_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &queries = node.inputs[0], &keys = node.inputs[1], &beta = node.inputs[2];
  const Sizes sizes(queries, keys);
  Tensor dq = Tensor::zeros(queries.shape()), dk = Tensor::zeros(keys.shape()), dbeta = Tensor::zeros(beta.shape());
  for (Index r = 0; r < sizes.batch * sizes.t_count; ++r) {
    const ConstArrayMap q = sizes.row(queries, r);
    const Index b = beta_of(beta, r);
    for (Index j = 0; j < sizes.s_count; ++j) {
      const Index key = r / sizes.t_count * sizes.s_count + j;
      const ConstArrayMap k = sizes.row(keys, key);
      const Cosine c = cosine_of(q, k);
      if (c.query == 0 || c.key == 0) continue;
      const double g = static_cast<double>(gradient[r * sizes.s_count + j]), cosine = c.value();
      dbeta[b] += static_cast<Scalar>(g * cosine);
      const double weight = g * static_cast<double>(beta[b]) / c.denominator();
      sizes.row(dq, r) += static_cast<Scalar>(weight) * k - static_cast<Scalar>(weight * cosine * c.key / c.query) * q;
      sizes.row(dk, key) +=
          static_cast<Scalar>(weight) * q - static_cast<Scalar>(weight * cosine * c.query / c.key) * k;
    }
  }
  graph.add(queries, dq);
  graph.add(keys, dk);
  graph.add(beta, dbeta);
}

Explanation cosine_explain(const Node& node, Index cell) {
  const Tensor &queries = node.inputs[0], &keys = node.inputs[1], &beta = node.inputs[2];
  const Sizes sizes(queries, keys);
  const Index r = cell / sizes.s_count, key = r / sizes.t_count * sizes.s_count + cell % sizes.s_count;
  const Cosine c = cosine_of(sizes.row(queries, r), sizes.row(keys, key));
  const Cell b{beta, beta_of(beta, r)};
  return explaining::sum(
      node, cell, explaining::terms(sizes.width, [&](Index i) {
        const Cell q{queries, r * sizes.width + i}, k{keys, key * sizes.width + i};
        return explaining::term("β·q·k/(‖q‖‖k‖)", b.value() * q.value() * k.value() / c.denominator(), {b, q, k});
      }));
}

const Op kCosine{"cosine score", "s_j = β q · k_j / (‖q‖ ‖k_j‖)", "Graves et al. 2014, eq. 5 and 6", cosine_backward,
                 cosine_explain};

}  // namespace

Tensor additive_scores(const Tensor& queries, const Tensor& keys, const Tensor& v, const Tensor& bias, Squash squash) {
  require_pair("additive score", queries, keys);
  const Sizes sizes(queries, keys);
  require_shape(v.size() == sizes.width, "additive score", "v [" + std::to_string(sizes.width) + "]", v.shape());
  if (bias.defined()) require_shape(bias.size() == 1, "additive score", "a bias [1]", bias.shape());
  Tensor scores({sizes.batch, sizes.t_count, sizes.s_count});
  const Scalar addend = bias.defined() ? bias[0] : Scalar(0);
  const ConstArrayMap weights = v.array();
  with_squash(squash, [&](auto f, auto) {
    for (Index i = 0; i < scores.size(); ++i) {
      const Index r = i / sizes.s_count, key = r / sizes.t_count * sizes.s_count + i % sizes.s_count;
      scores[i] = (weights * f(sizes.row(queries, r) + sizes.row(keys, key))).sum() + addend;
    }
  });
  return recorded(kAdditive, {queries, keys, v, bias}, std::move(scores), {.i = {static_cast<Index>(squash)}});
}

Tensor cosine_scores(const Tensor& queries, const Tensor& keys, const Tensor& beta) {
  require_pair("cosine score", queries, keys);
  const Sizes sizes(queries, keys);
  const Index row_count = sizes.batch * sizes.t_count;
  require_shape(beta.size() == 1 || beta.size() == row_count, "cosine score",
                "one beta, or " + std::to_string(row_count), beta.shape());
  Tensor scores({sizes.batch, sizes.t_count, sizes.s_count});
  for (Index i = 0; i < scores.size(); ++i) {
    const Index r = i / sizes.s_count, key = r / sizes.t_count * sizes.s_count + i % sizes.s_count;
    const Cosine c = cosine_of(sizes.row(queries, r), sizes.row(keys, key));
    scores[i] = static_cast<Scalar>(static_cast<double>(beta[beta_of(beta, r)]) * c.value());
  }
  return recorded(kCosine, {queries, keys, beta}, std::move(scores));
}

}  // namespace headlight
