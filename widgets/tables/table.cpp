#include "widgets/tables/table.h"

#include <QBrush>
#include <QCollator>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "model/core/scalar.h"
#include "model/text/csv.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/export/export.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

bool is_number(const QVariant& value) {
  switch (value.typeId()) {
    case QMetaType::Double:
    case QMetaType::Float:
    case QMetaType::Int:
    case QMetaType::UInt:
    case QMetaType::LongLong:
    case QMetaType::ULongLong:
    case QMetaType::Long:
      return true;
    default:
      return false;
  }
}

QString written(const QVariant& value) {
  return is_number(value) ? csv_number(value.toDouble()) : csv_field(value.toString());
}

// What a header is called in files, which may be shorter than in words.
QVariant title(const QAbstractItemModel& table, int section, Qt::Orientation orientation) {
  const QVariant plain = table.headerData(section, orientation, Qt::EditRole);
  return plain.isValid() ? plain : table.headerData(section, orientation, Qt::DisplayRole);
}

// A cell of a line with tabs between its fields.
QString tabbed(const QVariant& value) {
  if (is_number(value)) return csv_number(value.toDouble());
  QString text = value.toString();
  for (const char c : {'\t', '\n', '\r'}) text.replace(QLatin1Char(c), QLatin1Char(' '));
  return from_utf8(not_computed(text.toStdString()));
}

// All lines of a table, its titles first.
void each_line(const QAbstractItemModel& table, const std::function<void(const QVariantList&)>& take) {
  const int rows = table.rowCount(), columns = table.columnCount();
  const QVariant corner = table.headerData(0, Qt::Vertical, kCornerRole);
  QVariantList line;
  if (corner.isValid()) line << corner;
  for (int column = 0; column < columns; ++column) line << title(table, column, Qt::Horizontal);
  take(line);
  for (int row = 0; row < rows; ++row) {
    line.clear();
    if (corner.isValid()) line << title(table, row, Qt::Vertical);
    for (int column = 0; column < columns; ++column) line << table_value(table.index(row, column));
    take(line);
  }
}

QString joined(const QVariantList& line, QString (*field)(const QVariant&), QChar between) {
  QString text;
  for (qsizetype i = 0; i < line.size(); ++i) {
    if (i > 0) text += between;
    text += field(line[i]);
  }
  return text;
}

}  // namespace

QVariant table_value(const QModelIndex& cell) {
  const QVariant value = cell.data(Qt::EditRole);
  return value.isValid() ? value : cell.data(Qt::DisplayRole);
}

std::vector<QVariantList> table_lines(const QAbstractItemModel& table) {
  std::vector<QVariantList> lines;
  each_line(table, [&](const QVariantList& line) { lines.push_back(line); });
  return lines;
}

QByteArray table_csv(const QAbstractItemModel& table) {
  QByteArray text;
  each_line(table, [&](const QVariantList& line) { text += joined(line, written, ',').toUtf8() + "\r\n"; });
  return text;
}

QString table_tsv(const QAbstractItemModel& table, const QModelIndexList& cells) {
  QString text;
  const qsizetype all = static_cast<qsizetype>(table.rowCount()) * table.columnCount();
  if (cells.size() == all) {
    each_line(table, [&](const QVariantList& line) { text += joined(line, tabbed, '\t') + '\n'; });
    return text;
  }
  std::set<std::pair<int, int>> chosen;
  std::set<int> columns;
  for (const QModelIndex& cell : cells) {
    chosen.emplace(cell.row(), cell.column());
    columns.insert(cell.column());
  }
  for (auto at = chosen.begin(); at != chosen.end();) {
    const int row = at->first;
    QVariantList line;
    for (const int column : columns)
      line << (chosen.contains({row, column}) ? table_value(table.index(row, column)) : QVariant());
    text += joined(line, tabbed, '\t') + '\n';
    at = chosen.lower_bound({row + 1, 0});
  }
  return text;
}

void ColumnTable::set(int rows, std::vector<Column> columns) {
  // Views of the table keep their place while its numbers change.
  const bool same = rows == rows_ && columns.size() == columns_.size();
  if (!same) beginResetModel();
  rows_ = rows;
  columns_ = std::move(columns);
  if (!same) return endResetModel();
  if (rows_ == 0 || columns_.empty()) return;
  emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
  emit dataChanged(index(0, 0), index(rows_ - 1, columnCount() - 1));
}

ColumnTable::Column ColumnTable::counting(const QString& title, const std::function<int(int row)>& index) {
  return {title, [index](int row) { return QVariant(index(row)); }, [index](int row) { return counted(index(row)); }};
}

ColumnTable::Column ColumnTable::place(const QString& title, const std::function<int(int row)>& index) {
  return {title, [index](int row) { return QVariant(index(row) + first_number()); }};
}

int ColumnTable::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : rows_; }

int ColumnTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QVariant ColumnTable::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  if (role == Qt::ToolTipRole && help_) return plain_tooltip(help_(index.row()));
  if (role != Qt::DisplayRole && role != Qt::EditRole && role != Qt::TextAlignmentRole &&
      role != Qt::AccessibleTextRole)
    return {};
  const Column& column = nth(columns_, index.column());
  const QVariant value = column.value(index.row());
  if (role == Qt::EditRole) return value;
  if (role == Qt::TextAlignmentRole)
    return is_number(value) ? QVariant(static_cast<int>(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
  const bool real = value.typeId() == QMetaType::Double || value.typeId() == QMetaType::Float;
  const QString text = column.text && value.isValid() ? column.text(index.row())
                       : real                         ? short_number(value.toDouble())
                                                      : value.toString();
  return role == Qt::DisplayRole ? text : with_colon(column.title, text);
}

QVariant ColumnTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role == kCornerRole && !corner_.isEmpty()) return corner_;
  const bool as_stored = role == Qt::EditRole && orientation == Qt::Vertical && !corner_.isEmpty();
  if ((role != Qt::DisplayRole && !as_stored) || section < 0) return {};
  if (orientation == Qt::Vertical)
    return section < rows_ ? QVariant(as_stored ? section : section + first_number()) : QVariant();
  return section < columnCount() ? nth(columns_, section).title : QVariant();
}

TableTwin::TableTwin(QObject* parent) : QAbstractProxyModel(parent) {}

void TableTwin::setSourceModel(QAbstractItemModel* model) {
  if (model == sourceModel()) return;
  beginResetModel();
  if (sourceModel()) sourceModel()->disconnect(this);
  QAbstractProxyModel::setSourceModel(model);
  column_ = -1;
  order_rows();
  if (model) {
    const auto begin = [this] { beginResetModel(); };
    const auto end = [this] {
      order_rows();
      endResetModel();
    };
    connect(model, &QAbstractItemModel::modelAboutToBeReset, this, begin);
    connect(model, &QAbstractItemModel::modelReset, this, end);
    connect(model, &QAbstractItemModel::dataChanged, this, &TableTwin::values_changed);
    connect(model, &QAbstractItemModel::headerDataChanged, this, [this](Qt::Orientation orientation) {
      const int count = orientation == Qt::Horizontal ? columnCount() : rowCount();
      if (count > 0) emit headerDataChanged(orientation, 0, count - 1);
    });
  }
  endResetModel();
}

void TableTwin::sort(int column, Qt::SortOrder order) {
  emit layoutAboutToBeChanged();
  column_ = column;
  order_ = order;
  order_rows();
  emit layoutChanged();
}

// Numbers before texts, what is missing last, whatever the direction; equal ones keep their order.
void TableTwin::order_rows() {
  source_rows_.clear();
  twin_rows_.clear();
  if (column_ >= columnCount()) column_ = -1;
  if (column_ < 0) return;
  struct Key {
    int group = 2;  // number, text, nothing
    double number = 0;
    QString text;
  };
  const int rows = rowCount();
  std::vector<Key> keys(static_cast<std::size_t>(rows));
  for (int row = 0; row < rows; ++row) {
    const QVariant value = table_value(sourceModel()->index(row, column_));
    Key& key = nth(keys, row);
    if (is_number(value) && !std::isnan(value.toDouble()))
      key = {0, value.toDouble(), {}};
    else if (!is_number(value) && !value.toString().isEmpty())
      key = {1, 0, value.toString()};
  }
  const QLocale locale;
  QCollator collator(locale.language() == QLocale::C ? QLocale(QLocale::English) : locale);
  collator.setNumericMode(true);
  source_rows_.resize(keys.size());
  std::iota(source_rows_.begin(), source_rows_.end(), 0);
  const bool up = order_ == Qt::AscendingOrder;
  std::ranges::stable_sort(source_rows_, [&](int left, int right) {
    const Key &a = nth(keys, left), &b = nth(keys, right);
    if (a.group != b.group) return a.group < b.group;
    const Key &low = up ? a : b, &high = up ? b : a;
    return a.group == 0 ? low.number < high.number : a.group == 1 && collator.compare(low.text, high.text) < 0;
  });
  twin_rows_.resize(keys.size());
  for (int row = 0; row < rows; ++row) nth(twin_rows_, nth(source_rows_, row)) = row;
}

void TableTwin::values_changed() {
  if (column_ >= 0) {
    emit layoutAboutToBeChanged();
    order_rows();
    emit layoutChanged();
    if (rowCount() > 0) emit headerDataChanged(Qt::Vertical, 0, rowCount() - 1);
  }
  if (rowCount() > 0 && columnCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

QModelIndex TableTwin::index(int row, int column, const QModelIndex& parent) const {
  return hasIndex(row, column, parent) ? createIndex(row, column) : QModelIndex();
}

int TableTwin::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !sourceModel() ? 0 : sourceModel()->rowCount();
}

int TableTwin::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || !sourceModel() ? 0 : sourceModel()->columnCount();
}

QModelIndex TableTwin::mapToSource(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  const auto row = static_cast<std::size_t>(index.row());
  return sourceModel()->index(row < source_rows_.size() ? source_rows_[row] : index.row(), index.column());
}

QModelIndex TableTwin::mapFromSource(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  const auto row = static_cast<std::size_t>(index.row());
  return createIndex(row < twin_rows_.size() ? twin_rows_[row] : index.row(), index.column());
}

QVariant TableTwin::headerData(int section, Qt::Orientation orientation, int role) const {
  if (!sourceModel()) return {};
  // A head stands over its figures.
  if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && rowCount() > 0)
    return index(0, section).data(Qt::TextAlignmentRole);
  if (orientation == Qt::Horizontal && role == Qt::ForegroundRole) return QBrush(tokens().ink2);
  const auto row = static_cast<std::size_t>(section);
  const bool moved = orientation == Qt::Vertical && role != kCornerRole && row < source_rows_.size();
  return sourceModel()->headerData(moved ? source_rows_[row] : section, orientation, role);
}

}  // namespace headlight
