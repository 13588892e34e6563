#include "widgets/views/history/history_layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {

HistoryLayout HistoryLayout::strip_of(int count, const Metrics& m) {
  HistoryLayout layout;
  layout.metrics = m;
  layout.strip = true;
  layout.columns = count;
  const double room = m.view.width() - 2 * m.strip_margin;
  const double card = std::clamp(std::floor((room + m.gap) / count) - m.gap, m.strip_card, m.largest_card);
  for (int i = 0; i < count; ++i) {
    Card at;
    at.frame = QRectF(m.strip_margin + i * (card + m.gap), 2, card, std::max(m.view.height() - 4, 60.0));
    // The year, below it the line with its dot, then the name, the picture and what was written, with its mark.
    double top = at.frame.top(), bottom = at.frame.bottom();
    const auto down = [&](double tall) {
      const QRectF rect(at.frame.left(), top, card - m.gap, tall);
      top += tall;
      return rect;
    };
    at.title = down(m.line);
    top += m.inset;
    at.paper = down(std::max(m.title_lines * m.small_line, m.title) + 2);
    at.note = QRectF(at.frame.left(), bottom - m.small_line, card - m.gap, m.small_line);
    at.output = QRectF(at.frame.left(), at.note.top() - m.chip_line, card - m.gap, m.chip_line);
    at.map = QRectF(at.frame.left(), top, card - m.gap, std::max(0.0, at.output.top() - 4 - top));
    layout.cards.push_back(at);
  }
  layout.width = 2 * m.strip_margin + count * (card + m.gap) - m.gap;
  layout.height = m.view.height();
  return layout;
}

HistoryLayout HistoryLayout::of(int count, const Metrics& m) {
  HistoryLayout layout;
  layout.metrics = m;
  if (count <= 0) return layout;
  const double room = m.view.width() - 2 * m.margin + m.gap;
  const auto width_in = [&](int columns) { return std::floor(room / columns - m.gap); };
  const double title = std::max(m.title_lines * m.line, m.title);
  const auto map_of = [&](double card) { return std::floor((card - 2 * m.inset) * m.map_share); };
  const auto height_of = [&](double card) {
    return 2 * m.inset + title + m.small_line + map_of(card) + m.chip_lines * m.chip_line + m.small_line + 12;
  };
  if (m.view.height() < height_of(m.smallest_card) + 2 * m.margin && m.view.width() >= 2 * m.smallest_card)
    return strip_of(count, m);
  // Larger cards where all of them are seen at once.
  const auto fits = [&](int columns) {
    const int rows = (count + columns - 1) / columns;
    return width_in(columns) <= m.largest_card &&
           rows * (height_of(width_in(columns)) + m.gap) - m.gap + 2 * m.margin <= m.view.height();
  };
  layout.columns = std::clamp(static_cast<int>(room / (m.smallest_card + m.gap)), 1, count);
  while (layout.columns > 1 && fits(layout.columns - 1)) --layout.columns;
  const double card = std::clamp(width_in(layout.columns), m.smallest_card, m.largest_card);
  const double inner = card - 2 * m.inset, map = map_of(card), height = height_of(card);
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
    at.title = next(title, 0);
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
