// Cards in the living map: how they are hit and walked through.
#include <algorithm>
#include <cmath>

#include "widgets/base/selection.h"
#include "widgets/views/living/view.h"

namespace headlight {

namespace {

using What = LivingSpot::What;

}  // namespace

std::optional<LivingSpot> LivingView::spot_inside(QPointF page) const {
  for (const LivingCard& card : cards()) {
    if (!card.rect.contains(page)) continue;
    LivingSpot spot{.lane = card.lane, .station = card.station, .row = card.row};
    if (card.bar.contains(page)) {
      const LivingShareBar bar = insides_.bar(scene_, card.station, card.row);
      double x = card.bar.left();
      for (const LivingSharePiece& piece : bar.pieces) {
        x += piece.size * card.bar.width();
        if (page.x() > x) continue;
        if (piece.what == LivingSharePiece::What::written) {
          spot.what = What::written;
          spot.part = piece.share.part;
          return spot;
        }
        if (piece.what == LivingSharePiece::What::head) {
          spot.what = What::head;
          spot.part = piece.share.part;
          spot.head = piece.head;
          return spot;
        }
        break;
      }
    }
    spot.what = What::lane;
    const LivingNumber number = card.at(page);
    if (number.value >= 0) {
      spot.what = What::number;
      spot.number = number;
    }
    return spot;
  }
  return std::nullopt;
}

LivingPlace LivingView::place_of(const LivingSpot& spot) const {
  if (spot.what != What::number) return {};
  const auto inside = insides_.of(*map_, spot.station, spot.row);
  if (spot.number.value < 0 || spot.number.value >= static_cast<int>(inside->values.size())) return {};
  const LivingValues& value = nth(inside->values, spot.number.value);
  if (spot.number.row >= value.row_count() || spot.number.column >= value.columns) return {};
  return value.at(spot.number.row, spot.number.column);
}

void LivingView::press_number(const LivingSpot& spot) {
  const LivingPlace place = place_of(spot);
  if (place.entry < 0) return;
  SelectionState state = selection_->state();
  state.entry = place.entry;
  state.cell = static_cast<qint64>(place.first);
  const LivingValues& value = nth(insides_.of(*map_, spot.station, spot.row)->values, spot.number.value);
  if (!value.lanes.empty())
    if (const int token = nth(map_->lanes, nth(value.lanes, spot.number.row)).token; token >= 0)
      state.source_token = token;
  select(state);
}

// From a number to the next one, over the border of its values to those beside them.
bool LivingView::go_inside(int right, int down) {
  if (cursor_.what != What::number) return false;
  const LivingCard* card = card_of(cursor_.station, cursor_.row);
  if (!card) return false;
  LivingSpot spot = cursor_;
  const LivingValues& value = nth(card->inside->values, spot.number.value);
  const Index row = spot.number.row + std::clamp<Index>(down, -value.row_count(), value.row_count()),
              column = spot.number.column + std::clamp<Index>(right, -value.columns, value.columns);
  const bool kept = row >= 0 && row < value.row_count() && column >= 0 && column < value.columns;
  if (kept || std::abs(right) >= kPage || std::abs(down) >= kPage) {
    spot.number.row = std::clamp<Index>(row, 0, value.row_count() - 1);
    spot.number.column = std::clamp<Index>(column, 0, value.columns - 1);
  } else {
    // The nearest number beyond.
    const QPointF from = card->cell_of(cursor_.number).center();
    double best = 1e300;
    for (std::size_t i = 0; i < card->inside->values.size(); ++i) {
      if (static_cast<int>(i) == cursor_.number.value) continue;
      const QRectF all = card->cells(card->inside->values[i]);
      const QSizeF cell = card->cell_of({static_cast<int>(i), 0, 0}).size();
      const QPointF to(std::clamp(from.x(), all.left() + cell.width() / 2, all.right() - cell.width() / 2),
                       std::clamp(from.y(), all.top() + cell.height() / 2, all.bottom() - cell.height() / 2));
      const double along = right != 0 ? (to.x() - from.x()) * right : (to.y() - from.y()) * down,
                   across = right != 0 ? std::abs(to.y() - from.y()) : std::abs(to.x() - from.x());
      if (along <= 0 || along + 3 * across >= best) continue;
      best = along + 3 * across;
      spot.number = card->at(to);
    }
    if (spot.number.value < 0) spot = cursor_;
  }
  set_cursor(spot);
  press_number(spot);
  reveal_page(card->cell_of(spot.number));
  return true;
}

// The first number of the card behind the cursor.
bool LivingView::enter_card() {
  if (cursor_.lane < 0 || level_ < LivingLevel::layer) return false;
  for (const LivingCard& card : cards()) {
    if (card.lane != cursor_.lane || (cursor_.station >= 0 && card.station != cursor_.station)) continue;
    const LivingSpot spot{
        .what = What::number, .lane = card.lane, .station = card.station, .row = card.row, .number = {0, 0, 0}};
    set_cursor(spot);
    press_number(spot);
    return true;
  }
  return false;
}

void LivingView::reveal_page(const QRectF& page) {
  const QRectF seen = page.translated(-camera_.scroll), body = scene_.layout.body;
  QPointF by;
  if (seen.left() < body.left() + 40) by.setX(body.left() + 40 - seen.left());
  if (seen.right() > body.right() - 8) by.setX(body.right() - 8 - seen.right());
  if (seen.top() < body.top() + 16) by.setY(body.top() + 16 - seen.top());
  if (seen.bottom() > body.bottom() - 8) by.setY(body.bottom() - 8 - seen.bottom());
  if (!by.isNull()) pan(by);
}

// The card of the cursor, or else of its lane or the chosen one: of what it looked at, where there is such.
LivingCard LivingView::card_in_question() const {
  const int lane = cursor_.lane >= 0 ? cursor_.lane : choice_.lane >= 0 ? choice_.lane : first_output();
  const auto card_at = [&](int s) {
    const LivingStation& of = nth(map_->stations, s);
    if (of.kind == LivingStation::Kind::memory)
      return of.moment == lane ? living_card(scene_, insides_, s, 0) : LivingCard();
    return of.has(lane) ? living_card(scene_, insides_, s, lane - of.first) : LivingCard();
  };
  if (lane < 0) return {};
  LivingCard card = cursor_.station >= 0 ? card_at(cursor_.station) : LivingCard();
  for (const bool looks : {true, false})
    for (int s = static_cast<int>(map_->stations.size()); card.rect.isEmpty() && s-- > 0;) {
      using K = LivingStation::Kind;
      const K kind = nth(map_->stations, s).kind;
      const bool own = kind == K::attention || kind == K::cross || kind == K::memory || kind == K::convolution;
      if (!looks || own) card = card_at(s);
    }
  return card;
}

void LivingView::show_card() {
  const LivingCard card = card_in_question();
  if (card.rect.isEmpty()) return;
  const QRectF body = scene_.layout.body;
  pan(QPointF(body.left() + 60, body.center().y()) -
      (QPointF(card.rect.left(), card.rect.center().y()) - camera_.scroll));
}

// Closer until the numbers of a card can be read, with it in sight.
void LivingView::go_to_cells() {
  LivingCard card = card_in_question();
  if (card.rect.isEmpty()) return;
  const QSizeF least = living_sizes(LivingLevel::cell).number;
  const auto again = [&] { return living_card(scene_, insides_, card.station, card.row); };
  for (int turn = 0; turn < 6; ++turn) {  // names and bars do not stretch: a few turns come near enough
    const QSizeF cell = again().cell();
    if (cell.width() >= least.width() && cell.height() >= least.height()) break;
    if (cell.width() < least.width())
      zoom_along(1.02 * least.width() / cell.width(), scene_.layout.body.center(), LivingCamera::Along::depth);
    if (cell.height() < least.height())
      zoom_along(1.02 * least.height() / cell.height(), scene_.layout.body.center(), LivingCamera::Along::lanes);
    // Lanes and layers that are thin on the page are so to the level, too.
    const LivingSizes sizes = scene_.layout.sizes(), wanted = living_sizes(LivingLevel::cell);
    if (sizes.lane < wanted.lane)
      zoom_along(1.02 * wanted.lane / sizes.lane, scene_.layout.body.center(), LivingCamera::Along::lanes);
    if (sizes.layer < wanted.layer)
      zoom_along(1.02 * wanted.layer / sizes.layer, scene_.layout.body.center(), LivingCamera::Along::depth);
  }
  card = again();
  LivingNumber first{0, 0, 0};
  if (cursor_.what == What::number && cursor_.station == card.station) first = cursor_.number;
  const QRectF cell = card.cell_of(first), body = scene_.layout.body;
  pan(QPointF(body.left() + 60, body.top() + 30) - (cell.topLeft() - camera_.scroll));
  set_cursor({.what = What::number, .lane = card.lane, .station = card.station, .row = card.row, .number = first});
}

}  // namespace headlight
