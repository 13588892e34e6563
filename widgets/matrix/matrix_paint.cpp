// How a matrix view paints: cells, numbers, labels, marks. Also its exports.

#include <QApplication>
#include <QPainter>
#include <cmath>

#include "widgets/base/theme.h"
#include "widgets/export/export.h"
#include "widgets/matrix/matrix_view.h"

namespace headlight {

namespace {

constexpr double kFillsFrom = 4;  // below this cell size a picture is made pixel by pixel

}  // namespace

// The value of largest magnitude; NaN before all others, so that neither can hide.
double MatrixView::strongest(const CellRange& range) const {
  double best = 0;
  for (qint64 row = range.row_begin; row < range.row_end; ++row) {
    if (hidden_row(row)) continue;
    for (qint64 column = range.column_begin; column < range.column_end; ++column) {
      const double value = value_at(row, column);
      if (std::isnan(value)) return value;
      if (std::abs(value) > std::abs(best)) best = value;
    }
  }
  return best;
}

QString MatrixView::aggregation_text() const {
  if (!layout_.aggregates() || layout_.rows == 0) return {};
  const auto gathered = [](double size) { return size < 1 ? static_cast<qint64>(std::ceil(1 / size)) : 1; };
  return tr("each pixel shows the strongest of about %1 values: zoom in to see all")
      .arg(gathered(layout_.cell_width) * gathered(layout_.cell_height));
}

QString MatrixView::number(double value) const {
  if (std::isnan(value)) return QStringLiteral("NaN");
  if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
  if (integral_) return QString::number(value, 'f', 0);
  const double size = std::abs(value);
  QString text;
  if (value == 0) {
    text = QStringLiteral("0");
  } else if (size >= 9999.5) {
    text = QString::number(value, 'e', 1);
  } else {
    text = QString::number(value, 'f', size < 9.9995 ? 3 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0);
  }
  return text.replace(QLatin1Char('-'), QChar(0x2212));
}

void MatrixView::paint(QPainter& painter, const QRectF&, bool marks) const { paint(painter, layout_, marks); }

void MatrixView::paint(QPainter& painter, const MatrixLayout& layout, bool marks) const {
  if (layout.rows == 0 || layout.columns == 0) return;
  painter.save();
  painter.setClipRect(layout.body().adjusted(-1, -1, 1, 1));
  if (layout.cell_width < kFillsFrom || layout.cell_height < kFillsFrom) {
    paint_aggregate(painter, layout);
  } else {
    paint_cells(painter, layout);
    if (layout.cell_width >= number_width_ && layout.cell_height >= number_height_) paint_numbers(painter, layout);
  }
  if (marks) paint_marks(painter, layout);
  painter.restore();
  paint_labels(painter, layout, marks);
}

void MatrixView::paint_cells(QPainter& painter, const MatrixLayout& layout) const {
  const Theme& theme = Theme::instance();
  const CellRange seen = layout.visible();
  const double gap = layout.cell_width >= 9 && layout.cell_height >= 9 ? 1 : 0;
  for (qint64 row = seen.row_begin; row < seen.row_end; ++row) {
    const bool hidden = hidden_row(row);
    for (qint64 column = seen.column_begin; column < seen.column_end; ++column) {
      QRectF cell = layout.cell_rect(row, column);
      // Whole pixels, so that neighbours neither overlap nor leave seams.
      cell = QRectF(QPointF(std::round(cell.left()), std::round(cell.top())),
                    QPointF(std::round(cell.right()), std::round(cell.bottom())))
                 .adjusted(0, 0, -gap, -gap);
      if (hidden) {
        if (gap > 0) painter.fillRect(cell, QBrush(theme.grid(), Qt::Dense7Pattern));
        continue;
      }
      const double value = value_at(row, column);
      painter.fillRect(cell, QColor::fromRgb(color_of(value)));
      if (std::isnan(value)) painter.fillRect(cell, QBrush(theme.background(), Qt::BDiagPattern));
      if (content_.edited_cells.empty() || !is_edited(flat_index(row, column))) continue;
      const double corner = std::min({8.0, cell.width() / 2, cell.height() / 2});
      const QPointF tip = cell.topRight();
      painter.setPen(Qt::NoPen);
      painter.setBrush(theme.edited());
      painter.drawPolygon(QPolygonF({tip, tip - QPointF(corner, 0), tip + QPointF(0, corner)}));
    }
  }
}

void MatrixView::paint_numbers(QPainter& painter, const MatrixLayout& layout) const {
  painter.setFont(Theme::instance().ui_font(0.8));
  const CellRange seen = layout.visible();
  for (qint64 row = seen.row_begin; row < seen.row_end; ++row) {
    if (hidden_row(row)) continue;
    for (qint64 column = seen.column_begin; column < seen.column_end; ++column) {
      const double value = value_at(row, column);
      painter.setPen(Theme::readable_on(QColor::fromRgb(color_of(value))));
      painter.drawText(layout.cell_rect(row, column).adjusted(1, 0, -2, -1), Qt::AlignCenter, number(value));
    }
  }
}

void MatrixView::paint_aggregate(QPainter& painter, const MatrixLayout& layout) const {
  const QRectF body = layout.body();
  const int width = static_cast<int>(std::ceil(body.width())), height = static_cast<int>(std::ceil(body.height()));
  if (width <= 0 || height <= 0) return;
  const QImage picture = cell_picture(width, height, scale_, colours_, [&](int x, int y) {
    CellRange cells = layout.under_pixel(x, y);
    // Where a pixel straddles two cells of at least its own size, the first one has it.
    if (layout.cell_width >= 1) cells.column_end = std::min(cells.column_end, cells.column_begin + 1);
    if (layout.cell_height >= 1) cells.row_end = std::min(cells.row_end, cells.row_begin + 1);
    return strongest(cells);  // of what is hidden 0, which has the colour of the ground
  });
  painter.drawImage(body.topLeft(), picture);
}

void MatrixView::paint_labels(QPainter& painter, const MatrixLayout& layout, bool marks) const {
  const Theme& theme = Theme::instance();
  const QFont font = theme.token_font(0.9);
  painter.setFont(font);
  const QFontMetricsF metrics(font);
  const CellRange seen = layout.visible();
  const auto pen_for = [&](bool current) { painter.setPen(current && marks ? theme.accent() : theme.muted_text()); };
  if (labels_columns()) {
    // Tokens are shortened before any of them is left out: a number can be counted on to, a token cannot.
    const bool tokens = !content_.columns.labels.isEmpty();
    const double needed = tokens ? std::min(label_width_ + 2, metrics.averageCharWidth() * 2.2) : label_width_ + 6;
    const auto every = static_cast<qint64>(std::ceil(needed / layout.cell_width));
    const double room = tokens ? std::max(1.0 * static_cast<double>(every) * layout.cell_width - 2, needed) : 90;
    painter.save();
    painter.setClipRect(QRectF(layout.left - 1, 0, layout.room().width() + 1, layout.top));
    for (qint64 c = seen.column_begin; c < seen.column_end; ++c) {
      if (c % std::max<qint64>(1, every) != 0) continue;
      const QRectF cell = layout.cell_rect(0, c);
      const QRectF area(cell.center().x() - 60, 0, 120, layout.top - 3);
      pen_for(c == cursor_column_);
      painter.drawText(area, Qt::AlignHCenter | Qt::AlignBottom,
                       metrics.elidedText(content_.columns.label(content_.columns.index_at(c)), Qt::ElideRight, room));
    }
    painter.restore();
  }
  if (labels_rows()) {
    const auto every = static_cast<qint64>(std::ceil(metrics.ascent() * 0.9 / layout.cell_height));
    painter.save();
    painter.setClipRect(QRectF(0, layout.top - 1, layout.left, layout.room().height() + 1));
    for (qint64 r = seen.row_begin; r < seen.row_end; ++r) {
      if (r % std::max<qint64>(1, every) != 0) continue;
      const QRectF cell = layout.cell_rect(r, 0);
      const QRectF area(0, cell.center().y() - metrics.height() / 2, layout.left - 6, metrics.height());
      pen_for(r == cursor_row_ || (marked_row_ >= 0 && content_.rows.index_at(r) == marked_row_));
      painter.drawText(
          area, Qt::AlignRight | Qt::AlignVCenter,
          metrics.elidedText(content_.rows.label(content_.rows.index_at(r)), Qt::ElideRight, layout.left - 8));
    }
    painter.restore();
  }
  if (layout.bottom > 0) {
    painter.setFont(theme.ui_font(0.8));
    painter.setPen(theme.muted_text());
    const QRectF area(4, layout.viewport.height() - layout.bottom, layout.viewport.width() - 8, layout.bottom);
    painter.drawText(
        area, Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(aggregation_text(), Qt::ElideRight, static_cast<int>(area.width())));
  }
}

void MatrixView::paint_marks(QPainter& painter, const MatrixLayout& layout) const {
  const Theme& theme = Theme::instance();
  painter.setBrush(Qt::NoBrush);
  if (content_.edited) {
    painter.setPen(QPen(theme.edited(), 2));
    painter.drawRect(layout.body().adjusted(0, 0, -1, -1));
  }
  const auto frame = [&](qint64 row, qint64 column, QPen pen) {
    // Never smaller than what the eye finds.
    QRectF cell = layout.cell_rect(row, column);
    const double grow_x = std::max(0.0, 6 - cell.width()) / 2, grow_y = std::max(0.0, 6 - cell.height()) / 2;
    painter.setPen(pen);
    painter.drawRect(cell.adjusted(-grow_x, -grow_y, grow_x - 1, grow_y - 1));
  };
  for (qint64 row = 0; marked_row_ >= 0 && row < layout.rows; ++row) {
    if (content_.rows.index_at(row) != marked_row_) continue;
    painter.setPen(QPen(theme.accent(), 1.5));
    const double y = layout.cell_rect(row, 0).top();
    painter.drawRect(QRectF(layout.left + 0.5, y, layout.body().width() - 1.5, layout.cell_height - 1));
  }
  if (hover_ >= 0) {
    const auto [row, column] = place_of(hover_);
    frame(row, column, QPen(theme.text(), 1));
  }
  if (cursor_row_ < 0) return;
  frame(cursor_row_, cursor_column_, QPen(theme.background(), 4));
  frame(cursor_row_, cursor_column_, QPen(theme.accent(), 2, hasFocus() ? Qt::SolidLine : Qt::DotLine));
}

void MatrixView::export_to(const QString& path) const {
  MatrixLayout layout = layout_;
  layout.scroll_x = layout.scroll_y = layout.bottom = 0;
  // As on the screen, but all of it; a huge matrix shrinks so that the picture can be opened.
  constexpr double kLargest = 8000;
  const QSizeF whole = layout.content();
  layout.cell_width *= std::min(1.0, kLargest / std::max(1.0, whole.width()));
  layout.cell_height *= std::min(1.0, kLargest / std::max(1.0, whole.height()));
  constexpr double kMargin = 8;
  const double title = content_.title.isEmpty() ? 0 : number_height_ + 4;
  layout.viewport = layout.content() + QSizeF(layout.left, layout.top);
  const QSize size = (layout.viewport + QSizeF(2 * kMargin, 2 * kMargin + title)).toSize();
  export_picture(path, size, [&](QPainter& painter) {
    const Theme& theme = Theme::instance();
    painter.fillRect(QRectF(QPointF(), QSizeF(size)), theme.background());
    painter.setFont(theme.ui_font());
    painter.setPen(theme.text());
    painter.drawText(QRectF(kMargin, kMargin, size.width() - 2 * kMargin, title), Qt::AlignLeft | Qt::AlignTop,
                     content_.title);
    painter.translate(kMargin, kMargin + title);
    paint(painter, layout, false);
  });
}

QString MatrixView::csv() const {
  QString text;
  const bool vector = content_.values.defined() && content_.values.rank() < 2;
  if (!vector || !content_.vertical) {
    QStringList header;
    if (!vector) header << csv_field(content_.rows.name);
    for (qint64 c = 0; c < layout_.columns; ++c)
      header << csv_field(content_.columns.label(content_.columns.index_at(c)));
    text += header.join(QLatin1Char(',')) + QStringLiteral("\r\n");
  }
  for (qint64 r = 0; r < layout_.rows; ++r) {
    QStringList line;
    if (!vector || content_.vertical) line << csv_field(content_.rows.label(content_.rows.index_at(r)));
    for (qint64 c = 0; c < layout_.columns; ++c) line << (hidden_row(r) ? QString() : csv_number(value_at(r, c)));
    text += line.join(QLatin1Char(',')) + QStringLiteral("\r\n");
  }
  return text;
}

}  // namespace headlight
