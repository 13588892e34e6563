// What a file of weights holds: its names as a tree, and of the chosen tensor its numbers, as a picture and in figures.
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "model/io/tensor_file.h"
#include "model/io/tensor_statistics.h"

class QLabel;
class QPushButton;
class QTreeView;
class QStandardItem;
class QStandardItemModel;

namespace headlight {

class TensorHistogram;
class TensorView;

// Of one tensor; made off the GUI thread.
struct TensorNumbers {
  int index = -1;
  TensorStatistics statistics;
  Tensor matrix;                 // as matrix_of()
  std::vector<double> singular;  // where they were asked for
};

class TensorBrowser : public QWidget {
  Q_OBJECT
 public:
  // `reason`: why it does not run.
  TensorBrowser(std::shared_ptr<const TensorFile> file, const QString& reason, QWidget* parent = nullptr);

  // Of the tensor that is chosen; of any other one they come too late and are dropped.
  void set_numbers(const TensorNumbers& numbers);
  void set_problem(const QString& problem);
  int chosen() const { return chosen_; }

  QTreeView* tree() const { return tree_; }
  QString figures() const;  // what is said of the chosen tensor
  TensorView* picture() const { return picture_; }

 signals:
  // Its numbers are wanted; `singular`: its singular values, too.
  void wanted(int tensor, bool singular);

 private:
  void fill();
  void choose(const QModelIndex& index);

  std::shared_ptr<const TensorFile> file_;
  QStandardItemModel* model_;
  QTreeView* tree_;
  QLabel *reason_, *title_, *figures_;
  QPushButton* spectrum_;
  TensorHistogram* histogram_;
  TensorView* picture_;
  int chosen_ = -1;
};

}  // namespace headlight
