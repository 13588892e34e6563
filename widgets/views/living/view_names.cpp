// The words beside the lanes of the living map: what was read, what is written, what each depth would say.
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/selection.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/text/number_words.h"
#include "widgets/views/living/scene/ink.h"
#include "widgets/views/living/scene/spread.h"
#include "widgets/views/living/view.h"

namespace headlight {

namespace {

using What = LivingSpot::What;

constexpr double kMatters = 2;  // the weight of a word that is chosen; of the others it is at most 1

// As many of them as have room, evenly; what is chosen always.
std::vector<LivingWord> evenly(const std::vector<LivingWord>& words, std::size_t most) {
  std::vector<LivingWord> few;
  for (std::size_t i = 0; i < most; ++i) few.push_back(words[i * words.size() / most]);
  const auto chosen = std::ranges::find_if(words, [](const LivingWord& each) { return each.weight >= kMatters; });
  if (chosen == words.end() || std::ranges::count(few, chosen->lane, &LivingWord::lane)) return few;
  *std::ranges::min_element(few, {}, [&](const LivingWord& each) { return std::abs(each.lane - chosen->lane); }) =
      *chosen;
  return few;
}

std::vector<LivingWord> heaviest(std::vector<LivingWord> words, std::size_t most) {
  std::ranges::stable_sort(words, std::greater(), &LivingWord::weight);
  words.resize(most);
  while (words.size() > 1 && words.back().weight < 0.002) words.pop_back();
  std::ranges::sort(words, {}, &LivingWord::lane);
  return words;
}

// Of words in the order of their lanes, those that have room between top and bottom, each as near to its lane as the
// others allow.
std::vector<LivingWord> thinned(std::vector<LivingWord> words, bool by_weight, double line, double top, double bottom) {
  const auto most = static_cast<std::size_t>(std::max(1.0, std::floor((bottom - top) / line)));
  if (words.empty() || bottom - top < 0.6 * line) return {};
  if (words.size() > most) words = by_weight ? heaviest(std::move(words), most) : evenly(words, most);
  std::vector<double> wanted, weights;
  for (const LivingWord& word : words) {
    wanted.push_back(word.y);
    weights.push_back(word.weight >= kMatters ? 1000 : 1);
  }
  const std::vector<double> at = spread_lines(wanted, weights, line, top, bottom);
  for (std::size_t i = 0; i < words.size(); ++i) words[i].at = at[i];
  return words;
}

}  // namespace

// Letters grow with their rows, and have one pitch.
QFont LivingView::name_font(double pitch) const {
  const double line = std::ceil(QFontMetricsF(theme().ui_font()).height());
  return letters_ ? theme().text_font(
                        true, std::clamp(pitch / (1.375 * line), Theme::smallest(true), type::kQuestion / type::kTitle))
                  : theme().ui_font();
}

// Where the words of a lane stand: in its middle, and of a lane that is higher than what is seen in the part that is.
double LivingView::seen_at(const LivingRow& row) const {
  const QRectF& body = scene_.layout.body;
  const double y = row.y - camera_.scroll.y(), line = scene_.layout.metrics.line;
  const double room = std::max(0.0, row.pitch / 2 - line);
  return std::clamp(std::clamp(y, body.top() + line, std::max(body.top(), body.bottom()) - line), y - room, y + room);
}

// Of the frame around what is chosen: it leaves the words above and below whole where it can.
double LivingView::frame_height(const LivingRow& row) const {
  const LivingMetrics& m = scene_.layout.metrics;
  const double most = std::max(34.0, 2 * m.line);
  return row.pitch - 3 > m.line + 4 ? std::min(row.pitch - 3, most)
                                    : std::clamp(2 * (row.pitch - 0.42 * m.line), m.small + 3, m.line + 4);
}

// Where lanes are too thin for them: the outputs that have room, by the rule of the words in front of the lanes. What
// the model wrote comes before what it would have gone on with behind a word of the text. Empty: each has its own line.
std::vector<LivingWord> LivingView::next_words() const {
  const LivingLayout& layout = scene_.layout;
  const double line = layout.metrics.small + 1;
  std::vector<LivingWord> words;
  bool thin = false, named = false;
  double top = layout.body.bottom(), bottom = layout.body.top();
  for (std::size_t i = 0; i < layout.rows.size(); ++i) {
    const LivingRow& row = layout.rows[i];
    if (!row.has_next || row.bed <= 0) continue;
    const double y = row.y - camera_.scroll.y();
    thin = thin || row.pitch < layout.metrics.small - 1;
    top = std::min(top, y - row.pitch / 2);
    bottom = std::max(bottom, y + row.pitch / 2);
    if (y < layout.body.top() || y > layout.body.bottom() || written_[i].text.isEmpty()) continue;
    const int lane = static_cast<int>(i);
    const double weight = lane == choice_.lane ? kMatters : (map_->lanes[i].step >= 0 ? 0.5 : 0) + 0.5 * brought(lane);
    named = named || row.named;
    words.push_back({lane, weight, y, y});
  }
  if (!thin) return {};
  top = std::max(top - line / 2, layout.body.top() - 2);
  bottom = std::min(bottom + line / 2, layout.body.bottom() + 2);
  return thinned(std::move(words), scene_.has_flow() && named, line, top, bottom);
}

void LivingView::paint_few_next(QPainter& painter, const std::vector<LivingWord>& words, bool marks) const {
  for (const LivingWord& word : words) {
    const double x = scene_.layout.next_x;
    QPainterPath leader({x - 17, word.y});
    leader.cubicTo(x - 11, word.y, x - 11, word.at, x - 4, word.at);
    const bool mine = word.lane == choice_.lane;
    painter.strokePath(leader, QPen(mine ? tokens().accent : tokens().line, 1));
    paint_next(painter, word.lane, marks, &word);
  }
}

void LivingView::paint_next(QPainter& painter, int lane, bool marks, const LivingWord* placed) const {
  const LivingLayout& layout = scene_.layout;
  const LivingRow& row = nth(layout.rows, lane);
  const auto i = static_cast<std::size_t>(lane);
  const bool mine = lane == choice_.lane;
  const double y = placed ? placed->at : seen_at(row), right = layout.metrics.view.width() - kMargin;
  const QFont plain = placed ? small_font() : name_font(row.pitch);
  const double tall = std::max(24.0, QFontMetricsF(plain).height() + 7);
  const bool here = marks && hovered().what == What::next && hovered().lane == lane;
  // Whole, or not at all: not what the frame of the chosen one reaches into.
  const LivingRow* chosen = choice_.lane >= 0 ? &nth(layout.rows, choice_.lane) : nullptr;
  const bool framed = !mine && chosen && chosen->has_next &&
                      std::abs(y - seen_at(*chosen)) < frame_height(*chosen) / 2 + 0.36 * layout.metrics.line;
  const bool readable = placed || (row.pitch >= layout.metrics.small - 1 && !framed);
  if (mine || (here && !readable)) {  // what is chosen can be read, however thin its lane is
    const double high = frame_height(row);
    draw_box(painter, {layout.next_x - 8, y - high / 2, right + 16 - layout.next_x, high}, 5,
             mine ? QPen(tokens().accent, 2) : QPen(tokens().ink, 1), tokens().paper);
  } else if (here) {
    draw_box(painter, {layout.next_x - 8, y - 11, right + 16 - layout.next_x, 22}, 5, QPen(tokens().ink, 1));
  }
  mark_output(painter, lane, {layout.next_x - 7, y});
  if (written_[i].text.isEmpty()) return;
  const LivingLane& of = map_->lanes[i];
  const bool own = of.step >= 0;
  const double number = text_width(QStringLiteral("100.0"), small_font());
  const double bar = right - number - 42;
  QFont font = own ? bold(plain) : plain;
  if (written_[i].special) font = special_font(font);
  const QColor ink = mine ? tokens().accent : own ? tokens().ink : tokens().ink2;
  if (readable || mine || here)
    write_line(painter, {layout.next_x, y - tall / 2, std::max(10.0, bar - 6 - layout.next_x), tall}, kLeft,
               written_[i].text, font, written_[i].stand_in ? tokens().ink2 : ink);
  if (std::isnan(sure_[i])) return;
  const double thick = std::min(6.0, std::max(0.8, row.pitch * 0.6));
  draw_box(painter, {bar, y - thick / 2, 36, thick}, thick / 2, Qt::NoPen, tokens().well);
  draw_box(painter, {bar, y - thick / 2, std::max(std::min(3.0, thick), 36 * sure_[i]), thick}, thick / 2, Qt::NoPen,
           theme().weight(0.68));
  if (readable || mine || here)
    write(painter, {right - number, y - tall / 2, number, tall}, kRight, sure_words(sure_[i]), small_font(),
          own ? tokens().ink : tokens().ink2);
}

// Of the output, by the word of a lane, or of all that are folded into it.
double LivingView::brought(int lane) const {
  const int first = map_->embedding(nth(map_->lanes, lane).side);
  double sum = 0;
  for (int other = 0; other < nth(scene_.layout.rows, lane).folded; ++other) sum += scene_.at(first, lane + other);
  return sum;
}

// In whole percent as the panel beside the map has them, which together are 100; of less than that with a digit more.
QString LivingView::brought_words(int lane) const {
  const double share = brought(lane);
  int whole = 0;
  for (int other = 0; other < nth(scene_.layout.rows, lane).folded; ++other)
    whole += lane + other < static_cast<int>(percent_.size()) ? nth(percent_, lane + other) : 0;
  return whole > 0 && share >= 0.0095 ? QStringLiteral("%1 %").arg(whole) : share_percent(share);
}

// A lane's own word in front of it, and what that brought, on its bed.
void LivingView::paint_name(QPainter& painter, int lane, double y, bool marks) const {
  const LivingLayout& layout = scene_.layout;
  const LivingRow& row = nth(layout.rows, lane);
  const auto i = static_cast<std::size_t>(lane);
  const bool mine = lane == choice_.lane;
  const bool under = marks && hovered().lane == lane && hovered().what != What::none;
  const bool token = map_->lanes[i].token >= 0 && selection_->state().source_token == map_->lanes[i].token;
  const QFont plain = name_font(row.pitch);
  const double tall = std::max(26.0, QFontMetricsF(plain).height() + 9);
  QFont font = mine || token ? bold(plain) : plain;
  if (names_[i].special) font = special_font(font);
  const QColor ink = mine                                                                ? tokens().accent
                     : under                                                             ? tokens().ink
                     : names_[i].special || names_[i].stand_in || map_->lanes[i].padding ? tokens().ink2
                                                                                         : tokens().ink;
  const double right = std::max(row.name_right - camera_.scroll.x(), std::min(row.name_right, layout.body.left() - 10));
  const double left = std::max(4.0, right - layout.metrics.names - 8);
  if (right > row.name_right - camera_.scroll.x() + 0.5 && right > layout.body.left())  // beds have moved below it
    draw_box(painter, {left, y - row.bed / 2, right - left + 6, row.bed}, 3, Qt::NoPen, tokens().paper);
  write_line(painter, {left, y - tall / 2, right - left, tall}, kRight, row_name(lane, right - left),
             row.folded > 1 ? small_font() : font, ink);
  // What its own word brought, on its bed.
  const double share = brought(lane);
  if (!layout.beds) {  // beside its name
    if (share >= 0.0095)
      write(painter, {right, y - tall / 2, std::max(46.0, 3.4 * layout.metrics.small), tall}, kRight,
            brought_words(lane), small_font(), share > 0.05 ? tokens().ink : tokens().ink2);
    return;
  }
  const double x = row.x0 - camera_.scroll.x();
  if (share >= 0.005 && row.bed >= layout.metrics.small - 2 && x + 6 >= layout.body.left() - 4) {
    const bool faded = marks && dims() && (hovered().what != What::lane || lane != hovered().lane);
    // On a plate of what it stands on: ribbons that begin here would cross it.
    const QColor water = faded ? tokens().paper : scene_.ink.water(share);
    const QString text = brought_words(lane);
    const double high = std::min(row.bed, layout.metrics.small);
    const QRectF plate(x + 4, y - high / 2, text_width(text, small_font()) + 4, high);
    draw_box(painter, plate, 2, Qt::NoPen, water);
    write(painter, plate.adjusted(2, 0, 2, 0), kLeft | Qt::TextDontClip, text, small_font(),
          faded ? tokens().ink2 : Theme::readable_on(water));
  }
}

void LivingView::paint_lane_words(QPainter& painter, bool marks) const {
  const LivingLayout& layout = scene_.layout;
  painter.save();
  painter.setClipRect(QRectF(0, layout.body.top() - 2, layout.metrics.view.width(), layout.body.height() + 4));
  const bool few = names_few_lanes();
  if (few) paint_few_words(painter);
  const std::vector<LivingWord> next = next_words();
  for (int lane = 0; lane < static_cast<int>(layout.rows.size()); ++lane) {
    const LivingRow& row = nth(layout.rows, lane);
    if (row.bed <= 0 || row.y - camera_.scroll.y() + row.pitch < layout.body.top() ||
        row.y - camera_.scroll.y() - row.pitch > layout.body.bottom())
      continue;
    const double y = seen_at(row);
    if (row.has_next) {
      // What is chosen, or under the mouse, lies over its neighbours.
      const bool over = lane == choice_.lane || (marks && hovered().what == What::next && hovered().lane == lane);
      if (!next.empty())
        mark_output(painter, lane, {layout.next_x - 7, y});
      else if (!over)
        paint_next(painter, lane, marks);
    }
    if (!few && row.named) paint_name(painter, lane, y, marks);
  }
  paint_few_next(painter, next, marks);
  for (const int lane : {marks && hovered().what == What::next ? hovered().lane : -1, choice_.lane}) {
    if (lane < 0 || !nth(layout.rows, lane).has_next || nth(layout.rows, lane).bed <= 0) continue;
    const auto word = std::ranges::find(next, lane, &LivingWord::lane);
    paint_next(painter, lane, marks, word == next.end() ? nullptr : &*word);
  }
  if (marks && cursor_.what == What::lane && cursor_.station >= 0) {
    const LivingStop& stop = nth(layout.stops, cursor_.station);
    const LivingRow& row = nth(layout.rows, cursor_.lane);
    const double x = (stop.shown ? stop.x1 : row.x0) - camera_.scroll.x(), y = row.y - camera_.scroll.y();
    draw_box(painter, {x - 3, y - row.bed / 2 - 2, 6, row.bed + 4}, 3, QPen(tokens().accent, 2), tokens().paper);
  }
  painter.restore();
  if (marks && cursor_.what == What::ribbon && rings_ribbon()) {
    painter.save();
    painter.setClipRect(layout.body);
    painter.translate(-camera_.scroll);
    painter.strokePath(scene_.band(cursor_.share()).path(), QPen(tokens().accent, hasFocus() ? 2 : 1.4));
    painter.restore();
  }
}

// Lanes that are thinner than their words, at this size of type.
bool LivingView::names_few_lanes() const {
  if (level_ == LivingLevel::model) return true;
  const auto& rows = scene_.layout.rows;
  return std::ranges::any_of(rows, [&](const LivingRow& row) {
    return row.bed > 0 && row.named && row.pitch < 0.75 * scene_.layout.metrics.line;
  });
}

// Where lanes are thin: the words that matter, each with a line to its lane, as near to it as the others allow.
void LivingView::paint_few_words(QPainter& painter) const {
  const LivingLayout& layout = scene_.layout;
  const double line = layout.metrics.small + 1;
  const auto place = [&](std::vector<LivingWord> words, double top, double bottom) {
    for (const LivingWord& word : thinned(std::move(words), scene_.has_flow(), line, top, bottom)) {
      const LivingRow& row = nth(layout.rows, word.lane);
      const double right =
          std::max(row.name_right - camera_.scroll.x(), std::min(row.name_right, layout.body.left() - 10)) - 18;
      const bool mine = word.lane == choice_.lane;
      QFont font = mine ? bold(small_font()) : small_font();
      if (nth(names_, word.lane).special) font = special_font(font);
      write_line(painter, {4, word.at - line / 2, right - 4, line}, kRight, row_name(word.lane, right - 4), font,
                 mine ? tokens().accent : tokens().ink);
      QPainterPath leader({right + 3, word.at});
      leader.cubicTo(right + 12, word.at, right + 14, word.y, right + 27, word.y);
      painter.strokePath(leader, QPen(mine ? tokens().accent : tokens().line, 1));
    }
  };
  using Side = LivingLane::Side;
  for (const Side side : {Side::source, Side::target}) {
    const auto [first, count] = map_->range(side);
    std::vector<LivingWord> above, below;  // the row of the lens, which stands under the chosen lane
    double top = layout.body.bottom(), bottom = layout.body.top(), slot = 0;
    const bool has_slot = layout.slot > 0 && choice_.lane >= first && choice_.lane < first + count;
    for (int lane = first; lane < first + count; ++lane) {
      const LivingRow& row = nth(layout.rows, lane);
      const double y = row.y - camera_.scroll.y();
      if (row.bed <= 0 || !row.named) continue;
      top = std::min(top, y - row.pitch / 2);
      bottom = std::max(bottom, y + row.pitch / 2);
      if (y < layout.body.top() || y > layout.body.bottom()) continue;
      double weight = brought(lane);
      if (lane == choice_.lane) weight = kMatters, slot = y + row.pitch / 2;
      if (lane == hovered().lane && hovered().what != What::none) weight = kMatters + 1;
      (has_slot && lane > choice_.lane ? below : above).push_back({lane, weight, y, y});
    }
    top = std::max(top - line / 2, layout.body.top() - 2);
    bottom = std::min(bottom + line / 2, layout.body.bottom() + 2);
    place(above, top, has_slot && slot > 0 ? std::min(bottom, slot + 2) : bottom);
    if (has_slot) place(below, std::max(top, slot + layout.slot), bottom);
  }
}

void LivingView::paint_lens(QPainter& painter) const {
  const LivingLayout& layout = scene_.layout;
  if (layout.slot <= 0 || lens_.empty() || choice_.lane < 0) return;
  const LivingRow& row = nth(layout.rows, choice_.lane);
  const double y = row.y + row.bed / 2 + 3 - camera_.scroll.y(), line = layout.metrics.small;
  if (y < layout.body.top() || y + line > layout.body.bottom() + 4) return;
  const double right = std::max(row.name_right - camera_.scroll.x(), std::min(row.name_right, layout.body.left() - 10));
  struct Said {
    QString word, sure;
    double x = 0, wide = 0;
  };
  const QFont font = bold(small_font());
  const auto said = [&](std::size_t i) {
    const LivingLens& lens = lens_[i];
    const LivingStop& stop = nth(layout.stops, lens.station);
    Said each;
    if (!lens.top.empty())
      each.word = token_text(lens.top[0].text).text, each.sure = sure_words(lens.top[0].probability);
    each.wide = text_width(each.word, font) + 4 + text_width(each.sure, small_font());
    const double at = (stop.shown ? stop.x1 : row.x0) - camera_.scroll.x();
    each.x = i + 1 == lens_.size()   ? row.x1 - camera_.scroll.x() - each.wide
             : !stop.shown && i == 0 ? at
                                     : at - each.wide / 2;
    return each;
  };
  // What it says in the end stays, whatever has no room beside it.
  const std::size_t last = lens_.size() - 1;
  const double edge = said(last).x;
  const bool alone = edge < right + 10;
  if (!alone)
    write_line(painter, {4, y, right - 4, line}, kRight, tr("if it stopped here"), small_font(), tokens().ink2);
  painter.save();
  painter.setClipRect(layout.body.adjusted(alone ? -layout.body.left() : -2, 0, 2, 4));
  double taken = -1e9;
  for (std::size_t i = 0; i <= last; ++i) {
    const Said each = said(i);
    if (i < last && (each.word.isEmpty() || each.x < taken + 10 || each.x + each.wide > edge - 10)) continue;
    taken = each.x + each.wide;
    write(painter, {each.x, y, each.wide, line}, kLeft, each.word, font, tokens().ink);
    write(painter, {each.x, y, each.wide, line}, kRight, each.sure, small_font(), tokens().ink2);
  }
  painter.restore();
}

}  // namespace headlight
