#include "widgets/canvas/column_ink.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/text/number_words.h"

namespace headlight {

QString short_signed(double value, int places) {
  QString text = plain_number(value, places);
  if (!std::isfinite(value)) return text;
  if (QString::number(value, 'f', places).toDouble() == 0) return {};
  const bool below_one = text.startsWith(QLatin1String("0.")) || text.startsWith(QStringLiteral("−0."));
  return below_one ? text.replace(QLatin1String("0."), QLatin1String(".")) : text;
}

QString fitting_signed(double value, double width, int places) {
  const QFont font = theme().ui_font(type::kHead);
  for (int each = places; each >= (std::abs(value) >= 10 ? 0 : 1); --each)
    if (const QString text = short_signed(value, each); text_width(text, font) + 4 <= width) return text;
  return {};
}

QString short_share(double value) {
  if (!std::isfinite(value)) return plain_number(value);
  if (value < 0.005) return {};
  const QString text = QString::number(value, 'f', 2);
  return text == QLatin1String("1.00") ? QStringLiteral("1") : text.mid(text.startsWith('0') ? 1 : 0);
}

double number_size(double row) {
  const double pixels = row / theme().font_scale();
  return pixels >= 70 ? type::kTitle : pixels >= 44 ? type::kText : type::kHead;
}

void draw_tile(QPainter& painter, const QRectF& cell, const QColor& fill, const QString& text, bool bold) {
  const double gap = cell.width() >= 8 ? 1 : cell.width() >= 4 ? 0.5 : 0;
  const QRectF tile = cell.adjusted(gap, 1, -gap, -1);
  painter.setPen(Qt::NoPen);
  painter.setBrush(fill);
  painter.drawRoundedRect(tile, std::min(radius::kCell, tile.width() / 3), std::min(radius::kCell, tile.width() / 3));
  if (text.isEmpty()) return;
  for (const double size : {number_size(cell.height()), type::kHead}) {
    QFont font = theme().ui_font(size);
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    if (text_width(text, font) + 2 > tile.width() || QFontMetricsF(font).height() > tile.height() + 4) continue;
    return write(painter, tile, kCentre, text, font, Theme::readable_on(fill));
  }
}

void draw_level(QPainter& painter, const QRectF& cell, double share, bool numbered) {
  const Tokens& t = tokens();
  draw_tile(painter, cell, t.well);
  const double gap = cell.width() >= 8 ? 1 : 0;
  const QRectF tile = cell.adjusted(gap, 1, -gap, -1);
  const double high = tile.height() * std::clamp(std::isfinite(share) ? share : 0.0, 0.0, 1.0);
  QColor grey = t.edge;
  grey.setAlphaF(0.5F);
  draw_box(painter, QRectF(tile.left(), tile.bottom() - high, tile.width(), high), std::min(radius::kCell, high / 2),
           Qt::NoPen, grey);
  if (!numbered) return;
  const QFont font = theme().ui_font(number_size(cell.height()));
  const QString text = short_share(share);
  if (text_width(text, font) + 2 <= tile.width()) write(painter, tile, kCentre, text, font, t.ink);
}

void draw_ring(QPainter& painter, const QRectF& cell, const QColor& colour, double width) {
  const QRectF tile = cell.adjusted(1, 1, -1, -1);
  draw_box(painter, tile.adjusted(1.2, 1.2, -1.2, -1.2), radius::kCell, QPen(tokens().paper, 1.5));
  draw_box(painter, tile, radius::kCell + 1, QPen(colour, theme().line(width)));
}

void draw_opened(QPainter& painter, double left, double top, double bottom) {
  draw_box(painter, QRectF(left, top, 3, bottom - top), 1.5, Qt::NoPen, tokens().accent);
}

void draw_share_bar(QPainter& painter, const QRectF& rect, double share, const QColor& fill) {
  const double round = rect.height() / 2;
  draw_box(painter, rect, round, Qt::NoPen, tokens().press);
  const double wide = rect.width() * std::clamp(std::isfinite(share) ? share : 0.0, 0.0, 1.0);
  draw_box(painter, QRectF(rect.left(), rect.top(), std::max(wide, std::min(4.0, rect.width())), rect.height()), round,
           Qt::NoPen, fill);
}

void draw_edited_dot(QPainter& painter, const QRectF& cell) {
  const QPointF corner(cell.right() - 5, cell.top() + 5);
  draw_dot(painter, corner, 4, tokens().paper);
  draw_dot(painter, corner, 2.8, tokens().edited);
}

QFont bold_font(double relative) {
  QFont font = theme().ui_font(relative);
  font.setWeight(QFont::DemiBold);
  return font;
}

void write_words(QPainter& painter, const QRectF& rect, const QString& text, const QFont& font, const QColor& colour) {
  write(painter, rect, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text, font, colour);
}

double words_height(const QString& text, const QFont& font, double width) {
  if (text.isEmpty()) return 0;
  return std::ceil(
      QFontMetricsF(font).boundingRect(QRectF(0, 0, std::max(20.0, width), 1e5), Qt::TextWordWrap, text).height());
}

}  // namespace headlight
