#include "app/window/map_panel.h"

#include <QFocusEvent>
#include <QKeyEvent>
#include <QStackedLayout>

#include "model/analysis/living_map.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/views/living/view.h"
#include "widgets/views/map/map_view.h"

namespace headlight {

MapPanel::MapPanel(const ViewContext& context, QWidget* parent)
    : QWidget(parent),
      ResultView(this),
      living_(new LivingView(context, this)),
      boxes_(new MapView(context, this)),
      stack_(new QStackedLayout(this)) {
  stack_->addWidget(living_);
  stack_->addWidget(boxes_);
  living_->installEventFilter(this);
  boxes_->installEventFilter(this);
  setAccessibleName(tr("Map of the model"));
  choose();
}

bool MapPanel::offers(const AnalysedRun& run) { return MapView::offers(run); }

bool MapPanel::shows_boxes() const { return stack_->currentWidget() == boxes_; }

void MapPanel::show_boxes(bool shown) {
  wants_boxes_ = shown;
  choose();
}

void MapPanel::set_computed(int entry) {
  boxes_->set_computed(entry);
  living_->set_computed(entry);
}

void MapPanel::refresh() {
  living_->take(run());
  boxes_->take(run());
  choose();
}

void MapPanel::choose() {
  const bool known = result() && LivingView::offers(*result());
  const bool boxes = wants_boxes_ || !known;
  const bool keyboard = stack_->currentWidget() && stack_->currentWidget()->hasFocus();
  stack_->setCurrentWidget(boxes ? static_cast<QWidget*>(boxes_) : living_);
  set_table(boxes ? boxes_->table() : living_->table());
  if (keyboard) stack_->currentWidget()->setFocus(Qt::OtherFocusReason);
}

Figure MapPanel::drawn() { return shows_boxes() ? boxes_->figure() : living_->figure(); }

bool MapPanel::eventFilter(QObject*, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return false;
  const auto* key = static_cast<QKeyEvent*>(event);
  if (key->key() != Qt::Key_D || key->modifiers() != Qt::NoModifier) return false;
  show_boxes(!shows_boxes());
  return true;
}

void MapPanel::focusInEvent(QFocusEvent* event) { stack_->currentWidget()->setFocus(event->reason()); }

void MapPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  bring_up_to_date();
}

void MapPanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) setAccessibleName(tr("Map of the model"));
  QWidget::changeEvent(event);
}

}  // namespace headlight
