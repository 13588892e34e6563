// Positions: rotated, as a bias of scores, as a table of sinusoids. (A learned table is an embedding.)
#pragma once

#include <vector>

#include "model/core/graph.h"

namespace headlight {

// Each pair (a, b) of a row at position p is turned by the angle p·θ^(−2i/k): (a cos − b sin, a sin + b cos) (Su et al.
// 2021, eq. 34). Pair i is the entries 2i and 2i + 1 (`neighbours`, as in the paper), or i and i + k/2 (halves).
// x [(N·H) x T x k], k even, positions [N x T] -> [(N·H) x T x k]. No gradient to the positions.
Tensor rotary(const Tensor& x, const Tensor& positions, double theta, bool neighbours);
// The same with the angle p·w_i of each pair, and `factor` in front of its sine and cosine (Peng et al. 2023, section
// 3.4). Fewer than k/2 frequencies turn the beginning of each row only, the rest stays as it is. `apart`: pairs of
// neighbours are written as halves.
Tensor rotary(const Tensor& x, const Tensor& positions, const std::vector<double>& frequencies, bool neighbours,
              double factor = 1, bool apart = false);

// The bucket of a distance key − query (Raffel et al. 2020, section 2.1; log-spaced up to `max_distance`). Both
// directions: half of the buckets for keys after the query; else those all fall into bucket 0.
Index relative_bucket(Index distance, bool both_directions, Index buckets, Index max_distance);
// b_h[t, j] = table[bucket(j − (first + t)), h]: table [buckets x H] -> [H x T x S].
Tensor relative_bias(const Tensor& table, Index first, Index t_count, Index s_count, bool both_directions,
                     Index max_distance);

// m_h, one for each head (Press et al. 2022, section 3): 2^(−8 (h+1)/n) for the largest power of 2 n ≤ H, behind them
// every second one of 2n. `rounded`: to bfloat16.
std::vector<double> alibi_slopes(Index heads, bool rounded);
// b_h[t, j] = m_h · j, the same for each query t, as only differences between keys count: [H x T x S]. A constant.
// `rounded`: slopes, positions and products to bfloat16, as Falcon does.
Tensor alibi(Index heads, Index t_count, Index s_count, bool rounded);

// The row of a table of 2·span that a distance query − key has (He et al. 2021, section 3.1 and A.5): half of the
// buckets are distances as they are, the others grow with them up to `longest`; without buckets all are as they are, up
// to span.
struct DistanceRows {
  Index span = 1, buckets = 0, longest = 1;
  Index of(Index distance) const;
  // Of a text of T tokens: the first row that it needs, and how many.
  Index first(Index t_count) const { return of(1 - t_count); }
  Index count(Index t_count) const { return of(t_count - 1) - first(t_count) + 1; }
};
// y[t, j] = x[t, row of t − j], or x[j, row of t − j] `of_keys`, of the rows that the text needs: x [B x T x R] ->
// [B x T x T].
Tensor by_distance(const Tensor& x, const DistanceRows& rows, bool of_keys);

// sin(p·w_i) and cos(p·w_i), i = 0 .. d/2 − 1 (Vaswani et al. 2017, section 3.5).
enum class Sinusoid {
  pairs,   // of the paper: sin_0 cos_0 sin_1 cos_1 ..; w_i = 10000^(−2i/d)
  halves,  // the same, all sines before all cosines (Marian)
  t2t,     // as halves, but w_i = 10000^(−i/(d/2−1)) (what the authors' program ran)
};
// A constant [positions x d], d even, computed in double.
Tensor sinusoid_table(Index positions, Index d, Sinusoid kind);

}  // namespace headlight
