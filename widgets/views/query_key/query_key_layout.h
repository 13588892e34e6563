// Geometry of the query-key view: a sum as on paper. A column for each key, a row for each unit, one of them opened
// into its product, below them the total and what becomes of it. Pure: no window.
#pragma once

#include <QRectF>
#include <vector>

#include "widgets/canvas/text_columns.h"

namespace headlight {

struct QueryKeyHit {
  enum class Part { none, tokens, unit, query, opened, rest, total };
  Part part = Part::none;
  int column = -1;  // -1: the name of the row
  int row = -1;     // unit, query: of the units; opened, total: of those rows
  bool operator==(const QueryKeyHit&) const = default;
};

struct QueryKeyLayout {
  struct Metrics {
    QSizeF view;
    std::vector<double> shares;  // widths of the columns
    int units = 0, opened = -1;  // rows, and which of them is opened
    int parts = 2;               // rows of the opened one
    int totals = 2;
    bool rest = true;  // there are units that have no row of their own
    double head = 44, name = 98, tile = 58, side = 178;
    double row = 33, margin = 24, least_column = 14, most_column = 176;
  };
  Metrics metrics;
  TextColumns columns;
  bool beside = false;         // there is room for what stands at the right
  std::vector<QRectF> units;   // of the whole row, as far as its last column
  std::vector<QRectF> opened;  // the rows of the opened unit, within units[metrics.opened]
  QRectF rest, rule;
  std::vector<QRectF> totals;
  double width = 0, height = 0;

  static QueryKeyLayout of(const Metrics& metrics);
  QRectF query(int unit) const;  // its tile
  QRectF side(const QRectF& row) const;
  // `held`: how far names that stay in sight are from where they belong.
  QueryKeyHit place_at(QPointF point, double held = 0) const;
};

}  // namespace headlight
