// The external memory of a Neural Turing Machine: what it holds, where the heads read and write, and why there.
//
// The canvas (memory_canvas.h) has the keys; the bar chooses a head and the step.
#pragma once

#include <memory>

#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/views/memory/memory_canvas.h"

class QComboBox;
class QLabel;
class QSlider;

namespace headlight {

class MemoryView : public ViewPanel {
  Q_OBJECT
 public:
  explicit MemoryView(const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const Result& result) { return MemoryRun::in(result); }

  MemoryCanvas* canvas() const { return canvas_; }
  void show_step(int step);

 protected:
  void refresh() override;
  void retranslate() override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void show_bar();
  void show_texts();
  void select();
  void open();
  void hover(int step);
  void follow_selection();
  void follow_hover();
  void show_table();

  std::shared_ptr<const MemoryRun> memory_;
  ColumnTable table_;  // a line for each slot at each step: the weightings, then what the slot holds after the step
  MemoryCanvas* canvas_ = nullptr;
  QComboBox* head_box_ = nullptr;
  QSlider* slider_ = nullptr;
  QLabel* step_ = nullptr;
};

}  // namespace headlight
