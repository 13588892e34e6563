#include "widgets/views/states/states_layout.h"

#include <algorithm>
#include <cmath>

#include "widgets/matrix/cell_picture.h"

namespace headlight {

namespace {

using Metrics = StatesLayout::Metrics;

// How the panels stand: `columns` beside each other, and what everything needs at least.
struct Grid {
  int columns = 1, rows = 1;
  double panel = 0;     // width
  double tokens = 0;    // height
  bool beside = false;  // the cone stands beside the chart
  double lower = 0;     // height of what is below the panels
  double needed = 0;
};

Grid grid_of(int columns, int tracks, int places, int levels, double width, const Metrics& m) {
  Grid grid;
  grid.columns = columns;
  grid.rows = (tracks + columns - 1) / columns;
  grid.panel = std::floor((width - (columns - 1) * m.gap) / columns);
  grid.tokens = tokens_height(m.widest, m.line, grid.panel / std::max(1, places), m.most_tokens);
  grid.beside = levels > 0 && width >= 2 * (m.level_name + std::max(m.smallest_width, places * m.good_place));
  const double half = grid.beside ? (width - m.gap) / 2 : width;
  const double below =
      tokens_height(m.widest, m.line, (half - (levels > 0 ? m.level_name : 0)) / std::max(1, places), m.most_tokens);
  const double chart = m.caption + m.smallest_chart + below;
  const double cone = levels > 0 ? m.caption + (levels - 1) * m.line * 1.3 + below : 0;
  grid.lower = (grid.beside ? std::max(chart, cone) : chart + (levels > 0 ? cone + m.gap : 0)) + m.arithmetic;
  grid.needed = 2 * m.margin + grid.rows * (m.caption + m.mean + m.smallest_picture) + (grid.rows - 1) * m.gap * 0.6 +
                grid.tokens + m.gap + grid.lower;
  return grid;
}

// As few columns as make wide cells; more of them where all would not fit into the height.
Grid best_grid(int tracks, int places, int levels, double width, const Metrics& m) {
  Grid best = grid_of(1, tracks, places, levels, width, m);
  for (int columns = 2; columns <= tracks; ++columns) {
    if (tracks % columns != 0) continue;
    const Grid grid = grid_of(columns, tracks, places, levels, width, m);
    const bool good = grid.panel >= std::max(m.smallest_width * 1.6, places * m.good_place);
    const bool possible = grid.panel >= std::max(m.smallest_width, places * m.smallest_place);
    if (good || (possible && best.needed > m.view.height())) best = grid;
  }
  return best;
}

}  // namespace

StatesLayout StatesLayout::of(int tracks, int places, int units, int levels, const Metrics& m) {
  StatesLayout layout;
  layout.metrics = m;
  layout.places = places;
  layout.units = units;
  layout.levels = levels;
  if (tracks <= 0 || places <= 0) return layout;
  const double least = std::max(m.smallest_width, places * m.smallest_place) + (levels > 0 ? m.level_name : 0);
  const double inside = std::max(m.view.width() - 2 * m.margin, least);
  const Grid grid = best_grid(tracks, places, levels, inside, m);
  layout.width = inside + 2 * m.margin;
  layout.height = std::max(m.view.height(), grid.needed);
  const double extra = layout.height - grid.needed;
  const double more = std::min(extra * 0.7 / grid.rows, m.good_picture - m.smallest_picture);
  const double picture = std::floor(m.smallest_picture + more);
  double y = m.margin;
  for (int row = 0; row < grid.rows; ++row) {
    for (int column = 0; column < grid.columns && static_cast<int>(layout.panels.size()) < tracks; ++column) {
      const double x = m.margin + column * (grid.panel + m.gap);
      layout.panels.push_back({{x, y, grid.panel, m.caption},
                               {x, y + m.caption, grid.panel, m.mean - 3},
                               {x, y + m.caption + m.mean, grid.panel, picture}});
      if (row == grid.rows - 1)
        layout.tokens.emplace_back(x, y + m.caption + m.mean + picture + 1, grid.panel, grid.tokens);
    }
    y += m.caption + m.mean + picture + (row + 1 < grid.rows ? m.gap * 0.6 : 0);
  }
  y += grid.tokens + m.gap;
  layout.units_of_row = std::max(1, static_cast<int>(std::ceil(units * m.smallest_row / picture)));

  // Below: the cone, if any, and the chart.
  const double bottom = layout.height - m.margin - m.arithmetic;
  const double half = grid.beside ? std::floor((inside - m.gap) / 2) : inside;
  const double below =
      tokens_height(m.widest, m.line, (half - (levels > 0 ? m.level_name : 0)) / places, m.most_tokens);
  double chart_left = m.margin, chart_top = y;
  if (levels > 0) {
    const double end = grid.beside ? bottom : y + (bottom - y - m.gap) * 0.5;
    const double height = std::max((levels - 1) * m.line * 1.3, end - y - m.caption - below - 1);
    layout.cone_caption = QRectF(m.margin, y, half, m.caption);
    layout.cone_names = QRectF(m.margin, y + m.caption, m.level_name, height);
    layout.cone = QRectF(m.margin + m.level_name, y + m.caption, half - m.level_name, height);
    layout.cone_tokens = QRectF(layout.cone.left(), layout.cone.bottom() + 1, layout.cone.width(), below);
    if (grid.beside)
      chart_left = m.margin + half + m.gap;
    else
      chart_top = layout.cone_tokens.bottom() + m.gap;
  }
  layout.chart_caption = QRectF(chart_left, chart_top, half, m.caption);
  layout.chart = QRectF(chart_left, chart_top + m.caption, half,
                        std::max(m.smallest_chart * 0.7, bottom - below - 1 - chart_top - m.caption));
  layout.chart_tokens = QRectF(chart_left, layout.chart.bottom() + 1, half, below);
  layout.arithmetic = QRectF(m.margin, layout.chart_tokens.bottom(), inside, m.arithmetic);
  layout.height = std::max(layout.height, layout.arithmetic.bottom() + m.margin);
  return layout;
}

double StatesLayout::x_of(const QRectF& rect, int place) const {
  return rect.left() + rect.width() * (place + 0.5) / std::max(1, places);
}

QRectF StatesLayout::cell(int track, int place, int row) const {
  const QRectF& cells = panels[static_cast<std::size_t>(track)].cells;
  const double across = cells.width() / std::max(1, places), down = cells.height() / std::max(1, rows());
  return {cells.left() + place * across, cells.top() + row * down, across, down};
}

QRectF StatesLayout::node(int place, int level) const {
  const double across = cone.width() / std::max(1, places), down = cone.height() / std::max(1, levels - 1);
  return QRectF(cone.left() + place * across, cone.bottom() - level * down, across, down)
      .adjusted(std::min(2.0, across * 0.15), down * 0.18, -std::min(2.0, across * 0.15), -down * 0.18);
}

StatesHit StatesLayout::place_at(QPointF point) const {
  const auto along = [&](const QRectF& rect) { return part_at(point.x(), rect.left(), rect.width(), places); };
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Panel& panel = panels[i];
    const int track = static_cast<int>(i);
    if (panel.cells.contains(point))
      return {StatesHit::Part::cells, track, along(panel.cells),
              part_at(point.y(), panel.cells.top(), panel.cells.height(), rows()), -1};
    if (panel.mean.contains(point)) return {StatesHit::Part::mean, track, along(panel.mean), -1, -1};
  }
  for (const QRectF& rect : tokens)
    if (rect.contains(point)) return {StatesHit::Part::tokens, -1, along(rect), -1, -1};
  for (const QRectF& rect : {chart_tokens, cone_tokens})
    if (rect.contains(point)) return {StatesHit::Part::tokens, -1, along(rect), -1, rect == cone_tokens ? 0 : -1};
  if (cone.contains(point))
    return {StatesHit::Part::cone, -1, along(cone), -1,
            levels - 1 - part_at(point.y(), cone.top(), cone.height(), levels - 1)};
  if (chart.contains(point)) return {StatesHit::Part::chart, -1, along(chart), -1, -1};
  if (arithmetic.contains(point)) return {StatesHit::Part::arithmetic, -1, -1, -1, -1};
  return {};
}

}  // namespace headlight
