// Geometry of the states view: a picture for each gate and state, the cone of a convolution, one unit's lines and its
// arithmetic. Pure: no window.
#pragma once

#include <QRectF>
#include <vector>

namespace headlight {

struct StatesHit {
  enum class Part { none, cells, mean, tokens, cone, chart, arithmetic };
  Part part = Part::none;
  int track = -1;  // cells, mean
  int place = -1;  // along the time
  int row = -1;    // cells: of the picture
  int level = -1;  // cone: 0 the tokens, l + 1 layer l
  bool operator==(const StatesHit&) const = default;
};

struct StatesLayout {
  struct Metrics {
    QSizeF view;
    double caption = 18;      // a line of text above each picture
    double line = 16;         // a line of small text
    double mean = 20;         // the line of means above the cells
    double widest = 30;       // of the tokens
    double most_tokens = 48;  // height of turned tokens: longer ones are cut
    double level_name = 46;   // left of the cone
    double arithmetic = 32;   // height of its lines
    double margin = 8, gap = 10;
    double smallest_place = 6, good_place = 15;  // width of a step
    double smallest_picture = 44, good_picture = 300, smallest_chart = 90;
    double smallest_width = 150;
    double smallest_row = 1.6;  // height of a unit
  };
  struct Panel {
    QRectF caption, mean, cells;
  };
  std::vector<Panel> panels;
  std::vector<QRectF> tokens;  // below each column of panels
  QRectF cone_caption, cone, cone_tokens, cone_names;
  QRectF chart_caption, chart, chart_tokens, arithmetic;
  double width = 0, height = 0;
  int places = 0, units = 0, levels = 0;
  int units_of_row = 1;  // how many units share a row of a picture
  Metrics metrics;

  // levels: of the cone, with the tokens; 0: no cone.
  static StatesLayout of(int tracks, int places, int units, int levels, const Metrics& metrics);
  int rows() const { return (units + units_of_row - 1) / units_of_row; }
  double x_of(const QRectF& rect, int place) const;  // its middle
  QRectF cell(int track, int place, int row) const;
  QRectF node(int place, int level) const;  // of the cone
  StatesHit place_at(QPointF point) const;
};

}  // namespace headlight
