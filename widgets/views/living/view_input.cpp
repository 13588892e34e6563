// Mouse and keyboard of the living map.
#include <QKeyEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "model/analysis/living/weights.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/views/living/view.h"

namespace headlight {

namespace {

using What = LivingSpot::What;

constexpr double kWheel = 1.0015;  // of an eighth of a degree

}  // namespace

// The ribbon under a point of the page, or what the step that lies there writes itself into its lane.
std::optional<LivingSpot> LivingView::ribbon_at(QPointF page, int lane) const {
  const LivingLayout& layout = scene_.layout;
  // The current first: it lies on top. Then all between the two nearest lanes.
  const auto hits = [&](const LivingShare& share, double slack) {
    const RibbonEnds ends = ribbon_ends(*map_, share);
    if (ends.from == ends.to || ends.from < 0) return false;
    return nth(layout.stops, share.station).shown && scene_.band(share).hit(page, slack);
  };
  for (const LivingShare& share : scene_.current)
    if (scene_.flow_of(share) > 0.01 && hits(share, 3)) return spot_of(share);
  if (map_->family == LivingMap::Family::memory)  // what is written to its rows and read from them
    for (const LaneBand& band : scene_.lane_bands())
      if (band.share.station >= 0 && band.band.hit(page, 2)) return spot_of(band.share);
  for (int s = 0; s < static_cast<int>(map_->stations.size()); ++s) {
    const LivingStop& stop = nth(layout.stops, s);
    if (!stop.shown || page.x() < stop.x0 || page.x() > stop.x1) continue;
    const LivingStation& station = nth(map_->stations, s);
    if (lane >= 0 && std::abs(page.y() - nth(layout.rows, lane).y) <= nth(layout.rows, lane).bed / 2) {
      // On a bed: what the step writes itself, if it is that.
      for (const WrittenBand& band : scene_.written_bands(lane))
        if (band.share.station == s && band.band.hit(page, 0))
          return LivingSpot{
              .what = What::written, .lane = lane, .station = s, .part = band.share.part, .row = band.share.row};
      break;
    }
    // Between the lanes: the widest that is hit, of lanes near the right end of what passes here.
    LivingShare best;
    double widest = 0.3;
    for (int row = 0; row < station.count; ++row) {
      const LivingRow& to = nth(layout.rows, station.first + row);
      if (std::abs(to.y - page.y()) > 6 * to.pitch + 40) continue;
      scene_.stack->each(s, row, [&](const StackPiece& piece) {
        if (!scene_.crosses(s, nth(station.parts, piece.part)) || piece.from == station.first + row) return;
        const Band band = scene_.plan->band(*map_, layout, s, row, piece);
        const double wide = band.width_at(page.x());
        if (wide <= widest || !band.hit(page, 2)) return;
        widest = wide;
        best = {s, piece.part, row, piece.column, -1};
      });
    }
    if (best.station >= 0) return spot_of(best);
    break;
  }
  return std::nullopt;
}

LivingSpot LivingView::place_at(QPointF point) const {
  LivingSpot spot;
  if (!map_) return spot;
  const LivingLayout& layout = scene_.layout;
  for (const LivingPicture& picture : layout.pictures) {
    QRectF rect = picture.rect;
    if (!picture.fixed) rect.translate(-camera_.scroll.x(), 0);
    if (!rect.contains(point)) continue;
    return {.what = What::head, .station = picture.station, .part = picture.part, .head = picture.head};
  }
  if (point.y() < layout.body.top() || point.y() > layout.body.bottom()) return spot;
  const QPointF page = layout.to_page(point);
  if (point.x() >= layout.body.left() && point.x() < layout.next_x - 8)
    if (const auto inside = spot_inside(page)) return *inside;
  for (const LivingStrip& strip : layout.strips)
    if (nth(map_->stations, strip.station).experts.defined() && strip.rect.contains(page))
      return {.what = What::lane, .lane = strip.lane, .station = strip.station};
  spot.lane = layout.lane_at(page);
  if (point.x() >= layout.next_x - 8) {
    // What is written stands at the right, whichever lanes run below it.
    for (const LivingWord& word : next_words())
      if (std::abs(point.y() - word.at) <= (layout.metrics.small + 1) / 2)
        return {.what = What::next, .lane = word.lane};
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
      const LivingRow& row = layout.rows[i];
      if (row.has_next && std::abs(page.y() - row.y) <= row.pitch / 2)
        return {.what = What::next, .lane = static_cast<int>(i)};
    }
    return {};
  }
  if (point.x() >= layout.body.left() - 1)
    if (const auto ribbon = ribbon_at(page, spot.lane)) return *ribbon;
  if (spot.lane < 0) return {};
  spot.what = What::lane;
  for (int s = 0; s < static_cast<int>(map_->stations.size()); ++s)
    if (nth(map_->stations, s).has(spot.lane) && nth(layout.stops, s).shown && page.x() >= nth(layout.stops, s).x1 &&
        point.x() >= layout.body.left())
      spot.station = s;
  return spot;
}

void LivingView::hover_changed() {
  if (!map_) return;
  const int lane = hovered().lane;
  if (lane < 0) return selection_->hover(std::nullopt, std::nullopt);
  const LivingLane& of = nth(map_->lanes, lane);
  selection_->hover(unless_none(of.token), unless_none(of.step));
}

Qt::CursorShape LivingView::pointer(const LivingSpot& spot) const {
  return spot.what == What::none ? Qt::ArrowCursor : Qt::PointingHandCursor;
}

void LivingView::press(QPointF point, Qt::KeyboardModifiers) { pressed_ = point; }

void LivingView::drag(QPointF point) {
  if (!pressed_ || camera_.is_whole()) return;
  if (!dragged_ && (point - *pressed_).manhattanLength() < 5) return;
  dragged_ = true;
  pan(point - *pressed_);
  pressed_ = point;
}

void LivingView::release(QPointF point) {
  const bool chooses = pressed_ && !dragged_;
  pressed_.reset();
  dragged_ = false;
  if (!chooses) return;
  if (const LivingSpot spot = place_at(point); spot.what != What::none) press_place(spot);
}

void LivingView::press_place(const LivingSpot& spot) {
  set_cursor(spot);
  if (maker_.is_busy()) return;  // what is seen is of the run before
  SelectionState state = selection_->state();
  if (spot.what == What::next) {
    choose({spot.lane, -1});
    emit outputChosen();
    return;
  }
  if (spot.what == What::lane) {
    const LivingLane& lane = nth(map_->lanes, spot.lane);
    state.source_token = lane.token >= 0 ? std::optional(lane.token) : state.source_token;
    state.entry.reset();
    state.cell.reset();
    if (spot.station >= 0) {  // the state behind it
      const LivingStation& station = nth(map_->stations, spot.station);
      const auto row = static_cast<std::size_t>(spot.lane - station.first);
      if (row < station.places.size() && station.places[row].entry >= 0) {
        state.entry = station.places[row].entry;
        state.cell = static_cast<qint64>(station.places[row].first);
      }
    }
    return select(state);
  }
  if (spot.what == What::number) return press_number(spot);
  if (spot.what == What::head && spot.head >= 0)
    emit headChosen(attention_kind(*map_, spot.station, spot.part), nth(map_->stations, spot.station).layer, spot.head);
  if (spot.what == What::written) emit shareChosen(spot.share(), share_title(spot.share()), words(spot));
  if (spot.what != What::ribbon) return;
  choose_weight(spot);
  // Last: the inspector shows the share, and the weight lies behind it.
  emit shareChosen(spot.share(), share_title(spot.share()), words(spot));
}

void LivingView::open_place(const LivingSpot& spot) {
  set_cursor(spot);
  activate();
}

// --- the keyboard

int LivingView::first_output() const {
  for (int lane = 0; lane < static_cast<int>(map_->lanes.size()); ++lane)
    if (nth(map_->lanes, lane).step >= 0) return lane;
  return map_->lanes.empty() ? -1 : 0;
}

QRectF LivingView::cursor_rect() const {
  if (!map_ || map_->lanes.empty()) return {};
  // Ribbons and what is inside of a card are marked along their own shape.
  if (cursor_.what != What::none && cursor_.what != What::lane) return {};
  const int lane = cursor_.lane >= 0 ? cursor_.lane : choice_.lane >= 0 ? choice_.lane : first_output();
  if (lane < 0) return {};
  const LivingLayout& layout = scene_.layout;
  const LivingRow& row = nth(layout.rows, lane);
  const double y = row.y - camera_.scroll.y(), half = std::min(12.0, row.pitch / 2);
  if (cursor_.what == What::lane && cursor_.station >= 0) {
    const LivingStop& stop = nth(layout.stops, cursor_.station);
    return {(stop.shown ? stop.x1 : row.x0) - camera_.scroll.x() - 3, y - row.bed / 2 - 2, 6, row.bed + 4};
  }
  const double right = std::max(row.name_right - camera_.scroll.x(), std::min(row.name_right, layout.body.left() - 10));
  const double left = std::max(4.0, right - layout.metrics.names - 8);
  return {left, y - half, right - left + 4, 2 * half};
}

bool LivingView::go(int right, int down) {
  if (!map_ || map_->lanes.empty()) return false;
  if (go_inside(right, down)) return true;
  LivingSpot spot = cursor_;
  if (spot.what == What::none || spot.what == What::head || spot.lane < 0) {
    spot = {};
    spot.lane = choice_.lane >= 0 ? choice_.lane : first_output();
  } else {
    const int lane = spot.lane, station = spot.station;
    spot = {};
    // Lanes that are not on the page (blanks that are folded, slots) are gone over.
    const int lanes = static_cast<int>(map_->lanes.size());
    spot.lane = std::clamp(lane + down, 0, lanes - 1);
    const auto stands = [&](int at) { return nth(scene_.layout.rows, at).bed > 0; };
    const int way = down < 0 ? -1 : 1;
    while (spot.lane + way >= 0 && spot.lane + way < lanes && !stands(spot.lane)) spot.lane += way;
    while (spot.lane - way >= 0 && spot.lane - way < lanes && !stands(spot.lane)) spot.lane -= way;
    spot.station = station;
    const auto passes = [&](int s) {
      return nth(map_->stations, s).has(spot.lane) && nth(scene_.layout.stops, s).shown;
    };
    if (spot.station >= 0 && !passes(spot.station)) spot.station = -1;
    const int stations = static_cast<int>(map_->stations.size());
    for (int steps = std::min(std::abs(right), stations); steps > 0; --steps) {
      int next = spot.station + (right > 0 ? 1 : -1);
      while (next >= 0 && next < stations && !passes(next)) next += right > 0 ? 1 : -1;
      if (next >= stations) break;
      spot.station = std::max(-1, next);
      if (next < 0) break;
    }
  }
  spot.what = What::lane;
  set_cursor(spot);
  // It is seen.
  const LivingRow& row = nth(scene_.layout.rows, spot.lane);
  const QRectF body = scene_.layout.body;
  const double y = row.y - camera_.scroll.y();
  if (y - row.pitch / 2 < body.top()) pan({0, body.top() - y + row.pitch / 2});
  if (y + row.pitch / 2 > body.bottom()) pan({0, body.bottom() - y - row.pitch / 2});
  return true;
}

bool LivingView::activate() {
  if (!map_ || cursor_.what == What::none) return false;
  if (cursor_.what == What::lane || cursor_.what == What::next) {
    const bool chooses = nth(scene_.layout.rows, cursor_.lane).has_next && (cursor_.lane != choice_.lane || unasked_);
    if (chooses) {
      choose({cursor_.lane, -1});
      emit outputChosen();
      return true;
    }
  }
  if (const LivingPlace place = place_of(cursor_); place.entry >= 0) {
    emit requests_->open(place.entry, static_cast<qint64>(place.first));
    return true;
  }
  if (cursor_.what == What::ribbon || cursor_.what == What::written) {
    press_place(cursor_);
    emit shareOpened();
    return true;
  }
  if (cursor_.what == What::head) return press_place(cursor_), true;
  if (cursor_.what == What::lane && enter_card()) return true;
  if (level_ < LivingLevel::cell) go_to_level(static_cast<LivingLevel>(static_cast<int>(level_) + 1));
  return true;
}

// Up the strongest that came in here, or down where most of it goes: of the chosen output; where nothing of it passes,
// of the state.
bool LivingView::follow(bool in) {
  if (!map_) return false;
  if (cursor_.lane < 0) go(0, 0);
  const int lane = cursor_.what == What::ribbon && in ? ribbon_ends(*map_, cursor_.share()).from : cursor_.lane;
  const int until = cursor_.station < 0 || (cursor_.what != What::ribbon && in && cursor_.station < 0)
                        ? static_cast<int>(map_->stations.size())
                        : cursor_.station;
  LivingShare best, widest;
  double most = 0, most_wide = 0;
  for (int s = 0; s < static_cast<int>(map_->stations.size()); ++s) {
    if (cursor_.what == What::ribbon ? (in ? s >= cursor_.station : s <= cursor_.station)
        : in                         ? s > until
                                     : s <= cursor_.station)
      continue;
    const LivingStation& station = nth(map_->stations, s);
    for (int i = 0; i < static_cast<int>(station.parts.size()); ++i) {
      const LivingPart& part = nth(station.parts, i);
      if (!scene_.crosses(s, part)) continue;
      const Index columns = part.dense() ? part.columns : 1;
      for (Index row = 0; row < station.count; ++row)
        for (Index k = 0; k < columns; ++k) {
          const LivingShare share{s, i, row, part.dense() ? k : -1, -1};
          const RibbonEnds ends = ribbon_ends(*map_, share);
          if (ends.from == ends.to || ends.from < 0 || (in ? ends.to : ends.from) != lane) continue;
          const double through = scene_.has_flow() ? scene_.flow_of(share) : 0;
          const double wide = scene_.stack->piece(s, row, i, share.column).size;
          if (through > most) most = through, best = share;
          if (wide > most_wide) most_wide = wide, widest = share;
        }
    }
  }
  if (best.station < 0) best = widest;
  if (best.station < 0) return false;
  LivingSpot spot = spot_of(best);
  spot.lane = in ? ribbon_ends(*map_, best).from : ribbon_ends(*map_, best).to;
  set_cursor(spot);
  choose_weight(spot);
  return true;
}

std::vector<LivingShare> LivingView::ribbons_of(int station, int lane) const {
  std::vector<std::pair<double, LivingShare>> found;
  const LivingStation& of = nth(map_->stations, station);
  if (!of.has(lane)) return {};
  scene_.stack->each(station, lane - of.first, [&](const StackPiece& piece) {
    const LivingPart& part = nth(of.parts, piece.part);
    const bool own = part.kind == LivingPart::Kind::written;
    if (!own && (!scene_.crosses(station, part) || piece.from == lane || piece.from < 0)) return;
    const LivingShare share{station, piece.part, lane - of.first, piece.column, -1};
    found.emplace_back(scene_.has_flow() ? scene_.flow_of(share) + 1e-9 * piece.size : piece.size, share);
  });
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<LivingShare> shares;
  for (const auto& [strength, share] : found) shares.push_back(share);
  return shares;
}

// Tab goes through what arrives at the state where the keyboard is, the strongest first; behind the last one on to the
// next widget.
bool LivingView::focusNextPrevChild(bool next) {
  const bool there = map_ && hasFocus() && cursor_.lane >= 0 && cursor_.station >= 0 &&
                     (cursor_.what == What::lane || cursor_.what == What::ribbon || cursor_.what == What::written);
  if (!there) return Canvas::focusNextPrevChild(next);
  const LivingStation& station = nth(map_->stations, cursor_.station);
  const int lane = cursor_.what == What::lane ? cursor_.lane : station.first + static_cast<int>(cursor_.row);
  const std::vector<LivingShare> shares = ribbons_of(cursor_.station, lane);
  int at = -1;
  for (std::size_t i = 0; cursor_.what != What::lane && i < shares.size(); ++i)
    if (shares[i].part == cursor_.part && shares[i].column == cursor_.column) at = static_cast<int>(i);
  at += next ? 1 : -1;
  if (at < -1 || at >= static_cast<int>(shares.size())) return Canvas::focusNextPrevChild(next);
  LivingSpot spot{.what = What::lane, .lane = lane, .station = cursor_.station};
  if (at >= 0) {
    const LivingShare& share = nth(shares, at);
    spot.what = nth(station.parts, share.part).kind == LivingPart::Kind::written ? What::written : What::ribbon;
    spot.part = share.part;
    spot.row = share.row;
    spot.column = share.column;
  }
  set_cursor(spot);
  choose_weight(spot);
  return true;
}

std::optional<LivingShare> LivingView::chosen_share() const {
  if (!map_ || (cursor_.what != What::ribbon && cursor_.what != What::head && cursor_.what != What::written))
    return std::nullopt;
  return cursor_.share();
}

int LivingView::output_behind() const {
  const auto share = chosen_share();
  if (!share || !gives_outputs()) return -1;
  const int lane = cursor_.what == What::head ? -1 : ribbon_ends(*map_, *share).to;
  const bool own = lane >= 0 && lane < static_cast<int>(map_->lanes.size()) && nth(map_->lanes, lane).step >= 0;
  return own ? lane : first_output();
}

std::vector<Intervention> LivingView::cut() const {
  const auto share = chosen_share();
  return share ? cut_of(*map_, *share) : std::vector<Intervention>();
}

void LivingView::go_to_lane(int lane) {
  if (!map_ || lane < 0 || lane >= static_cast<int>(map_->lanes.size())) return;
  press_place({.what = What::lane, .lane = lane});
}

void LivingView::light_lane(int lane) {
  const bool there = map_ && lane >= 0 && lane < static_cast<int>(map_->lanes.size());
  set_hovered(there ? LivingSpot{.what = What::lane, .lane = lane} : LivingSpot{});
}

bool LivingView::press_key(const QKeyEvent& event) {
  if (!map_ || event.modifiers() & (Qt::ControlModifier | Qt::AltModifier)) return false;
  const bool shift = event.modifiers() & Qt::ShiftModifier;
  switch (event.key()) {
    case Qt::Key_F:
      return follow(!shift);
    case Qt::Key_H:
      set_heads_shown(!heads_);
      return true;
    case Qt::Key_W:
      set_plain_weights(!plain_);
      return true;
    case Qt::Key_1:
    case Qt::Key_2:
    case Qt::Key_3:
    case Qt::Key_4:
    case Qt::Key_5:
      go_to_level(static_cast<LivingLevel>(event.key() - Qt::Key_0));
      return true;
    case Qt::Key_Delete:
      if (cut().empty()) return false;
      emit cutWanted();
      return true;
    case Qt::Key_Escape:
      if (cursor_.what == What::number) {  // out of the card
        LivingSpot lane;
        lane.what = What::lane;
        lane.lane = cursor_.lane;
        lane.station = cursor_.station;
        return set_cursor(lane), true;
      }
      if (!camera_.is_whole()) return show_all(), true;
      if (cursor_.what != What::none) return set_cursor({}), true;
      if (choice_.lane < 0) return false;
      unasked_ = false;
      choice_ = {};
      take_flow();
      if (selection_->state().step) {
        SelectionState state = selection_->state();
        state.step.reset();
        state.entry.reset();
        state.cell.reset();
        select(state);
      }
      return true;
    default:
      return false;
  }
}

void LivingView::wheelEvent(QWheelEvent* event) {
  const QPoint angle = event->angleDelta();
  const int turned = angle.y() != 0 ? angle.y() : angle.x();  // Shift turns it sideways on some desktops
  if (turned == 0) return event->ignore();
  const bool shift = event->modifiers() & Qt::ShiftModifier, control = event->modifiers() & Qt::ControlModifier;
  zoom_along(std::pow(kWheel, turned), event->position(),
             shift && control ? LivingCamera::Along::lanes
             : shift          ? LivingCamera::Along::depth
                              : LivingCamera::Along::both);
  event->accept();
}

}  // namespace headlight
