// The rows of a list of texts: searched and sorted, so that 100,000 of them answer at once. Cells are made when they
// are looked at.
#pragma once

#include <QAbstractTableModel>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/io/text_list.h"

namespace headlight {

class TextsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kNumber, kText, kLabel, kValue };
  // `tenths`: some of each tenth of the numbers, the highest first.
  enum class Order { as_listed, highest, lowest, by_text, by_label, tenths };
  static constexpr int kOfTenth = 3;
  using QAbstractTableModel::QAbstractTableModel;

  void set_texts(std::vector<ListedText> texts);
  // Of what was stored, when it is known; set_values() shows it.
  void set_text(int text, std::string words);
  const std::vector<ListedText>& texts() const { return texts_; }
  // Of each text a number, NaN: none; `name` says what it is.
  void set_values(const QString& name, std::vector<double> values);
  double value(int text) const;
  void set_order(Order order);
  Order order() const { return order_; }
  void set_search(const QString& words);  // each of them, in text or label
  // Only texts whose number is within; nothing: all.
  void set_between(std::optional<std::pair<double, double>> between);
  bool has_labels() const { return labels_; }
  int text_of(int row) const { return shown_[static_cast<std::size_t>(row)]; }
  int row_of(int text) const;  // -1: it is not shown
  void set_current(int text);  // that the model reads

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : kValue + 1; }
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

 private:
  void show();
  void thin_out();
  bool comes_before(int a, int b) const;

  std::vector<ListedText> texts_;
  std::vector<std::string> searched_;  // in lower case, with labels
  std::vector<double> values_;
  std::vector<int> shown_;  // texts, row by row
  std::vector<std::string> words_;
  std::optional<std::pair<double, double>> between_;
  QString name_;
  Order order_ = Order::as_listed;
  int current_ = -1;
  bool labels_ = false;
};

}  // namespace headlight
