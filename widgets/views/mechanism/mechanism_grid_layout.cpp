#include "widgets/views/mechanism/mechanism_grid_layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

using Part = MechanismGridHit::Part;
constexpr double kMargin = 24, kGap = 4;
}  // namespace

MechanismGridLayout MechanismGridLayout::of(const Metrics& m) {
  MechanismGridLayout layout;
  if (m.rows <= 0 || m.columns <= 0) return layout;
  layout.rows = m.rows;
  layout.columns = m.columns;
  const double left = kMargin + std::min(m.row_label, 0.35 * m.view.width()) + kGap;
  // Labels that stand upright take a line; turned ones at most a third of the height.
  const double turned = std::min(m.column_label, std::max(3 * m.line, 0.35 * m.view.height()));
  const auto side = [&](double top) {
    const double wide = (m.view.width() - left - kMargin) / m.columns;
    const double high = (m.view.height() - top - kMargin) / m.rows;
    return std::floor(std::clamp(std::min(wide, high), m.least, m.most));
  };
  layout.upright = m.column_label <= side(kMargin + m.line + kGap) - 2;
  const double top = kMargin + (layout.upright ? m.line : turned) + kGap;
  layout.cell = side(top);
  layout.corner = {std::round(left), std::round(top)};
  layout.width = layout.corner.x() + m.columns * layout.cell + kMargin;
  layout.height = layout.corner.y() + m.rows * layout.cell + kMargin;
  return layout;
}

QRectF MechanismGridLayout::cell_rect(int row, int column) const {
  return {corner.x() + column * cell, corner.y() + row * cell, cell, cell};
}

QRectF MechanismGridLayout::row_label(int row) const {
  return {kMargin, corner.y() + row * cell, corner.x() - kMargin - kGap, cell};
}

QRectF MechanismGridLayout::column_label(int column) const {
  return {corner.x() + column * cell, kMargin, cell, corner.y() - kMargin - kGap};
}

MechanismGridHit MechanismGridLayout::place_at(QPointF point) const {
  if (rows == 0 || cell <= 0) return {};
  const auto column = static_cast<int>(std::floor((point.x() - corner.x()) / cell));
  const auto row = static_cast<int>(std::floor((point.y() - corner.y()) / cell));
  const bool in_rows = row >= 0 && row < rows, in_columns = column >= 0 && column < columns;
  if (in_rows && in_columns) return {Part::cell, row, column};
  if (in_rows && point.x() >= kMargin && point.x() < corner.x()) return {Part::row, row, -1};
  if (in_columns && point.y() >= kMargin && point.y() < corner.y()) return {Part::column, -1, column};
  return {};
}

}  // namespace headlight
