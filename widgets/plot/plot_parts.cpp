#include "widgets/plot/plot_parts.h"

#include <QPicture>

#include "widgets/base/theme.h"

namespace headlight {

void style_axis(QCPAxis& axis, const QString& title, double size) {
  axis.setLabel(title);
  axis.setLabelFont(theme().ui_font());
  axis.setTickLabelFont(theme().ui_font(size));
  axis.setLabelColor(theme().text());
  axis.setTickLabelColor(theme().text());
  for (const auto set : {&QCPAxis::setBasePen, &QCPAxis::setTickPen, &QCPAxis::setSubTickPen})
    (axis.*set)(QPen(theme().muted_text()));
  axis.grid()->setPen(QPen(theme().grid()));
  axis.grid()->setZeroLinePen(Qt::NoPen);
}

void ticks_at_whole_numbers(QCPAxis& axis, int most) {
  const QSharedPointer<QCPAxisTickerFixed> whole(new QCPAxisTickerFixed);
  whole->setTickStep(1);
  whole->setTickCount(most);
  whole->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
  axis.setTicker(whole);
  axis.setSubTicks(false);
}

void paint_plot(QCustomPlot& plot, QPainter& painter, QSize size) {
  QPicture picture;  // the plot wants a painter of its own
  {
    QCPPainter recorder(&picture);
    recorder.setMode(QCPPainter::pmVectorized);
    plot.toPainter(&recorder, size.width(), size.height());
  }
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);  // what a painter begins with is not recorded
  painter.setPen(Qt::SolidLine);
  painter.drawPicture(0, 0, picture);
  painter.restore();
}

}  // namespace headlight
