#include "widgets/canvas/result_view.h"

#include <QWidget>

#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/canvas.h"

namespace headlight {

ResultView::~ResultView() = default;

const Result* ResultView::result() const { return run_ ? run_->result().get() : nullptr; }

void ResultView::take(std::shared_ptr<const AnalysedRun> run) {
  newest_ = std::move(run);
  run_arrived();
  show_again();
}

void ResultView::show_again() {
  fresh_ = false;
  if (widget_->isVisible()) bring_up_to_date();
}

void ResultView::bring_up_to_date() {
  if (std::exchange(fresh_, true)) return;
  run_ = newest_;
  refresh();
}

Figure ResultView::figure() {
  bring_up_to_date();
  if (auto* canvas = qobject_cast<Canvas*>(widget_)) canvas->wake();
  for (auto* canvas : widget_->findChildren<Canvas*>()) canvas->wake();
  Figure figure = drawn();
  if (figure.title.isEmpty()) figure.title = widget_->accessibleName();
  figure.table = &table_;
  return figure;
}

TableTwin* ResultView::table() {
  bring_up_to_date();
  return &table_;
}

}  // namespace headlight
