// Two runs beside each other, or two moments of one: the same probe in two pictures, squares that differ outlined, and
// a sentence that says how they differ and what was different (and nothing that one run each cannot say).
#pragma once

#include <QWidget>
#include <array>

#include "app/lab/lab_shown.h"
#include "widgets/canvas/figure.h"
#include "widgets/tables/table.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace headlight {

class LabPicture;
class Segments;
class TablePane;
struct ProbeDifference;

class TwoRuns : public QWidget {
  Q_OBJECT
 public:
  explicit TwoRuns(LabShown* shown, QWidget* parent = nullptr);

  // The columns are two moments of one recording, which LabShown shows twice: "then" and "now", each with a handle of
  // its own.
  void compare_moments(bool compared);
  bool compares_moments() const { return moments_; }

  // "same moment | both at 95 % | both at the end": at the top, unless the page gives it a place of its own.
  Segments* together() const { return together_; }
  QString sentence() const;  // as it stands below the pictures, without marks
  QString heading(int side) const;
  LabPicture* picture(int side) const { return sides_[static_cast<std::size_t>(side)].picture; }

  // Both pictures with what is said of them; throws UsageError where there are not two.
  Figure figure();
  TableTwin* table() { return &table_; }  // the squares that differ

 signals:
  // To say something about more than the seed, several seeds of each setting are needed.
  void moreSeedsWanted();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  bool focusNextPrevChild(bool next) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Side {
    QWidget* box = nullptr;
    QLabel *name = nullptr, *what = nullptr, *state = nullptr;
    LabPicture* picture = nullptr;
  };

  Side make_side(int side);
  QWidget* make_foot();
  void refresh();        // everything
  void show_together();  // the segments
  void show_headings();
  void show_difference();
  void show_table(bool shown);
  void save_table();
  bool ready() const;  // two runs with a moment each

  LabShown* const shown_;
  bool moments_ = false;
  Segments* together_;
  std::array<Side, 2> sides_;
  QLabel* sentence_;
  QPushButton* more_seeds_;
  QToolButton *show_table_, *save_;
  ColumnTable cells_;
  TableTwin table_;
  TablePane* pane_;
};

}  // namespace headlight
