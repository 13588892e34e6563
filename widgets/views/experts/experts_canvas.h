// Which experts worked on which token: a row for each token, a column for each expert, the share as ink. The chosen row
// is opened into its arithmetic: logits, shares, and how long what each expert gives is.
//
// Up and down choose the token, left and right the expert, Ctrl+up and Ctrl+down the layer; Enter opens the number.
#pragma once

#include <memory>

#include "model/analysis/expert_choices.h"
#include "widgets/canvas/place_canvas.h"
#include "widgets/text/axis_label.h"
#include "widgets/views/experts/experts_layout.h"

namespace headlight {

class ExpertsCanvas : public PlaceCanvas<ExpertsHit> {
  Q_OBJECT
 public:
  // What stands below an opened row.
  enum Line { kLogits, kShares, kLengths, kLines };

  explicit ExpertsCanvas(QWidget* parent = nullptr);

  // Null: nothing. A name for each row.
  void set_layer(std::shared_ptr<const ExpertLayer> layer, std::vector<AxisLabel> names);
  const ExpertLayer* layer() const { return layer_.get(); }
  const ExpertsLayout& experts_layout() const { return layout_; }
  int row() const { return row_; }
  int expert() const { return expert_; }
  void set_place(int row, int expert);         // the nearest that there is; -1: as it was; does not emit
  double largest() const { return largest_; }  // share
  QString sentence() const;                    // of the chosen row
  QString description() const override { return sentence() + ' ' + cell_sentence(row_, expert_); }
  QString place_tooltip(const ExpertsHit& place) const override;

 signals:
  void moved(int row, int expert);
  void opened(int row, int expert);
  void other_layer_wanted(int by);

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override;
  ExpertsHit place_at(QPointF point) const override { return layer_ ? layout_.place_at(point) : ExpertsHit{}; }
  void press_place(const ExpertsHit& place) override { choose(place.row, place.expert < 0 ? expert_ : place.expert); }
  void open_place(const ExpertsHit&) override { emit opened(row_, expert_); }
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool go_to_other(int by) override;
  bool activate() override;

 private:
  const ExpertRow& at(int row) const { return nth(layer_->rows, row); }
  int count() const { return static_cast<int>(layer_->rows.size()); }
  void choose(int row, int expert);
  QString line_name(int line) const;
  QString cell_sentence(int row, int expert) const;
  QColor ink_of(double share) const;
  void paint_row(QPainter& painter, int row, double left, bool marks) const;
  void paint_opened(QPainter& painter, double left) const;
  void paint_head(QPainter& painter, bool marks) const;

  std::shared_ptr<const ExpertLayer> layer_;
  std::vector<AxisLabel> names_;
  double largest_ = 1, largest_logit_ = 1, longest_ = 1;
  int row_ = 0, expert_ = 0;
  ExpertsLayout layout_;
};

}  // namespace headlight
