// Geometry of the view of word pieces: the words of the text, then what may stand where (of a best path), then a row
// for each step. Pure: no fonts, no window.
#pragma once

#include <QRectF>
#include <vector>

namespace headlight {

struct MergesPlace {
  enum class Kind { none, word, arc, piece };
  Kind kind = Kind::none;
  int row = -1;  // of a piece: the step
  int at = -1;
  bool operator==(const MergesPlace&) const = default;
};

// What everything needs, in pixels.
struct MergesNeeds {
  std::vector<double> words;              // widths of their names
  std::vector<std::vector<double>> rows;  // of the pieces of each step
  std::vector<std::pair<int, int>> arcs;  // from which character to which
  double arc = 0;                         // width of a character under the arcs
  double label = 0, what = 0;             // the two columns in front of the pieces
  double line = 18, tile = 26, gap = 4, margin = 24, inset = 8;
};

struct MergesLayout {
  struct Row {
    QRectF label, what;
    std::vector<QRectF> pieces;
    QRectF behind;  // of what is said behind them
  };
  std::vector<QRectF> words, arcs;
  QRectF title;
  std::vector<Row> rows;
  double width = 0, height = 0;

  static MergesLayout of(const MergesNeeds& needs, double view_width);
  MergesPlace place_at(QPointF point) const;
  QRectF rect(const MergesPlace& place) const;  // null: it is not there
};

}  // namespace headlight
