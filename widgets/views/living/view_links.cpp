// What is chosen in the living map and what is chosen elsewhere are one thing: a weight of the trace is a ribbon here,
// a state the end of a lane, a probability a candidate.
#include <QMenu>
#include <utility>

#include "model/analysis/living/weights.h"
#include "widgets/base/selection.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/views/living/view.h"

namespace headlight {

using What = LivingSpot::What;

// By the person, in this view: the cursor is there already.
void LivingView::select(const SelectionState& state) {
  selecting_ = true;
  selection_->set(state);
  selecting_ = false;
  lit_ = selection_->state();
}

LivingSpot LivingView::spot_of(const LivingShare& share) const {
  const LivingStation& station = nth(map_->stations, share.station);
  const bool written = nth(station.parts, share.part).kind == LivingPart::Kind::written;
  const bool memory = station.kind == LivingStation::Kind::memory;
  return {.what = written ? What::written : What::ribbon,
          .lane = memory ? static_cast<int>(station.moment) : ribbon_ends(*map_, share).to,
          .station = share.station,
          .part = share.part,
          .row = share.row,
          .column = share.column};
}

// Of a ribbon: the weight of the head that looks there most.
void LivingView::choose_weight(const LivingSpot& spot) {
  if (spot.what != What::ribbon || !run()) return;
  const auto weight = weight_of(*map_, run()->maps(), spot.share());
  if (!weight) return;
  SelectionState state = selection_->state();
  state.entry = weight->entry;
  state.cell = static_cast<qint64>(weight->cell);
  const RibbonEnds ends = ribbon_ends(*map_, spot.share());
  const int token = ends.from >= 0 ? nth(map_->lanes, ends.from).token : -1;
  if (token >= 0) state.source_token = token;
  selecting_ = true;
  emit weightChosen(attention_kind(*map_, spot.station, spot.part), nth(map_->stations, spot.station).layer,
                    weight->head);
  selecting_ = false;
  select(state);
}

void LivingView::show_head(AttentionMap::Kind kind, Index layer, Index head) {
  if (!map_ || head < 0 || selecting_) return;
  for (int s = 0; s < static_cast<int>(map_->stations.size()); ++s) {
    const LivingStation& station = nth(map_->stations, s);
    for (int p = 0; p < static_cast<int>(station.parts.size()); ++p) {
      const LivingPart& part = nth(station.parts, p);
      if (!part.dense() || part.heads <= head || station.layer != layer || attention_kind(*map_, s, p) != kind)
        continue;
      return set_cursor({.what = What::head, .station = s, .part = p, .head = head});
    }
  }
}

void LivingView::follow_selection() {
  if (!isVisible()) mark_stale();
  if (!is_fresh() || !map_) return;
  const SelectionState& state = selection_->state();
  const int lane = state.step ? map_->lane_of_step(*state.step) : -1;
  if (state.step) unasked_ = false;
  // An output of a lane that no step wrote is known here alone, and so is one that nobody has chosen.
  const bool own = choice_.lane >= 0 && (unasked_ || nth(map_->lanes, choice_.lane).step < 0);
  if (lane != choice_.lane && !(lane < 0 && own)) {
    choice_ = {lane, -1};
    take_flow();
  }
  if (!selecting_) light_selection();
  viewport()->update();
}

// Lights what somebody has chosen elsewhere; a ribbon or number of which nothing is chosen any more is none.
void LivingView::light_selection() {
  const SelectionState& state = selection_->state();
  if (!map_ || !run()) return;
  const SelectionState before = std::exchange(lit_, state);
  if (!state.entry || !state.cell) {
    const bool number = cursor_.what == What::ribbon || cursor_.what == What::number;
    const bool other = before.step != state.step || before.source_token != state.source_token;
    if (number && other && !hasFocus()) set_cursor({});
    return;
  }
  if (const LivingSpot spot = spot_in_trace(*state.entry, static_cast<Index>(*state.cell)); spot.what != What::none)
    set_cursor(spot);
}

LivingSpot LivingView::spot_in_trace(int entry, Index cell) const {
  // Chosen in a run that is newer than the one that is shown.
  if (const Trace* trace = map_->result->trace.get(); !trace || entry < 0 || entry >= trace->size()) return {};
  // A weight goes into more than one part where one is drawn as what was looked up, and one as what it does.
  LivingSpot found;
  for (const LivingShare& share : headlight::ribbons_of(*map_, run()->maps(), entry, cell)) {
    const LivingStop& stop = nth(scene_.layout.stops, share.station);
    if (found.what == What::none || stop.shown) found = spot_of(share);
    if (stop.shown) break;
  }
  if (found.what != What::none) return found;
  const auto holds = [&](const LivingPlace& place, Index count) {
    return place.entry == entry && cell >= place.first && cell < place.first + count;
  };
  for (int s = 0; s < static_cast<int>(map_->stations.size()); ++s) {
    const LivingStation& station = nth(map_->stations, s);
    if (station.side == LivingLane::Side::memory) continue;
    for (std::size_t row = 0; row < station.places.size(); ++row) {
      if (!holds(station.places[row], station.units)) continue;
      found.what = What::lane;
      found.station = s;
      found.lane = station.first + static_cast<int>(row);
      if (nth(scene_.layout.stops, s).shown) return found;
    }
  }
  if (found.what != What::none) return found;
  // A number inside of a state: of the output and the word that are chosen with it.
  const Index layer = (*map_->result->trace)[entry].site.layer;
  const SelectionState& state = selection_->state();
  const int lanes[] = {state.step ? map_->lane_of_step(*state.step) : -1,
                       state.source_token ? map_->lane_of_token(*state.source_token) : -1};
  for (int s = 0; s < static_cast<int>(map_->stations.size()); ++s) {
    const LivingStation& station = nth(map_->stations, s);
    if (station.layer != layer) continue;
    for (const int lane : lanes) {
      if (!station.has(lane)) continue;
      const auto inside = insides_.of(*map_, s, lane - station.first);
      for (std::size_t v = 0; v < inside->values.size(); ++v) {
        const LivingValues& value = inside->values[v];
        for (Index row = 0; row < value.row_count(); ++row) {
          const LivingPlace& place = nth(value.rows, row);
          const Index along = cell - place.first;
          if (place.entry != entry || along < 0 || along % value.step != 0 || along / value.step >= value.columns)
            continue;
          found.what = level_ >= LivingLevel::layer ? What::number : What::lane;
          found.station = s;
          found.lane = lane;
          if (found.what == What::number) {
            found.row = lane - station.first;
            found.number = {static_cast<int>(v), row, along / value.step};
          }
          return found;
        }
      }
    }
  }
  return found;
}

// Of a ribbon or a head: to cut it.
bool LivingView::menu(std::optional<QPointF> point, const QPoint& global) {
  if (!map_) return false;
  if (const LivingSpot spot = point ? place_at(*point) : cursor_; spot.what == What::ribbon || spot.what == What::head)
    set_cursor(spot);
  else
    return false;
  if (cut().empty()) return false;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("&Cut it"), this, &LivingView::cutWanted)->setShortcut(Qt::Key_Delete);
  add_frame_actions(this, menu);
  menu->popup(point ? global : viewport()->mapToGlobal(cursor_rect().center().toPoint()));
  return true;
}

}  // namespace headlight
