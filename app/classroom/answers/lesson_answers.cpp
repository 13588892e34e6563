#include "app/classroom/answers/lesson_answers.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "app/classroom/answers/answer_words.h"
#include "app/classroom/answers/typed_answer.h"
#include "model/decode/run.h"
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

QStringList plain_percents(const std::vector<double>& shares) {
  QStringList made;
  for (const double each : shares) made << AnswerWords::percent(each);
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

AnswerFacts AnswerFacts::of_curve(double reads, int points) {
  AnswerFacts facts;
  for (int k = 0; k < points; ++k) {
    facts.source.emplace_back(k, QLocale(QLocale::English).toString(std::round(reads * k / (points - 1)), 'f', 0));
    facts.over.at.push_back(k);
  }
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
    if (rest > 0.0005 && step.answer.kind == LessonAnswer::Kind::weights) shares.push_back(rest);
    const bool whole = step.answer.kind != LessonAnswer::Kind::curve;  // else each is a share of its own
    const QStringList written = whole ? percents(shares) : plain_percents(shares);
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

namespace {

// How far a row that was drawn is from the other one: half the sum of the differences.
double drawn_off(const NumberList& mine, const NumberList& theirs, const AnswerFacts& facts) {
  double sum = 0, mine_rest = 1, their_rest = 1;
  for (const int place : facts.over.at) {
    const auto i = static_cast<std::size_t>(place);
    const double a = i < mine.values.size() ? mine.values[i] : 0, b = i < theirs.values.size() ? theirs.values[i] : 0;
    sum += std::abs(a - b);
    mine_rest -= a;
    their_rest -= b;
  }
  return (sum + std::abs(mine_rest - their_rest)) / 2;
}

// How far a curve that was drawn is from the other one: the mean of the differences.
double curve_off(const NumberList& mine, const NumberList& theirs) {
  double sum = 0;
  const std::size_t count = std::min(mine.values.size(), theirs.values.size());
  for (std::size_t i = 0; i < count; ++i) sum += std::abs(mine.values[i] - theirs.values[i]);
  return count == 0 ? 1 : sum / static_cast<double>(count);
}

double held(const Places& places, const AnswerFacts& facts) {
  double share = 0;
  for (const int place : places.at)
    if (static_cast<std::size_t>(place) < facts.weights->values.size())
      share += facts.weights->values[static_cast<std::size_t>(place)];
  return share;
}

struct Chosen {
  std::size_t found = 0, of = 0, chosen = 0;
  bool all() const { return found == of && chosen == of; }
};

Chosen chosen_of(const Places& mine, const Places& theirs) {
  Chosen made{0, theirs.at.size() + theirs.cells.size(), mine.at.size() + mine.cells.size()};
  for (const int place : theirs.at) made.found += static_cast<std::size_t>(std::ranges::count(mine.at, place));
  for (const auto& cell : theirs.cells) made.found += static_cast<std::size_t>(std::ranges::count(mine.cells, cell));
  return made;
}

bool close_number(double off, const LessonAnswer& answer) { return off <= (answer.to - answer.from) / 10; }

QString number_distance(double mine, double truth, const LessonAnswer& answer) {
  const double off = std::abs(mine - truth);
  const QString size = from_utf8(value_text(ExpressionValue(off)));
  const QString unit = from_utf8(answer.unit);
  const QString said = answer.unit == "%"    ? AnswerWords::tr("%1 points off.").arg(size)
                       : answer.unit.empty() ? AnswerWords::tr("%1 off.").arg(size)
                                             : AnswerWords::tr("%1 off.").arg(size + QLatin1Char(' ') + unit);
  return close_number(off, answer) ? AnswerWords::tr("Close: %1").arg(said) : said;
}

QString text_distance(const std::string& mine, const std::string& theirs) {
  const QString typed = from_utf8(mine), truth = from_utf8(theirs);
  if (is_same_answer(typed, truth))
    return typed.trimmed() == truth.trimmed() ? AnswerWords::tr("Right.")
                                              : AnswerWords::tr("Right: it is taken as %1.").arg(truth.trimmed());
  int right = 0, all = 0;
  for (const TypedLetter& each : typed_letters(typed, truth)) {
    right += each.kind == TypedLetter::Kind::right ? 1 : 0;
    ++all;
  }
  return AnswerWords::tr("%1 of %2 letters are right.").arg(right).arg(all);
}

QString choice_of_tokens(const Places& mine, const Places& theirs, const AnswerFacts& facts) {
  const QString said =
      AnswerWords::tr("What you chose gets %1 % of the attention.").arg(AnswerWords::percent(held(mine, facts)));
  if (chosen_of(mine, theirs).chosen <= theirs.at.size()) return said;
  // Whoever chooses everything has it all, and has said nothing.
  return said + QLatin1Char(' ') +
         AnswerWords::tr("What is marked gets %1 % alone.").arg(AnswerWords::percent(held(theirs, facts)));
}

}  // namespace

Worth worth_of(const ExpressionValue& answer, const ExpressionValue& truth, const LessonStep& step,
               const AnswerFacts& facts) {
  using Kind = LessonAnswer::Kind;
  const auto worth = [](bool right, bool close) { return right ? Worth::right : close ? Worth::close : Worth::wrong; };
  switch (step.answer.kind) {
    case Kind::choice:
      return worth(answer == truth, false);
    case Kind::number: {
      const double off = std::abs(std::get<double>(answer) - std::get<double>(truth));
      return worth(off <= step.answer.step / 2, close_number(off, step.answer));
    }
    case Kind::text:
      return worth(is_same_answer(from_utf8(std::get<std::string>(answer)), from_utf8(std::get<std::string>(truth))),
                   false);
    case Kind::tokens:
    case Kind::cells: {
      const auto &mine = std::get<Places>(answer), &theirs = std::get<Places>(truth);
      const Chosen chosen = chosen_of(mine, theirs);
      if (!facts.weights) return worth(chosen.all(), 2 * chosen.found >= chosen.of && chosen.chosen <= 2 * chosen.of);
      const double share = held(mine, facts), whole = held(theirs, facts);
      return worth(chosen.all() || (share >= 0.95 * whole && chosen.chosen <= chosen.of), share >= 0.5 * whole);
    }
    case Kind::weights: {
      const double off = drawn_off(std::get<NumberList>(answer), std::get<NumberList>(truth), facts);
      return worth(off <= 0.1, off <= 0.25);
    }
    case Kind::curve: {
      const double off = curve_off(std::get<NumberList>(answer), std::get<NumberList>(truth));
      return worth(off <= 0.1, off <= 0.25);
    }
  }
  return Worth::wrong;
}

QString distance_text(const ExpressionValue& answer, const ExpressionValue& truth, const LessonStep& step,
                      const AnswerFacts& facts) {
  using Kind = LessonAnswer::Kind;
  const QString right = AnswerWords::tr("Right.");
  switch (step.answer.kind) {
    case Kind::choice:
      return answer == truth ? right : AnswerWords::tr("The one with ✓ is right.");
    case Kind::number:
      if (worth_of(answer, truth, step, facts) == Worth::right) return right;
      return number_distance(std::get<double>(answer), std::get<double>(truth), step.answer);
    case Kind::text:
      return text_distance(std::get<std::string>(answer), std::get<std::string>(truth));
    case Kind::tokens:
    case Kind::cells: {
      const auto &mine = std::get<Places>(answer), &theirs = std::get<Places>(truth);
      if (facts.weights) return choice_of_tokens(mine, theirs, facts);
      const Chosen chosen = chosen_of(mine, theirs);
      if (chosen.all()) return right;
      const QString found = AnswerWords::tr("%1 of %2 found.").arg(chosen.found).arg(chosen.of);
      const std::size_t more = chosen.chosen - chosen.found;
      return more == 0 ? found : found + QLatin1Char(' ') + AnswerWords::tr("Not among them: %1.").arg(more);
    }
    case Kind::weights:
      return AnswerWords::tr("You were %1 points off.")
          .arg(AnswerWords::percent(drawn_off(std::get<NumberList>(answer), std::get<NumberList>(truth), facts)));
    case Kind::curve:
      return AnswerWords::tr("Your curve was %1 points off on average.")
          .arg(AnswerWords::percent(curve_off(std::get<NumberList>(answer), std::get<NumberList>(truth))));
  }
  return {};
}

}  // namespace headlight
