#include "widgets/views/living/motion.h"

#include <QPainter>
#include <QStyle>
#include <QWidget>

namespace headlight {

LivingMotion::LivingMotion(QWidget* of) : of_(of) {
  animation_.setStartValue(0.0);
  animation_.setEndValue(1.0);
  animation_.setEasingCurve(QEasingCurve::InOutCubic);
  connect(&animation_, &QVariantAnimation::valueChanged, this, &LivingMotion::moved);
  connect(&animation_, &QVariantAnimation::finished, this, [this] {
    before_ = {};
    emit moved();
  });
}

void LivingMotion::start(const QImage& before) {
  stop();
  constexpr double kMost = 5e6;  // points: larger ones would not fade, but stutter
  if (static_cast<double>(before.width()) * before.height() > kMost) return;
  if (of_->style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, of_) <= 0) return;
  before_ = before;
  animation_.setDuration(kDuration);
  animation_.start();
}

void LivingMotion::stop() {
  animation_.stop();
  before_ = {};
}

QImage LivingMotion::mixed(const QImage& now) const {
  if (before_.size() != now.size()) return now;
  return mix(before_, now, animation_.currentValue().toDouble());
}

// Channel by channel, so that what is the same in both stays exactly as it is.
QImage LivingMotion::mix(const QImage& before, const QImage& now, double way) {
  const bool opaque = now.format() == QImage::Format_RGB32 && before.format() == QImage::Format_RGB32;
  QImage image(now.size(), opaque ? QImage::Format_RGB32 : QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(now.devicePixelRatio());
  const QImage from = before.convertToFormat(image.format()), to = now.convertToFormat(image.format());
  const int part = qBound(0, qRound(way * 256), 256);
  for (int y = 0; y < image.height(); ++y) {
    const auto *a = reinterpret_cast<const QRgb*>(from.constScanLine(y)),
               *b = reinterpret_cast<const QRgb*>(to.constScanLine(y));
    auto* out = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < image.width(); ++x) {
      if (a[x] == b[x]) {
        out[x] = b[x];
        continue;
      }
      const auto channel = [&](int shift) {
        const int u = static_cast<int>(a[x] >> shift & 255), v = static_cast<int>(b[x] >> shift & 255);
        return static_cast<QRgb>((u * (256 - part) + v * part + 128) >> 8) << shift;
      };
      out[x] = channel(24) | channel(16) | channel(8) | channel(0);
    }
  }
  return image;
}

}  // namespace headlight
