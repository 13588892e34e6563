#include "app/presentation/presentation.h"

#include <QAction>
#include <QCursor>
#include <QMainWindow>
#include <algorithm>

#include "app/actions.h"
#include "app/appearance.h"
#include "app/panels/document_views.h"
#include "app/panels/message_banner.h"
#include "app/panels/status_panel.h"
#include "app/presentation/presenter.h"
#include "app/stage/stage.h"
#include "app/stage/window_panels.h"
#include "app/text/output_column.h"
#include "app/text/source_bar.h"
#include "widgets/base/theme.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/views/stepper/stepper_view.h"
#include "widgets/views/tokens/token_strip.h"

namespace headlight {

Presentation::Presentation(const Window& window)
    : QObject(window.window), to_(window), presenter_(new Presenter(window.window)) {
  presenter_->set_spot([this] { return spots(); });
  presenter_->set_layout([this] { return to_.panels->save_state(); },
                         [this](const QByteArray& layout) { to_.panels->restore_state(layout); });
  if (to_.remember) presenter_->set_factor(settings_.presenting());
  to_.appearance->set_type_taker([this](int direction) { return presenter_->change_type(direction); });
  connect(presenter_, &Presenter::factorChanged, this, [this](double factor) {
    if (to_.remember) settings_.set_presenting(factor);
  });
  QAction* action = (*to_.actions)["present"];
  connect(action, &QAction::triggered, this, [this](bool on) { on ? start() : presenter_->stop(); });
  connect(to_.panels, &WindowPanels::presentWanted, this, &Presentation::start);
  connect(presenter_, &Presenter::activeChanged, action, &QAction::setChecked);
  connect(presenter_, &Presenter::activeChanged, this, [this](bool active) {
    if (!active) ended();
  });
  connect(presenter_, &Presenter::hintChanged, to_.status, &StatusPanel::set_hint);
  connect(presenter_, &Presenter::step, this, &Presentation::step);
  connect(presenter_, &Presenter::keyboardFree, this, [this] {
    if (QWidget* instead = to_.instead()) return instead->setFocus(Qt::OtherFocusReason);
    to_.panels->stage()->setFocus(Qt::OtherFocusReason);
    to_.panels->focus_panel(to_.panels->front(), Qt::OtherFocusReason);
  });
}

bool Presentation::is_active() const { return presenter_->is_active(); }

void Presentation::start(const QString& panel) {
  if (is_active()) return;
  to_.leave_start();
  row_ = -1;
  theme_ = to_.appearance->theme();
  if (QWidget* instead = to_.instead())
    return presenter_->start(instead, {to_.bar}, [this] { to_.present_instead(true); });
  presenter_->start(nullptr, to_.panels->stage()->around() << to_.bar, [this, panel] {
    to_.status->set_presenting(true);
    to_.views->source_bar()->set_presenting(true);
    // What was said before is for the one who presents, and stays to be read.
    to_.views->banner()->set_aside(true);
    to_.panels->show_on_stage(panel);
  });
  to_.panels->stage()->setFocus(Qt::OtherFocusReason);
  to_.panels->focus_panel(panel.isEmpty() ? to_.panels->front() : panel, Qt::OtherFocusReason);  // without a frame
}

// All of the run is there again, and the colours are those that were chosen, also meanwhile.
void Presentation::ended() {
  to_.panels->leave_stage();
  to_.present_instead(false);
  to_.status->set_presenting(false);
  to_.views->source_bar()->set_presenting(false);
  to_.views->banner()->set_aside(false);
  if (row_ >= 0) to_.views->stepper()->leave();
  row_ = -1;
  if (to_.appearance->theme() != theme_) apply_theme(to_.appearance->theme());
  (*to_.actions)["full_screen"]->setChecked(to_.window->isFullScreen());
}

void Presentation::step(int direction) {
  if (to_.taken(direction) || to_.instead()) return;
  StepperView* stepper = to_.views->stepper();
  if (to_.panels->is_seen(QStringLiteral("steps"))) {
    stepper->set_stride(StepperView::Stride::value);
    return direction > 0 ? stepper->next() : stepper->previous();
  }
  const int rows = stepper->written_rows();
  if (rows == 0) {
    const int tokens = to_.views->tokens()->token_count();
    const int next = std::clamp(to_.selection->state().source_token.value_or(-1) + direction, -1, tokens - 1);
    SelectionState state;
    if (next >= 0) state.source_token = next;
    return to_.selection->set(state);
  }
  // Whoever typed, or showed all by other means, is at the beginning again.
  if (to_.views->rows_stepped() < 0 && row_ + 1 < rows) row_ = -1;
  row_ = std::clamp(row_ + direction, -1, rows - 1);
  if (row_ < 0)
    stepper->leave();
  else
    stepper->show_rows(row_ + 1);
  SelectionState state;
  if (row_ >= 0) state.step = row_;
  to_.selection->set(state);
}

// Where something is chosen there, else around the pointer.
QList<QRectF> Presentation::spots() const {
  QList<QRectF> found;
  const auto add = [&](const QWidget* of, const QRectF& rect) {
    if (!rect.isEmpty()) found << rect.translated(of->mapTo(to_.window, QPoint()));
  };
  for (const auto* view : to_.panels->stage()->findChildren<ViewPanel*>()) {
    if (!view->isVisible()) continue;
    for (const QRectF& rect : view->spots()) add(view, rect);
  }
  if (const OutputColumn* column = to_.views->column(); !found.isEmpty() && column->isVisible())
    add(column, column->chosen_row());
  // And what is told of it.
  if (!found.isEmpty() && row_ >= 0) add(to_.status, to_.status->rect().adjusted(4, 0, -4, 0));
  if (!found.isEmpty()) return found;
  const double side = to_.window->height() / 5.0;
  const QPointF pointer = to_.window->mapFromGlobal(QCursor::pos());
  return {QRectF(pointer.x() - side / 2, pointer.y() - side / 2, side, side)};
}

}  // namespace headlight
