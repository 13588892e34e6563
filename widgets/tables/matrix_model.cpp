// A matrix as a table.
#include "widgets/tables/matrix_model.h"

#include "widgets/tables/table.h"
#include "widgets/text/number_words.h"

namespace headlight {

void MatrixModel::set_matrix(int rows, int columns, std::vector<float> values) {
  share_matrix(rows, columns, std::make_shared<const std::vector<float>>(std::move(values)));
}

void MatrixModel::share_matrix(int rows, int columns, std::shared_ptr<const std::vector<float>> values) {
  hidden_.clear();
  if (rows == rows_ && columns == columns_) {  // views keep their place while the numbers change
    values_ = std::move(values);
    if (rows > 0 && columns > 0) emit dataChanged(index(0, 0), index(rows - 1, columns - 1));
    return;
  }
  beginResetModel();
  rows_ = rows;
  columns_ = columns;
  values_ = std::move(values);
  endResetModel();
}

void MatrixModel::set_hidden(std::vector<bool> cells) {
  if (cells == hidden_ || (!cells.empty() && cells.size() != values_->size())) return;
  hidden_ = std::move(cells);
  if (rows_ > 0 && columns_ > 0) emit dataChanged(index(0, 0), index(rows_ - 1, columns_ - 1));
}

void MatrixModel::set_labels(std::vector<AxisLabel> rows, std::vector<AxisLabel> columns) {
  if (rows == row_labels_ && columns == column_labels_) return;
  row_labels_ = std::move(rows);
  column_labels_ = std::move(columns);
  if (columns_ > 0) emit headerDataChanged(Qt::Horizontal, 0, columns_ - 1);
  if (rows_ > 0) emit headerDataChanged(Qt::Vertical, 0, rows_ - 1);
}

QVariant MatrixModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const auto at = static_cast<std::size_t>(index.row()) * static_cast<std::size_t>(columns_) +
                  static_cast<std::size_t>(index.column());
  const float value = (*values_)[at];
  const bool hidden = !hidden_.empty() && hidden_[at] && is_nothing(value);
  const QString shown = hidden ? tr("hidden") : short_number(static_cast<double>(value));
  switch (role) {
    case Qt::DisplayRole:
      return shown;
    case Qt::EditRole:
      return hidden ? QVariant() : QVariant(value);
    case Qt::TextAlignmentRole:
      return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
      return QStringLiteral("%1, %2: %3")
          .arg(headerData(index.row(), Qt::Vertical).toString(), headerData(index.column(), Qt::Horizontal).toString(),
               shown);
    default:
      return {};
  }
}

QVariant MatrixModel::headerData(int section, Qt::Orientation orientation, int role) const {
  const bool across = orientation == Qt::Horizontal;
  if (role == kCornerRole && !across && !corner_.isNull()) return corner_;
  const auto& labels = across ? column_labels_ : row_labels_;
  const auto at = static_cast<std::size_t>(section);
  if ((role != Qt::DisplayRole && role != Qt::EditRole) || section < 0 || section >= (across ? columns_ : rows_))
    return {};
  if (at < labels.size()) return role == Qt::EditRole ? labels[at].text : labels[at].words();
  return role == Qt::DisplayRole ? QVariant(counted(section)) : QVariant(section);
}

}  // namespace headlight
