// Geometry of the influence views: a row for each layer, on the columns of the text, with a bar for its mean beside it;
// or one plot on the same columns. Pure: no window.
#pragma once

#include <QRectF>
#include <vector>

#include "widgets/canvas/text_columns.h"

namespace headlight {

struct InfluenceHit {
  enum class Part { none, token, cell, mean };
  Part part = Part::none;
  int row = -1, lane = -1;
  bool operator==(const InfluenceHit&) const = default;
};

struct InfluenceLayout {
  struct Metrics {
    QSizeF view;
    std::vector<double> shares;  // widths of the columns
    int rows = 0;
    bool plot = false;                           // one plot instead of rows
    bool means = false;                          // a bar for each row, where there is room
    double head = 44, axis = 20;                 // the text on top; what stands below a plot
    double name = 130, side = 170, margin = 24;  // left and right of the columns
    double least_row = 20, most_row = 160, least_plot = 160, least_column = 9, most_column = 200;
  };
  Metrics metrics;
  TextColumns columns;
  bool beside = false;  // the means are shown
  double row = 0, width = 0, height = 0;

  static InfluenceLayout of(const Metrics& metrics);
  QRectF cell(int row, int lane) const;
  QRectF mean(int row) const;
  QRectF plot() const;
  // `held`: how far names that stay in sight are from where they belong.
  InfluenceHit place_at(QPointF point, double held = 0) const;
};

}  // namespace headlight
