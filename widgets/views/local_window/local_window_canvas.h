// Local attention as a picture: for each step the hill where it expects the token, over the tiles of the positions that
// it may read; outside of its window there is nothing. The share of the attention that comes through stands beside it.
//
// Up and down choose the step, left and right a token of the source, Enter selects its weight; a drag of a hill, or
// Shift with left and right, moves it, where the model says itself where the window stands.
#pragma once

#include <memory>
#include <optional>

#include "model/analysis/local_window.h"
#include "widgets/canvas/place_canvas.h"
#include "widgets/text/axis_label.h"
#include "widgets/views/local_window/local_window_layout.h"

namespace headlight {

class LocalWindowCanvas : public PlaceCanvas<LocalWindowHit> {
  Q_OBJECT
 public:
  explicit LocalWindowCanvas(QWidget* parent = nullptr);

  void set_windows(std::shared_ptr<const LocalWindows> windows);  // null: nothing
  const LocalWindows* windows() const { return windows_.get(); }
  const LocalWindowLayout& window_layout() const { return layout_; }
  int step() const { return step_; }
  int position() const { return position_; }  // of the run, as in LocalWindows; -1: none
  void set_place(int step, int position);     // nearest that there are; does not emit
  void set_hover(int step, int position);     // from outside, -1: none; does not emit
  // Positions of the run are those of the model; columns are in the order of the text, also where it reads from the
  // end.
  int column_of(int position) const { return reversed_ ? count() - 1 - position : position; }
  double column_of(double position) const { return reversed_ ? count() - 1 - position : position; }
  QString sentence() const;        // of the chosen step
  QString short_sentence() const;  // the same, for its row
  QString position_sentence(int position) const { return position_sentence(step_, position); }
  QString position_sentence(int step, int position) const;

 signals:
  void step_chosen(int step);
  void weight_chosen(int step, int position);
  void hovered_at(int step, int position);
  void hill_moved(int step, double position);  // wanted

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override;
  QString description() const override;
  QString place_tooltip(const LocalWindowHit& place) const override;
  LocalWindowHit place_at(QPointF point) const override {
    return windows_ ? layout_.place_at(point, std::max(0.0, sight().left())) : LocalWindowHit{};
  }
  void press(QPointF point, Qt::KeyboardModifiers) override;
  void drag(QPointF point) override;
  void release(QPointF) override { held_.reset(); }
  void hover_changed() override;
  Qt::CursorShape pointer(const LocalWindowHit& place) const override;
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool activate() override { return go(0, 0); }
  bool press_key(const QKeyEvent& event) override;

 private:
  int count() const { return static_cast<int>(tokens_.size()); }
  int position_of(int column) const { return reversed_ ? count() - 1 - column : column; }
  const LocalWindowStep& at(int step) const { return nth(windows_->steps, step); }
  void move_hill(int step, double column);
  void paint_step(QPainter& painter, int step, bool marks) const;
  void paint_hill(QPainter& painter, int step, bool marks) const;
  void paint_sentence(QPainter& painter) const;

  struct Held {
    int step = 0;
    double offset = 0;  // from the middle of the hill to where it was taken, in columns
    bool moved = false;
  };
  std::shared_ptr<const LocalWindows> windows_;
  bool reversed_ = false;
  std::vector<AxisLabel> tokens_, written_;  // tokens_: in the order of the text
  ColumnHead head_;
  LocalWindowLayout layout_;
  int step_ = 0, position_ = -1, hovered_step_ = -1, hovered_position_ = -1;
  std::optional<Held> held_;
};

}  // namespace headlight
