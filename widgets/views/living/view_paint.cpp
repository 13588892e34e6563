// How the living map is painted: the ground, which a worker draws where that takes time, on it the strongest ribbons,
// on them the words.
#include <QPaintEngine>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/selection.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/views/living/view.h"

namespace headlight {

namespace {

using What = LivingSpot::What;

constexpr double kDimmed = 0.32;
constexpr double kPrinted = 300.0 / 96;  // points of fields in files
constexpr int kMostSaid = 3;             // ribbons of a station that have words
constexpr double kLeastSaid = 0.02;

QFont text_font() { return Theme::instance().ui_font(); }
QFont small_font() { return Theme::instance().ui_font(0.85); }

bool is_vector(const QPainter& painter) {
  switch (painter.paintEngine()->type()) {
    case QPaintEngine::SVG:
    case QPaintEngine::Pdf:
    case QPaintEngine::Picture:
      return true;
    default:
      return false;
  }
}

QString sure_words(double probability) {
  return std::isnan(probability) ? QString() : QString::number(100 * probability, 'f', 1);
}

}  // namespace

bool LivingView::dims() const {
  return hovered().what == What::lane || hovered().what == What::ribbon || hovered().what == What::written;
}

void LivingView::paint(QPainter& painter, const QRectF&, bool marks) const {
  if (!map_) return;
  const LivingLayout& layout = scene_.layout;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.save();
  painter.setClipRect(QRectF(0, layout.body.top() - 2, layout.metrics.view.width(), layout.body.height() + 4));
  if (choice_.lane >= 0) {
    const LivingRow& row = layout.rows[static_cast<std::size_t>(choice_.lane)];
    const double left =
        std::max(4.0, (row.named ? row.name_right - layout.metrics.names - 14 : row.x0 - 12) - camera_.scroll.x());
    draw_box(painter,
             {left, row.y - row.pitch / 2 - camera_.scroll.y(), layout.metrics.view.width() - 8 - left,
              row.pitch + layout.slot},
             5, Qt::NoPen, tokens().wash);
  }
  painter.restore();
  painter.save();
  painter.setClipRect(layout.body.adjusted(0, -1, 0.5, 1));
  painter.translate(-camera_.scroll);
  const bool dim = marks && dims();
  if (dim) painter.setOpacity(kDimmed);
  if (is_vector(painter)) {
    scene_.paint_vectors(painter, kPrinted);
    scene_.paint_current(painter, layout.body.translated(camera_.scroll));
  } else {
    ground_.paint(painter, scene_, content_, !marks || !isVisible(), marks ? &motion_ : nullptr);
  }
  painter.setOpacity(1);
  if (dim) {
    const LivingSpot& spot = hovered();
    if (spot.what == What::lane) {
      scene_.paint_lane(painter, spot.lane);
      for (const LivingShare& share : scene_.current) {
        const RibbonEnds ends = ribbon_ends(*map_, share);
        if (ends.from == spot.lane || ends.to == spot.lane) scene_.paint_ribbon(painter, share);
      }
    } else if (spot.what == What::ribbon) {
      scene_.paint_ribbon(painter, spot.share());
      painter.strokePath(scene_.band(spot.share()).path(), QPen(tokens().hovered, 1));
    } else {
      for (const WrittenBand& band : scene_.written_bands(spot.lane))
        if (band.share.station == spot.station) scene_.paint_written(painter, band);
    }
  }
  paint_marks(painter);
  paint_inside(painter, marks);
  paint_ribbon_words(painter);
  if (layout.divider >= 0)
    draw_line(painter, {layout.body.left() - layout.metrics.names + camera_.scroll.x(), layout.divider},
              {layout.metrics.view.width() + camera_.scroll.x(), layout.divider}, QPen(tokens().edge, 1, Qt::DashLine));
  painter.restore();
  paint_pictures(painter, marks);
  paint_titles(painter);
  paint_lane_words(painter, marks);
  paint_lens(painter);
  paint_footer(painter, marks);
}

void LivingView::paint_ribbon_words(QPainter& painter) const {
  if (level_ == LivingLevel::model) return;
  std::vector<int> said(map_->stations.size());
  std::vector<QRectF> taken;
  for (const LivingShare& share : scene_.current) {
    if (!scene_.layout.stops[static_cast<std::size_t>(share.station)].shown) continue;
    const double through = scene_.flow_of(share);
    const RibbonEnds ends = ribbon_ends(*map_, share);
    int& count = said[static_cast<std::size_t>(share.station)];
    if (through < kLeastSaid || ends.from == ends.to || ends.from < 0 || count == kMostSaid) continue;
    const Band band = scene_.band(share);
    const QString text =
        QStringLiteral("%1 → %2 %3").arg(lane_name(ends.from), end_name(share), percent_words(through));
    const QFont font = through > 0.05 ? bold(Theme::instance().ui_font(0.9)) : Theme::instance().ui_font(0.9);
    const QFontMetricsF metrics(font);
    // Along its ribbon, where no other words stand.
    for (const double u : {0.36, 0.28, 0.46, 0.56, 0.2}) {
      const double x = band.x0 + (band.x1 - band.x0) * u, wide = text_width(text, font);
      const double most = scene_.layout.body.right() + camera_.scroll.x() - wide - 4;
      const QPointF at(std::min(x + 10, most), band.y_at(x) + 4);
      const QRectF room(at.x() - 2, at.y() - metrics.ascent(), wide + 4, metrics.height());
      if (std::any_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(room); }))
        continue;
      if (std::any_of(cards().begin(), cards().end(),
                      [&](const LivingCard& card) { return card.rect.intersects(room); }))
        continue;
      taken.push_back(room);
      draw_halo(painter, at, text, font, tokens().ink);
      ++count;
      break;
    }
  }
}

// Letters grow with their rows, and have one pitch.
QFont LivingView::name_font(double pitch) const {
  const Theme& theme = Theme::instance();
  return letters_ ? theme.token_font(std::clamp(pitch / 22, 0.9, 1.5)) : theme.ui_font();
}

// Where the words of a lane stand: in its middle, and of a lane that is higher than what is seen in the part that is.
double LivingView::seen_at(const LivingRow& row) const {
  const QRectF& body = scene_.layout.body;
  const double y = row.y - camera_.scroll.y(), line = scene_.layout.metrics.line;
  const double room = std::max(0.0, row.pitch / 2 - line);
  return std::clamp(std::clamp(y, body.top() + line, std::max(body.top(), body.bottom()) - line), y - room, y + room);
}

void LivingView::paint_next(QPainter& painter, int lane, const LivingRow& row, bool marks) const {
  const LivingLayout& layout = scene_.layout;
  const auto i = static_cast<std::size_t>(lane);
  const bool mine = lane == choice_.lane;
  const double y = seen_at(row), right = layout.metrics.view.width() - 12;
  const double tall = std::max(24.0, layout.metrics.line + 7);
  if (mine && row.pitch >= 12) {
    const double high = std::min(row.pitch - 3, std::max(34.0, 2 * layout.metrics.line));
    draw_box(painter, {layout.next_x - 8, y - high / 2, right + 8 - layout.next_x, high}, 5, QPen(tokens().accent, 2),
             tokens().paper);
  }
  const bool here = marks && hovered().what == What::next && hovered().lane == lane;
  if (here && !mine)
    draw_box(painter, {layout.next_x - 8, y - 11, right + 8 - layout.next_x, 22}, 5, QPen(tokens().hovered, 1));
  if (written_[i].text.isEmpty()) return;
  const LivingLane& of = map_->lanes[i];
  const bool own = of.step >= 0;
  const double number = text_width(QStringLiteral("100.0"), small_font());
  const double bar = right - number - 42;
  const QFont plain = name_font(row.pitch);
  QFont font = own ? bold(plain) : plain;
  if (written_[i].special) font = special_font(font);
  const QColor ink = mine ? tokens().accent : own ? tokens().ink : tokens().ink2;
  if (row.pitch >= layout.metrics.small - 1)
    write_line(painter, {layout.next_x, y - tall / 2, std::max(10.0, bar - 6 - layout.next_x), tall}, kLeft,
               written_[i].text, font, written_[i].stand_in ? tokens().ink2 : ink);
  if (std::isnan(sure_[i])) return;
  const double thick = std::min(6.0, std::max(0.8, row.pitch * 0.6));
  draw_box(painter, {bar, y - thick / 2, 36, thick}, thick / 2, Qt::NoPen, tokens().well);
  draw_box(painter, {bar, y - thick / 2, std::max(std::min(3.0, thick), 36 * sure_[i]), thick}, thick / 2, Qt::NoPen,
           Theme::instance().weight(0.68));
  if (row.pitch >= layout.metrics.small - 1)
    write(painter, {right - number, y - tall / 2, number, tall}, kRight, sure_words(sure_[i]), small_font(),
          own ? tokens().ink : tokens().ink2);
}

void LivingView::paint_lane_words(QPainter& painter, bool marks) const {
  const LivingLayout& layout = scene_.layout;
  painter.save();
  painter.setClipRect(QRectF(0, layout.body.top() - 2, layout.metrics.view.width(), layout.body.height() + 4));
  const bool few = level_ == LivingLevel::model;
  const double tall = std::max(26.0, layout.metrics.line + 9);
  if (few) paint_few_words(painter);
  for (int lane = 0; lane < static_cast<int>(layout.rows.size()); ++lane) {
    const LivingRow& row = layout.rows[static_cast<std::size_t>(lane)];
    if (row.bed <= 0 || row.y - camera_.scroll.y() + row.pitch < layout.body.top() ||
        row.y - camera_.scroll.y() - row.pitch > layout.body.bottom())
      continue;
    const double y = seen_at(row);
    if (row.has_next) paint_next(painter, lane, row, marks);
    if (few || !row.named) continue;
    const auto i = static_cast<std::size_t>(lane);
    const bool mine = lane == choice_.lane;
    const bool under = marks && hovered().lane == lane && hovered().what != What::none;
    const bool token = map_->lanes[i].token >= 0 && selection_->state().source_token == map_->lanes[i].token;
    const QFont plain = name_font(row.pitch);
    QFont font = mine || token ? bold(plain) : plain;
    if (names_[i].special) font = special_font(font);
    const QColor ink = mine                                                                ? tokens().accent
                       : under                                                             ? tokens().hovered
                       : names_[i].special || names_[i].stand_in || map_->lanes[i].padding ? tokens().ink2
                                                                                           : tokens().ink;
    const double right =
        std::max(row.name_right - camera_.scroll.x(), std::min(row.name_right, layout.body.left() - 10));
    const double left = std::max(4.0, right - layout.metrics.names - 8);
    if (right > row.name_right - camera_.scroll.x() + 0.5 && right > layout.body.left())  // beds have moved below it
      draw_box(painter, {left, y - row.bed / 2, right - left + 6, row.bed}, 3, Qt::NoPen, tokens().paper);
    const QString name = row.folded > 1 ? QStringLiteral("%1 %2").arg(row.folded).arg(names_[i].text) : names_[i].text;
    write_line(painter, {left, y - tall / 2, right - left, tall}, kRight, name, row.folded > 1 ? small_font() : font,
               ink);
    if (marks && hasFocus() && cursor_.lane == lane && cursor_.what == What::lane)
      draw_box(painter, {left, y - std::min(12.0, row.pitch / 2), right - left + 4, std::min(24.0, row.pitch)}, 3,
               QPen(tokens().accent, 2));
    // What its own word brought, on its bed.
    const int first = map_->embedding(map_->lanes[i].side);
    double brought = first >= 0 ? scene_.at(first, lane) : 0;
    for (int other = 1; other < row.folded; ++other) brought += scene_.at(first, lane + other);
    if (!layout.beds) {  // beside its name
      if (brought >= 0.0095)
        write(painter, {right, y - tall / 2, std::max(46.0, 3.4 * layout.metrics.small), tall}, kRight,
              percent_words(brought), small_font(), brought > 0.05 ? tokens().ink : tokens().ink2);
      continue;
    }
    const double x = row.x0 - camera_.scroll.x();
    if (brought >= 0.005 && row.bed >= layout.metrics.small - 2 && x + 6 >= layout.body.left() - 4)
      write(painter, {x + 6, y - tall / 2, 5 * layout.metrics.small, tall}, kLeft, percent_words(brought), small_font(),
            Theme::readable_on(scene_.ink.water(brought)));
  }
  if (marks && hasFocus() && cursor_.what == What::lane && cursor_.station >= 0) {
    const LivingStop& stop = layout.stops[static_cast<std::size_t>(cursor_.station)];
    const LivingRow& row = layout.rows[static_cast<std::size_t>(cursor_.lane)];
    const double x = (stop.shown ? stop.x1 : row.x0) - camera_.scroll.x(), y = row.y - camera_.scroll.y();
    draw_box(painter, {x - 3, y - row.bed / 2 - 2, 6, row.bed + 4}, 3, QPen(tokens().accent, 2), tokens().paper);
  }
  painter.restore();
  if (marks && hasFocus() && (cursor_.what == What::ribbon)) {
    painter.save();
    painter.setClipRect(layout.body);
    painter.translate(-camera_.scroll);
    painter.strokePath(scene_.band(cursor_.share()).path(), QPen(tokens().accent, 2));
    painter.restore();
  }
}

// Where lanes are thin: the words that matter, beside each other, each with a line to its lane.
void LivingView::paint_few_words(QPainter& painter) const {
  const LivingLayout& layout = scene_.layout;
  struct Named {
    int lane;
    double weight, y;
  };
  std::vector<Named> words;
  for (int lane = 0; lane < static_cast<int>(layout.rows.size()); ++lane) {
    const LivingRow& row = layout.rows[static_cast<std::size_t>(lane)];
    const double y = row.y - camera_.scroll.y();
    if (row.bed <= 0 || y < layout.body.top() || y > layout.body.bottom()) continue;
    const int first = map_->embedding(map_->lanes[static_cast<std::size_t>(lane)].side);
    double weight = first >= 0 ? scene_.at(first, lane) : 0;
    if (lane == choice_.lane) weight = 2;
    if (lane == hovered().lane && hovered().what != What::none) weight = 3;
    words.push_back({lane, weight, y});
  }
  const double line = layout.metrics.small + 1;
  const auto most = static_cast<std::size_t>(std::max(1.0, std::floor(layout.body.height() / line / 1.2)));
  if (words.size() > most) {
    if (scene_.has_flow()) {
      std::stable_sort(words.begin(), words.end(), [](const Named& a, const Named& b) { return a.weight > b.weight; });
      words.resize(most);
      while (words.size() > 1 && words.back().weight < 0.002) words.pop_back();
      std::sort(words.begin(), words.end(), [](const Named& a, const Named& b) { return a.lane < b.lane; });
    } else {
      std::vector<Named> few;
      for (std::size_t i = 0; i < most; ++i) few.push_back(words[i * words.size() / most]);
      words = few;
    }
  }
  // Down from the top where they would lie on each other, then up from the bottom.
  std::vector<double> at;
  for (const Named& word : words) at.push_back(at.empty() ? word.y : std::max(word.y, at.back() + line));
  double lowest = layout.body.bottom() - line / 2;
  for (std::size_t i = at.size(); i-- > 0;) {
    at[i] = std::min(at[i], lowest);
    lowest = at[i] - line;
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto lane = static_cast<std::size_t>(words[i].lane);
    const LivingRow& row = layout.rows[lane];
    const double right =
        std::max(row.name_right - camera_.scroll.x(), std::min(row.name_right, layout.body.left() - 10)) - 18;
    const bool mine = words[i].lane == choice_.lane;
    QFont font = mine ? bold(small_font()) : small_font();
    if (names_[lane].special) font = special_font(font);
    write_line(painter, {4, at[i] - line / 2, right - 4, line}, kRight, names_[lane].text, font,
               mine ? tokens().accent : tokens().ink);
    QPainterPath leader({right + 3, at[i]});
    leader.cubicTo(right + 12, at[i], right + 14, words[i].y, right + 27, words[i].y);
    painter.strokePath(leader, QPen(mine ? tokens().accent : tokens().line, 1));
  }
}

QString LivingView::title(const LivingTitle& title, QString* second) const {
  using W = LivingTitle::What;
  // What the parts of this kind are of the chosen lane's state.
  const auto of_chosen = [&](LivingPart::Kind kind) {
    double sum = 0;
    const LivingStation& state = map_->stations[static_cast<std::size_t>(title.station)];
    if (!state.has(choice_.lane)) return -1.0;
    for (const LivingPart& part : state.parts)
      if (part.kind == kind && part.share.defined()) {
        const Index row = choice_.lane - state.first;
        for (Index k = 0; k < (part.dense() ? part.columns : 1); ++k)
          sum += std::max(0.0, part.dense() ? part.at(row, k) : static_cast<double>(part.share[row]));
      }
    return sum;
  };
  switch (title.what) {
    case W::layer: {
      const double brought = title.station >= 0 && choice_.lane >= 0 ? of_chosen(LivingPart::Kind::attention) : -1;
      if (brought >= 0) *second = tr("heads bring %1 of %2").arg(percent_words(brought), lane_name(choice_.lane));
      return tr("Layer %1").arg(title.layer + 1);
    }
    case W::encoder_layer:
      return tr("Encoder %1").arg(title.layer + 1);
    case W::decoder_layer:
      return tr("Decoder %1").arg(title.layer + 1);
    case W::mlp: {
      const double wrote = choice_.lane >= 0 ? of_chosen(LivingPart::Kind::written) : -1;
      if (wrote >= 0) *second = tr("writes %1").arg(percent_words(wrote));
      return tr("MLP");
    }
    case W::canals:
      *second = tr("every decoder layer takes from it");
      return tr("The encoder’s output runs on");
    case W::read:
      *second = tr("read");
      return {};
    case W::next:
      *second = map_->result->steps.empty() ? tr("its last state") : tr("next, how sure (%)");
      return {};
    case W::cross_heads:
      *second = tr("down: written, across: read");
      return tr("What each head looks at");
    case W::text:
      *second = tr("share");
      return tr("Text");
    case W::encoder: {
      const LivingStation& river = map_->stations[static_cast<std::size_t>(title.station)];
      *second = river.direction != LivingStation::Direction::only ? tr("reads ↓ ↑")
                : runs_up(river)                                  ? tr("reads ↑")
                                                                  : tr("reads ↓");
      return tr("Encoder");
    }
    case W::decoder:
      *second = tr("writes ↓");
      return tr("Decoder");
    case W::states:
      return tr("States");
    case W::attention:
      *second = tr("what each step takes");
      return tr("Attention");
    case W::controller:
      return tr("Controller");
    case W::memory:
      return tr("Memory");
  }
  return {};
}

void LivingView::paint_titles(QPainter& painter) const {
  const LivingLayout& layout = scene_.layout;
  std::map<double, double> taken;  // by height of the line: how far it is written
  for (const LivingTitle& each : layout.titles) {
    QString second;
    const QString first = title(each, &second);
    QRectF rect = each.rect;
    if (!each.fixed) rect.translate(-camera_.scroll.x(), 0);
    if (each.scrolls) rect.translate(0, -camera_.scroll.y());
    if (rect.right() < layout.body.left() && !each.fixed) continue;
    if (!each.fixed && rect.left() > layout.body.right()) continue;
    if (each.scrolls && (rect.top() < layout.body.top() || rect.bottom() > layout.body.bottom())) continue;
    if (!each.fixed && rect.left() < layout.body.left()) rect.setLeft(layout.body.left());
    const bool right = each.what == LivingTitle::What::read;
    if (first.isEmpty()) {
      if (each.what == LivingTitle::What::next && QFontMetricsF(small_font()).horizontalAdvance(second) > rect.width())
        second = tr("next (%)");
      write_line(painter, rect, right ? kRight : kLeft, second, small_font(), tokens().ink2);
      continue;
    }
    const QFont font = bold(text_font());
    const double wide = text_width(first, font), line = layout.metrics.line;
    double x = rect.left();
    if (each.what == LivingTitle::What::mlp && rect.width() > 40) {  // the key to its stripes
      Band swatch{x, rect.top() + line / 2, 11, x + 14, rect.top() + line / 2, 11};
      painter.fillPath(swatch.path(), Theme::instance().weight(0.5));
      scene_.ink.draw_stripes(painter, swatch);
      x += 20;
    }
    if (rect.width() < 16) continue;
    // Where layers are narrow the first one has its name, the others their numbers, as far as there is room.
    const bool layer = each.layer >= 0 && each.what != LivingTitle::What::mlp;
    QString shown = first;
    if (layer && each.layer > 0 && wide > rect.right() - x) shown = QString::number(each.layer + 1);
    const double shown_wide = text_width(shown, font);
    if (!layer && wide > rect.right() - x) continue;
    if (layer) {
      double& edge = taken[rect.top()];
      if (x < edge + 4) continue;
      edge = x + shown_wide;
    }
    if (shown != first) {
      write(painter, {x, rect.top(), shown_wide + 4, line}, kLeft, shown, font, tokens().ink);
      continue;
    }
    write(painter, {x, rect.top(), wide + 4, line}, kLeft, first, font, tokens().ink);
    if (second.isEmpty()) continue;
    if (rect.height() > line + 4) {
      // Of "writes 74 %" the figure, where there is no room for more.
      if (each.what == LivingTitle::What::mlp && text_width(second, small_font()) > rect.width())
        while (!second.isEmpty() && !second.front().isDigit()) second.remove(0, 1);
      write_line(painter, {rect.left(), rect.top() + line, rect.width(), layout.metrics.small}, kLeft, second,
                 small_font(), tokens().ink2);
    } else {
      const double from = x + wide + 8;
      double until = layout.next_x + 100;
      for (const LivingTitle& other : layout.titles)
        if (!other.fixed && other.rect.top() == each.rect.top() && other.rect.left() > each.rect.left())
          until = std::min(until, other.rect.left() - camera_.scroll.x() - 6);
      if (text_width(second, small_font()) <= until - from)
        write(painter, {from, rect.top(), until - from, line}, kLeft, second, small_font(), tokens().ink2);
    }
  }
}

void LivingView::paint_pictures(QPainter& painter, bool marks) const {
  const LivingLayout& layout = scene_.layout;
  const bool wait = !marks || !isVisible();
  painter.save();
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  painter.setClipRect(layout.body.adjusted(0, -1, 1, 1));
  for (const LivingStrip& strip : layout.strips) {
    const QRectF rect = strip.rect.translated(-camera_.scroll);
    if (!rect.intersects(layout.body)) continue;
    double taken = 0;
    for (const LivingShare& share : scene_.current)
      if (ribbon_ends(*map_, share).from == strip.lane) taken += scene_.flow_of(share);
    painter.setOpacity(!scene_.has_flow() || taken > 0.2 || strip.lane == choice_.lane ? 1 : 0.4);
    painter.drawImage(rect, details_.strip(scene_, strip));
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
      painter.drawImage(rect, picture.head < 0 ? heads->largest : heads->heads[static_cast<std::size_t>(picture.head)]);
    else
      painter.fillRect(rect, tokens().bed);
    const LivingStation& station = map_->stations[static_cast<std::size_t>(picture.station)];
    const LivingPart& part = station.parts[static_cast<std::size_t>(picture.part)];
    const bool causal = part.first_column == station.first &&
                        map_->lanes[static_cast<std::size_t>(station.first)].side == LivingLane::Side::target;
    if (station.has(choice_.lane)) {  // the row that asks
      const double cell = rect.height() / station.count;
      const int row = choice_.lane - station.first;
      const double wide = causal ? (row + 1) * rect.width() / static_cast<double>(part.columns) : rect.width();
      draw_box(painter, {rect.left() - 1, rect.top() + row * cell - 1, wide + 2, std::max(3.0, cell + 2)}, 1,
               QPen(tokens().accent, 1.2));
    }
    const bool here =
        marks && hovered().what == What::head && hovered().station == picture.station && hovered().head == picture.head;
    if (here) draw_box(painter, rect.adjusted(-1, -1, 1, 1), 1, QPen(tokens().hovered, 1.4));
    if (marks_.head(picture.station, picture.part, picture.head)) {  // off, by the person
      draw_box(painter, rect.adjusted(-1.5, -1.5, 1.5, 1.5), 2, QPen(tokens().edited, 1.6));
      draw_line(painter, rect.bottomLeft(), rect.topRight(), QPen(tokens().edited, 1.4));
    }
    if (cursor_.what == What::head && cursor_.station == picture.station && cursor_.part == picture.part &&
        cursor_.head == picture.head && marks)
      draw_box(painter, rect.adjusted(-2, -2, 2, 2), 2, QPen(tokens().accent, 1.6));
    if (!picture.numbered || rect.width() < 20) continue;
    const QString number = QString::number(picture.head + 1);
    const double small = layout.metrics.small;
    if (causal)  // the mask leaves this corner empty
      write(painter, {rect.left(), rect.top() - 2, rect.width() - 3, small}, kRight, number, small_font(),
            tokens().ink2);
    const std::vector<double>& all = details_.brought(scene_, choice_.lane, picture.station, picture.part, wait);
    const double brought = all.empty() ? -1 : all[static_cast<std::size_t>(picture.head)];
    QString below = causal ? QString() : number;
    if (brought >= 0) below = causal ? percent_words(brought) : number + QStringLiteral("  ") + percent_words(brought);
    if (text_width(below, small_font()) <= rect.width() + 2)
      write(painter, {rect.left(), rect.bottom() + 1, rect.width() + 8, small}, kLeft, below, small_font(),
            brought > 0.05 ? tokens().ink : tokens().ink2);
  }
  painter.restore();
}

void LivingView::paint_lens(QPainter& painter) const {
  const LivingLayout& layout = scene_.layout;
  if (layout.slot <= 0 || lens_.empty() || choice_.lane < 0) return;
  const LivingRow& row = layout.rows[static_cast<std::size_t>(choice_.lane)];
  const double y = row.y + row.bed / 2 + 3 - camera_.scroll.y(), line = layout.metrics.small;
  if (y < layout.body.top() || y + line > layout.body.bottom() + 4) return;
  const double right = std::max(row.name_right - camera_.scroll.x(), std::min(row.name_right, layout.body.left() - 10));
  write_line(painter, {4, y, right - 4, line}, kRight, tr("would say"), small_font(), tokens().ink2);
  painter.save();
  painter.setClipRect(layout.body.adjusted(-2, 0, 2, 4));
  double taken = -1e9, last = 1e9;
  const QFont word = bold(small_font());
  // What it says in the end first: it has its place.
  for (std::size_t n = 0; n < lens_.size(); ++n) {
    const std::size_t i = n == 0 ? lens_.size() - 1 : n - 1;
    const LivingLens& lens = lens_[i];
    if (lens.top.empty()) continue;
    const LivingStop& stop = layout.stops[static_cast<std::size_t>(lens.station)];
    const QString says = token_text(lens.top[0].text).text,
                  sure = QString::number(100 * lens.top[0].probability, 'f', 1);
    const double wide = text_width(says, word) + 4 + text_width(sure, small_font());
    double x = (stop.shown ? stop.x1 : row.x0) - camera_.scroll.x();
    if (!stop.shown && i == 0)
      x = row.x0 - camera_.scroll.x();
    else if (i + 1 == lens_.size())
      x = row.x1 - wide - camera_.scroll.x();
    else
      x -= wide / 2;
    if (n == 0)
      last = x;
    else if (x < taken + 10 || x + wide > last - 10)
      continue;
    else
      taken = x + wide;
    write(painter, {x, y, wide, line}, kLeft, says, word, tokens().ink);
    write(painter, {x, y, wide, line}, kRight, sure, small_font(), tokens().ink2);
  }
  painter.restore();
}

// What widths and colours mean, for files: as much of it as there is room for.
QString LivingView::definitions(double room) const {
  const QString output = scene_.has_flow()
                             ? QChar(0x2018) + written_[static_cast<std::size_t>(choice_.lane)].text + QChar(0x2019)
                             : QString();
  QStringList said;
  if (map_->family == LivingMap::Family::memory) said << tr("Width of a canal: size of its row (RMS).");
  if (output.isEmpty()) {
    said << tr("Width: share of what a state is made of; striped: what the step writes itself.")
         << tr("Width: share of what a state is made of.") << tr("Width: share of its state.");
  } else {
    said
        << tr("Width: share of what a state is made of; striped: what the step writes itself. Darkness: share of %1 "
              "that came this way. A share is no cause.")
               .arg(output)
        << tr("Width: share of what a state is made of. Darkness: share of %1 that came this way. A share is no cause.")
               .arg(output)
        << tr("Width: share of its state; striped: written there. Darkness: share of %1. No cause.").arg(output)
        << tr("Width: share of its state. Darkness: share of %1.").arg(output);
  }
  const QFontMetricsF metrics(small_font());
  const bool memory = map_->family == LivingMap::Family::memory;
  for (int i = memory ? 1 : 0; i < said.size(); ++i) {
    const QString whole = memory ? said[0] + QLatin1Char(' ') + said[i] : said[i];
    if (metrics.horizontalAdvance(whole) <= room) return whole;
  }
  return said.last();
}

void LivingView::paint_footer(QPainter& painter, bool marks) const {
  const LivingLayout& layout = scene_.layout;
  if (scene_.has_flow()) scene_.ink.draw_key(painter, layout.key);
  QString text;
  if (marks && maker_.is_late())
    text = tr("Working out what each state is made of …");
  else if (marks && hovered().what != What::none)
    text = words(hovered()).section('\n', 0, 0);
  else if (marks && hasFocus() && cursor_.what != What::none)
    text = words(cursor_).section('\n', 0, 0);
  else if (!marks)
    text = definitions(layout.words.width());
  if (plain_ && text.isEmpty())
    text = tr("Width: plain attention weights, the mean of the heads. W shows shares again.");
  write_line(painter, layout.words, kLeft, text, small_font(), tokens().ink2);
}

}  // namespace headlight
