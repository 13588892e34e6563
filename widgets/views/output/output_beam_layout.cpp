// Where hypotheses stand.
#include "widgets/views/output/output_beam_layout.h"

#include <algorithm>
#include <tuple>

namespace headlight {

namespace {

// The hypotheses that led to the best output, by step.
std::vector<int> path_to_best(const BeamTree& tree) {
  if (tree.best.empty()) return {};
  const BeamEnd& best = tree.best.front();
  std::vector<int> path(static_cast<std::size_t>(best.step) + 1);
  int place = best.place;
  for (auto step = path.size(); step-- > 0;) {
    path[step] = place;
    place = nth(tree.steps[step].hypotheses, place).parent;
  }
  return path;
}

}  // namespace

BeamLayout BeamLayout::of(const BeamTree& tree, std::vector<double> widths, double list, const Metrics& m) {
  BeamLayout layout;
  layout.metrics = m;
  layout.widths = std::move(widths);
  layout.winner = path_to_best(tree);
  layout.ended = static_cast<int>(tree.best.size());
  std::size_t rows = tree.best.size();
  double left = m.side + m.start + m.link;
  for (std::size_t step = 0; step < tree.steps.size(); ++step) {
    layout.lefts.push_back(left);
    left += layout.widths[step] + m.link;
    const auto& hypotheses = tree.steps[step].hypotheses;
    const int winner = step < layout.winner.size() ? layout.winner[step] : -1;
    std::vector<int> order;
    for (int place = 0; place < static_cast<int>(hypotheses.size()); ++place) order.push_back(place);
    const auto key = [&](int place) {
      const int parent = nth(hypotheses, place).parent;
      const int row = parent < 0 ? 0 : nth(layout.row_of.back(), parent);
      return std::tuple(row, place != winner, place);
    };
    std::ranges::sort(order, [&](int a, int b) { return key(a) < key(b); });
    if (winner < 0 && !layout.winner.empty()) order.insert(order.begin(), -1);  // the winner has ended before
    std::vector<int> row_of(hypotheses.size());
    for (std::size_t row = 0; row < order.size(); ++row)
      if (order[row] >= 0) nth(row_of, order[row]) = static_cast<int>(row);
    rows = std::max(rows, order.size());
    layout.order.push_back(std::move(order));
    layout.row_of.push_back(std::move(row_of));
  }
  layout.tree_width = left;
  const double wanted = std::clamp(list, m.smallest_list, std::max(m.smallest_list, m.largest_share * m.width));
  layout.pinned = m.width - wanted >= m.smallest_tree;
  layout.list_left = layout.pinned ? std::min(layout.tree_width, m.width - wanted) : layout.tree_width;
  layout.list_width = std::max(wanted, m.width - layout.list_left);
  layout.width = layout.tree_width + layout.list_width;
  layout.height = 2 * m.margin + m.header + static_cast<double>(rows) * (m.box_height + m.gap) - (rows > 0 ? m.gap : 0);
  return layout;
}

QRectF BeamLayout::box(int step, int place) const {
  const int row = nth(nth(row_of, step), place);
  return {nth(lefts, step), metrics.margin + metrics.header + row * (metrics.box_height + metrics.gap),
          nth(widths, step), metrics.box_height};
}

QRectF BeamLayout::header(int step) const {
  return {nth(lefts, step), metrics.margin, nth(widths, step), metrics.header};
}

QRectF BeamLayout::list_header() const {
  return {list_left + metrics.margin, metrics.margin, list_width - 2 * metrics.margin, metrics.header};
}

QRectF BeamLayout::list_row(int row) const {
  const QRectF header = list_header();
  return {header.left(), header.bottom() + row * (metrics.box_height + metrics.gap), header.width(),
          metrics.box_height};
}

QPointF BeamLayout::start() const {
  return {metrics.side + metrics.start / 2, metrics.margin + metrics.header + metrics.box_height / 2};
}

QPainterPath BeamLayout::link(int step, int place, int parent) const {
  const QRectF to = box(step, place);
  const QPointF end(to.left(), to.center().y());
  const QPointF begin =
      parent < 0 ? start() : QPointF(box(step - 1, parent).right(), box(step - 1, parent).center().y());
  QPainterPath path(begin);
  const double half = (end.x() - begin.x()) / 2;
  path.cubicTo({begin.x() + half, begin.y()}, {end.x() - half, end.y()}, end);
  return path;
}

BeamHit BeamLayout::place_at(QPointF point) const {
  for (int row = 0; row < ended; ++row)
    if (list_row(row).contains(point)) return {-1, -1, row};
  if (point.x() >= list_left) return {};
  const auto step = static_cast<int>(std::ranges::upper_bound(lefts, point.x()) - lefts.begin()) - 1;
  if (step < 0) return {};
  for (const int place : nth(order, step))
    if (place >= 0 && box(step, place).contains(point)) return {step, place, -1};
  return {};
}

}  // namespace headlight
