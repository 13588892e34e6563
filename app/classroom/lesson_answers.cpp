#include "app/classroom/lesson_answers.h"

#include <algorithm>
#include <cmath>

#include "app/classroom/answer_words.h"
#include "model/decode/run.h"
#include "model/text/nearest.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

// Shares that make a whole, as they stand in a sentence: they add up to what they are together, also as they are
// printed. With a decimal, unless all are whole.
QStringList percents(const std::vector<double>& shares) {
  const auto is_whole = [](double share) { return std::abs(100 * share - std::round(100 * share)) < 1e-6; };
  const int decimals = std::ranges::all_of(shares, is_whole) ? 0 : 1;
  const double unit = decimals == 0 ? 100 : 1000;
  std::vector<double> floors;
  std::vector<std::size_t> order(shares.size());
  double all = 0, taken = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    order[i] = i;
    floors.push_back(std::floor(unit * shares[i] + 1e-9));
    all += unit * shares[i];
    taken += floors.back();
  }
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return unit * shares[i] - floors[i]; });
  const auto missing =
      static_cast<std::size_t>(std::clamp(std::round(all - taken), 0.0, static_cast<double>(order.size())));
  for (std::size_t i = 0; i < missing; ++i) ++floors[order[i]];
  QStringList made;
  for (const double each : floors) made << QString::number(each / unit * 100, 'f', decimals);
  return made;
}

QString names(const std::vector<int>& places, const AnswerFacts& facts, bool output) {
  QStringList all;
  for (const int place : places) all << AnswerWords::visible(output ? facts.step(place) : facts.token(place));
  return all.join(QStringLiteral(" "));
}

QString named(const std::vector<std::pair<int, QString>>& all, int place) {
  for (const auto& [at, text] : all)
    if (at == place) return text;
  return QStringLiteral("␣");
}

}  // namespace

AnswerFacts AnswerFacts::of(const Result& result) {
  AnswerFacts facts;
  for (std::size_t i = 0; i < result.tokens.size(); ++i)
    if (result.tokens[i].padding)
      facts.blanks.push_back(static_cast<int>(i));
    else
      facts.source.emplace_back(static_cast<int>(i), from_utf8(result.tokens[i].text));
  for (std::size_t i = 0; i < result.steps.size(); ++i)
    facts.output.emplace_back(static_cast<int>(i), from_utf8(result.steps[i].text));
  return facts;
}

QString AnswerFacts::token(int place) const { return named(source, place); }
QString AnswerFacts::step(int place) const { return named(output, place); }

QString answer_text(const ExpressionValue& value, const LessonStep& step, const StepWords& words,
                    const AnswerFacts& facts) {
  if (step.answer.kind == LessonAnswer::Kind::choice) {
    for (const LessonChoice& choice : words.choices)
      if (value == ExpressionValue(choice.id)) return from_utf8(plain_text(choice.words));
  }
  if (const auto* places = std::get_if<Places>(&value)) {
    if (places->of != Places::Of::cells) return names(places->at, facts, places->of == Places::Of::output);
    QStringList all;
    for (const auto& [row, column] : places->cells)
      all << QStringLiteral("%1 → %2").arg(AnswerWords::visible(facts.step(row)),
                                           AnswerWords::visible(facts.token(column)));
    return all.join(QStringLiteral(", "));
  }
  if (const auto* row = std::get_if<NumberList>(&value)) {
    std::vector<double> shares;
    double rest = 1;
    for (const int place : facts.over.at) {
      const auto at = static_cast<std::size_t>(place);
      shares.push_back(at < row->values.size() ? row->values[at] : 0);
      rest -= shares.back();
    }
    if (rest > 0.0005) shares.push_back(rest);
    const QStringList written = percents(shares);
    QStringList all;
    for (std::size_t i = 0; i < facts.over.at.size(); ++i)
      all << QStringLiteral("%1: %2 %")
                 .arg(AnswerWords::visible(facts.token(facts.over.at[i])), written[static_cast<qsizetype>(i)]);
    if (shares.size() > facts.over.at.size()) all << AnswerWords::tr("on others: %1 %").arg(written.last());
    return all.join(QStringLiteral(", "));
  }
  const QString text = from_utf8(value_text(value));
  return step.answer.unit.empty() ? text : text + QStringLiteral(" ") + from_utf8(step.answer.unit);
}

QString distance_text(const ExpressionValue& answer, const ExpressionValue& truth, const LessonStep& step,
                      const AnswerFacts& facts) {
  using Kind = LessonAnswer::Kind;
  const QString right = AnswerWords::tr("Right.");
  switch (step.answer.kind) {
    case Kind::choice:
      return answer == truth ? right : AnswerWords::tr("Not quite.");
    case Kind::number: {
      const double off = std::abs(std::get<double>(answer) - std::get<double>(truth));
      if (off <= step.answer.step / 2) return right;
      const QString size = from_utf8(value_text(ExpressionValue(off)));
      if (step.answer.unit == "%") return AnswerWords::tr("%1 points off.").arg(size);
      return AnswerWords::tr("%1 off.").arg(step.answer.unit.empty() ? size : size + ' ' + from_utf8(step.answer.unit));
    }
    case Kind::text: {
      const auto &mine = std::get<std::string>(answer), &theirs = std::get<std::string>(truth);
      if (QString::fromStdString(mine).trimmed() == QString::fromStdString(theirs).trimmed()) return right;
      const auto slips = static_cast<int>(slips_between(mine, theirs));
      return slips == 1 ? AnswerWords::tr("One letter differs.") : AnswerWords::tr("%1 letters differ.").arg(slips);
    }
    case Kind::tokens:
    case Kind::cells: {
      const auto &mine = std::get<Places>(answer), &theirs = std::get<Places>(truth);
      if (facts.weights) {
        double share = 0;
        for (const int place : mine.at)
          if (static_cast<std::size_t>(place) < facts.weights->values.size())
            share += facts.weights->values[static_cast<std::size_t>(place)];
        return AnswerWords::tr("What you chose gets %1 % of the attention.").arg(AnswerWords::percent(share));
      }
      long long found = 0;
      for (const int place : theirs.at) found += std::ranges::count(mine.at, place);
      for (const auto& cell : theirs.cells) found += std::ranges::count(mine.cells, cell);
      const auto count = theirs.at.size() + theirs.cells.size(), chosen = mine.at.size() + mine.cells.size();
      if (found == static_cast<long long>(count) && chosen == count) return right;
      return AnswerWords::tr("%1 of %2 found.").arg(found).arg(count);
    }
    case Kind::weights: {
      const auto &mine = std::get<NumberList>(answer), &theirs = std::get<NumberList>(truth);
      double sum = 0, mine_rest = 1, their_rest = 1;
      for (const int place : facts.over.at) {
        const auto i = static_cast<std::size_t>(place);
        const double a = i < mine.values.size() ? mine.values[i] : 0,
                     b = i < theirs.values.size() ? theirs.values[i] : 0;
        sum += std::abs(a - b);
        mine_rest -= a;
        their_rest -= b;
      }
      return AnswerWords::tr("You were %1 points off.")
          .arg(AnswerWords::percent((sum + std::abs(mine_rest - their_rest)) / 2));
    }
  }
  return {};
}

}  // namespace headlight
