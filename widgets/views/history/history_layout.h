// Geometry of the history view: cards in rows that wrap, or, where there is no room for one row of them, a strip with a
// line of years. Pure: no window.
#pragma once

#include <QRectF>
#include <vector>

namespace headlight {

struct HistoryPlace {
  int card = -1;
  bool operator==(const HistoryPlace&) const = default;
};

struct HistoryLayout {
  struct Metrics {
    QSizeF view;
    double line = 18, small_line = 15;  // of texts
    double chip_line = 20;              // of the output
    int chip_lines = 2;
    int title_lines = 1;  // of the name
    double smallest_card = 210, largest_card = 420;
    double map_share = 0.62;  // its height by its width
    double margin = 24, gap = 8, inset = 8;
    double title = 0;  // of all lines of a name: other scripts have taller letters than the font says
    double strip_card = 150, strip_margin = 24;
  };
  struct Card {
    QRectF frame, title, paper, map, output, note;
  };
  std::vector<Card> cards;
  int columns = 0;
  bool strip = false;
  double width = 0, height = 0;  // of everything
  Metrics metrics;

  static HistoryLayout strip_of(int count, const Metrics& metrics);
  static HistoryLayout of(int count, const Metrics& metrics);
  int card_at(QPointF point) const;  // -1: none
};

}  // namespace headlight
