// Geometry of the ribbons view: ribbons over the text, and below it, on its columns, a row for each head. With two
// texts the ribbons run between two lines. Pure: no window.
#pragma once

#include <QPainterPath>
#include <QRectF>
#include <vector>

#include "widgets/canvas/text_columns.h"

namespace headlight {

struct RibbonsHit {
  enum class Part { none, own, other, cell, name, ribbon };
  Part part = Part::none;
  int column = -1;  // own: of the upper line; other, cell, ribbon: of the lower one
  int row = -1;     // cell, name, ribbon
  bool operator==(const RibbonsHit&) const = default;
};

struct RibbonsLayout {
  static constexpr double kFaintest = 0.005;  // no ribbon of a weight below it
  struct Metrics {
    QSizeF view;
    std::vector<double> own;     // widths of the columns of the upper line; empty: there is one line only
    std::vector<double> others;  // of the lower one
    std::vector<int> groups;     // rows of each layer
    double title = 48, line = 40, own_line = 40;
    double row = 37, least_row = 24, group_gap = 12;
    double arcs = 130, most_arcs = 300;  // height of the ribbons
    double name = 132, side = 220;
    double margin = 24, least_column = 14, most_column = 110;
  };
  Metrics metrics;
  TextColumns own, others;
  bool beside = false;       // there is room for what the heads pick
  QRectF arcs;               // where the ribbons are
  std::vector<QRectF> rows;  // as far as their last column
  double width = 0, height = 0;

  static RibbonsLayout of(const Metrics& metrics);
  bool two_lines() const { return !metrics.own.empty(); }
  QRectF own_token(int column) const;
  QRectF other_token(int column) const;
  QRectF cell(int row, int column) const { return others.cell(column, nth(rows, row).top(), nth(rows, row).height()); }
  QRectF side(const QRectF& row) const { return {others.right() + 16, row.top(), metrics.side - 32, row.height()}; }
  // Beside the ribbons: those of a longer line above end farther to the right than the rows do.
  QRectF beside_ribbons(double top, double high) const { return {arcs.right() + 16, top, metrics.side - 32, high}; }
  // From the middle of a token to the middle of another one: over the text, or between the lines.
  QPainterPath ribbon(int from, int to) const {
    return ribbon((two_lines() ? own : others).centre(from), others.centre(to));
  }
  QPainterPath ribbon(double from, double to) const;  // from these places across
  double thickness(double weight) const;              // of a ribbon; never thinner than can be seen
  RibbonsHit place_at(QPointF point, double held = 0) const;
};

}  // namespace headlight
