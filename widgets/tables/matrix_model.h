// A matrix as a table: the twin of a heatmap for screen readers, copying and tests.
#pragma once

#include <QAbstractTableModel>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "widgets/text/axis_label.h"

namespace headlight {

// What a softmax leaves of −∞: 0, or what lies below the smallest normal number on some processors.
inline bool is_nothing(float weight) { return std::abs(weight) < std::numeric_limits<float>::min(); }

class MatrixModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;
  void set_matrix(int rows, int columns, std::vector<float> values);
  void share_matrix(int rows, int columns, std::shared_ptr<const std::vector<float>> values);  // not copied
  // Cells that a mask hides (rows x columns; empty: none): they say so where a 0 would stand. Until the next matrix.
  void set_hidden(std::vector<bool> cells);
  // Shown in words; in files as they are painted.
  void set_labels(std::vector<AxisLabel> rows, std::vector<AxisLabel> columns);
  void set_corner(const QString& corner) { corner_ = corner; }  // what the rows are (table.h)

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : rows_; }
  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : columns_; }
  // Display: six significant digits. Edit: the number. ToolTip: with its labels.
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  int rows_ = 0, columns_ = 0;
  std::shared_ptr<const std::vector<float>> values_ = std::make_shared<const std::vector<float>>();
  std::vector<bool> hidden_;
  std::vector<AxisLabel> row_labels_, column_labels_;
  QString corner_;
};

}  // namespace headlight
