#include "widgets/matrix/cells.h"

#include <QPaintEngine>
#include <algorithm>
#include <cmath>

#include "widgets/base/hatch.h"
#include "widgets/base/theme.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {
constexpr double kHatched = 6;  // pixels; smaller cells have the colour of the lines
}  // namespace

CellScale CellScale::of(const Tensor& values) {
  double largest = 0;
  bool negative = false;
  for (Index i = 0; i < values.size(); ++i) {
    const auto value = static_cast<double>(values[i]);
    if (!std::isfinite(value)) continue;
    largest = std::max(largest, std::abs(value));
    negative = negative || value < 0;
  }
  return negative ? around_zero(largest) : up_to(largest);
}

double CellScale::share(double value) const {
  if (std::isnan(value) || (std::isinf(value) && !is_signed)) return std::numeric_limits<double>::quiet_NaN();
  if (!(high > low)) return std::isinf(value) ? (value > 0 ? 1 : 0) : is_signed ? 0.5 : 0;
  if (logarithmic) return value <= low ? 0 : std::min(1.0, std::log(value / low) / std::log(high / low));
  return std::clamp((value - low) / (high - low), 0.0, 1.0);
}

double CellScale::at(double share) const {
  return logarithmic ? low * std::pow(high / low, share) : low + share * (high - low);
}

QColor CellScale::colour(double value) const {
  return is_signed ? theme().signed_value(2 * share(value) - 1) : theme().weight(share(value));
}

QString CellScale::text() const {
  if (is_signed) return QStringLiteral("±%1").arg(short_number(high, 3));
  return QStringLiteral("%1 … %2").arg(short_number(low, 3), short_number(high, 3));
}

CellColours::CellColours(bool is_signed) {
  for (int i = 0; i < kLevels; ++i) {
    const double share = static_cast<double>(i) / (kLevels - 1);
    nth(colours_, i) = (is_signed ? theme().signed_value(2 * share - 1) : theme().weight(share)).rgb();
  }
  colours_[kLevels] = theme().weight(std::numeric_limits<double>::quiet_NaN()).rgb();
}

namespace {

// Neighbours of one colour in a row are one rectangle: what each draws, from and to.
template <class Draw>
int each_run(const QImage& picture, const Draw& draw) {
  int count = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++count) {
      const int from = x;
      const QRgb colour = picture.pixel(from, y);
      while (x < picture.width() && picture.pixel(x, y) == colour) ++x;
      draw(from, x, y, colour);
    }
  return count;
}

// Lines over what is not a number.
void hatch_nothing(QPainter& painter, const QRectF& rect, const QImage& picture) {
  const double wide = rect.width() / picture.width(), high = rect.height() / picture.height();
  const QRgb nothing = theme().hatch().rgb();
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      if (picture.pixel(x, y) != nothing) continue;
      const QRectF cell(rect.left() + x * wide, rect.top() + y * high, wide, high);
      painter.fillRect(cell, theme().background());
      draw_hatch(painter, cell, theme().hatch(), 6);
    }
}

}  // namespace

bool is_vector(const QPainter& painter) {
  const QPaintEngine* engine = painter.paintEngine();
  const auto type = engine ? engine->type() : QPaintEngine::User;
  return type == QPaintEngine::SVG || type == QPaintEngine::Pdf || type == QPaintEngine::Picture;
}

void paint_cells(QPainter& painter, const QRectF& rect, const QImage& picture, int most) {
  // Without these the painter mixes neighbours, which is wrong here and slow.
  const QPainter::RenderHints hints = painter.renderHints();
  painter.setRenderHints(QPainter::SmoothPixmapTransform | QPainter::Antialiasing, false);
  const double wide = rect.width() / picture.width(), high = rect.height() / picture.height();
  if (!is_vector(painter)) {
    painter.drawImage(rect, picture);
  } else if (each_run(picture, [](int, int, int, QRgb) {}) <= most) {
    each_run(picture, [&](int from, int to, int y, QRgb colour) {
      painter.fillRect(QRectF(rect.left() + from * wide, rect.top() + y * high, (to - from) * wide, high),
                       QColor::fromRgb(colour));
    });
  } else {
    // Many pictures of a file have fewer points each, or it would take many seconds to write.
    constexpr int kPointsOfCell = 8, kMostPoints = 2048, kMostPointsOfAll = 8192;
    const double share = std::sqrt(std::min(1.0, static_cast<double>(most) / kMostRectanglesOfAll));
    const int points = std::min(kMostPoints, static_cast<int>(kMostPointsOfAll * share));
    const int times = std::clamp(points / std::max(1, std::max(picture.width(), picture.height())), 1, kPointsOfCell);
    painter.setRenderHint(QPainter::LosslessImageRendering);
    painter.drawImage(rect, picture.scaled(times * picture.size(), Qt::IgnoreAspectRatio, Qt::FastTransformation));
  }
  if (std::min(wide, high) >= kHatched) hatch_nothing(painter, rect, picture);
  painter.setRenderHints(hints);
}

}  // namespace headlight
