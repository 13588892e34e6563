// The memory of a machine: where its heads are along the time (as in Graves et al. 2014, figure 6), what the memory
// holds at one step, and how the chosen head found its place.
//
// A click chooses a step, a slot, a head; left and right the step, up and down the slot, Space the next head; Enter
// opens the number.
#pragma once

#include <QImage>
#include <memory>

#include "widgets/canvas/place_canvas.h"
#include "widgets/matrix/cell_picture.h"
#include "widgets/text/axis_label.h"
#include "widgets/views/memory/memory_layout.h"
#include "widgets/views/memory/memory_words.h"

namespace headlight {

struct MemoryCursor {
  enum class Part { weighting, memory, erase, add, stage };  // which number is chosen
  int step = 0;
  int head = 0;  // of MemoryRun::heads()
  int slot = 0, column = 0;
  Part part = Part::weighting;
  int stage = MemoryLayout::kStages - 1;
  bool operator==(const MemoryCursor&) const = default;
};

class MemoryCanvas : public PlaceCanvas<MemoryHit> {
  Q_OBJECT
 public:
  explicit MemoryCanvas(QWidget* parent = nullptr);

  void set_run(std::shared_ptr<const MemoryRun> run);  // null: nothing
  const MemoryRun* memory() const { return run_.get(); }
  const MemoryCursor& cursor() const { return cursor_; }
  void set_cursor(MemoryCursor cursor);  // the nearest that there is; does not emit
  void set_hover_step(int step);         // marked from outside; -1: none
  const MemoryLayout& memory_layout() const { return layout_; }

  MemoryHeadName head() const;
  // The number under the cursor: its entry in the trace, and the flat index within it; entry -1: there is none.
  std::pair<int, Index> chosen() const;
  QString description() const override;
  QString place_tooltip(const MemoryHit& place) const override;

 signals:
  void moved(const headlight::MemoryCursor& cursor);
  void opened();
  void stepHovered(int step);  // -1: left

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  void forget() override { writing_ = reading_ = {}; }
  QString name() const override;
  MemoryHit place_at(QPointF point) const override { return layout_.place_at(point); }
  void press_place(const MemoryHit& place) override { choose(at_place(place)); }
  void open_place(const MemoryHit&) override { emit opened(); }
  void hover_changed() override;
  Qt::CursorShape pointer(const MemoryHit& place) const override;
  void drag(QPointF point) override { press(point, {}); }
  bool go(int right, int down) override;
  bool activate() override;
  bool press_space() override;

 private:
  void choose(MemoryCursor cursor);
  MemoryCursor at_place(const MemoryHit& place) const;
  // The largest (or most extreme) value of the slots that share a row.
  double row_value(const Tensor& values, Index stride, Index column, int row, const QRectF& rect) const;
  const QImage& weightings(bool writes) const;
  void paint_caption(QPainter& painter, const QRectF& rect, const QString& text, bool chosen) const;
  void paint_time(QPainter& painter, bool writes) const;
  void paint_tape(QPainter& painter) const;
  void paint_memory(QPainter& painter) const;
  void paint_vector(QPainter& painter, const QRectF& rect, const MemoryValue& vector, bool is_signed) const;
  void paint_bars(QPainter& painter, const QRectF& rect, const MemoryValue& weighting, bool chosen) const;
  void paint_stage(QPainter& painter, int stage, const MemoryAddressing& addressing) const;

  std::shared_ptr<const MemoryRun> run_;
  std::vector<AxisLabel> reads_, writes_;  // by step; empty texts where nothing is read or written
  MemoryCursor cursor_;
  int hover_step_ = -1;
  MemoryLayout layout_;
  mutable QImage writing_, reading_;
};

}  // namespace headlight
