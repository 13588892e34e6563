// How the living map is painted: the ground, which a worker draws where that takes time, on it the strongest ribbons,
// on them the words.
#include <QPainter>
#include <algorithm>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/matrix/cells.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/views/living/scene/ink.h"
#include "widgets/views/living/view.h"

namespace headlight {

namespace {

using What = LivingSpot::What;

constexpr double kDimmed = 0.32;
constexpr double kPrinted = 300.0 / 96;  // points of fields in files
constexpr int kMostSaid = 3;             // ribbons of a station that have words
constexpr double kLeastSaid = 0.02;

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
    const LivingRow& row = nth(layout.rows, choice_.lane);
    const double left =
        std::max(4.0, (row.named ? row.name_right - layout.metrics.names - 14 : row.x0 - 12) - camera_.scroll.x());
    draw_box(painter,
             {left, row.y - row.pitch / 2 - camera_.scroll.y(), layout.metrics.view.width() - 3 - left,
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
    ground_.paint(painter, scene_, content_, !marks || !isVisible());
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
      painter.strokePath(scene_.band(spot.share()).path(), QPen(tokens().ink, 1));
    } else if (!layout.beds) {
      scene_.paint_ribbon(painter, spot.share());
    } else {
      for (const WrittenBand& band : scene_.written_bands(spot.lane))
        if (band.share.station == spot.station) scene_.paint_written(painter, band);
    }
  }
  paint_difference(painter);
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

bool LivingView::rings_ribbon() const {
  return map_->family == LivingMap::Family::memory || nth(scene_.layout.stops, cursor_.station).shown;
}

void LivingView::paint_ribbon_words(QPainter& painter) const {
  if (level_ == LivingLevel::model) return;
  std::vector<int> said(map_->stations.size());
  std::vector<QRectF> taken;
  for (const LivingTitle& title : scene_.layout.titles)
    if (title.scrolls) taken.push_back(title.rect);
  // What stands on the beds, between the lanes and under the chosen one.
  const LivingMetrics& m = scene_.layout.metrics;
  for (std::size_t lane = 0; lane < map_->lanes.size(); ++lane) {
    const LivingRow& row = scene_.layout.rows[lane];
    if (row.bed > 0 && !scene_.layout.beds && row.named)  // what its word brought stands beside it
      taken.emplace_back(row.name_right, row.y - m.small / 2, std::max(46.0, 3.4 * m.small), m.small);
    if (row.bed <= 0 || !scene_.layout.beds) continue;
    const int first = map_->embedding(map_->lanes[lane].side);
    if (first >= 0 && scene_.at(first, static_cast<int>(lane)) >= 0.005)
      taken.emplace_back(row.x0 + 4, row.y - m.small / 2, 3.2 * m.small, m.small);
    if (row.named && row.name_right > scene_.layout.body.left())
      taken.emplace_back(row.name_right - m.names, row.y - m.line / 2, m.names, m.line);
    if (static_cast<int>(lane) == choice_.lane && scene_.layout.slot > 0)
      taken.emplace_back(row.x0 - m.names, row.y + row.bed / 2, row.x1 - row.x0 + m.names, scene_.layout.slot);
  }
  // Along its ribbon, where no other words stand.
  const auto say = [&](const Band& band, const QString& text, double through) {
    const QFont font = through > 0.05 ? bold(theme().ui_font(type::kSource)) : theme().ui_font(type::kSource);
    const QFontMetricsF metrics(font);
    const double wide = text_width(text, font), most = scene_.layout.body.right() + camera_.scroll.x() - wide - 4;
    for (const double u : {0.36, 0.28, 0.46, 0.56, 0.2}) {
      const double x = band.x0 + (band.x1 - band.x0) * u;
      const QPointF at(std::min(x + 10, most), band.y_at(x) + 4);
      const QRectF room(at.x() - 2, at.y() - metrics.ascent(), wide + 4, metrics.height());
      const auto lies_on = [&](const QRectF& other) { return other.intersects(room); };
      if (std::ranges::any_of(taken, lies_on)) continue;
      if (std::ranges::any_of(cards(), [&](const LivingCard& card) { return lies_on(card.rect); })) continue;
      taken.push_back(room);
      draw_halo(painter, at, text, font, tokens().ink, tokens().paper);
      return true;
    }
    return false;
  };
  for (const LivingShare& share : scene_.current) {
    if (!nth(scene_.layout.stops, share.station).shown) continue;
    const double through = scene_.flow_of(share);
    const RibbonEnds ends = ribbon_ends(*map_, share);
    int& count = nth(said, share.station);
    if (through < kLeastSaid || ends.from == ends.to || ends.from < 0 || count == kMostSaid) continue;
    const QString text =
        QStringLiteral("%1 → %2 %3").arg(lane_name(ends.from), lane_name(ends.to), share_percent(through));
    if (say(scene_.band(share), text, through)) ++count;
  }
  if (map_->family != LivingMap::Family::memory || !scene_.has_flow()) return;
  std::vector<LaneBand> bands = scene_.lane_bands();
  std::erase_if(bands, [](const LaneBand& band) { return band.share.station < 0 || band.flow1 < 0.05; });
  std::ranges::stable_sort(bands, [](const LaneBand& a, const LaneBand& b) { return a.flow1 > b.flow1; });
  if (bands.size() > 2 * kMostSaid) bands.resize(2 * kMostSaid);
  for (const LaneBand& band : bands) {
    const bool read = band.share.column >= 0;
    const Index slot = read ? band.share.column : band.share.row;
    // Above its line: that is level.
    Band above = band.band;
    above.y0 = above.y1 = band.band.y0 - band.band.w0 / 2 - 7;
    if (read) above.x0 = std::min(above.x0, above.x1 - 150);
    say(above, (read ? tr("row %1 is read: %2") : tr("written to row %1: %2")).arg(slot).arg(share_percent(band.flow1)),
        band.flow1);
  }
}

// What widths and colours mean, for files: as much of it as there is room for.
QString LivingView::definitions(double room) const {
  const QString output = scene_.has_flow() ? in_quotes(nth(written_, choice_.lane).text) : QString();
  QStringList said;
  if (map_->family == LivingMap::Family::memory) said << tr("Width of a canal: size of its row (RMS).");
  if (output.isEmpty()) {
    said << tr("Wide: a large part of what is known there; striped: what the step writes itself.")
         << tr("Wide: a large part of what is known there.") << tr("Wide: a large part of its state.");
  } else {
    said << tr("Wide: a large part of what is known there; striped: what the step writes itself. Strong colour: it led "
               "to %1. A large share need not matter.")
                .arg(output)
         << tr("Wide: a large part of what is known there. Strong colour: it led to %1. A large share need not matter.")
                .arg(output)
         << tr("Wide: a large part of its state; striped: written there. Strong colour: led to %1.").arg(output)
         << tr("Wide: a large part of its state. Strong colour: led to %1.").arg(output);
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
  if (marks && text.isEmpty() && compared_ && !difference_.lane_before.empty())
    text = difference_.empty()
               ? tr("Nothing here differs from the run that it is compared with.")
               : tr("Violet: what differs from the run that it is compared with; dashed: less than there.");
  if (plain_ && text.isEmpty())
    text = tr("Width: plain attention weights, the mean of the heads. W shows shares again.");
  write_line(painter, layout.words, kLeft, text, small_font(), tokens().ink2);
}

}  // namespace headlight
