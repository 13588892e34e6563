// The terms of an explanation as a table: label, one column for each factor, value of the term.
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "model/trace/trace.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

class ExplanationModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  // The table has as many factor columns as the longest term: label, then each factor (its number, and its place by
  // kPlaceRole), then the term.
  enum class Order { position, magnitude };
  enum Role {
    kFactorRole = Qt::UserRole,  // int: which cell of the term the column shows, -1: none
    kShareRole,                  // double in [-1, 1]: value of the term by the largest magnitude
    kTermRole,                   // int: position of the term in the explanation
    kPlaceRole,                  // QString: where the factor comes from, in short
    kLinkRole,                   // bool: that place can be opened
    kTimesRole,                  // bool: the factor is multiplied with the one before
    kOwnRole,                    // bool: in a share, the term that the share is of
  };
  using QAbstractTableModel::QAbstractTableModel;

  void set_explanation(std::shared_ptr<const Trace> trace, Explanation explanation, TraceLabels labels = {});
  const Explanation& explanation() const { return explanation_; }
  void set_order(Order order);
  Order order() const { return order_; }

  int factors() const { return factors_; }
  int value_column() const { return 1 + factors_; }  // of the whole term; the bar is drawn behind it
  // What all terms are called; empty when they differ, and then the first column tells.
  QString common_label() const;
  bool is_mix() const;
  int own_row() const;  // of the term that kOwnRole marks, which stands first; -1: none
  // The cell behind a table cell: the factor of its column; for the label and the value, the first factor.
  const Cell* cell(const QModelIndex& index) const;
  Location location(const Cell& cell) const { return trace_->locate(cell); }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : value_column() + 1; }
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  const Term& term(int row) const;
  int factor_of_column(int column) const;
  void sort_terms();
  Index place_of(int term) const;  // of its number, in reading order

  QVariant factor_data(const Term& term, int factor, int role) const;
  QString factor_tooltip(const Cell& cell) const;

  std::shared_ptr<const Trace> trace_;
  TraceLabels labels_;
  Explanation explanation_;
  std::vector<int> rows_;  // row -> term
  int factors_ = 0;
  double largest_ = 0;
  Order order_ = Order::position;
};

}  // namespace headlight
