// One number of each head: layers and heads as a grid of coloured cells, and beside it the sorted list; below, how many
// heads look at what.
#pragma once

#include <QWidget>
#include <memory>

#include "model/analysis/bench/patterns.h"
#include "widgets/canvas/captioned.h"
#include "widgets/canvas/head_list.h"
#include "widgets/tables/table.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace headlight {

class AnalysedRun;
class FlowLayout;
class HeadBench;
class Heatmap;
class Segments;
class TargetChip;

// What the page shows; heads in the order of the grid.
struct MeasuredHeads {
  QString title, value, second;  // of the whole, of the number, of the second one (empty: there is none)
  QString note;                  // a sentence
  std::vector<HeadPlace> heads;
  std::vector<double> values, seconds;  // NaN: not there yet
  int texts = 0;                        // over how many these are means; 0: they are of one
  std::vector<double> sds, firsts;      // of them: deviations, and in how many texts a head comes first
  std::vector<std::optional<Pattern>> patterns;
  bool is_effect = false;  // signed, the largest change first
};

class HeadsMeasures : public QWidget {
  Q_OBJECT
 public:
  explicit HeadsMeasures(HeadBench* bench, QWidget* parent = nullptr);
  void set_run(std::shared_ptr<const AnalysedRun> run);
  void show(MeasuredHeads measured);
  void set_chosen(const std::optional<HeadPlace>& head);
  void retranslate();
  Heatmap* grid() const { return grid_; }
  HeadList* list() const { return list_; }
  ColumnTable* table_model() { return &table_; }
  const MeasuredHeads& measured() const { return measured_; }
  QString sentence() const;  // of the chosen head
  ColourKey colour_key() const;

 signals:
  void headChosen(const headlight::HeadPlace& head);
  void menuRequested(const headlight::HeadPlace& head, const QPoint& global);

 private:
  void build_header();
  void show_grid();
  void show_list();
  void show_chips();
  void show_table();
  void show_asking();  // how the effects are asked, and how far they are
  void ask_text();
  const HeadPlace* head_at(int row, int column) const;
  QString figure(double value) const;
  QString deviation(int at) const;  // " ± 0.0299"; empty: of one text

  HeadBench* bench_;
  MeasuredHeads measured_;
  std::optional<Pattern> only_;
  std::optional<HeadPlace> chosen_;
  std::vector<Index> layers_;  // rows of the grid
  QLabel *title_, *progress_, *note_;
  QWidget* asking_;
  Segments* off_;
  TargetChip* chip_;
  QLineEdit* text_;
  QSpinBox* unit_;
  QPushButton* stop_;
  Heatmap* grid_;
  HeadList* list_;
  QWidget* chips_;
  ColumnTable table_;
};

}  // namespace headlight
