#include "widgets/views/query_key/query_key_canvas.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/attention_words.h"

namespace headlight {

using Part = QueryKeyHit::Part;
using Form = PairScore::Form;
using Role = ScoreOperand::Role;

std::vector<bool> QueryKeyPair::hidden() const {
  std::vector<bool> found;
  for (const ScoreRival& rival : score.rivals) found.push_back(rival.hidden);
  return found;
}

QueryKeyCanvas::QueryKeyCanvas(QWidget* parent) : PlaceCanvas(Layout::scrolled, parent) { announce(); }

void QueryKeyCanvas::set_pair(std::shared_ptr<const QueryKeyPair> pair) {
  pair_ = std::move(pair);
  set_hovered({});
  marked_rival_ = -1;
  find_columns();
  find_units();
  lay_out();
  if (const int shown = pair_ ? shown_column(static_cast<int>(pair_->column)) : -1; shown >= 0)
    reveal({layout_.columns.left(shown) - layout_.columns.left(), 0,
            layout_.columns.left() + layout_.columns.width(shown), 0});
  announce();
}

// Of several blanks, the one with the largest score stands for all; where one of them is chosen, that one.
void QueryKeyCanvas::find_columns() {
  columns_.clear();
  labels_.clear();
  folded_ = -1;
  if (!pair_) return;
  const auto count = static_cast<int>(pair_->rivals.size());
  int best = -1, blanks = 0;
  for (int c = 0; c < count; ++c)
    if (nth(pair_->padding, c)) {
      ++blanks;
      const auto score = [&](int column) { return nth(pair_->score.rivals, column).score; };
      if (best < 0 || score(c) > score(best)) best = c;
    }
  const bool fold = !unfolded_ && blanks >= 2 && blanks < count;
  for (int c = 0; c < count; ++c)
    if (!fold || !nth(pair_->padding, c)) {
      columns_.push_back(c);
      labels_.push_back(nth(pair_->rivals, c));
    }
  if (!fold) return;
  const bool chosen = nth(pair_->padding, pair_->column);
  folded_ = static_cast<int>(columns_.size());
  columns_.push_back(chosen ? static_cast<int>(pair_->column) : best);
  labels_.push_back(
      {(chosen ? tr("one of\npadding (%1)") : tr("best of\npadding (%1)")).arg(blanks), true, padding_name(blanks)});
}

void QueryKeyCanvas::find_units() {
  units_.clear();
  ranked_.clear();
  lifts_.clear();
  opened_ = -1;
  totals_ = totals();
  numbers_ = products_ = sums_ = 1e-12;
  if (!pair_ || pair_->score.units() == 0) return;
  const auto units = static_cast<std::size_t>(pair_->score.units());
  if (at(static_cast<int>(pair_->column)).products.size() == units)
    lifts_ = unit_lifts(pair_->columns, pair_->column, pair_->hidden());
  else
    lifts_ = pair_->score.products;
  ranked_.resize(units);
  std::iota(ranked_.begin(), ranked_.end(), Index{0});
  std::ranges::stable_sort(ranked_, [&](Index a, Index b) { return nth(lifts_, a) > nth(lifts_, b); });
  const auto count = std::min(units, static_cast<std::size_t>(count_));
  units_.assign(ranked_.begin(), ranked_.begin() + static_cast<std::ptrdiff_t>(count));
  opened_ = wanted_ >= 0 && wanted_ < static_cast<Index>(units) ? wanted_ : units_.front();
  if (std::ranges::find(units_, opened_) == units_.end()) units_.insert(units_.begin(), opened_);
  const auto grow = [](double& largest, double value) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  };
  for (const Index unit : units_) {
    grow(numbers_, operand(0, unit, static_cast<int>(pair_->column)));
    for (const int c : columns_) {
      if (at(c).products.empty()) continue;
      grow(numbers_, operand(1, unit, c));
      grow(products_, nth(at(c).products, unit));
    }
  }
  for (const int c : columns_)
    for (const Total& row : totals_)
      if (row.what == Total::What::sum || row.what == Total::What::score) grow(sums_, total(row, c));
}

void QueryKeyCanvas::open_unit(Index unit) {
  wanted_ = unit;
  find_units();
  lay_out();
  announce();
}

double QueryKeyCanvas::operand(std::size_t which, Index unit, int column) const {
  const auto& operands = at(column).operands;
  if (which >= operands.size()) return std::numeric_limits<double>::quiet_NaN();
  return nth(operands[which].numbers, unit).value;
}

double QueryKeyCanvas::rest(int column) const {
  const auto& products = at(column).products;
  double sum = std::accumulate(products.begin(), products.end(), 0.0);
  for (const Index unit : units_)
    if (static_cast<std::size_t>(unit) < products.size()) sum -= nth(products, unit);
  return sum;
}

int QueryKeyCanvas::shown_column(int of_map) const {
  const auto found = std::ranges::find(columns_, of_map);
  return found == columns_.end() ? -1 : static_cast<int>(found - columns_.begin());
}

void QueryKeyCanvas::set_hovered_rival(int column) { move_mark(marked_rival_, column); }

QSizeF QueryKeyCanvas::arrange(QSizeF view) {
  layout_ = {};
  if (!pair_) return {};
  const QFontMetricsF words(theme().ui_font()), small(theme().ui_font(type::kSource));
  const double scale = theme().font_scale();
  QueryKeyLayout::Metrics m;
  m.view = view;
  m.shares = column_shares(labels_);
  m.units = static_cast<int>(units_.size());
  for (std::size_t i = 0; i < units_.size(); ++i)
    if (units_[i] == opened_) m.opened = static_cast<int>(i);
  m.parts = pair_->score.units() > 0 && is_additive() ? 3 : 2;
  m.totals = static_cast<int>(totals_.size());
  m.rest = units_.size() < ranked_.size();
  m.margin = view.width() < 500 * scale ? space::kSmall : space::kMargin;
  double widest = text_width(tr("Unit %1").arg(ranked_.size()), bold_font(type::kTitle));
  widest = std::max(widest, 0.55 * small.horizontalAdvance(first_text()));  // on two lines
  m.name = std::ceil(m.margin + widest + 8);
  m.tile = std::ceil(54 * scale);
  double below = words.horizontalAdvance(tr("The other %1").arg(ranked_.size())) + 8;  // may reach below the tiles
  for (const Total& row : totals_)
    below = std::max(below,
                     text_width(row.name, bold_font()) +
                         (row.detail.isEmpty() ? 0 : 8 + text_width(row.detail, theme().ui_font(type::kSource))) + 6);
  m.name = std::max(m.name, std::ceil(m.margin + below - m.tile - 14));
  m.side = std::ceil(168 * scale);
  m.row = std::ceil(words.height() * 2);
  m.least_column = 14 * scale;
  m.most_column = 110 * scale;
  layout_ = QueryKeyLayout::of(m);
  if (folded_ >= 0) {
    m.shares = column_shares(labels_, layout_.columns.width(folded_) / m.shares.back());
    layout_ = QueryKeyLayout::of(m);
  }
  head_ = ColumnHead::of(layout_.columns, labels_, type::kQuestion, 96 * scale);
  head_.height = std::max(head_.height, std::ceil(3 * small.height()));
  m.head = head_.height + 6;
  layout_ = QueryKeyLayout::of(m);
  return {layout_.width, layout_.height};
}

// --- words

double QueryKeyCanvas::total(const Total& row, int column) const {
  const ScoreRival& rival = nth(pair_->score.rivals, column);
  if (rival.hidden) return std::numeric_limits<double>::quiet_NaN();
  switch (row.what) {
    case Total::What::sum:
      return at(column).sum.value;
    case Total::What::score:
      return rival.score;
    case Total::What::share:
      return rival.share;
    case Total::What::weight:
      break;
  }
  return rival.weight.value;
}

PlacedNumber QueryKeyCanvas::total_number(const Total& row, int column) const {
  const PairScore& own = column == pair_->column ? pair_->score : at(column);
  switch (row.what) {
    case Total::What::sum:
      return own.sum;
    case Total::What::score:
      return own.score;
    case Total::What::share:
      return column == pair_->column ? own.share : nth(pair_->score.rivals, column).weight;
    case Total::What::weight:
      break;
  }
  return nth(pair_->score.rivals, column).weight;
}

// --- mouse and keys

void QueryKeyCanvas::hover_changed() {
  const int column = hovered().column >= 0 ? nth(columns_, hovered().column) : -1;
  marked_rival_ = column;
  emit rival_hovered(column);
}

void QueryKeyCanvas::press_place(const QueryKeyHit& place) {
  const int column = place.column >= 0 ? nth(columns_, place.column) : -1;
  const bool other = column >= 0 && column != pair_->column;
  PlacedNumber number;
  if (place.part == Part::tokens && place.column == folded_) {
    unfolded_ = true;
    find_columns();
    return lay_out();
  }
  if (place.part == Part::rest) {
    count_ += kUnits;
    return open_unit(wanted_);
  }
  if (place.part == Part::unit) open_unit(nth(units_, place.row));
  if (place.part == Part::query) number = nth(pair_->score.operands[0].numbers, nth(units_, place.row));
  if (place.part == Part::opened && column >= 0) {
    const PairScore& score = at(column);
    if (place.row == 0 && !score.operands.empty())
      number = nth(score.operands[1].numbers, opened_);
    else
      number = score.sum;
  }
  if (place.part == Part::total && column >= 0) number = total_number(nth(totals_, place.row), column);
  if (other) emit rival_chosen(column);  // another pair, from here on
  if (number.entry >= 0) emit number_chosen(number);
}

QRectF QueryKeyCanvas::cursor_rect() const {
  if (!pair_ || layout_.totals.empty()) return {};
  const QRectF& row = layout_.totals.back();
  return layout_.columns.cell(std::max(0, shown_column(static_cast<int>(pair_->column))), row.top(), row.height());
}

bool QueryKeyCanvas::go(int right, int down) {
  if (!pair_) return false;
  const int last = static_cast<int>(columns_.size()) - 1;
  const int now = std::max(0, shown_column(static_cast<int>(pair_->column)));
  const int column = nth(columns_, std::clamp(now + right, 0, last));
  emit moved(down, right == 0 ? 0 : column - static_cast<int>(pair_->column), 0);
  return true;
}

bool QueryKeyCanvas::go_to_other(int by) {
  emit moved(0, 0, by);
  return true;
}

bool QueryKeyCanvas::activate() {
  if (pair_) emit number_chosen(pair_->score.weight);
  return pair_ != nullptr;
}

bool QueryKeyCanvas::press_key(const QKeyEvent& event) {
  const bool up = event.key() == Qt::Key_Up, down = event.key() == Qt::Key_Down;
  if (event.key() == Qt::Key_Escape) {
    if (wanted_ < 0 && !unfolded_ && count_ == kUnits) return false;
    unfolded_ = false;
    count_ = kUnits;
    wanted_ = -1;
    set_pair(pair_);
    return true;
  }
  if (!(event.modifiers() & Qt::ShiftModifier) || (!up && !down) || ranked_.empty()) return false;
  const auto now = std::ranges::find(ranked_, opened_) - ranked_.begin() + (down ? 1 : -1);
  const auto last = static_cast<std::ptrdiff_t>(ranked_.size()) - 1;
  open_unit(nth(ranked_, std::clamp<std::ptrdiff_t>(now, 0, last)));
  return true;
}

}  // namespace headlight
