// Geometry of the states view: units as rows of bars on the columns of the text, one of them opened into its
// arithmetic; beside them, or below where it is narrow, all units as a map and the arithmetic of one place. Pure: no
// window.
#pragma once

#include <QRectF>
#include <vector>

#include "widgets/canvas/text_columns.h"

namespace headlight {

struct StatesHit {
  enum class Part { none, tokens, bars, story, cone, map, line };
  Part part = Part::none;
  int column = -1;  // of the text
  int unit = -1;    // bars, story: of those shown, counted through the groups
  int row = -1;     // story, cone, map (of its order), line
  bool operator==(const StatesHit&) const = default;
};

struct StatesLayout {
  struct Metrics {
    QSizeF view;
    std::vector<double> shares;            // widths of the columns
    std::vector<int> groups;               // how many units each has
    int opened = -1;                       // which unit, counted through the groups
    int story = 0, levels = 0, lines = 0;  // rows of the opened unit, of the cone (0: none), of the arithmetic
    int units = 0;                         // of the map
    double head = 44;                      // the text on top
    double name = 154, side = 240;         // left of the columns, and right of them
    double title = 22, row = 33, bars = 104, strip = 31, line = 24, level = 7;
    double sentence = 20, about = 60;  // of the opened unit; of one place, above its arithmetic
    double margin = 24, gap = 12, least_column = 14, most_column = 110;
  };
  Metrics metrics;
  TextColumns columns;
  bool beside = false;                // the map stands right of the units
  std::vector<QRectF> titles, units;  // as wide as names and columns
  QRectF opened, bars, sentence, cone;
  std::vector<QRectF> story;
  QRectF map_title, map, about;
  std::vector<QRectF> lines;
  double width = 0, height = 0;

  static StatesLayout of(const Metrics& metrics);
  QRectF map_line(int row) const;
  // `held`: how far names that stay in sight are from where they belong.
  StatesHit place_at(QPointF point, double held = 0) const;
};

}  // namespace headlight
