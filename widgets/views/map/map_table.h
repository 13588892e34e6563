// The values of a computation map as a table: for screen readers, copying, and files.
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "model/analysis/flow.h"

namespace headlight {

class MapTable : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kTitle, kSite, kShape, kOperation, kInputs, kColumns };
  using QAbstractTableModel::QAbstractTableModel;

  // One row for each value that the map shows, in the order of computation.
  void set_flow(std::shared_ptr<const Trace> trace, const Flow& flow);
  int entry_of(int row) const { return entries_[static_cast<std::size_t>(row)]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  QString text(int entry, int column) const;

  std::shared_ptr<const Trace> trace_;
  std::vector<int> entries_;
};

}  // namespace headlight
