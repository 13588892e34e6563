// How a heatmap goes over to the next one: rows and columns of the same token glide to their place, new ones grow, and
// those that are gone shrink. Pure geometry but for the last.
#pragma once

#include <QString>
#include <vector>

#include "widgets/base/motion.h"

namespace headlight {

struct HeatmapLayout;
struct HeatmapScene;

// The names along one side, and where each begins and ends; `size` of the whole picture.
struct HeatmapBands {
  std::vector<QString> names;
  std::vector<double> edges;  // one more than names
  double size = 0;
};

// A part of the picture before, and where it is in the picture now; one of no width is not there.
struct HeatmapStrip {
  double before, before_end, now, now_end;
  bool stays() const { return before == now && before_end == now_end; }
  bool operator==(const HeatmapStrip&) const = default;
};

// From one edge of the picture to the other, without gaps.
std::vector<HeatmapStrip> heatmap_strips(const HeatmapBands& before, const HeatmapBands& now);

struct HeatmapBoth {
  HeatmapBands rows, columns;
};
HeatmapBoth heatmap_bands(const HeatmapScene& scene, const HeatmapLayout& layout);
void paint_glide(QPainter& painter, const Motion::Frame& frame, const HeatmapBoth& before, const HeatmapBoth& now);

}  // namespace headlight
