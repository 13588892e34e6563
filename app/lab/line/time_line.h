// The time line of the lab: how well the model did after how many sentences, with a handle that all of the lab follows,
// marks where a word of the probe begins to stay as it ends, and before a training starts the curve that somebody
// expects.
//
// Keys: left and right one moment, PageUp and PageDown one mark, Home and End; of two runs up and down choose whose
// handle. Before anything ran, arrows move along the curve that is drawn and set it, Delete wipes it.
#pragma once

#include <QPixmap>
#include <QPointer>
#include <array>
#include <optional>

#include "app/lab/lab_shown.h"
#include "app/lab/line/time_line_layout.h"
#include "widgets/canvas/canvas.h"
#include "widgets/canvas/figure.h"
#include "widgets/tables/table.h"

namespace headlight {

class TablePane;

class TimeLine : public Canvas {
  Q_OBJECT
 public:
  explicit TimeLine(LabShown* shown, QWidget* parent = nullptr);

  // What the next training will read, for the axis before it starts.
  void set_plan(const TimeLinePlan& plan);
  // A training that runs: "How it learns"; else "How it learned".
  void set_running(bool running);
  // Sentences read, seconds and seed in its heading; off where they stand beside it.
  void set_facts_shown(bool shown);

  // The curve that was drawn before the start: (examples read, share or perplexity), from left to right. It stays
  // beside what came.
  std::vector<QPointF> drawn() const;
  void set_drawn(const std::vector<QPointF>& points);  // empty: wipes it
  bool may_draw() const;                               // nothing ran, and the axis is known
  // "your guess was off by 12 % on average"; empty: there is no guess, or nothing to hold it against yet.
  QString guess_sentence() const;

  // The picture with the handle at a moment of the run in front, for films and other places; without marks of mouse and
  // keyboard. -1: where the handle is.
  void paint_moment(QPainter& painter, QSizeF size, int moment = -1) const;
  Figure figure();
  TableTwin* table() { return &table_; }  // a row for each moment of the run that keys act on
  const TimeLineLayout& layout_now() const { return layout_; }
  const TimeLineContent& content() const { return content_; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  void zoom(double, QPointF) override {}
  void show_all() override {}
  bool wheel_zooms() const override { return false; }

 signals:
  void drew();                          // drawn() is another
  void filmWanted();                    // the training as an animation (training_film.h)
  void tableWanted();                   // the numbers beside the picture
  void failed(const QString& problem);  // a file was not written
  void written(const QString& path);

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QRectF cursor_rect() const override;
  void forget() override;
  QString name() const override;
  QString description() const override;
  QString tooltip(QPointF point) const override;
  Qt::CursorShape hover(QPointF point) override;
  void press(QPointF point, Qt::KeyboardModifiers modifiers) override;
  void drag(QPointF point) override;
  void release(QPointF point) override;
  bool menu(std::optional<QPointF> point, const QPoint& global) override;
  bool go(int right, int down) override;
  bool press_space() override { return false; }  // the page pauses
  bool press_key(const QKeyEvent& event) override;

 private:
  static constexpr int kColumns = 25;  // of what is drawn
  void take();                         // other runs, or a moment more
  void moved();                        // the handle
  void say();                          // with the new moment
  void refresh_table();
  void scrub(QPointF point);
  int side_at(QPointF point) const;  // whose handle; the nearest
  std::optional<int> mark_at(QPointF point) const;
  double column_read(int column) const;
  int nearest_moment(double read) const;  // of the side that keys act on
  QString title() const;
  QString prompt() const;
  QString failure() const;
  void draw_to(QPointF point);  // the guess, from where the mouse was
  bool draw_by_key(int right, int down);
  void guess_changed();
  void save();
  void show_table();
  std::vector<int> moments() const;  // of each side; empty: nothing ran
  QString facts() const;
  TimeLineContent content_now() const;
  void make_still() const;

  LabShown* const shown_;
  TimeLinePlan plan_;
  bool running_ = false, facts_ = true;
  std::array<double, kColumns> guess_;  // NaN: nothing there
  double guess_reads_ = 0;              // what its columns are parts of
  int column_ = 0;                      // of the keyboard
  std::optional<QPointF> drawn_from_;
  bool scrubbing_ = false;
  TimeLineContent content_;
  TimeLineLayout layout_;
  ColumnTable rows_;
  TableTwin table_;
  QPointer<TablePane> pane_;
  mutable QPixmap still_;  // everything but the handle; null: to be painted
};

}  // namespace headlight
