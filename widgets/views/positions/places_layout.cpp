#include "widgets/views/positions/places_layout.h"

#include <algorithm>

namespace headlight {

PlacesLayout PlacesLayout::of(const Metrics& m) {
  PlacesLayout at;
  at.metrics = m;
  const double room = m.view.width() - m.name - m.margin - (m.panels - 1) * 2 * m.gap;
  const double each = room / std::max(1, m.panels);
  const double fixed = m.title + m.head + kWaves * m.wave + 3 * m.gap;
  const double free = m.view.height() - fixed;
  const double numbers = std::max(
      m.words_of_numbers, m.numbers * std::clamp(0.48 * free / std::max(1, m.numbers), m.least_line, m.most_line));
  const double likeness =
      std::max({free - numbers - 4, m.words_of_likeness, m.least_line * static_cast<double>(at.places())});
  double left = m.name;
  for (int i = 0; i < m.panels; ++i) {
    Panel panel;
    panel.columns = TextColumns::of(m.shares, left, left + each, m.least_column, m.most_column);
    const double wide = panel.columns.right() - panel.columns.left();
    double y = 0;
    const auto part = [&](double high) {
      const QRectF rect(left, y, wide, high);
      y += high;
      return rect;
    };
    panel.title = QRectF(left, y, std::max(wide, std::min(each, 300.0)), m.title);
    y += m.title;
    panel.head = part(m.head);
    for (QRectF& wave : panel.waves) wave = part(m.wave);
    y += m.gap;
    panel.numbers = part(numbers);
    y += m.gap;
    panel.likeness = part(likeness);
    at.height = y + 4;
    left = panel.columns.right() + 2 * m.gap;
    at.width = std::max(panel.columns.right(), panel.title.right()) + m.margin;
    at.panels.push_back(panel);
  }
  return at;
}

QRectF PlacesLayout::line(int panel, int row) const {
  const QRectF& all = nth(panels, panel).numbers;
  const double high = all.height() / std::max(1, metrics.numbers);
  return {all.left(), all.top() + row * high, all.width(), high};
}

QRectF PlacesLayout::row(int panel, int place) const {
  const QRectF& all = nth(panels, panel).likeness;
  const double high = all.height() / std::max(1, places());
  return {all.left(), all.top() + place * high, all.width(), high};
}

PlacesHit PlacesLayout::place_at(QPointF point) const {
  using Part = PlacesHit::Part;
  for (int i = 0; i < static_cast<int>(panels.size()); ++i) {
    const Panel& panel = nth(panels, i);
    const int place = panel.columns.at(point.x());
    if (place < 0) continue;
    const auto part = [&](const QRectF& rect, int rows) {
      return std::clamp(static_cast<int>((point.y() - rect.top()) / rect.height() * rows), 0, std::max(0, rows - 1));
    };
    if (panel.head.contains(point)) return {Part::token, i, place, -1};
    for (int wave = 0; wave < kWaves; ++wave)
      if (panel.waves[wave].contains(point)) return {Part::wave, i, place, wave};
    if (panel.numbers.contains(point)) return {Part::numbers, i, place, part(panel.numbers, metrics.numbers)};
    if (panel.likeness.contains(point)) return {Part::likeness, i, place, part(panel.likeness, places())};
  }
  return {};
}

}  // namespace headlight
