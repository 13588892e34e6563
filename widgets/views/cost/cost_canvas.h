// One of two pictures of a run: what waits for what (a timeline), or what it costs (counted products by part, and the
// clock beside them).
//
// Arrow keys go from box to box, or from part to part; a click chooses one.
#pragma once

#include <memory>

#include "widgets/canvas/place_canvas.h"
#include "widgets/views/cost/cost_layout.h"
#include "widgets/views/cost/cost_run.h"

namespace headlight {

class CostCanvas : public PlaceCanvas<CostHit> {
  Q_OBJECT
 public:
  enum class Picture { time, cost };

  explicit CostCanvas(QWidget* parent = nullptr);

  void set_run(std::shared_ptr<const CostRun> run);  // null: nothing
  const CostRun* shown() const { return run_.get(); }
  void set_picture(Picture picture, Pace pace);
  Picture shown_picture() const { return picture_; }
  void set_row(int row);  // that is selected, -1: none; does not emit
  const TimelineLayout& timeline_layout() const { return timeline_; }
  const CostLayout& cost_layout() const { return costs_; }

  QString headline() const;  // the large number, and what it counts
  QString headline_words() const;
  QStringList lines() const;  // of costs: counted and measured, each said to be so
  QString place_tooltip(const CostHit& place) const override;

 signals:
  void chosen(int row);
  void hovered_row(int row);  // -1: none

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override;
  QString description() const override;
  CostHit place_at(QPointF point) const override;
  void press_place(const CostHit& place) override;
  void hover_changed() override;
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;

 private:
  const Timeline& timeline() const { return run_->timeline(pace_); }
  double products(CostPart part, bool what_if) const;
  double largest() const;
  QString second_line() const;
  std::pair<std::size_t, std::size_t> boxes_at(int row, int column) const;  // from, to
  QRectF box_rect(std::size_t box) const;
  void choose_box(std::size_t box);
  void go_to_row();
  QSizeF arrange_time(QSizeF view);
  QSizeF arrange_cost(QSizeF view);
  void paint_words(QPainter& painter, const QRectF& words) const;
  void paint_time(QPainter& painter, const QRectF& sight, bool marks) const;
  void paint_numbers(QPainter& painter) const;
  void paint_names(QPainter& painter) const;
  void paint_box(QPainter& painter, std::size_t box) const;
  void paint_key(QPainter& painter) const;
  void paint_costs(QPainter& painter, bool marks) const;
  void paint_bar(QPainter& painter, int which, bool marks) const;
  void paint_chart(QPainter& painter) const;

  std::shared_ptr<const CostRun> run_;
  Picture picture_ = Picture::time;
  Pace pace_ = Pace::writes;
  std::size_t box_ = 0;  // of the timeline, under the cursor
  int bar_ = 0, row_ = -1;
  TimelineLayout timeline_;
  CostLayout costs_;
};

}  // namespace headlight
