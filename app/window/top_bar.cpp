#include "app/window/top_bar.h"

#include <QActionEvent>
#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <array>

#include "app/parts.h"
#include "widgets/base/controls.h"
#include "widgets/base/segments.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"

namespace headlight {

TopBar::TopBar(QWidget* parent)
    : QWidget(parent),
      menus_(new QMenuBar(this)),
      switch_(new Segments(this)),
      lesson_(text_label(this, false)),
      find_(new QToolButton(this)),
      lessons_(new QToolButton(this)),
      present_(new QToolButton(this)),
      find_key_(new QLabel(this)),
      folded_(new QToolButton(this)),
      all_menus_(new QMenu(this)) {
  setAutoFillBackground(true);
  menus_->setNativeMenuBar(false);
  ways()->setObjectName(QStringLiteral("arrangements"));
  lesson_->setObjectName(QStringLiteral("lesson_in_bar"));
  lesson_->hide();
  present_->setObjectName(QStringLiteral("present"));
  lessons_->setObjectName(QStringLiteral("lessons"));
  find_->setObjectName(QStringLiteral("find_in_bar"));
  for (QToolButton* each : {find_, lessons_, present_}) {
    each->setAutoRaise(true);
    each->setFocusPolicy(Qt::TabFocus);
    each->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  }
  folded_->setObjectName(QStringLiteral("all_menus"));
  folded_->setText(QStringLiteral("☰"));
  folded_->setAutoRaise(true);
  folded_->setPopupMode(QToolButton::InstantPopup);
  folded_->setProperty(kLook, QByteArray("sign"));
  folded_->setMenu(all_menus_);
  folded_->hide();
  find_key_->setTextFormat(Qt::PlainText);
  set_ink(find_key_, &Tokens::ink2);
  menus_->installEventFilter(this);
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget* old, const QWidget* now) {
    if (now == menus_ && old) before_menus_ = old;
  });
  connect(all_menus_, &QMenu::aboutToShow, this, [this] {
    all_menus_->clear();
    all_menus_->addActions(menus_->actions());
  });
  connect(switch_, &Segments::chosen, this, &TopBar::chosen);
}

QTabBar* TopBar::ways() const { return switch_->bar(); }

bool TopBar::is_folded() const { return !folded_->isHidden(); }

void TopBar::set_present_action(QAction* action) {
  present_->setDefaultAction(action);
  fit();
}

void TopBar::set_find_action(QAction* action) {
  find_->setDefaultAction(action);
  find_key_->setText(action->shortcut().toString(QKeySequence::NativeText));
  find_key_->setAttribute(Qt::WA_TransparentForMouseEvents);
  fit();
}

void TopBar::set_lessons_action(QAction* action) {
  lessons_->setDefaultAction(action);
  fit();
}

void TopBar::set_lesson(const QStringList& titles) {
  titles_ = titles;
  switch_->setVisible(titles.isEmpty());
  set_ink(lesson_, &Tokens::ink2);
  fit();
}

void TopBar::set_ways(const QStringList& names, const QStringList& tooltips, int current) {
  QList<Segments::Choice> choices;
  for (int i = 0; i < names.size(); ++i) choices << Segments::Choice{names[i], tooltips.value(i)};
  switch_->set_choices(choices);
  switch_->set_current(current);
  switch_->setVisible(titles_.isEmpty());
  switch_->set_words(tr("How the window is arranged"), {});
  name_button(folded_, tr("Menus"));
  fit();
}

// The switch stands in the middle of the window, whatever is beside it, as long as there is room.
void TopBar::fit() {
  find_key_->setFont(Theme::instance().ui_font(type::kSource));
  QSize ways = switch_->sizeHint();
  const int high = ways.height();
  const QFontMetrics metrics(lesson_->font());
  const auto width_of = [&](const QString& title) { return metrics.horizontalAdvance(title) + 4; };
  // For a title in the place of the switch, the words of what finds give way; what there is then, it takes.
  const bool titled = !titles_.isEmpty();
  if (titled) ways.setWidth(width_of(titles_.front()));
  const int left = space::kSmall + 2, gaps = 3 * space::kMedium;
  QSize menus = menus_->sizeHint();
  // From the right: what is there, with as much of its words as there is room for.
  const std::array buttons = {present_, lessons_, find_};
  QSize key = find_key_->sizeHint();
  const auto width_of_buttons = [&] {
    int wide = (key.isEmpty() ? 0 : key.width() + space::kSmall) + space::kMargin;
    for (const QToolButton* each : buttons) wide += each->sizeHint().width() + space::kSmall;
    return wide;
  };
  const auto show_as = [&](Qt::ToolButtonStyle style) {
    for (QToolButton* each : buttons) each->setToolButtonStyle(style);
  };
  show_as(Qt::ToolButtonTextBesideIcon);
  const auto too_wide = [&] { return left + menus.width() + ways.width() + width_of_buttons() + gaps > width(); };
  if (too_wide()) key = {};
  if (titled && too_wide()) find_->setToolButtonStyle(Qt::ToolButtonIconOnly);
  if (titled) ways.setWidth(0);
  if (too_wide()) show_as(Qt::ToolButtonIconOnly);
  const bool folded = too_wide();
  if (folded) menus = folded_->sizeHint();
  menus_->setVisible(!folded);
  folded_->setVisible(folded);
  const int height = std::max({high + space::kSmall, menus.height(), present_->sizeHint().height() + space::kTight});
  if (height != minimumHeight() || maximumHeight() != height) setFixedHeight(height);
  const auto middle = [height](int of) { return (height - of) / 2; };
  for (QWidget* each : {static_cast<QWidget*>(menus_), static_cast<QWidget*>(folded_)})
    each->setGeometry(left, middle(menus.height()), menus.width(), menus.height());
  find_key_->setVisible(!key.isEmpty());
  // The words of the last one end at the margin; its ground, where it has one, hangs out.
  int right = width() - space::kMargin + beside_words(*present_);
  for (QToolButton* each : buttons) {
    QSize size = each->sizeHint();
    if (each == find_ && !key.isEmpty()) {  // the key is a part of it
      const int pad = beside_words(*find_);
      size.rwidth() += space::kSmall + key.width();
      find_key_->setGeometry(right - pad - key.width(), middle(key.height()), key.width(), key.height());
      find_key_->raise();
    }
    right -= size.width();
    each->setGeometry(right, middle(size.height()), size.width(), size.height());
    right -= space::kSmall;
  }
  right += space::kSmall;
  const int least = left + menus.width() + space::kMedium;
  ways.setWidth(std::max(0, std::min(ways.width(), right - space::kMedium - least)));  // else it becomes a list
  const int at = std::max(least, std::min((width() - ways.width()) / 2, right - space::kMedium - ways.width()));
  if (!titled) {
    lesson_->hide();
    return switch_->setGeometry(at, middle(ways.height()), ways.width(), ways.height());
  }
  const int room = right - space::kMedium - least;
  const auto fits = [&](const QString& title) { return width_of(title) <= room; };
  const auto title = std::ranges::find_if(titles_, fits);
  lesson_->setVisible(title != titles_.end());
  if (title == titles_.end()) return;
  lesson_->setText(*title);
  const int wide = width_of(*title);
  lesson_->setGeometry(std::max(least, std::min((width() - wide) / 2, right - space::kMedium - wide)), 0, wide, height);
}

// Escape closes a menu and gives the keyboard back to who had it: Qt would leave it on the names of the menus, and
// after a second Escape on a bar without any of them.
bool TopBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched != menus_) return QWidget::eventFilter(watched, event);
  if (event->type() == QEvent::ActionAdded) {
    if (const QMenu* menu = static_cast<QActionEvent*>(event)->action()->menu())
      connect(menu, &QMenu::aboutToHide, this, [this] {
        closing_ = true;
        QTimer::singleShot(0, this, [this] { closing_ = false; });
      });
  } else if (event->type() == QEvent::FocusIn && closing_) {
    QTimer::singleShot(0, this, &TopBar::leave_menus);
  } else if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape &&
             !leaving_) {
    QTimer::singleShot(0, this, &TopBar::leave_menus);
  }
  return QWidget::eventFilter(watched, event);
}

void TopBar::leave_menus() {
  if (!menus_->hasFocus() || QApplication::activePopupWidget()) return;
  leaving_ = true;
  QKeyEvent escape(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier);
  QCoreApplication::sendEvent(menus_, &escape);
  leaving_ = false;
  if (!menus_->hasFocus()) return;
  if (before_menus_ && before_menus_->isVisible()) return before_menus_->setFocus(Qt::OtherFocusReason);
  menus_->clearFocus();
}

void TopBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

void TopBar::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fit();
}

}  // namespace headlight
