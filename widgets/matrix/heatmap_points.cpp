// The cells of a heatmap as the points of an image.
#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "model/core/parallel.h"
#include "widgets/base/hatch.h"
#include "widgets/base/theme.h"
#include "widgets/matrix/cells.h"
#include "widgets/matrix/heatmap_scene.h"

namespace headlight {

namespace {

int log2_of(int power) {
  int log = 0;
  while ((1 << log) < power) ++log;
  return log;
}

// For each point of a line the cell whose colour it has.
std::vector<int> cells_of_points(int points, double start, double step, int log) {
  std::vector<int> cells(static_cast<std::size_t>(points));
  for (int i = 0; i < points; ++i) nth(cells, i) = static_cast<int>(std::floor(start + (i + 0.5) * step)) >> log;
  return cells;
}

// The cells as points, `image` (RGB32) being as large as they are. Each point is looked up, so that a frame costs what
// it has of points, not what the matrix has of cells.
void colour_points(QImage& image, const HeatmapScene& scene, const HeatmapLayout& layout, const CellColours& palette) {
  const QRgb* colours = palette.data();
  constexpr auto kLast = static_cast<float>(CellColours::kLevels - 1);
  const QSize points = image.size();
  const QRgb background = theme().background().rgb();
  const QSize cells = layout.cells_of_point(scene.points);
  const int down = log2_of(cells.height()), across = log2_of(cells.width());
  const auto pick = scene.form == HeatmapScene::Form::strip         ? HeatmapValues::Pick::strangest
                    : scene.range == HeatmapScene::Range::symmetric ? HeatmapValues::Pick::farthest
                                                                    : HeatmapValues::Pick::largest;
  const HeatmapValues::Level level = scene.values->level(down, across, scene.first_row(), scene.shown_rows(), pick);
  const CellScale ends = scene.scale();
  const auto lowest = static_cast<float>(ends.low);
  const auto scale =
      kLast / static_cast<float>(ends.logarithmic ? std::log(ends.high / ends.low) : ends.high - ends.low);
  const bool hatched = std::min(layout.cell_width, layout.cell_height) >= HeatmapPainter::kHatchedCell;
  const QRgb nothing = hatched ? background : colours[CellColours::kLevels];
  const std::vector<int> columns =
      cells_of_points(points.width(), layout.window.left, layout.window.width() / points.width(), across);
  const std::vector<int> rows = cells_of_points(points.height(), layout.window.top - scene.first_row(),
                                                layout.window.height() / points.height(), down);
  uchar* bits = image.bits();
  const auto stride = image.bytesPerLine();
  // Lines of one row of cells are copies: only the first is work.
  const int lines = std::max(1, points.height() / std::max(1, std::min(points.height(), level.rows)));
  parallel_for(points.height(), grain_for(points.height(), 4 * points.width() / lines), [&](Index begin, Index end) {
    for (Index y = begin; y < end; ++y) {
      auto* to = reinterpret_cast<QRgb*>(bits + y * stride);
      const int row = nth(rows, y);
      if (y > begin && row == nth(rows, y - 1)) {  // a cell has many lines, all alike
        std::memcpy(to, bits + (y - 1) * stride, sizeof(QRgb) * static_cast<std::size_t>(points.width()));
        continue;
      }
      if (row < 0 || row >= level.rows) {
        std::fill_n(to, points.width(), background);
        continue;
      }
      const float* from = level.values + static_cast<std::ptrdiff_t>(row) * level.columns;
      for (int x = 0; x < points.width(); ++x) {
        const int column = std::clamp(nth(columns, x), 0, level.columns - 1);
        const float value = from[column];
        const float above = ends.logarithmic ? std::log(std::max(value, lowest) / lowest) : value - lowest;
        const float share = above * scale + 0.5f;
        to[x] = std::isfinite(share) ? colours[static_cast<int>(std::clamp(share, 0.0f, kLast))] : nothing;
      }
    }
  });
}

// Of a paper on which the cells lie at whole points, what is around them.
void fill_around(QImage& paper, const QRect& cells, QRgb colour) {
  const int width = paper.width(), right = cells.right() + 1;
  for (int y = 0; y < paper.height(); ++y) {
    auto* line = reinterpret_cast<QRgb*>(paper.scanLine(y));
    const bool beside = y >= cells.top() && y <= cells.bottom();
    std::fill_n(line, beside ? cells.left() : width, colour);
    if (beside) std::fill_n(line + right, width - right, colour);
  }
}

}  // namespace

void HeatmapPainter::begin_screen(QImage& paper, const HeatmapScene& scene, const HeatmapLayout& layout) {
  const QRgb background = theme().background().rgb();
  const QRectF place(layout.cells.topLeft() * scene.points, layout.cells.size() * scene.points);
  const QRect cells = place.toRect();
  const bool whole = QRectF(cells) == place && !cells.isEmpty() && paper.rect().contains(cells);
  if (scene.rows == 0 || scene.columns == 0 || !whole) {
    paper.fill(background);
    QPainter painter(&paper);
    return paint_screen(painter, scene, layout);
  }
  fill_around(paper, cells, background);
  QImage inside(paper.scanLine(cells.top()) + sizeof(QRgb) * static_cast<std::size_t>(cells.left()), cells.width(),
                cells.height(), paper.bytesPerLine(), paper.format());
  colour_points(inside, scene, layout, colours(scene));
}

void HeatmapPainter::paint_screen(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout) {
  if (scene.rows == 0 || scene.columns == 0 || layout.cells.isEmpty()) return;
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  QImage image((layout.cells.size() * scene.points).toSize(), QImage::Format_RGB32);
  colour_points(image, scene, layout, colours(scene));
  painter.drawImage(layout.cells, image);
}

void HeatmapPainter::paint_dropped(QPainter& painter, const HeatmapScene& scene, const HeatmapLayout& layout,
                                   QRect cells) {
  if (scene.dropped.empty()) return;
  QPainterPath outside;
  for (int row = cells.top(); row <= cells.bottom(); ++row)
    for (int from = cells.left(), to = from; from <= cells.right(); from = to + 1) {
      for (to = from; to <= cells.right() && scene.is_dropped(row, to);) ++to;
      if (to > from && scene.row_is_shown(row))
        outside.addRect((layout.cell_rect(row, from) | layout.cell_rect(row, to - 1)) & layout.cells);
    }
  draw_not_kept(painter, outside);
}

}  // namespace headlight
