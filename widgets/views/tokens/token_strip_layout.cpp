// Geometry of a strip of tokens.
#include "widgets/views/tokens/token_strip_layout.h"

#include <algorithm>
#include <cmath>

#include "model/core/scalar.h"

namespace headlight {

TokenStripLayout TokenStripLayout::of(const std::vector<double>& text_widths, const Metrics& m) {
  TokenStripLayout layout;
  const double line_width = std::max(m.width - 2 * m.margin, m.minimum_chip);
  double x = 0;
  int line = 0;
  layout.chips.reserve(text_widths.size());
  for (const double text : text_widths) {
    const double width = std::min(line_width, std::ceil(std::max(m.minimum_chip, text + 2 * m.padding)));
    if (x > 0 && x + width > line_width) {
      ++line;
      x = 0;
    }
    const double top = m.margin + m.bracket + line * (m.chip_height + m.gap + m.bracket);
    layout.chips.push_back({m.margin + x, top, width, m.chip_height});
    layout.line_of_chip.push_back(line);
    x += width + m.gap;
  }
  layout.lines = text_widths.empty() ? 0 : line + 1;
  layout.width = m.width;
  layout.bracket = m.bracket;
  layout.height = 2 * m.margin + std::max(1, layout.lines) * (m.chip_height + m.gap + m.bracket) - m.gap;
  return layout;
}

int TokenStripLayout::chip_at(QPointF point) const {
  // Chips are in reading order, so the first one whose line ends below the point starts that line.
  const auto line =
      std::partition_point(chips.begin(), chips.end(), [&](const QRectF& chip) { return chip.bottom() <= point.y(); });
  for (auto chip = line; chip != chips.end() && chip->top() == line->top(); ++chip)
    if (chip->contains(point)) return static_cast<int>(chip - chips.begin());
  return -1;
}

std::vector<QRectF> TokenStripLayout::brackets(int first, int count) const {
  std::vector<QRectF> found;
  int line = -1;
  for (int i = first; i < first + count && i < static_cast<int>(chips.size()); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const QRectF above(chips[at].left(), chips[at].top() - bracket, chips[at].width(), bracket);
    if (line_of_chip[at] == line)
      found.back() |= above;
    else
      found.push_back(above);
    line = line_of_chip[at];
  }
  return found;
}

int TokenStripLayout::chip_in_line(int chip, int direction) const {
  if (chip < 0 || chip >= static_cast<int>(chips.size())) return chip;
  const int line = nth(line_of_chip, chip), wanted = std::clamp(line + direction, 0, lines - 1);
  if (wanted == line) return chip;
  const double x = nth(chips, chip).center().x();
  int best = chip;
  double best_distance = 0;
  for (std::size_t i = 0; i < chips.size(); ++i) {
    if (line_of_chip[i] != wanted) continue;
    const double distance = std::abs(chips[i].center().x() - x);
    if (best == chip || distance < best_distance) {
      best = static_cast<int>(i);
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace headlight
