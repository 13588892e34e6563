// Painting the positions view.
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/base/oklab.h"
#include "widgets/base/theme.h"
#include "widgets/matrix/cells.h"
#include "widgets/views/positions/positions_view.h"

namespace headlight {

void PositionsView::paint(QPainter& painter, const QRectF&, bool marks) const {
  for (int i = 0; i < static_cast<int>(tables_.size()); ++i) paint_table(painter, i, marks);
  if (rotation_) {
    paint_rotation(painter);
    return paint_products(painter);
  }
  paint_curves(painter);
  paint_clock(painter);
  paint_similarity(painter);
}

QColor PositionsView::table_colour(int table) const {
  const Theme& theme = Theme::instance();
  const bool dark = theme.mode() == Theme::Mode::dark;
  const QColor green = from_oklab({dark ? 0.76 : 0.56, -0.12, 0.08});
  const QColor colours[] = {theme.weight(0.72), green, theme.text()};
  return colours[static_cast<std::size_t>(table) % std::size(colours)];
}

const QImage& PositionsView::picture(int index) const {
  QImage& image = pictures_[static_cast<std::size_t>(index)];
  if (!image.isNull()) return image;
  const PositionTable& table = tables_[static_cast<std::size_t>(index)];
  const auto top = static_cast<double>(table.values.array().abs().maxCoeff());
  image = cell_picture(static_cast<int>(table.size()), static_cast<int>(table.positions()), CellScale::around_zero(top),
                       [&](int column, int row) {
                         return static_cast<double>(table.values[static_cast<Index>(row) * table.size() + column]);
                       });
  return image;
}

void PositionsView::paint_frame(QPainter& painter, const QRectF& rect, const QRectF& caption, const QString& text,
                                double top, double bottom) const {
  const Theme& theme = Theme::instance();
  const QFont words = theme.ui_font(0.9), numbers = theme.ui_font(0.82);
  painter.setFont(words);
  painter.setPen(theme.text());
  painter.drawText(caption, static_cast<int>(Qt::AlignLeft | Qt::AlignTop | Qt::TextSingleLine),
                   QFontMetricsF(words).elidedText(text, Qt::ElideRight, caption.width()));
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(QPen(theme.grid(), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect.adjusted(-1, -1, 0, 0));
  painter.setFont(numbers);
  painter.setPen(theme.muted_text());
  const double line = QFontMetricsF(numbers).height(), axis = layout_.metrics.axis_width;
  const auto left = [&](double y, double number) {
    painter.drawText(QRectF(rect.left() - axis, y, axis - 4, line), static_cast<int>(Qt::AlignRight | Qt::AlignVCenter),
                     QString::number(number, 'g',
                                     std::abs(number) < 1     ? 2
                                     : std::abs(number) < 100 ? 3
                                                              : 4));
  };
  left(rect.top() - 1, top);
  left(rect.bottom() - line + 1, bottom);
}

void PositionsView::paint_table(QPainter& painter, int index, bool marks) const {
  const Theme& theme = Theme::instance();
  const auto i = static_cast<std::size_t>(index);
  const PositionTable& table = tables_[i];
  const QRectF& rect = layout_.tables[i];
  const QRectF& caption = layout_.table_captions[i];
  const double key = tables_.size() > 1 ? 26 : 0;  // its line among the likenesses
  if (key > 0) {
    painter.setPen(QPen(table_colour(index), 2.4, index == table_ || rotation_ ? Qt::SolidLine : Qt::DashLine));
    const double y = caption.top() + QFontMetricsF(theme.ui_font(0.9)).height() / 2;
    painter.drawLine(QPointF(caption.left(), y), QPointF(caption.left() + key - 8, y));
  }
  paint_frame(painter, rect, caption.adjusted(key, 0, 0, 0), table_name(table), 0,
              static_cast<double>(table.positions() - 1));
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  painter.drawImage(rect, picture(index));
  const QFont numbers = theme.ui_font(0.82);
  painter.setFont(numbers);
  painter.setPen(theme.muted_text());
  const QRectF below(rect.left(), rect.bottom() + 1, rect.width(), layout_.metrics.axis);
  painter.drawText(below, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), QStringLiteral("0"));
  painter.drawText(below, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), QString::number(table.size() - 1));
  const QString axis = tr("number of the row");
  if (QFontMetricsF(numbers).horizontalAdvance(axis) < below.width() - 60)
    painter.drawText(below, static_cast<int>(Qt::AlignCenter), axis);
  if (!marks) return;
  const double down = rect.height() / static_cast<double>(table.positions());
  const double across = rect.width() / static_cast<double>(table.size());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setClipRect(rect.adjusted(-2, -2, 2, 2));
  const auto outline = [&](const QRectF& part, double width) {
    painter.setPen(QPen(theme.background(), width + 1.6));
    painter.drawRect(part);
    painter.setPen(QPen(theme.accent(), width));
    painter.drawRect(part);
  };
  const bool chosen = index == table_;
  if (position_ < table.positions())
    outline({rect.left(), rect.top() + position_ * down, rect.width(), std::max(1.0, down)}, chosen ? 1.6 : 0.8);
  for (const Index column : {table.first(pair_), table.second(pair_)})
    if ((chosen || rotation_) && column < table.size())
      outline({rect.left() + static_cast<double>(column) * across, rect.top(), across, rect.height()}, 1);
  painter.setClipping(false);
  if (chosen && hasFocus() && tables_.size() > 1) {
    painter.setPen(QPen(theme.accent(), 1));
    painter.drawRoundedRect(rect.adjusted(-2.5, -2.5, 2, 2), 3, 3);
  }
}

void PositionsView::paint_line(QPainter& painter, const QRectF& rect, const std::vector<double>& values, double largest,
                               const QPen& pen) const {
  QPainterPath path;
  const auto count = static_cast<double>(std::max(1, layout_.positions));
  for (std::size_t p = 0; p < values.size(); ++p) {
    const QPointF point(rect.left() + rect.width() * (static_cast<double>(p) + 0.5) / count,
                        rect.center().y() - values[p] / largest * rect.height() / 2 * 0.96);
    if (p == 0)
      path.moveTo(point);
    else
      path.lineTo(point);
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
}

void PositionsView::paint_curves(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  const PositionTable& table = active();
  const QRectF& rect = layout_.curves;
  const double top = largest();
  const QString names =
      table.learned() ? tr("numbers %1 and %2, by position") : tr("numbers %1 (sine) and %2 (cosine)");
  paint_frame(painter, rect, layout_.curves_caption, names.arg(table.first(pair_)).arg(table.second(pair_)), top, -top);
  painter.setPen(QPen(theme.grid(), 1));
  painter.drawLine(QPointF(rect.left(), rect.center().y()), QPointF(rect.right(), rect.center().y()));
  const double x = layout_.x_of(position_);
  painter.setPen(QPen(theme.accent(), 1.4));
  painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()));
  for (const bool second : {false, true}) {
    std::vector<double> values;
    for (Index p = 0; p < table.positions(); ++p) values.push_back(value(p, second));
    const QColor colour = second ? theme.edited() : theme.weight(0.72);
    paint_line(painter, rect, values, top, QPen(colour, 1.6, second ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(colour);
    painter.setPen(Qt::NoPen);
    painter.drawEllipse(QPointF(x, rect.center().y() - value(position_, second) / top * rect.height() / 2 * 0.96), 3.2,
                        3.2);
  }
  painter.setFont(theme.ui_font(0.82));
  painter.setPen(theme.muted_text());
  painter.drawText(QRectF(rect.left(), rect.bottom() + 1, rect.width(), layout_.metrics.axis),
                   static_cast<int>(Qt::AlignCenter), tr("position %1").arg(position_));
}

void PositionsView::paint_clock(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  const QRectF& rect = layout_.clock;
  const double radius = rect.width() / 2 - 5;
  double top = 0;
  for (Index p = 0; p < active().positions(); ++p) top = std::max(top, std::hypot(value(p, false), value(p, true)));
  if (top <= 0) top = 1;
  const QPointF middle = rect.center();
  painter.setFont(theme.ui_font(0.9));
  painter.setPen(theme.text());
  painter.drawText(layout_.clock_caption, static_cast<int>(Qt::AlignHCenter | Qt::AlignTop | Qt::TextSingleLine),
                   QFontMetricsF(painter.font())
                       .elidedText(active().learned() ? tr("the pair") : tr("the pair turns"), Qt::ElideRight,
                                   layout_.clock_caption.width()));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.grid(), 1.4));
  painter.setBrush(Qt::NoBrush);
  painter.drawEllipse(middle, radius, radius);
  // As on a clock: at the top where the angle is nought, and then to the right.
  const auto at = [&](Index p) {
    return middle + QPointF(value(p, false) / top * radius, -value(p, true) / top * radius);
  };
  painter.setPen(QPen(theme.muted_text(), 1));
  QPainterPath way(at(std::max(0, position_ - 6)));
  for (Index p = std::max(0, position_ - 5); p <= position_; ++p) way.lineTo(at(p));
  painter.drawPath(way);
  painter.setPen(Qt::NoPen);
  for (Index p = std::max(0, position_ - 6); p < position_; ++p) {
    painter.setBrush(theme.muted_text());
    painter.drawEllipse(at(p), 2, 2);
  }
  painter.setPen(QPen(theme.accent(), 2));
  painter.drawLine(middle, at(position_));
  painter.setBrush(theme.accent());
  painter.drawEllipse(at(position_), 3.5, 3.5);
}

void PositionsView::paint_similarity(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  const QRectF& rect = layout_.similarity;
  paint_frame(painter, rect, layout_.similarity_caption, tr("likeness to position %1").arg(position_), 1, -1);
  painter.setPen(QPen(theme.grid(), 1));
  painter.drawLine(QPointF(rect.left(), rect.center().y()), QPointF(rect.right(), rect.center().y()));
  const double x = layout_.similarity_x(position_);
  painter.setPen(QPen(theme.accent(), 1, Qt::DotLine));
  painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()));
  for (int i = static_cast<int>(similarities_.size()) - 1; i >= 0; --i)
    paint_line(painter, rect, similarities_[static_cast<std::size_t>(i)], 1,
               QPen(table_colour(i), i == table_ ? 2 : 1.2, i == table_ ? Qt::SolidLine : Qt::DashLine));
  painter.setFont(theme.ui_font(0.82));
  painter.setPen(theme.muted_text());
  const QRectF below(rect.left(), rect.bottom() + 1, rect.width(), layout_.metrics.axis);
  const auto last = static_cast<int>(active().positions()) - 1;
  painter.drawText(below, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), QString::number(-position_));
  painter.drawText(below, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter),
                   QStringLiteral("+%1").arg(last - position_));
  painter.drawText(below, static_cast<int>(Qt::AlignCenter), tr("distance"));
}

}  // namespace headlight
