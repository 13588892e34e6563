// One chosen head in all views, and what the heads view measures of each: of MiniLM, against numbers of the library and
// of the pictures in ../shared/bench.
#include <QCheckBox>
#include <QElapsedTimer>
#include <QTest>
#include <cmath>

#include "model/io/model_folder.h"
#include "model/io/text_list.h"
#include "sample_heads.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/head_bench.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/heads/heads_view.h"
#include "widgets/views/mechanism/mechanism_view.h"
#include "widgets/views/ribbons/ribbons_view.h"

namespace headlight::test_head_bench {

using namespace headlight::testing;
using Kind = AttentionMap::Kind;

class TestHeadBench : public QObject {
  Q_OBJECT

 private slots:
  void init() { Theme::instance().set_mode(Theme::Mode::light); }

  void a_chosen_head_is_that_of_all_views() {
    Selection selection;
    const auto result = sample::heads_result();
    HeadsView heads({&selection});
    RibbonsView ribbons({&selection});
    for (ResultView* each : {static_cast<ResultView*>(&heads), static_cast<ResultView*>(&ribbons)}) {
      each->set_result(result);
      each->widget()->resize(700, 420);
      each->widget()->show();
    }
    heads.set_kind(Kind::encoder_self);
    heads.open({2, 3});
    QCOMPARE(selection.head(), (HeadPlace{Kind::encoder_self, 2, 3}));
    QCOMPARE(ribbons.attention().map->layer, Index{2});
    QCOMPARE(ribbons.attention().head, Index{3});
    ribbons.show_head(Kind::decoder_self, 1, 2);
    QCOMPARE(heads.kind(), Kind::decoder_self);
    QCOMPARE(heads.opened(), (HeadChoice{1, 2}));
    selection.set_head(HeadPlace{Kind::decoder_self, 99, 0});  // there is none: what is shown stays
    QCOMPARE(heads.opened(), (HeadChoice{1, 2}));
  }

  void minilm() {
    SKIP_WITHOUT_MATERIAL();
    Request request;
    request.model = load_model((made_elsewhere() / "minilm").string());
    request.source = "The animal did not cross the street because it was too tired.";
    run_ = std::make_shared<const Result>(run(request));
  }

  void without_layer_6_head_12_the_cosine_is_9246() {
    if (!run_) QSKIP("the material is not there");
    Selection selection;
    HeadsView view({&selection});
    show(view);
    view.set_what(HeadsShown::effect);
    view.bench()->finish();
    const HeadsMeasures& page = *view.measures();
    QCOMPARE(page.list()->rows().size(), std::size_t{72});
    QCOMPARE(page.list()->rows().front().head, (HeadPlace{Kind::encoder_self, 5, 11}));
    QCOMPARE(page.list()->rows().front().second, QStringLiteral("0.9246"));
    QVERIFY2(page.sentence().contains("0.9246"), qPrintable(page.sentence()));
    QVERIFY(std::abs(page.grid()->value(5, 11) - (0.92456204f - 1)) < 1e-5f);
    // The list chooses it everywhere, and the table has the same numbers.
    emit page.list()->headChosen(page.list()->rows().front().head);
    QCOMPARE(selection.head(), (HeadPlace{Kind::encoder_self, 5, 11}));
    QAbstractItemModel* table = view.measures()->table_model();
    QCOMPARE(table->rowCount(), 72);
    QVERIFY(std::abs(table->index(71, 4).data(Qt::EditRole).toDouble() - 0.92456204) < 2e-6);
  }

  void stopping_keeps_what_there_is() {
    if (!run_) QSKIP("the material is not there");
    HeadBench bench;
    const auto shown = analysed(run_);
    bench.effects(shown);
    QElapsedTimer timer;
    connect(&bench, &HeadBench::changed, &bench, [&] {
      if (bench.progress().done == 5) {
        timer.start();
        bench.stop();
      }
    });
    QTRY_VERIFY_WITH_TIMEOUT(bench.was_stopped(), 60000);
    QVERIFY(timer.elapsed() < 500);
    QVERIFY(!bench.is_measuring());
    QCOMPARE(bench.known_effects(*shown)->without.size(), std::size_t{5});
  }

  void all_heads_by_a_pair_of_words() {
    if (!run_) QSKIP("the material is not there");
    Selection selection;
    HeadsView view({&selection});
    show(view);
    view.rank({Kind::encoder_self, 9, 2});  // "it" at "animal"
    view.bench()->finish();
    const std::vector<HeadListRow>& rows = view.measures()->list()->rows();
    QCOMPARE(rows.front().head, (HeadPlace{Kind::encoder_self, 3, 1}));
    QVERIFY(std::abs(rows.front().figure.toDouble() - 0.69) < 0.005);
    QCOMPARE(rows.front().second, QStringLiteral("2.44"));
    QCOMPARE(rows[1].head, (HeadPlace{Kind::encoder_self, 5, 11}));
    QCOMPARE(rows[1].second, QStringLiteral("4.10"));
  }

  void what_heads_bring_stands_in_the_pictures() {
    if (!run_) QSKIP("the material is not there");
    Selection selection;
    HeadsView view({&selection});
    show(view);
    view.set_what(HeadsShown::values);
    view.bench()->finish();
    view.open({3, 1});
    QVERIFY(std::abs(view.heatmap()->value(9, 2) - 2.44f) < 0.005f);
    view.set_what(HeadsShown::alti);
    QCOMPARE(view.model().maps().size(), std::size_t{7});  // and all layers
    view.set_what(HeadsShown::weights);
    view.open({3, 1});
    QVERIFY(std::abs(view.heatmap()->value(9, 2) - 0.69f) < 0.005f);
  }

  void mechanism_says_what_a_head_is_worth() {
    if (!run_) QSKIP("the material is not there");
    Selection selection;
    ViewRequests requests;
    HeadBench bench;
    MechanismView view({&selection, &requests, &bench});
    view.resize(400, 500);
    view.set_result(run_);
    view.show();
    view.show_page(MechanismView::Page::heads);
    view.heads()->findChild<QCheckBox*>()->click();
    bench.finish();
    const MechanismGrid* grid = view.heads()->grid();
    QVERIFY2(grid->shown().words(5, 11).contains("0.9246"), qPrintable(grid->shown().words(5, 11)));
  }

  // Of twenty texts: the lowest on the mean comes first in four of them only.
  void over_a_list_the_mean_and_its_deviation() {
    if (!run_) QSKIP("the material is not there");
    const auto file = made_elsewhere().parent_path() / "analysis" / "bench-texts.tsv";
    std::vector<ListedText> texts = read_text_list(file);
    texts.resize(20);
    HeadBench bench;
    Selection selection;
    ViewRequests requests;
    HeadsView view({&selection, &requests, &bench});
    show(view);
    view.set_what(HeadsShown::effect);
    bench.set_texts("bench-texts.tsv", std::make_shared<const std::vector<ListedText>>(std::move(texts)));
    HeadBench::Asked asked = bench.asked();
    asked.over_texts = true;
    bench.ask(asked);
    bench.finish();
    const HeadListRow& first = view.measures()->list()->rows().front();
    QCOMPARE(first.head, (HeadPlace{Kind::encoder_self, 5, 11}));
    QCOMPARE(first.second, QString::fromUtf8("0.9580 ± 0.0299"));
    QVERIFY2(view.measures()->sentence().contains("4 of 20 texts"), qPrintable(view.measures()->sentence()));
    const std::string about = view.figure().about;
    QVERIFY2(about.find("\"texts_in_all\":20") != about.npos && about.find("\"method\":\"effect\"") != about.npos,
             about.c_str());
    // *Mechanism* says the same.
    MechanismView mechanism({&selection, &requests, &bench});
    mechanism.resize(400, 500);
    mechanism.set_result(run_);
    mechanism.show();
    mechanism.show_page(MechanismView::Page::heads);
    mechanism.heads()->findChild<QCheckBox*>()->click();
    const QString words = mechanism.heads()->grid()->shown().words(5, 11);
    QVERIFY2(words.contains(QString::fromUtf8("0.9580 ± 0.0299")) && words.contains("20 texts"), qPrintable(words));
    // Of this text alone again.
    asked.over_texts = false;
    bench.ask(asked);
    bench.finish();
    QCOMPARE(view.measures()->list()->rows().front().second, QStringLiteral("0.9246"));
  }

  void what_was_asked_comes_back() {
    HeadBench bench, other;
    HeadBench::Asked asked;
    asked.target = Target{};
    asked.target->kind = Target::Kind::diff;
    asked.target->a = 7;
    asked.target->b = 3;
    asked.off = HeadOff::other;
    asked.other = "a text";
    asked.over_texts = true;
    bench.ask(asked);
    other.set_choices(bench.choices());
    QVERIFY(other.asked() == asked);
    other.set_choices({{"target", QVariantMap{{"kind", "embedding"}, {"unit", "many"}}}, {"off", 7}});
    QCOMPARE(other.asked().target->kind, Target::Kind::embedding);
    QCOMPARE(other.asked().off, HeadOff::zero);
  }

 private:
  void show(HeadsView& view) const {
    view.resize(1000, 600);
    view.set_result(run_);
    view.show();
  }
  std::shared_ptr<const Result> run_;
};

HEADLIGHT_WIDGET_TEST(TestHeadBench)

}  // namespace headlight::test_head_bench

#include "test_head_bench.moc"
