// Painting the positions view.
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/oklab.h"
#include "widgets/base/theme.h"
#include "widgets/matrix/cells.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/views/positions/positions_view.h"

namespace headlight {

// What is chosen is what the pictures are about: it is marked in files, too.
void PositionsView::paint(QPainter& painter, const QRectF&, bool) const {
  for (int i = 0; i < static_cast<int>(tables_.size()); ++i) paint_table(painter, i);
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

void PositionsView::paint_caption(QPainter& painter, const QRectF& rect, const QString& text) const {
  const Theme& theme = Theme::instance();
  write_line(painter, rect, kTopLeft, text, theme.ui_font(0.9), theme.text());
}

// Each position has a slot of the same width; a curve goes through the middle of it.
CurvePlot PositionsView::by_position(double top) const {
  CurvePlot plot;
  plot.left = -0.5;
  plot.right = std::max(1, layout_.positions) - 0.5;
  plot.top = top / 0.96;
  plot.bottom = -plot.top;
  return plot;
}

void PositionsView::paint_frame(QPainter& painter, const QRectF& rect, double top, double bottom) const {
  const Theme& theme = Theme::instance();
  const QFont numbers = theme.ui_font(0.82);
  painter.setRenderHint(QPainter::Antialiasing, false);
  draw_box(painter, rect.adjusted(-1, -1, 0, 0), 0, QPen(theme.grid(), 1));
  painter.setFont(numbers);
  painter.setPen(theme.muted_text());
  const double line = QFontMetricsF(numbers).height(), axis = layout_.metrics.axis_width;
  const auto left = [&](double y, double number) {
    painter.drawText(QRectF(rect.left() - axis, y, axis - 4, line), kRight,
                     QString::number(number, 'g',
                                     std::abs(number) < 1     ? 2
                                     : std::abs(number) < 100 ? 3
                                                              : 4));
  };
  left(rect.top() - 1, top);
  left(rect.bottom() - line + 1, bottom);
}

void PositionsView::paint_table(QPainter& painter, int index) const {
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
  paint_caption(painter, caption.adjusted(key, 0, 0, 0), table_name(table));
  paint_frame(painter, rect, 0, static_cast<double>(table.positions() - 1));
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  painter.drawImage(rect, picture(index));
  const QFont numbers = theme.ui_font(0.82);
  const QRectF below(rect.left(), rect.bottom() + 1, rect.width(), layout_.metrics.axis);
  write(painter, below, kLeft, QStringLiteral("0"), numbers, theme.muted_text());
  painter.drawText(below, kRight, QString::number(table.size() - 1));
  const QString axis = tr("number of the row");
  if (QFontMetricsF(numbers).horizontalAdvance(axis) < below.width() - 60) painter.drawText(below, kCentre, axis);
  const double down = rect.height() / static_cast<double>(table.positions());
  const double across = rect.width() / static_cast<double>(table.size());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(rect.adjusted(-2, -2, 2, 2));
  const auto outline = [&](const QRectF& part, double width) {
    draw_box(painter, part, 0, QPen(theme.background(), width + 1.6));
    draw_box(painter, part, 0, QPen(theme.accent(), width));
  };
  const bool chosen = index == table_;
  if (position_ < table.positions())
    outline({rect.left(), rect.top() + position_ * down, rect.width(), std::max(1.0, down)}, chosen ? 1.6 : 0.8);
  for (const Index column : {table.first(pair_), table.second(pair_)})
    if ((chosen || rotation_) && column < table.size())
      outline({rect.left() + static_cast<double>(column) * across, rect.top(), across, rect.height()}, 1);
  painter.setClipping(false);
  if (chosen && hasFocus() && tables_.size() > 1) draw_box(painter, rect.adjusted(-2.5, -2.5, 2, 2), 3, theme.accent());
}

void PositionsView::paint_curves(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  const PositionTable& table = active();
  const QString names =
      table.learned() ? tr("numbers %1 and %2, by position") : tr("numbers %1 (sine) and %2 (cosine)");
  paint_caption(painter, layout_.curves_caption, names.arg(table.first(pair_)).arg(table.second(pair_)));
  CurvePlot plot = by_position(largest());
  plot.uprights = {{position_, QPen(theme.accent(), 1.4)}};
  std::vector<PlotCurve> marks;
  for (const bool second : {false, true}) {
    PlotCurve curve;
    for (Index p = 0; p < table.positions(); ++p) {
      curve.x.push_back(static_cast<double>(p));
      curve.y.push_back(value(p, second));
    }
    const QColor colour = second ? theme.edited() : theme.weight(0.72);
    curve.pen = QPen(colour, 1.6, second ? Qt::DashLine : Qt::SolidLine);
    plot.curves.push_back(curve);
    marks.push_back({{static_cast<double>(position_)}, {value(position_, second)}, Qt::NoPen, 3.2, colour});
  }
  plot.curves.insert(plot.curves.end(), marks.begin(), marks.end());
  paint_curve_plot(plot, painter, layout_.curves);
}

void PositionsView::paint_clock(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  const QRectF& rect = layout_.clock;
  const double radius = rect.width() / 2 - 5;
  double top = 0;
  for (Index p = 0; p < active().positions(); ++p) top = std::max(top, std::hypot(value(p, false), value(p, true)));
  if (top <= 0) top = 1;
  const QPointF middle = rect.center();
  write_line(painter, layout_.clock_caption, kTop, active().learned() ? tr("the pair") : tr("the pair turns"),
             theme.ui_font(0.9), theme.text());
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
  for (Index p = std::max(0, position_ - 6); p < position_; ++p) draw_dot(painter, at(p), 2, theme.muted_text());
  draw_line(painter, middle, at(position_), QPen(theme.accent(), 2));
  painter.setBrush(theme.accent());
  painter.drawEllipse(at(position_), 3.5, 3.5);
}

void PositionsView::paint_similarity(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  paint_caption(painter, layout_.similarity_caption, tr("likeness to position %1, by distance").arg(position_));
  CurvePlot plot = by_position(1);
  plot.left -= position_;
  plot.right -= position_;
  plot.uprights = {{0, QPen(theme.accent(), 1, Qt::DotLine)}};
  for (int i = static_cast<int>(similarities_.size()) - 1; i >= 0; --i) {
    PlotCurve curve;
    curve.y = similarities_[static_cast<std::size_t>(i)];
    for (std::size_t p = 0; p < curve.y.size(); ++p) curve.x.push_back(static_cast<double>(p) - position_);
    curve.pen = QPen(table_colour(i), i == table_ ? 2 : 1.2, i == table_ ? Qt::SolidLine : Qt::DashLine);
    plot.curves.push_back(curve);
  }
  paint_curve_plot(plot, painter, layout_.similarity);
}

}  // namespace headlight
