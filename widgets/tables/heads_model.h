// The attention heads of one kind as a table, a row for each: the twin of the heads view.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "model/analysis/head_statistics.h"
#include "widgets/tables/table.h"

namespace headlight {

class HeadsModel : public ColumnTable {
  Q_OBJECT
 public:
  // `off`: the heads that are switched off.
  // `weights`: of maps that hold other numbers, those of the same heads, of which the habits are told.
  void set_maps(std::vector<AttentionMap> maps, std::function<bool(const AttentionMap&, Index)> off = {},
                std::vector<AttentionMap> weights = {});
  bool is_off(int map, Index head) const;  // kMean, kMax: no
  void show();                             // again: in another language
  const std::vector<AttentionMap>& maps() const { return maps_; }
  // Of a head; computed when first asked for. Threads may ask for different heads at once.
  const HeadStatistics& statistics(int map, Index which) const;
  HeadKind kind(int map, Index which) const;

 private:
  std::vector<AttentionMap> maps_, weights_;  // weights_: empty: those of maps_
  std::vector<std::pair<int, Index>> rows_;   // map, head
  std::vector<int> first_row_;                // of each map
  std::vector<bool> off_;                     // by row
  mutable std::vector<std::optional<HeadStatistics>> statistics_;
  mutable std::vector<std::optional<HeadKind>> kinds_;
};

}  // namespace headlight
