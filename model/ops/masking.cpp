// Whole rows chosen by a mask: carried over padding, zeroed, pooled.

#include <cmath>

#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/explaining.h"

namespace headlight {

namespace {

Index slice_size(const Tensor& x) { return x.dim(0) == 0 ? 0 : x.size() / x.dim(0); }
ConstArrayMap slice(const Tensor& x, Index n, Index size) { return {x.data() + n * size, size}; }
ArrayMap slice(Tensor& x, Index n, Index size) { return {x.data() + n * size, size}; }

// --- one of two
void where_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor& keep = node.inputs[0];
  const Index size = slice_size(gradient);
  for (const bool kept : {true, false}) {
    const Tensor& input = node.inputs[kept ? 1 : 2];
    if (!graph.wants(input)) continue;
    Tensor d = Tensor::zeros(input.shape());
    for (Index n = 0; n < keep.size(); ++n)
      if ((keep[n] != 0) == kept) slice(d, n, size) = slice(gradient, n, size);
    graph.add(input, d);
  }
}

Explanation where_explain(const Node& node, Index cell) {
  const bool kept = node.inputs[0][cell / slice_size(node.output)] != 0;
  return explaining::copy(node, cell, {node.inputs[kept ? 1 : 2], cell});
}

const Op kWhere{"choose rows", "y_n = m_n a_n + (1 − m_n) b_n", "", where_backward, where_explain};

// --- zero where not kept
Tensor masked(const Tensor& x, const Tensor& keep) {
  Tensor y(x.shape());
  for (Index r = 0; r < x.rows(); ++r) {
    if (keep[r] != 0) {
      y.matrix().row(r) = x.matrix().row(r);
    } else {
      y.matrix().row(r).setZero();
    }
  }
  return y;
}

void mask_rows_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  if (graph.wants(node.inputs[0])) graph.add(node.inputs[0], masked(gradient, node.inputs[1]));
}

Explanation mask_rows_explain(const Node& node, Index cell) {
  const Cell x{node.inputs[0], cell}, keep{node.inputs[1], cell / node.output.columns()};
  return explaining::sum(node, cell, {explaining::term("m·x", keep.value() != 0 ? x.value() : 0, {keep, x})});
}

const Op kMaskRows{"mask rows", "y_j = m_j x_j", "", mask_rows_backward, mask_rows_explain};

// --- pooling [N x S x H] -> [N x H]
bool is_kept(const Tensor& keep, Index row) { return !keep.defined() || keep[row] != 0; }

Index kept_count(const Tensor& keep, Index n, Index s_count) {
  Index count = 0;
  for (Index j = 0; j < s_count; ++j) count += is_kept(keep, n * s_count + j);
  return count;
}

void mean_rows_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &x = node.inputs[0], &keep = node.inputs[1];
  if (!graph.wants(x)) return;
  const Index s_count = x.dim(1);
  Tensor d = Tensor::zeros(x.shape());
  for (Index r = 0; r < x.rows(); ++r)
    if (is_kept(keep, r))
      d.matrix().row(r) =
          gradient.matrix().row(r / s_count) / static_cast<Scalar>(kept_count(keep, r / s_count, s_count));
  graph.add(x, d);
}

Explanation mean_rows_explain(const Node& node, Index cell) {
  const Tensor &x = node.inputs[0], &keep = node.inputs[1];
  const Index s_count = x.dim(1), h = x.dim(2), n = cell / h;
  const auto count = static_cast<double>(kept_count(keep, n, s_count));
  return explaining::sum(node, cell, explaining::terms(s_count, [&](Index j) {
                           const Cell value{x, (n * s_count + j) * h + cell % h};
                           return explaining::term("x/S", is_kept(keep, n * s_count + j) ? value.value() / count : 0,
                                                   {value});
                         }));
}

const Op kMeanRows{"mean", "y = Σ_j x_j / S", "", mean_rows_backward, mean_rows_explain};

// saved: the row that is largest, −1 where none is kept
void max_rows_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &x = node.inputs[0], &winner = node.saved;
  if (!graph.wants(x)) return;
  const Index s_count = x.dim(1), h = x.dim(2);
  Tensor d = Tensor::zeros(x.shape());
  for (Index i = 0; i < gradient.size(); ++i)
    if (winner[i] >= 0) d[(i / h * s_count + static_cast<Index>(winner[i])) * h + i % h] = gradient[i];
  graph.add(x, d);
}

Explanation max_rows_explain(const Node& node, Index cell) {
  const Tensor& x = node.inputs[0];
  const Index s_count = x.dim(1), h = x.dim(2), n = cell / h;
  const auto winner = static_cast<Index>(node.saved[cell]);
  return explaining::sum(node, cell, explaining::terms(s_count, [&](Index j) {
                           const Cell value{x, (n * s_count + j) * h + cell % h};
                           return j == winner ? explaining::itself("largest", value)
                                              : explaining::term("x · 0", 0, {value});
                         }));
}

const Op kMaxRows{"maximum", "y = max_j x_j", "", max_rows_backward, max_rows_explain};

void require_pooling(const char* operation, const Tensor& x, const Tensor& keep) {
  require_shape(x.rank() == 3, operation, "[N x S x H]", x.shape());
  if (keep.defined())
    require_shape(keep.size() == x.rows(), operation, "a mask of " + std::to_string(x.rows()), keep.shape());
}

}  // namespace

Tensor where(const Tensor& keep, const Tensor& a, const Tensor& b) {
  require_shape(a.rank() > 0 && a.shape() == b.shape(), "choose rows", a.shape().text(), b.shape());
  require_shape(keep.size() == a.dim(0), "choose rows", "a mask of " + std::to_string(a.dim(0)), keep.shape());
  Tensor y(a.shape());
  const Index size = slice_size(a);
  for (Index n = 0; n < keep.size(); ++n) slice(y, n, size) = slice(keep[n] != 0 ? a : b, n, size);
  return recorded(kWhere, {keep, a, b}, std::move(y));
}

Tensor mask_rows(const Tensor& x, const Tensor& keep) {
  require_shape(keep.size() == x.rows(), "mask rows", "a mask of " + std::to_string(x.rows()), keep.shape());
  return recorded(kMaskRows, {x, keep}, masked(x, keep));
}

Tensor mean_rows(const Tensor& x, const Tensor& keep) {
  require_pooling("mean", x, keep);
  const Index s_count = x.dim(1);
  Tensor y = Tensor::zeros({x.dim(0), x.dim(2)});
  for (Index r = 0; r < x.rows(); ++r)
    if (is_kept(keep, r)) y.matrix().row(r / s_count) += x.matrix().row(r);
  for (Index n = 0; n < x.dim(0); ++n)
    if (const Index count = kept_count(keep, n, s_count)) y.matrix().row(n) /= static_cast<Scalar>(count);
  return recorded(kMeanRows, {x, keep}, std::move(y));
}

Tensor max_rows(const Tensor& x, const Tensor& keep) {
  require_pooling("maximum", x, keep);
  const Index s_count = x.dim(1), h = x.dim(2);
  Tensor y = Tensor::zeros({x.dim(0), h}), winner = Tensor::full({x.dim(0), h}, -1);
  for (Index r = 0; r < x.rows(); ++r) {
    if (!is_kept(keep, r)) continue;
    for (Index i = 0; i < h; ++i) {
      const Index at = r / s_count * h + i;
      if (winner[at] >= 0 && !(x[r * h + i] > y[at])) continue;
      y[at] = x[r * h + i];
      winner[at] = static_cast<Scalar>(r % s_count);
    }
  }
  return recorded(kMaxRows, {x, keep}, std::move(y), {}, winner);
}

}  // namespace headlight
