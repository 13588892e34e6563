// The names of a file of weights as a tree, with what is below each of them, and what two files have of it.
#pragma once

#include <QHash>
#include <QStandardItemModel>
#include <vector>

#include "model/io/tensor_file.h"
#include "model/io/tensor_statistics.h"

namespace headlight {

// Where a name stands: "encoder.layer.2.attention.query.weight" under "encoder" and "layer 2" as
// "attention.query.weight". What comes after the last number stays one name, without numbers what comes after the first
// part.
struct TensorPlace {
  QStringList folders;
  QString leaf;
};
TensorPlace tensor_place(const QString& name);

class TensorTree : public QStandardItemModel {
  Q_OBJECT
 public:
  enum Column { kName, kShape, kNumbers, kChange };
  static constexpr int kIndexRole = Qt::UserRole + 1;  // of the tensor in its file; none: a folder
  static constexpr int kTextRole = Qt::UserRole + 2;   // what a search looks through

  TensorTree(const TensorFile& file, QObject* parent);

  void retranslate();
  QModelIndex index_of(int tensor) const;
  // Another column: by how much each differs from the one of the same name, a folder the most of what is in it. What
  // only the other file has follows in a folder of its own, called `other`.
  void set_differences(const std::vector<TensorDifference>& differences, const QString& other);

  // What differs, without folders, the largest change first: a table with the same columns and roles.
  QStandardItemModel* by_change(const std::vector<TensorDifference>& differences, QObject* parent) const;

  std::uint64_t numbers() const { return numbers_; }  // of all tensors

 private:
  QStandardItem* folder(const QStringList& path);
  void add(const QString& name, const std::vector<std::uint64_t>& shape, const QString& what, int tensor);
  void add_up(QStandardItem* folder);

  std::vector<QStandardItem*> items_;       // by tensor
  QHash<QString, QStandardItem*> folders_;  // by the names down to each
  QStandardItem* other_ = nullptr;          // what only the other file has
  std::uint64_t numbers_ = 0;
};

// "12 × 8", "a number" for a tensor without axes.
QString shape_words(const std::vector<std::uint64_t>& shape);
QString tensors_text(int count);  // "16 tensors"
// "3.2 %": what stands in the column.
QString difference_words(const TensorDifference& difference);

}  // namespace headlight
