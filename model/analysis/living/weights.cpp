#include "model/analysis/living/weights.h"

namespace headlight {

namespace {

bool is_of(const AttentionMap& weights, const LivingMap& map, int s, int p) {
  const LivingStation& station = map.stations[static_cast<std::size_t>(s)];
  const LivingPart& part = station.parts[static_cast<std::size_t>(p)];
  return part.dense() && part.heads > 0 && weights.kind == attention_kind(map, s, p) &&
         (weights.layer < 0 || station.layer < 0 || weights.layer == station.layer) &&
         weights.row_count() == station.count && weights.column_count() == part.columns;
}

}  // namespace

AttentionMap::Kind attention_kind(const LivingMap& map, int station, int part) {
  const LivingStation& of = map.stations[static_cast<std::size_t>(station)];
  const LivingLane::Side read =
      map.lanes[static_cast<std::size_t>(of.parts[static_cast<std::size_t>(part)].first_column)].side;
  if (read != of.side) return AttentionMap::Kind::cross;
  return read == LivingLane::Side::source ? AttentionMap::Kind::encoder_self : AttentionMap::Kind::decoder_self;
}

std::optional<LivingWeight> weight_of(const LivingMap& map, const std::vector<AttentionMap>& maps,
                                      const LivingShare& share) {
  if (share.column < 0) return {};
  for (const AttentionMap& of : maps) {
    if (!is_of(of, map, share.station, share.part)) continue;
    if (!of.has(share.row, share.column) || of.entry(share.row) < 0) return {};
    LivingWeight found{of.entry(share.row), 0, std::max<Index>(0, share.head)};
    for (Index h = 0; share.head < 0 && h < of.heads; ++h)
      if (of.weight(h, share.row, share.column) > of.weight(found.head, share.row, share.column)) found.head = h;
    if (found.head >= of.heads) return {};
    found.cell = of.cell(found.head, share.row, share.column);
    return found;
  }
  return {};
}

std::vector<LivingShare> ribbons_of(const LivingMap& map, const std::vector<AttentionMap>& maps, int entry,
                                    Index cell) {
  std::vector<LivingShare> found;
  for (const AttentionMap& of : maps) {
    Index head = 0, row = 0, column = 0;
    if (!of.find(entry, cell, &head, &row, &column)) continue;
    for (int s = 0; s < static_cast<int>(map.stations.size()); ++s)
      for (int p = 0; p < static_cast<int>(map.stations[static_cast<std::size_t>(s)].parts.size()); ++p)
        if (is_of(of, map, s, p)) found.push_back({s, p, row, column, head});
  }
  return found;
}

}  // namespace headlight
