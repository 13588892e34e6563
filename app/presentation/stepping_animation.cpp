// One frame for each round of the event loop, so that the window stays awake.

#include "app/presentation/stepping_animation.h"

#include <QPainter>
#include <exception>

namespace headlight {

namespace {
// How long a frame is seen, in milliseconds. The last one stays for a while before it begins again.
constexpr int kStep = 700, kOperation = 150, kLast = 2500;
}  // namespace

SteppingAnimation::SteppingAnimation(StepperView* stepper, Selection* selection, QWidget* view, const QString& path,
                                     Frames frames, QObject* parent)
    : QObject(parent),
      stepper_(stepper),
      selection_(selection),
      view_(view),
      writer_(std::make_unique<AnimationWriter>(path)),
      frames_(frames) {
  timer_.setInterval(0);
  timer_.setSingleShot(true);  // whoever shows the progress may run the event loop
  connect(&timer_, &QTimer::timeout, this, &SteppingAnimation::next_frame);
}

SteppingAnimation::~SteppingAnimation() = default;

void SteppingAnimation::start() {
  stepper_->pause();
  position_ = stepper_->position();
  stride_ = stepper_->stride();
  selected_ = selection_->state();
  stepper_->last();
  last_ = stepper_->position();
  selection_->set({});  // the last step was selected, and is not written when the walk begins
  stepper_->set_stride(frames_ == Frames::steps ? StepperView::Stride::output_step : StepperView::Stride::value);
  stepper_->first();
  if (frames_ == Frames::steps) stepper_->next();  // the source has been read, nothing is written yet
  timer_.start();
}

void SteppingAnimation::cancel() {
  if (writer_) end({});
}

QImage SteppingAnimation::picture() const {
  QImage image(view_->size() * scale_, QImage::Format_RGB32);
  image.setDevicePixelRatio(scale_);
  QPainter painter(&image);
  view_->render(&painter, QPoint(), QRegion(), QWidget::DrawWindowBackground | QWidget::DrawChildren);
  return image;
}

void SteppingAnimation::next_frame() {
  if (!stepper_ || !view_) return end(tr("What was drawn is not there any more."));
  try {
    const int now = stepper_->position();
    const bool last = now >= last_;
    writer_->add(picture(), last ? kLast : frames_ == Frames::steps ? kStep : kOperation);
    emit progress(now + 1, last_ + 1);
    if (!writer_) return;  // cancelled by whoever heard of it
    if (last) {
      writer_->finish();
      return end({});
    }
    stepper_->next();
    timer_.start();
  } catch (const std::exception& error) {
    end(QString::fromUtf8(error.what()));
  }
}

void SteppingAnimation::end(const QString& problem) {
  timer_.stop();
  writer_.reset();
  if (stepper_) {
    stepper_->set_stride(stride_);
    stepper_->last();  // all of the alignment is there again
    selection_->set(selected_);
    if (stepper_->position() != position_) stepper_->set_position(position_);
  }
  emit finished(problem);
}

}  // namespace headlight
