// The text stands once, on top, and everything below it on the same columns. Geometry and labels of these columns.
#pragma once

#include <QFont>
#include <QPainter>
#include <QRectF>
#include <limits>
#include <vector>

#include "model/core/scalar.h"
#include "widgets/text/axis_label.h"

namespace headlight {

// Pure: no fonts, no window.
struct TextColumns {
  std::vector<double> edges{0};  // pixels; one more than there are columns

  // Columns between `from` and `to` whose widths are as `shares`. One of share 1 is at least `least` and at most `most`
  // wide: more columns than fit make the content wider.
  static TextColumns of(const std::vector<double>& shares, double from, double to, double least, double most);

  int count() const { return static_cast<int>(edges.size()) - 1; }
  double left() const { return edges.front(); }
  double right() const { return edges.back(); }
  double left(int column) const { return nth(edges, column); }
  double width(int column) const { return left(column + 1) - left(column); }
  double centre(int column) const { return left(column) + width(column) / 2; }
  QRectF cell(int column, double top, double height) const { return {left(column), top, width(column), height}; }
  int at(double x) const;       // -1: in none
  int nearest(double x) const;  // also beside them
};

// A label that is not a token: what several folded columns are, on two lines.
inline bool is_folded(const AxisLabel& label) { return label.text.contains('\n'); }
// Whether all tokens are single characters; those are written larger, in a fixed pitch.
bool are_letters(const std::vector<AxisLabel>& labels);
// 1 each; a space among letters is half as wide, and what stands for several wider.
std::vector<double> column_shares(const std::vector<AxisLabel>& labels);

// The same, where columns of share 1 are `unit` wide: what stands for several has room for its label.
std::vector<double> column_shares(const std::vector<AxisLabel>& labels, double unit);

double widest_label(const std::vector<AxisLabel>& labels, const QFont& font);

// How the labels stand over their columns: as large as fits, upright; else turned.
struct ColumnHead {
  QFont font, folded_font;
  bool turned = false;
  double height = 0;

  // `largest`: of the type, relative to that of the window. Turned ones are at most `most` long.
  static ColumnHead of(const TextColumns& columns, const std::vector<AxisLabel>& labels, double largest, double most);
  // With its bottom at top + height. The chosen one is framed, the hovered one underlined; -1: none. No name goes on
  // behind `edge`.
  void paint(QPainter& painter, const TextColumns& columns, const std::vector<AxisLabel>& labels, double top,
             int chosen = -1, int hovered = -1, double edge = std::numeric_limits<double>::infinity()) const;
};

}  // namespace headlight
