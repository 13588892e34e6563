// All hypotheses of a beam search as a table: one row for each, step by step, best first.
#pragma once

#include <QAbstractTableModel>
#include <map>
#include <memory>

#include "model/decode/run.h"

namespace headlight {

// What became of a hypothesis: "went on", "dropped", ...
QString fate_name(BeamHypothesis::Fate fate);

class BeamModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  // The parent is a place in the step before (-1: none); the rank is that of a finished output, best first.
  enum Column { kStep, kPlace, kParent, kToken, kText, kLogProbability, kScore, kFate, kRank, kColumns };
  using QAbstractTableModel::QAbstractTableModel;

  void set_result(std::shared_ptr<const Result> result);
  const Result* result() const { return result_.get(); }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  std::shared_ptr<const Result> result_;
  std::vector<std::pair<int, int>> rows_;     // step and place
  std::map<std::pair<int, int>, int> ranks_;  // of what is finished
};

}  // namespace headlight
