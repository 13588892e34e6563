// What a place in a map of attention selects, and where the selection stands in a map; no view has a way of its own for
// that. A row is who asks, a column who answers.
#pragma once

#include <span>

#include "model/analysis/attention_maps.h"
#include "widgets/base/selection.h"

namespace headlight {

struct MapCell {
  int row = -1, column = -1;  // -1: none
  bool operator==(const MapCell&) const = default;
};

// Refers to the map or the tokens that it is made from; made where it is needed.
class MapCursor {
 public:
  using Tokens = std::span<const AttentionToken>;
  // Between these tokens; no number is one of the trace.
  MapCursor(Tokens rows, Tokens columns) : rows_(rows), columns_(columns) {}
  // Of AttentionMap::kMean and kMax, and of merged maps, no number is one of the trace.
  explicit MapCursor(const AttentionMap& map, Index head = 0)
      : rows_(map.rows), columns_(map.columns), map_(&map), head_(map.heads == 1 ? 0 : head) {}

  // The step and the source token of a place, and its number of the trace where it has one. Row or column may be -1.
  SelectionState selection_at(MapCell place) const;
  void hover(MapCell place, Selection* selection) const;

  // The cell of the number that is selected, of any head; else the row of the step and the column of the token. A token
  // that has no column is looked for among the rows.
  MapCell find(const SelectionState& state) const;
  MapCell find_hovered(const Selection& selection) const;
  int row_of_token(int token) const;  // -1: none

 private:
  MapCell find(std::optional<int> source_token, std::optional<int> step) const;

  Tokens rows_, columns_;
  const AttentionMap* map_ = nullptr;
  Index head_ = -1;
};

}  // namespace headlight
