// What a file of weights holds: its names as a tree, and of the chosen tensor its numbers, as a picture and in figures.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "model/io/tensor_file.h"
#include "model/io/tensor_statistics.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QTreeView;

namespace headlight {

class TensorHistogram;
class TensorTree;
class TensorView;

// Of one tensor; made off the GUI thread.
struct TensorNumbers {
  int index = -1;
  bool change = false;  // of its change to the other file
  TensorStatistics statistics;
  Tensor matrix;                 // as matrix_of()
  std::vector<double> singular;  // where they were asked for
};

class TensorBrowser : public QWidget {
  Q_OBJECT
 public:
  explicit TensorBrowser(std::shared_ptr<const TensorFile> file, QWidget* parent = nullptr);

  // The first matrix, so that there is something to see at once; else the first tensor.
  void choose_first();
  // Of the tensor that is chosen; of any other one they come too late and are dropped.
  void set_numbers(const TensorNumbers& numbers);
  void set_problem(const QString& problem);
  // While another file, called `other`, is read to compare with it: the share that is done and the seconds that it will
  // still take; less than 0: not known yet.
  void set_comparing(const QString& other, double share = -1, double seconds_left = -1);
  void stop_comparing(const QString& problem = {});
  // Against another file, called `other`: a column more, and how many differ.
  void set_differences(std::vector<TensorDifference> differences, const QString& other);
  // What differs as one list, the most changed first; and of the chosen tensor its change in place of its numbers.
  void set_sorted(bool sorted);
  void set_change_shown(bool shown);
  // What tensor i is called in the other file.
  std::string name_in_other(int i) const;
  int chosen() const { return chosen_; }

  QLineEdit* filter() const { return filter_; }
  QTreeView* tree() const { return tree_; }
  QLabel* none() const { return none_; }  // says that nothing was found
  QString figures() const;                // what is said of the chosen tensor
  QString note() const;                   // of the picture, of singular values, of the comparison
  TensorView* picture() const { return picture_; }
  QPushButton* compare() const { return compare_; }  // stops the comparison while there is one
  std::uint64_t numbers() const;                     // of all tensors

 signals:
  // Its numbers are wanted; `singular`: its singular values, too.
  void wanted(int tensor, bool singular, bool change);
  void compareWanted();
  void stopWanted();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void build();
  void fit_columns();
  void choose(const QModelIndex& index);
  void retranslate();
  void offer_comparison();
  void search(const QString& text);
  void show_figures();
  void show_notes();
  bool differs() const;  // the chosen one, in numbers
  void ask(bool singular);
  void apply_fonts();

  std::shared_ptr<const TensorFile> file_;
  TensorTree* model_;
  QSortFilterProxyModel* found_;
  QLineEdit* filter_;
  QTreeView* tree_;
  QLabel* none_;  // in its place
  QLabel *title_, *source_, *note_, *histogram_title_;
  QWidget* figures_;
  QPushButton *spectrum_, *compare_, *sorted_, *changes_;
  TensorHistogram* histogram_;
  TensorView* picture_;
  std::optional<TensorStatistics> shown_;      // of the chosen tensor
  std::vector<TensorDifference> differences_;  // those of this file first, in its order; empty: nothing compared
  QString other_, of_picture_, of_spectrum_, of_comparison_;
  bool comparing_ = false;
  int chosen_ = -1;
};

}  // namespace headlight
