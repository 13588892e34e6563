// The terms of an explanation as a table: label, factors with their values and places, value of the term.
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "model/trace/trace.h"
#include "widgets/items/trace_labels.h"

namespace headlight {

class ExplanationModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  // The table has as many factor columns as the longest term: label, then value and place of each factor, then the
  // term.
  enum class Order { position, magnitude };
  enum Role {
    kFactorRole = Qt::UserRole,  // int: which cell of the term the column shows, -1: none
    kShareRole,                  // double in [-1, 1]: value of the term by the largest magnitude
    kTermRole,                   // int: position of the term in the explanation
  };
  using QAbstractTableModel::QAbstractTableModel;

  void set_explanation(std::shared_ptr<const Trace> trace, Explanation explanation);
  const Explanation& explanation() const { return explanation_; }
  void set_order(Order order);
  Order order() const { return order_; }

  int factors() const { return factors_; }
  int value_column() const { return 1 + 2 * factors_; }  // of the whole term; the bar is drawn behind it
  // The cell behind a table cell: the factor of its column; for the label and the value, the first factor.
  const Cell* cell(const QModelIndex& index) const;
  Location location(const Cell& cell) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  const Term& term(int row) const;
  int factor_of_column(int column) const;
  void sort_terms();

  std::shared_ptr<const Trace> trace_;
  Explanation explanation_;
  std::vector<int> rows_;  // row -> term
  int factors_ = 0;
  double largest_ = 0;
  Order order_ = Order::position;
};

}  // namespace headlight
