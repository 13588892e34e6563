// Geometry of choosing: the tokens of the output, words, a column for each stage and a row for each token. Pure.
#pragma once

#include <QRectF>
#include <vector>

namespace headlight {

struct ChoosingHit {
  enum class Part { none, step, cell, head };
  Part part = Part::none;
  int row = -1;    // of the tokens; of a step: which
  int stage = -1;  // -1: the token itself
  bool operator==(const ChoosingHit&) const = default;
};

struct ChoosingLayout {
  struct Metrics {
    double width = 0;  // of the view
    int rows = 0, stages = 0;
    bool others = false;  // a line below the rows
    double margin = 24;
    double name = 100, least_stage = 116, most_stage = 240, gap = 16;
    double title = 28, line = 20, row = 26, head = 44;
    std::vector<double> steps;  // widths of the tokens of the output
    int step = 0;
  };
  Metrics metrics;
  double stage_width = 0, width = 0, height = 0;
  double strip = 0, words = 0, heads = 0, top = 0, bottom = 0;  // where these begin; of the rows: to where
  std::vector<QRectF> steps;                                    // empty: it has no room

  static ChoosingLayout of(const Metrics& metrics);
  QRectF head(int stage) const;
  QRectF name(int row) const;
  QRectF cell(int row, int stage) const;
  QRectF line(int row) const;  // all of it
  ChoosingHit place_at(QPointF point) const;
};

}  // namespace headlight
