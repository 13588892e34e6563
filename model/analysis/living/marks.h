// What a person changed directly, by the states of the living map: states whose card has a number that an edit set, and
// heads that are off.
#pragma once

#include <vector>

#include "model/analysis/living/map.h"

namespace headlight {

struct LivingMarks {
  std::vector<std::vector<bool>> states;  // by station and row; empty: nothing was edited
  struct Head {
    int station = -1, part = -1;
    Index head = -1;
    bool operator==(const Head&) const = default;
  };
  std::vector<Head> heads;  // that are off

  bool state(int station, Index row) const {
    return !states.empty() && states[static_cast<std::size_t>(station)][static_cast<std::size_t>(row)];
  }
  bool head(int station, int part, Index head) const;
};
LivingMarks living_marks(const LivingMap& map);

}  // namespace headlight
