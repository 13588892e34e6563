// Notes how the window is, changes it, and puts it back.

#include "app/presentation/presenter.h"

#include <QApplication>
#include <QCursor>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QLayout>
#include <QScreen>
#include <QToolTip>
#include <array>

#include "app/presentation/spotlight.h"
#include "widgets/base/theme.h"

namespace headlight {

namespace {
constexpr int kHintTime = 6000, kLightTime = 40;  // milliseconds; views that scroll or zoom do not tell
}

std::span<const Presenter::KeyRow> Presenter::key_table() {
  static constexpr Key kForward[] = {{Qt::Key_PageDown, true}, {Qt::Key_Right}, {Qt::Key_Space}};
  static constexpr Key kBack[] = {{Qt::Key_PageUp, true}, {Qt::Key_Left}};
  static constexpr Key kLight[] = {{Qt::Key_S}};
  static constexpr Key kBlack[] = {{Qt::Key_B}, {Qt::Key_Period}};
  static constexpr Key kLeave[] = {{Qt::Key_Escape, true}};
  static constexpr std::array kRows = {
      KeyRow{"PageDown / → / Space", QT_TR_NOOP("While presenting: the next row or step"), Act::forward, kForward},
      KeyRow{"PageUp / ←", QT_TR_NOOP("While presenting: the previous row or step"), Act::back, kBack},
      KeyRow{"S", QT_TR_NOOP("While presenting: spotlight on and off"), Act::spotlight, kLight},
      KeyRow{"B / .", QT_TR_NOOP("While presenting: black screen"), Act::blank, kBlack},
      KeyRow{"Esc", QT_TR_NOOP("While presenting: back to the window"), Act::end, kLeave},
  };
  return kRows;
}

Presenter::Presenter(QWidget* window) : QObject(window), window_(window) {
  setObjectName(QStringLiteral("presenter"));
  grow_.setSingleShot(true);
  connect(&grow_, &QTimer::timeout, this, [this] {
    if (active_) grow_type();
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
  if (active_) Theme::instance().set(before_.mode, before_.font_scale);
}

void Presenter::start(QWidget* stage, const QList<QWidget*>& around, const std::function<void()>& clear) {
  if (active_) return;
  Theme& theme = Theme::instance();
  before_ = {window_->geometry(), window_->windowState(), save_ ? save_() : QByteArray(), window_->saveGeometry(),
             theme.mode(),        theme.font_scale(),     QApplication::focusWidget()};
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
  theme.set(Theme::Mode::projector, type_for(window_->screen()->size().height()));
  window_->setWindowState(window_->windowState() | Qt::WindowFullScreen);
  grow_type();
  sheet_->setGeometry(window_->rect());
  sheet_->show();
  raise_sheet();
  if (stage) stage->setFocus(Qt::OtherFocusReason);
  show_hint(true);
  qApp->installEventFilter(this);
  emit activeChanged(true);
}

void Presenter::bind_window(QLayout::SizeConstraint constraint) {
  if (!window_->layout()) return;
  window_->layout()->setSizeConstraint(constraint);
  if (constraint == QLayout::SetNoConstraint) window_->setMinimumSize(0, 0);
}

void Presenter::stop() {
  if (!active_) return;
  active_ = false;
  qApp->removeEventFilter(this);
  light_.stop();
  show_hint(false);
  delete sheet_;
  for (const Part& part : parts_)
    if (part.widget) part.widget->setVisible(part.was_visible);
  Theme::instance().set(before_.mode, before_.font_scale);
  bind_window(QLayout::SetDefaultConstraint);
  // A window that was maximised or as large as the screen is that again; another one has its place of before.
  window_->setWindowState(before_.state);
  if (!(before_.state & (Qt::WindowFullScreen | Qt::WindowMaximized))) window_->setGeometry(before_.geometry);
  // Letters and bars get their sizes of before only now; else the panels would be fitted to others.
  QCoreApplication::sendPostedEvents(nullptr, QEvent::ApplicationFontChange);
  QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
  if (window_->layout()) window_->layout()->activate();
  if (restore_) restore_(before_.layout);
  parts_.clear();
  if (before_.focus) before_.focus->setFocus(Qt::OtherFocusReason);
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
  emit hintChanged(shown ? tr("PageDown: go on · S: spotlight · B: black · Esc: back") : QString());
}

Presenter::Act Presenter::act_of(const QKeyEvent& event, const QWidget& widget) {
  if ((event.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) return Act::none;
  const bool typing = widget.testAttribute(Qt::WA_InputMethodEnabled);
  for (const KeyRow& row : key_table())
    for (const Key& each : row.bindings)
      if (each.key == event.key() && (each.typing || !typing)) return row.act;
  return Act::none;
}

void Presenter::perform(Act act) {
  show_hint(false);
  // Who has the remote does not point: what is told of the place under the mouse would lie over the picture.
  if (QWidget* under = QApplication::widgetAt(QCursor::pos()); under && under->window() == window_) {
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(under, &leave);
  }
  // The first key after a black screen only brings the picture back.
  if (sheet_->is_blank()) return sheet_->set_blank(false);
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
    case Act::blank:
      sheet_->set_blank(true);
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
  if (act == Act::none) return false;
  event->accept();
  const bool again = key.isAutoRepeat() && act != Act::forward && act != Act::back;
  if (event->type() == QEvent::KeyPress && !again) perform(act);
  return true;
}

bool Presenter::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Close:
      if (watched == window_) stop();
      break;
    case QEvent::Resize:
      if (watched != window_) break;
      sheet_->setGeometry(window_->rect());
      grow_.start();  // once it has its size: fitting everything to other letters takes as long as fitting it to that
      break;
    case QEvent::ShowToParent:
      for (const Part& part : parts_)
        if (part.widget == watched) QMetaObject::invokeMethod(this, &Presenter::arrange, Qt::QueuedConnection);
      break;
    case QEvent::ShortcutOverride:
    case QEvent::KeyPress:
      if (const auto* widget = qobject_cast<QWidget*>(watched); widget && widget->window() == window_)
        return take_key(event, *widget);
      break;
    default:
      break;
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace headlight
