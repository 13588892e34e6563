#include "app/window/dock_title.h"

#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QStyle>
#include <QToolButton>

#include "widgets/base/theme.h"
#include "widgets/text/token_text.h"

namespace headlight {

DockTitle::DockTitle(QDockWidget* dock)
    : QWidget(dock),
      dock_(dock),
      name_(new QLabel(this)),
      sentence_(new QLabel(this)),
      float_(new QToolButton(this)),
      close_(new QToolButton(this)) {
  for (QLabel* label : {name_, sentence_}) {
    label->setTextFormat(Qt::PlainText);
    label->setAttribute(Qt::WA_TransparentForMouseEvents);  // the bar itself is dragged
  }
  sentence_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  for (QToolButton* button : {float_, close_}) {
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::NoFocus);  // the menu of panels does the same with the keyboard
    button->setIconSize({12, 12});
  }
  float_->setIcon(style()->standardIcon(QStyle::SP_TitleBarNormalButton));
  close_->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(8, 1, 2, 1);
  row->setSpacing(8);
  row->addWidget(name_);
  row->addWidget(sentence_, 1);
  row->addWidget(float_);
  row->addWidget(close_);
  connect(float_, &QToolButton::clicked, dock, [dock] { dock->setFloating(!dock->isFloating()); });
  connect(close_, &QToolButton::clicked, dock, &QDockWidget::close);
  connect(dock, &QDockWidget::visibilityChanged, this, &DockTitle::fit);
  connect(dock, &QDockWidget::topLevelChanged, this, &DockTitle::fit);
  connect(&Theme::instance(), &Theme::changed, this, &DockTitle::recolour);
  recolour();
}

void DockTitle::set_text(const QString& name, const QString& help) {
  text_ = name;
  help_ = help;
  name_->setText(name);
  sentence_->setToolTip(plain_tooltip(help));
  setToolTip(plain_tooltip(help));
  float_->setToolTip(tr("Take this panel out of the window, or put it back"));
  close_->setToolTip(tr("Close this panel; View, Panels brings it back"));
  float_->setAccessibleName(float_->toolTip());
  close_->setAccessibleName(close_->toolTip());
  fit();
}

QSize DockTitle::sizeHint() const { return {120, layout()->sizeHint().height()}; }
QSize DockTitle::minimumSizeHint() const { return {60, sizeHint().height()}; }

void DockTitle::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

void DockTitle::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) fit();
  QWidget::changeEvent(event);
}

void DockTitle::fit() {
  const auto* window = qobject_cast<QMainWindow*>(dock_->parentWidget());
  name_->setVisible(dock_->isFloating() || !window || window->tabifiedDockWidgets(dock_).isEmpty());
  layout()->activate();
  sentence_->setText(sentence_->fontMetrics().elidedText(help_, Qt::ElideRight, sentence_->width()));
}

void DockTitle::recolour() {
  QPalette colours = Theme::instance().palette();
  colours.setColor(QPalette::WindowText, Theme::instance().muted_text());
  sentence_->setPalette(colours);
}

}  // namespace headlight
