#include "widgets/views/history_layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {

HistoryLayout HistoryLayout::of(int count, const Metrics& m) {
  HistoryLayout layout;
  layout.metrics = m;
  if (count <= 0) return layout;
  const double room = m.view.width() - 2 * m.margin + m.gap;
  layout.columns = std::clamp(static_cast<int>(room / (m.smallest_card + m.gap)), 1, count);
  const double card = std::clamp(std::floor(room / layout.columns - m.gap), m.smallest_card, m.largest_card);
  const double inner = card - 2 * m.inset;
  const double map = std::floor(inner * m.map_share);
  const double height = 2 * m.inset + m.line + m.small_line + map + m.chip_lines * m.chip_line + m.small_line + 12;
  for (int i = 0; i < count; ++i) {
    Card at;
    at.frame = QRectF(m.margin + i % layout.columns * (card + m.gap),
                      m.margin + std::floor(i / layout.columns) * (height + m.gap), card, height);
    double y = at.frame.top() + m.inset;
    const auto next = [&](double tall, double space) {
      const QRectF rect(at.frame.left() + m.inset, y, inner, tall);
      y += tall + space;
      return rect;
    };
    at.title = next(m.line, 0);
    at.paper = next(m.small_line, 4);
    at.map = next(map, 4);
    at.output = next(m.chip_lines * m.chip_line, 4);
    at.note = next(m.small_line, 0);
    layout.cards.push_back(at);
  }
  const int rows = (count + layout.columns - 1) / layout.columns;
  layout.width = 2 * m.margin + layout.columns * (card + m.gap) - m.gap;
  layout.height = 2 * m.margin + rows * (height + m.gap) - m.gap;
  return layout;
}

int HistoryLayout::card_at(QPointF point) const {
  for (std::size_t i = 0; i < cards.size(); ++i)
    if (cards[i].frame.contains(point)) return static_cast<int>(i);
  return -1;
}

}  // namespace headlight
