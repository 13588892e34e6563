#include "widgets/tables/heads_model.h"

#include <cmath>

#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"

namespace headlight {

void HeadsModel::set_maps(std::vector<AttentionMap> maps, std::function<bool(const AttentionMap&, Index)> off,
                          std::vector<AttentionMap> weights) {
  maps_ = std::move(maps);
  weights_ = std::move(weights);
  rows_.clear();
  first_row_.clear();
  for (std::size_t i = 0; i < maps_.size(); ++i) {
    first_row_.push_back(static_cast<int>(rows_.size()));
    for (Index h = 0; h < maps_[i].heads; ++h) rows_.emplace_back(static_cast<int>(i), h);
  }
  off_.clear();
  for (const auto& [map, head] : rows_) off_.push_back(off && off(nth(maps_, map), head));
  statistics_.assign(rows_.size(), {});
  kinds_.assign(rows_.size(), {});
  show();
}

bool HeadsModel::is_off(int map, Index head) const {
  return head >= 0 && nth(off_, nth(first_row_, map) + static_cast<int>(head));
}

const HeadStatistics& HeadsModel::statistics(int map, Index which) const {
  const auto row = static_cast<std::size_t>(nth(first_row_, map) + static_cast<int>(which));
  auto& found = statistics_[row];
  if (!found) found = head_statistics(nth(weights_.empty() ? maps_ : weights_, map), which);
  return *found;
}

HeadKind HeadsModel::kind(int map, Index which) const {
  auto& found = nth(kinds_, nth(first_row_, map) + static_cast<int>(which));
  if (!found) found = head_kind(nth(weights_.empty() ? maps_ : weights_, map), which);
  return *found;
}

void HeadsModel::show() {
  const auto map = [this](int row) -> const AttentionMap& { return nth(maps_, nth(rows_, row).first); };
  const auto head = [this](int row) { return nth(rows_, row).second; };
  const auto of = [this](int row) -> const HeadStatistics& {
    const auto [map_index, head_index] = nth(rows_, row);
    return statistics(map_index, head_index);
  };
  std::vector<Column> columns = {
      place(tr("layer"), [map](int row) { return static_cast<int>(map(row).layer); }),
      place(tr("head"), [head](int row) { return static_cast<int>(head(row)); }),
      {tr("pattern"),
       [this](int row) {
         return nth(off_, row) ? head_off_name() : habit_name(kind(nth(rows_, row).first, nth(rows_, row).second));
       }},
  };
  const std::pair<QString, double HeadStatistics::*> numbers[] = {
      {tr("entropy"), &HeadStatistics::entropy},         {tr("bits"), &HeadStatistics::bits},
      {tr("distance"), &HeadStatistics::distance},       {tr("self"), &HeadStatistics::same},
      {tr("previous token"), &HeadStatistics::previous}, {tr("next token"), &HeadStatistics::next},
      {tr("first token"), &HeadStatistics::first},       {tr("mean of the largest"), &HeadStatistics::confidence},
      {tr("largest"), &HeadStatistics::highest}};
  for (const auto& [title, number] : numbers)
    columns.push_back({title, [of, number](int row) { return of(row).*number; },
                       [of, number](int row) {
                         const double value = of(row).*number;
                         return short_number(value);
                       }});
  set_help([=](int row) { return head_description(map(row), head(row), of(row)); });
  set(static_cast<int>(rows_.size()), std::move(columns));
}

}  // namespace headlight
