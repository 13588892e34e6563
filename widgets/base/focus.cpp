#include "widgets/base/focus.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QScrollArea>
#include <algorithm>

namespace headlight {

namespace {

// A stop of the keyboard, or a part that has some.
struct Part {
  QRect rect;
  QList<QWidget*> stops;
};

// The first place where nothing is crossed: all up to there stands above (or left of) all others. None: 0.
template <class From, class To>
std::size_t cut(std::vector<Part>& parts, From from, To to) {
  std::ranges::stable_sort(parts, {}, [&](const Part& each) { return from(each.rect); });
  int end = to(parts.front().rect);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (from(parts[i].rect) >= end) return i;
    end = std::max(end, to(parts[i].rect));
  }
  return 0;
}

void read_parts(std::vector<Part> parts, QList<QWidget*>& found) {
  if (parts.empty()) return;
  std::size_t at = 0;
  if (parts.size() > 1) {
    at = cut(
        parts, [](const QRect& r) { return r.top(); }, [](const QRect& r) { return r.bottom(); });
    if (at == 0)
      at = cut(
          parts, [](const QRect& r) { return r.left(); }, [](const QRect& r) { return r.right(); });
  }
  if (at == 0) {  // they lie over each other
    for (const Part& each : parts) found += each.stops;
    return;
  }
  const auto middle = parts.begin() + static_cast<std::ptrdiff_t>(at);
  read_parts({parts.begin(), middle}, found);
  read_parts({middle, parts.end()}, found);
}

bool is_stop(const QWidget& widget) {
  return (widget.focusPolicy() & Qt::TabFocus) && widget.isEnabled() && !widget.focusProxy();
}

// Qt moves a control together with all up to the field in it that stands for it (of a spin box), and breaks its ring
// where another one has come between them.
void order_tabs(const QList<QWidget*>& order) {
  for (QWidget* each : order)
    for (QObject* child : each->children())
      if (auto* field = qobject_cast<QWidget*>(child); field && field->focusProxy() == each)
        QWidget::setTabOrder(each, field);
  for (qsizetype i = 1; i < order.size(); ++i) QWidget::setTabOrder(order[i - 1], order[i]);
}

void press_space(QWidget* widget, const QKeyEvent& key) {
  QKeyEvent space(key.type(), Qt::Key_Space, key.modifiers(), QStringLiteral(" "), key.isAutoRepeat());
  QCoreApplication::sendEvent(widget, &space);
}

// Qt does so only for who goes from one to the next within a page.
void scroll_to(QWidget* widget) {
  for (QWidget* around = widget->parentWidget(); around; around = around->parentWidget())
    if (auto* page = qobject_cast<QScrollArea*>(around)) page->ensureWidgetVisible(widget);
}

bool is_pressed_by_enter(const QWidget* widget) {
  if (const auto* list = qobject_cast<const QComboBox*>(widget)) return !list->isEditable();
  return qobject_cast<const QAbstractButton*>(widget);
}

}  // namespace

QList<QWidget*> in_eye_order(QWidget* part) {
  QList<QWidget*> found;
  if (is_stop(*part)) found << part;
  std::vector<Part> parts;
  for (QObject* child : part->children()) {
    auto* widget = qobject_cast<QWidget*>(child);
    if (!widget || widget->isWindow() || !widget->isVisible()) continue;
    if (QList<QWidget*> stops = in_eye_order(widget); !stops.isEmpty())
      parts.push_back({widget->geometry(), std::move(stops)});
  }
  read_parts(std::move(parts), found);
  return found;
}

bool Keyboard::eventFilter(QObject* watched, QEvent* event) {
  const bool comes = event->type() == QEvent::FocusIn;
  if (!comes && event->type() != QEvent::KeyPress && event->type() != QEvent::KeyRelease) return false;
  auto* widget = qobject_cast<QWidget*>(watched);
  if (!widget) return false;
  if (comes) {
    const auto reason = static_cast<QFocusEvent*>(event)->reason();
    if (reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason) scroll_to(widget);
    return false;
  }
  const auto& key = *static_cast<QKeyEvent*>(event);
  const bool enter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
  if (enter && !(key.modifiers() & ~Qt::KeypadModifier) && is_pressed_by_enter(widget)) {
    press_space(widget, key);
    return true;
  }
  const bool tab = event->type() == QEvent::KeyPress && (key.key() == Qt::Key_Tab || key.key() == Qt::Key_Backtab);
  return tab && !tabbing_ && widget->hasFocus() && go_on(widget, event, key.key() == Qt::Key_Backtab);
}

// A widget may have several places of its own (links of a text); where it is left, the next is the one that is seen
// next, also where Qt would go around in a part of the window.
bool Keyboard::go_on(QWidget* from, QEvent* tab, bool back) {
  const QPointer<QWidget> left(from);
  const QList<QWidget*> order = in_eye_order(from->window());
  const qsizetype at = order.indexOf(from);
  if (at < 0) return false;
  order_tabs(order);
  const QPointer<QWidget> next = order[(at + (back ? order.size() - 1 : 1)) % order.size()];
  tabbing_ = true;
  QCoreApplication::sendEvent(from, tab);
  tabbing_ = false;
  const QWidget* now = QApplication::focusWidget();
  if (left && next && now && now != left && now != next && now->window() == left->window() && next->isVisible())
    next->setFocus(back ? Qt::BacktabFocusReason : Qt::TabFocusReason);
  return true;
}

KeepKeyboard::KeepKeyboard(QWidget* part, std::function<QWidget*()> else_to)
    : part_(part), had_(QApplication::focusWidget()), else_to_(std::move(else_to)) {
  if (had_ && (had_ == part || part->isAncestorOf(had_)))
    place_ = std::max<qsizetype>(0, in_eye_order(part).indexOf(had_));
}

KeepKeyboard::~KeepKeyboard() {
  if (!part_ || place_ < 0) return;
  const auto can = [](const QWidget* each) { return each && each->isVisible() && each->isEnabled(); };
  QWidget* to = can(had_) ? had_.data() : else_to_ ? else_to_() : nullptr;
  if (!can(to))
    if (const QList<QWidget*> order = in_eye_order(part_); !order.isEmpty())
      to = order[std::min(place_, order.size() - 1)];
  if (to && !to->hasFocus()) to->setFocus(Qt::OtherFocusReason);
}

void forget_keyboard_in(const QWidget& moved) {
  for (const QWidget* around = moved.parentWidget(); around; around = around->parentWidget())
    if (QWidget* had = around->focusWidget(); had && (had == &moved || moved.isAncestorOf(had))) had->clearFocus();
}

}  // namespace headlight
