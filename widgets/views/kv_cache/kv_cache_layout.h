// Geometry of the cache: words and bars on top, below them a row for each token, and a little apart for each of the
// source; two blocks for each layer, keys and values, each with a column for every head that has its own; at the left
// how much of each row is read, at the right what was kept by then. Pure: no window.
#pragma once

#include <QRectF>

namespace headlight {

struct KvCacheHit {
  enum class Part { none, name, key, value, bar };
  Part part = Part::none;
  int row = -1;  // of the tokens; of a bar: which
  int layer = -1, group = -1;
  bool operator==(const KvCacheHit&) const = default;
};

struct KvCacheLayout {
  struct Metrics {
    QSizeF view;
    int rows = 0, source_rows = 0, layers = 0, groups = 1, bars = 0;
    int chosen = 0;     // the layer that has the room that its numbers need, where there is too little for all
    double wanted = 0;  // width of a part whose numbers can be told apart
    double margin = 24, name = 80;  // left of the blocks: margin and names
    double summary = 80, bar = 18;  // heights: of the words, of a bar
    double label = 34;              // names of layers, over their blocks
    double share = 0, kept = 0;     // widths of the columns beside the blocks
    double source_gap = 24;         // above the rows of the source
    double part_gap = 4, layer_gap = 16;
    double least_row = 15, most_row = 80, least_part = 30, most_part = 900;
  };
  Metrics metrics;
  double row_height = 0, left = 0, top = 0;  // of the first block
  double width = 0, height = 0;

  static KvCacheLayout of(const Metrics& metrics);
  QRectF summary() const;
  QRectF bar(int which) const;  // the line of a bar
  int rows() const { return metrics.rows + metrics.source_rows; }
  double part_width(int layer) const { return layer == metrics.chosen ? chosen_width : other_width; }
  QRectF name(int row) const;
  QRectF share(int row) const;
  QRectF kept(int row) const;
  QRectF source_label() const;    // above the rows of the source
  QRectF label(int layer) const;  // over both blocks of a layer
  QRectF part(int layer, bool value, int row) const;
  QRectF group(int layer, bool value, int row, int group) const;
  QRectF row(int row) const;      // through all layers, with its name
  QRectF layer(int layer) const;  // its blocks, all rows
  double right() const;           // of the last block
  KvCacheHit place_at(QPointF point) const;

 private:
  double y(int row) const { return top + row * row_height + (row >= metrics.rows ? metrics.source_gap : 0); }
  double chosen_width = 0, other_width = 0;  // of a part
};

}  // namespace headlight
