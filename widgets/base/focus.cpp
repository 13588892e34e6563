#include "widgets/base/focus.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QFocusFrame>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QPlainTextEdit>
#include <QRadioButton>
#include <QScrollArea>
#include <QSlider>
#include <QStyleOption>
#include <QTabBar>
#include <algorithm>
#include <utility>

#include "widgets/base/style.h"
#include "widgets/base/tokens.h"

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

namespace {

bool seen = false, alt = false;
// The mouse was pressed after the last key: where a control that is gone hands the keyboard on, Qt calls that Tab.
bool clicked = false;

// What the ring goes around; empty: nothing.
struct Ringed {
  QRect rect;
  double corner = radius::kButton;
};

bool is_field(const QWidget& widget) {
  if (const auto* line = qobject_cast<const QLineEdit*>(&widget)) return !line->isReadOnly();
  if (const auto* list = qobject_cast<const QComboBox*>(&widget)) return list->isEditable();
  if (const auto* text = qobject_cast<const QPlainTextEdit*>(&widget)) return !text->isReadOnly();
  return qobject_cast<const QAbstractSpinBox*>(&widget);
}

Ringed around_sign(const QAbstractButton& button, QStyle::SubElement sign, double corner) {
  QStyleOptionButton option;
  option.initFrom(&button);
  return {button.style()->subElementRect(sign, &option, &button), corner};
}

Ringed around_knob(const QSlider& slider) {
  QStyleOptionSlider option;
  option.initFrom(&slider);
  option.orientation = slider.orientation();
  option.minimum = slider.minimum();
  option.maximum = slider.maximum();
  option.sliderPosition = slider.sliderPosition();
  option.upsideDown = slider.orientation() == Qt::Vertical ? !slider.invertedAppearance() : slider.invertedAppearance();
  const QRect knob = slider.style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, &slider);
  return {knob, knob.width() / 2.};
}

Ringed ringed(const QWidget& widget) {
  const auto* items = qobject_cast<const QAbstractItemView*>(&widget);
  if (widget.isWindow() || is_field(widget) || widget.property(kMarksItself).toBool() ||
      (items && items->currentIndex().isValid()))
    return {};
  if (const auto* box = qobject_cast<const QCheckBox*>(&widget))
    return around_sign(*box, QStyle::SE_CheckBoxIndicator, 4);
  if (const auto* one = qobject_cast<const QRadioButton*>(&widget))
    return around_sign(*one, QStyle::SE_RadioButtonIndicator, 8);
  if (const auto* slider = qobject_cast<const QSlider*>(&widget)) return around_knob(*slider);
  if (const auto* tabs = qobject_cast<const QTabBar*>(&widget); tabs && !looks(tabs, "switch"))
    return {tabs->tabRect(tabs->currentIndex()).adjusted(space::kTight, space::kTight, -space::kTight, -space::kTight)};
  return {widget.rect()};
}

// Painted over what is beside the control, which cannot paint there itself. Qt leaves these out of what a screen reader
// is told.
class FocusRing : public QFocusFrame {
 public:
  using QFocusFrame::QFocusFrame;
  static constexpr int kAround = 4;
  double corner = radius::kButton;

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    draw_round(&painter, QRectF(rect()), corner + kAround - 1, {}, tokens().ink, 2);
  }
};

// The window, or what is seen of a page that is scrolled: nothing of it is painted elsewhere.
QWidget* home_of(const QWidget& widget) {
  QWidget* inside = widget.parentWidget();
  for (; inside && !inside->isWindow(); inside = inside->parentWidget())
    if (const auto* area = qobject_cast<const QAbstractScrollArea*>(inside->parentWidget());
        area && area->viewport() == inside)
      break;
  return inside;
}

// QWidget::update() of a scrolled area is that of its frame.
void paint_again(QWidget* widget) {
  widget->update();
  if (const auto* area = qobject_cast<QAbstractScrollArea*>(widget)) area->viewport()->update();
}

void set_alt(bool down) {
  if (std::exchange(alt, down) == down) return;
  for (QWidget* each : QApplication::allWidgets()) {
    // Words with nothing behind them: their letter in brackets takes room only while it is seen.
    if (const auto* button = qobject_cast<QAbstractButton*>(each);
        (qobject_cast<QCheckBox*>(each) || qobject_cast<QRadioButton*>(each)) && button->text().contains("(&")) {
      QEvent other_size(QEvent::StyleChange);
      QCoreApplication::sendEvent(each, &other_size);
    }
    if (each->isVisible() &&
        (qobject_cast<QMenuBar*>(each) || qobject_cast<QMenu*>(each) || qobject_cast<QLabel*>(each) ||
         qobject_cast<QAbstractButton*>(each) || qobject_cast<QTabBar*>(each)))
      each->update();
  }
}

bool goes_somewhere(int key) { return key >= Qt::Key_Home && key <= Qt::Key_PageDown; }

bool is_arrow(int key) { return key >= Qt::Key_Left && key <= Qt::Key_Down; }

// Arrows choose among buttons of one group. From any other button Qt would take the keyboard to whichever button is
// next, in another part of the window too: that is what Tab is for.
bool has_no_use_for_arrows(const QWidget& widget) {
  const auto* button = qobject_cast<const QAbstractButton*>(&widget);
  return button && !button->autoExclusive() && !(button->group() && button->group()->exclusive());
}

bool is_by_key(Qt::FocusReason reason) {
  return reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
}

}  // namespace

bool keyboard_is_seen() { return seen; }

bool Keyboard::alt_is_down() { return alt; }

void Keyboard::see(bool now) {
  if (std::exchange(seen, now) != now && has_it_) paint_again(has_it_);
  place_ring();
}

void Keyboard::place_ring() {
  const bool shown = seen && has_it_ && has_it_->isVisible() && has_it_->hasFocus();
  const Ringed part = shown ? ringed(*has_it_) : Ringed();
  QWidget* home = part.rect.isValid() ? home_of(*has_it_) : nullptr;
  if (!home) {
    if (ring_) ring_->hide();
    return;
  }
  if (!ring_) ring_ = new FocusRing(home);
  auto* ring = static_cast<FocusRing*>(ring_.data());
  if (ring->parentWidget() != home) ring->setParent(home);
  constexpr int kAround = FocusRing::kAround;
  const QRect all =
      QRect(has_it_->mapTo(home, part.rect.topLeft()), part.rect.size()).adjusted(-kAround, -kAround, kAround, kAround);
  const QRect place = all & home->rect();  // at an edge it stands on the control
  if (ring->isVisible() && ring->geometry() == place && ring->corner == part.corner) return;
  ring->corner = part.corner;
  ring->setGeometry(place);
  ring->raise();
  ring->show();
  ring->update();
}

bool Keyboard::eventFilter(QObject* watched, QEvent* event) {
  auto* widget = qobject_cast<QWidget*>(watched);
  switch (event->type()) {
    case QEvent::ApplicationStateChange:
    case QEvent::WindowDeactivate:
      set_alt(false);
      return false;
    case QEvent::ShortcutOverride:
    case QEvent::KeyPress:
    case QEvent::KeyRelease: {
      auto* key = static_cast<QKeyEvent*>(event);
      clicked = false;
      set_alt(key->key() == Qt::Key_Alt ? event->type() != QEvent::KeyRelease
                                        : key->modifiers().testFlag(Qt::AltModifier));
      return widget && event->type() != QEvent::ShortcutOverride && press(widget, key);
    }
    case QEvent::MouseButtonPress:
      if (widget) see(false);
      clicked = true;
      return false;
    case QEvent::FocusIn: {
      if (!widget) return false;
      const auto reason = static_cast<QFocusEvent*>(event)->reason();
      if (reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason) scroll_to(widget);
      if (!has_it_) seen = false;  // who had it is gone with its window
      has_it_ = widget;
      paint_again(widget);
      see((is_by_key(reason) && !clicked) || (seen && reason != Qt::MouseFocusReason));
      return false;
    }
    case QEvent::FocusOut:
      if (!widget || widget != has_it_) return false;
      paint_again(widget);
      if (ring_) ring_->hide();
      return false;
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::ParentChange:
    case QEvent::Paint:
      // Whatever moves the control, or what the ring goes around in it.
      if (seen && widget && has_it_ && widget != ring_ &&
          (widget == has_it_ || (event->type() != QEvent::Paint && widget->isAncestorOf(has_it_))))
        QMetaObject::invokeMethod(this, &Keyboard::place_ring, Qt::QueuedConnection);
      return false;
    default:
      return false;
  }
}

bool Keyboard::press(QWidget* widget, QKeyEvent* event) {
  const QKeyEvent& key = *event;
  const bool down = key.type() == QEvent::KeyPress;
  const bool enter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
  if (enter && !(key.modifiers() & ~Qt::KeypadModifier) && is_pressed_by_enter(widget)) {
    press_space(widget, key);
    return true;
  }
  if (down && !key.modifiers() && is_arrow(key.key()) && has_no_use_for_arrows(*widget)) return true;
  if (down && widget->hasFocus() && !is_field(*widget) && goes_somewhere(key.key())) {
    has_it_ = widget;
    see(true);
  }
  const bool tab = down && (key.key() == Qt::Key_Tab || key.key() == Qt::Key_Backtab);
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
