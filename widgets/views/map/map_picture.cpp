#include "widgets/views/map/map_picture.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {
constexpr double kFill = 5;  // pixels: fields up to this size may have any form, to fill the room
}  // namespace

MapGrid MapGrid::of(const Shape& shape, const QRectF& room) {
  MapGrid grid;
  grid.size = shape.size();
  if (grid.size <= 0 || room.width() <= 2 || room.height() <= 2) return {};
  if (shape.rank() >= 2) {
    grid.rows = shape[-2];
    grid.inner = shape[-1];
    grid.tiles = grid.size / (grid.rows * grid.inner);
    grid.columns = grid.tiles * grid.inner;
  } else {  // as many lines as make the fields about square, and lines of equal length
    const double ratio = room.width() / room.height();
    const auto wish = static_cast<Index>(std::ceil(std::sqrt(static_cast<double>(grid.size) * ratio)));
    const Index most = std::clamp<Index>(wish, 1, grid.size);
    grid.rows = (grid.size + most - 1) / most;
    grid.columns = (grid.size + grid.rows - 1) / grid.rows;
    grid.inner = grid.columns;
  }
  // Large fields are neither needles nor beams.
  double width = room.width() / static_cast<double>(grid.columns),
         height = room.height() / static_cast<double>(grid.rows);
  width = std::min(width, std::max(4 * height, kFill));
  height = std::min(height, std::max(2.5 * width, kFill));
  const QSizeF size(width * static_cast<double>(grid.columns), height * static_cast<double>(grid.rows));
  grid.rect = QRectF(room.center() - QPointF(size.width() / 2, size.height() / 2), size);
  return grid;
}

Index MapGrid::at(Index row, Index column) const {
  if (row < 0 || row >= rows || column < 0 || column >= columns) return -1;
  const Index index = (column / inner * rows + row) * inner + column % inner;
  return index < size ? index : -1;
}

Index MapGrid::cell_at(QPointF point) const {
  if (columns <= 0 || !rect.contains(point)) return -1;
  return at(static_cast<Index>((point.y() - rect.top()) / cell_height()),
            static_cast<Index>((point.x() - rect.left()) / cell_width()));
}

QRectF MapGrid::cell(Index index) const {
  if (columns <= 0 || index < 0 || index >= size) return {};
  const Index tile = index / (rows * inner), row = index / inner % rows, column = tile * inner + index % inner;
  return {rect.left() + static_cast<double>(column) * cell_width(),
          rect.top() + static_cast<double>(row) * cell_height(), cell_width(), cell_height()};
}

QImage map_picture(const Tensor& value, const MapGrid& grid, const CellScale& scale, const QRect& cells, QSize most) {
  return pooled_picture(cells, most, scale, [&](int column, int row) {
    const Index index = grid.at(row, column);
    return index < 0 ? 0.0 : static_cast<double>(value[index]);  // 0 has the colour of the ground
  });
}

}  // namespace headlight
