#include "widgets/views/positions/positions_layout.h"

#include <algorithm>
#include <cmath>

#include "model/core/scalar.h"

namespace headlight {

using Part = PositionsHit::Part;

PositionsLayout PositionsLayout::of(const std::vector<int>& rows, const std::vector<int>& columns, const Metrics& m) {
  PositionsLayout layout;
  layout.metrics = m;
  layout.rows = rows;
  layout.columns = columns;
  if (rows.empty()) return layout;
  const QSizeF all = m.view.expandedTo(m.smallest);
  layout.width = all.width();
  layout.height = all.height();
  const double inside = all.width() - 2 * m.margin, down = all.height() - 2 * m.margin - m.gap;
  // Above the tables beside each other, below the clock with its words, and the products.
  const double upper = std::floor(down * 0.46), lower = down - upper;
  const auto count = static_cast<double>(rows.size());
  const double table_width = std::floor((inside - (count - 1) * m.gap - count * m.axis_width) / count);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double left = m.margin + m.axis_width + static_cast<double>(i) * (table_width + m.gap + m.axis_width);
    layout.table_captions.emplace_back(left - m.axis_width, m.margin, table_width + m.axis_width, m.caption);
    layout.tables.emplace_back(left, m.margin + m.caption, table_width, upper - m.caption - m.axis);
  }
  const double top = m.margin + upper + m.gap, picture = lower - m.caption - m.axis;
  const auto place = [&](double left, double width, QRectF& caption, QRectF& rect, double axis) {
    caption = QRectF(left, top, width + axis, m.caption);
    rect = QRectF(left + axis, top + m.caption, width, picture);
  };
  const double column = std::floor(inside * 0.46), clock = std::floor(std::min(picture - m.gap, column));
  layout.clock_caption = QRectF(m.margin, top, column, m.caption);
  layout.clock = QRectF(m.margin + std::floor((column - clock) / 2), top + m.caption, clock, clock);
  layout.clock_words = QRectF(m.margin, layout.clock.bottom(), column, top + lower - layout.clock.bottom());
  place(m.margin + column + m.gap, inside - column - m.gap - m.axis_width, layout.similarity_caption, layout.similarity,
        m.axis_width);
  return layout;
}

double PositionsLayout::similarity_x(int position) const {
  return similarity.left() + similarity.width() * (position + 0.5) / likenesses();
}

int PositionsLayout::likenesses() const { return 2 * metrics.distances + 1; }

int PositionsLayout::position_near(Part part, int table, QPointF point) const {
  const auto near = [](double from, double size, int count, double at) {
    return std::clamp(static_cast<int>(std::floor((at - from) / std::max(1.0, size) * count)), 0,
                      std::max(0, count - 1));
  };
  if (part == Part::table) {
    return near(nth(tables, table).top(), nth(tables, table).height(), nth(rows, table), point.y());
  }
  return near(similarity.left(), similarity.width(), likenesses(), point.x());
}

int PositionsLayout::column_near(int table, QPointF point) const {
  const double share = (point.x() - nth(tables, table).left()) / std::max(1.0, nth(tables, table).width());
  return std::clamp(static_cast<int>(std::floor(share * nth(columns, table))), 0, nth(columns, table) - 1);
}

PositionsHit PositionsLayout::place_at(QPointF point) const {
  for (int i = 0; i < static_cast<int>(tables.size()); ++i)
    if (nth(tables, i).contains(point))
      return {Part::table, i, position_near(Part::table, i, point), column_near(i, point)};
  if (clock.contains(point) || clock_words.contains(point)) return {Part::clock, -1, -1, -1};
  if (similarity.contains(point)) return {Part::similarity, -1, position_near(Part::similarity, -1, point), -1};
  return {};
}

}  // namespace headlight
