// What the query-key view says: a pair, its units, and the steps from its sum to its weight.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "widgets/canvas/column_ink.h"
#include "widgets/text/number_words.h"
#include "widgets/text/trace_labels.h"
#include "widgets/views/query_key/query_key_canvas.h"

namespace headlight {

using Part = QueryKeyHit::Part;
using Form = PairScore::Form;
using Role = ScoreOperand::Role;

QString QueryKeyCanvas::first_text() const {
  return tr("the %1 units that matter most (of %2)").arg(units_.size()).arg(ranked_.size());
}

QString QueryKeyCanvas::sentence() const {
  if (!pair_) return {};
  const PairScore& score = pair_->score;
  const QString pair = tr("‘%1’ asks ‘%2’").arg(pair_->query.name, pair_->key.name);
  const ScoreRival& own = nth(score.rivals, pair_->column);
  if (own.hidden) return tr("%1: hidden by the mask, so its weight is 0.").arg(pair);
  const auto rank = 1 + std::ranges::count_if(score.rivals, [&](const ScoreRival& rival) {
                      return rival.weight.value > own.weight.value;
                    });
  const auto rivals = std::ranges::count_if(score.rivals, [](const ScoreRival& rival) { return !rival.hidden; });
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
  const QString text = tr("unit %1: %2 = %3").arg(counted(unit), left, short_number(product));
  const double share = 100 * product / score.sum.value;
  return std::isfinite(share) ? tr("%1, %2 % of the sum").arg(text).arg(share, 0, 'f', 0) : text;
}

QString QueryKeyCanvas::steps_text(const std::vector<ScoreStep>& steps) const {
  using StepKind = ScoreStep::Kind;
  QStringList texts;
  for (const ScoreStep& step : steps) {
    const QString operand = short_number(step.operand.value);
    switch (step.kind) {
      case StepKind::scale:
        texts << tr("× %1").arg(short_number(step.factor));
        break;
      case StepKind::temperature:
        texts << tr("÷ %1 (temperature)").arg(short_number(1 / step.factor));
        break;
      case StepKind::sharpness:
        texts << tr("× β %1").arg(operand);
        break;
      case StepKind::addend:
        texts << tr("+ %1").arg(operand);
        break;
      case StepKind::edit:
        texts << tr("set to %1").arg(short_number(step.result.value));
        break;
      case StepKind::mask:
        texts << tr("hidden");
        break;
      case StepKind::window:
        texts << tr("× bell");
        break;
    }
  }
  return texts.join(QStringLiteral(", "));
}

QString QueryKeyCanvas::steps_help(const std::vector<ScoreStep>& steps) const {
  using StepKind = ScoreStep::Kind;
  QStringList texts;
  for (const ScoreStep& step : steps) switch (step.kind) {
      case StepKind::scale:
        texts << tr(
            "The scale, one over the root of the vectors’ length: without it, long vectors would give scores so "
            "large that the softmax only ever sees one key.");
        break;
      case StepKind::temperature:
        texts << tr("The temperature: above 1 the attention gets softer, below 1 sharper.");
        break;
      case StepKind::sharpness:
        texts << tr("The sharpness that the model chose for this step: the larger, the stricter the search.");
        break;
      case StepKind::addend:
        texts << tr("A bias: learned, and added whatever the two vectors are.");
        break;
      case StepKind::edit:
        texts << tr("Set by you; the model had computed %1.").arg(short_number(step.operand.value));
        break;
      case StepKind::mask:
        texts << tr("This key may not be looked at: it only fills up the line, or is still to be written.");
        break;
      case StepKind::window:
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

QString QueryKeyCanvas::name() const {
  return pair_ ? tr("Query and key, ‘%1’ and ‘%2’").arg(pair_->query.words(), pair_->key.words())
               : tr("Query and key, none");
}

QString QueryKeyCanvas::description() const {
  if (!pair_) return {};
  QStringList parts{sentence()};
  if (opened_ >= 0)
    parts << tr("It is above the mean of the others by %1, most of it by unit %2 (%3).")
                 .arg(plain_number(std::accumulate(lifts_.begin(), lifts_.end(), 0.0)), counted(ranked_.front()),
                      plain_number(nth(lifts_, ranked_.front())))
          << unit_sentence(opened_, static_cast<int>(pair_->column)) + '.';
  return parts.join(' ');
}

QString QueryKeyCanvas::place_tooltip(const QueryKeyHit& place) const {
  if (!pair_) return {};
  const int column = place.column >= 0 ? nth(columns_, place.column) : -1;
  const auto hidden = [&] { return column >= 0 && nth(pair_->score.rivals, column).hidden; };
  const auto hidden_text = [&] {
    return tr("‘%1’ is hidden by the mask: it gets no weight, whatever its score.")
        .arg(nth(pair_->rivals, column).words());
  };
  if (hidden()) return hidden_text();
  switch (place.part) {
    case Part::tokens: {
      if (place.column == folded_)
        return tr("%1: click to see each of them, Esc folds them again.").arg(nth(labels_, place.column).words());
      const ScoreRival& rival = nth(pair_->score.rivals, column);
      return tr("‘%1’: score %2, weight %3")
                 .arg(nth(pair_->rivals, column).words(), short_number(rival.score), short_number(rival.weight.value)) +
             '\n' + tr("Click to see how its score came about.");
    }
    case Part::unit: {
      const Index unit = nth(units_, place.row);
      return (column >= 0 ? unit_sentence(unit, column) : tr("unit %1").arg(counted(unit))) + '\n' +
             tr("Click to open its product.");
    }
    case Part::query:
      return unit_sentence(nth(units_, place.row), static_cast<int>(pair_->column)) + '\n' + operand_help(0);
    case Part::opened:
      if (column < 0) return operand_help(place.row == 0 ? 1 : is_additive() && place.row == 1 ? 2 : 0);
      return unit_sentence(opened_, column) + '\n' +
             operand_help(place.row == 0                    ? 1
                          : is_additive() && place.row == 1 ? 2
                                                            : 1);
    case Part::rest:
      return tr("What the units without a row add. Click for %1 more.").arg(kUnits);
    case Part::total: {
      const Total& row = nth(totals_, place.row);
      if (column < 0) return row.help;
      return with_colon(row.name, short_number(total(row, column))) + '\n' + row.help;
    }
    case Part::none:
      break;
  }
  return sentence() + '\n' +
         tr("A query asks, a key answers: number by number they are multiplied and added up to a score, and the "
            "softmax turns the scores of all keys into weights. Every number here opens in ‘This number’.");
}

}  // namespace headlight
