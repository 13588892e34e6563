// The alignment of a result as a heatmap: which source tokens each output step looked at.
#pragma once

#include "model/analysis/alignment.h"
#include "widgets/base/selection.h"
#include "widgets/canvas/view_panel.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QMenu;

namespace headlight {

class Heatmap;

// Alt or Shift and a vertical drag, or Alt and the up and down keys, set the weight of a cell, and the others of its
// row follow. The result's id is the generation of the heatmap: painted(id) says that it is on the screen.
class AlignmentView : public ViewPanel {
  Q_OBJECT
 public:
  enum class RowLabels { written, fed };  // AWO and AWI of models.md 1.2

  explicit AlignmentView(const ViewContext& context, QWidget* parent = nullptr);

  // Marks the cells that these edits changed.
  void set_interventions(std::vector<Intervention> interventions);
  void set_row_labels(RowLabels labels);
  RowLabels row_labels() const { return row_labels_; }
  void set_show_padding(bool show);
  bool show_padding() const { return show_padding_; }
  // Of a model that attends in several layers: one of layers(), or -1, their mean.
  void set_layer(int layer);
  int layer() const { return layer_; }
  const std::vector<int>& layers() const { return layers_; }
  // Rows from `count` on are left empty (stepping); -1: all.
  void set_visible_rows(int count);

  const Alignment& alignment_shown();
  bool has_alignment() { return !alignment_shown().empty(); }
  Heatmap* heatmap();

 signals:
  void weightEditRequested(int entry, qint64 cell);  // trace entry, flat index within it
  void painted(quint64 result_id);
  void rowLabelsChanged(RowLabels labels);
  void showPaddingChanged(bool show);

 protected:
  void refresh() override;
  void retranslate() override;
  Figure picture() override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build_chooser();
  void show_chooser();
  void show_alignment();
  QString layer_name() const;
  bool has_heads() const;  // the layers' attention has several heads: what is shown is their mean
  QString emptiness() const;
  void show_matrix();
  void show_labels();
  void show_edits();
  void follow_selection();
  void follow_hover();
  void select(int row, int column);
  void open_menu(int row, int column, const QPoint& global_position);
  void request_edit(int row, int column);
  void add_what_if(QMenu* menu, int row, int column);
  void set_score(int row, int column);
  void pin_weight(int row, int column, double value);
  bool drag_weight(QEvent* event);
  bool start_drag(const QPointF& position);
  bool is_editable() const;
  QString uneditable_reason() const;
  int row_of_step(int step) const;       // -1
  int column_of_token(int token) const;  // shown column, -1
  int alignment_column(int shown) const;

  Alignment alignment_;
  std::vector<Intervention> interventions_;
  std::vector<int> shown_columns_;  // shown column -> column of the alignment
  RowLabels row_labels_ = RowLabels::written;
  bool show_padding_ = true;
  std::vector<int> layers_;  // those that attend; empty: the model has one attention
  int layer_ = -1;
  int visible_steps_ = -1;
  QLabel* chooser_label_ = nullptr;
  QComboBox* chooser_box_ = nullptr;
  QCheckBox* words_box_ = nullptr;
  Heatmap* heatmap_ = nullptr;
  // The cell whose weight is dragged, where the mouse went down and what the weight was.
  int dragged_row_ = -1, dragged_column_ = -1;
  double dragged_from_ = 0, dragged_weight_ = 0;
};

}  // namespace headlight
