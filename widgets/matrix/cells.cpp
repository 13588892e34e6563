#include "widgets/matrix/cells.h"

#include <algorithm>

#include "widgets/base/hatch.h"
#include "widgets/base/theme.h"

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
  return std::clamp((value - low) / (high - low), 0.0, 1.0);
}

QColor CellScale::colour(double value) const {
  const Theme& theme = Theme::instance();
  return is_signed ? theme.signed_value(2 * share(value) - 1) : theme.weight(share(value));
}

QString CellScale::text() const {
  if (is_signed) return QStringLiteral("±%1").arg(QString::number(high, 'g', 3));
  return QStringLiteral("%1 … %2").arg(QString::number(low, 'g', 3), QString::number(high, 'g', 3));
}

CellColours::CellColours(bool is_signed) {
  const Theme& theme = Theme::instance();
  for (int i = 0; i < kLevels; ++i) {
    const double share = static_cast<double>(i) / (kLevels - 1);
    colours_[static_cast<std::size_t>(i)] = (is_signed ? theme.signed_value(2 * share - 1) : theme.weight(share)).rgb();
  }
  colours_[kLevels] = theme.weight(std::numeric_limits<double>::quiet_NaN()).rgb();
}

void draw_cells(QPainter& painter, const QRectF& rect, const QImage& picture) {
  // Without these the painter mixes neighbours, which is wrong here and slow.
  painter.setRenderHints(QPainter::SmoothPixmapTransform | QPainter::Antialiasing, false);
  painter.drawImage(rect, picture);
  const double wide = rect.width() / picture.width(), high = rect.height() / picture.height();
  if (std::min(wide, high) < kHatched) return;
  const Theme& theme = Theme::instance();
  const QRgb nothing = theme.hatch().rgb();
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      if (picture.pixel(x, y) != nothing) continue;
      const QRectF cell(rect.left() + x * wide, rect.top() + y * high, wide, high);
      painter.fillRect(cell, theme.background());
      draw_hatch(painter, cell, theme.hatch(), 6);
    }
}

}  // namespace headlight
