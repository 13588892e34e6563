#include "model/analysis/weights.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace headlight {

namespace {

const TraceEntry& entry_of(const AttentionMap& map, Index row) { return (*map.trace)[map.entry(row)]; }

// Where the weights of a row lie in their value: a matrix of heads, or of one, or a single row.
struct Place {
  Index keys = 1, rows = 1, row = 0;
  Place(const AttentionMap& map, Index of) {
    const Tensor& value = entry_of(map, of).value;
    keys = std::max<Index>(1, value.columns());
    rows = value.rank() >= 2 ? std::max<Index>(1, value.dim(-2)) : 1;
    row = (map.source(of).first / keys) % rows;
  }
};

// "….head.weights" -> "….head[2].weights".
std::string site_of_head(std::string site, Index head) {
  constexpr std::string_view kHead = ".head.";
  const std::size_t at = site.rfind(kHead);
  return at == std::string::npos ? site : site.insert(at + kHead.size() - 1, "[" + std::to_string(head) + "]");
}

bool of_heads(const AttentionMap& map, Index row) { return entry_of(map, row).site.kind->of_heads(); }

}  // namespace

WeightObstacle weight_obstacle(const AttentionMap& map, Index head, Index row, Index column) {
  if (map.is_merged()) return WeightObstacle::merged;
  if (entry_of(map, row).site.kind->derived) return WeightObstacle::derived;
  if (head == AttentionMap::kMax && map.heads > 1) return WeightObstacle::largest;
  if (!map.has(row, column) || !map.kept_columns(row)[static_cast<std::size_t>(column)]) {
    const bool causal = map.kind == AttentionMap::Kind::decoder_self;
    return causal && column > map.source(row).column ? WeightObstacle::later : WeightObstacle::masked;
  }
  if (std::min(map.source(row).keys, map.source(row).kept) <= 1) return WeightObstacle::alone;
  return WeightObstacle::none;
}

std::vector<Intervention> weight_pins(const AttentionMap& map, Index head, Index row, Index column, double value) {
  const Place place(map, row);
  Intervention edit;
  edit.kind = Intervention::Kind::pin;
  edit.value = static_cast<Scalar>(std::clamp(value, 0.0, 1.0));
  edit.cell = map.key_of_column[static_cast<std::size_t>(column)];
  if (place.rows > 1) edit.row = place.row;
  const std::string& site = entry_of(map, row).site.text;
  std::vector<Intervention> edits;
  const bool all = head < 0;
  for (Index h = all ? 0 : head; h <= (all ? map.heads - 1 : head); ++h) {
    edit.site = of_heads(map, row) ? site_of_head(site, h) : site;
    edits.push_back(edit);
  }
  return edits;
}

std::vector<std::pair<Index, Index>> edited_weights(const AttentionMap& map, Index head,
                                                    std::span<const Intervention> edits) {
  std::vector<std::pair<Index, Index>> found;
  if (map.is_merged()) return found;
  std::unordered_map<std::string_view, std::vector<const Intervention*>> of_site;
  for (const Intervention& edit : edits) of_site[edit.site].push_back(&edit);
  std::vector<Index> column_of_key;
  for (std::size_t column = 0; column < map.key_of_column.size(); ++column) {
    if (map.is_sink(static_cast<Index>(column))) continue;
    const auto key = static_cast<std::size_t>(map.key_of_column[column]);
    if (column_of_key.size() <= key) column_of_key.resize(key + 1, -1);
    column_of_key[key] = static_cast<Index>(column);
  }
  std::vector<bool> marked;
  for (Index row = 0; row < map.row_count(); ++row) {
    if (!entry_of(map, row).edited) continue;
    const Place place(map, row);
    marked.assign(static_cast<std::size_t>(map.column_count()), false);
    bool known = false;
    const auto mark = [&](const std::string& site, Index slice) {
      const auto these = of_site.find(site);
      if (these == of_site.end()) return;
      known = true;
      for (const Intervention* edit : these->second) {
        if (edit->row >= 0 && edit->row != place.row) continue;
        Index from = 0, to = place.keys;
        if (edit->cell >= 0 && !edit->outside) {
          // Counted through the whole value, or the slice of a head, where no row is named.
          from = edit->cell - (edit->row == Intervention::kFlat ? (slice * place.rows + place.row) * place.keys : 0);
          to = from + edit->count;
        }
        for (Index key = std::max<Index>(0, from); key < std::min(to, place.keys); ++key)
          if (key < static_cast<Index>(column_of_key.size()) && column_of_key[static_cast<std::size_t>(key)] >= 0)
            marked[static_cast<std::size_t>(column_of_key[static_cast<std::size_t>(key)])] = true;
      }
    };
    const std::string& site = entry_of(map, row).site.text;
    const bool all = head < 0;
    for (Index h = all ? 0 : head; h <= (all ? map.heads - 1 : head); ++h) {
      mark(site, of_heads(map, row) ? h : 0);
      if (of_heads(map, row)) mark(site_of_head(site, h), 0);
    }
    for (Index column = 0; column < map.column_count(); ++column)
      if (map.has(row, column) && (marked[static_cast<std::size_t>(column)] || (!known && !of_heads(map, row))))
        found.emplace_back(row, column);
  }
  return found;
}

}  // namespace headlight
