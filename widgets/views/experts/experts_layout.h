// Geometry of the view of experts: a row for each token, a column for each expert, and below the chosen row the lines
// of its arithmetic. Pure: no window.
#pragma once

#include <QRectF>

namespace headlight {

struct ExpertsHit {
  int row = -1, expert = -1;
  int line = -1;  // of the arithmetic: 0, 1, ...; -1: the row itself
  bool operator==(const ExpertsHit&) const = default;
};

struct ExpertsLayout {
  struct Metrics {
    QSizeF view;
    int rows = 0, experts = 0;
    int opened = -1, lines = 0;  // which row, and how many lines stand below it
    double head = 24;            // numbers of the experts, on top
    double name = 120, margin = 24;
    double line = 24;
    double least_cell = 6, most_cell = 64, least_row = 20, most_row = 34;
  };
  Metrics metrics;
  double cell = 0, row = 0;  // width and height
  double left = 0, width = 0, height = 0;

  static ExpertsLayout of(const Metrics& metrics);
  double top_of(int row) const;
  QRectF row_rect(int row) const;  // with its name
  QRectF cell_rect(int row, int expert) const;
  QRectF line_rect(int line, int expert) const;  // of the opened row
  QRectF line_name(int line) const;
  QRectF head_rect(int expert) const;
  ExpertsHit place_at(QPointF point) const;
};

}  // namespace headlight
