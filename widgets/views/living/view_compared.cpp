// The living map beside another run: what differs is marked in violet, and said.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/views/living/view.h"

namespace headlight {

using What = LivingSpot::What;

void LivingView::set_compared(std::shared_ptr<const AnalysedRun> with) {
  if (compared_ == with) return;
  compared_ = std::move(with);
  find_difference();
}

void LivingView::find_difference() {
  comparer_.stop();
  difference_ = {};
  if (map_ && compared_ && compared_->result() != map_->result) {
    const auto found = [this](const std::shared_ptr<const LivingMap>& now, LivingDifference difference) {
      if (now != map_) return;
      difference_ = std::move(difference);
      choice_changed();
    };
    if (LivingMaker::is_long(*compared_))
      comparer_.start(
          compared_,
          [now = map_, found](const std::shared_ptr<const LivingMap>& before, const CancelToken&) -> LivingMaker::Done {
            auto difference = before ? living_difference(*now, *before) : LivingDifference();
            return [now, found, difference] { found(now, difference); };
          });
    else if (const auto before = compared_->living())
      found(map_, living_difference(*map_, *before));
  }
  viewport()->update();
}

// A ring at the end of a state that is another one, the larger the more; ribbons that grew or shrank are outlined.
void LivingView::paint_difference(QPainter& painter) const {
  const LivingLayout& layout = scene_.layout;
  for (const LivingDifference::Share& each : difference_.shares) {
    const LivingStation& station = nth(map_->stations, each.share.station);
    const bool own = nth(station.parts, each.share.part).kind == LivingPart::Kind::written;
    const bool placed = nth(layout.stops, each.share.station).shown || map_->family == LivingMap::Family::memory;
    const RibbonEnds ends = ribbon_ends(*map_, each.share);
    if (!placed || (own && !layout.beds) || (!own && ends.from == ends.to)) continue;
    QPen pen(tokens().edited, 1.2);
    if (each.now < each.before) pen.setDashPattern({4, 3});  // it shrank
    painter.strokePath(scene_.band(each.share).path(), pen);
  }
  for (int s = 0; s < static_cast<int>(difference_.states.size()); ++s) {
    const LivingStation& station = nth(map_->stations, s);
    if (station.kind == LivingStation::Kind::memory) continue;
    for (int row = 0; row < station.count; ++row) {
      if (!difference_.state(s, row)) continue;
      const auto at = state_end(s, row);
      if (!at) continue;
      const double apart = nth(nth(difference_.states, s), row);
      const double pitch = nth(layout.rows, station.first + row).pitch;
      const double size = std::min(0.4 * pitch, 1.5 + 4.5 * std::sqrt(std::min(1.0, apart)));
      if (pitch >= 6) draw_dot(painter, *at, size + 1.2, tokens().paper);
      painter.setPen(QPen(tokens().edited, pitch >= 6 ? 1.5 : 1));
      painter.setBrush(Qt::NoBrush);
      painter.drawEllipse(*at, std::max(0.6, size), std::max(0.6, size));
    }
  }
}

// Left of a word at the right that is another one now, or as sure no more.
void LivingView::mark_output(QPainter& painter, int lane, QPointF place) const {
  const auto i = static_cast<std::size_t>(lane);
  if (i >= difference_.outputs.size() || !difference_.outputs[i].other) return;
  draw_dot(painter, place, 4.2, tokens().paper);
  draw_dot(painter, place, 3, tokens().edited);
}

// "; in the other run: 12 %"
QString LivingView::difference_words(const LivingSpot& spot) const {
  if (spot.what == What::next) {
    const auto i = static_cast<std::size_t>(spot.lane);
    if (i >= difference_.outputs.size() || !difference_.outputs[i].other) return {};
    const LivingDifference::Output& other = difference_.outputs[i];
    return tr("; in the run that it is compared with: %1, %2 % sure")
        .arg(in_quotes(token_text(other.text).text), sure_words(other.probability));
  }
  if (spot.what == What::ribbon || spot.what == What::written) {
    for (const LivingDifference::Share& each : difference_.shares)
      if (each.share.station == spot.station && each.share.part == spot.part && each.share.row == spot.row &&
          each.share.column == spot.column)
        return tr("; in the run that it is compared with: share %1").arg(share_percent(each.before));
    return {};
  }
  if (spot.what != What::lane || spot.station < 0) return {};
  const LivingStation& station = nth(map_->stations, spot.station);
  if (!station.has(spot.lane) || !difference_.state(spot.station, spot.lane - station.first)) return {};
  const double apart = nth(nth(difference_.states, spot.station), spot.lane - station.first);
  return tr("; %1 of its length away from the state of the run that it is compared with").arg(share_percent(apart));
}

}  // namespace headlight
