// The numbers of attention maps, joined from where the run put them: whole ones, and pooled ones for small pictures.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "model/analysis/attention_maps.h"

namespace headlight {

namespace {

// One row in reading order into `out` [K].
void read_row(const AttentionMap& map, Index head, Index row, Scalar* out) {
  const Index columns = map.column_count(), keys = map.source(row).keys;
  const Scalar* weights = map.weights(head, row);
  if (map.in_key_order()) {
    const Index shared = std::min(columns, keys);
    std::copy_n(weights, shared, out);
    std::fill(out + shared, out + columns, Scalar(0));
    return;
  }
  for (Index c = 0; c < columns; ++c) {
    const Index key = map.key_of_column[static_cast<std::size_t>(c)];
    out[c] = key == AttentionMap::kSink ? map.sink(head, row) : key < keys ? weights[key] : Scalar(0);
  }
}

// The larger of two; what is no number stays, whichever it is.
struct Larger {
  static Scalar of(Scalar a, Scalar b) { return (b <= a) | (a != a) ? a : b; }
};
// The one farther from 0; the same.
struct Farther {
  static Scalar of(Scalar a, Scalar b) { return (std::abs(b) <= std::abs(a)) | (a != a) ? a : b; }
};
template <class Which>
void take_each(Scalar* to, const Scalar* x, Index count) {
  for (Index i = 0; i < count; ++i) to[i] = Which::of(to[i], x[i]);
}

// The same for a head, the mean, or the maximum. `spare` has the room for a row.
void read_any(const AttentionMap& map, Index head, Index row, Scalar* out, Scalar* spare) {
  if (head >= 0) return read_row(map, head, row, out);
  const Index columns = map.column_count();
  const Index held = map.in_key_order() ? std::min(columns, map.source(row).keys) : columns;
  read_row(map, 0, row, out);
  for (Index h = 1; h < map.heads; ++h) {
    const Scalar* next = spare;
    if (map.in_key_order())
      next = map.weights(h, row);
    else
      read_row(map, h, row, spare);
    if (head == AttentionMap::kMax)
      take_each<Larger>(out, next, held);
    else
      ArrayMap(out, held) += ConstArrayMap(next, held);
  }
  if (head == AttentionMap::kMean) ArrayMap(out, held) /= static_cast<Scalar>(map.heads);
}

}  // namespace

AttentionMap with_sink(const AttentionMap& map) {
  AttentionMap made = map;
  if (!map.has_sink() || map.is_merged()) return made;
  made.columns.push_back({});
  made.key_of_column.push_back(AttentionMap::kSink);
  made.in_key_order_ = false;
  return made;
}

Tensor AttentionMap::matrix(Index head) const {
  const Index q = row_count(), k = column_count();
  if (head < 0 && heads == 1) head = 0;
  const AttentionRow& top = source(0);
  bool in_one_piece = head >= 0 && in_key_order_;
  for (Index r = 0; r < q && in_one_piece; ++r)
    in_one_piece = source(r).entry == top.entry && source(r).first == top.first + r * k && source(r).keys == k;
  if (in_one_piece) return values(top).view(top.first + head * top.head_stride, {q, k});
  Tensor out({q, k});
  std::vector<Scalar> spare(static_cast<std::size_t>(k));
  for (Index r = 0; r < q; ++r) read_any(*this, head, r, out.data() + r * k, spare.data());
  return out;
}

namespace {

template <class Which>
Tensor pooled_by(const AttentionMap& map, Index head, Index rows, Index columns) {
  const Index q = map.row_count(), k = map.column_count();
  Tensor out = Tensor::zeros({rows, columns});
  std::vector<Scalar> row(static_cast<std::size_t>(k)), spare(row), tallest(row);
  for (Index y = 0; y < rows; ++y) {
    std::fill(tallest.begin(), tallest.end(), Scalar(0));
    for (Index r = y * q / rows; r < (y + 1) * q / rows; ++r) {
      if (head >= 0 && map.in_key_order()) {  // as they lie in the trace
        take_each<Which>(tallest.data(), map.weights(head, r), std::min(k, map.source(r).keys));
        continue;
      }
      read_any(map, head, r, row.data(), spare.data());
      take_each<Which>(tallest.data(), row.data(), k);
    }
    Scalar* line = out.data() + y * columns;
    for (Index x = 0, c = 0; x < columns; ++x)
      for (const Index end = (x + 1) * k / columns; c < end; ++c)
        line[x] = Which::of(line[x], tallest[static_cast<std::size_t>(c)]);
  }
  for (Index i = 0; i < out.size(); ++i)
    if (!std::isfinite(out[i])) out[i] = std::numeric_limits<Scalar>::quiet_NaN();
  return out;
}

}  // namespace

Tensor pooled(const AttentionMap& map, Index head, Index rows, Index columns) {
  rows = std::clamp<Index>(rows, 1, map.row_count());
  columns = std::clamp<Index>(columns, 1, map.column_count());
  if (head < 0 && map.heads == 1) head = 0;
  return map.lowest < 0 ? pooled_by<Farther>(map, head, rows, columns) : pooled_by<Larger>(map, head, rows, columns);
}

}  // namespace headlight
