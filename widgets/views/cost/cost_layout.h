// Geometry of the two pictures of time and cost. A timeline has a row for each token and a column for each step that
// waits for those before it; costs have a bar for each part of the model, lines of words, and a chart below. Pure: no
// window.
#pragma once

#include <QRectF>

namespace headlight {

struct CostHit {
  enum class Part { none, name, box, bar };
  Part part = Part::none;
  int row = -1;     // of the timeline, source first; of a bar: which
  int column = -1;  // of the timeline
  bool operator==(const CostHit&) const = default;
};

struct TimelineLayout {
  struct Metrics {
    QSizeF view;
    int source_rows = 0, text_rows = 0, columns = 0;
    double margin = 24, name = 80;
    double head = 70, axis = 18, foot = 24;  // heights: of the words, of the numbers of the columns, of the key
    double gap = 10;                         // between what is read and what is written
    double least_row = 6, most_row = 64, least_cell = 5, most_cell = 160;
  };
  Metrics metrics;
  double row_height = 0, cell_width = 0, left = 0, top = 0;
  double width = 0, height = 0;

  static TimelineLayout of(const Metrics& metrics);
  int rows() const { return metrics.source_rows + metrics.text_rows; }
  double row_top(int row) const;
  double bottom() const;  // of the last row
  QRectF words() const;
  QRectF name(int row) const;
  QRectF cell(int row, int column) const;
  QRectF number(int column) const;  // over the cells
  QRectF key() const;               // below them
  CostHit place_at(QPointF point) const;
};

struct CostLayout {
  struct Metrics {
    QSizeF view;
    int bars = 0, lines = 0;
    double margin = 24, name = 120;
    double head = 60, bar = 24, line = 18;  // heights
    double least_chart = 180;
  };
  Metrics metrics;
  double width = 0, height = 0;

  static CostLayout of(const Metrics& metrics);
  QRectF words() const;
  QRectF bar(int which) const;   // the whole line
  QRectF line(int which) const;  // of words, below the bars
  QRectF chart() const;
  CostHit place_at(QPointF point) const;
};

}  // namespace headlight
