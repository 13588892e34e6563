#include "widgets/canvas/map_cursor.h"

#include <algorithm>

namespace headlight {

namespace {

int index_where(MapCursor::Tokens tokens, auto holds) {
  const auto found = std::ranges::find_if(tokens, holds);
  return found == tokens.end() ? -1 : static_cast<int>(found - tokens.begin());
}

int place_of_token(MapCursor::Tokens tokens, int token) {
  return index_where(tokens, [token](const AttentionToken& each) { return each.holds_token(token); });
}

}  // namespace

SelectionState MapCursor::selection_at(MapCell place) const {
  const AttentionToken none;
  const AttentionToken& row = place.row < 0 ? none : nth(rows_, place.row);
  const AttentionToken& column = place.column < 0 ? none : nth(columns_, place.column);
  const auto first = [](int a, int b) { return a >= 0 ? std::optional(a) : unless_none(b); };
  SelectionState state{first(column.token, row.token), first(row.step, column.step), {}, {}};
  const bool number = map_ && head_ >= 0 && !map_->is_merged() && place.row >= 0 && place.column >= 0;
  if (number && map_->has(place.row, place.column)) {
    state.entry = map_->entry(place.row);
    state.cell = map_->cell(head_, place.row, place.column);
  }
  return state;
}

void MapCursor::hover(MapCell place, Selection* selection) const {
  const SelectionState state = selection_at(place);
  selection->hover(state.source_token, state.step);
}

MapCell MapCursor::find(const SelectionState& state) const {
  Index head = 0, row = -1, column = -1;
  if (map_ && state.entry && state.cell && map_->find(*state.entry, *state.cell, &head, &row, &column))
    return {static_cast<int>(row), static_cast<int>(column)};
  return find(state.source_token, state.step);
}

MapCell MapCursor::find_hovered(const Selection& selection) const {
  return find(selection.hovered_token(), selection.hovered_step());
}

MapCell MapCursor::find(std::optional<int> source_token, std::optional<int> step) const {
  MapCell found;
  if (step) found.row = index_where(rows_, [&](const AttentionToken& each) { return each.holds_step(*step); });
  if (source_token) found.column = place_of_token(columns_, *source_token);
  if (source_token && found == MapCell{}) found.row = row_of_token(*source_token);
  return found;
}

int MapCursor::row_of_token(int token) const { return place_of_token(rows_, token); }

}  // namespace headlight
