// Two runs beside each other, or two moments of one: the same probe in two pictures, squares that differ outlined, and
// a sentence that says how they differ and what was different (two_runs_words.h).
//
// Whichever picture has the keyboard is the side that keys act on: Tab goes to the other.
#pragma once

#include <QTimer>
#include <QWidget>
#include <array>

#include "app/lab/lab_shown.h"
#include "app/lab/two_runs_words.h"
#include "widgets/canvas/figure.h"
#include "widgets/tables/table.h"

class QLabel;
class QPainter;
class QPushButton;

namespace headlight {

class LabPicture;
class LabProbe;
class MoreSeeds;
class Segments;
class TablePane;

class TwoRuns : public QWidget {
  Q_OBJECT
 public:
  explicit TwoRuns(LabShown* shown, QWidget* parent = nullptr);
  // What is asked, where that may be a typed text; without it the probe of each recording.
  void set_probe(LabProbe* probe);

  // The columns are two moments of one recording, which LabShown shows twice: "then" and "now", each with a handle of
  // its own.
  void compare_moments(bool compared);
  bool compares_moments() const { return moments_; }

  // "same moment | both at 95 % | both at the end": at the top, unless the page gives it a place of its own.
  Segments* together() const { return together_; }
  LabPicture* picture(int side) const { return sides_[static_cast<std::size_t>(side)].picture; }
  QString heading(int side) const;  // name, what it is and how well it does, as they stand there
  QString sentence() const { return said_.text; }
  // Trains what is lacking, one after the other; while it does, stops.
  QPushButton* more_seeds() const { return more_seeds_; }

  // Both pictures with what is said of them; throws UsageError where there are not two.
  Figure figure();
  TableTwin* table() { return &table_; }  // the squares that differ

 signals:
  // Nothing can be said about what differs beside the seed from one run each: a seed more of either has been trained.
  void seedTrained(const headlight::LabShown::Run& run);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Side {
    QWidget* box = nullptr;
    QLabel *name = nullptr, *what = nullptr, *state = nullptr;
    LabPicture* picture = nullptr;
  };

  Side make_side(int side);
  QWidget* make_foot();
  void refresh();
  void retranslate();
  void show_together();
  void show_more_seeds();
  void show_headings();
  void show_difference();
  void show_sentence();
  void show_cells(const RunsCompared& compared, const ProbeDifference& difference);
  void export_figure();
  void paint_figure(QPainter& painter, QSize size) const;
  bool ready() const;  // two runs with a moment each
  QWidget* make_head();
  RunsCompared compared() const;

  LabShown* const shown_;
  LabProbe* probe_ = nullptr;
  MoreSeeds* seeds_;
  bool moments_ = false;
  TwoRunsSaid said_;
  Segments* together_;
  std::array<Side, 2> sides_;
  QLabel *sentence_, *problem_;
  QPushButton *more_seeds_, *show_table_, *export_;
  ColumnTable cells_;
  TableTwin table_;
  TablePane* pane_;
  QTimer rests_;  // what is said aloud: once the handle rests
};

}  // namespace headlight
