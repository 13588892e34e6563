// The external memory of a Neural Turing Machine: what it holds, where the heads read and write, and why there.
//
// The canvas (memory_canvas.h) has the keys; the bar chooses a head and the step.
#pragma once

#include <QWidget>
#include <memory>

#include "widgets/base/result_view.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/items/matrix_model.h"
#include "widgets/views/memory_canvas.h"

class QComboBox;
class QLabel;
class QSlider;

namespace headlight {

class MemoryView : public QWidget, public ResultView {
  Q_OBJECT
 public:
  explicit MemoryView(const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const Result& result) { return MemoryRun::in(result); }
  void set_result(std::shared_ptr<const Result> result) override;
  void export_to(const QString& path) const override;

  MemoryCanvas* canvas() const { return canvas_; }
  MatrixModel* table_model();  // the memory after the chosen step
  void show_step(int step);

  QSize sizeHint() const override { return {700, 480}; }

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void take_run();
  void show_bar();
  void show_texts();
  void select();
  void open();
  void hover(int step);
  void follow_selection();
  void follow_hover();
  QByteArray csv() const;

  ViewContext context_;
  std::shared_ptr<const Result> result_;
  bool taken_ = false;
  std::shared_ptr<const MemoryRun> run_;
  MatrixModel table_;
  MemoryCanvas* canvas_ = nullptr;
  QWidget* bar_ = nullptr;
  QComboBox* head_box_ = nullptr;
  QSlider* slider_ = nullptr;
  QLabel *step_ = nullptr, *message_ = nullptr;
};

}  // namespace headlight
