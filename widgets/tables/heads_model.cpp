#include "widgets/tables/heads_model.h"

#include "widgets/text/attention_words.h"

namespace headlight {

void HeadsModel::set_maps(std::vector<AttentionMap> maps) {
  beginResetModel();
  maps_ = std::move(maps);
  rows_.clear();
  first_row_.clear();
  for (std::size_t i = 0; i < maps_.size(); ++i) {
    first_row_.push_back(static_cast<int>(rows_.size()));
    for (Index h = 0; h < maps_[i].heads; ++h) rows_.emplace_back(static_cast<int>(i), h);
  }
  statistics_.assign(rows_.size(), {});
  endResetModel();
}

const HeadStatistics& HeadsModel::statistics(int map, Index which) const {
  const auto row = static_cast<std::size_t>(first_row_[static_cast<std::size_t>(map)] + static_cast<int>(which));
  auto& found = statistics_[row];
  if (!found) found = head_statistics(maps_[static_cast<std::size_t>(map)], which);
  return *found;
}

int HeadsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int HeadsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : count; }

double HeadsModel::number(const HeadStatistics& s, int column) const {
  switch (column) {
    case entropy:
      return s.entropy;
    case bits:
      return s.bits;
    case distance:
      return s.distance;
    case same:
      return s.same;
    case previous:
      return s.previous;
    case next:
      return s.next;
    case first:
      return s.first;
    case confidence:
      return s.confidence;
    default:
      return s.highest;
  }
}

QVariant HeadsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const auto [map_index, head_index] = rows_[static_cast<std::size_t>(index.row())];
  const AttentionMap& map = maps_[static_cast<std::size_t>(map_index)];
  if (role == Qt::TextAlignmentRole && index.column() >= entropy)
    return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::AccessibleTextRole || role == Qt::ToolTipRole)
    return head_description(map, head_index, statistics(map_index, head_index));
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  switch (index.column()) {
    case layer:
      return static_cast<int>(map.layer + 1);
    case head:
      return static_cast<int>(head_index + 1);
    case habit:
      return habit_name(statistics(map_index, head_index).kind);
    default:
      break;
  }
  const double value = number(statistics(map_index, head_index), index.column());
  return role == Qt::EditRole ? QVariant(value) : QVariant(QString::number(value, 'g', 4));
}

QVariant HeadsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  switch (section) {
    case layer:
      return tr("layer");
    case head:
      return tr("head");
    case habit:
      return tr("habit");
    case entropy:
      return tr("entropy");
    case bits:
      return tr("bits");
    case distance:
      return tr("distance");
    case same:
      return tr("diagonal");
    case previous:
      return tr("token before");
    case next:
      return tr("token behind");
    case first:
      return tr("first token");
    case confidence:
      return tr("mean of largest");
    case highest:
      return tr("largest");
    default:
      return {};
  }
}

}  // namespace headlight
