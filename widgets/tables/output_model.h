// The output of a run as a table: one row for each step, with its most probable tokens.
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "model/decode/run.h"

namespace headlight {

class OutputModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  // Columns: the written token, its probability, then the same of candidates 1 to 10.
  static constexpr int kCandidates = 10;
  enum Column { kToken = 0, kProbability = 1, kFirstCandidate = 2, kColumns = kFirstCandidate + 2 * kCandidates };
  enum Role {
    kProbabilityRole = Qt::UserRole + 1,  // double
    kTokenIdRole,                         // int
    kTokenRole,                           // QString, as painted
    kChosenRole,                          // bool: this candidate was written
  };
  using QAbstractTableModel::QAbstractTableModel;

  void set_result(std::shared_ptr<const Result> result);
  const Result* result() const { return result_.get(); }
  const std::shared_ptr<const Result>& shared_result() const { return result_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  std::shared_ptr<const Result> result_;
};

// "99.8 %", "< 0.1 %", "100 %" only when it is exact to three digits.
QString percent(double probability);

}  // namespace headlight
