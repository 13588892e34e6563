// The attention heads of one kind as a table, a row for each: the twin of the heads view.
#pragma once

#include <QAbstractTableModel>
#include <optional>
#include <vector>

#include "model/analysis/head_statistics.h"

namespace headlight {

class HeadsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { layer, head, habit, entropy, bits, distance, same, previous, next, first, confidence, highest, count };

  using QAbstractTableModel::QAbstractTableModel;
  void set_maps(std::vector<AttentionMap> maps);
  const std::vector<AttentionMap>& maps() const { return maps_; }
  // Of a head; computed when first asked for. Threads may ask for different heads at once.
  const HeadStatistics& statistics(int map, Index which) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  double number(const HeadStatistics& s, int column) const;

  std::vector<AttentionMap> maps_;
  std::vector<std::pair<int, Index>> rows_;  // map, head
  std::vector<int> first_row_;               // of each map
  mutable std::vector<std::optional<HeadStatistics>> statistics_;
};

}  // namespace headlight
