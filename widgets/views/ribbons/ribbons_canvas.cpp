#include "widgets/views/ribbons/ribbons_canvas.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/decode/run.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

using Part = RibbonsHit::Part;

namespace {

// Signs of the vocabulary as they are written; what stands for several is no token.
QString quoted(const AxisLabel& label) {
  if (is_folded(label)) return label.words();
  return in_quotes(label.special ? label.text : label.words());
}

}  // namespace

RibbonsCanvas::RibbonsCanvas(QWidget* parent) : PlaceCanvas(Layout::scrolled, parent) { announce(); }

void RibbonsCanvas::set_maps(Maps maps, Head chosen) {
  glide();
  maps_ = std::move(maps);
  head_ = chosen;
  heads_.clear();
  queries_.clear();
  keys_.clear();
  for (int m = 0; m < static_cast<int>(maps_.size()); ++m)
    for (Index head = 0; head < nth(maps_, m)->heads; ++head) heads_.push_back({m, head});
  if (!maps_.empty()) {
    queries_ = row_labels(map());
    keys_ = column_labels(map());
  }
  changes_.clear();
  set_hovered({});
  hovered_outside_ = {};
  token_.index = std::min(token_.index, count(token_.side) - 1);
  find_lines();
  lay_out();
  announce();
}

void RibbonsCanvas::set_changes(std::vector<Change> changes) {
  changes_ = std::move(changes);
  viewport()->update();
}

const RibbonsCanvas::Change& RibbonsCanvas::change(const Head& head) const {
  static const Change kNone;
  const auto row = static_cast<std::size_t>(row_of(head));
  return row < changes_.size() ? changes_[row] : kNone;
}

int RibbonsCanvas::row_of(const Head& head) const {
  return static_cast<int>(std::ranges::find(heads_, head) - heads_.begin());
}

void RibbonsCanvas::set_chosen(MapCell cell) { move_mark(chosen_, cell); }

int RibbonsCanvas::count(Side side) const {
  return static_cast<int>(side == Side::query ? queries_.size() : side == Side::key ? keys_.size() : 0);
}

// Of self-attention the text stands once; else the chosen token's own text is the upper line.
void RibbonsCanvas::find_lines() {
  own_labels_.clear();
  labels_.clear();
  columns_.clear();
  folded_ = -1;
  if (maps_.empty()) return;
  const bool keys_below = is_self() || token_.side != Side::key;
  const std::vector<AxisLabel>& below = keys_below ? keys_ : queries_;
  if (!is_self()) own_labels_ = keys_below ? queries_ : keys_;
  const std::vector<AttentionToken>& tokens = keys_below ? map().columns : map().rows;
  auto first = static_cast<int>(below.size());
  while (first > 0 && nth(tokens, first - 1).padding) --first;
  const int blanks = static_cast<int>(below.size()) - first;
  const bool fold = !unfolded_ && blanks >= 2 && first > 0;
  for (int i = 0; i < (fold ? first : static_cast<int>(below.size())); ++i) {
    columns_.push_back({i});
    labels_.push_back(nth(below, i));
  }
  if (!fold) return;
  folded_ = first;
  columns_.emplace_back(static_cast<std::size_t>(blanks));
  std::iota(columns_.back().begin(), columns_.back().end(), first);
  labels_.push_back({padding_lines(blanks), true, padding_name(blanks)});
}

int RibbonsCanvas::row_of_column(int key) const {
  for (Index row = 0; row < map().row_count(); ++row)
    if (map().source(row).column == key) return static_cast<int>(row);
  // Every token of an encoder asks.
  return map().kind == AttentionMap::Kind::encoder_self && key < map().row_count() ? key : -1;
}

int RibbonsCanvas::own_column() const {
  if (token_.index < 0) return -1;
  if (!is_self()) return token_.index;
  int key = token_.index;
  if (token_.side == Side::query) {
    const Index own = map().source(token_.index).column;
    key = own >= 0 ? static_cast<int>(own) : map().kind == AttentionMap::Kind::encoder_self ? token_.index : -1;
  }
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (std::ranges::find(columns_[i], key) != columns_[i].end()) return static_cast<int>(i);
  return -1;
}

// Which token a column stands for: one that asks, where there is such.
RibbonsToken RibbonsCanvas::token_of(int column, bool other) const {
  if (column < 0) return {};
  if (!other && !is_self()) return {token_.side == Side::key ? Side::key : Side::query, column};
  const auto& group = nth(columns_, column);
  if (group.size() > 1) return {};
  if (!is_self()) return {token_.side == Side::key ? Side::query : Side::key, group.front()};
  if (token_.side == Side::key) return {Side::key, group.front()};
  const int row = row_of_column(group.front());
  return row >= 0 ? RibbonsToken{Side::query, row} : RibbonsToken{Side::key, group.front()};
}

void RibbonsCanvas::set_token(RibbonsToken token) {
  if (token.side == Side::none && !maps_.empty()) token = {Side::query, 0};
  token.index = std::clamp(token.index, 0, std::max(0, count(token.side) - 1));
  if (token == token_) return;
  glide();
  const bool other_lines = token.side != token_.side;
  token_ = token;
  if (other_lines) {
    find_lines();
    lay_out();
  }
  if (const int own = own_column(); own >= 0 && !maps_.empty()) {
    const QRectF place = layout_.own_token(own);
    reveal({place.left() - layout_.metrics.name, 0, place.width() + layout_.metrics.name, 0});
  }
  choice_changed();
}

void RibbonsCanvas::set_hovered_token(RibbonsToken token) { move_mark(hovered_outside_, token); }

void RibbonsCanvas::set_candidates(std::vector<Candidate> candidates, const QString& title) {
  candidates_ = std::move(candidates);
  candidates_title_ = title;
  viewport()->update();
}

const AxisLabel& RibbonsCanvas::label(const RibbonsToken& token) const {
  static const AxisLabel kNone{{}, false, {}};
  if (token.index < 0 || token.index >= count(token.side)) return kNone;
  return nth(token.side == Side::key ? keys_ : queries_, token.index);
}

MapCell RibbonsCanvas::cell_of(int column) const {
  const std::vector<int>& group = nth(columns_, column);
  if (group.size() > 1) return {token_.side == Side::key ? 0 : token_.index, -1};
  const int other = group.front();
  if (token_.side != Side::key) return {token_.index, other};
  return {is_self() ? row_of_column(other) : other, token_.index};
}

double RibbonsCanvas::single(const Head& head, int index) const {
  const AttentionMap& of = *nth(maps_, head.map);
  int row = token_.index, column = index;
  if (token_.side == Side::key) row = is_self() ? row_of_column(index) : index, column = token_.index;
  if (row < 0 || column < 0 || row >= of.row_count() || column >= of.column_count() ||
      !(of.has(row, column) || of.is_sink(column)))
    return std::numeric_limits<double>::quiet_NaN();
  const auto weight = static_cast<double>(of.weight(head.head, row, column));
  return std::isfinite(weight) ? weight : std::numeric_limits<double>::infinity();
}

double RibbonsCanvas::weight_of(const MapCell& cell) const {
  return static_cast<double>(map().weight(head_.head, cell.row, cell.column));
}

// A weight that was set where a mask hides it is seen.
bool RibbonsCanvas::is_masked(const Head& head, int column) const {
  const auto [row, key] = cell_of(column);
  const AttentionMap& of = *nth(maps_, head.map);
  if (row < 0 || key < 0 || !of.has(row, key) || of.weight(head.head, row, key) != Scalar(0)) return false;
  return !nth(of.kept_columns(row), key);
}

// Of several blanks: all that goes to them; the other way round, what they give on the average.
double RibbonsCanvas::weight(const Head& head, int column) const {
  double sum = 0;
  int found = 0;
  for (const int index : nth(columns_, column))
    if (const double each = single(head, index); !std::isnan(each)) sum += each, ++found;
  if (found == 0) return std::numeric_limits<double>::quiet_NaN();
  return token_.side == Side::key ? sum / found : sum;
}

QString RibbonsCanvas::picks(const Head& head) const {
  if (change(head).off) return head_off_name();
  std::vector<std::pair<double, int>> weights;
  for (int i = 0; i < columns(); ++i)
    if (const double each = weight(head, i); !std::isnan(each)) weights.emplace_back(each, i);
  if (weights.empty()) return {};
  if (std::ranges::any_of(weights, [](const auto& each) { return std::isinf(each.first); }))
    return habit_name(HeadKind::not_numbers);
  std::ranges::stable_sort(weights, [](const auto& a, const auto& b) { return a.first > b.first; });
  const auto word = [&](std::size_t at) { return quoted(nth(labels_, weights[at].second)); };
  if (weights[0].first >= 0.7) return tr("picks %1").arg(word(0));
  if (weights.size() > 1 && weights[0].first + weights[1].first >= 0.65) return tr("%1 and %2").arg(word(0), word(1));
  if (weights[0].first <= 0) return tr("nothing");
  return habit_name(weights[0].first * static_cast<double>(weights.size()) < 1.5 ? HeadKind::even : HeadKind::mixed);
}

QSizeF RibbonsCanvas::arrange(QSizeF view) {
  layout_ = {};
  if (maps_.empty()) return {};
  const QFontMetricsF words(theme().ui_font()), small(theme().ui_font(type::kSource));
  const double scale = theme().font_scale();
  RibbonsLayout::Metrics m;
  m.view = view;
  if (!own_labels_.empty()) m.own = column_shares(own_labels_);
  m.others = column_shares(labels_);
  for (const auto& each : maps_) m.groups.push_back(static_cast<int>(each->heads));
  m.margin = view.width() < 500 * scale ? space::kSmall : space::kMargin;
  double layer = 0, head = 0;
  for (const auto& each : maps_) {
    layer = std::max(layer, small.horizontalAdvance(layer_name(each->layer)));
    for (Index h = 0; h < each->heads; ++h) head = std::max(head, text_width(head_name(h), bold_font()));
  }
  m.name = std::ceil(m.margin + layer + (layer > 0 ? 12 : 0) + head + 14);
  m.side = std::ceil(216 * scale);
  m.title = std::ceil(QFontMetricsF(bold_font(type::kQuestion)).height() + words.height() + 8);
  m.row = std::ceil(3.4 * words.height());
  m.least_row = std::ceil(1.35 * words.height());
  m.arcs = 120 * std::min(1.4, scale);
  m.most_arcs = std::max(300.0, 0.7 * view.height());
  m.least_column = 14 * scale;
  m.most_column = 110 * scale;
  layout_ = RibbonsLayout::of(m);
  if (folded_ >= 0) {
    m.others = column_shares(labels_, layout_.others.width(folded_) / m.others.back());
    layout_ = RibbonsLayout::of(m);
  }
  head_line_ = ColumnHead::of(layout_.others, labels_, type::kQuestion, 90 * scale);
  m.line = head_line_.height + 4;
  if (!own_labels_.empty()) {
    own_head_ = ColumnHead::of(layout_.own, own_labels_, type::kQuestion, 90 * scale);
    m.own_line = own_head_.height + 4;
  }
  layout_ = RibbonsLayout::of(m);
  return {layout_.width, layout_.height};
}

// --- words

QString RibbonsCanvas::title() const {
  QString text = head_place(map(), head_.head);
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

QString RibbonsCanvas::question() const {
  return (token_.side == Side::key ? tr("who looks at %1") : tr("where %1 looks")).arg(quoted(label(token_)));
}

QString RibbonsCanvas::name() const {
  return maps_.empty() ? tr("Attention as ribbons, empty")
                       : tr("Attention as ribbons, %1 tokens that look, %2 tokens that are looked at, %3 heads")
                             .arg(queries_.size())
                             .arg(keys_.size())
                             .arg(heads_.size());
}

QString RibbonsCanvas::description() const {
  if (maps_.empty() || token_.index < 0) return tr("No token selected. Arrow keys choose one.");
  std::vector<int> order(columns_.size());
  std::iota(order.begin(), order.end(), 0);
  const auto strength = [&](int i) {
    const double each = weight(head_, i);
    return std::isfinite(each) ? each : -1;
  };
  const auto most = std::min<std::size_t>(5, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                    [&](int a, int b) { return strength(a) > strength(b); });
  QStringList parts;
  for (std::size_t i = 0; i < most; ++i)
    if (strength(order[i]) > 0)
      parts << QStringLiteral("%1 %2").arg(nth(labels_, order[i]).words(), short_number(strength(order[i])));
  return QStringLiteral("%1, %2: %3. %4.").arg(title(), question(), parts.join(QStringLiteral(", ")), picks(head_));
}

QString RibbonsCanvas::place_tooltip(const RibbonsHit& place) const {
  if (maps_.empty()) return {};
  switch (place.part) {
    case Part::own:
      return tr("%1: click to ask from there.").arg(nth(own_labels_, place.column).words());
    case Part::other:
      if (place.column == folded_)
        return tr("%1: click to see each of them, Esc folds them again.").arg(nth(labels_, place.column).words());
      return tr("%1: click to ask from there.").arg(nth(labels_, place.column).words());
    case Part::cell:
    case Part::ribbon: {
      const Head& head = nth(heads_, place.row);
      const double value = weight(head, place.column);
      const AxisLabel& other = nth(labels_, place.column);
      const QString where = head_place(*nth(maps_, head.map), head.head);
      if (std::isnan(value)) return tr("%1: this one cannot be looked at from there.").arg(other.words());
      if (std::isinf(value)) return tr("%1: this weight is not a number.").arg(other.words());
      const QString hint = hint_ && head == head_ ? hint_(cell_of(place.column)) : QString();
      const QString more = hint.isEmpty() ? QString() : QLatin1Char('\n') + hint;
      if (is_masked(head, place.column)) return masked_words(head, place.column).arg(other.words()) + more;
      const bool asks = token_.side != Side::key;
      return tr("%1: ‘%2’ looks at ‘%3’ with %4")
                 .arg(where, asks ? label(token_).words() : other.words(), asks ? other.words() : label(token_).words(),
                      short_number(value)) +
             more;
    }
    case Part::name: {
      const Head& head = nth(heads_, place.row);
      const AttentionMap& of = *nth(maps_, head.map);
      const QString off = change(head).off ? QStringLiteral(", ") + head_off_name() : QString();
      return head_place(of, head.head) + off + shared_note(of, head.head) + '\n' + tr("Click for its ribbons.");
    }
    case Part::none:
      break;
  }
  return {};
}

// --- mouse and keys

RibbonsHit RibbonsCanvas::place_at(QPointF point) const {
  if (maps_.empty()) return {};
  const double held = std::max(0.0, sight().left());
  if (!layout_.arcs.contains(point)) return layout_.place_at(point, held);
  const int column = point.x() >= layout_.metrics.name + held ? ribbon_at(point) : -1;
  return column < 0 ? RibbonsHit{} : RibbonsHit{Part::ribbon, column, row_of(head_)};
}

int RibbonsCanvas::ribbon_at(QPointF point) const {
  constexpr int kParts = 48;
  const int own = own_column();
  int best = -1;
  double most = 0;
  for (int to = 0; own >= 0 && to < columns(); ++to) {
    const double value = weight(head_, to);
    if (!(value >= RibbonsLayout::kFaintest) || value <= most || (is_self() && to == own)) continue;
    const double reach = std::max(4.0, layout_.thickness(value) / 2 + 1);
    const QPainterPath path = layout_.ribbon(own, to);
    if (!path.controlPointRect().adjusted(-reach, -reach, reach, reach).contains(point)) continue;
    QPointF from = path.pointAtPercent(0);
    for (int i = 1; i <= kParts; ++i) {
      const QPointF next = path.pointAtPercent(static_cast<double>(i) / kParts), along = next - from;
      const double length = QPointF::dotProduct(along, along);
      const double share = length > 0 ? std::clamp(QPointF::dotProduct(point - from, along) / length, 0.0, 1.0) : 0;
      const QPointF apart = point - (from + share * along);
      from = next;
      if (QPointF::dotProduct(apart, apart) > reach * reach) continue;
      best = to;
      most = value;
      break;
    }
  }
  return best;
}

std::optional<MapCell> RibbonsCanvas::weight_at(QPointF point, bool any) const {
  const RibbonsHit place = place_at(point);
  if (place.part != Part::cell && place.part != Part::ribbon) return std::nullopt;
  if (!any && nth(heads_, place.row) != head_) return std::nullopt;
  const MapCell cell = cell_of(place.column);
  return cell.row < 0 ? std::nullopt : std::optional(cell);
}

void RibbonsCanvas::hover_changed() {
  const RibbonsHit& place = hovered();
  RibbonsToken token;
  if (place.part == Part::own) token = token_of(place.column, false);
  if (place.part == Part::other || place.part == Part::cell || place.part == Part::ribbon)
    token = token_of(place.column, true);
  emit hovered_token(token);
}

Qt::CursorShape RibbonsCanvas::pointer(const RibbonsHit& place) const {
  const bool weight =
      place.part == Part::ribbon || (place.part == Part::cell && place.row >= 0 && nth(heads_, place.row) == head_);
  if (weight && can_drag_ && can_drag_(cell_of(place.column))) return Qt::SizeVerCursor;
  return place.part == Part::none ? Qt::ArrowCursor : Qt::PointingHandCursor;
}

void RibbonsCanvas::choose_head(const Head& head) {
  if (head == head_) return;
  glide();
  head_ = head;
  choice_changed();
  emit head_chosen(head.map, head.head);
}

void RibbonsCanvas::press_place(const RibbonsHit& place) {
  if (place.part == Part::other && place.column == folded_) {
    unfolded_ = true;
    find_lines();
    return lay_out();
  }
  if (place.part == Part::own || place.part == Part::other) {
    const RibbonsToken token = token_of(place.column, place.part == Part::other);
    if (token.side == Side::none) return;
    set_token(token);
    return emit token_chosen(token_);
  }
  const Head head = nth(heads_, place.row);
  choose_head(head);
  if (place.part == Part::name || std::isnan(weight(head, place.column))) return;
  const MapCell cell = cell_of(place.column);
  if (cell.column < 0) return;
  set_chosen(cell);
  emit weight_chosen(head.map, head.head, cell.row, cell.column);
}

// Of the head in whose row it is asked for, and of the weight there.
bool RibbonsCanvas::menu(std::optional<QPointF> point, const QPoint& global) {
  if (maps_.empty()) return false;
  const RibbonsHit place = point ? place_at(*point) : RibbonsHit{};
  const Head head = place.row >= 0 ? nth(heads_, place.row) : head_;
  MapCell cell;
  if (!point)
    cell = chosen_;
  else if (place.part == Part::cell || place.part == Part::ribbon)
    cell = cell_of(place.column);
  choose_head(head);
  emit menu_requested(head.map, head.head, cell, global);
  return true;
}

bool RibbonsCanvas::go(int right, int down) {
  if (maps_.empty()) return false;
  if (right != 0) {
    RibbonsToken next = token_;
    next.index = std::clamp(next.index + right, 0, count(next.side) - 1);
    set_token(next);
    emit token_chosen(token_);
  }
  if (down == 0) return true;
  const auto now = std::ranges::find(heads_, head_) - heads_.begin();
  const auto last = static_cast<std::ptrdiff_t>(heads_.size()) - 1;
  const auto next = std::clamp<std::ptrdiff_t>(now + down, 0, last);
  if (next == now) return true;
  reveal({0, nth(layout_.rows, next).top(), 0, layout_.rows.front().height()});
  choose_head(nth(heads_, next));
  return true;
}

bool RibbonsCanvas::activate() {
  if (maps_.empty()) return false;
  int best = -1;
  for (int i = 0; i < columns(); ++i)
    if (const double each = weight(head_, i);
        std::isfinite(each) && nth(columns_, i).size() == 1 && (best < 0 || each > weight(head_, best)))
      best = i;
  if (best < 0) return false;
  const auto [row, column] = cell_of(best);
  set_chosen({row, column});
  emit weight_chosen(head_.map, head_.head, row, column);
  return true;
}

bool RibbonsCanvas::press_space() {
  if (maps_.empty() || token_.index < 0) return false;
  if (!is_self()) {
    set_token({token_.side == Side::key ? Side::query : Side::key, token_.index});
  } else if (token_.side == Side::key) {
    if (const int row = row_of_column(token_.index); row >= 0) set_token({Side::query, row});
  } else if (const int own = own_column(); own >= 0) {
    set_token({Side::key, nth(columns_, own).front()});
  }
  emit token_chosen(token_);
  return true;
}

bool RibbonsCanvas::press_key(const QKeyEvent& event) {
  if (event.key() != Qt::Key_Escape || !unfolded_) return false;
  unfolded_ = false;
  find_lines();
  lay_out();
  return true;
}

}  // namespace headlight
