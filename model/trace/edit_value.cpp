// What-if edits: what they do to a value.

#include "model/trace/edit_value.h"

#include <algorithm>

#include "model/ops/explaining.h"

namespace headlight {

namespace {

Explanation edit_explain(const Node& node, Index cell) {
  if (node.output[cell] == node.inputs[0][cell]) return explaining::copy(node, cell, {node.inputs[0], cell});
  Explanation explanation;
  explanation.op = node.op;
  explanation.value = explanation.recomputed = static_cast<double>(node.output[cell]);
  explanation.terms.push_back(explaining::itself("was", {node.inputs[0], cell}));
  return explanation;
}

const Op kEdit{"edit", "set by you", "", nullptr, edit_explain};

// The cells from `begin` to `end` of a value, as matrices: all of it, or one slice.
struct Matrices {
  Index columns, rows, begin, end, first;
  bool heads;

  Matrices(const Tensor& value, const MatrixRows& given, Index slice)
      : columns(std::max<Index>(1, value.columns())), first(given.first), heads(given.heads) {
    const Index size = slice < 0 ? value.size() : slice_size(value);
    begin = std::max<Index>(0, slice) * size;
    end = begin + size;
    rows = given.count > 0 ? given.count : value.rank() >= 2 ? value.dim(-2) : 1;
    rows = std::clamp<Index>(rows, 1, std::max<Index>(1, size / columns));
  }
  // The batch axis is still there: [1 x ..] or, of heads, [H x ..].
  static Index slice_size(const Tensor& value) { return value.dim(0) == 0 ? 0 : value.size() / value.dim(0); }
};

// Of the row of query i, what is left and right of the band.
struct Outside {
  Index left, right;  // the ends: [0, left) and [right, columns)
  Outside(const Intervention::Band& band, Index i, Index columns) {
    Index first = band.both_sides ? i - band.width : 0, end = i + band.width + 1;
    if (band.from_end) {
      const Index mirrored = columns - end;
      end = columns - first;
      first = mirrored;
    }
    left = std::clamp<Index>(first, 0, columns);
    right = std::clamp<Index>(end, 0, columns);
  }
};

// Calls f(begin, end) for every run of cells of an edit.
template <class F>
void each_range(const Intervention& edit, const Matrices& m, F f) {
  const bool flat = !edit.outside && edit.row == Intervention::kFlat;
  if (flat && edit.cell < 0) return f(m.begin, m.end);
  if (flat) return f(m.begin + edit.cell, m.begin + edit.cell + edit.count);
  const bool one_row = !edit.outside && edit.row >= 0;
  const Index count = (m.end - m.begin) / m.columns;
  for (Index r = one_row ? edit.row : 0; r < count; r += one_row ? m.rows : 1) {
    const Index from = m.begin + r * m.columns;
    if (!edit.outside) {
      const Index cell = std::max<Index>(0, edit.cell);
      f(from + cell, from + (edit.cell < 0 ? m.columns : cell + edit.count));
      continue;
    }
    const Outside band(*edit.outside, m.first + (m.heads ? 0 : r % m.rows), m.columns);
    f(from, from + band.left);
    f(from + band.right, from + m.columns);
  }
}

// One weight becomes `value`; the others of its row are scaled so that the sum stays.
void pin(Tensor& changed, Index cell, Scalar value) {
  const Index n = changed.columns(), from = cell / n * n;
  double sum = 0, others = 0;
  for (Index j = from; j < from + n; ++j) {
    sum += static_cast<double>(changed[j]);
    if (j != cell) others += static_cast<double>(changed[j]);
  }
  const double rest = sum - static_cast<double>(value);
  // With nothing left to scale, the rest is shared out evenly.
  for (Index j = from; j < from + n; ++j) {
    if (j == cell) continue;
    changed[j] = static_cast<Scalar>(others != 0 ? static_cast<double>(changed[j]) * (rest / others)
                                                 : rest / static_cast<double>(n - 1));
  }
  changed[cell] = value;
}

// Changes the cells of the edit in place.
void make(const Intervention& edit, const Matrices& matrices, Tensor& value) {
  using Kind = Intervention::Kind;
  if (edit.kind == Kind::replace) {
    std::ranges::copy(edit.values, value.data() + matrices.begin);
    return;
  }
  each_range(edit, matrices, [&](Index begin, Index end) {
    ArrayMap cells(value.data() + begin, std::max<Index>(0, end - begin));
    switch (edit.kind) {
      case Kind::set:
        cells.setConstant(edit.value);
        break;
      case Kind::zero:
        cells.setZero();
        break;
      case Kind::scale:
        cells *= edit.value;
        break;
      case Kind::add:
        cells += edit.value;
        break;
      case Kind::pin:
        pin(value, begin, edit.value);
        break;
      case Kind::replace:
        break;
    }
  });
}

}  // namespace

bool has_cells(const ValueEdit& of, const Tensor& value, const MatrixRows& rows) {
  const Intervention& edit = *of.edit;
  const Matrices m(value, rows, of.slice);
  const Index size = m.end - m.begin;
  if (edit.kind == Intervention::Kind::replace) return static_cast<Index>(edit.values.size()) == size;
  if (edit.outside) return true;
  const Index room = edit.row == Intervention::kFlat ? size : m.columns;
  if (edit.row >= m.rows || edit.count < 1) return false;
  return edit.cell < 0 || (edit.cell < room && edit.count <= room - edit.cell);
}

std::string no_such_cell(const Intervention& edit, const Site& site, const Shape& shape) {
  constexpr const char* kNames[] = {"source", "target", "unit", "vocabulary", "query", "key", "head", "slot", "single"};
  std::string axes;
  for (const Axis axis : site.kind->axes)
    axes += (axes.empty() ? "" : " x ") + std::string(kNames[static_cast<int>(axis)]);
  return "'" + to_text(edit) + "': there is no such cell; " + site.text + " is " + shape.text() + " (" + axes +
         ") here, counted from 0";
}

Tensor apply(std::span<const ValueEdit> edits, const Tensor& value, const MatrixRows& rows) {
  Tensor changed = value.clone();
  for (const ValueEdit& each : edits) {
    if (each.slice >= value.dim(0))
      throw UsageError("'" + to_text(*each.edit) + "': there are " + std::to_string(value.dim(0)) +
                       " heads, counted from 0");
    if (!has_cells(each, value, rows))
      throw UsageError("'" + to_text(*each.edit) + "': a value " + value.shape().text() + " has no such cells");
    make(*each.edit, Matrices(value, rows, each.slice), changed);
  }
  return recorded(kEdit, {value}, std::move(changed));
}

}  // namespace headlight
