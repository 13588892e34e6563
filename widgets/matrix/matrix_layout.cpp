#include "widgets/matrix/matrix_layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// Places whose extent of `size` overlaps the pixels [from, to) of the content.
std::pair<qint64, qint64> overlap(double from, double to, double size, qint64 count) {
  const auto begin = static_cast<qint64>(std::floor(from / size));
  const auto end = static_cast<qint64>(std::ceil(to / size));
  return {std::clamp<qint64>(begin, 0, count), std::clamp<qint64>(end, 0, count)};
}

void keep_visible(double& scroll, double begin, double end, double room) {
  if (begin < scroll || end - begin > room) {
    scroll = begin;
  } else if (end > scroll + room) {
    scroll = end - room;
  }
}

}  // namespace

QSizeF MatrixLayout::room() const {
  return {std::max(0.0, viewport.width() - left), std::max(0.0, viewport.height() - top - bottom)};
}

QRectF MatrixLayout::body() const { return {QPointF(left, top), content().boundedTo(room())}; }

double MatrixLayout::max_scroll_x() const { return std::max(0.0, content().width() - room().width()); }
double MatrixLayout::max_scroll_y() const { return std::max(0.0, content().height() - room().height()); }

QRectF MatrixLayout::cell_rect(qint64 row, qint64 column) const {
  return {left + static_cast<double>(column) * cell_width - scroll_x,
          top + static_cast<double>(row) * cell_height - scroll_y, cell_width, cell_height};
}

std::optional<std::pair<qint64, qint64>> MatrixLayout::cell_at(QPointF point) const {
  const QRectF area = body();
  if (point.x() < area.left() || point.y() < area.top() || point.x() >= area.right() || point.y() >= area.bottom())
    return std::nullopt;
  const auto row = static_cast<qint64>(std::floor((point.y() - top + scroll_y) / cell_height));
  const auto column = static_cast<qint64>(std::floor((point.x() - left + scroll_x) / cell_width));
  if (row < 0 || column < 0 || row >= rows || column >= columns) return std::nullopt;
  return std::pair(row, column);
}

CellRange MatrixLayout::visible() const {
  const QSizeF size = body().size();
  if (size.isEmpty()) return {};
  CellRange range;
  std::tie(range.row_begin, range.row_end) = overlap(scroll_y, scroll_y + size.height(), cell_height, rows);
  std::tie(range.column_begin, range.column_end) = overlap(scroll_x, scroll_x + size.width(), cell_width, columns);
  return range;
}

CellRange MatrixLayout::under_pixel(int x, int y) const {
  CellRange range;
  std::tie(range.row_begin, range.row_end) = overlap(scroll_y + y, scroll_y + y + 1, cell_height, rows);
  std::tie(range.column_begin, range.column_end) = overlap(scroll_x + x, scroll_x + x + 1, cell_width, columns);
  return range;
}

void MatrixLayout::zoom(double factor, QPointF anchor) {
  const double smaller = std::min(cell_width, cell_height), larger = std::max(cell_width, cell_height);
  factor = std::clamp(factor, std::min(1.0, kSmallestCell / smaller), std::max(1.0, kLargestCell / larger));
  const double x = (anchor.x() - left + scroll_x) * factor, y = (anchor.y() - top + scroll_y) * factor;
  cell_width *= factor;
  cell_height *= factor;
  scroll_x = x - (anchor.x() - left);
  scroll_y = y - (anchor.y() - top);
  clamp_scroll();
}

void MatrixLayout::reveal(qint64 row, qint64 column) {
  const double x = static_cast<double>(column) * cell_width, y = static_cast<double>(row) * cell_height;
  keep_visible(scroll_x, x, x + cell_width, room().width());
  keep_visible(scroll_y, y, y + cell_height, room().height());
  clamp_scroll();
}

void MatrixLayout::clamp_scroll() {
  scroll_x = std::clamp(scroll_x, 0.0, max_scroll_x());
  scroll_y = std::clamp(scroll_y, 0.0, max_scroll_y());
}

}  // namespace headlight
