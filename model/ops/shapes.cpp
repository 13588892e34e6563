// Moving values about: views, concatenation, stacking. Nothing is computed here, so a cell explains itself as a copy.

#include "model/ops/basic.h"
#include "model/ops/explaining.h"
#include "model/ops/gradients.h"

namespace headlight {

namespace {

// --- views of one run of cells: attributes.i[0] is where it begins in the input
void view_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor& input = node.inputs[0];
  if (!graph.wants(input)) return;
  if (gradient.size() == input.size()) {
    graph.add(input, gradient);
  } else {
    Tensor part = graph.target(input).view(node.attributes.i[0], gradient.shape());
    part.array() += gradient.array();
  }
}

Explanation view_explain(const Node& node, Index cell) {
  return explaining::copy(node, cell, {node.inputs[0], node.attributes.i[0] + cell});
}

const Op kView{"view", "y = x", "", view_backward, view_explain};

Tensor view_of(const Tensor& a, Index begin, const Shape& shape) {
  return recorded(kView, {a}, a.view(begin, shape), {.i = {begin}});
}

// --- a block of columns: attributes.i[0] is the first column
void columns_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  if (!graph.wants(node.inputs[0])) return;
  graph.target(node.inputs[0]).matrix().middleCols(node.attributes.i[0], gradient.columns()) += gradient.matrix();
}

Explanation columns_explain(const Node& node, Index cell) {
  const Index n = node.output.columns();
  return explaining::copy(node, cell,
                          {node.inputs[0], cell / n * node.inputs[0].columns() + node.attributes.i[0] + cell % n});
}

const Op kColumns{"columns", "y = x[:, i:j]", "", columns_backward, columns_explain};

// --- [a ; b]: attributes.i[0] is how often each row of a is repeated
void concat_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &a = node.inputs[0], &b = node.inputs[1];
  const ConstMatrixMap g = gradient.matrix();
  const Index repeat = node.attributes.i[0];
  if (graph.wants(a)) {
    MatrixMap da = graph.target(a).matrix();
    for (Index i = 0; i < g.rows(); ++i) da.row(i / repeat) += g.row(i).head(a.columns());
  }
  add_gradient(graph, b, [&](Tensor& db) { db.matrix() = g.rightCols(b.columns()); });
}

Explanation concat_explain(const Node& node, Index cell) {
  const Tensor &a = node.inputs[0], &b = node.inputs[1];
  const Index n = node.output.columns(), i = cell / n, j = cell % n;
  if (j < a.columns()) return explaining::copy(node, cell, {a, i / node.attributes.i[0] * a.columns() + j});
  return explaining::copy(node, cell, {b, i * b.columns() + j - a.columns()});
}

const Op kConcat{"concatenate", "y = [a ; b]", "", concat_backward, concat_explain};

// --- stacking steps: output [N x T x D], input t [N x D]
void stack_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Index n = gradient.dim(0), t_count = gradient.dim(1), d = gradient.dim(2);
  for (Index t = 0; t < t_count; ++t) {
    add_gradient(graph, node.inputs[static_cast<std::size_t>(t)], [&](Tensor& part) {
      part.matrix() = ConstStridedMatrixMap(gradient.data() + t * d, n, d, Eigen::OuterStride<>(t_count * d));
    });
  }
}

Explanation stack_explain(const Node& node, Index cell) {
  const Index d = node.output.dim(2), t_count = node.output.dim(1);
  const Index n = cell / (t_count * d), t = cell / d % t_count;
  return explaining::copy(node, cell, {node.inputs[static_cast<std::size_t>(t)], n * d + cell % d});
}

const Op kStack{"stack", "y = [x_0; …; x_{T−1}]", "", stack_backward, stack_explain};

// --- steps behind each other: output [S x N x D], input s [N x D]
void stack0_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  for (std::size_t s = 0; s < node.inputs.size(); ++s)
    if (graph.wants(node.inputs[s]))
      graph.add(node.inputs[s], gradient.view(static_cast<Index>(s) * node.inputs[s].size(), node.inputs[s].shape()));
}

Explanation stack0_explain(const Node& node, Index cell) {
  const Index size = node.inputs[0].size();
  return explaining::copy(node, cell, {node.inputs[static_cast<std::size_t>(cell / size)], cell % size});
}

const Op kStack0{"join", "y = [x_0; …; x_{S−1}]", "", stack0_backward, stack0_explain};

// --- the two leading axes change places
Tensor swap_axes(const Tensor& a) {
  const Index n = a.dim(0), t_count = a.dim(1), d = a.dim(2);
  Tensor y({t_count, n, d});
  for (Index t = 0; t < t_count; ++t)
    MatrixMap(y.data() + t * n * d, n, d) =
        ConstStridedMatrixMap(a.data() + t * d, n, d, Eigen::OuterStride<>(t_count * d));
  return y;
}

void transpose01_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  if (graph.wants(node.inputs[0])) graph.add(node.inputs[0], swap_axes(gradient));
}

Explanation transpose01_explain(const Node& node, Index cell) {
  const Index n = node.output.dim(1), d = node.output.dim(2), t_count = node.output.dim(0);
  return explaining::copy(node, cell, {node.inputs[0], (cell / d % n * t_count + cell / d / n) * d + cell % d});
}

const Op kTranspose01{"swap axes", "y_ts = x_st", "", transpose01_backward, transpose01_explain};

// --- slices of the leading axis; the saved tensor holds their numbers
Explanation index_select_explain(const Node& node, Index cell) {
  const Index size = node.output.size() / node.output.dim(0);
  return explaining::copy(node, cell,
                          {node.inputs[0], static_cast<Index>(node.saved[cell / size]) * size + cell % size});
}

void index_select_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  if (!graph.wants(node.inputs[0])) return;
  const Index size = gradient.size() / gradient.dim(0);
  Tensor& d = graph.target(node.inputs[0]);
  for (Index i = 0; i < gradient.dim(0); ++i)
    d.view(static_cast<Index>(node.saved[i]) * size, {size}).array() += gradient.view(i * size, {size}).array();
}

const Op kIndexSelect{"take rows", "y_i = x_{r(i)}", "", index_select_backward, index_select_explain};

// --- copies of the whole
void repeated_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  add_runs(graph, node.inputs[0], gradient);
}

Explanation repeated_explain(const Node& node, Index cell) {
  return explaining::copy(node, cell, {node.inputs[0], cell % node.inputs[0].size()});
}

const Op kRepeated{"repeat", "y = [x; …; x]", "", repeated_backward, repeated_explain};

}  // namespace

Tensor reshape(const Tensor& a, const Shape& shape) {
  require_shape(a.size() == shape.size(), "reshape", std::to_string(a.size()) + " cells", shape);
  return view_of(a, 0, shape);
}

Tensor rows(const Tensor& a, Index begin, Index count) {
  std::vector<Index> dims = a.shape().vector();
  const Index stride = dims[0] == 0 ? 0 : a.size() / dims[0];
  dims[0] = count;
  return view_of(a, begin * stride, Shape(dims));
}

Tensor row(const Tensor& a, Index i) {
  const Shape shape = a.shape().without(0);
  return view_of(a, i * shape.size(), shape);
}

Tensor columns(const Tensor& a, Index begin, Index count) {
  require_shape(begin >= 0 && begin + count <= a.columns(), "columns", "at most " + std::to_string(a.columns()),
                {begin + count});
  if (a.rows() == 1) return view_of(a, begin, a.shape().with_last(count));
  Tensor y(a.shape().with_last(count));
  y.matrix() = a.matrix().middleCols(begin, count);
  return recorded(kColumns, {a}, std::move(y), {.i = {begin}});
}

Tensor concat(const Tensor& a, const Tensor& b) {
  require_shape(a.rows() > 0 && b.rows() % a.rows() == 0, "concatenate",
                "rows a multiple of " + std::to_string(a.rows()), b.shape());
  const Index repeat = b.rows() / a.rows();
  Tensor y(b.shape().with_last(a.columns() + b.columns()));
  MatrixMap out = y.matrix();
  for (Index i = 0; i < out.rows(); ++i) out.row(i).head(a.columns()) = a.matrix().row(i / repeat);
  out.rightCols(b.columns()) = b.matrix();
  return recorded(kConcat, {a, b}, std::move(y), {.i = {repeat}});
}

Tensor repeated(const Tensor& a, Index count) {
  if (count == 1) return a;
  std::vector<Index> dims = a.shape().vector();
  dims.insert(dims.begin(), count);
  Tensor y{Shape(dims)};
  for (Index i = 0; i < count; ++i) ArrayMap(y.data() + i * a.size(), a.size()) = a.array();
  return recorded(kRepeated, {a}, std::move(y));
}

Tensor stack(const std::vector<Tensor>& steps) {
  const auto t_count = static_cast<Index>(steps.size());
  require_shape(t_count > 0, "stack", "at least one step", {});
  for (const Tensor& step : steps)
    require_shape(step.rank() == 2 && step.shape() == steps[0].shape(), "stack", steps[0].shape().text(), step.shape());
  const Index n = steps[0].dim(0), d = steps[0].dim(1);
  Tensor y({n, t_count, d});
  for (Index t = 0; t < t_count; ++t)
    StridedMatrixMap(y.data() + t * d, n, d, Eigen::OuterStride<>(t_count * d)) =
        steps[static_cast<std::size_t>(t)].matrix();
  return recorded(kStack, std::span<const Tensor>(steps), std::move(y));
}

Tensor stack0(const std::vector<Tensor>& steps) {
  require_shape(!steps.empty(), "join", "at least one step", {});
  std::vector<Index> dims = steps[0].shape().vector();
  dims.insert(dims.begin(), static_cast<Index>(steps.size()));
  Tensor y{Shape(dims)};
  for (std::size_t s = 0; s < steps.size(); ++s) {
    require_shape(steps[s].shape() == steps[0].shape(), "join", steps[0].shape().text(), steps[s].shape());
    ArrayMap(y.data() + static_cast<Index>(s) * steps[s].size(), steps[s].size()) = steps[s].array();
  }
  return recorded(kStack0, std::span<const Tensor>(steps), std::move(y));
}

Tensor transpose01(const Tensor& a) {
  require_shape(a.rank() == 3, "swap axes", "[N x T x D]", a.shape());
  if (a.dim(0) == 1 || a.dim(1) == 1) return reshape(a, {a.dim(1), a.dim(0), a.dim(2)});
  return recorded(kTranspose01, {a}, swap_axes(a));
}

Tensor index_select(const Tensor& a, const std::vector<Index>& rows) {
  if (!a.defined()) return {};
  std::vector<Index> dims = a.shape().vector();
  const Index size = a.size() / dims[0];
  dims[0] = static_cast<Index>(rows.size());
  Tensor y{Shape(dims)}, numbers({dims[0]});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    require_shape(rows[i] >= 0 && rows[i] < a.dim(0), "take rows", "rows of " + a.shape().text(), {rows[i]});
    const auto at = static_cast<Index>(i);
    ArrayMap(y.data() + at * size, size) = ConstArrayMap(a.data() + rows[i] * size, size);
    numbers[at] = static_cast<Scalar>(rows[i]);
  }
  return recorded(kIndexSelect, {a}, std::move(y), {}, numbers);
}

}  // namespace headlight
