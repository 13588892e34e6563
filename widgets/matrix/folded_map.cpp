#include "widgets/matrix/folded_map.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "widgets/matrix/heatmap.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {
QString tr(const char* text) { return QCoreApplication::translate("FoldedMap", text); }
}  // namespace

bool folds(const AttentionMap& map) {
  const auto blanks = std::ranges::count_if(map.columns, &AttentionToken::padding);
  return blanks > 1 && blanks < static_cast<Index>(map.columns.size());
}

AttentionMap without_padding(const AttentionMap& map) {
  AttentionMap found = map;
  const auto is_padding = [](const AttentionToken& token) { return token.padding; };
  std::erase_if(found.columns, is_padding);
  found.key_of_column.clear();
  for (std::size_t i = 0; i < map.columns.size(); ++i)
    if (!map.columns[i].padding) found.key_of_column.push_back(map.key_of_column[i]);
  std::erase_if(found.rows, is_padding);
  found.row_sources.clear();
  for (std::size_t i = 0; i < map.rows.size(); ++i)
    if (!map.rows[i].padding) found.row_sources.push_back(map.row_sources[i]);
  return found;
}

double FoldedMap::share() const {
  return sums.empty() ? 0 : std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(sums.size());
}

FoldedMap FoldedMap::of(std::shared_ptr<const AttentionMap> map, Index head, bool fold) {
  if (!map || !fold || !folds(*map)) return {std::move(map), 0, {}};
  FoldedMap folded;
  const Tensor weights = map->matrix(head);
  for (Index row = 0; row < weights.rows(); ++row) {
    if (nth(map->rows, row).padding) continue;
    double sum = 0;
    for (Index column = 0; column < weights.columns(); ++column) {
      if (!nth(map->columns, column).padding) continue;
      const auto weight = static_cast<double>(weights[row * weights.columns() + column]);
      sum = head != AttentionMap::kMax ? sum + weight : weight <= sum || std::isnan(sum) ? sum : weight;
    }
    folded.sums.push_back(static_cast<float>(sum));
  }
  folded.blanks = static_cast<int>(std::ranges::count_if(map->columns, &AttentionToken::padding));
  folded.map = std::make_shared<const AttentionMap>(without_padding(*map));
  return folded;
}

FoldedMap::Cells FoldedMap::cells(Index head) const {
  const Tensor weights = map->matrix(head);
  if (!weights.defined() || weights.size() == 0) return {};
  const auto rows = static_cast<int>(weights.rows()), columns = static_cast<int>(weights.columns());
  Cells cells{rows, columns + (blanks > 0 ? 1 : 0), {}, map->hidden_cells(), map->dropped_cells()};
  if (blanks == 0) {
    cells.values.assign(weights.data(), weights.data() + weights.size());
    return cells;
  }
  cells.values.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns + 1));
  for (int row = 0; row < rows; ++row) {
    const Scalar* from = weights.data() + static_cast<std::ptrdiff_t>(row) * columns;
    cells.values.insert(cells.values.end(), from, from + columns);
    cells.values.push_back(nth(sums, row));
  }
  for (std::vector<bool>* each : {&cells.hidden, &cells.dropped}) {
    std::vector<bool> wider;
    for (int row = 0; row < rows && !each->empty(); ++row) {
      const auto from = each->begin() + static_cast<std::ptrdiff_t>(row) * columns;
      wider.insert(wider.end(), from, from + columns);
      wider.push_back(false);
    }
    *each = std::move(wider);
  }
  return cells;
}

void FoldedMap::set_range(Heatmap* heatmap, MapColours colours) const {
  using Range = HeatmapScene::Range;
  heatmap->set_range(map && map->lowest < 0                                         ? Range::symmetric
                     : colours == MapColours::own || (map && !map->within_shares()) ? Range::automatic
                     : colours == MapColours::logarithmic                           ? Range::logarithmic
                                                                                    : Range::unit);
}

void FoldedMap::show(Heatmap* heatmap, Index head, quint64 generation) const {
  Cells all = cells(head);
  heatmap->set_matrix(all.rows, all.columns, std::move(all.values), generation);
  heatmap->set_hidden(std::move(all.hidden), std::move(all.dropped));
  heatmap->set_looks(map && map->within_shares());
}

std::vector<AxisLabel> FoldedMap::column_labels() const {
  std::vector<AxisLabel> labels = headlight::column_labels(*map);
  if (blanks == 0) return labels;
  const QString part = plain_number(100 * share(), 0);
  AxisLabel label{padding_short(blanks), true,
                  tr(QT_TRANSLATE_NOOP("FoldedMap", "padding (%1 empty places up to %2; click to see each of them)"))
                      .arg(blanks)
                      .arg(labels.size() + static_cast<std::size_t>(blanks))};
  label.lines = tr(QT_TRANSLATE_NOOP("FoldedMap", "padding\n%1 %")).arg(part);
  labels.push_back(std::move(label));
  return labels;
}

QAction* add_padding_action(QMenu* menu, bool shown) {
  QAction* action = menu->addAction(tr(QT_TRANSLATE_NOOP("FoldedMap", "Show padding")));
  action->setCheckable(true);
  action->setChecked(shown);
  action->setToolTip(tr(QT_TRANSLATE_NOOP(
      "FoldedMap", "The model reads sources of one length: shorter ones are filled up with padding.")));
  return action;
}

}  // namespace headlight
