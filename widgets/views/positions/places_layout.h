// Geometry of tables of positions: the places of the text are columns, in each of two panels beside each other: two
// numbers as waves, the numbers that change most, and how alike two places are. Pure: no window.
#pragma once

#include <QRectF>
#include <vector>

#include "widgets/canvas/text_columns.h"

namespace headlight {

struct PlacesHit {
  enum class Part { none, token, wave, numbers, likeness };
  Part part = Part::none;
  int panel = -1, place = -1;
  int row = -1;  // wave, numbers (of those shown), likeness
  bool operator==(const PlacesHit&) const = default;
};

struct PlacesLayout {
  static constexpr int kWaves = 2;

  struct Metrics {
    QSizeF view;
    std::vector<double> shares;  // widths of the columns
    int panels = 1, numbers = 24;
    double title = 48, head = 48;  // of a panel; the text with the numbers of its places
    double name = 158, margin = 24, gap = 20;
    double words_of_numbers = 60, words_of_likeness = 60;  // heights of what stands beside them
    double wave = 70, least_line = 4, most_line = 10;
    double least_column = 9, most_column = 60;
  };
  struct Panel {
    TextColumns columns;
    QRectF title, head, numbers, likeness;
    QRectF waves[kWaves];
  };
  Metrics metrics;
  std::vector<Panel> panels;
  double width = 0, height = 0;

  static PlacesLayout of(const Metrics& metrics);
  int places() const { return static_cast<int>(metrics.shares.size()); }
  QRectF line(int panel, int row) const;   // of the numbers
  QRectF row(int panel, int place) const;  // of the likenesses
  PlacesHit place_at(QPointF point) const;
};

}  // namespace headlight
