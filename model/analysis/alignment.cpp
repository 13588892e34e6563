#include "model/analysis/alignment.h"

#include <algorithm>

#include "model/analysis/word_groups.h"

namespace headlight {

namespace {

// The model's one read of the source, else the mean over its layers; or (layer >= 0) that layer's.
const AttentionMap* wanted(const std::vector<AttentionMap>& maps, int layer) {
  const AttentionMap* summary = nullptr;
  for (const AttentionMap& map : maps) {
    if (map.kind == AttentionMap::Kind::cross && map.layer == layer) return &map;
    if (map.kind == AttentionMap::Kind::summary && layer < 0) summary = &map;
  }
  return summary;
}

}  // namespace

Alignment alignment(const Result& result, int layer, bool words) {
  return alignment(result, attention_maps(result), layer, words);
}

Alignment alignment(const Result& result, const std::vector<AttentionMap>& maps, int layer, bool words) {
  Alignment found;
  const AttentionMap* map = wanted(maps, layer);
  if (!map) return found;
  AttentionMap merged;
  if (words) map = &(merged = between_words(result, *map));
  found.words = map->is_merged();
  found.are_shares = map->are_shares;
  found.rows = map->rows;
  found.columns = map->columns;
  found.weights = map->matrix(AttentionMap::kMean);
  for (Index t = 0; t < map->row_count(); ++t) {
    const AttentionToken& row = map->rows[static_cast<std::size_t>(t)];
    found.row_labels.push_back(row.written);
    found.input_labels.push_back(row.text);
    found.entry_of_row.push_back(map->heads == 1 ? map->entry(t) : -1);
  }
  for (const AttentionToken& column : map->columns) {
    found.column_labels.push_back(column.text);
    found.token_of_column.push_back(column.token);
  }
  found.index_of_column = map->key_of_column;
  found.hidden = map->hidden_cells();
  return found;
}

bool alignment_has_pieces(const Result& result, const std::vector<AttentionMap>& maps, int layer) {
  const AttentionMap* map = wanted(maps, layer);
  return map && has_pieces(result, *map);
}

std::vector<int> aligned_layers(const std::vector<AttentionMap>& maps) {
  std::vector<int> layers;
  for (const AttentionMap& map : maps)
    if (map.kind == AttentionMap::Kind::cross && map.layer >= 0) layers.push_back(static_cast<int>(map.layer));
  return layers.size() > 1 ? layers : std::vector<int>{};
}

}  // namespace headlight
