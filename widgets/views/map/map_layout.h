// Geometry of the computation map: a flow as boxes within boxes, with the links between them, in map units (a leaf is
// 150 wide). What is drawn of it depends on the scale: groups that would be too small to read show their title alone.
// Pure: no window.
#pragma once

#include <QPainterPath>
#include <QRectF>
#include <vector>

#include "model/analysis/flow.h"

namespace headlight {

struct MapBox {
  QRectF rect;
  double header = 0;          // of a group: the height of its title
  bool down = false;          // what is inside flows from top to bottom, else from left to right
  QPointF in, out;            // where links arrive and leave
  bool arrives_down = false;  // the direction in which they do
};

// One link between two boxes of a group, or between a box and the border of its group. Everything that takes this way
// shares it.
struct MapLink {
  int group = 0, from = 0, to = 0;  // nodes; from == group or to == group: the border
  bool back = false;                // leads from a later box to an earlier one
  bool other_step = false;          // only what comes from another step takes it
  QPainterPath path;
};

struct MapLayout {
  struct Metrics {
    double leaf_width = 150, leaf_height = 60;
    double padding = 24;  // also the room in which links turn
    double header = 24;   // of a group of leaves; outer groups have larger ones, as countries on a map
    double header_growth = 1.9;
    double aspect = 1.9, group_aspect = 1.9;  // width : height that the whole and its groups should have
    double smallest_header = 10.5;            // pixels: a group with less shows nothing of its inside
  };
  Metrics metrics;
  std::vector<MapBox> boxes;  // by node of the flow
  std::vector<MapLink> links;
  std::vector<std::vector<int>> ways;  // by edge of the flow: the links that it takes, in order

  static MapLayout of(const Flow& flow, const Metrics& metrics);
  static MapLayout of(const Flow& flow) { return of(flow, Metrics()); }

  QRectF bounds() const { return boxes.empty() ? QRectF() : boxes[0].rect; }
  // Whether the inside of a group is shown at `scale` pixels for a map unit; `text` enlarges what must be readable.
  bool is_open(const Flow& flow, int node, double scale, double text = 1) const;
  // The box that stands for a node: itself, or the outermost closed group around it.
  int shown(const Flow& flow, int node, double scale, double text = 1) const;
  // The innermost box that is shown there; 0: the whole model, -1: beyond it.
  int place_at(const Flow& flow, QPointF point, double scale, double text = 1) const;
  // The scale at which a group just opens.
  double opens_at(const Flow& flow, int node, double text = 1) const;
};

}  // namespace headlight
