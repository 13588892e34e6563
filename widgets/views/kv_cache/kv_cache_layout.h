// Geometry of the cache: words and bars on top, below them a row for each token and two blocks for each layer, keys and
// values, each with a column for every head that has its own. Pure: no window.
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
    int rows = 0, layers = 0, groups = 1, bars = 0;
    double margin = 24, name = 80;  // left of the blocks: margin and names
    double summary = 80, bar = 18;  // heights: of the words, of a bar
    double label = 34;              // names of layers, over their blocks
    double part_gap = 4, layer_gap = 16;
    double least_row = 15, most_row = 80, least_part = 30, most_part = 900;
  };
  Metrics metrics;
  double row_height = 0, part_width = 0, left = 0, top = 0;  // of the first block
  double width = 0, height = 0;

  static KvCacheLayout of(const Metrics& metrics);
  QRectF summary() const;
  QRectF bar(int which) const;  // the line of a bar
  QRectF name(int row) const;
  QRectF label(int layer) const;  // over both blocks of a layer
  QRectF part(int layer, bool value, int row) const;
  QRectF group(int layer, bool value, int row, int group) const;
  QRectF row(int row) const;      // through all layers, with its name
  QRectF layer(int layer) const;  // its blocks, all rows
  double right() const;           // of the last block
  KvCacheHit place_at(QPointF point) const;
};

}  // namespace headlight
