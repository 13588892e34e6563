// Linear maps, arithmetic, and moving values about. All ops are free functions on const tensors; see core/graph.h.
#pragma once

#include "model/core/graph.h"

namespace headlight {

// y = x W (+ a): x [.. x K], W [K x M], a undefined, [M] (a bias, added to every row) or [.. x M]. Returns [.. x M].
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& addend = {});

// y = x Eᵀ (+ b), with a table that is stored by rows, as an embedding is (tied logits: Press and Wolf 2017): x [.. x
// d], table [V x d], bias [V] or undefined. Returns [.. x V].
Tensor linear_transposed(const Tensor& x, const Tensor& table, const Tensor& bias = {});

// Row id of `table` [V x D] for each id: ids [..] -> [.. x D]. Throws UsageError for an id outside [0, V).
Tensor embedding(const Tensor& ids, const Tensor& table);

// a ⊙ b, same shapes.
Tensor multiply(const Tensor& a, const Tensor& b);
// a + b, same shapes.
Tensor add(const Tensor& a, const Tensor& b);
// k·a.
Tensor scale(const Tensor& a, Scalar k);
// (1 − z) ⊙ a + z ⊙ b, same shapes (the state of a GRU: Cho et al. 2014, eq. 7).
Tensor interpolate(const Tensor& z, const Tensor& a, const Tensor& b);
// All numbers together: [..] -> [1].
Tensor sum(const Tensor& x);
// Each of the N leading slices times a constant of its own (no gradient to it): x [N x ..], factors [N] -> [N x ..].
Tensor scale_rows(const Tensor& x, const Tensor& factors);
// The same numbers, without a copy; k times the gradient (Gehring et al. 2017, section 3.5).
Tensor gradient_scale(const Tensor& x, Scalar k);

// Slice n of a where keep[n] is not 0, else of b: keep [N], a and b [N x ..] -> [N x ..]. Carries a state over padding.
Tensor where(const Tensor& keep, const Tensor& a, const Tensor& b);
// Zero where a row is not kept: x [N x L x d], keep [N x L] -> [N x L x d].
Tensor mask_rows(const Tensor& x, const Tensor& keep);

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
// S tensors [N x D] -> [S x N x D].
Tensor stack0(const std::vector<Tensor>& steps);
// The two leading axes change places: [N x T x D] -> [T x N x D].
Tensor transpose01(const Tensor& a);

// Slices `rows` of the leading axis, in this order, some perhaps twice. An undefined tensor stays undefined.
Tensor index_select(const Tensor& a, const std::vector<Index>& rows);

}  // namespace headlight
