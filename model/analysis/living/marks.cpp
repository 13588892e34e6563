#include "model/analysis/living/marks.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "model/analysis/living/inside.h"
#include "model/analysis/living/weights.h"
#include "model/analysis/masks.h"
#include "model/core/errors.h"

namespace headlight {

namespace {

// Which cells an edit changed shows in their arithmetic: the others still come from what they came from before.
bool was_set(const Trace& trace, const LivingPlace& place) {
  try {
    const Op* op = trace.explain(place.entry, place.first).op;
    return op && std::string_view(op->id) == "edit";
  } catch (const Error&) {  // the run kept no graph
    return true;
  }
}

// Any number of a row of a value.
bool row_was_set(const Trace& trace, int entry, Index first, Index count) {
  if (entry < 0 || !trace[entry].edited) return false;
  for (Index i = 0; i < count && first + i < trace[entry].value.size(); ++i)
    if (was_set(trace, {entry, first + i})) return true;
  return false;
}

// The state itself: of an embedding there is no card.
bool own_was_set(const LivingMap& map, const LivingStation& station, Index row) {
  if (row >= static_cast<Index>(station.places.size())) return false;
  const LivingPlace& place = station.places[static_cast<std::size_t>(row)];
  return row_was_set(*map.result->trace, place.entry, place.first, station.units);
}

// The mask of what a state looks at.
bool mask_was_set(const LivingMap& map, int s, Index row, const std::vector<AttentionMask>& masks) {
  const LivingStation& station = map.stations[static_cast<std::size_t>(s)];
  for (int p = 0; p < static_cast<int>(station.parts.size()); ++p) {
    const LivingPart& part = station.parts[static_cast<std::size_t>(p)];
    if (!part.dense() || part.kind != LivingPart::Kind::attention || part.columns == 0) continue;
    for (const AttentionMask& mask : masks) {
      const std::vector<Index> layers = mask.layers();
      if (mask.kind() != attention_kind(map, s, p) || row >= mask.map().row_count() ||
          std::find(layers.begin(), layers.end(), station.layer) == layers.end())
        continue;
      for (Index column = 0; column < mask.map().column_count(); ++column)
        if (mask.is_edited(station.layer, row, column)) return true;
    }
  }
  return false;
}

}  // namespace

bool LivingMarks::head(int station, int part, Index head) const {
  return std::find(heads.begin(), heads.end(), Head{station, part, head}) != heads.end();
}

LivingMarks living_marks(const LivingMap& map) {
  LivingMarks marks;
  const Result& result = *map.result;
  if (result.interventions.empty()) return marks;
  const Trace& trace = *result.trace;
  std::set<Index> layers;  // that have an edited value; -1: of none
  for (const TraceEntry& entry : trace.entries())
    if (entry.edited) layers.insert(entry.site.layer);
  const std::vector<AttentionMask> masks = AttentionMask::of(result);
  for (int s = 0; s < static_cast<int>(map.stations.size()); ++s) {
    const LivingStation& station = map.stations[static_cast<std::size_t>(s)];
    marks.states.emplace_back(static_cast<std::size_t>(station.count), false);
    for (int p = 0; p < static_cast<int>(station.parts.size()); ++p) {
      const LivingPart& part = station.parts[static_cast<std::size_t>(p)];
      for (Index h = 0; part.dense() && part.heads > 1 && h < part.heads; ++h)
        if (is_head_off(result, attention_kind(map, s, p), station.layer, h)) marks.heads.push_back({s, p, h});
    }
    const bool memory = station.kind == LivingStation::Kind::memory;
    if (!layers.contains(station.layer) && !layers.contains(-1)) continue;
    for (Index row = 0; row < (memory ? 1 : station.count); ++row) {
      const int own = station.first + static_cast<int>(row);
      bool set = !memory && (own_was_set(map, station, row) || mask_was_set(map, s, row, masks));
      for (const LivingValues& value : living_inside(map, s, row).values)
        for (Index r = 0; r < value.row_count() && !set; ++r) {
          // Keys and values of other lanes are marked there.
          if ((value.symbol == "k" || value.symbol == "v") && value.lanes[static_cast<std::size_t>(r)] != own) continue;
          if (!trace[value.rows[static_cast<std::size_t>(r)].entry].edited) continue;
          for (Index c = 0; c < value.columns && !set; ++c) set = was_set(trace, value.at(r, c));
        }
      for (Index each = memory ? 0 : row; set && each < (memory ? station.count : row + 1); ++each)
        marks.states[static_cast<std::size_t>(s)][static_cast<std::size_t>(each)] = true;
    }
  }
  return marks;
}

}  // namespace headlight
