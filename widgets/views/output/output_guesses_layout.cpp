// Cards side by side, as many as fit.
#include "widgets/views/output/output_guesses_layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {

GuessesLayout GuessesLayout::of(int cards, int guesses, const Metrics& m) {
  GuessesLayout layout;
  layout.metrics = m;
  layout.cards = cards;
  layout.guesses = guesses;
  const double room = m.width - 2 * m.side;
  const int fitting = static_cast<int>((room + m.gap) / (m.smallest_card + m.gap));
  layout.columns = std::clamp(fitting, 1, std::max(1, cards));
  const double each = std::floor((room - (layout.columns - 1) * m.gap) / layout.columns);
  layout.card_width = std::clamp(each, std::min(m.smallest_card, std::max(room, 0.0)), m.largest_card);
  layout.card_height = 2 * m.inset + (kLinesAbove + guesses) * m.line;
  const int rows = (cards + layout.columns - 1) / layout.columns;
  layout.width = 2 * m.side + layout.columns * layout.card_width + (layout.columns - 1) * m.gap;
  layout.height = 2 * m.margin + rows * layout.card_height + std::max(0, rows - 1) * m.gap;
  return layout;
}

QRectF GuessesLayout::card(int card) const {
  return {metrics.side + card % columns * (card_width + metrics.gap),
          metrics.margin + card / columns * (card_height + metrics.gap), card_width, card_height};
}

QRectF GuessesLayout::sentence(int at) const {
  const QRectF whole = card(at);
  return {whole.left() + metrics.inset, whole.top() + metrics.inset, whole.width() - 2 * metrics.inset, metrics.line};
}

QRectF GuessesLayout::certainty(int at) const { return sentence(at).translated(0, metrics.line); }

QRectF GuessesLayout::guess(int at, int rank) const {
  return sentence(at).translated(0, (kLinesAbove + rank) * metrics.line);
}

GuessHit GuessesLayout::place_at(QPointF point) const {
  for (int at = 0; at < cards; ++at) {
    if (!card(at).contains(point)) continue;
    for (int rank = 0; rank < guesses; ++rank)
      if (guess(at, rank).contains(point)) return {at, rank};
    return {at, -1};
  }
  return {};
}

}  // namespace headlight
