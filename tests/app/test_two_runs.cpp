// Two runs beside each other: which squares are outlined, what the sentence says of them, and where the handles stand.

#include <QAbstractItemModel>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <QTest>
#include <cmath>

#include "app/lab/lab_picture.h"
#include "app/lab/more_seeds.h"
#include "app/lab/two_runs.h"
#include "app/lab/two_runs_words.h"
#include "app/language.h"
#include "tests/test_program.h"
#include "widgets/base/segments.h"

namespace headlight::test_two_runs {

namespace {

using Numbers = std::vector<Scalar>;

ProbeRun tried(const std::vector<std::string>& words, const Numbers& weights) {
  ProbeRun run;
  for (const std::string& word : words) run.output.push_back({word, 0.9, true});
  const auto rows = static_cast<Index>(words.size());
  run.attention = {Tensor::of({rows, static_cast<Index>(weights.size()) / rows}, weights)};
  return run;
}

// Three moments: untrained, halfway, and what is given; right of what it never saw as given.
LabShown::Run recorded(std::uint64_t seed, const ProbeRun& last, const std::vector<double>& right) {
  auto run = std::make_shared<Recording>();
  run->settings.seed = seed;
  run->settings.task = "toy_mt";
  run->settings.architecture = "bahdanau";
  run->title = "Additive score";
  Probe probe{"anna saw", "anna gesehen", {}, {"anna", "saw"}, {"anna", "gesehen"}};
  run->probes = {probe};
  run->maps = {{"decoder.attention.weights", -1, -1, false}};
  run->updates = 100 * static_cast<Index>(right.size() - 1);
  run->reads = 16 * run->updates;
  run->whole = true;
  for (std::size_t k = 0; k < right.size(); ++k) {
    auto moment = std::make_shared<Moment>();
    moment->update = 100 * static_cast<Index>(k);
    moment->read = 16 * moment->update;
    moment->right_unseen = right[k];
    moment->probes = {k + 1 == right.size() ? last : tried({"anna", "gesehen"}, {.5, .5, .5, .5})};
    run->moments.push_back(moment);
  }
  return run;
}

RunsCompared beside(const LabShown::Run& first, const LabShown::Run& second) {
  RunsCompared all;
  all.runs = {first, second};
  for (std::size_t side = 0; side < 2; ++side) {
    all.moments[side] = all.runs[side]->count() - 1;
    all.probes[side] = &all.runs[side]->probes.front();
    all.tried[side] = &all.runs[side]->moments.back()->probes.front();
  }
  return all;
}

QString said(const RunsCompared& all) { return two_runs_said(all, squares_between(all)).text; }

}  // namespace

class TestTwoRuns : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { set_language(QStringLiteral("en")); }

  // By hand: .98 and .11 differ by .87, 0 and .87 as well; .25 is not more than .25.
  void squares_that_differ_by_more_than_a_quarter() {
    const auto first = recorded(1, tried({"anna", "gesehen"}, {.50, .50, .98, 0}), {0, .5, .97});
    const auto second = recorded(2, tried({"anna", "gesehen"}, {.75, .25, .11, .89}), {0, .5, .95});
    const ProbeDifference found = squares_between(beside(first, second));
    QCOMPARE(found.cells.size(), std::size_t{2});
    QCOMPARE(found.cells[0].row, 1);
    QCOMPARE(found.cells[0].column, 0);
    QCOMPARE(found.cells[1].column, 1);
    QVERIFY(std::abs(found.cells[1].second - .89) < 1e-6 && found.cells[1].first == 0);
    QVERIFY(found.most && found.most->column == 1);
    QCOMPARE(said(beside(first, second)),
             QStringLiteral("The same score, another picture: 2 squares differ by more than .25 (outlined). Most: "
                            "‘gesehen’ at ‘saw’, 0 and .89. Only the seed differs."));
    set_language(QStringLiteral("zh_CN"));
    const QString chinese = said(beside(first, second));
    QVERIFY(chinese.contains(QStringLiteral("gesehen")) && chinese.contains(QStringLiteral(".89")));
    QVERIFY(!chinese.contains(QStringLiteral("square")) && !chinese.contains(QStringLiteral("seed")));
  }

  void one_square_and_none() {
    const auto first = recorded(1, tried({"anna", "gesehen"}, {1, 0, .6, .4}), {0, .5, .97});
    const auto one = recorded(2, tried({"anna", "gesehen"}, {.70, .20, .5, .5}), {0, .5, .97});
    QVERIFY(said(beside(first, one))
                .startsWith(QStringLiteral("The same score, another picture: 1 square differs by more than .25 "
                                           "(outlined): ‘anna’ at ‘anna’, 1 and .70.")));
    const auto none = recorded(2, tried({"anna", "gesehen"}, {.8, .2, .5, .5}), {0, .5, .97});
    QCOMPARE(said(beside(first, none)),
             QStringLiteral("The same score, the same picture: no square differs by more than .25. Only the seed "
                            "differs."));
    // Other scores are said as they are, and another word of the output as well.
    const auto worse = recorded(2, tried({"anna", "haus"}, {.8, .2, .5, .5}), {0, .1, .62});
    QCOMPARE(
        said(beside(first, worse)),
        QStringLiteral("97 % right and 62 % right: no square differs by more than .25. 1 word of the output differs. "
                       "Only the seed differs."));
  }

  // One run each proves nothing about a setting; three of each may.
  void a_setting_is_never_credited_from_one_run_each() {
    const ProbeRun last = tried({"anna", "gesehen"}, {.8, .2, .5, .5});
    const auto with = [&](std::uint64_t seed, Index batch, double right) {
      auto run = std::make_shared<Recording>(*recorded(seed, last, {0, .5, right}));
      run->settings.batch = batch;
      return LabShown::Run(run);
    };
    RunsCompared all = beside(with(1, 16, .97), with(1, 32, .5));
    TwoRunsSaid found = two_runs_said(all, squares_between(all));
    QVERIFY(found.more_seeds);
    QVERIFY2(found.text.contains(QStringLiteral("batch (16, 32)")), qPrintable(found.text));
    QVERIFY(found.text.contains(QStringLiteral("3 seeds of each")));
    QVERIFY(!found.text.contains(QStringLiteral("Only the seed")));
    // Seed 1 of both is there: 2 and 3 of each are wanted, with its own settings and probe.
    const std::vector<WantedSeed> wanted = missing_seeds(all);
    QCOMPARE(wanted.size(), std::size_t{4});
    QCOMPARE(wanted[0].settings.seed, std::uint64_t{2});
    QCOMPARE(wanted[1].settings.seed, std::uint64_t{3});
    QCOMPARE(wanted[2].settings.batch, Index{32});
    QCOMPARE(wanted[2].options.probes.front().source, std::string("anna saw"));
    all.thin = {with(2, 16, .96), with(3, 16, .98), with(2, 32, .6), with(3, 32, .4)};
    found = two_runs_said(all, squares_between(all));
    QVERIFY(!found.more_seeds);
    QVERIFY(missing_seeds(all).empty());
    QVERIFY2(found.text.contains(QStringLiteral("3 seeds of the left setting have 96 % to 98 % right, 3 of the right "
                                                "one 40 % to 60 %: chance alone rarely parts them so.")),
             qPrintable(found.text));
    all.thin.back() = with(3, 32, .97);
    QVERIFY(two_runs_said(all, squares_between(all)).text.contains(QStringLiteral("they overlap")));
  }

  void both_at_95_and_never_reached() {
    const ProbeRun last = tried({"anna", "gesehen"}, {.8, .2, .5, .5});
    LabShown shown;
    TwoRuns view(&shown);
    view.resize(900, 500);
    view.show();
    shown.show({recorded(1, last, {0, .5, .96, .97, 1}), recorded(2, last, {0, .96, .9, .99, 1})});
    shown.set_together(LabShown::Together::same_score);
    QCOMPARE(shown.moment(0), 2);
    QCOMPARE(shown.moment(1), 1);
    QCOMPARE(view.together()->current(), 1);
    QCOMPARE(view.heading(0), QStringLiteral("Seed 1 · Additive score · 96 % right after 3,200"));
    QCOMPARE(view.heading(1), QStringLiteral("Seed 2 · the same in everything else · 96 % right after 1,600"));
    QVERIFY(!view.sentence().contains(QStringLiteral("no moment")));

    shown.show({recorded(1, last, {0, .5, .96, .97, 1}), recorded(2, last, {0, .2, .3, .4, .62})});
    shown.set_together(LabShown::Together::same_score);
    QCOMPARE(shown.moment(1), 4);
    QVERIFY2(view.sentence().contains(QStringLiteral("The right run has 95 % right at no moment: its end is shown.")),
             qPrintable(view.sentence()));
    QVERIFY(view.heading(1).contains(QStringLiteral("62 % right at its end")));

    // Neither: it cannot be chosen.
    shown.show({recorded(1, last, {0, .5, .6, .7, .8}), recorded(2, last, {0, .2, .3, .4, .62})});
    QVERIFY(!view.together()->bar()->isTabEnabled(1));
    QVERIFY(view.together()->bar()->isTabEnabled(2));
  }

  void table_and_side_by_the_keyboard() {
    LabShown shown;
    TwoRuns view(&shown);
    view.resize(900, 500);
    view.show();
    shown.show({recorded(1, tried({"anna", "gesehen"}, {1, 0, 1, 0}), {0, .5, .97}),
                recorded(2, tried({"anna", "gesehen"}, {1, 0, .25, .75}), {0, .5, .97})});
    shown.set_together(LabShown::Together::end);
    QCOMPARE(view.table()->rowCount(), 2);
    const auto cell = [&](int row, int column) { return view.table()->index(row, column).data(Qt::EditRole); };
    QCOMPARE(cell(1, 0).toString(), QStringLiteral("gesehen"));
    QCOMPARE(cell(1, 1).toString(), QStringLiteral("saw"));
    QCOMPARE(cell(1, 2).toDouble(), 0.0);
    QCOMPARE(cell(1, 3).toDouble(), 0.75);
    QCOMPARE(cell(0, 4).toDouble(), -0.75);
    QVERIFY(QString::fromUtf8(table_csv(*view.table())).contains(QStringLiteral("gesehen,saw,0,0.75,0.75")));
    QVERIFY(view.figure().size.width() > 400);

    QVERIFY(!view.more_seeds()->isVisible());
    view.activateWindow();
    view.picture(0)->setFocus(Qt::TabFocusReason);
    QCOMPARE(shown.side(), 0);
    view.picture(1)->setFocus(Qt::TabFocusReason);
    QCOMPARE(shown.side(), view.picture(1)->hasFocus() ? 1 : 0);
  }

  // The same run twice, each side with a handle of its own.
  void two_moments_of_one_run() {
    LabShown shown;
    TwoRuns view(&shown);
    view.resize(900, 500);
    view.show();
    const auto run = recorded(1, tried({"anna", "gesehen"}, {1, 0, 0, 1}), {0, .5, .97});
    shown.show({run, run});
    view.compare_moments(true);
    shown.set_side(0);
    shown.go_to(0);
    QCOMPARE(shown.moment(0), 0);
    QCOMPARE(shown.moment(1), 2);
    QVERIFY(view.heading(0).startsWith(QStringLiteral("Then")));
    QVERIFY(view.heading(1).startsWith(QStringLiteral("Now")));
    // All four squares are .5 apart; the first in reading order is named.
    QCOMPARE(view.sentence(),
             QStringLiteral("4 squares differ by more than .25 (outlined). Most: ‘anna’ at ‘anna’, .50 "
                            "and 1."));
    QVERIFY(!view.together()->isVisible());
  }
};

HEADLIGHT_WIDGET_TEST(TestTwoRuns)

}  // namespace headlight::test_two_runs

#include "test_two_runs.moc"
