// What a picture costs when QCustomPlot draws it and when this project's own painter does, in one run: curves of a
// view, and a matrix with tokens along its axes, which is what the decision in CONTRIBUTING.md rests on.
//   build/release/bench_plot
#include <qcustomplot.h>

#include <QApplication>
#include <QPainterPath>
#include <cmath>

#include "frame_times.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/plot/curve_plot.h"

namespace headlight {
namespace {

constexpr int kFrames = 100;

QImage blank() {
  QImage image(640, 480, QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::white);
  return image;
}

void curves(int points) {
  CurvePlot plot;
  plot.right = points;
  for (const double speed : {0.1, 0.07}) {
    PlotCurve curve;
    for (int i = 0; i < points; ++i) {
      curve.x.push_back(i);
      curve.y.push_back(std::sin(speed * i));
    }
    curve.pen = QPen(Qt::blue, 1.6);
    plot.curves.push_back(curve);
  }
  const QRectF rect(60, 20, 560, 420);
  QImage image = blank();
  std::printf("2 curves of %d points\n", points);
  report("  QCustomPlot", timed(kFrames, [&](int) {
           QPainter painter(&image);
           paint_curve_plot(plot, painter, rect);
         }));
  report("  own painter, without ticks", timed(kFrames, [&](int) {
           QPainter painter(&image);
           painter.setRenderHint(QPainter::Antialiasing);
           for (const PlotCurve& curve : plot.curves) {
             QPainterPath path;
             for (std::size_t i = 0; i < curve.x.size(); ++i) {
               const QPointF at(rect.left() + rect.width() * curve.x[i] / plot.right,
                                rect.center().y() - curve.y[i] * rect.height() / 2);
               i == 0 ? path.moveTo(at) : path.lineTo(at);
             }
             painter.setPen(curve.pen);
             painter.drawPath(path);
           }
         }));
}

void matrix(int size) {
  std::vector<float> values(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 2654435761u >> 7 & 1023) / 1024;
  std::vector<AxisLabel> labels;
  for (int i = 0; i < size; ++i) labels.push_back({"token" + QString::number(i), false, {}});
  QImage image = blank();
  std::printf("%d x %d weights, new ones in each frame\n", size, size);
  QCustomPlot plot;
  auto& map = *new QCPColorMap(plot.xAxis, plot.yAxis);  // owned by the plot
  map.data()->setSize(size, size);
  map.data()->setRange({0, size - 1.0}, {0, size - 1.0});
  map.setDataRange({0, 1});
  const QSharedPointer<QCPAxisTickerText> names(new QCPAxisTickerText);
  for (int i = 0; i < size; ++i) names->addTick(i, labels[static_cast<std::size_t>(i)].text);
  for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) axis->setTicker(names);
  plot.xAxis->setTickLabelRotation(90);
  plot.rescaleAxes();
  report(
      "  QCustomPlot", timed(kFrames, [&](int frame) {
        for (int row = 0; row < size; ++row)
          for (int column = 0; column < size; ++column)
            map.data()->setCell(
                column, row,
                static_cast<double>(values[static_cast<std::size_t>((row * size + column + frame) % (size * size))]));
        QCPPainter painter(&image);
        plot.toPainter(&painter, image.width(), image.height());
      }));
  Heatmap own;
  own.resize(image.size());
  own.set_labels(labels, labels);
  std::vector<std::vector<float>> copies(kFrames, values);
  report("  own painter", timed(kFrames, [&](int frame) {
           own.set_matrix(size, size, std::move(copies[static_cast<std::size_t>(frame)]));
           own.render(&image);
         }));
}

}  // namespace
}  // namespace headlight

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  for (const int points : {100, 2000}) headlight::curves(points);
  for (const int size : {12, 64, 512}) headlight::matrix(size);
  return 0;
}
