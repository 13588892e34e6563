// Geometry of the tree of a beam search: a column of boxes for each step, the finished outputs beside them. Pure: no
// window.
#pragma once

#include <QPainterPath>
#include <QRectF>
#include <vector>

#include "model/decode/beam.h"

namespace headlight {

// A hypothesis of the tree, or a row of the list of finished outputs.
struct BeamHit {
  int step = -1, place = -1;  // as in BeamTree::steps
  int ended = -1;             // as in BeamTree::best
  bool operator==(const BeamHit&) const = default;
};

struct BeamLayout {
  struct Metrics {
    double width = 0;  // of what is seen
    double box_height = 24, gap = 5;
    double link = 26;             // between columns, for the lines
    double start = 12;            // the dot that all outputs begin at
    double header = 20;           // the numbers of the steps
    double margin = 8, side = 8;  // above and below, at the sides
    double smallest_list = 150, smallest_tree = 220;
    double largest_share = 0.45;  // of the width, for the list
  };
  std::vector<double> lefts, widths;     // of the columns
  std::vector<std::vector<int>> order;   // of each step: its hypotheses from top to bottom, -1: nothing
  std::vector<std::vector<int>> row_of;  // of each step and hypothesis
  std::vector<int> winner;               // of each step of the best output: its hypothesis
  int ended = 0;                         // rows of the list
  double tree_width = 0;
  double list_left = 0, list_width = 0;  // moves with the tree where `pinned` is false
  bool pinned = false;                   // the list stays in sight while the tree scrolls
  double width = 0, height = 0;          // of everything
  Metrics metrics;

  // `widths` has what the texts of each step need, `list` what those of the finished outputs want. Children stand in
  // the order of their parents, so that no lines cross; the winner is always on top.
  static BeamLayout of(const BeamTree& tree, std::vector<double> widths, double list, const Metrics& metrics);

  QRectF box(int step, int place) const;
  QRectF header(int step) const;
  QRectF list_header() const;
  QRectF list_row(int ended) const;
  QPointF start() const;
  // From a box or the start to a box behind it.
  QPainterPath link(int step, int place, int parent) const;
  BeamHit place_at(QPointF point) const;
};

}  // namespace headlight
