#include "widgets/views/local_window/local_window_layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {

LocalWindowLayout LocalWindowLayout::of(const Metrics& m) {
  LocalWindowLayout layout;
  layout.metrics = m;
  layout.width = std::max(m.view.width(), 200.0);
  const double left = m.margin + std::min(m.label, layout.width * 0.22), right = layout.width - m.margin;
  constexpr double kLeastRow = 3, kLargestRow = 1.2, kLeastBars = 5, kLargestPath = 0.42;
  const double fixed = 2 * m.margin + 2 * (m.line + m.gap) + m.gap + 2 * m.line + m.token_line;
  const double spare = std::max(0.0, m.view.height() - fixed - kLeastBars * m.line);
  const double path = std::clamp(m.steps * kLargestRow * m.line, m.steps * kLeastRow,
                                 std::max(m.steps * kLeastRow, (spare + kLeastBars * m.line) * kLargestPath));
  double y = m.margin;
  const auto row = [&](double height, double gap, bool whole) {
    const QRectF rect(whole ? m.margin : left, y, right - (whole ? m.margin : left), height);
    y += height + gap;
    return rect;
  };
  layout.path_caption = row(m.line, m.gap, true);
  layout.path = row(std::floor(path), m.gap, false);
  layout.title = row(m.line, m.gap, true);
  const double bars = std::max(kLeastBars * m.line, m.view.height() - y - 2 * m.line - m.token_line - m.margin);
  layout.bars = row(std::floor(bars), 0, false);
  layout.tokens = row(m.token_line, 0, false);
  layout.numbers = row(2 * m.line, 0, false);
  layout.height = y + m.margin;
  return layout;
}

double LocalWindowLayout::x_of(double position) const { return bars.left() + (position + 0.5) * slot_width(); }

QRectF LocalWindowLayout::slot(const QRectF& row, int position) const {
  return {row.left() + position * slot_width(), row.top(), slot_width(), row.height()};
}

QRectF LocalWindowLayout::path_row(int step) const {
  return {path.left(), path.top() + step * row_height(), path.width(), row_height()};
}

QRectF LocalWindowLayout::path_label(int step) const {
  const QRectF row = path_row(step);
  return {metrics.margin, row.top(), row.left() - metrics.margin - 6, row.height()};
}

QRectF LocalWindowLayout::column(int position) const {
  return slot(QRectF(bars.left(), bars.top(), bars.width(), numbers.bottom() - bars.top()), position);
}

LocalWindowHit LocalWindowLayout::place_at(QPointF point) const {
  using Part = LocalWindowHit::Part;
  if (metrics.positions < 1 || metrics.steps < 1) return {};
  const auto position = static_cast<int>(std::floor((point.x() - bars.left()) / slot_width()));
  const bool along = point.x() >= bars.left() && position >= 0 && position < metrics.positions;
  if (point.y() >= path.top() && point.y() < path.bottom() && point.x() >= metrics.margin && point.x() < path.right()) {
    const auto step = static_cast<int>((point.y() - path.top()) / row_height());
    return {Part::path, std::min(step, metrics.steps - 1), along ? position : -1};
  }
  if (along && point.y() >= bars.top() && point.y() < numbers.bottom()) return {Part::bars, -1, position};
  return {};
}

}  // namespace headlight
