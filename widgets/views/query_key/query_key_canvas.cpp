#include "widgets/views/query_key/query_key_canvas.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/trace_labels.h"

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
    if (pair_->padding[static_cast<std::size_t>(c)]) {
      ++blanks;
      const auto score = [&](int column) { return pair_->score.rivals[static_cast<std::size_t>(column)].score; };
      if (best < 0 || score(c) > score(best)) best = c;
    }
  const bool fold = !unfolded_ && blanks >= 2 && blanks < count;
  for (int c = 0; c < count; ++c)
    if (!fold || !pair_->padding[static_cast<std::size_t>(c)]) {
      columns_.push_back(c);
      labels_.push_back(pair_->rivals[static_cast<std::size_t>(c)]);
    }
  if (!fold) return;
  const bool chosen = pair_->padding[static_cast<std::size_t>(pair_->column)];
  folded_ = static_cast<int>(columns_.size());
  columns_.push_back(chosen ? static_cast<int>(pair_->column) : best);
  labels_.push_back(
      {(chosen ? tr("one of\n%1 blanks") : tr("best of\n%1 blanks")).arg(blanks), true, tr("%1 blanks").arg(blanks)});
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
  std::ranges::stable_sort(ranked_, [&](Index a, Index b) {
    return lifts_[static_cast<std::size_t>(a)] > lifts_[static_cast<std::size_t>(b)];
  });
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
      grow(products_, at(c).products[static_cast<std::size_t>(unit)]);
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
  return operands[which].numbers[static_cast<std::size_t>(unit)].value;
}

double QueryKeyCanvas::rest(int column) const {
  const auto& products = at(column).products;
  double sum = std::accumulate(products.begin(), products.end(), 0.0);
  for (const Index unit : units_)
    if (static_cast<std::size_t>(unit) < products.size()) sum -= products[static_cast<std::size_t>(unit)];
  return sum;
}

int QueryKeyCanvas::shown_column(int of_map) const {
  const auto found = std::ranges::find(columns_, of_map);
  return found == columns_.end() ? -1 : static_cast<int>(found - columns_.begin());
}

void QueryKeyCanvas::set_hovered_rival(int column) {
  if (column == marked_rival_) return;
  marked_rival_ = column;
  viewport()->update();
}

QSizeF QueryKeyCanvas::arrange(QSizeF view) {
  layout_ = {};
  if (!pair_) return {};
  const Theme& theme = Theme::instance();
  const QFontMetricsF words(theme.ui_font()), small(theme.ui_font(type::kSource));
  const double scale = theme.font_scale();
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
    below = std::max(below, text_width(row.name, bold_font()) +
                                (row.detail.isEmpty() ? 0 : 8 + small.horizontalAdvance(row.detail)) + 6);
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
  head_ =
      ColumnHead::of(layout_.columns, labels_, are_letters(labels_) ? type::kSentence : type::kQuestion, 96 * scale);
  head_.height = std::max(head_.height, std::ceil(3 * small.height()));
  m.head = head_.height + 6;
  layout_ = QueryKeyLayout::of(m);
  return {layout_.width, layout_.height};
}

// --- words

QString QueryKeyCanvas::first_text() const {
  return tr("these %1 of %2 units first").arg(units_.size()).arg(ranked_.size());
}

QString QueryKeyCanvas::sentence() const {
  if (!pair_) return {};
  const PairScore& score = pair_->score;
  const QString pair = tr("‘%1’ asks ‘%2’").arg(pair_->query.name, pair_->key.name);
  const ScoreRival& own = score.rivals[static_cast<std::size_t>(pair_->column)];
  if (own.hidden) return tr("%1: hidden by the mask, so its weight is 0.").arg(pair);
  const auto rank = 1 + std::count_if(score.rivals.begin(), score.rivals.end(),
                                      [&](const ScoreRival& rival) { return rival.weight.value > own.weight.value; });
  const auto rivals =
      std::count_if(score.rivals.begin(), score.rivals.end(), [](const ScoreRival& rival) { return !rival.hidden; });
  return tr("%1: score %2, weight %3, place %4 of %5.")
      .arg(pair, short_number(own.score), short_number(score.weight.value), QString::number(rank),
           QString::number(rivals));
}

QString QueryKeyCanvas::form_text() const {
  switch (pair_->score.form) {
    case Form::product:
      return QStringLiteral("q · k");
    case Form::tanh:
      return QStringLiteral("v · tanh(q + k)");
    case Form::relu:
      return QStringLiteral("v · relu(q + k)");
    case Form::linear:
      return QStringLiteral("Σ (q + k)");
    case Form::cosine:  // the sharpness is part of it, or a step of its own
      return !pair_->score.steps.empty() && pair_->score.steps.front().kind == ScoreStep::Kind::sharpness
                 ? QStringLiteral("cos(q, k)")
                 : QStringLiteral("β cos(q, k)");
    case Form::location:
      return QStringLiteral("q · w");
    case Form::none:
      break;
  }
  return {};
}

QString QueryKeyCanvas::operand_help(std::size_t index) const {
  const ScoreOperand& operand = pair_->score.operands[index];
  QStringList lines;
  switch (operand.role) {
    case Role::query:
      lines << tr("What ‘%1’ asks for.").arg(pair_->query.name);
      break;
    case Role::key:
      lines << (pair_->score.form == Form::location
                    ? tr("What the model learned about the place of ‘%1’: the score does not read the token itself.")
                          .arg(pair_->key.name)
                    : tr("How ‘%1’ describes itself.").arg(pair_->key.name));
      break;
    case Role::combined:
      lines << tr("Query and key added up, and squashed: this is where the two meet.");
      break;
    case Role::factor:
      lines << tr("How much each number of the sum counts: learned, and the same for every pair.");
      break;
  }
  if (const SiteKind* kind = operand.name.empty() ? nullptr : find_site_kind(operand.name))
    lines << tr("%1: %2").arg(site_title(*kind), site_help(*kind));
  else if (!operand.name.empty())
    lines << QString::fromStdString(operand.name);
  return lines.join('\n');
}

QString QueryKeyCanvas::unit_sentence(Index unit, int column) const {
  const PairScore& score = at(column);
  const auto place = static_cast<std::size_t>(unit);
  if (place >= score.products.size()) return {};
  const double product = score.products[place];
  const auto number = [&](std::size_t which) { return operand(which, unit, column); };
  const double q = number(0), k = number(1);
  const QString both = QStringLiteral("%1 × %2").arg(short_number(q), short_number(k));
  QString left = both;
  if (score.form == Form::cosine && q * k != 0)
    left = QStringLiteral("%1 × %2").arg(both, short_number(product / (q * k)));
  if (score.operands.size() == 4)
    left =
        QStringLiteral("%1 × %2(%3 + %4)")
            .arg(short_number(number(3)), score.form == Form::tanh ? "tanh" : "relu", short_number(q), short_number(k));
  if (score.form == Form::linear) left = QStringLiteral("%1 + %2").arg(short_number(q), short_number(k));
  const QString text = tr("unit %1: %2 = %3").arg(unit).arg(left, short_number(product));
  const double share = 100 * product / score.sum.value;
  return std::isfinite(share) ? tr("%1, %2 % of the sum").arg(text).arg(share, 0, 'f', 0) : text;
}

QString QueryKeyCanvas::steps_text(const std::vector<ScoreStep>& steps) const {
  using Kind = ScoreStep::Kind;
  QStringList texts;
  for (const ScoreStep& step : steps) {
    const QString operand = short_number(step.operand.value);
    switch (step.kind) {
      case Kind::scale:
        texts << tr("× %1").arg(short_number(step.factor));
        break;
      case Kind::temperature:
        texts << tr("÷ %1 (temperature)").arg(short_number(1 / step.factor));
        break;
      case Kind::sharpness:
        texts << tr("× β %1").arg(operand);
        break;
      case Kind::addend:
        texts << tr("+ %1").arg(operand);
        break;
      case Kind::edit:
        texts << tr("set to %1").arg(short_number(step.result.value));
        break;
      case Kind::mask:
        texts << tr("hidden");
        break;
      case Kind::window:
        texts << tr("× hill");
        break;
    }
  }
  return texts.join(QStringLiteral(", "));
}

QString QueryKeyCanvas::steps_help(const std::vector<ScoreStep>& steps) const {
  using Kind = ScoreStep::Kind;
  QStringList texts;
  for (const ScoreStep& step : steps) switch (step.kind) {
      case Kind::scale:
        texts << tr(
            "The scale, one over the root of the vectors’ length: without it, long vectors would give scores so "
            "large that the softmax only ever sees one key.");
        break;
      case Kind::temperature:
        texts << tr("The temperature: above 1 the attention gets softer, below 1 sharper.");
        break;
      case Kind::sharpness:
        texts << tr("The sharpness that the model chose for this step: the larger, the stricter the search.");
        break;
      case Kind::addend:
        texts << tr("A bias: learned, and added whatever the two vectors are.");
        break;
      case Kind::edit:
        texts << tr("Set by you; the model had computed %1.").arg(short_number(step.operand.value));
        break;
      case Kind::mask:
        texts << tr("This key may not be looked at: it only fills up the line, or is still to be written.");
        break;
      case Kind::window:
        texts << tr("The bell around the window’s centre: keys far from it count less.");
        break;
    }
  return texts.join('\n');
}

std::vector<QueryKeyCanvas::Total> QueryKeyCanvas::totals() const {
  using What = Total::What;
  std::vector<Total> all;
  if (!pair_ || pair_->score.rivals.empty()) return all;
  const PairScore& score = pair_->score;
  const QString what_score = tr("What the softmax compares with the scores of the other keys.");
  if (score.units() > 0 && score.steps.empty())
    all.push_back(
        {What::sum, tr("Sum: the score"), form_text(), tr("All products added up: how well the key fits the query.")});
  if (score.units() > 0 && !score.steps.empty())
    all.push_back({What::sum, tr("Sum"), form_text(), tr("All products added up: how well the key fits the query.")});
  if (!score.steps.empty() || score.units() == 0)
    all.push_back({What::score, tr("The score"), steps_text(score.steps),
                   (what_score + '\n' + steps_help(score.steps)).trimmed()});
  if (score.after.empty()) {
    all.push_back(
        {What::weight, tr("Its share"), tr("attention"),
         tr("e to the power of the score, divided by the sum of the same for all keys that are not hidden.")});
    return all;
  }
  all.push_back({What::share,
                 tr("Its share"),
                 {},
                 tr("e to the power of the score, divided by the sum of the same for all keys that are not hidden.")});
  all.push_back({What::weight, tr("Its weight"), steps_text(score.after),
                 (tr("How much of this key’s value is read.") + '\n' + steps_help(score.after)).trimmed()});
  return all;
}

QStringList QueryKeyCanvas::total_names() const {
  QStringList names;
  for (const Total& row : totals_) names << QStringLiteral("%1 %2").arg(row.name, row.detail).trimmed();
  return names;
}

double QueryKeyCanvas::total(const Total& row, int column) const {
  const ScoreRival& rival = pair_->score.rivals[static_cast<std::size_t>(column)];
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
      return column == pair_->column ? own.share : pair_->score.rivals[static_cast<std::size_t>(column)].weight;
    case Total::What::weight:
      break;
  }
  return pair_->score.rivals[static_cast<std::size_t>(column)].weight;
}

QString QueryKeyCanvas::name() const {
  return pair_ ? tr("Query and key, ‘%1’ and ‘%2’").arg(pair_->query.words(), pair_->key.words())
               : tr("Query and key, none");
}

QString QueryKeyCanvas::description() const {
  if (!pair_) return {};
  QStringList parts{sentence()};
  if (opened_ >= 0)
    parts << tr("It is lifted above the mean of the others by %1, most of it by unit %2 (%3).")
                 .arg(plain_number(std::accumulate(lifts_.begin(), lifts_.end(), 0.0)))
                 .arg(ranked_.front())
                 .arg(plain_number(lifts_[static_cast<std::size_t>(ranked_.front())]))
          << unit_sentence(opened_, static_cast<int>(pair_->column)) + '.';
  return parts.join(' ');
}

QString QueryKeyCanvas::place_tooltip(const QueryKeyHit& place) const {
  if (!pair_) return {};
  const int column = place.column >= 0 ? columns_[static_cast<std::size_t>(place.column)] : -1;
  const auto hidden = [&] { return column >= 0 && pair_->score.rivals[static_cast<std::size_t>(column)].hidden; };
  const auto hidden_text = [&] {
    return tr("‘%1’ is hidden by the mask: it gets no weight, whatever its score.")
        .arg(pair_->rivals[static_cast<std::size_t>(column)].words());
  };
  if (hidden()) return hidden_text();
  switch (place.part) {
    case Part::tokens: {
      if (place.column == folded_)
        return tr("%1: click to see each of them, Esc folds them again.")
            .arg(labels_[static_cast<std::size_t>(place.column)].words());
      const ScoreRival& rival = pair_->score.rivals[static_cast<std::size_t>(column)];
      return tr("‘%1’: score %2, weight %3")
                 .arg(pair_->rivals[static_cast<std::size_t>(column)].words(), short_number(rival.score),
                      short_number(rival.weight.value)) +
             '\n' + tr("Click to see how its score came about.");
    }
    case Part::unit: {
      const Index unit = units_[static_cast<std::size_t>(place.row)];
      return (column >= 0 ? unit_sentence(unit, column) : tr("unit %1").arg(unit)) + '\n' +
             tr("Click to open its product.");
    }
    case Part::query:
      return unit_sentence(units_[static_cast<std::size_t>(place.row)], static_cast<int>(pair_->column)) + '\n' +
             operand_help(0);
    case Part::opened:
      if (column < 0) return operand_help(place.row == 0 ? 1 : is_additive() && place.row == 1 ? 2 : 0);
      return unit_sentence(opened_, column) + '\n' +
             operand_help(place.row == 0                    ? 1
                          : is_additive() && place.row == 1 ? 2
                                                            : 1);
    case Part::rest:
      return tr("What the units without a row add. Click for %1 more.").arg(kUnits);
    case Part::total: {
      const Total& row = totals_[static_cast<std::size_t>(place.row)];
      if (column < 0) return row.help;
      return QStringLiteral("%1: %2").arg(row.name, short_number(total(row, column))) + '\n' + row.help;
    }
    case Part::none:
      break;
  }
  return sentence() + '\n' +
         tr("A query asks, a key answers: number by number they are multiplied and added up to a score, and the "
            "softmax turns the scores of all keys into weights. Every number here opens in the inspector.");
}

// --- mouse and keys

void QueryKeyCanvas::hover_changed() {
  const int column = hovered().column >= 0 ? columns_[static_cast<std::size_t>(hovered().column)] : -1;
  marked_rival_ = column;
  emit rival_hovered(column);
}

Qt::CursorShape QueryKeyCanvas::pointer(const QueryKeyHit& place) const {
  return place.part == Part::none ? Qt::ArrowCursor : Qt::PointingHandCursor;
}

void QueryKeyCanvas::press_place(const QueryKeyHit& place) {
  const int column = place.column >= 0 ? columns_[static_cast<std::size_t>(place.column)] : -1;
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
  if (place.part == Part::unit) open_unit(units_[static_cast<std::size_t>(place.row)]);
  if (place.part == Part::query)
    number = pair_->score.operands[0].numbers[static_cast<std::size_t>(units_[static_cast<std::size_t>(place.row)])];
  if (place.part == Part::opened && column >= 0) {
    const PairScore& score = at(column);
    if (place.row == 0 && !score.operands.empty())
      number = score.operands[1].numbers[static_cast<std::size_t>(opened_)];
    else
      number = score.sum;
  }
  if (place.part == Part::total && column >= 0)
    number = total_number(totals_[static_cast<std::size_t>(place.row)], column);
  if (other) emit rival_chosen(column);  // another pair, from here on
  if (number.entry >= 0) emit number_chosen(number);
}

bool QueryKeyCanvas::go(int right, int down) {
  if (!pair_) return false;
  const int last = static_cast<int>(columns_.size()) - 1;
  const int now = std::max(0, shown_column(static_cast<int>(pair_->column)));
  const int column = columns_[static_cast<std::size_t>(std::clamp(now + right, 0, last))];
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
  open_unit(ranked_[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(now, 0, last))]);
  return true;
}

}  // namespace headlight
