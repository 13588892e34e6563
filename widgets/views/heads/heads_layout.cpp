#include "widgets/views/heads/heads_layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {
constexpr double kApart = 14;
}

HeadsLayout HeadsLayout::of(int rows, int columns, const Metrics& m) {
  HeadsLayout layout;
  layout.rows = rows;
  layout.columns = columns;
  layout.metrics = m;
  if (rows <= 0 || columns <= 0) return layout;
  const double label = m.row_label > 0 ? m.row_label + m.gap : 0;
  const double apart = m.apart >= 0 && m.apart < columns ? kApart : 0;
  const double aspect = std::clamp(m.aspect, 0.5, 2.5);
  const double across = (m.view.width() - m.edge - m.margin - label - apart - (columns - 1) * m.gap) / columns;
  // As large as the width allows; when all rows then do not fit, smaller as long as the words still have room.
  const auto fitting = [&](bool words) {
    const double text = words ? m.lines * m.line + 3 : 0;
    const double down =
        (m.view.height() - m.above - m.margin - m.header - m.bracket - (rows - 1) * m.gap) / rows - text - m.bar - 2;
    return std::min(across, down * aspect);
  };
  double width = std::min(across, std::max(fitting(true), m.words));
  if (width < m.words) width = std::min(across, std::max(fitting(false), 2 * m.smallest));
  layout.thumb_width = std::floor(std::clamp(width, m.smallest, m.largest));
  layout.thumb_height = std::max(m.smallest / 2, std::floor(layout.thumb_width / aspect));
  layout.words = layout.thumb_width >= m.words;
  layout.width = m.edge + m.margin + label + apart + columns * layout.thumb_width + (columns - 1) * m.gap;
  layout.height = m.above + m.margin + m.header + m.bracket + rows * layout.cell_height() + (rows - 1) * m.gap;
  return layout;
}

double HeadsLayout::cell_height() const {
  return thumb_height + 2 + metrics.bar + (words ? metrics.lines * metrics.line + 3 : 0);
}

double HeadsLayout::left(int column) const {
  const double label = metrics.row_label > 0 ? metrics.row_label + metrics.gap : 0;
  return metrics.edge + label + column * (thumb_width + metrics.gap) +
         (metrics.apart >= 0 && column >= metrics.apart ? kApart : 0);
}

QRectF HeadsLayout::thumb(int row, int column) const {
  return {left(column), metrics.above + metrics.header + metrics.bracket + row * (cell_height() + metrics.gap),
          thumb_width, thumb_height};
}

QRectF HeadsLayout::bar(int row, int column) const {
  const QRectF above = thumb(row, column);
  return {above.left(), above.bottom() + 2, thumb_width, metrics.bar};
}

QRectF HeadsLayout::text(int row, int column, int line) const {
  const QRectF above = bar(row, column);
  return {above.left() - metrics.gap / 2, above.bottom() + 2 + line * metrics.line, thumb_width + metrics.gap,
          metrics.line};
}

QRectF HeadsLayout::cell(int row, int column) const {
  const QRectF top = thumb(row, column);
  return {top.left(), top.top(), top.width(), cell_height()};
}

QRectF HeadsLayout::header(int column) const {
  const double room = metrics.apart >= 0 && column == metrics.apart ? kApart : 0;  // the gap in front is free
  return {left(column) - metrics.gap / 2 - room, metrics.above, thumb_width + metrics.gap + room, metrics.header};
}

QRectF HeadsLayout::bracket(int group) const {
  const double from = left(group * metrics.shared), to = left((group + 1) * metrics.shared - 1) + thumb_width;
  return {from, metrics.above + metrics.header, to - from, metrics.bracket};
}

QRectF HeadsLayout::row_label(int row) const {
  const QRectF first = thumb(row, 0);
  return {metrics.edge, first.top(), metrics.row_label, first.height()};
}

HeadsHit HeadsLayout::place_at(QPointF point) const {
  for (int group = 0; group < metrics.groups; ++group)
    if (bracket(group).contains(point)) return {HeadsHit::kGroup, group};
  for (int row = 0; row < rows; ++row) {
    const QRectF first = cell(row, 0);
    if (point.y() < first.top() || point.y() > first.bottom()) continue;
    for (int column = 0; column < columns; ++column)
      if (cell(row, column).contains(point)) return {row, column};
  }
  return {};
}

}  // namespace headlight
