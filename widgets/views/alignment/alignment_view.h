// The alignment of a result as a heatmap: which source tokens each output step looked at.
#pragma once

#include "widgets/canvas/captioned.h"
#include "widgets/canvas/map_cursor.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/matrix/folded_map.h"
#include "widgets/matrix/row_picture.h"

class QMenu;
class QStackedWidget;

namespace headlight {

class AttentionChooser;
class Heatmap;
class OneVectorCanvas;
class WeightDrag;

// Of a model without attention: the one vector that it makes of the text (OneVectorCanvas).
//
// A drag up or down sets the weight of a cell, and the others of its row follow (WeightDrag). The result's id is the
// generation of the heatmap: painted(id) says that it is on the screen.
class AlignmentView : public ViewPanel, public Captioned, public RowPicture {
  Q_OBJECT
 public:
  enum class RowLabels { written, fed };  // AWO and AWI of models.md 1.2

  explicit AlignmentView(const ViewContext& context, QWidget* parent = nullptr);

  // Marks the cells that these edits changed.
  void set_interventions(std::vector<Intervention> interventions);
  // The same run without what the person changed (null: nothing is): a dot marks each weight that is another one, and
  // the sum of what is padding.
  void set_as_trained(std::shared_ptr<const Result> result);
  static constexpr double kMoved = 0.02;  // by so much at least
  int moved();                            // how many of them are marked
  void set_row_labels(RowLabels labels);
  RowLabels row_labels() const { return row_labels_; }
  // Each column of padding, or all of them as one with their sum, which a click takes apart.
  void set_show_padding(bool show);
  void set_logarithmic(bool logarithmic);
  int folded() const override { return folded_.blanks; }
  // Of a model that attends in several layers: one of them, or -1, their mean.
  void set_layer(Index layer);
  Index layer() const;
  // Rows from `count` on are left empty (stepping); -1: all.
  void set_visible_rows(int count);

  bool is_seen_in(const QWidget* in) const override { return isVisible() && window() == in; }
  const AttentionMap* map_shown() override;
  Heatmap* heatmap() override;
  QList<QRectF> spots() const override;
  OneVectorCanvas* one_vector() const { return one_vector_; }
  ColourKey colour_key() const override;
  QString caption() const override;
  QString what_to_do(bool changing) const override;
  ShownAttention attention() const override;

 signals:
  void painted(quint64 result_id);
  void coloursShown();  // other ones

 protected:
  void refresh() override;
  void retranslate() override;
  QVariantMap own_choices() const override;
  void set_own_choices(const QVariantMap& choices) override;
  Figure picture() override;

 private:
  void show_map();
  bool has_one_vector() const;  // and nothing that looks past it
  QString layer_name() const;
  QString emptiness() const;
  void show_labels();
  void show_edits();
  void show_moved();
  void follow_selection();
  void follow_hover();
  void select(int row, int column);
  void activate(int row, int column);
  void open_menu(int row, int column, const QPoint& global_position);
  void add_what_if(QMenu* menu, int row, int column);
  void set_score(int row, int column);
  MapCursor cursor() const;
  bool is_cell(int row, int column) const { return map_ && row >= 0 && column >= 0 && column < map_->column_count(); }

  std::shared_ptr<const AttentionMap> map_;  // that is shown; null: none
  std::vector<Intervention> interventions_;
  std::shared_ptr<const AnalysedRun> as_trained_;
  RowLabels row_labels_ = RowLabels::written;
  bool show_padding_ = false, logarithmic_ = false;
  MapColours colours() const { return logarithmic_ ? MapColours::logarithmic : MapColours::whole; }
  FoldedMap folded_;
  int visible_steps_ = -1;
  AttentionChooser* chooser_ = nullptr;
  QStackedWidget* pages_ = nullptr;
  Heatmap* heatmap_ = nullptr;
  OneVectorCanvas* one_vector_ = nullptr;
  WeightDrag* drag_ = nullptr;
};

}  // namespace headlight
