// Local attention as a picture: how the window moves along the source over all steps, and for one step its place, its
// Gaussian, and the weights before and after it.
//
// Up and down choose the step, left and right a position of the source, Enter selects its weight.
#pragma once

#include <memory>

#include "model/analysis/local_window.h"
#include "widgets/canvas/canvas.h"
#include "widgets/text/axis_label.h"
#include "widgets/views/local_window/local_window_layout.h"

namespace headlight {

class LocalWindowCanvas : public Canvas {
  Q_OBJECT
 public:
  explicit LocalWindowCanvas(QWidget* parent = nullptr);

  void set_windows(std::shared_ptr<const LocalWindows> windows);  // null: nothing
  const LocalWindows* windows() const { return windows_.get(); }
  const LocalWindowLayout& window_layout() const { return layout_; }
  int step() const { return step_; }
  int position() const { return position_; }  // -1: none
  void set_place(int step, int position);     // nearest that there are; does not emit
  void set_hover(int step, int position);     // from outside, -1: none; does not emit
  QString sentence() const;
  QString position_sentence(int position) const;

 signals:
  void step_chosen(int step);
  void weight_chosen(int step, int position);
  void hovered(int step, int position);

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override;
  QString description() const override;
  QString tooltip(QPointF point) const override;
  Qt::CursorShape hover(QPointF point) override;
  void press(QPointF point, Qt::KeyboardModifiers) override;
  bool go(int right, int down) override;
  bool activate() override { return go(0, 0); }

 private:
  void walk(int steps, int positions);
  const LocalWindowStep& now() const { return windows_->steps[static_cast<std::size_t>(step_)]; }
  void paint_path(QPainter& painter) const;
  void paint_bars(QPainter& painter) const;
  void paint_curve(QPainter& painter) const;
  void paint_centre(QPainter& painter) const;
  void paint_words(QPainter& painter) const;

  std::shared_ptr<const LocalWindows> windows_;
  std::vector<AxisLabel> tokens_, written_;
  LocalWindowLayout layout_;
  int step_ = 0, position_ = -1, hovered_step_ = -1, hovered_position_ = -1;
};

}  // namespace headlight
