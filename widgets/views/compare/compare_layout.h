// Geometry of the compare view: tokens of two runs above each other, and where its pictures go. Pure: no window.
#pragma once

#include <QRectF>
#include <array>
#include <vector>

namespace headlight {

// A column for each place of the aligned outputs: the token of A above that of B.
struct CompareTokensLayout {
  struct Metrics {
    double label = 18;  // "A", "B" at the left
    double chip = 24;   // height of a token
    double mark = 12;   // between the two: how they differ
    double smallest = 26, largest = 140;
    double margin = 24, above = 6, gap = 4;
  };
  struct Column {
    QRectF before, after, mark;
    QRectF whole() const { return before.united(after); }
  };
  std::vector<Column> columns;
  QRectF label_before, label_after;
  double width = 0, height = 0;

  static CompareTokensLayout of(const std::vector<double>& text_widths, const Metrics& metrics);
  int column_at(QPointF point) const;  // -1: none
};

// The two runs side by side; or also their difference: beside each other, below each other, or the difference alone, as
// there is room.
struct ComparePicturesLayout {
  enum class Form { pair, row, column, difference };
  Form form = Form::row;
  std::array<QRectF, 3> titles, pictures;  // A, B, B - A; empty when not shown

  // Beside each other, A has no colour bar of its own (it is that of B) and needs `bar` less; 0 where none has one.
  static ComparePicturesLayout pair(QSizeF size, double title, double gap);
  static ComparePicturesLayout of(QSizeF size, QSizeF smallest, double title, double bar);
};

}  // namespace headlight
