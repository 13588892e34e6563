// Cards in the living map: how they are drawn, and what their numbers are.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "model/core/errors.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/matrix/cells.h"
#include "widgets/text/number_words.h"
#include "widgets/views/living/scene/ink.h"
#include "widgets/views/living/view.h"

namespace headlight {

namespace {

using What = LivingSpot::What;

constexpr int kMostPoints = 512;  // of a picture of numbers, a side
constexpr std::size_t kMostPictures = 3000;

QFont tiny_font() { return theme().ui_font(type::kHead); }

// The larger one that a line of this height has room for; nothing where there is none.
std::optional<QFont> font_for(double line) {
  for (const QFont& font : {small_font(), tiny_font()})
    if (line >= 0.8 * QFontMetricsF(font).height()) return font;
  return std::nullopt;
}

int power_above(double size) {
  int power = 8;
  while (power < size && power < kMostPoints) power *= 2;
  return power;
}

int places_for(double wide) { return std::clamp(static_cast<int>((wide - 24) / 8), 2, 6); }

double largest_of(const Trace& trace, const LivingValues& value) {
  double most = 0;
  for (Index r = 0; r < value.row_count(); ++r)
    for (Index c = 0; c < value.columns; ++c)
      if (const double each = std::abs(value.number(trace, r, c)); std::isfinite(each)) most = std::max(most, each);
  return most;
}

}  // namespace

const std::vector<LivingCard>& LivingView::cards() const {
  const LivingTile now{content_, camera_, scene_.layout.body, static_cast<double>(level_)};
  if (cards_of_ == now) return cards_;
  cards_of_ = now;
  cards_.clear();
  if (map_ && level_ >= LivingLevel::layer)
    cards_ = living_cards(scene_, insides_, scene_.layout.body.translated(camera_.scroll));
  return cards_;
}

// With the numbers inside, where there are any near enough to be seen.
LivingSizes LivingView::sizes_now() const {
  LivingSizes sizes = scene_.layout.sizes();
  const LivingSizes least = living_sizes(LivingLevel::word);
  if (sizes.lane < 0.5 * least.lane || sizes.layer < 0.5 * least.layer) return sizes;
  for (const LivingCard& card : living_cards(scene_, insides_, scene_.layout.body.translated(camera_.scroll))) {
    const QSizeF cell = card.cell();
    sizes.number = {std::max(sizes.number.width(), cell.width()), std::max(sizes.number.height(), cell.height())};
  }
  return sizes;
}

const LivingCard* LivingView::card_of(int station, Index row) const {
  const bool memory = station >= 0 && nth(map_->stations, station).kind == LivingStation::Kind::memory;
  for (const LivingCard& card : cards())
    if (card.station == station && (memory || card.row == row)) return &card;
  return nullptr;
}

const QImage& LivingView::card_picture(const LivingCard& card, int index, QSize points) const {
  const auto key = std::make_tuple(card.station, static_cast<int>(card.row), index, points.width(), points.height());
  const auto known = card_pictures_.find(key);
  if (known != card_pictures_.end()) return known->second;
  if (card_pictures_.size() > kMostPictures) card_pictures_.clear();
  const Trace& trace = *map_->result->trace;
  const LivingValues& value = nth(card.inside->values, index);
  const CellScale scale = value.scale == LivingValues::Scale::weights
                              ? CellScale::up_to(1)
                              : CellScale::around_zero(std::max(1e-9, largest_of(trace, value)));
  const QRect cells(0, 0, static_cast<int>(value.columns), static_cast<int>(value.row_count()));
  return card_pictures_
      .emplace(key, pooled_picture(cells, points, scale,
                                   [&](int column, int row) { return value.number(trace, row, column); }))
      .first->second;
}

void LivingView::paint_inside(QPainter& painter, bool marks) const {
  const double opacity = living_card_opacity(scene_.layout.sizes(), level_);
  if (opacity <= 0) return;
  painter.save();
  painter.setOpacity(opacity);
  for (const LivingCard& card : cards()) paint_card(painter, card, marks);
  painter.restore();
}

std::optional<QPointF> LivingView::state_end(int s, int row) const {
  const LivingStation& station = nth(map_->stations, s);
  const LivingLayout& layout = scene_.layout;
  const LivingStop& stop = nth(layout.stops, s);
  const bool memory = station.kind == LivingStation::Kind::memory;
  const LivingRow& at = nth(layout.rows, memory ? station.moment : station.first + row);
  if (at.bed <= 0) return {};
  const double x = stop.shown                                                ? stop.x1
                   : memory                                                  ? layout.states.first
                   : layout.beds || station.side == LivingLane::Side::source ? at.x0
                                                                             : layout.bars;
  return QPointF(x, at.y);
}

// In violet: at the end of a state that is another one because a person set a number behind it.
void LivingView::paint_marks(QPainter& painter) const {
  if (marks_.states.empty()) return;
  for (int s = 0; s < static_cast<int>(map_->stations.size()); ++s) {
    const LivingStation& station = nth(map_->stations, s);
    const bool memory = station.kind == LivingStation::Kind::memory;
    for (int row = 0; row < station.count; ++row) {
      if (!marks_.state(s, row)) continue;
      const auto place = state_end(s, row);
      if (!place) continue;
      const int lane = memory ? static_cast<int>(station.moment) : station.first + row;
      const double size = std::clamp(0.16 * nth(scene_.layout.rows, lane).bed, 2.5, 5.0);
      draw_dot(painter, *place, size + 1.4, tokens().paper);
      draw_dot(painter, *place, size, tokens().edited);
      if (memory) break;
    }
  }
}

// Of rows at the left, of what stands in columns above it. They stay in sight.
void LivingView::paint_card_names(QPainter& painter, const LivingCard& card, const LivingValues& value) const {
  const Tokens& t = tokens();
  const Trace& trace = *map_->result->trace;
  const QRectF sight = scene_.layout.body.translated(camera_.scroll);
  const double line = card.cell().height();
  const QRectF all = card.cells(value);
  const std::optional<QFont> fits = font_for(line);
  if (!fits || !all.adjusted(-card.names, -line, 0, 0).intersects(sight)) return;
  const QFont font = *fits;
  const bool edited = std::ranges::any_of(value.rows, [&](const LivingPlace& row) { return trace[row.entry].edited; });
  const QColor ink = edited ? t.edited : t.ink2;
  const auto name = [&](const QString& text, double y, const QColor& colour) {
    if (text.isEmpty()) return;
    const double wide = text_width(text, font) + 6;
    const double before = card.inside->first_slot > 0 ? card.margin : card.names;
    const double left = std::max(all.left() - std::min(before, wide) - 1, sight.left() + 2);
    if (left + 6 > all.right() || before < 12) return;
    const double room = left < all.left() - 2 ? std::min(wide, before) : wide;
    const QRectF place(left, y, room, line);
    if (place.right() > all.left()) {  // over whole numbers
      const double wide_cell = all.width() / static_cast<double>(value.columns);
      const double hidden = std::ceil((place.right() - all.left()) / wide_cell) * wide_cell;
      painter.fillRect(QRectF(place.left(), y, all.left() + hidden - place.left(), line), t.paper);
    }
    write_line(painter, place.adjusted(1, 0, -3, 0), kRight, text, font, colour);
  };
  if (value.strip) {
    name(symbol_words(value.symbol), all.top(), ink);
  } else if (value.top >= 1) {
    const QString symbol = symbol_words(value.symbol);
    const QString text =
        value.head >= 0 && value.symbol == "q" ? tr("head %1: %2").arg(counted(value.head)).arg(symbol) : symbol;
    const double left = std::max(all.left(), sight.left() + 2);
    if (left + text_width(text, font) < std::max(all.right() + card.cell().width(), all.left() + 60))
      write(painter, {left + 1, all.top() - line, text_width(text, font) + 4, line}, kLeft, text, font, ink);
  }
  if (value.left == 0 && !value.lanes.empty())
    for (std::size_t row = 0; row < value.lanes.size(); ++row) {
      const int lane = value.lanes[row];
      name(nth(names_, lane).text, all.top() + line * static_cast<double>(row),
           lane == choice_.lane ? t.accent : t.ink);
    }
}

void LivingView::paint_card(QPainter& painter, const LivingCard& card, bool marks) const {
  const Tokens& t = tokens();
  const QRectF sight = scene_.layout.body.translated(camera_.scroll);
  const bool mine = card.lane == choice_.lane;
  painter.save();
  draw_box(painter, card.rect, 3, Qt::NoPen, t.paper);
  const double ratio = painter.deviceTransform().m11();
  const QSizeF cell = card.cell(), least = living_sizes(LivingLevel::cell).number;
  const bool numbers =
      level_ == LivingLevel::cell && cell.width() >= 0.85 * least.width() && cell.height() >= 0.85 * least.height();
  for (std::size_t i = 0; i < card.inside->values.size(); ++i) {
    const LivingValues& value = card.inside->values[i];
    const QRectF all = card.cells(value);
    if (!all.intersects(sight)) continue;
    paint_cells(
        painter, all,
        card_picture(card, static_cast<int>(i), {power_above(all.width() * ratio), power_above(all.height() * ratio)}));
    painter.setRenderHint(QPainter::Antialiasing);
    fade_rows(painter, card, value, all);
    if (numbers) paint_numbers(painter, card, static_cast<int>(i));
  }
  for (const LivingValues& value : card.inside->values) paint_card_names(painter, card, value);  // on top
  paint_share_bar(painter, card);
  draw_box(painter, card.rect, 3, QPen(mine ? t.accent : t.edge, mine ? 1.4 : 0.8));
  if (cursor_.what == What::number && cursor_.station == card.station && cursor_.row == card.row && marks)
    draw_box(painter, card.cell_of(cursor_.number), 2, QPen(t.accent, 2));
  if (hovered().what == What::number && hovered().station == card.station && hovered().row == card.row && marks)
    draw_box(painter, card.cell_of(hovered().number), 2, QPen(t.ink, 1.4));
  painter.restore();
}

// Most are symbols, which every language has; of a memory and of latent attention they are words.
QString LivingView::symbol_words(const std::string& symbol) const {
  if (symbol == "turned part") return tr("turned part");
  QStringList words = QString::fromStdString(symbol).split(QLatin1Char(' '));
  for (QString& word : words) {
    if (word == QLatin1String("write")) word = tr("write");
    if (word == QLatin1String("read")) word = tr("read");
    if (word == QLatin1String("content")) word = tr("content");
    if (word == QLatin1String("gate")) word = tr("gate");
    if (word == QLatin1String("shift")) word = tr("shift");
    if (word == QLatin1String("latent")) word = tr("latent");
  }
  return words.join(QLatin1Char(' '));
}

// Of values that are taken by weights: what is little taken is pale.
void LivingView::fade_rows(QPainter& painter, const LivingCard& card, const LivingValues& value,
                           const QRectF& all) const {
  if (value.symbol != "v") return;
  const Trace& trace = *map_->result->trace;
  const auto& values = card.inside->values;
  const auto weights = std::ranges::find_if(
      values, [&](const LivingValues& each) { return each.symbol == "α" && each.head == value.head; });
  if (weights == values.end() || weights->row_count() != value.row_count()) return;
  const double most = std::max(1e-9, largest_of(trace, *weights)),
               high = all.height() / static_cast<double>(value.row_count());
  QColor paper = tokens().paper;
  for (Index row = 0; row < value.row_count(); ++row) {
    paper.setAlphaF(static_cast<float>(0.6 * (1 - std::clamp(weights->number(trace, row, 0) / most, 0.0, 1.0))));
    painter.fillRect(QRectF(all.left(), all.top() + high * static_cast<double>(row), all.width(), high), paper);
  }
}

// As in the trace, to the digits that have room.
void LivingView::paint_numbers(QPainter& painter, const LivingCard& card, int index) const {
  const Trace& trace = *map_->result->trace;
  const LivingValues& value = nth(card.inside->values, index);
  const QRectF all = card.cells(value), sight = scene_.layout.body.translated(camera_.scroll);
  const double wide = all.width() / static_cast<double>(value.columns),
               high = all.height() / static_cast<double>(value.row_count());
  const auto range = [](double from, double to, double step, Index count) {
    return std::pair(std::clamp<Index>(static_cast<Index>(std::floor(from / step)), 0, count),
                     std::clamp<Index>(static_cast<Index>(std::ceil(to / step)), 0, count));
  };
  const auto [left, right] = range(sight.left() - all.left(), sight.right() - all.left(), wide, value.columns);
  const auto [top, bottom] = range(sight.top() - all.top(), sight.bottom() - all.top(), high, value.row_count());
  const CellScale scale = value.scale == LivingValues::Scale::weights
                              ? CellScale::up_to(1)
                              : CellScale::around_zero(std::max(1e-9, largest_of(trace, value)));
  const QFont font = small_font();
  for (Index row = top; row < bottom; ++row)
    for (Index column = left; column < right; ++column) {
      const double number = value.number(trace, row, column);
      const QRectF cell = card.cell_of({index, row, column});
      const LivingPlace place = value.at(row, column);
      write(painter, cell, kCentre, plain_number(number, places_for(cell.width())), font,
            Theme::readable_on(scale.colour(number)));
      if (is_edited(place)) draw_edited_dot(painter, cell);
    }
}

void LivingView::paint_share_bar(QPainter& painter, const LivingCard& card) const {
  if (card.bar.height() < 3) return;
  const Tokens& t = tokens();
  const LivingShareBar bar = insides_.bar(scene_, card.station, card.row);
  const std::optional<QFont> fits = font_for(card.bar.height());
  const bool written = fits.has_value();
  const QFont font = fits.value_or(tiny_font());
  QRectF room = card.bar;
  if (bar.against < -0.005 && written) {
    const QString text = share_percent(bar.against);
    const double wide = text_width(text, font) + 8;
    if (wide < 0.4 * room.width()) {
      room.setRight(room.right() - wide);
      write(painter, {room.right(), room.top(), wide - 3, room.height()}, kRight, text, font, t.ink2);
    }
  }
  double x = room.left();
  for (const LivingSharePiece& piece : bar.pieces) {
    const double wide = piece.size * room.width();
    const QRectF part(x, room.top(), wide, room.height());
    x += wide;
    const bool own = piece.what == LivingSharePiece::What::written;
    const double depth = !scene_.has_flow() ? 2 * scene_.ink.faint
                         : own              ? scene_.written_depth(piece.flow)
                                            : scene_.ribbon_depth(piece.flow);
    const QColor fill = scene_.ink.at(depth);
    painter.fillRect(part.adjusted(0, 0, wide > 3 ? -1 : 0, 0), fill);
    if (own)
      scene_.ink.draw_stripes(
          painter, {part.left(), part.center().y(), part.height(), part.right(), part.center().y(), part.height()});
    if (!written) continue;
    const QString words = share_piece_words(piece), short_words = share_percent(piece.size * (1 - bar.against));
    for (const QString& text : {words, piece.head >= 0 ? QString::number(piece.head + 1) : short_words}) {
      const double needed = text_width(text, font) + 6;
      if (needed > wide) continue;
      if (own) draw_box(painter, {part.left() + 2, part.top() + 1, needed - 2, part.height() - 2}, 2, Qt::NoPen, fill);
      write(painter, part.adjusted(4, 0, 0, 0), kLeft, text, font, Theme::readable_on(fill));
      break;
    }
  }
}

QString LivingView::share_piece_words(const LivingSharePiece& piece) const {
  const LivingPart& part = nth(nth(map_->stations, piece.share.station).parts, piece.share.part);
  double share = piece.what == LivingSharePiece::What::head ? -1 : part.total(piece.share.row);
  if (share < 0) share = piece.size;
  const QString percent = share_percent(share);
  switch (piece.what) {
    case LivingSharePiece::What::carried:
      return tr("carried on %1").arg(percent);
    case LivingSharePiece::What::head:
      return tr("head %1: %2").arg(counted(piece.head)).arg(percent);
    case LivingSharePiece::What::other_lanes:
      return part.kind == LivingPart::Kind::tap && part.offset == 0 ? tr("itself %1").arg(percent)
             : part.kind == LivingPart::Kind::tap
                 ? tr("%1 away: %2").arg(plain_number(static_cast<double>(part.offset), 0), percent)
                 : tr("brought %1").arg(percent);
    case LivingSharePiece::What::written:
      return tr("written %1").arg(percent);
    case LivingSharePiece::What::start:
      return tr("start %1").arg(percent);
  }
  return {};
}

// Which cells an edit changed shows in their arithmetic: the others still come from what they came from before.
bool LivingView::is_edited(const LivingPlace& place) const {
  const Trace& trace = *map_->result->trace;
  if (!trace[place.entry].edited) return false;
  try {
    const Op* op = trace.explain(place.entry, place.first).op;
    return op && std::string_view(op->id) == "edit";
  } catch (const Error&) {  // without a graph
    return true;
  }
}

QString LivingView::number_words(const LivingSpot& spot) const {
  const LivingPlace place = place_of(spot);
  if (place.entry < 0) return {};
  const Trace& trace = *map_->result->trace;
  const LivingValues& value = nth(insides_.of(*map_, spot.station, spot.row)->values, spot.number.value);
  const QString where = value.lanes.empty() ? QString() : lane_name(nth(value.lanes, spot.number.row));
  const QString cell = QString::fromStdString(trace.locate({trace[place.entry].value, place.first}).text());
  const QString number = plain_number(static_cast<double>(trace[place.entry].value[place.first]), 6);
  return where.isEmpty() ? tr("%1 = %2").arg(cell, number) : tr("%1, %2 = %3").arg(where, cell, number);
}

}  // namespace headlight
