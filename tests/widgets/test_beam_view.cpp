// The tree of a beam search, on a tree that was worked out by hand.
#include <QAbstractItemModelTester>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "image_test.h"
#include "model/core/errors.h"
#include "tests/test_program.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/text/output_text.h"
#include "widgets/views/output/output_beam_view.h"

namespace headlight::test_beam_view {

namespace {

using Fate = BeamHypothesis::Fate;

// Two beams over the tokens <pad> <bos> <eos> a b c, four hypotheses a step:
//   a (−0.3) ── b (−1.1) ── <eos> (−1.2) finished: "a b", the winner
//     │          └───────── c (−3.4) dropped
//     └──────── c (−2.2) dropped
//   b (−1.4) ── a (−1.6) ── <eos> (−1.9) finished: "b a"
//     │          └───────── b (−2.5) stopped
//     └──────── <eos> (−2.9) dropped
//   c (−4), <eos> (−5): dropped
std::shared_ptr<const Result> beam_result(const BeamSettings& settings = {}) {
  auto made = std::make_shared<Result>();
  auto bundle = std::make_shared<ModelBundle>();
  const Vocabulary vocabulary({"<pad>", "<bos>", "<eos>", "a", "b", "c"});
  bundle->text.source = bundle->text.target = Tokenizer(vocabulary, TokenizerKind::words);
  bundle->text.pad = 0;
  bundle->text.bos = 1;
  bundle->text.eos = 2;
  made->model = bundle;
  made->decode.kind = DecodeSettings::Kind::beam;
  made->decode.beam = settings;
  made->source = "x y";
  auto tree = std::make_shared<BeamTree>();
  const auto add = [](int parent, TokenId token, double logp, Fate fate) {
    BeamHypothesis h;
    h.fate = fate;
    h.token = token;
    h.parent = parent;
    h.logp = logp;
    h.score = logp;
    return h;
  };
  tree->steps.push_back({{add(-1, 3, -0.3, Fate::alive), add(-1, 4, -1.4, Fate::alive), add(-1, 5, -4, Fate::pruned),
                          add(-1, 2, -5, Fate::pruned)}});
  tree->steps.push_back({{add(0, 4, -1.1, Fate::alive), add(1, 3, -1.6, Fate::alive), add(0, 5, -2.2, Fate::pruned),
                          add(1, 2, -2.9, Fate::pruned)}});
  tree->steps.push_back({{add(0, 2, -1.2, Fate::finished), add(1, 2, -1.9, Fate::finished),
                          add(1, 4, -2.5, Fate::stopped), add(0, 5, -3.4, Fate::pruned)}});
  for (const auto& [place, score] : {std::pair{0, -1.2}, std::pair{1, -1.9}})
    tree->best.push_back({2, place, tree->tokens_of(2, place), score, score, false});
  for (const TokenId id : tree->best[0].tokens) {
    OutputStep step;
    step.id = id;
    step.text = vocabulary.text(id);
    made->steps.push_back(step);
  }
  made->output = "a b";
  made->beam = tree;
  return made;
}

// As many steps and beams as asked for: every hypothesis has a child.
BeamTree wide_tree(int steps, int width) {
  BeamTree tree;
  for (int t = 0; t < steps; ++t) {
    BeamStep step;
    for (int i = 0; i < 2 * width; ++i) {
      BeamHypothesis h;
      h.token = 3;
      h.parent = t == 0 ? -1 : (i * 7 + t) % width;
      h.fate = i < width ? Fate::alive : Fate::pruned;
      step.hypotheses.push_back(h);
    }
    tree.steps.push_back(step);
  }
  tree.best.push_back({steps / 2, width - 1, {}, 0, 0, false});
  return tree;
}

struct Shown {
  Selection selection;
  ViewRequests requests;
  BeamView view{{&selection, &requests}};
  QSignalSpy targets{&requests, &ViewRequests::target};
  explicit Shown(QSize size = {560, 260}, std::shared_ptr<const Result> result = beam_result()) {
    view.set_result(std::move(result));
    show_at(view, size);
  }
  void click(const BeamHit& place) { QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, point(place)); }
  QPoint point(const BeamHit& place) const {
    const BeamLayout& layout = view.beam_layout();
    const QRectF rect = place.ended >= 0 ? layout.list_row(place.ended) : layout.box(place.step, place.place);
    return (rect.center() - QPointF(view.horizontalScrollBar()->value(), view.verticalScrollBar()->value())).toPoint();
  }
};

QString target_of(const QSignalSpy& spy) { return spy.last().first().value<std::optional<QString>>().value_or("-"); }

}  // namespace

class TestBeamView : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    Theme::instance().set_mode(Theme::Mode::light);
    Theme::instance().set_font_scale(1);
  }

  void the_winner_runs_along_the_top_and_no_lines_cross() {
    BeamLayout::Metrics metrics;
    metrics.width = 600;
    const auto result = beam_result();
    const BeamLayout layout = BeamLayout::of(*result->beam, {60, 60, 60}, 100, metrics);
    QCOMPARE(layout.winner, (std::vector<int>{0, 0, 0}));
    // Children of the first row stand before those of the second.
    QCOMPARE(layout.order[0], (std::vector<int>{0, 1, 2, 3}));
    QCOMPARE(layout.order[1], (std::vector<int>{0, 2, 1, 3}));
    QCOMPARE(layout.order[2], (std::vector<int>{0, 3, 1, 2}));
    for (int step = 0; step < 3; ++step) QCOMPARE(layout.box(step, 0).top(), layout.box(0, 0).top());
    QCOMPARE(layout.box(0, 0), QRectF(8 + 12 + 26, 8 + 20, 60, 24));
    QCOMPARE(layout.box(1, 1), QRectF(46 + 60 + 26, 28 + 2 * 29, 60, 24));
    QCOMPARE(layout.tree_width, 46 + 3 * (60 + 26.0));
    QVERIFY(layout.pinned);
    QCOMPARE(layout.list_left, layout.tree_width);
    QCOMPARE(layout.list_left + layout.list_width, 600.0);
    QCOMPARE(layout.height, 8 + 20 + 4 * 29 - 5 + 8.0);
  }

  void large_trees_have_no_overlaps_and_no_crossings() {
    BeamLayout::Metrics metrics;
    metrics.width = 500;
    for (const int width : {1, 4, 16}) {
      const BeamTree tree = wide_tree(12, width);
      const BeamLayout layout = BeamLayout::of(tree, std::vector<double>(12, 50), 100, metrics);
      QCOMPARE(layout.winner.size(), std::size_t{7});
      for (int step = 0; step < 12; ++step) {
        const auto& hypotheses = tree.steps[static_cast<std::size_t>(step)].hypotheses;
        double bottom = 0, parent = -1;
        for (const int place : layout.order[static_cast<std::size_t>(step)]) {
          if (place < 0) continue;
          const QRectF box = layout.box(step, place);
          QVERIFY(box.top() > bottom);
          bottom = box.bottom();
          QCOMPARE(layout.place_at(box.center()), step < 12 && box.right() < layout.list_left
                                                      ? (BeamHit{step, place, -1})
                                                      : layout.place_at(box.center()));
          const int from = hypotheses[static_cast<std::size_t>(place)].parent;
          if (from < 0) continue;
          const double y = layout.box(step - 1, from).top();
          QVERIFY(y >= parent);  // parents from top to bottom, like their children
          parent = y;
        }
        const double top = metrics.margin + metrics.header;
        for (int place = 0; place < static_cast<int>(hypotheses.size()); ++place)
          QCOMPARE(layout.box(step, place).top() == top,
                   step < 7 && layout.winner[static_cast<std::size_t>(step)] == place);
      }
    }
  }

  void a_narrow_view_scrolls_to_the_list() {
    BeamLayout::Metrics metrics;
    metrics.width = 300;
    const BeamLayout layout = BeamLayout::of(*beam_result()->beam, {60, 60, 60}, 100, metrics);
    QVERIFY(!layout.pinned);
    QCOMPARE(layout.list_left, layout.tree_width);
    QCOMPARE(layout.width, layout.tree_width + 150);
    QCOMPARE(layout.place_at(layout.list_row(1).center()), (BeamHit{-1, -1, 1}));
    QCOMPARE(layout.place_at({1, 1}), BeamHit{});
  }

  void a_tree_without_steps_is_harmless() {
    const BeamLayout layout = BeamLayout::of({}, {}, 100, {});
    QCOMPARE(layout.place_at({30, 30}), BeamHit{});
  }

  void the_table_has_every_hypothesis() {
    BeamModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.set_result(beam_result());
    QCOMPARE(model.rowCount(), 12);
    QCOMPARE(model.index(9, BeamModel::kText).data().toString(), QString("b a"));
    QCOMPARE(model.index(9, BeamModel::kLogProbability).data().toString(), QStringLiteral("−1.90"));
    QCOMPARE(model.index(9, BeamModel::kFate).data().toString(), QString("finished"));
    QCOMPARE(model.index(4, BeamModel::kToken).data().toString(), QString("b"));
    model.set_result(nullptr);
    QCOMPARE(model.rowCount(), 0);
  }

  void a_click_selects_and_a_double_click_forces() {
    Shown shown;
    shown.click({1, 1, -1});
    QCOMPARE(shown.view.cursor(), (BeamHit{1, 1, -1}));
    QCOMPARE(shown.selection.state().step, std::optional(1));
    QVERIFY(shown.view.caption().startsWith(QStringLiteral("‘b a’ – went on, probability 20.2 %, log P −1.60")));
    QCOMPARE(shown.targets.size(), 0);
    QTest::mouseDClick(shown.view.viewport(), Qt::LeftButton, {}, shown.point({1, 1, -1}));
    QCOMPARE(target_of(shown.targets), QString("b a"));
    shown.click({-1, -1, 1});
    QTest::keyClick(&shown.view, Qt::Key_Return);
    QCOMPARE(target_of(shown.targets), QString("b a"));
    QCOMPARE(shown.selection.state().step, std::optional(2));
  }

  void hover_lights_a_path_and_its_step_elsewhere() {
    Shown shown;
    QVERIFY(shown.view.caption().startsWith(QStringLiteral("‘a b’ – the winner, probability 30.1 %")));
    QTest::mouseMove(shown.view.viewport(), shown.point({1, 2, -1}));
    QTRY_COMPARE(shown.selection.hovered_step(), std::optional(1));
    QVERIFY(shown.view.caption().startsWith(QStringLiteral("‘a c’ – dropped")));
    QVERIFY(shown.targets.isEmpty());
  }

  void works_with_the_keyboard_alone() {
    Shown shown;
    BeamView& view = shown.view;
    view.setFocus(Qt::TabFocusReason);
    const auto after = [&](Qt::Key key) {
      QTest::keyClick(&view, key);
      return view.cursor();
    };
    QCOMPARE(after(Qt::Key_Right), (BeamHit{0, 0, -1}));
    QCOMPARE(after(Qt::Key_Down), (BeamHit{0, 1, -1}));
    QCOMPARE(after(Qt::Key_Right), (BeamHit{1, 1, -1}));
    QCOMPARE(after(Qt::Key_Up), (BeamHit{1, 2, -1}));  // the other child of the first
    QCOMPARE(after(Qt::Key_Left), (BeamHit{0, 0, -1}));
    QCOMPARE(after(Qt::Key_Left), (BeamHit{0, 0, -1}));
    QCOMPARE(after(Qt::Key_End), (BeamHit{2, 0, -1}));
    QCOMPARE(after(Qt::Key_Right), (BeamHit{-1, -1, 0}));
    QCOMPARE(after(Qt::Key_Down), (BeamHit{-1, -1, 1}));
    QCOMPARE(after(Qt::Key_Down), (BeamHit{-1, -1, 1}));
    QCOMPARE(after(Qt::Key_Left), (BeamHit{2, 1, -1}));
    QVERIFY2(view.accessibleDescription().contains(QStringLiteral("Step 3 adds end of the text (<eos>): ‘b a’")),
             qPrintable(view.accessibleDescription()));
    QTest::keyClick(&view, Qt::Key_Enter);
    QCOMPARE(target_of(shown.targets), QString("b a"));
    QCOMPARE(after(Qt::Key_Home), (BeamHit{0, 0, -1}));
    // The end sign alone spells no text that could be forced.
    for (int i = 0; i < 3; ++i) QTest::keyClick(&view, Qt::Key_Down);
    QCOMPARE(view.cursor(), (BeamHit{0, 3, -1}));
    QTest::keyClick(&view, Qt::Key_Enter);
    QCOMPARE(shown.targets.size(), 1);
  }

  // Wu et al. 2016, eq. 14: lp = ((5 + 3) / 6)^0.6 = 1.188, cp = 0.2 · log 0.5 = −0.139.
  void a_score_is_taken_apart() {
    BeamSettings settings;
    settings.alpha = 0.6;
    settings.beta = 0.2;
    auto result = std::make_shared<Result>(*beam_result(settings));
    auto tree = std::make_shared<BeamTree>(*result->beam);
    tree->steps[2].hypotheses[0].attention_sums = {0.5, 2};
    tree->steps[2].hypotheses[0].score = -1.2 / 1.188 - 0.139;
    result->beam = tree;
    Shown shown({560, 260}, result);
    const QString tip = shown.view.place_tooltip({-1, -1, 0});
    QVERIFY(tip.startsWith(QStringLiteral("Output 1 of 2: ‘a b’")));
    QVERIFY2(tip.contains(QStringLiteral("Score −1.15: log probability −1.20, divided by the length penalty 1.188 of 3 "
                                         "tokens, coverage penalty −0.139")),
             qPrintable(tip));
    QVERIFY(shown.view.place_tooltip({0, 2, -1}).contains("It was dropped"));
    // With −4, where the last of the two that went on had −1.4.
    QVERIFY(shown.view.place_tooltip({0, 2, -1}).contains(QStringLiteral("the last one that went on has −1.4")));
    QVERIFY(!shown.view.place_tooltip({0, 1, -1}).contains("the last one that went on"));
    QCOMPARE(shown.view.place_tooltip({}), QString());
  }

  void nothing_is_done_while_hidden() {
    Selection selection;
    ViewRequests requests;
    BeamView view({&selection, &requests});
    view.set_result(beam_result());
    QCOMPARE(view.beam_layout().tree_width, 0.0);
    show_at(view, {400, 200});
    QCOMPARE(view.table()->rowCount(), 12);
    view.set_result(std::make_shared<Result>());
    QCOMPARE(view.cursor(), BeamHit{});
    view.grab();
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY(!BeamView::offers(Result()) && BeamView::offers(*beam_result()));
  }

  void exports() {
    QTemporaryDir folder;
    Shown shown;
    shown.view.export_to(folder.filePath("tree.csv"));
    QFile file(folder.filePath("tree.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), 13);
    QCOMPARE(lines[1].trimmed(), QByteArray("0,0,-1,a,a,-0.3,-0.3,went on,,-1.4"));
    QCOMPARE(lines[10].trimmed(), QByteArray("2,1,1,<eos>,b a,-1.9,-1.9,finished,2,-2.5"));
    shown.view.export_to(folder.filePath("tree.png"));
    const QImage picture(folder.filePath("tree.png"));
    QVERIFY(picture.width() >= 2 * shown.view.beam_layout().width);
    Shown empty({300, 200}, std::make_shared<Result>());
    QVERIFY_EXCEPTION_THROWN(empty.view.export_to(folder.filePath("none.png")), UsageError);
  }

  void pictures_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void pictures() {
    QFETCH(bool, dark);
    Theme::instance().set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
    Shown shown;
    shown.view.setFocus(Qt::TabFocusReason);
    shown.click({2, 1, -1});
    COMPARE_IMAGE(shown.view, QStringLiteral("beam_") + (dark ? "dark" : "light"));
  }
};

HEADLIGHT_WIDGET_TEST(TestBeamView)

}  // namespace headlight::test_beam_view

#include "test_beam_view.moc"
