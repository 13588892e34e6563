#include "app/lab/two_runs_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/lab/lab_probe.h"
#include "app/language.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

struct TwoRunsWords {
  Q_DECLARE_TR_FUNCTIONS(TwoRunsWords)
};

// Shares of right outputs that a sample of some sixty examples does not tell apart.
constexpr double kAsGood = 0.03;

QString grouped_count(Index count) { return QLocale(current_language()).toString(static_cast<qlonglong>(count)); }

QString square_text(double share) {
  const QString text = short_share(share);
  return text.isEmpty() ? QStringLiteral("0") : text;
}

QString joined(QStringList sentences) {
  sentences.removeAll(QString());
  QString all = sentences.value(0);
  for (qsizetype i = 1; i < sentences.size(); ++i) all = TwoRunsWords::tr("%1 %2").arg(all, sentences[i]);
  return all;
}

// Of a row or a column of one side; empty: it has no such one.
QString axis_name(const RunsCompared& compared, int side, int at, bool rows) {
  const ProbeRun* run = compared.shown(side);
  const Probe* probe = compared.probes[static_cast<std::size_t>(side)];
  const auto map = static_cast<std::size_t>(compared.map);
  if (!run || !probe || at < 0 || map >= run->attention.size()) return {};
  const Index count = run->attention[map].shape()[rows ? 0 : 1];
  return at < count ? token_text(map_names(*probe, *run, count, rows)[static_cast<std::size_t>(at)]).text : QString();
}

// --- what the settings differ in

std::vector<SettingDifference> without_seed(const RunsCompared& compared) {
  std::vector<SettingDifference> all = setting_differences(compared.run(0).settings, compared.run(1).settings);
  std::erase_if(all, [](const SettingDifference& each) { return each.key == "seed"; });
  return all;
}

// How well the runs of one setting end, its own and those of other seeds that are there.
struct Seeds {
  std::set<std::uint64_t> seeds = {};
  double least = 1, most = 0;
  int count() const { return static_cast<int>(seeds.size()); }
};

Seeds seeds_of(const RunsCompared& compared, int side) {
  Seeds found;
  std::vector<LabShown::Run> runs = compared.thin;
  runs.push_back(compared.runs[static_cast<std::size_t>(side)]);
  for (const LabShown::Run& run : runs) {
    if (!run->whole || run->moments.empty()) continue;
    const auto others = setting_differences(run->settings, compared.run(side).settings);
    if (std::ranges::any_of(others, [](const SettingDifference& each) { return each.key != "seed"; })) continue;
    const double right = run->moments.back()->right_unseen;
    if (!is_measured(right) || !found.seeds.insert(run->settings.seed).second) continue;
    found.least = std::min(found.least, right);
    found.most = std::max(found.most, right);
  }
  return found;
}

QString range_text(const Seeds& seeds) {
  const QString least = share_percent(seeds.least), most = share_percent(seeds.most);
  return least == most ? least : TwoRunsWords::tr("%1 to %2").arg(least, most);
}

QString seeds_said(const Seeds& first, const Seeds& second) {
  const bool apart = first.least > second.most || second.least > first.most;
  const QString ranges =
      TwoRunsWords::tr("At the end, %1 seeds of the left setting have %2 right, %3 of the right one %4")
          .arg(first.count())
          .arg(range_text(first))
          .arg(second.count())
          .arg(range_text(second));
  return apart ? TwoRunsWords::tr("%1: chance alone rarely parts them so.").arg(ranges)
               : TwoRunsWords::tr("%1: they overlap, so nothing is shown to come from the setting.").arg(ranges);
}

QString settings_said(const RunsCompared& compared, bool& more_seeds) {
  if (compared.one_run) return {};
  const std::vector<SettingDifference> others = without_seed(compared);
  if (others.empty())
    return compared.run(0).settings.seed == compared.run(1).settings.seed
               ? TwoRunsWords::tr("Nothing differs: the same settings and the same seed.")
               : TwoRunsWords::tr("Only the seed differs.");
  const Seeds first = seeds_of(compared, 0), second = seeds_of(compared, 1);
  if (first.count() >= kSeedsNeeded && second.count() >= kSeedsNeeded) return seeds_said(first, second);
  more_seeds = true;
  QStringList keys;
  for (const SettingDifference& each : others)
    keys << TwoRunsWords::tr("%1 (%2, %3)").arg(from_utf8(each.key), from_utf8(each.first), from_utf8(each.second));
  return TwoRunsWords::tr(
             "Other settings: %1. One run of each does not show what comes from them, for another seed gives "
             "another picture, too; %2 seeds of each can.")
      .arg(keys.join(TwoRunsWords::tr(", ")))
      .arg(kSeedsNeeded);
}

// --- how far each is, and what the squares are

bool never_reached(const RunsCompared& compared, int side) {
  return compared.together == LabShown::Together::same_score && !compared.one_run &&
         !first_at(compared.run(side), kSameScore);
}

QString never_said(const RunsCompared& compared) {
  const bool first = never_reached(compared, 0), second = never_reached(compared, 1);
  const QString share = share_percent(kSameScore);
  if (first && second)
    return TwoRunsWords::tr("Neither run has %1 right at any moment: the end of each is shown.").arg(share);
  if (!first && !second) return {};
  return (first ? TwoRunsWords::tr("The left run has %1 right at no moment: its end is shown.")
                : TwoRunsWords::tr("The right run has %1 right at no moment: its end is shown."))
      .arg(share);
}

QString score_said(const RunsCompared& compared, bool same_picture) {
  const double first = compared.now(0).right_unseen, second = compared.now(1).right_unseen;
  if (!is_measured(first) || !is_measured(second)) return {};
  if (std::abs(first - second) > kAsGood)
    return TwoRunsWords::tr("%1 right and %2 right").arg(share_percent(first), share_percent(second));
  return same_picture ? TwoRunsWords::tr("The same score, the same picture")
                      : TwoRunsWords::tr("The same score, another picture");
}

QString words_said(const ProbeDifference& difference) {
  const auto count = static_cast<int>(difference.words.size());
  if (count == 0) return {};
  return count == 1 ? TwoRunsWords::tr("1 word of the output differs.")
                    : TwoRunsWords::tr("%1 words of the output differ.").arg(count);
}

QString squares_said(const RunsCompared& compared, const ProbeDifference& difference, QString& most) {
  const QString threshold = short_share(kSquareDiffers);
  const auto count = static_cast<int>(difference.cells.size());
  if (count == 0 || !difference.most) return TwoRunsWords::tr("no square differs by more than %1.").arg(threshold);
  const ProbeDifference::Cell& cell = *difference.most;
  most = TwoRunsWords::tr("%1 at %2")
             .arg(in_quotes(row_word(compared, cell.row)), in_quotes(column_word(compared, cell.column)));
  if (count == 1)
    return TwoRunsWords::tr("1 square differs by more than %1 (outlined): %2, %3 and %4.")
        .arg(threshold, most, square_text(cell.first), square_text(cell.second));
  return TwoRunsWords::tr("%1 squares differ by more than %2 (outlined). Most: %3, %4 and %5.")
      .arg(count)
      .arg(threshold, most, square_text(cell.first), square_text(cell.second));
}

QString capital_first(QString text) {
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

}  // namespace

bool RunsCompared::same_sentence() const {
  return probes[0] && probes[1] && tried[0] && tried[1] && probes[0]->source == probes[1]->source;
}

std::set<std::uint64_t> whole_seeds(const RunsCompared& compared, int side) { return seeds_of(compared, side).seeds; }

ProbeDifference squares_between(const RunsCompared& compared) {
  const ProbeRun *first = compared.shown(0), *second = compared.shown(1);
  const auto map = static_cast<std::size_t>(compared.map);
  if (!compared.same_sentence() || map >= first->attention.size() || map >= second->attention.size()) return {};
  return difference(*first, *second, compared.map, kSquareDiffers);
}

QString row_word(const RunsCompared& compared, int row) {
  const QString first = axis_name(compared, 0, row, true), second = axis_name(compared, 1, row, true);
  if (first == second || second.isEmpty()) return first;
  return first.isEmpty() ? second : QStringLiteral("%1 / %2").arg(first, second);
}

QString column_word(const RunsCompared& compared, int column) {
  const QString first = axis_name(compared, 0, column, false);
  return first.isEmpty() ? axis_name(compared, 1, column, false) : first;
}

TwoRunsSaid two_runs_said(const RunsCompared& compared, const ProbeDifference& difference) {
  TwoRunsSaid said;
  if (!compared.same_sentence()) {
    said.text =
        TwoRunsWords::tr("The two were not tried with the same sentence, so their pictures cannot be compared.");
    return said;
  }
  const auto map = static_cast<std::size_t>(compared.map);
  QString squares;
  if (map < compared.shown(0)->attention.size() && map < compared.shown(1)->attention.size()) {
    squares = squares_said(compared, difference, said.most);
    const QString score = compared.one_run ? QString() : score_said(compared, difference.cells.empty());
    squares = score.isEmpty() ? capital_first(squares) : with_colon(score, squares);
  } else {
    squares = TwoRunsWords::tr("One of the two has no attention: there are no squares to compare.");
  }
  const QString settings = settings_said(compared, said.more_seeds);
  said.text = joined({squares, words_said(difference), never_said(compared), settings});
  return said;
}

SideHeading side_heading(const RunsCompared& compared, int side) {
  const Recording& run = compared.run(side);
  const Moment& now = compared.now(side);
  SideHeading heading;
  const QString read = grouped_count(now.read), title = from_utf8(run.title);
  const QString seed = TwoRunsWords::tr("seed %1").arg(run.settings.seed);
  heading.state = !is_measured(now.right_unseen) ? TwoRunsWords::tr("after %1").arg(read)
                  : never_reached(compared, side)
                      ? TwoRunsWords::tr("%1 right at its end").arg(share_percent(now.right_unseen))
                      : TwoRunsWords::tr("%1 right after %2").arg(share_percent(now.right_unseen), read);
  if (compared.one_run) {
    heading.name = side == 0 ? TwoRunsWords::tr("Then") : TwoRunsWords::tr("Now");
    heading.what = side == 0 ? title : QString();
    return heading;
  }
  const std::vector<SettingDifference> others = without_seed(compared);
  if (others.empty()) {
    heading.name = TwoRunsWords::tr("Seed %1").arg(run.settings.seed);
    heading.what = side == 0 ? title : TwoRunsWords::tr("the same in everything else");
    return heading;
  }
  const SettingDifference& key = others.front();
  heading.name = compared.run(0).title != compared.run(1).title
                     ? title
                     : QStringLiteral("%1 = %2").arg(from_utf8(key.key), from_utf8(side == 0 ? key.first : key.second));
  heading.what = seed;
  return heading;
}

}  // namespace headlight
