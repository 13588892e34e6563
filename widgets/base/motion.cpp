#include "widgets/base/motion.h"

#include <QApplication>
#include <QBackingStore>
#include <QElapsedTimer>
#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPointer>
#include <QStyle>
#include <QVariantAnimation>
#include <QWidget>
#include <cstring>
#include <utility>

#include "model/core/clock.h"
#include "widgets/base/theme.h"

namespace headlight {

namespace {

constexpr int kApart = 500;          // milliseconds: acts that follow each other more closely do not move
constexpr double kSlide = 12;        // pixels
constexpr const char* kAct = "act";  // of a widget: the number of the act for which it moved

// What the person does, one press or key after the other.
class Acts : public QObject {
 public:
  static QPointer<Acts>& the() {
    static QPointer<Acts> acts;
    return acts;
  }
  Acts() : QObject(qApp) { qApp->installEventFilter(this); }

  quint64 number() const { return number_; }
  bool may_move() const { return number_ > 0 && !flows_ && apart_; }

 protected:
  bool eventFilter(QObject*, QEvent* event) override;

 private:
  void next(bool flows);

  quint64 number_ = 0;
  bool flows_ = false;  // text, a drag, the wheel: what follows at once, and goes on
  bool apart_ = true;   // from the act before
  QElapsedTimer since_;
};

// Covers a widget while it moves.
class MotionSheet : public QWidget {
 public:
  MotionSheet(QWidget& of, QImage before, Motion::Paint paint);

  static MotionSheet* over(const QWidget& widget);
  static void end_all();
  void renew() { now_ = {}; }
  void finish();

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void step();

  QImage before_, now_;
  Motion::Paint paint_;
  QVariantAnimation way_;
  bool aside_ = false;  // while what is below it is painted
};

QList<QPointer<MotionSheet>>& sheets() {
  static QList<QPointer<MotionSheet>> all;
  return all;
}

bool Acts::eventFilter(QObject*, QEvent* event) {
  switch (event->type()) {
    case QEvent::KeyPress: {
      const QWidget* focus = QApplication::focusWidget();
      next(focus && focus->testAttribute(Qt::WA_InputMethodEnabled));
      break;
    }
    case QEvent::InputMethod:
    case QEvent::Wheel:
      next(true);
      break;
    case QEvent::MouseMove:
      if (static_cast<QMouseEvent*>(event)->buttons() && !flows_) next(true);
      break;
    case QEvent::MouseButtonPress:
    case QEvent::Shortcut:
      next(false);
      break;
    default:
      break;
  }
  return false;
}

void Acts::next(bool flows) {
  constexpr int kSame = 2;  // milliseconds: one event comes to several objects, one after the other
  if (since_.isValid() && flows == flows_ && since_.elapsed() < kSame) return;
  ++number_;
  flows_ = flows;
  apart_ = !since_.isValid() || since_.elapsed() > kApart;
  since_.start();
  MotionSheet::end_all();
}

// The pixels of the window, as they are on the screen.
QImage shown_pixels(const QWidget& widget) {
  const QBackingStore* store = widget.backingStore();
  const auto* pixels = store ? dynamic_cast<const QImage*>(const_cast<QBackingStore*>(store)->paintDevice()) : nullptr;
  if (!pixels) return {};
  const double ratio = widget.devicePixelRatioF();
  const QPointF corner = widget.mapTo(widget.window(), QPoint());
  const QRect place((corner * ratio).toPoint(), (QSizeF(widget.size()) * ratio).toSize());
  QImage image = pixels->copy(place).convertToFormat(QImage::Format_RGB32);
  image.setDevicePixelRatio(ratio);
  return image;
}

MotionSheet::MotionSheet(QWidget& of, QImage before, Motion::Paint paint)
    : QWidget(&of), before_(std::move(before)), paint_(std::move(paint)) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setFocusPolicy(Qt::NoFocus);
  setGeometry(of.rect());
  of.installEventFilter(this);
  way_.setStartValue(0.0);
  way_.setEndValue(1.0);
  way_.setDuration(Motion::kDuration);
  way_.setEasingCurve(QEasingCurve::OutCubic);
  connect(&way_, &QVariantAnimation::valueChanged, this, &MotionSheet::step);
  connect(&way_, &QVariantAnimation::finished, this, &MotionSheet::finish);
  sheets() << this;
  show();
  raise();
  way_.start();
}

MotionSheet* MotionSheet::over(const QWidget& widget) {
  for (const auto& sheet : sheets())
    if (sheet && sheet->parentWidget() == &widget) return sheet;
  return nullptr;
}

void MotionSheet::end_all() {
  for (const auto& sheet : std::exchange(sheets(), {}))
    if (sheet) sheet->finish();
}

void MotionSheet::finish() {
  sheets().removeAll(this);
  way_.stop();
  hide();
  deleteLater();
}

// What is below is painted once on the way, and the window around it with it: the widget may have no ground of its own.
void MotionSheet::step() {
  if (isHidden() || way_.currentTime() == 0) return;
  if (now_.isNull()) {
    const double began = 1e3 * thread_seconds();
    QWidget& of = *parentWidget();
    now_ = QImage((QSizeF(size()) * devicePixelRatioF()).toSize(), QImage::Format_RGB32);
    now_.setDevicePixelRatio(devicePixelRatioF());
    aside_ = true;
    setAttribute(Qt::WA_OpaquePaintEvent, false);
    of.window()->render(&now_, QPoint(), QRect(of.mapTo(of.window(), QPoint()), of.size()));
    setAttribute(Qt::WA_OpaquePaintEvent);
    aside_ = false;
    if (1e3 * thread_seconds() - began > Motion::kLongestFrame) return finish();
  }
  update();
}

void MotionSheet::paintEvent(QPaintEvent*) {
  if (aside_) return;
  QPainter painter(this);
  if (before_.size() != (QSizeF(size()) * devicePixelRatioF()).toSize()) painter.fillRect(rect(), theme().background());
  if (now_.isNull()) return painter.drawImage(0, 0, before_);
  const double began = 1e3 * thread_seconds();
  paint_(painter, {before_, now_, way_.currentValue().toDouble()});
  if (1e3 * thread_seconds() - began > Motion::kLongestFrame)
    QMetaObject::invokeMethod(this, &MotionSheet::finish, Qt::QueuedConnection);
}

bool MotionSheet::eventFilter(QObject* watched, QEvent* event) {
  if (watched != parentWidget() || isHidden()) return false;
  if (event->type() == QEvent::Resize) {
    setGeometry(parentWidget()->rect());
    renew();
  }
  if (event->type() == QEvent::ChildAdded) raise();
  if (event->type() == QEvent::Hide) finish();
  return false;
}

}  // namespace

void Motion::fade(QPainter& painter, const Frame& frame) {
  painter.drawImage(0, 0, mixed(frame.before, frame.now, frame.way));
}

void Motion::slide(QPainter& painter, const Frame& frame) {
  painter.drawImage(0, 0, frame.before);
  painter.setOpacity(frame.way);
  painter.drawImage(QPointF(kSlide * (1 - frame.way), 0), frame.now);
}

QImage Motion::mixed(const QImage& before, const QImage& now, double way) {
  if (before.size() != now.size()) return now;
  const bool opaque = now.format() == QImage::Format_RGB32 && before.format() == QImage::Format_RGB32;
  QImage image(now.size(), opaque ? QImage::Format_RGB32 : QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(now.devicePixelRatio());
  const QImage from = before.convertToFormat(image.format()), to = now.convertToFormat(image.format());
  const auto part = static_cast<QRgb>(qBound(0, qRound(way * 256), 256));
  const int width = image.width(), height = image.height();
  for (int y = 0; y < height; ++y) {
    const auto *a = reinterpret_cast<const QRgb*>(from.constScanLine(y)),
               *b = reinterpret_cast<const QRgb*>(to.constScanLine(y));
    auto* out = reinterpret_cast<QRgb*>(image.scanLine(y));
    if (std::memcmp(a, b, static_cast<std::size_t>(width) * sizeof(QRgb)) == 0) {
      std::memcpy(out, b, static_cast<std::size_t>(width) * sizeof(QRgb));
      continue;
    }
    for (int x = 0; x < width; ++x) {
      const auto pair = [&](int shift) {  // two channels at once
        constexpr QRgb kTwo = 0x00ff00ff;
        return ((a[x] >> shift & kTwo) * (256 - part) + (b[x] >> shift & kTwo) * part + 0x00800080) >> 8 & kTwo;
      };
      out[x] = pair(8) << 8 | pair(0);
    }
  }
  return image;
}

void Motion::watch() {
  if (!Acts::the()) Acts::the() = new Acts;
}

bool Motion::begin(QWidget& of, const Paint& paint) {
  const Acts* acts = Acts::the();
  if (!acts) return false;
  if (MotionSheet* sheet = MotionSheet::over(of)) {
    sheet->renew();
    return true;
  }
  if (!acts->may_move() || of.property(kAct).toULongLong() == acts->number() || !of.isVisible()) return false;
  if (of.style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, &of) <= 0) return false;
  for (const QWidget* around = &of; around; around = around->parentWidget())
    if (is_moving(*around)) return false;
  QImage before = shown_pixels(of);
  if (before.isNull()) return false;
  of.setProperty(kAct, acts->number());
  for (const auto& inside : QList(sheets()))
    if (inside && of.isAncestorOf(inside)) inside->finish();
  new MotionSheet(of, std::move(before), paint);  // belongs to `of`
  return true;
}

void Motion::renew(QWidget& of) {
  if (MotionSheet* sheet = MotionSheet::over(of)) sheet->renew();
}

void Motion::end(QWidget& of) {
  if (MotionSheet* sheet = MotionSheet::over(of)) sheet->finish();
}

bool Motion::is_moving(const QWidget& of) { return MotionSheet::over(of) != nullptr; }

}  // namespace headlight
