#include "widgets/base/hatch.h"

#include <QPainterPath>

#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"

namespace headlight {

void draw_hatch(QPainter& painter, const QRectF& rect, const QColor& colour, double apart) {
  painter.save();
  painter.setClipRect(rect, Qt::IntersectClip);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(colour, 1.2));
  for (double x = rect.left() - rect.height(); x < rect.right(); x += apart)
    painter.drawLine(QPointF(x, rect.bottom()), QPointF(x + rect.height(), rect.top()));
  painter.restore();
}

void draw_not_kept(QPainter& painter, const QPainterPath& area) {
  if (area.isEmpty()) return;
  painter.save();
  painter.setClipPath(area, Qt::IntersectClip);
  painter.fillPath(area, tokens().well);
  draw_hatch(painter, area.boundingRect(), tokens().off, 6);
  painter.restore();
}

void paint_off(QPainter& painter, const QRectF& rect) {
  QColor veil = theme().background();
  veil.setAlphaF(0.72F);
  painter.fillRect(rect, veil);
  draw_hatch(painter, rect, theme().edited(), 12);
}

}  // namespace headlight
