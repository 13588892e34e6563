#include "widgets/canvas/figure.h"

#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <algorithm>
#include <iterator>

#include "model/core/errors.h"
#include "widgets/base/theme.h"
#include "widgets/export/export.h"
#include "widgets/tables/table.h"

namespace headlight {

namespace {

constexpr int kAround = 8;  // pixels of paper around what is drawn

}  // namespace

Figure without_margins(Figure figure) {
  constexpr double kMost = 4e7;  // pixels; larger ones keep their margins
  if (figure.size.isEmpty() || static_cast<double>(figure.size.width()) * figure.size.height() > kMost) return figure;
  QImage image(figure.size, QImage::Format_RGB32);
  const QRgb paper = Theme::instance().background().rgb();
  image.fill(paper);
  QPainter painter(&image);
  figure.paint(painter);
  painter.end();
  QRect ink;
  for (int y = 0; y < image.height(); ++y) {
    const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
    const auto* end = line + image.width();
    const auto differs = [paper](QRgb pixel) { return (pixel | 0xff000000) != (paper | 0xff000000); };
    const auto* first = std::find_if(line, end, differs);
    if (first == end) continue;
    const auto* last = std::find_if(std::make_reverse_iterator(end), std::make_reverse_iterator(first), differs).base();
    ink |= QRect(static_cast<int>(first - line), y, static_cast<int>(last - first), 1);
  }
  if (ink.isEmpty()) return figure;
  ink = ink.adjusted(-kAround, -kAround, kAround, kAround);
  figure.paint = [paint = figure.paint, at = ink.topLeft()](QPainter& to) {
    to.save();
    to.translate(-at);
    paint(to);
    to.restore();
  };
  figure.size = ink.size();
  return figure;
}

void write_figure(const Figure& figure, const QString& path, double scale) {
  if (QFileInfo(path).suffix().compare(QLatin1String("csv"), Qt::CaseInsensitive) == 0) {
    if (!figure.table)
      throw UsageError("this panel is a picture only: choose .png, .svg or .pdf, or export every number");
    return export_bytes(path, table_csv(*figure.table));
  }
  const QRect whole(QPoint(), figure.size.expandedTo(QSize(1, 1)));
  const auto paint = [&](QPainter& painter) {
    painter.fillRect(whole, theme().background());
    figure.paint(painter);
  };
  export_picture(path, figure.size, paint, {scale, figure.title});
}

}  // namespace headlight
