// The hypotheses as rows.
#include "widgets/views/output/output_beam_model.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "widgets/base/utf8_text.h"
#include "widgets/text/number_words.h"
#include "widgets/text/output_text.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

using Fate = BeamHypothesis::Fate;

struct BeamFateWords {
  Q_DECLARE_TR_FUNCTIONS(BeamFate)
};

}  // namespace

QString fate_name(Fate fate) {
  switch (fate) {
    case Fate::alive:
      return BeamFateWords::tr("went on");
    case Fate::finished:
      return BeamFateWords::tr("finished");
    case Fate::pruned:
      return BeamFateWords::tr("dropped: not among the best");
    case Fate::truncated:
      return BeamFateWords::tr("cut at the longest output");
    case Fate::stopped:
      break;
  }
  return BeamFateWords::tr("left when the search ended");
}

void BeamModel::set_result(const std::shared_ptr<const Result>& result) {
  if (!result || !result->beam) return clear();
  struct Row {
    int step, place;
    const BeamHypothesis* of;
  };
  std::vector<Row> rows;
  for (int step = 0; const BeamStep& each : result->beam->steps) {
    for (int place = 0; const BeamHypothesis& of : each.hypotheses) rows.push_back({step, place++, &of});
    ++step;
  }
  const auto column = [&](const QString& title, auto value) {
    return ColumnTable::Column{title, [result, rows, value](int row) { return QVariant(value(nth(rows, row))); }};
  };
  const auto counted = [&](const QString& title, auto value) {
    return counting(title, [rows, value](int row) { return value(nth(rows, row)); });
  };
  const auto token = [result](const Row& row) { return result->model->target_vocabulary().text(row.of->token); };
  const auto rank = [result](const Row& row) {
    const auto& best = result->beam->best;
    const auto found =
        std::ranges::find_if(best, [&](const BeamEnd& end) { return end.step == row.step && end.place == row.place; });
    return found == best.end() ? QVariant() : QVariant(static_cast<int>(found - best.begin()) + 1);
  };
  std::vector<ColumnTable::Column> columns = {
      counted(tr("step"), [](const Row& row) { return row.step; }),
      counted(tr("place"), [](const Row& row) { return row.place; }),
      counted(tr("parent"), [](const Row& row) { return static_cast<int>(row.of->parent); }),
      column(tr("token"), [token](const Row& row) { return from_utf8(token(row)); }),
      column(tr("text so far"),
             [result](const Row& row) { return spelled(*result, result->beam->tokens_of(row.step, row.place)); }),
      column(tr("log probability"), [](const Row& row) { return row.of->logp; }),
      column(tr("score"), [](const Row& row) { return row.of->score; }),
      column(tr("fate"), [](const Row& row) { return fate_name(row.of->fate); }),
      column(tr("rank"), rank),
      column(tr("cut below"), [result](const Row& row) {
        const double least = result->beam->cut_below(row.step);
        return std::isfinite(least) ? QVariant(least) : QVariant();
      })};
  columns[kToken].text = [rows, token](int row) { return token_text(token(nth(rows, row))).text; };
  columns[kLogProbability].text = [rows](int row) { return log_text(nth(rows, row).of->logp); };
  columns[kScore].text = [rows](int row) { return log_text(nth(rows, row).of->score); };
  set(static_cast<int>(rows.size()), std::move(columns));
}

}  // namespace headlight
