// What of the map is seen. It is laid out so that all of it fits; the camera stretches it along the text (lanes) and
// along the depth, separately or together, and moves it. Pure: no window.
#pragma once

#include <QPointF>
#include <QSizeF>

namespace headlight {

struct LivingCamera {
  double depth = 1, lanes = 1;  // how many times larger than what fits; 1: all of it is seen
  QPointF scroll;               // whole pixels of the stretched map that lie left of and above what is seen

  enum class Along { both, depth, lanes };
  // What is seen of a map of `view` + `fixed` pixels at stretch 1; `fixed` does not stretch (the room for a line).
  struct Room {
    QSizeF view, fixed = {0, 0};
  };
  // `factor` > 1: closer, with what is at `point` (pixels from the corner of what is seen) staying there. `most`: of
  // each stretch. `above`: fixed pixels left of and above the point.
  void zoom(double factor, QPointF point, Along along, const Room& room, QPointF most = {400, 400},
            QPointF above = {0, 0});
  void pan(QPointF pixels, const Room& room);
  // Within the map: nothing beyond its borders is seen.
  void keep(const Room& room);
  bool is_whole() const { return depth == 1 && lanes == 1; }
  bool operator==(const LivingCamera&) const = default;
};

// How near one is, by pixels for a lane and for a layer, and by the size of a number. A level only adds.
enum class LivingLevel { model = 1, lanes, layer, word, cell };
struct LivingSizes {
  double lane = 0, layer = 0;  // pixels
  QSizeF number = {0, 0};      // of a cell of the values inside, where there are any
};
// The level at these sizes; `before` (what it was) is kept within 15 % of a border.
LivingLevel living_level(const LivingSizes& sizes, LivingLevel before);
// The least sizes of a level.
LivingSizes living_sizes(LivingLevel level);

}  // namespace headlight
