#include "widgets/canvas/view_panel.h"

#include <QComboBox>
#include <QFocusEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "model/core/errors.h"
#include "model/decode/run.h"
#include "widgets/base/controls.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/attention_chooser.h"
#include "widgets/canvas/canvas.h"

namespace headlight {

// Stays away while it is covered, whoever shows it.
class ViewBar : public QWidget {
 public:
  using QWidget::QWidget;
  void setVisible(bool visible) override {
    if (covered_) wanted_ = wanted_ || visible;
    QWidget::setVisible(visible && !covered_);
  }
  void set_covered(bool covered) {
    if (covered) wanted_ = !isHidden();
    covered_ = covered;
    setVisible(!covered && wanted_);
  }

 private:
  bool covered_ = false, wanted_ = false;
};

QComboBox* choice_box(QWidget* parent, int letters) {
  auto* box = new QComboBox(parent);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(letters);
  return box;
}

QLabel* plain_label(QWidget* parent) {
  auto* label = new QLabel(parent);
  make_running_text(label);
  label->setAutoFillBackground(true);
  label->setBackgroundRole(QPalette::Base);
  label->setForegroundRole(QPalette::PlaceholderText);
  return label;
}

ViewPanel::ViewPanel(const ViewContext& context, QWidget* parent)
    : QWidget(parent),
      ResultView(this),
      selection_(context.selection),
      requests_(context.requests),
      bar_(new ViewBar(this)),
      message_(plain_label(this)),
      note_(plain_label(this)) {
  bar_->setAutoFillBackground(true);
  bar_->setBackgroundRole(QPalette::Base);
  message_->setAlignment(Qt::AlignCenter);
  message_->setMargin(space::kMargin);
  note_->setContentsMargins(space::kMargin, 2, space::kMargin, 4);
  note_->hide();
  if (requests_)
    connect(requests_, &ViewRequests::computingChanged, this, [this] {
      if (!result() && isVisible()) retranslate();  // what is not seen says it when it is
    });
}

QWidget* ViewPanel::bar() const { return bar_; }

QHBoxLayout* ViewPanel::bar_row() {
  if (!bar_->layout()) (new QHBoxLayout(bar_))->setContentsMargins(space::kMargin, 4, space::kMargin, 2);
  return static_cast<QHBoxLayout*>(bar_->layout());
}

void ViewPanel::build(QWidget* picture, QSize wanted, BarPlace place) {
  picture_ = picture;
  wanted_ = wanted;
  auto* column = column_in(this, 0);
  if (place == BarPlace::above) column->addWidget(bar_);
  lendable_ = place == BarPlace::above && bar_->layout();
  stack_ = new QStackedLayout;  // one takes the place of the other at once
  stack_->addWidget(picture_);
  stack_->addWidget(message_);
  column->addLayout(stack_, 1);
  column->addWidget(note_);
  if (place == BarPlace::below) column->addWidget(bar_);
  keyboard_ = picture_;
}

void ViewPanel::set_bar_edge(int left) {
  if (!lendable_) return;
  QMargins margins = bar_->layout()->contentsMargins();
  if (margins.left() == left) return;
  margins.setLeft(left);
  bar_->layout()->setContentsMargins(margins);
}

int ViewPanel::bar_width() const { return bar_->sizeHint().width() - bar_->layout()->contentsMargins().left(); }

void ViewPanel::take_back_bar() {
  if (!lendable_ || bar_->parentWidget() == this) return;
  const bool shown = !bar_->isHidden();
  static_cast<QVBoxLayout*>(layout())->insertWidget(0, bar_);
  bar_->setVisible(shown);
}

// The bar may stand elsewhere just now.
QList<AttentionChooser*> ViewPanel::choosers() const {
  QList<AttentionChooser*> found = bar_->findChildren<AttentionChooser*>();
  for (AttentionChooser* each : findChildren<AttentionChooser*>())
    if (!found.contains(each)) found << each;
  return found;
}

QList<Canvas*> ViewPanel::canvases() const {
  QList<Canvas*> found = picture_ ? picture_->findChildren<Canvas*>() : QList<Canvas*>();
  if (auto* canvas = qobject_cast<Canvas*>(picture_)) found.prepend(canvas);
  return found;
}

QVariantMap ViewPanel::choices() const {
  QVariantMap all = own_choices();
  QVariantList attention, zoom;
  for (const AttentionChooser* each : choosers()) attention << each->choices();
  for (const Canvas* each : canvases()) zoom << each->sight_choice();
  const auto says = [](const QVariantList& list) {
    return std::ranges::any_of(list, [](const QVariant& each) { return !each.toMap().isEmpty(); });
  };
  if (says(attention)) all[QStringLiteral("attention")] = attention;
  if (says(zoom)) all[QStringLiteral("zoom")] = zoom;
  return all;
}

void ViewPanel::set_choices(const QVariantMap& choices) {
  const QVariantList attention = choices.value(QStringLiteral("attention")).toList(),
                     zoom = choices.value(QStringLiteral("zoom")).toList();
  const QList<AttentionChooser*> bars = choosers();
  for (int i = 0; i < bars.size(); ++i) bars[i]->set_choices(attention.value(i).toMap());
  set_own_choices(choices);
  show_again();
  const QList<Canvas*> pictures = canvases();
  for (int i = 0; i < pictures.size(); ++i) pictures[i]->set_sight_choice(zoom.value(i).toMap());
}

QString ViewPanel::message() const { return message_->text(); }

void ViewPanel::show_message(const QString& message) {
  message_->setText(message);
  stack_->setCurrentWidget(message.isEmpty() ? picture_ : message_);
}

QString ViewPanel::reason(const QString& no_run, const QString& lacking) const {
  if (!result()) return requests_ && requests_->is_computing() ? tr("Computing …") : no_run;
  return result()->trace ? lacking : tr("This run was not recorded, so there is nothing to show.");
}

void ViewPanel::set_note(const QString& text) {
  note_text_ = text;
  show_note();
}

void ViewPanel::show_note() {
  note_->setText(covered_ ? QString() : note_text_);
  note_->setVisible(!note_->text().isEmpty());
}

void ViewPanel::set_covered(bool covered) {
  if (std::exchange(covered_, covered) == covered) return;
  show_note();
  bar_->set_covered(covered);
  if (!covered) retranslate();  // the bar as it is by now
}

void ViewPanel::add_panel_actions(QMenu* menu) const { add_frame_actions(this, menu); }

void add_frame_actions(const QWidget* panel, QMenu* menu) {
  for (const QWidget* frame = panel->parentWidget(); frame && !frame->isWindow(); frame = frame->parentWidget()) {
    if (frame->contextMenuPolicy() != Qt::ActionsContextMenu) continue;
    menu->addSeparator();
    menu->addActions(frame->actions());
    return;
  }
}

Figure ViewPanel::picture() { return figure_of(qobject_cast<Canvas*>(picture_)); }

Figure ViewPanel::figure_of(const Canvas* canvas) {
  return {canvas->picture_size(), [canvas](QPainter& painter) { canvas->paint_picture(painter); },
          canvas->accessibleName(), nullptr};
}

Figure ViewPanel::drawn() {
  if (!message().isEmpty()) throw UsageError(bytes_of(message()));
  return picture();
}

void ViewPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  bring_up_to_date();
}

void ViewPanel::focusInEvent(QFocusEvent* event) {
  if (keyboard_ && keyboard_->isVisible()) keyboard_->setFocus(event->reason());
}

void ViewPanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace headlight
