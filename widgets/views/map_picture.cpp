#include "widgets/views/map_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "widgets/base/theme.h"

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

MapRange MapRange::of(const Tensor& value) {
  MapRange range;
  for (Index i = 0; i < value.size(); ++i) {
    const auto x = static_cast<double>(value[i]);
    if (!std::isfinite(x)) continue;
    range.largest = std::max(range.largest, std::abs(x));
    range.has_negative = range.has_negative || x < 0;
  }
  return range;
}

QColor MapRange::colour(double value) const {
  const Theme& theme = Theme::instance();
  if (!std::isfinite(value)) return theme.weight(std::nan(""));
  const double share = largest > 0 ? value / largest : 0;
  return has_negative ? theme.signed_value(share) : theme.weight(share);
}

QImage map_picture(const Tensor& value, const MapGrid& grid, const MapRange& range, const QRect& cells, QSize most) {
  constexpr int kLevels = 255;  // odd: zero has one of its own
  std::array<QRgb, kLevels + 1> palette{};
  for (int i = 0; i < kLevels; ++i) {
    const double share = 2.0 * i / (kLevels - 1) - 1;
    palette[static_cast<std::size_t>(i)] = range.colour(share * std::max(range.largest, 1e-300)).rgb();
  }
  palette[kLevels] = range.colour(std::nan("")).rgb();
  const QSize size = cells.size().boundedTo(most);
  QImage image(size, QImage::Format_RGB32);
  const QRgb ground = Theme::instance().background().rgb();
  for (int y = 0; y < size.height(); ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    const int top = cells.top() + static_cast<int>(static_cast<qint64>(y) * cells.height() / size.height());
    const int bottom = cells.top() + static_cast<int>(static_cast<qint64>(y + 1) * cells.height() / size.height());
    for (int x = 0; x < size.width(); ++x) {
      const int left = cells.left() + static_cast<int>(static_cast<qint64>(x) * cells.width() / size.width());
      const int right = cells.left() + static_cast<int>(static_cast<qint64>(x + 1) * cells.width() / size.width());
      double best = std::nan("");
      bool any = false;
      for (int row = top; row < bottom; ++row)
        for (int column = left; column < right; ++column) {
          const Index index = grid.at(row, column);
          if (index < 0) continue;
          any = true;
          const auto number = static_cast<double>(value[index]);
          if (std::isfinite(number) && !(std::abs(number) <= std::abs(best))) best = number;
        }
      const double share = range.largest > 0 ? best / range.largest : best * 0;
      const int level = std::isnan(share) ? kLevels : static_cast<int>(std::lround((share + 1) / 2 * (kLevels - 1)));
      line[x] = any ? palette[static_cast<std::size_t>(std::clamp(level, 0, kLevels))] : ground;
    }
  }
  return image;
}

}  // namespace headlight
