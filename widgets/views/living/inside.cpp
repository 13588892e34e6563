#include "widgets/views/living/inside.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr double kMostBar = 0.42;  // of the card

}  // namespace

double LivingCard::x_of(double column) const {
  const double before = inside->first_slot;
  if (before <= 0) return grid.left() + column * grid.width() / inside->columns;
  if (column < before) return grid.left() + column * margin / before;
  return grid.left() + margin + (column - before) * (grid.width() - margin) / (inside->columns - before);
}

QSizeF LivingCard::cell() const {
  if (!inside || inside->empty()) return {0, 0};
  return {x_of(inside->columns) - x_of(inside->columns - 1), grid.height() / inside->rows};
}

QRectF LivingCard::cells(const LivingValues& value) const {
  const double high = grid.height() / inside->rows, left = x_of(value.left);
  return {left, grid.top() + value.top * high, x_of(value.left + static_cast<double>(value.columns)) - left,
          high * static_cast<double>(value.row_count())};
}

QRectF LivingCard::cell_of(const LivingNumber& number) const {
  const LivingValues& value = nth(inside->values, number.value);
  const QRectF all = cells(value);
  const double wide = all.width() / static_cast<double>(value.columns),
               high = all.height() / static_cast<double>(value.row_count());
  return {all.left() + wide * static_cast<double>(number.column), all.top() + high * static_cast<double>(number.row),
          wide, high};
}

LivingNumber LivingCard::at(QPointF page) const {
  for (std::size_t i = 0; inside && i < inside->values.size(); ++i) {
    const LivingValues& value = inside->values[i];
    const QRectF all = cells(value);
    if (page.x() < all.left() || page.x() >= all.right() || page.y() < all.top() || page.y() >= all.bottom()) continue;
    const auto of = [](double part, Index count) {
      return std::clamp<Index>(static_cast<Index>(part * static_cast<double>(count)), 0, count - 1);
    };
    return {static_cast<int>(i), of((page.y() - all.top()) / all.height(), value.row_count()),
            of((page.x() - all.left()) / all.width(), value.columns)};
  }
  return {};
}

void LivingInsides::clear() {
  made_.clear();
  heads_.clear();
}

std::shared_ptr<const LivingInside> LivingInsides::of(const LivingMap& map, int station, Index row) {
  if (nth(map.stations, station).kind == LivingStation::Kind::memory) row = 0;
  auto& known = made_[{station, row}];
  if (!known) known = std::make_shared<const LivingInside>(living_inside(map, station, row));
  return known;
}

LivingShareBar LivingInsides::bar(const LivingScene& scene, int s, Index row) {
  using Part = LivingPart::Kind;
  LivingShareBar bar;
  const LivingStation& station = nth(scene.map->stations, s);
  double sum = 0;
  const auto add = [&](LivingSharePiece piece) {
    if (piece.size <= 0) return;
    sum += piece.size;
    bar.pieces.push_back(std::move(piece));
  };
  for (int p = 0; p < static_cast<int>(station.parts.size()); ++p) {
    const LivingPart& part = nth(station.parts, p);
    if (!part.share.defined()) continue;
    LivingSharePiece piece;
    piece.share = {s, p, row, -1, -1};
    const Index columns = part.dense() ? part.columns : 1;
    double positive = 0, through = 0;
    for (Index k = 0; k < columns; ++k) {
      const double share = part.dense() ? part.at(row, k) : static_cast<double>(part.share[row]);
      share < 0 ? bar.against += share : positive += share;
      through += scene.flow_of({s, p, row, part.dense() ? k : -1, -1});
    }
    if (part.kind == Part::bias || part.kind == Part::other) continue;
    piece.size = positive;
    piece.flow = through;
    piece.what = part.kind == Part::written ? LivingSharePiece::What::written
                 : part.kind == Part::start ? LivingSharePiece::What::start
                 : part.kind == Part::attention || part.kind == Part::tap || part.kind == Part::context ||
                         part.kind == Part::token
                     ? LivingSharePiece::What::other_lanes
                     : LivingSharePiece::What::carried;
    if (!part.dense() || part.heads <= 1) {
      add(piece);
      continue;
    }
    // Each head by itself.
    std::vector<double>& heads = heads_[{s, p}];
    if (heads.empty()) {
      const Tensor shares = head_shares(*scene.map, s, p);
      heads.assign(static_cast<std::size_t>(station.count * part.heads), 0);
      for (Index h = 0; shares.defined() && h < part.heads; ++h)
        for (Index r = 0; r < station.count; ++r)
          for (Index k = 0; k < part.columns; ++k)
            nth(heads, r * part.heads + h) +=
                std::max(0.0, static_cast<double>(shares[(h * station.count + r) * part.columns + k]));
    }
    double all = 0;
    for (Index h = 0; h < part.heads; ++h) all += nth(heads, row * part.heads + h);
    for (Index h = 0; h < part.heads && all > 0; ++h) {
      const double own = nth(heads, row * part.heads + h);
      piece.what = LivingSharePiece::What::head;
      piece.head = piece.share.head = h;
      piece.size = own;
      piece.flow = through * own / all;
      add(piece);
    }
  }
  // Carried first, then what is brought, at last what is written.
  std::ranges::stable_sort(bar.pieces, [](const LivingSharePiece& a, const LivingSharePiece& b) {
    return static_cast<int>(a.what) < static_cast<int>(b.what);
  });
  for (LivingSharePiece& piece : bar.pieces) piece.size /= sum;
  return bar;
}

LivingCard living_card(const LivingScene& scene, LivingInsides& insides, int s, Index row) {
  const LivingStation& station = nth(scene.map->stations, s);
  LivingCard card;
  card.station = s;
  card.row = row;
  card.lane = station.kind == LivingStation::Kind::memory ? static_cast<int>(station.moment)
                                                          : station.first + static_cast<int>(row);
  card.rect = scene.plan->inside(*scene.map, scene.layout, s, row);
  if (card.rect.isEmpty()) return card;
  card.inside = insides.of(*scene.map, s, row);
  if (card.inside->empty()) {
    card.rect = {};
    return card;
  }
  const QRectF& r = card.rect;
  const bool memory = card.inside->first_slot > 0;
  const double bar = memory ? 0 : std::min(scene.layout.metrics.small + 1, kMostBar * r.height());
  if (bar > 0) card.bar = {r.left(), r.bottom() - bar, r.width(), bar};
  // Continuous: nothing jumps while one comes nearer.
  const double line = (r.height() - bar) / card.inside->rows;  // names come with rows that have room for them
  card.names = memory ? 0
                      : std::clamp((line - 6) / 4, 0.0, 1.0) *
                            std::clamp(0.3 * (r.width() - 60), 0.0, 3.2 * scene.layout.metrics.small);
  const double edge = std::min(3.0, 0.04 * r.height());
  card.grid = {r.left() + card.names, r.top() + edge, r.width() - card.names - (memory ? 0 : edge),
               r.height() - bar - 2 * edge};
  if (memory) card.margin = scene.layout.states.first - r.left();
  return card;
}

std::vector<LivingCard> living_cards(const LivingScene& scene, LivingInsides& insides, const QRectF& sight) {
  std::vector<LivingCard> cards;
  const LivingMap& map = *scene.map;
  for (int s = 0; s < static_cast<int>(map.stations.size()); ++s) {
    const LivingStation& station = nth(map.stations, s);
    const bool memory = station.kind == LivingStation::Kind::memory;
    for (Index row = 0; row < (memory ? 1 : station.count); ++row)
      if (scene.plan->inside(map, scene.layout, s, row).intersects(sight))
        if (LivingCard card = living_card(scene, insides, s, row); !card.rect.isEmpty())
          cards.push_back(std::move(card));
  }
  return cards;
}

double living_card_opacity(const LivingSizes& sizes, LivingLevel level) {
  if (level < LivingLevel::layer) return 0;
  const LivingSizes least = living_sizes(LivingLevel::layer);
  const double near = std::min(sizes.lane / least.lane, sizes.layer / least.layer);
  return std::clamp((near - 0.85) / 0.15, 0.0, 1.0);
}

}  // namespace headlight
