#include "widgets/views/query_key/query_key_layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// Least and largest height of a picture, in lines of text, and its part of what is left over.
struct Stretch {
  double least, largest, share;
};
constexpr Stretch kOperand{1.1, 2.2, 0.06}, kProducts{2.3, 11, 0.30}, kRunning{1.6, 8, 0.16}, kScores{2.5, 8, 0.16},
    kWeights{3.1, 14, 0.32};

double column(const QRectF& row, double x, int count) {
  return count > 0 && row.width() > 0 ? std::floor((x - row.left()) / row.width() * count) : -1;
}

}  // namespace

double QueryKeyLayout::place_chips(double top) {
  const double tall = metrics.line + 6;
  double x = metrics.margin;
  chips.clear();
  for (const double wanted : metrics.chips) {
    const double chip = std::min(wanted, width - 2 * metrics.margin);
    if (x > metrics.margin && x + chip > width - metrics.margin) {
      x = metrics.margin;
      top += tall + 3;
    }
    chips.emplace_back(x, top, chip, tall);
    x += chip + 6;
  }
  return metrics.chips.empty() ? top : top + tall + metrics.gap;
}

QueryKeyLayout QueryKeyLayout::of(const Metrics& m) {
  QueryKeyLayout layout;
  layout.metrics = m;
  layout.width = std::max(m.view.width(), 220.0);
  const double left = m.margin + std::min(m.label, layout.width * 0.24);
  const double right = layout.width - m.margin - std::min(m.value, layout.width * 0.16);
  const double chips = layout.place_chips(0);
  const bool units = m.units > 0, rivals = m.rivals > 0;
  double fixed = 2 * m.margin + m.line + m.gap + chips + (m.line + m.gap);
  fixed += m.operands * 3.0 + (units ? 2 * m.gap : 0) + (rivals ? m.line + 2 * m.gap + m.token_line : 0);
  double least = 0, shares = 0;
  const auto need = [&](const Stretch& part, int count) {
    least += part.least * m.line * count;
    shares += part.share * count;
  };
  need(kOperand, m.operands);
  if (units) need(kProducts, 1), need(kRunning, 1);
  if (rivals) need(kScores, 1), need(kWeights, 1);
  const double spare = std::max(0.0, m.view.height() - fixed - least);
  const auto tall = [&](const Stretch& part) {
    return std::floor(std::min(part.largest * m.line, part.least * m.line + part.share / shares * spare));
  };
  double y = m.margin;
  const auto row = [&](double height, double gap) {
    const QRectF rect(left, y, right - left, height);
    y += height + gap;
    return rect;
  };
  const auto line = [&] {
    const QRectF rect(m.margin, y, layout.width - 2 * m.margin, m.line);
    y += m.line + m.gap;
    return rect;
  };
  layout.title = line();
  for (int i = 0; i < m.operands; ++i) layout.operands.push_back(row(tall(kOperand), 3));
  layout.readout = line();
  if (units) {
    layout.products = row(tall(kProducts), m.gap);
    layout.running = row(tall(kRunning), m.gap);
  }
  y = layout.place_chips(y);
  if (rivals) {
    layout.rivals_caption = line();
    layout.scores = row(tall(kScores), m.gap);
    layout.weights = row(tall(kWeights), 0);
    layout.tokens = row(m.token_line, 0);
  }
  layout.height = y + m.margin;
  return layout;
}

double QueryKeyLayout::slot_width() const { return metrics.rivals > 0 ? weights.width() / metrics.rivals : 0; }

QRectF QueryKeyLayout::unit(const QRectF& row, int i) const {
  return {row.left() + i * unit_width(), row.top(), unit_width(), row.height()};
}

QRectF QueryKeyLayout::slot(const QRectF& row, int i) const {
  return {row.left() + i * slot_width(), row.top(), slot_width(), row.height()};
}

QRectF QueryKeyLayout::rival(int i) const {
  return slot(QRectF(scores.left(), scores.top(), scores.width(), tokens.bottom() - scores.top()), i);
}

QRectF QueryKeyLayout::label(const QRectF& row) const {
  return {metrics.margin, row.top(), row.left() - metrics.margin - 6, row.height()};
}

QRectF QueryKeyLayout::value(const QRectF& row) const {
  return {row.right() + 5, row.top(), width - metrics.margin - row.right() - 5, row.height()};
}

QueryKeyHit QueryKeyLayout::place_at(QPointF point) const {
  using Part = QueryKeyHit::Part;
  const auto within = [&](const QRectF& row) {
    return point.y() >= row.top() && point.y() < row.bottom() && point.x() >= row.left() && point.x() < row.right();
  };
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (within(operands[i]))
      return {Part::operand, static_cast<int>(column(operands[i], point.x(), metrics.units)), static_cast<int>(i)};
  if (metrics.units > 0 && within(products))
    return {Part::product, static_cast<int>(column(products, point.x(), metrics.units)), -1};
  if (metrics.units > 0 && within(running))
    return {Part::running, static_cast<int>(column(running, point.x(), metrics.units)), -1};
  for (std::size_t i = 0; i < chips.size(); ++i)
    if (chips[i].contains(point)) return {Part::chip, static_cast<int>(i), -1};
  if (metrics.rivals > 0 && within(QRectF(scores.left(), scores.top(), scores.width(), tokens.bottom() - scores.top())))
    return {Part::rival, static_cast<int>(column(scores, point.x(), metrics.rivals)), -1};
  return {};
}

}  // namespace headlight
