// The stages of choosing one token: a row for each of the most probable tokens, a column for each stage, with what is
// left of its probability there, or that it was cut. Above them the output, whose tokens choose the step.
//
// Up and down walk the tokens, left and right the stages, with Ctrl up and down the steps of the output. Enter or a
// click on a token lets the model go on from it.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "widgets/canvas/place_canvas.h"
#include "widgets/views/choosing/choosing_layout.h"
#include "widgets/views/choosing/choosing_step.h"

namespace headlight {

class ChoosingCanvas : public PlaceCanvas<ChoosingHit> {
  Q_OBJECT
 public:
  explicit ChoosingCanvas(QWidget* parent = nullptr);

  void set_step(std::shared_ptr<const ChosenStep> step);  // null: nothing
  const ChosenStep* step() const { return step_.get(); }
  const ChoosingLayout& choosing_layout() const { return layout_; }
  // Of these stages a field of this size stands over the column, instead of the number; of files not.
  void set_fields(std::set<std::string> stages, QSize size);
  QRectF field_place(int stage) const;  // in points of the viewport; null: none
  int cursor_row() const { return cursor_.row; }
  QString place_tooltip(const ChoosingHit& place) const override;

 signals:
  void step_wanted(int step);
  void token_wanted(int id);  // the model shall go on from it
  void hovered_step(int step);
  void heads_moved();

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override;
  QString description() const override;
  ChoosingHit place_at(QPointF point) const override { return step_ ? layout_.place_at(point) : ChoosingHit{}; }
  void press_place(const ChoosingHit& place) override;
  bool is_pressable(const ChoosingHit& place) const override;
  void hover_changed() override;
  void sight_changed() override { emit heads_moved(); }
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool go_to_other(int by) override;
  bool activate() override;

 private:
  void paint_steps(QPainter& painter) const;
  void paint_head(QPainter& painter, int stage, bool on_screen) const;
  bool has_field(int stage) const;
  double head_line() const;  // of the names of the stages, and the fields
  void paint_row(QPainter& painter, int row, bool marked) const;
  void paint_rest(QPainter& painter) const;
  void want(int row);

  std::shared_ptr<const ChosenStep> step_;
  ChoosingHit cursor_{ChoosingHit::Part::cell, 0, -1};
  ChoosingLayout layout_;
  std::set<std::string> fields_;
  QSize field_size_;
};

}  // namespace headlight
