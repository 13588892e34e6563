// Tables of numbers beside pictures: made of columns, sorted, copied, and written as CSV. A view names one model
// (ResultView::set_table), often a ColumnTable; the table beside it (table_pane.h) and the CSV are that, as it was
// sorted.
#pragma once

#include <QAbstractProxyModel>
#include <QAbstractTableModel>
#include <QByteArray>
#include <QModelIndexList>
#include <QString>
#include <functional>
#include <vector>

namespace headlight {

// headerData(0, Qt::Vertical, kCornerRole): what the labels of the rows are ("output"). Where a table says it, these
// labels are its first column wherever it is copied or written; else its rows are only numbered.
inline constexpr int kCornerRole = Qt::UserRole + 64;

// Cells hold under Qt::EditRole what is written: a number in full, or a text. Under Qt::DisplayRole stands what is
// read.
QVariant table_value(const QModelIndex& cell);
// Titles first, then every row, with the labels of rows where they say something.
std::vector<QVariantList> table_lines(const QAbstractItemModel& table);
// RFC 4180, with the titles of the columns. Numbers have nine significant digits (export.h).
QByteArray table_csv(const QAbstractItemModel& table);
// The cells of a selection with tabs between them, for spreadsheets; titles and labels too where it is the whole table.
QString table_tsv(const QAbstractItemModel& table, const QModelIndexList& cells);

// A table of records: each column has a title and computes its values when they are looked at.
class ColumnTable : public QAbstractTableModel {
  Q_OBJECT
 public:
  struct Column {
    QString title;
    std::function<QVariant(int row)> value;          // a number, a text, or nothing
    std::function<QString(int row)> text = nullptr;  // as it is read, where that is not the value
  };
  using QAbstractTableModel::QAbstractTableModel;
  void set(int rows, std::vector<Column> columns);
  void clear() { set(0, {}); }
  // A layer or a head: files have it as readers do.
  static Column place(const QString& title, const std::function<int(int row)>& index);
  // An index: files have it from 0, as the names of values do, readers from 1.
  static Column counting(const QString& title, const std::function<int(int row)>& index);
  // Rows have numbers that mean something ("step"): from 0 in files, from 1 for readers.
  void number_rows(const QString& corner) { corner_ = corner; }
  void set_help(std::function<QString(int row)> help) { help_ = std::move(help); }  // the tooltip of a row

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  int rows_ = 0;
  std::vector<Column> columns_;
  QString corner_;
  std::function<QString(int row)> help_;
};

// The table of a view, whichever of its models that is at the moment, in the order that somebody chose. Flat models
// only.
class TableTwin : public QAbstractProxyModel {
  Q_OBJECT
 public:
  explicit TableTwin(QObject* parent = nullptr);

  void setSourceModel(QAbstractItemModel* model) override;  // keeps the order when the same model comes again
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;  // -1: as the model has it
  int sorted_column() const { return column_; }
  Qt::SortOrder sort_order() const { return order_; }

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex&) const override { return {}; }
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QModelIndex mapToSource(const QModelIndex& index) const override;
  QModelIndex mapFromSource(const QModelIndex& index) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  void order_rows();
  void values_changed();

  int column_ = -1;
  Qt::SortOrder order_ = Qt::AscendingOrder;
  std::vector<int> source_rows_, twin_rows_;  // empty: the same order
};

}  // namespace headlight
