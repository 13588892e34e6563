// Linear maps, arithmetic, and moving values about. All ops are free functions on const tensors; see core/graph.h.
#pragma once

#include "model/core/graph.h"

namespace headlight {

// y = x W (+ a): x [.. x K], W [K x M], a undefined, [M] (a bias, added to every row) or [.. x M]. Returns [.. x M].
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& addend = {});

// Row id of `table` [V x D] for each id: ids [..] -> [.. x D]. Throws UsageError for an id outside [0, V).
Tensor embedding(const Tensor& ids, const Tensor& table);

// a ⊙ b, same shapes.
Tensor multiply(const Tensor& a, const Tensor& b);
// a + b, same shapes.
Tensor add(const Tensor& a, const Tensor& b);
// k·a.
Tensor scale(const Tensor& a, Scalar k);

// Views: the same values under another shape, or a run of the leading axis. No copy.
Tensor reshape(const Tensor& a, const Shape& shape);
Tensor rows(const Tensor& a, Index begin, Index count);  // [R x ..] -> [count x ..]
Tensor row(const Tensor& a, Index i);                    // [R x ..] -> [..]
// Columns [begin, begin + count) of the last axis; a view when `a` has one row.
Tensor columns(const Tensor& a, Index begin, Index count);

// [a ; b] along the last axis. `a` may lack the axis before it: a [N x A] stands beside all T rows of b [N x T x B].
Tensor concat(const Tensor& a, const Tensor& b);

// `count` copies of a [..]: [count x ..].
Tensor repeated(const Tensor& a, Index count);

// T tensors [N x D] -> [N x T x D].
Tensor stack(const std::vector<Tensor>& steps);

}  // namespace headlight
