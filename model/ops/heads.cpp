#include "model/ops/heads.h"

#include "model/core/parallel.h"
#include "model/ops/basic.h"
#include "model/ops/explaining.h"
#include "model/ops/gradients.h"

namespace headlight {

namespace {

// f(s) for every entries_of s of the leading axis of x.
template <class F>
void over_slices(const Tensor& x, F f) {
  const Index count = x.dim(0);
  parallel_for(count, grain_for(count, count == 0 ? 0 : x.size() / count), [&](Index begin, Index end) {
    for (Index s = begin; s < end; ++s) f(s);
  });
}

// --- columns as heads and back: attributes.i = batch N, heads H
struct Fold {
  Index batch, heads, t_count, size;  // N, H, T, k

  // Where cell (n, t, h, i) of [(N·H) x T x k] stands in [N x T x (H·k)].
  Index joined_cell(Index split_cell) const {
    const Index i = split_cell % size, t = split_cell / size % t_count, entries_of = split_cell / size / t_count;
    return ((entries_of / heads * t_count + t) * heads + entries_of % heads) * size + i;
  }
  Index split_cell(Index joined_cell) const {
    const Index i = joined_cell % size, h = joined_cell / size % heads, row = joined_cell / size / heads;
    return ((row / t_count * heads + h) * t_count + row % t_count) * size + i;
  }
};

Tensor split(const Tensor& x, const Fold& f) {
  Tensor y({f.batch * f.heads, f.t_count, f.size});
  const Eigen::OuterStride<> stride(f.heads * f.size);
  over_slices(y, [&](Index s) {
    MatrixMap(y.data() + s * f.t_count * f.size, f.t_count, f.size) = ConstStridedMatrixMap(
        x.data() + (s / f.heads * f.t_count * f.heads + s % f.heads) * f.size, f.t_count, f.size, stride);
  });
  return y;
}

Tensor join(const Tensor& x, const Fold& f) {
  Tensor y({f.batch, f.t_count, f.heads * f.size});
  const Eigen::OuterStride<> stride(f.heads * f.size);
  over_slices(x, [&](Index s) {
    StridedMatrixMap(y.data() + (s / f.heads * f.t_count * f.heads + s % f.heads) * f.size, f.t_count, f.size, stride) =
        ConstMatrixMap(x.data() + s * f.t_count * f.size, f.t_count, f.size);
  });
  return y;
}

// Of the node of a split or a join; `heads_outside` [(N·H) x T x k].
Fold fold_of(const Node& node, const Tensor& heads_outside) {
  return {node.attributes.i[0], node.attributes.i[1], heads_outside.dim(1), heads_outside.dim(2)};
}
Attributes attributes_of(const Fold& f) { return {.i = {f.batch, f.heads}}; }

void split_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  if (graph.wants(node.inputs[0])) graph.add(node.inputs[0], join(gradient, fold_of(node, gradient)));
}
Explanation split_explain(const Node& node, Index cell) {
  return explaining::copy(node, cell, {node.inputs[0], fold_of(node, node.output).joined_cell(cell)});
}
void join_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  if (graph.wants(node.inputs[0])) graph.add(node.inputs[0], split(gradient, fold_of(node, node.inputs[0])));
}
Explanation join_explain(const Node& node, Index cell) {
  return explaining::copy(node, cell, {node.inputs[0], fold_of(node, node.inputs[0]).split_cell(cell)});
}

const Op kSplit{"split heads", "y_h = x[:, h k : (h + 1) k]", "Vaswani et al. 2017, section 3.2.2", split_backward,
                split_explain};
const Op kJoin{"join heads", "y = [x_0 ; … ; x_{H−1}]", "Vaswani et al. 2017, section 3.2.2", join_backward,
               join_explain};

// --- heads that serve several queries: attributes.i[0] is how many
ConstArrayMap entries_of(const Tensor& x, Index n) {
  const Index size = x.size() / x.dim(0);
  return {x.data() + n * size, size};
}
ArrayMap entries_of(Tensor& x, Index n) {
  const Index size = x.size() / x.dim(0);
  return {x.data() + n * size, size};
}

void repeat_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  if (!graph.wants(node.inputs[0])) return;
  Tensor& sum = graph.target(node.inputs[0]);
  for (Index n = 0; n < gradient.dim(0); ++n) entries_of(sum, n / node.attributes.i[0]) += entries_of(gradient, n);
}

Explanation repeat_explain(const Node& node, Index cell) {
  const Index size = node.output.size() / node.output.dim(0);
  return explaining::copy(node, cell, {node.inputs[0], cell / size / node.attributes.i[0] * size + cell % size});
}

const Op kRepeat{"repeat heads", "y_h = x_⌊h / times⌋", "Ainslie et al. 2023, section 2.2", repeat_backward,
                 repeat_explain};

// --- a cache grows: y [B x (L+T) x k] = before [B x L x k], then x [B x T x k]
MatrixMap part(Tensor& y, Index b, Index begin, Index count) {
  return {y.data() + (b * y.dim(1) + begin) * y.dim(2), count, y.dim(2)};
}
ConstMatrixMap part(const Tensor& y, Index b, Index begin, Index count) {
  return {y.data() + (b * y.dim(1) + begin) * y.dim(2), count, y.dim(2)};
}

void append_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  for (const std::size_t i : {0u, 1u}) {
    add_gradient(graph, node.inputs[i], [&](Tensor& d) {
      const Index count = d.dim(1), begin = i == 0 ? 0 : gradient.dim(1) - count;
      for (Index b = 0; b < d.dim(0); ++b) part(d, b, 0, count) = part(gradient, b, begin, count);
    });
  }
}

Explanation append_explain(const Node& node, Index cell) {
  const Tensor &before = node.inputs[0], &x = node.inputs[1];
  const Index k = x.dim(2), rows = node.output.dim(1), b = cell / k / rows, row = cell / k % rows, i = cell % k;
  const Index length = before.dim(1);
  if (row < length) return explaining::copy(node, cell, {before, (b * length + row) * k + i});
  return explaining::copy(node, cell, {x, (b * x.dim(1) + row - length) * k + i});
}

const Op kAppend{"append rows", "y = [x_0; …; x_{L−1}; x_L]", "", append_backward, append_explain};

}  // namespace

Tensor split_heads(const Tensor& x, Index heads) {
  require_shape(x.rank() == 3 && heads > 0 && x.dim(2) % heads == 0, "split heads",
                "[N x T x a multiple of " + std::to_string(heads) + "]", x.shape());
  const Fold f{x.dim(0), heads, x.dim(1), x.dim(2) / heads};
  if (heads == 1 || f.t_count == 1) return reshape(x, {f.batch * heads, f.t_count, f.size});
  return recorded(kSplit, {x}, split(x, f), attributes_of(f));
}

Tensor join_heads(const Tensor& x, Index batch) {
  require_shape(x.rank() == 3 && batch > 0 && x.dim(0) % batch == 0, "join heads",
                "[(" + std::to_string(batch) + "·H) x T x k]", x.shape());
  const Fold f{batch, x.dim(0) / batch, x.dim(1), x.dim(2)};
  if (f.heads == 1 || f.t_count == 1) return reshape(x, {batch, f.t_count, f.heads * f.size});
  return recorded(kJoin, {x}, join(x, f), attributes_of(f));
}

Tensor repeat_heads(const Tensor& x, Index times) {
  require_shape(x.rank() == 3 && times > 0, "repeat heads", "[(N·G) x S x k], at least once", x.shape());
  if (times == 1) return x;
  Tensor y({x.dim(0) * times, x.dim(1), x.dim(2)});
  for (Index n = 0; n < y.dim(0); ++n) entries_of(y, n) = entries_of(x, n / times);
  return recorded(kRepeat, {x}, std::move(y), {.i = {times}});
}

Tensor append_rows(const Tensor& before, const Tensor& x) {
  require_shape(x.rank() == 3, "append rows", "[B x T x k]", x.shape());
  if (!before.defined()) return x;
  require_shape(before.rank() == 3 && before.dim(0) == x.dim(0) && before.dim(2) == x.dim(2), "append rows",
                "a cache for " + x.shape().text(), before.shape());
  const Index length = before.dim(1), count = x.dim(1);
  Tensor y({x.dim(0), length + count, x.dim(2)});
  over_slices(y, [&](Index b) {
    part(y, b, 0, length) = part(before, b, 0, length);
    part(y, b, length, count) = part(x, b, 0, count);
  });
  return recorded(kAppend, {before, x}, std::move(y));
}

}  // namespace headlight
