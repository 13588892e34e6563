#include "widgets/matrix/cell_picture.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/oklab.h"
#include "widgets/base/theme.h"

namespace headlight {

void draw_outline(QPainter& painter, const QRectF& rect, double width) {
  const Theme& theme = Theme::instance();
  painter.setRenderHint(QPainter::Antialiasing);
  draw_box(painter, rect, 0, QPen(theme.background(), width + 1.6));
  painter.setPen(QPen(theme.accent(), width));
  painter.drawRect(rect);
}

void draw_steps(QPainter& painter, const QRectF& rect, const std::vector<double>& values, double low, double high,
                const QPen& pen) {
  const auto count = static_cast<double>(std::max<std::size_t>(1, values.size()));
  const double span = high > low ? high - low : 1;
  const auto point = [&](std::size_t i) {
    return QPointF(rect.left() + rect.width() * (static_cast<double>(i) + 0.5) / count,
                   rect.bottom() - (values[i] - low) / span * rect.height());
  };
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(pen);
  // Piece by piece: a long flat path takes the painter ten times as long.
  for (std::size_t i = 0; i + 1 < values.size(); ++i)
    if (std::isfinite(values[i]) && std::isfinite(values[i + 1])) painter.drawLine(point(i), point(i + 1));
}

QColor series_colour(int index, int count) {
  const bool dark = Theme::instance().mode() == Theme::Mode::dark;
  const double angle = 2 * M_PI * (0.08 + static_cast<double>(index) / std::max(1, count));
  return from_oklab({dark ? 0.76 : 0.58, 0.13 * std::cos(angle), 0.13 * std::sin(angle)});
}

namespace {

// Where tokens fit beside each other, and also single characters, of which some are left out then.
bool stands_upright(double widest, double line, double column) { return widest + 1 <= column || widest <= 0.8 * line; }

}  // namespace

double tokens_height(double widest, double line, double column, double most) {
  return stands_upright(widest, line, column) ? line : std::min(std::max(line, widest + 4), most);
}

double widest_label(const std::vector<AxisLabel>& labels, const QFont& font) {
  const QFontMetricsF metrics(font);
  double widest = 0;
  for (const AxisLabel& label : labels) widest = std::max(widest, metrics.horizontalAdvance(label.text));
  return widest;
}

int part_at(double point, double from, double size, int count) {
  return std::clamp(static_cast<int>(std::floor((point - from) / std::max(1e-9, size) * count)), 0,
                    std::max(0, count - 1));
}

void draw_tokens(QPainter& painter, const QRectF& rect, const std::vector<AxisLabel>& labels, int marked) {
  if (labels.empty()) return;
  const Theme& theme = Theme::instance();
  const QFont font = theme.token_font(0.85);
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  const double widest = widest_label(labels, font);
  const double column = rect.width() / static_cast<double>(labels.size());
  const bool upright = stands_upright(widest, metrics.height(), column);
  const int every = std::max(1, static_cast<int>(std::ceil((upright ? widest + 1 : metrics.height() * 0.86) / column)));
  for (int i = 0; i < static_cast<int>(labels.size()); ++i) {
    const bool mark = i == marked;
    if (!mark && (i % every != 0 || (marked >= 0 && std::abs(i - marked) < every))) continue;
    const AxisLabel& label = labels[static_cast<std::size_t>(i)];
    painter.setPen(mark ? theme.accent() : label.muted ? theme.muted_text() : theme.text());
    const double middle = rect.left() + (i + 0.5) * column;
    if (upright) {
      const double half = std::max(column, widest + 1) / 2;
      painter.drawText(QRectF(middle - half, rect.top(), 2 * half, rect.height()), kTop, label.text);
      continue;
    }
    painter.save();
    painter.translate(middle, rect.top() + 2);
    painter.rotate(-90);
    const double room = rect.height() - 2;
    painter.drawText(QRectF(-room, -metrics.height() / 2, room, metrics.height()), kRight,
                     metrics.elidedText(label.text, Qt::ElideRight, room));
    painter.restore();
  }
}

QString fixed_number(double value, int decimals) {
  QString text = QString::number(value, 'f', decimals);
  if (text.startsWith('-')) text = (text.toDouble() == 0 ? QString() : QString(QChar(0x2212))) + text.mid(1);
  return text;
}

}  // namespace headlight
