#include "widgets/plot/curve_plot.h"

#include <qcustomplot.h>

#include "widgets/base/theme.h"
#include "widgets/plot/plot_parts.h"

namespace headlight {

void paint_curve_plot(const CurvePlot& curves, QPainter& painter, const QRectF& rect) {
  QCustomPlot plot;
  plot.setBackground(Qt::NoBrush);
  plot.plotLayout()->setAutoMargins(QCP::msNone);
  QCPAxisRect& inside = *plot.axisRect();
  inside.setAutoMargins(QCP::msNone);
  constexpr int kLeft = 60, kBelow = 30, kRight = 20, kAbove = 10;  // room for the numbers of the ticks
  inside.setMargins({kLeft, kAbove, kRight, kBelow});
  for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
    style_axis(*axis, {}, 0.82);
    axis->setTickLengthIn(0);
    axis->setTickLengthOut(3);
    axis->setSubTicks(false);
    axis->setTickLabelPadding(1);
    axis->setNumberPrecision(3);
    axis->ticker()->setTickCount(axis == plot.xAxis ? 6 : 4);
  }
  if (curves.whole_x) ticks_at_whole_numbers(*plot.xAxis, 6);
  plot.xAxis->setRange(curves.left, curves.right);
  plot.yAxis->setRange(curves.bottom, curves.top);
  plot.yAxis->grid()->setZeroLinePen(QPen(theme().muted_text()));
  for (const auto& [x, pen] : curves.uprights) {
    auto* line = new QCPItemStraightLine(&plot);  // owned by the plot
    line->setPen(pen);
    line->point1->setCoords(x, 0);
    line->point2->setCoords(x, 1);
    line->setLayer(QStringLiteral("grid"));
  }
  for (const PlotCurve& curve : curves.curves) {
    auto* line = new QCPCurve(plot.xAxis, plot.yAxis);  // owned by the plot
    line->setData(QVector<double>(curve.x.begin(), curve.x.end()), QVector<double>(curve.y.begin(), curve.y.end()));
    if (curve.mark > 0) {
      line->setLineStyle(QCPCurve::lsNone);
      const QPen edge = curve.pen.style() == Qt::NoPen ? QPen(curve.fill.color()) : curve.pen;  // there always is one
      line->setScatterStyle({QCPScatterStyle::ssCircle, edge, curve.fill, 2 * curve.mark});
    } else {
      line->setPen(curve.pen);
    }
  }
  painter.save();
  painter.translate(rect.left() - kLeft, rect.top() - kAbove);
  paint_plot(plot, painter, {qRound(rect.width()) + kLeft + kRight, qRound(rect.height()) + kAbove + kBelow});
  painter.restore();
}

}  // namespace headlight
