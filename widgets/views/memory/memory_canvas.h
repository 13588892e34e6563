// The memory of a machine: slots are rows in three parts. Where the heads are at each step (as in Graves et al. 2014,
// figure 6; tiles where it writes, rings where it reads), the stages in which the chosen head found its slot, and what
// the slots hold. Slots that nothing was done with have no row.
//
// A click chooses a step, a slot, a head; left and right the step, up and down the slot, Space the next head; Enter
// opens the number.
#pragma once

#include <memory>

#include "widgets/canvas/place_canvas.h"
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
  void show_step(int step);              // with the slot where the head is then; does not emit
  void set_hover_step(int step);         // marked from outside; -1: none
  const MemoryLayout& memory_layout() const { return layout_; }
  const std::vector<int>& shown_slots() const { return slots_; }  // that have a row

  MemoryHeadName head() const;
  // The number under the cursor: its entry in the trace, and the flat index within it; entry -1: there is none.
  std::pair<int, Index> chosen() const;
  QString description() const override;
  QString place_tooltip(const MemoryHit& place) const override;
  QStringList sentences() const;  // what is said below the heads

 signals:
  void moved(const headlight::MemoryCursor& cursor);
  void opened();
  void stepHovered(int step);  // -1: left

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override;
  MemoryHit place_at(QPointF point) const override { return run_ ? layout_.place_at(point) : MemoryHit{}; }
  void press_place(const MemoryHit& place) override { choose(at_place(place)); }
  void open_place(const MemoryHit&) override { emit opened(); }
  void hover_changed() override;
  void drag(QPointF point) override { press(point, {}); }
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool activate() override;
  bool press_space() override;

 private:
  void choose(MemoryCursor cursor);
  MemoryCursor at_place(const MemoryHit& place) const;
  int slot_of(const MemoryCursor& cursor) const;  // where its head has most at its step
  int row() const;                                // of the chosen slot; -1: it has none
  MemoryStage stage(int which) const;             // of the chosen head at the chosen step
  QString kept_text() const;
  void paint_titles(QPainter& painter) const;
  void paint_heads(QPainter& painter, bool marks) const;
  void paint_step(QPainter& painter, int step, bool marks) const;
  void paint_key(QPainter& painter) const;
  void paint_stages(QPainter& painter, bool marks) const;
  void paint_memory(QPainter& painter, bool marks) const;

  std::shared_ptr<const MemoryRun> run_;
  std::vector<AxisLabel> labels_;  // by step
  std::vector<int> slots_;
  MemoryCursor cursor_;
  int hover_step_ = -1;
  MemoryLayout layout_;
};

}  // namespace headlight
