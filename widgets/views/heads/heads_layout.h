// Geometry of the heads view: a row of thumbnails for each layer, a column for each head. Pure: no window.
#pragma once

#include <QRectF>

namespace headlight {

struct HeadsHit {
  static constexpr int kGroup = -2;  // row: a bracket over heads that share their keys; column: which
  int row = -1, column = -1;
  bool operator==(const HeadsHit&) const = default;
};

struct HeadsLayout {
  struct Metrics {
    QSizeF view;           // room there is
    double aspect = 1;     // of a map: its columns by its rows
    double row_label = 0;  // widest name of a row; 0: rows have no names
    double header = 18;    // names of the columns
    double bracket = 0;    // below them, over heads that share their keys; 0: none do
    int shared = 1;        // so many each
    int groups = 0;
    double line = 14;   // of the text below a thumbnail
    int lines = 2;      // that fit when there is room for their words
    double words = 72;  // smallest width of a thumbnail that has words below
    double smallest = 34, largest = 420;
    double edge = 24, margin = 8, gap = 8, above = 2;  // edge: at the left
    double bar = 4;                                    // below a thumbnail: how spread the weight is
    int apart = -1;                                    // the first column that stands a little apart; -1: none
  };
  int rows = 0, columns = 0;
  double thumb_width = 0, thumb_height = 0;
  bool words = false;  // there is room for the summaries
  double width = 0, height = 0;
  Metrics metrics;

  static HeadsLayout of(int rows, int columns, const Metrics& metrics);
  QRectF thumb(int row, int column) const;
  QRectF bar(int row, int column) const;
  QRectF text(int row, int column, int line) const;  // below it
  QRectF cell(int row, int column) const;            // all of it
  QRectF header(int column) const;
  QRectF bracket(int group) const;
  QRectF row_label(int row) const;
  HeadsHit place_at(QPointF point) const;

 private:
  double cell_height() const;
  double left(int column) const;
};

}  // namespace headlight
