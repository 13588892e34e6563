// Geometry of a strip of tokens: chips in lines, and which chip is where. Pure: no window.
#pragma once

#include <QRectF>
#include <vector>

namespace headlight {

struct TokenStripLayout {
  std::vector<QRectF> chips;
  std::vector<int> line_of_chip;
  int lines = 0;
  double width = 0, height = 0;  // of everything, with the margins
  double bracket = 0;

  struct Metrics {
    double width = 0;  // that lines may take, margins included
    double chip_height = 28;
    double minimum_chip = 22;
    double padding = 7;  // left and right of a text
    double gap = 3;      // between chips, and between lines
    double margin = 6;
    double bracket = 0;  // above each line, for what holds chips together
  };
  // `text_widths[i]` is the width of the text of chip i. A chip wider than a line is as wide as a line.
  static TokenStripLayout of(const std::vector<double>& text_widths, const Metrics& metrics);

  int chip_at(QPointF point) const;  // -1: none
  // Where the bracket over neighbouring chips is: one rectangle for each line.
  std::vector<QRectF> brackets(int first, int count) const;
  // The chip in the line above (-1) or below (+1) that is nearest; the same chip when there is no such line.
  int chip_in_line(int chip, int direction) const;
};

}  // namespace headlight
