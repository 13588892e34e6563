// Which units of a cell are worth a look: those that tell digits from letters, those that change most, those that
// hardly change; and all of them in an order in which like stands beside like.
#pragma once

#include <vector>

#include "model/analysis/state_tracks.h"

namespace headlight {

struct TellingUnits {
  std::vector<Index> digits;  // |mean on digits − mean on letters|, largest first; empty where a text lacks either
  std::vector<Index> moving;  // Σ |change from place to place|, largest first
  std::vector<Index> still;   // those whose smallest value in the direction of their mean is largest
  // Every unit once, each the most alike (correlation along the places) of those not yet placed to the one before;
  // begins with the first of the above.
  std::vector<Index> order;
};

// Of the numbers that the cell hands on, at these places of it, in the order of the text. No unit is in two lists.
TellingUnits telling_units(const StateCell& cell, const std::vector<int>& places, std::size_t telling = 3,
                           std::size_t moving = 3, std::size_t still = 2);

// The track that a cell hands on: h, of convolutions y.
int shown_track(const StateCell& cell);

// What a unit says about digits and letters.
enum class UnitHabit {
  none,
  minus_letters,  // below 0 on at least 4 of 5 letters, above 0 on at least 4 of 5 digits
  minus_digits,   // the other way round
  more_digits,    // higher on digits than on letters by the mean
  more_letters,
};
UnitHabit unit_habit(const StateCell& cell, const std::vector<int>& places, Index unit);

}  // namespace headlight
