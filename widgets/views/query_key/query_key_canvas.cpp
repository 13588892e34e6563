#include "widgets/views/query_key/query_key_canvas.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "widgets/base/theme.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

using Part = QueryKeyHit::Part;
using Form = PairScore::Form;
using Role = ScoreOperand::Role;

QueryKeyCanvas::QueryKeyCanvas(QWidget* parent) : Canvas(Layout::scrolled, parent) { announce(); }

void QueryKeyCanvas::set_pair(std::shared_ptr<const QueryKeyPair> pair) {
  pair_ = std::move(pair);
  hover_ = {};
  marked_rival_ = -1;
  order_units();
  if (cursor_ >= static_cast<int>(order_.size())) cursor_ = -1;
  lay_out();
  announce();
}

void QueryKeyCanvas::set_sorted(bool sorted) {
  if (sorted == sorted_) return;
  sorted_ = sorted;
  order_units();
  announce();
  viewport()->update();
}

void QueryKeyCanvas::order_units() {
  order_.clear();
  if (!pair_) return;
  if (sorted_) {
    order_ = units_by_magnitude(pair_->score);
    return;
  }
  order_.resize(pair_->score.products.size());
  std::iota(order_.begin(), order_.end(), Index{0});
}

void QueryKeyCanvas::set_cursor(int place) {
  cursor_ = std::clamp(place, -1, static_cast<int>(order_.size()) - 1);
  announce();
  viewport()->update();
}

void QueryKeyCanvas::set_hovered_rival(int column) {
  if (column == marked_rival_) return;
  marked_rival_ = column;
  viewport()->update();
}

QSizeF QueryKeyCanvas::arrange(QSizeF view) {
  const Theme& theme = Theme::instance();
  const QFontMetricsF words(theme.ui_font(0.9)), numbers(theme.ui_font(0.82)), tokens(theme.token_font(0.9));
  QueryKeyLayout::Metrics m;
  m.view = view;
  m.line = std::ceil(words.height() + 1);
  m.token_line = std::ceil(tokens.height() + 3);
  m.value = std::ceil(numbers.horizontalAdvance(QStringLiteral("−0.0000")) + 8);
  chips_ = chips();
  if (pair_) {
    m.operands = static_cast<int>(pair_->score.operands.size());
    m.units = static_cast<int>(pair_->score.units());
    m.rivals = static_cast<int>(pair_->score.rivals.size());
    m.label = words.horizontalAdvance(tr("sum so far")) + 8;
    for (std::size_t i = 0; i < pair_->score.operands.size(); ++i)
      m.label = std::max(m.label, words.horizontalAdvance(operand_text(i)) + 12);
    for (const Chip& chip : chips_) m.chips.push_back(std::ceil(words.horizontalAdvance(chip.text) + 14));
  }
  layout_ = QueryKeyLayout::of(m);
  return {layout_.width, layout_.height};
}

// --- words

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

QString QueryKeyCanvas::operand_text(std::size_t operand) const {
  const Form form = pair_->score.form;
  switch (pair_->score.operands[operand].role) {
    case Role::query:
      return tr("query %1").arg(pair_->query.text);
    case Role::key:
      return form == Form::location ? tr("place of %1").arg(pair_->key.text) : tr("key %1").arg(pair_->key.text);
    case Role::combined:
      return form == Form::tanh   ? QStringLiteral("tanh(q + k)")
             : form == Form::relu ? QStringLiteral("relu(q + k)")
                                  : QStringLiteral("q + k");
    case Role::factor:
      break;
  }
  return QStringLiteral("v");
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

QString QueryKeyCanvas::unit_sentence(Index unit) const {
  const PairScore& score = pair_->score;
  const auto at = static_cast<std::size_t>(unit);
  const double product = score.products[at];
  const auto number = [&](std::size_t operand) { return score.operands[operand].numbers[at].value; };
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

QString QueryKeyCanvas::largest_units() const {
  if (!pair_ || pair_->score.units() == 0) return {};
  const std::vector<Index> order = units_by_magnitude(pair_->score);
  QStringList names;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, order.size()); ++i) {
    const double product = pair_->score.products[static_cast<std::size_t>(order[i])];
    names << tr("unit %1 (%2)")
                 .arg(order[i])
                 .arg((product > 0 ? QStringLiteral("+") : QString()) + short_number(product));
  }
  return tr("Most comes from %1.").arg(names.join(QStringLiteral(", ")));
}

void QueryKeyCanvas::add_steps(std::vector<Chip>& all, const std::vector<ScoreStep>& steps) const {
  using Kind = ScoreStep::Kind;
  for (const ScoreStep& step : steps) {
    const QString operand = short_number(step.operand.value);
    switch (step.kind) {
      case Kind::scale:
        all.push_back({tr("× %1").arg(short_number(step.factor)),
                       tr("The scale, one over the root of the vectors’ length: without it, long vectors would give "
                          "scores so large that the softmax only ever sees one key."),
                       step.result});
        break;
      case Kind::temperature:
        all.push_back({tr("÷ %1 (temperature)").arg(short_number(1 / step.factor)),
                       tr("The temperature: above 1 the attention gets softer, below 1 sharper."), step.result});
        break;
      case Kind::sharpness:
        all.push_back({tr("× β %1").arg(operand),
                       tr("The sharpness that the model chose for this step: the larger, the stricter the search."),
                       step.operand});
        break;
      case Kind::addend:
        all.push_back(
            {tr("+ %1").arg(operand), tr("A bias: learned, and added whatever the two vectors are."), step.operand});
        break;
      case Kind::edit:
        all.push_back({tr("set to %1").arg(short_number(step.result.value)),
                       tr("Set by you; the model had computed %1.").arg(operand), step.result, false, true});
        break;
      case Kind::mask:
        all.push_back({tr("hidden by the mask: −∞"),
                       tr("This key may not be looked at: it only fills up the line, or is still to be written."),
                       step.result});
        break;
      case Kind::window:
        all.push_back({tr("× %1 (Gaussian)").arg(operand),
                       tr("The bell around the window’s centre: keys far from it count less."), step.operand});
        break;
    }
  }
}

std::vector<QueryKeyCanvas::Chip> QueryKeyCanvas::chips() const {
  std::vector<Chip> all;
  if (!pair_ || pair_->score.rivals.empty()) return all;
  const PairScore& score = pair_->score;
  if (score.units() > 0)
    all.push_back({QStringLiteral("%1 = %2").arg(form_text(), short_number(score.sum.value)),
                   tr("All products added up: how well the key fits the query."), score.sum, true});
  add_steps(all, score.steps);
  if (!std::isnan(score.score.value) && (!score.steps.empty() || score.units() == 0))
    all.push_back({tr("score %1").arg(short_number(score.score.value)),
                   tr("What the softmax compares with the scores of the other keys."), score.score, true});
  if (!std::isnan(score.share.value))
    all.push_back({tr("softmax: %1").arg(short_number(score.share.value)),
                   tr("e to the power of the score, divided by the sum of the same for all keys that are not hidden."),
                   score.share, score.after.empty()});
  add_steps(all, score.after);
  if (!score.after.empty() || std::isnan(score.share.value))
    all.push_back({tr("weight %1").arg(short_number(score.weight.value)), tr("How much of this key’s value is read."),
                   score.weight, true});
  return all;
}

QStringList QueryKeyCanvas::chip_texts() const {
  QStringList texts;
  for (const Chip& chip : chips_) texts << chip.text;
  return texts;
}

QString QueryKeyCanvas::name() const {
  return pair_ ? tr("Query and key, ‘%1’ and ‘%2’").arg(pair_->query.name, pair_->key.name) : tr("Query and key, none");
}

QString QueryKeyCanvas::description() const {
  if (!pair_) return {};
  const bool chosen = cursor_ >= 0 && cursor_ < static_cast<int>(order_.size());
  return sentence() + ' ' + chip_texts().join(QStringLiteral("; ")) + QStringLiteral(". ") +
         (chosen ? unit_sentence(unit_at(cursor_)) : largest_units());
}

QString QueryKeyCanvas::place_tooltip(const QueryKeyHit& place) const {
  if (!pair_) return {};
  const auto unit = [&] { return unit_sentence(unit_at(place.index)); };
  switch (place.part) {
    case Part::operand:
      return unit() + '\n' + operand_help(static_cast<std::size_t>(place.operand));
    case Part::product:
      return unit() + '\n' +
             tr("One bar for each unit: what it adds to the score. Bars that point up speak for this key, bars that "
                "point down against it.");
    case Part::running:
      return unit() + '\n' + tr("The products added up from left to right; where the line ends is the sum.");
    case Part::chip:
      return chips_[static_cast<std::size_t>(place.index)].help;
    case Part::rival: {
      const ScoreRival& rival = pair_->score.rivals[static_cast<std::size_t>(place.index)];
      const QString name = pair_->rivals[static_cast<std::size_t>(place.index)].name;
      if (rival.hidden) return tr("‘%1’ is hidden by the mask: it gets no weight, whatever its score.").arg(name);
      QString text =
          tr("‘%1’: score %2, weight %3").arg(name, short_number(rival.score), short_number(rival.weight.value));
      if (!pair_->score.after.empty())
        text += '\n' + tr("The line on its bar is what the softmax said: %1.").arg(short_number(rival.share));
      return text + '\n' + tr("Click to see how its score came about.");
    }
    case Part::none:
      break;
  }
  return sentence() + '\n' +
         tr("A query asks, a key answers: number by number they are multiplied and added up to a score, and the "
            "softmax "
            "turns the scores of all keys into weights. Every number here opens in the inspector.");
}

// --- mouse and keys

bool QueryKeyCanvas::over_units() const {
  return hover_.part == Part::operand || hover_.part == Part::product || hover_.part == Part::running;
}

Qt::CursorShape QueryKeyCanvas::hover(QPointF point) {
  const QueryKeyHit place = pair_ ? layout_.place_at(point) : QueryKeyHit{};
  if (place != hover_) {
    const int before = hover_.part == Part::rival ? hover_.index : -1;
    hover_ = place;
    const int rival = hover_.part == Part::rival ? hover_.index : -1;
    viewport()->update();
    if (rival != before) emit rival_hovered(rival);
  }
  return place.part == Part::none ? Qt::ArrowCursor : Qt::PointingHandCursor;
}

PlacedNumber QueryKeyCanvas::number_at(const QueryKeyHit& place) const {
  switch (place.part) {
    case Part::operand:
      return pair_->score.operands[static_cast<std::size_t>(place.operand)]
          .numbers[static_cast<std::size_t>(unit_at(place.index))];
    case Part::product:
    case Part::running:
      return pair_->score.sum;
    case Part::chip:
      return chips_[static_cast<std::size_t>(place.index)].number;
    default:
      return {};
  }
}

void QueryKeyCanvas::press(QPointF point, Qt::KeyboardModifiers) {
  if (!pair_) return;
  const QueryKeyHit place = layout_.place_at(point);
  if (place.part == Part::rival) return emit rival_chosen(place.index);
  if (place.part == Part::operand || place.part == Part::product || place.part == Part::running)
    set_cursor(place.index);
  if (const PlacedNumber number = number_at(place); number.entry >= 0) emit number_chosen(number);
}

bool QueryKeyCanvas::go(int right, int down) {
  emit moved(down, right, 0);
  return true;
}

bool QueryKeyCanvas::go_to_other(int by) {
  emit moved(0, 0, by);
  return true;
}

bool QueryKeyCanvas::activate() {
  if (pair_) emit number_chosen(cursor_ >= 0 ? pair_->score.sum : pair_->score.weight);
  return pair_ != nullptr;
}

bool QueryKeyCanvas::press_key(const QKeyEvent& event) {
  switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (!(event.modifiers() & Qt::ShiftModifier)) return false;
      set_cursor(event.key() == Qt::Key_Right ? cursor_ + 1 : std::max(0, cursor_ - 1));
      return true;
    case Qt::Key_S:
      emit sorting_asked();
      return true;
    case Qt::Key_Escape:
      if (cursor_ < 0) return false;
      set_cursor(-1);
      return true;
    default:
      return false;
  }
}

}  // namespace headlight
