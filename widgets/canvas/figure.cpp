#include "widgets/canvas/figure.h"

#include <QFileInfo>
#include <QPainter>

#include "model/core/errors.h"
#include "widgets/base/theme.h"
#include "widgets/export/export.h"
#include "widgets/tables/table.h"

namespace headlight {

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
