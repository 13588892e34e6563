#include "app/stage/map_panel.h"

#include <QFocusEvent>
#include <QKeyEvent>
#include <QStackedLayout>

#include "app/parts.h"
#include "model/analysis/living/map.h"
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
  on_language(this, [this] { setAccessibleName(tr("Map of the model")); });
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
  emit stateShown();
}

QString MapPanel::caption() const {
  return shows_boxes() ? tr("Every value of the run as a box, in the order of computation.") : QString();
}

QString MapPanel::what_to_do(bool) const {
  return shows_boxes() ? tr("Click a box to see its values, twice to look inside.") : QString();
}

namespace {

// How the lanes of a family run.
QString lanes_of(LivingMap::Family family) {
  switch (family) {
    case LivingMap::Family::recurrent:
      return MapPanel::tr(
          "Text stands from top to bottom, and the memory of the cells runs along it as a river: striped is what a "
          "step "
          "writes, the rest it kept. A ribbon from a state to an output is what was looked up there. All parts of a "
          "state together are 100 %.");
    case LivingMap::Family::memory:
      return MapPanel::tr(
          "Time runs from top to bottom. Each row of the memory is a canal: from the left comes what a step writes to "
          "it, to the right goes what an output reads from it; striped is what a step of the controller writes "
          "itself.");
    default:
      return MapPanel::tr(
          "Text stands from top to bottom, depth runs from left to right, each word in a lane of its own. A "
          "ribbon that comes from another lane is what was taken from there; striped is what the step writes "
          "itself. All parts of a state together are 100 %.");
  }
}

}  // namespace

// What holds for the picture that is seen, of this model.
QStringList MapPanel::reading() const {
  if (shows_boxes() || !living_->map()) return {};
  QStringList paragraphs{lanes_of(living_->map()->family)};
  if (living_->says_lens())
    paragraphs << tr(
        "‘If it stopped here’, under the chosen lane: what the model would write if it ended at this depth. The state "
        "goes through what stands behind the last layer (logit lens, nostalgebraist 2020).");
  paragraphs << tr("A share says what a state is made of, not what would happen without it. Delete cuts what is "
                   "chosen, runs again and shows the share beside the true change; Ctrl+Z puts it back.")
             << tr("Keys 1 to 5 or the wheel: nearer, from the whole model to its numbers. F: up the strongest "
                   "ribbon. W: plain weights. D: the diagram.");
  return paragraphs;
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

}  // namespace headlight
