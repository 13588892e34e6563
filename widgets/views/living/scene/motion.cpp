#include "widgets/views/living/scene/motion.h"

#include <QStyle>
#include <QWidget>
#include <cstring>

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

}  // namespace headlight
