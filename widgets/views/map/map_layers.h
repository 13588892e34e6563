// The boxes of one group of the computation map, in layers: everything stands behind what it was computed from
// (Sugiyama et al. 1981: ranks, order by barycentres, places). Pure: no window, and no direction yet.
#pragma once

#include <utility>
#include <vector>

namespace headlight {

struct LayeredGroup {
  static constexpr int kOutside = -1;  // an end of a link beyond the border of the group

  struct Box {
    double thickness = 0, breadth = 0;  // along the flow, and across it
  };
  struct Spaces {
    double along = 30, across = 14;  // between layers, and between boxes of one
    double trunk = 10;               // room that a link takes between boxes
  };
  // A link passes layers between boxes: at `across`, from `begin` to `end` along the flow.
  struct Pass {
    double begin = 0, end = 0, across = 0;
  };

  std::vector<double> along, across;           // of each box: where it begins along the flow, and its middle across it
  std::vector<double> layer_begin, layer_end;  // of each box: where the widest of its layer begins and ends
  std::vector<std::vector<Pass>> passes;       // by link
  double length = 0, breadth = 0;              // of everything

  // Links lead from a lower to a higher index, or from or to outside.
  static LayeredGroup of(const std::vector<Box>& boxes, const std::vector<std::pair<int, int>>& links,
                         const Spaces& spaces);
};

}  // namespace headlight
