#include "widgets/matrix/heatmap_glide.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/base/theme.h"
#include "widgets/canvas/same_names.h"
#include "widgets/matrix/heatmap_scene.h"

namespace headlight {

namespace {

// Strips beside each other that become wider or narrower alike are one.
void join(std::vector<HeatmapStrip>& strips, const HeatmapStrip& next) {
  if (next.before == next.before_end && next.now == next.now_end) return;
  if (!strips.empty()) {
    HeatmapStrip& last = strips.back();
    const double was = (last.before_end - last.before) * (next.now_end - next.now),
                 is = (last.now_end - last.now) * (next.before_end - next.before);
    if (std::abs(was - is) <= 1e-6 * std::max(was, is)) {
      last.before_end = next.before_end;
      last.now_end = next.now_end;
      return;
    }
  }
  strips.push_back(next);
}

}  // namespace

std::vector<HeatmapStrip> heatmap_strips(const HeatmapBands& before, const HeatmapBands& now) {
  std::vector<HeatmapStrip> strips;
  const auto edge = [](const HeatmapBands& bands, int i) { return std::clamp(nth(bands.edges, i), 0.0, bands.size); };
  const std::vector<std::pair<int, int>> same = same_names(before.names, now.names);
  // Of another text altogether nothing stays that could glide.
  if (2 * same.size() < std::max(before.names.size(), now.names.size())) return {{0, before.size, 0, now.size}};
  const double b = before.edges.empty() ? 0 : edge(before, 0), n = now.edges.empty() ? 0 : edge(now, 0);
  join(strips, {0, b, 0, n});
  int i = 0, j = 0;
  const auto go_to = [&](int row, int column) {  // past what is gone, and what is new
    for (; i < row; ++i) join(strips, {edge(before, i), edge(before, i + 1), edge(now, j), edge(now, j)});
    for (; j < column; ++j) join(strips, {edge(before, i), edge(before, i), edge(now, j), edge(now, j + 1)});
  };
  for (const auto& [was, is] : same) {
    go_to(was, is);
    join(strips, {edge(before, i), edge(before, i + 1), edge(now, j), edge(now, j + 1)});
    ++i, ++j;
  }
  if (!before.edges.empty() && !now.edges.empty())
    go_to(static_cast<int>(before.names.size()), static_cast<int>(now.names.size()));
  const double was = before.edges.empty() ? b : edge(before, i), is = now.edges.empty() ? n : edge(now, j);
  join(strips, {was, before.size, is, now.size});
  return strips;
}

HeatmapBoth heatmap_bands(const HeatmapScene& scene, const HeatmapLayout& layout) {
  const auto bands = [](const std::vector<AxisLabel>& labels, int count, double size, const auto& edge) {
    HeatmapBands found{{}, {}, size};
    if (count == 0 || labels.size() != static_cast<std::size_t>(count) || labels.size() > kMostNames) return found;
    for (const AxisLabel& label : labels) found.names.push_back(label.lines.isEmpty() ? label.text : QString());
    for (int i = 0; i <= count; ++i) found.edges.push_back(edge(i));
    return found;
  };
  if (scene.stairs)
    return {{{}, {}, layout.size.height()}, {{}, {}, layout.size.width()}};  // other pictures stand there
  const QRectF& cells = layout.cells;
  const auto top = [&](int row) { return std::clamp(layout.cell_rect(row, 0).top(), cells.top(), cells.bottom()); };
  const auto left = [&](int column) {
    return std::clamp(layout.cell_rect(0, column).left(), cells.left(), cells.right());
  };
  return {bands(scene.row_labels, scene.rows, layout.size.height(), top),
          bands(scene.column_labels, scene.columns, layout.size.width(), left)};
}

void paint_glide(QPainter& painter, const Motion::Frame& frame, const HeatmapBoth& before, const HeatmapBoth& now) {
  const std::vector<HeatmapStrip> rows = heatmap_strips(before.rows, now.rows),
                                  columns = heatmap_strips(before.columns, now.columns);
  const auto stay = [](const std::vector<HeatmapStrip>& strips) {
    return std::ranges::all_of(strips, &HeatmapStrip::stays);
  };
  if (stay(rows) && stay(columns)) return Motion::fade(painter, frame);
  painter.fillRect(QRectF(0, 0, now.columns.size, now.rows.size), theme().background());
  const double ratio = frame.now.devicePixelRatio();
  const auto draw = [&](const QRectF& to, const QImage& image, const QRectF& part, double opacity) {
    if (part.isEmpty()) return;
    painter.setOpacity(opacity);
    painter.drawImage(to, image, {part.topLeft() * ratio, part.size() * ratio});
  };
  for (const HeatmapStrip& down : rows)
    for (const HeatmapStrip& across : columns) {
      const QRectF was({across.before, down.before}, QPointF(across.before_end, down.before_end));
      const QRectF is({across.now, down.now}, QPointF(across.now_end, down.now_end));
      const QRectF to(
          {std::lerp(was.left(), is.left(), frame.way), std::lerp(was.top(), is.top(), frame.way)},
          QPointF(std::lerp(was.right(), is.right(), frame.way), std::lerp(was.bottom(), is.bottom(), frame.way)));
      draw(to, frame.before, was, is.isEmpty() ? 1 - frame.way : 1);
      draw(to, frame.now, is, frame.way);
    }
}

}  // namespace headlight
