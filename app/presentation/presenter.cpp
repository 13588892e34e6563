// Notes how the window is, changes it, and puts it back.

#include "app/presentation/presenter.h"

#include <QApplication>
#include <QCursor>
#include <QDoubleSpinBox>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QLayout>
#include <QScreen>
#include <QSignalBlocker>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>

#include "app/presentation/spotlight.h"
#include "widgets/base/theme.h"

namespace headlight {

namespace {
constexpr int kHintTime = 6000, kLightTime = 40;  // milliseconds; views that scroll or zoom do not tell
constexpr int kPatience = 600;                    // milliseconds that a window manager has to fill the screen

// Letters that are typed into a text are the text's until its Enter, or until the remote goes on; a field that counts
// takes none.
Presenter::Typing typed_into(const QWidget& widget, int key) {
  if (!widget.testAttribute(Qt::WA_InputMethodEnabled)) return Presenter::Typing::nothing;
  const auto* box = qobject_cast<const QAbstractSpinBox*>(&widget);
  if (!box) box = qobject_cast<const QAbstractSpinBox*>(widget.parentWidget());
  if (!box) return Presenter::Typing::text;
  const auto* decimal = qobject_cast<const QDoubleSpinBox*>(box);
  const bool point = key == Qt::Key_Period && decimal && decimal->decimals() > 0;
  return point ? Presenter::Typing::text : Presenter::Typing::number;
}

}  // namespace

std::span<const Presenter::KeyRow> Presenter::key_table() {
  static constexpr Key kForward[] = {
      {Qt::Key_PageDown, Typing::text}, {Qt::Key_Right, Typing::nothing}, {Qt::Key_Space}};
  static constexpr Key kBack[] = {{Qt::Key_PageUp, Typing::text}, {Qt::Key_Left, Typing::nothing}};
  static constexpr Key kLight[] = {{Qt::Key_S}};
  static constexpr Key kBlack[] = {{Qt::Key_B}, {Qt::Key_Period}};
  static constexpr Key kWhite[] = {{Qt::Key_W}};
  static constexpr Key kVote[] = {{Qt::Key_V}};
  static constexpr Key kLeave[] = {{Qt::Key_Escape, Typing::text}, {Qt::Key_F5, Typing::text}};
  static constexpr std::array kRows = {
      KeyRow{"PageDown / → / Space", QT_TR_NOOP("While presenting: the next row or step"), Act::forward, kForward},
      KeyRow{"PageUp / ←", QT_TR_NOOP("While presenting: the previous row or step"), Act::back, kBack},
      KeyRow{"S", QT_TR_NOOP("While presenting: spotlight on and off"), Act::spotlight, kLight},
      KeyRow{"B / .", QT_TR_NOOP("While presenting: black screen"), Act::black, kBlack},
      KeyRow{"W", QT_TR_NOOP("While presenting: white screen"), Act::white, kWhite},
      KeyRow{"V", QT_TR_NOOP("While presenting a lesson: the room votes, then votes again"), Act::vote, kVote},
      KeyRow{"Esc / F5", QT_TR_NOOP("While presenting: back to the window"), Act::end, kLeave},
  };
  return kRows;
}

Presenter::Presenter(QWidget* window) : QObject(window), window_(window) {
  setObjectName(QStringLiteral("presenter"));
  grow_.setSingleShot(true);
  connect(&grow_, &QTimer::timeout, this, [this] {
    if (active_) grow_type();
  });
  filled_.setSingleShot(true);
  filled_.setInterval(kPatience);
  // A window manager that knows no full screen leaves the window as it was.
  connect(&filled_, &QTimer::timeout, this, [this] {
    if (const QRect all = window_->screen()->geometry(); window_->geometry() != all) window_->setGeometry(all);
  });
  light_.setInterval(kLightTime);
  connect(&light_, &QTimer::timeout, this, [this] {
    raise_sheet();
    QList<QRectF> holes;
    for (const QRectF& each : spot_ ? spot_() : QList<QRectF>())
      if (const QRectF seen = each.intersected(window_->rect()); !seen.isEmpty()) holes << seen;
    sheet_->set_holes(holes);
  });
  hint_time_.setSingleShot(true);
  hint_time_.setInterval(kHintTime);
  connect(&hint_time_, &QTimer::timeout, this, [this] { show_hint(false); });
}

// The window may be half gone by now; the colours are everybody's.
Presenter::~Presenter() {
  if (!active_) return;
  const QSignalBlocker silent(&Theme::instance());  // the views of a window that ends must not build anything any more
  Theme::instance().set(before_.mode, before_.font_scale);
}

void Presenter::start(QWidget* stage, const QList<QWidget*>& around, const std::function<void()>& clear) {
  if (active_) return;
  Theme& theme = Theme::instance();
  before_ = {window_->geometry(),
             window_->normalGeometry(),
             window_->windowState(),
             window_->screen(),
             save_ ? save_() : QByteArray(),
             window_->saveGeometry(),
             theme.mode(),
             theme.font_scale(),
             QApplication::focusWidget()};
  QScreen* other = other_screen(window_->screen());
  QScreen* wall = other ? other : window_->screen();
  QToolTip::hideText();  // of what the pointer lay on
  parts_.clear();
  for (QWidget* part : around) parts_.push_back({part, !part->isHidden()});
  active_ = true;
  // The screen is as large as it is: what needs more on the way to large letters must not make the window larger.
  bind_window(QLayout::SetNoConstraint);
  sheet_ = new Spotlight(window_);
  arrange();
  if (clear) clear();
  // As the window will be, so that everything is fitted once.
  theme.set(Theme::Mode::projector, type_for(wall->size().height()));
  fill(wall);
  grow_type();
  sheet_->setGeometry(window_->rect());
  sheet_->show();
  raise_sheet();
  if (stage) stage->setFocus(Qt::OtherFocusReason);
  show_hint(true);
  qApp->installEventFilter(this);
  emit activeChanged(true);
}

QScreen* Presenter::other_screen(const QScreen* taken) {
  const QList<QScreen*> screens = QGuiApplication::screens();
  // Two that show the same are one.
  const auto found = std::ranges::find_if(
      screens, [taken](const QScreen* each) { return taken && !each->geometry().intersects(taken->geometry()); });
  return found == screens.end() ? nullptr : *found;
}

void Presenter::fill(QScreen* screen) {
  if (screen != window_->screen()) {
    // What fills one screen is not moved to another.
    window_->setWindowState(window_->windowState() & ~(Qt::WindowFullScreen | Qt::WindowMaximized));
    window_->setScreen(screen);
    window_->setGeometry(screen->geometry());
  }
  filled_.start();
  window_->setWindowState(window_->windowState() | Qt::WindowFullScreen);
}

// A window that was maximised or as large as the screen is that again; another one has its place of before.
void Presenter::go_back(bool moved) {
  const bool whole = before_.state & (Qt::WindowFullScreen | Qt::WindowMaximized);
  if (moved) {
    window_->setWindowState(before_.state & ~(Qt::WindowFullScreen | Qt::WindowMaximized));
    window_->setScreen(before_.screen);
    window_->setGeometry(whole ? before_.normal : before_.geometry);
  }
  window_->setWindowState(before_.state);
  if (!whole) window_->setGeometry(before_.geometry);
}

double Presenter::type_before() const { return active_ ? before_.font_scale : Theme::instance().font_scale(); }

void Presenter::bind_window(QLayout::SizeConstraint constraint) {
  if (!window_->layout()) return;
  window_->layout()->setSizeConstraint(constraint);
  if (constraint == QLayout::SetNoConstraint) window_->setMinimumSize(0, 0);
}

void Presenter::stop() {
  if (!active_) return;
  const bool moved = has_own_screen();
  active_ = false;
  qApp->removeEventFilter(this);
  filled_.stop();
  light_.stop();
  show_hint(false);
  delete sheet_;
  for (const Part& part : parts_)
    if (part.widget) part.widget->setVisible(part.was_visible);
  Theme::instance().set(before_.mode, before_.font_scale);
  bind_window(QLayout::SetDefaultConstraint);
  go_back(moved);
  // Letters and bars get their sizes of before only now; else the panels would be fitted to others.
  QCoreApplication::sendPostedEvents(nullptr, QEvent::ApplicationFontChange);
  QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
  if (window_->layout()) window_->layout()->activate();
  if (restore_) restore_(before_.layout);
  parts_.clear();
  // What had the keyboard may have gone in between, as the panel of a training that has ended.
  if (before_.focus && before_.focus->isVisible())
    before_.focus->setFocus(Qt::OtherFocusReason);
  else
    emit keyboardFree();
  before_.screen.clear();
  emit activeChanged(false);
}

// Whoever sits in the last row reads capitals of a 45th of the height of the screen.
double Presenter::type_for(int height) const {
  const Theme& theme = Theme::instance();
  // Of the largest letters, at which pixels matter least.
  const double capital = QFontMetricsF(theme.ui_font(type::kNumber)).capHeight() / (type::kNumber * theme.font_scale());
  return factor_ * std::max(before_.font_scale * kLarger, height / kCapitals / std::max(1.0, capital));
}

void Presenter::grow_type() {
  Theme& theme = Theme::instance();
  const double scale = type_for(window_->height());
  if (std::abs(scale - theme.font_scale()) > 0.01) theme.set(theme.mode(), scale);
}

std::optional<UserSettings::Layout> Presenter::kept() const {
  if (!active_) return std::nullopt;
  return UserSettings::Layout{before_.saved_geometry, before_.layout};
}

void Presenter::set_factor(double factor) {
  factor_ = std::clamp(std::isfinite(factor) ? factor : 1.0, kSmallestFactor, kLargestFactor);
  if (active_) grow_type();
}

bool Presenter::change_type(int direction) {
  if (!active_) return false;
  constexpr double kStep = 1.15;
  set_factor(direction == 0 ? 1 : direction > 0 ? factor_ * kStep : factor_ / kStep);
  emit factorChanged(factor_);
  return true;
}

void Presenter::arrange() {
  for (const Part& part : parts_)
    if (active_ && part.widget) part.widget->hide();
  raise_sheet();
}

// Panels that are shown later come in front of it.
void Presenter::raise_sheet() {
  if (sheet_ && window_->children().last() != sheet_) sheet_->raise();
}

void Presenter::set_spotlight(bool on) {
  if (!active_ || on == light_.isActive()) return;
  if (on) {
    light_.start();
    QMetaObject::invokeMethod(&light_, "timeout");
  } else {
    light_.stop();
    sheet_->set_holes({});
  }
}

// It stands in the line below the picture: over the picture it would hide the last row.
void Presenter::show_hint(bool shown) {
  shown ? hint_time_.start() : hint_time_.stop();
  emit hintChanged(shown ? tr("PageDown: go on · S: spotlight · B: black · W: white · Esc: back") : QString());
}

Presenter::Act Presenter::act_of(const QKeyEvent& event, const QWidget& widget) {
  if ((event.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) return Act::none;
  const Typing into = typed_into(widget, event.key());
  for (const KeyRow& row : key_table())
    for (const Key& each : row.bindings)
      if (each.key == event.key() && into <= each.most) return row.act;
  return Act::none;
}

void Presenter::act(Act act) {
  if (active_) perform(act);
}

void Presenter::perform(Act act) {
  show_hint(false);
  // Who has the remote does not point: what is told of the place under the mouse would lie over the picture.
  if (QWidget* under = QApplication::widgetAt(QCursor::pos()); under && under->window() == window_) {
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(under, &leave);
  }
  // The first key after a black screen only brings the picture back.
  if (sheet_->is_blank()) return sheet_->set_blank(std::nullopt);
  switch (act) {
    case Act::forward:
      emit step(1);
      break;
    case Act::back:
      emit step(-1);
      break;
    case Act::spotlight:
      set_spotlight(!is_spotlight_on());
      break;
    case Act::black:
      sheet_->set_blank(Qt::black);
      break;
    case Act::white:
      sheet_->set_blank(Qt::white);
      break;
    case Act::vote:
      emit voteWanted();
      break;
    case Act::end:
      stop();
      break;
    case Act::none:
      break;
  }
}

bool Presenter::take_key(QEvent* event, const QWidget& widget) {
  auto& key = *static_cast<QKeyEvent*>(event);
  const Act act = act_of(key, widget);
  if (act == Act::none || (left_ && left_(key))) return false;
  event->accept();
  const bool again = key.isAutoRepeat() && act != Act::forward && act != Act::back;
  if (event->type() != QEvent::KeyPress || again) return true;
  const bool typed = typed_into(widget, key.key()) != Typing::nothing;
  perform(act);
  if (typed && active_ && (act == Act::forward || act == Act::back)) emit keyboardFree();
  return true;
}

// A text that was typed ends with Enter; what closes with it has given the keyboard back by itself.
void Presenter::free_after_enter(const QEvent& event, const QWidget* widget) {
  const auto& key = static_cast<const QKeyEvent&>(event);
  if (event.type() != QEvent::KeyPress || (key.key() != Qt::Key_Return && key.key() != Qt::Key_Enter)) return;
  if (widget->window() != window_ || typed_into(*widget, key.key()) != Typing::text) return;
  const auto free = [this, typed = QPointer<const QWidget>(widget)] {
    if (active_ && typed && QApplication::focusWidget() == typed) emit keyboardFree();
  };
  QMetaObject::invokeMethod(this, free, Qt::QueuedConnection);
}

// Its panels that were taken out and what whoever presents reads have the remote, too; a question that waits has not.
bool Presenter::is_ours(const QWidget& widget) const {
  for (const QWidget* each = widget.window(); each;
       each = each->parentWidget() ? each->parentWidget()->window() : nullptr) {
    if (each == window_) return true;
    if (each->isModal() || each->windowType() == Qt::Popup) return false;
  }
  return false;
}

bool Presenter::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Close:
      if (watched == window_) stop();
      break;
    case QEvent::Resize:
      if (watched != window_) break;
      filled_.stop();
      sheet_->setGeometry(window_->rect());
      grow_.start();  // once it has its size: fitting everything to other letters takes as long as fitting it to that
      break;
    case QEvent::ShowToParent:
      for (const Part& part : parts_)
        if (part.widget == watched) QMetaObject::invokeMethod(this, &Presenter::arrange, Qt::QueuedConnection);
      break;
    case QEvent::ShortcutOverride:
    case QEvent::KeyPress:
      if (const auto* widget = qobject_cast<QWidget*>(watched); widget && is_ours(*widget)) {
        if (take_key(event, *widget)) return true;
        free_after_enter(*event, widget);
      }
      break;
    default:
      break;
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace headlight
