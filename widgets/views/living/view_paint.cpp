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
constexpr double kPlateSide = 5, kBeside = 12;  // pixels: of words in a plate, and from a ribbon to its plate
constexpr float kPlate = 0.9F;                  // how much of what runs below it a plate covers

void paint_plate(QPainter& painter, const QRectF& plate, const QString& name, const QString& share) {
  QColor ground = tokens().paper;
  ground.setAlphaF(kPlate);
  draw_box(painter, plate, radius::kCell + 1, Qt::NoPen, ground);
  const QRectF inside = plate.adjusted(kPlateSide, 0, -kPlateSide, 0);
  write(painter, inside, kLeft, name, bold(small_font()), tokens().ink);
  write(painter, inside, kRight, share, small_font(), tokens().ink);
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
  if (layout.divider >= 0)
    draw_line(painter, {layout.body.left() - layout.metrics.names + camera_.scroll.x(), layout.divider},
              {layout.metrics.view.width() + camera_.scroll.x(), layout.divider}, QPen(tokens().edge, 1, Qt::DashLine));
  paint_ribbon_words(painter);
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

// Words on the beds, between the lanes, under the chosen one and in cards, on the page.
std::vector<QRectF> LivingView::written_places() const {
  const LivingLayout& layout = scene_.layout;
  const LivingMetrics& m = layout.metrics;
  std::vector<QRectF> taken;
  for (const LivingTitle& title : layout.titles)
    if (title.scrolls) taken.push_back(title.rect);
  for (const LivingCard& card : cards()) taken.push_back(card.rect);
  for (std::size_t lane = 0; lane < map_->lanes.size(); ++lane) {
    const LivingRow& row = layout.rows[lane];
    if (row.bed > 0 && !layout.beds && row.named)  // what its word brought stands beside it
      taken.emplace_back(row.name_right, row.y - m.small / 2, std::max(46.0, 3.4 * m.small), m.small);
    if (row.bed <= 0 || !layout.beds) continue;
    const int first = map_->embedding(map_->lanes[lane].side);
    if (first >= 0 && scene_.at(first, static_cast<int>(lane)) >= 0.005)
      taken.emplace_back(row.x0 + 4, row.y - m.small / 2, 3.2 * m.small, m.small);
    if (row.named && row.name_right > layout.body.left())
      taken.emplace_back(row.name_right - m.names, row.y - m.line / 2, m.names, m.line);
    if (static_cast<int>(lane) == choice_.lane && layout.slot > 0)
      taken.emplace_back(row.x0 - m.names, row.y + row.bed / 2, row.x1 - row.x0 + m.names, layout.slot);
  }
  return taken;
}

void LivingView::paint_ribbon_words(QPainter& painter) const {
  if (level_ == LivingLevel::model) return;
  std::vector<int> said(map_->stations.size());
  std::vector<QRectF> taken = written_places();
  const QRectF body = scene_.layout.body.translated(camera_.scroll);
  const double high = scene_.layout.metrics.small + 4;
  // Beside its ribbon, where neither words nor another plate are.
  const auto say = [&](const Band& band, const QString& name, const QString& share) {
    const double wide = text_width(name, bold(small_font())) + 2 * kPlateSide +
                        (share.isEmpty() ? 0 : text_width(share, small_font()) + kPlateSide);
    for (const double u : {0.36, 0.28, 0.46, 0.56, 0.2, 0.66}) {
      const double x = band.x0 + (band.x1 - band.x0) * u;
      const double left = std::round(std::min(x + kBeside, body.right() - wide - 4));
      const QRectF plate(left, std::round(band.y_at(x) - high / 2), wide, high);
      const auto lies_on = [&](const QRectF& other) { return other.intersects(plate.adjusted(-2, -1, 2, 1)); };
      if (left < body.left() || std::ranges::any_of(taken, lies_on)) continue;
      taken.push_back(plate);
      paint_plate(painter, plate, name, share);
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
    const QString name = QStringLiteral("%1 → %2").arg(nth(bare_, ends.from), nth(bare_, ends.to));
    if (say(scene_.band(share), name, share_percent(through))) ++count;
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
    above.y0 = above.y1 = band.band.y0 - band.band.w0 / 2 - high / 2 - 1;
    if (read) above.x0 = std::min(above.x0, above.x1 - 150);
    say(above, (read ? tr("row %1 is read: %2") : tr("written to row %1: %2")).arg(slot).arg(share_percent(band.flow1)),
        {});
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
