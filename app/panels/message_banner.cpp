// A coloured frame with two lines of text and a close button.

#include "app/panels/message_banner.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "app/actions.h"
#include "app/messages.h"
#include "app/parts.h"
#include "widgets/base/controls.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {
QLabel* selectable_label(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  make_running_text(label);
  return label;
}
}  // namespace

MessageBanner::MessageBanner(QWidget* parent)
    : QFrame(parent),
      what_(selectable_label(this)),
      advice_(selectable_label(this)),
      action_(new QToolButton(this)),
      close_(new QToolButton(this)) {
  setObjectName(QStringLiteral("banner"));
  setFrameShape(QFrame::NoFrame);
  setAutoFillBackground(true);
  close_->setAutoRaise(true);
  action_->setToolButtonStyle(Qt::ToolButtonTextOnly);
  auto* texts = new QVBoxLayout;
  texts->setSpacing(2);
  texts->addWidget(what_);
  texts->addWidget(advice_);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(space::kMargin, 8, space::kMargin, 8);
  row->addLayout(texts, 1);
  row->addWidget(action_, 0, Qt::AlignVCenter);
  row->addWidget(close_, 0, Qt::AlignTop);
  connect(close_, &QToolButton::clicked, this, &MessageBanner::dismiss);
  connect(&Theme::instance(), &Theme::changed, this, &MessageBanner::recolour);
  recolour();
  retranslate();
  hide();
  on_language(this, [this] { retranslate(); });
}

void MessageBanner::show_message(const QString& what, const QString& advice, QAction* action) {
  what_->setText(message_text(what));
  advice_->setText(advice);
  advice_->setVisible(!advice.isEmpty());
  if (QAction* before = action_->defaultAction()) action_->removeAction(before);
  if (action) action_->setDefaultAction(action);
  action_->setVisible(action != nullptr);
  setAccessibleName(what_->text());
  setAccessibleDescription(advice);
  aside_ = false;
  show();
}

void MessageBanner::set_aside(bool aside) {
  if (aside) {
    aside_ = !isHidden();
    hide();
  } else if (std::exchange(aside_, false)) {
    show();
  }
}

void MessageBanner::dismiss() { hide(); }

QString MessageBanner::message() const { return isHidden() ? QString() : what_->text(); }

void MessageBanner::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape)
    dismiss();
  else
    QFrame::keyPressEvent(event);
}

void MessageBanner::recolour() {
  const Theme& theme = Theme::instance();
  const QColor back = theme.background(), sign = theme.warning();
  const auto mix = [&](int a, int b) { return (a * 84 + b * 16) / 100; };
  QPalette colours = theme.palette();
  colours.setColor(QPalette::Window,
                   QColor(mix(back.red(), sign.red()), mix(back.green(), sign.green()), mix(back.blue(), sign.blue())));
  setPalette(colours);
  QFont bold = theme.ui_font();
  bold.setWeight(QFont::DemiBold);
  what_->setFont(bold);
  close_->setIcon(themed_icon(QStringLiteral("close")));
}

void MessageBanner::retranslate() {
  close_->setToolTip(tr("Put this message away (Esc)"));
  close_->setAccessibleName(tr("Put this message away"));
}

}  // namespace headlight
