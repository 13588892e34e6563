// What one state of the living map was computed from, as the run published it: queries, keys, scores, gates, memory.
// Every number here is a cell of the trace; nothing is computed again. Laid out in a grid of cells, so that a view only
// stretches it.
#pragma once

#include <string>
#include <vector>

#include "model/analysis/living/map.h"

namespace headlight {

// One value, or rows of several values that belong together (the keys of all lanes).
struct LivingValues {
  enum class Scale { signed_values, weights };
  std::string symbol;             // "q", "f", "M"; unique within its head
  std::vector<LivingPlace> rows;  // the first number of each
  Index columns = 0, step = 1;    // numbers in a row, and from one to the next in the trace
  std::vector<int> lanes;         // of the map, which rows stand for; empty: rows have no names
  Index head = -1;                // -1: of no head
  double left = 0, top = 0;       // in the grid: its first cell
  Scale scale = Scale::signed_values;
  bool strip = false;  // named at the left of its first row; else above it

  Index row_count() const { return static_cast<Index>(rows.size()); }
  LivingPlace at(Index row, Index column) const {
    return {rows[static_cast<std::size_t>(row)].entry, rows[static_cast<std::size_t>(row)].first + column * step};
  }
  double number(const Trace& trace, Index row, Index column) const {
    const LivingPlace place = at(row, column);
    return static_cast<double>(trace[place.entry].value[place.first]);
  }
};

struct LivingInside {
  std::vector<LivingValues> values;
  double columns = 0, rows = 0;  // of the grid
  double first_slot = -1;        // of a memory: the column at which its first slot stands; -1: none
  bool empty() const { return values.empty(); }
};

// Behind a state; empty where the run published nothing of it. Of a memory one for all its slots (any row).
LivingInside living_inside(const LivingMap& map, int station, Index row);

}  // namespace headlight
