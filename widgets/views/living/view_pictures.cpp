// The small pictures of the living map: what each head looks at, above the lanes, and states as real numbers beside
// rivers.
#include <QPainter>
#include <algorithm>
#include <span>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/matrix/cells.h"
#include "widgets/text/number_words.h"
#include "widgets/views/living/scene/ink.h"
#include "widgets/views/living/view.h"

namespace headlight {

namespace {

using What = LivingSpot::What;

// Of a text to itself, as far as it was written.
bool is_causal(const LivingMap& map, const LivingPicture& picture) {
  const LivingStation& station = nth(map.stations, picture.station);
  return nth(station.parts, picture.part).first_column == station.first &&
         nth(map.lanes, station.first).side == LivingLane::Side::target;
}

// Over the pictures of heads that share a key-value head.
void paint_bracket(QPainter& painter, const LivingMap& map, const LivingLayout& layout, std::size_t first,
                   double scroll) {
  const LivingPicture& from = layout.pictures[first];
  const auto shared = static_cast<std::size_t>(living_shared_heads(map, from.station));
  if (shared < 2 || from.head < 0 || static_cast<std::size_t>(from.head) % shared != 0) return;
  if (first + shared > layout.pictures.size()) return;
  const LivingPicture& to = layout.pictures[first + shared - 1];
  if (to.station != from.station || to.part != from.part || to.rect.top() != from.rect.top()) return;
  QRectF all = (from.rect | to.rect).adjusted(0, -4, 0, 0);
  if (!from.fixed) all.translate(-scroll, 0);
  const QPen pen(tokens().ink2, 1);
  draw_line(painter, all.topLeft(), all.topRight(), pen);
  draw_line(painter, all.topLeft(), {all.left(), all.top() + 3}, pen);
  draw_line(painter, all.topRight(), {all.right(), all.top() + 3}, pen);
}

}  // namespace

void LivingView::paint_pictures(QPainter& painter, bool marks) const {
  const LivingLayout& layout = scene_.layout;
  const bool wait = !marks || !isVisible();
  painter.save();
  painter.setClipRect(layout.body.adjusted(0, -1, 1, 1));
  for (const LivingStrip& strip : layout.strips) {
    const QRectF rect = strip.rect.translated(-camera_.scroll);
    if (!rect.intersects(layout.body)) continue;
    double taken = 0;
    for (const LivingShare& share : scene_.current)
      if (ribbon_ends(*map_, share).from == strip.lane) taken += scene_.flow_of(share);
    painter.setOpacity(!scene_.has_flow() || taken > 0.2 || strip.lane == choice_.lane ? 1 : 0.4);
    paint_cells(painter, rect, details_.strip(scene_, strip));
  }
  painter.setOpacity(1);
  for (const LivingPicture& picture : layout.pictures) {
    QRectF rect = picture.rect;
    if (!picture.fixed) rect.translate(-camera_.scroll.x(), 0);
    if (!picture.fixed && (rect.right() < layout.body.left() || rect.left() > layout.body.right())) continue;
    painter.setClipRect(picture.fixed
                            ? QRectF(QPointF(), layout.metrics.view)
                            : QRectF(layout.body.left(), 0, layout.body.width(), layout.metrics.view.height()));
    const LivingDetails::Heads* heads = details_.heads(scene_, picture.station, picture.part, wait);
    if (heads)
      paint_cells(painter, rect, picture.head < 0 ? heads->largest : nth(heads->heads, picture.head),
                  std::max(256, kMostRectanglesOfAll / static_cast<int>(layout.pictures.size())));
    else
      painter.fillRect(rect, tokens().bed);
    paint_bracket(painter, *map_, layout, static_cast<std::size_t>(&picture - layout.pictures.data()),
                  camera_.scroll.x());
    const LivingStation& station = nth(map_->stations, picture.station);
    const LivingPart& part = nth(station.parts, picture.part);
    const bool causal = is_causal(*map_, picture);
    if (station.has(choice_.lane)) {  // the row that asks
      const double cell = rect.height() / station.count;
      const int row = choice_.lane - station.first;
      const double wide = causal ? (row + 1) * rect.width() / static_cast<double>(part.columns) : rect.width();
      draw_box(painter, {rect.left() - 1, rect.top() + row * cell - 1, wide + 2, std::max(3.0, cell + 2)}, 1,
               QPen(tokens().accent, 1.2));
    }
    const bool here =
        marks && hovered().what == What::head && hovered().station == picture.station && hovered().head == picture.head;
    if (here) draw_box(painter, rect.adjusted(-1, -1, 1, 1), 1, QPen(tokens().ink, 1.4));
    if (marks_.head(picture.station, picture.part, picture.head)) {  // off, by the person
      draw_box(painter, rect.adjusted(-1.5, -1.5, 1.5, 1.5), 2, QPen(tokens().edited, 1.6));
      draw_line(painter, rect.bottomLeft(), rect.topRight(), QPen(tokens().edited, 1.4));
    }
    if (cursor_.what == What::head && cursor_.station == picture.station && cursor_.part == picture.part &&
        cursor_.head == picture.head && marks)
      draw_box(painter, rect.adjusted(-2, -2, 2, 2), 2, QPen(tokens().accent, 1.6));
  }
  // Their captions, picture by picture of a station.
  for (std::size_t i = 0; i < layout.pictures.size();) {
    std::size_t end = i + 1;
    while (end < layout.pictures.size() && layout.pictures[end].station == layout.pictures[i].station &&
           layout.pictures[end].part == layout.pictures[i].part)
      ++end;
    paint_head_captions(painter, std::span(layout.pictures).subspan(i, end - i), wait);
    i = end;
  }
  painter.restore();
}

// The number of each head and what it brings of the chosen lane's state: all in one way, the longest that all have room
// for; where none is, of the strongest alone.
void LivingView::paint_head_captions(QPainter& painter, std::span<const LivingPicture> heads, bool wait) const {
  const LivingLayout& layout = scene_.layout;
  const LivingPicture& first = heads.front();
  if (!first.numbered || first.rect.width() < 20) return;
  const QPointF moved(first.fixed ? 0 : camera_.scroll.x(), 0);
  const QRectF all = first.rect.united(heads.back().rect).translated(-moved);
  if (!first.fixed && (all.right() < layout.body.left() || all.left() > layout.body.right())) return;
  painter.setClipRect(first.fixed ? QRectF(QPointF(), layout.metrics.view)
                                  : QRectF(layout.body.left(), 0, layout.body.width(), layout.metrics.view.height()));
  const QFont font = small_font();
  const double small = layout.metrics.small, room = first.rect.width() - 1;
  const bool corner = is_causal(*map_, first);  // the mask leaves it empty
  const std::vector<double>& brought = details_.brought(scene_, choice_.lane, first.station, first.part, wait);
  std::vector<QString> numbers, shares, both;
  std::size_t most = 0;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const auto head = static_cast<std::size_t>(heads[i].head);
    numbers.push_back(QString::number(head + 1));
    if (brought.empty()) continue;
    shares.push_back(share_percent(brought[head]));
    both.push_back(numbers.back() + QStringLiteral("  ") + shares.back());
    if (brought[head] > nth(brought, heads[most].head)) most = i;
  }
  const auto fits = [&](const std::vector<QString>& words) {
    return !words.empty() &&
           std::ranges::all_of(words, [&](const QString& word) { return text_width(word, font) <= room; });
  };
  const auto ink = [&](std::size_t i) {
    return !brought.empty() && nth(brought, heads[i].head) > 0.05 ? tokens().ink : tokens().ink2;
  };
  const auto say = [&](const std::vector<QString>& words, double y, bool faint) {
    for (std::size_t i = 0; i < words.size(); ++i)
      write(painter, {heads[i].rect.left() - moved.x(), y, room + 2, small}, kLeft, words[i], font,
            faint ? tokens().ink2 : ink(i));
  };
  const double below = all.bottom() + 1;
  if (corner)
    for (std::size_t i = 0; i < heads.size(); ++i)
      write(painter, {heads[i].rect.left() - moved.x(), all.top() - 2, first.rect.width() - 3, small}, kRight,
            numbers[i], font, tokens().ink2);
  // Two lines where the pictures leave them.
  const bool two = !first.fixed && below + 2 * small <= layout.body.top() - small - 3;
  if (brought.empty()) {
    if (!corner && fits(numbers)) say(numbers, below, true);
  } else if (!corner && fits(both)) {
    say(both, below, false);
  } else if (fits(shares)) {
    if (!corner && two) say(numbers, below, true);
    say(shares, below + (!corner && two ? small : 0), false);
  } else {
    const QString& text = corner ? shares[most] : both[most];
    const double wide = text_width(text, font);
    const double left = std::min(heads[most].rect.left() - moved.x(), all.right() - wide);
    if (left >= all.left()) write(painter, {left, below, wide + 1, small}, kLeft, text, font, ink(most));
  }
}

}  // namespace headlight
