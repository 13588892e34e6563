// The walk through a computation as an animation: the stepper goes from its first operation to its last, and what a
// widget shows at each stop becomes a frame.
#pragma once

#include <QObject>
#include <QPointer>
#include <memory>

#include "widgets/base/selection.h"
#include "widgets/export/animation.h"
#include "widgets/views/stepper/stepper_view.h"

namespace headlight {

class SteppingAnimation : public QObject {
  Q_OBJECT
 public:
  enum class Frames { steps, operations };  // a frame for each output step, or for each operation

  // Neither `stepper`, `selection` nor `view` is owned. Throws FileError (see AnimationWriter).
  SteppingAnimation(StepperView* stepper, Selection* selection, QWidget* view, const QString& path, Frames frames,
                    QObject* parent = nullptr);
  ~SteppingAnimation() override;

  // From now on a frame is drawn whenever the event loop comes round. Stepper and selection are as before when it ends.
  void start();
  // Ends what was started; nothing is written.
  void cancel();
  void set_scale(double pixels) { scale_ = pixels; }  // device pixels for one pixel

 signals:
  void progress(int operation, int of);
  // The text says what went wrong; empty: the file is there, or it was cancelled.
  void finished(const QString& problem);

 private:
  void next_frame();
  QImage picture() const;
  void end(const QString& problem);

  QPointer<StepperView> stepper_;
  Selection* selection_;
  QPointer<QWidget> view_;
  std::unique_ptr<AnimationWriter> writer_;
  Frames frames_;
  double scale_ = 1;
  QTimer timer_;
  int last_ = 0;  // operation
  // What the person had before.
  int position_ = 0;
  StepperView::Stride stride_ = StepperView::Stride::value;
  SelectionState selected_;
};

}  // namespace headlight
