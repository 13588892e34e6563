// Geometry of the ribbons view: two lists of tokens with lines between them. Pure: no window.
#pragma once

#include <QPainterPath>
#include <QRectF>

namespace headlight {

// A token in one of the two lists.
struct RibbonsHit {
  enum class Side { none, query, key };
  Side side = Side::none;
  int index = -1;
  bool operator==(const RibbonsHit&) const = default;
};

struct RibbonsLayout {
  struct Metrics {
    double width = 0;           // of the view
    double line = 20;           // height of a token
    double header = 22;         // names of the two lists
    double query = 0, key = 0;  // widest texts of the lists
    double margin = 8, padding = 6;
    double smallest_gap = 90;     // between the lists, for the lines
    double largest_gap = 420;     // wider makes lines harder to follow
    double largest_share = 0.36;  // of the width, for a list
  };
  int queries = 0, keys = 0;  // tokens
  double query_width = 0, key_width = 0, left = 0, gap = 0;
  double width = 0, height = 0;  // of everything; higher than the view: it scrolls
  Metrics metrics;

  static RibbonsLayout of(int queries, int keys, const Metrics& metrics);
  QRectF token(const RibbonsHit& place) const;
  QRectF header(RibbonsHit::Side side) const;
  QRectF lines() const;  // where they are
  QPointF start(int query) const;
  QPointF end(int key) const;
  QPainterPath ribbon(int query, int key) const;  // leaves and arrives level
  RibbonsHit place_at(QPointF point) const;
};

// How opaque a line is; lines of less weight than this are not drawn at all.
inline constexpr double kFaintestRibbon = 1.0 / 64;
double ribbon_opacity(double weight, int heads);

}  // namespace headlight
