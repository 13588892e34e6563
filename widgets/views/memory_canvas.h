// The memory of a machine: where its heads are along the time (as in Graves et al. 2014, figure 6), what the memory
// holds at one step, and how the chosen head found its place.
//
// Click chooses a step, a slot, a head. Keys: left, right, Home, End the step; up, down, PageUp, PageDown the slot;
// Space the next head; Enter opens the number.
#pragma once

#include <QAbstractScrollArea>
#include <QImage>
#include <memory>

#include "widgets/plot/cell_picture.h"
#include "widgets/views/memory_layout.h"
#include "widgets/views/memory_words.h"

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

class MemoryCanvas : public QAbstractScrollArea {
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
  QString description() const;
  QSize picture_size() const;
  void paint_picture(QPainter& painter) const;

 signals:
  void moved(const headlight::MemoryCursor& cursor);
  void opened();
  void hovered(int step);  // -1: left

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void arrange();
  void announce();
  void move(MemoryCursor cursor);
  void show_step();
  MemoryCursor at_place(const MemoryPlace& place) const;
  QPointF scrolled(QPointF point) const;
  QString tooltip(const MemoryPlace& place) const;
  // The largest (or most extreme) value of the slots that share a row.
  double row_value(const Tensor& values, Index stride, Index column, int row, const QRectF& rect) const;
  const QImage& weightings(bool writes) const;
  void paint(QPainter& painter) const;
  void paint_caption(QPainter& painter, const QRectF& rect, const QString& text, bool chosen) const;
  void paint_time(QPainter& painter, bool writes) const;
  void paint_tape(QPainter& painter) const;
  void paint_memory(QPainter& painter) const;
  void paint_vector(QPainter& painter, const QRectF& rect, const MemoryValue& vector, bool is_signed) const;
  void paint_bars(QPainter& painter, const QRectF& rect, const MemoryValue& weighting, bool chosen) const;
  void paint_stage(QPainter& painter, int stage, const MemoryAddressing& addressing) const;

  std::shared_ptr<const MemoryRun> run_;
  std::vector<HeatmapLabel> reads_, writes_;  // by step; empty texts where nothing is read or written
  MemoryCursor cursor_;
  int hover_step_ = -1;
  MemoryLayout layout_;
  mutable QImage writing_, reading_;
};

}  // namespace headlight
