// Geometry of rotations in the positions view: queries before and after, the clock of a pair, and products by distance.
// Pure.
#pragma once

#include <QRectF>
#include <vector>

namespace headlight {

// Which of the view's pictures, and where in it.
struct PositionsHit {
  enum class Part { none, table, clock, similarity };
  Part part = Part::none;
  int table = -1;  // of the tables shown side by side
  int position = -1, column = -1;
  bool operator==(const PositionsHit&) const = default;
};

struct PositionsLayout {
  struct Metrics {
    QSizeF view;
    double caption = 18;  // a line of text above each picture
    double axis = 16;     // numbers below and left of curves
    double axis_width = 34;
    double margin = 8, gap = 10;
    QSizeF smallest{380, 330};  // less than this scrolls
    int distances = 16;         // products at distances from -distances to +distances
  };
  std::vector<QRectF> tables;  // their cells; one or two
  std::vector<QRectF> table_captions;
  QRectF clock, clock_caption, clock_words, similarity, similarity_caption;
  double width = 0, height = 0;
  std::vector<int> rows, columns;  // of each table
  Metrics metrics;

  // rows[i] x columns[i]: the size of table i.
  static PositionsLayout of(const std::vector<int>& rows, const std::vector<int>& columns, const Metrics& metrics);
  double similarity_x(int position) const;  // of the distance, counted from the least
  int likenesses() const;                   // numbers along the similarity
  PositionsHit place_at(QPointF point) const;
  // The nearest position even outside of a picture: for dragging.
  int position_near(PositionsHit::Part part, int table, QPointF point) const;
  int column_near(int table, QPointF point) const;
};

}  // namespace headlight
