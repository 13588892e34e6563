// The living map in its window: a share opens in the inspector, down into the trace, and what is chosen there and in
// the panels beside it is one thing.
#include <QComboBox>
#include <QStyle>
#include <QTableView>
#include <QTest>

#include "app/stage/map_panel.h"
#include "app/window/main_window.h"
#include "model/analysis/attention_maps.h"
#include "model/analysis/masks.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/base/style.h"
#include "widgets/views/heads/heads_view.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/living/view.h"
#include "widgets/views/origins/origins_view.h"

namespace headlight::test_living_window {

class TestLivingWindow : public QObject {
  Q_OBJECT

  std::unique_ptr<MainWindow> window_;

  template <class View>
  View* find() {
    return window_->findChild<View*>();
  }
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }

 private slots:
  void init() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    window_->resize(1280, 800);
    Document document;
    document.model = load_model("story-gpt");
    document.source = "tom in the garden. he carries a red box. he gives";
    window_->start(document);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
    QVERIFY(window_->panels().raise("map"));
    settle();
  }
  void cleanup() { window_.reset(); }

  void a_share_opens_down_to_the_weights() {
    auto* living = find<LivingView>();
    QVERIFY(living && living->map());
    SelectionState state;
    state.step = 0;
    window_->selection().set(state);
    living->setFocus();
    QTest::keyClick(living, Qt::Key_Down);
    QTest::keyClick(living, Qt::Key_F);
    QCOMPARE(living->cursor().what, LivingSpot::What::ribbon);
    const LivingShare share = *living->chosen_share();
    QTest::keyClick(living, Qt::Key_Return);
    settle();
    auto* inspector = find<InspectorView>();
    QVERIFY(inspector->isVisible());
    const Explanation first = inspector->model()->explanation();
    QCOMPARE(first.kind, Explanation::Kind::share);
    const LivingMap& map = *living->map();
    const LivingPart& part =
        map.stations[static_cast<std::size_t>(share.station)].parts[static_cast<std::size_t>(share.part)];
    QVERIFY(std::abs(first.value - part.at(share.row, share.column)) < 1e-6);
    // Its own term: the product, unit by unit.
    const auto open = [&](int row, int column) {
      emit inspector->table()->doubleClicked(inspector->model()->index(row, column));
    };
    open(0, 1);
    const Explanation product = inspector->model()->explanation();
    QCOMPARE(product.kind, Explanation::Kind::sum);
    QCOMPARE(static_cast<Index>(product.terms.size()), map.stations[static_cast<std::size_t>(share.station)].units);
    QVERIFY(std::abs(product.value - first.terms[0].value) < 1e-4);
    // A unit of the state goes on into the trace.
    open(0, 2);
    QVERIFY(inspector->shown());
    QCOMPARE(inspector->shown()->kind, Location::Kind::activation);
    QVERIFY2(inspector->shown()->text().find("residual") != std::string::npos, inspector->shown()->text().c_str());
    inspector->back();
    inspector->back();
    QCOMPARE(inspector->model()->explanation().kind, Explanation::Kind::share);
    // Another run: what is not in its trace is gone, without harm.
    window_->session().set_source("tom in the garden. he");
    settle();
    QVERIFY(!inspector->shown() || inspector->shown()->kind != Location::Kind::unnamed);
  }

  void a_number_of_a_card_is_the_one_in_the_inspector() {
    auto* living = find<LivingView>();
    auto* inspector = find<InspectorView>();
    living->setFocus();
    QTest::keyClick(living, Qt::Key_5);
    QTest::keyClick(living, Qt::Key_Right);
    const LivingPlace place = living->place_of(living->cursor());
    QVERIFY(place.entry >= 0);
    QVERIFY(inspector->shown());
    QCOMPARE(inspector->shown()->entry, place.entry);
    QCOMPARE(inspector->shown()->index, place.first);
  }

  void heads_and_candidates_are_one_choice() {
    auto* living = find<LivingView>();
    auto* heads = find<HeadsView>();
    auto* origins = find<OriginsView>();
    heads->open({1, 2});
    QCOMPARE(living->cursor().what, LivingSpot::What::head);
    QCOMPARE(living->cursor().head, Index{2});
    living->show_head(AttentionMap::Kind::decoder_self, 0, 1);
    emit living->headChosen(AttentionMap::Kind::decoder_self, 0, 1);
    QCOMPARE(heads->opened().map, 0);
    QCOMPARE(heads->opened().head, Index{1});
    SelectionState state;
    state.step = 2;
    window_->selection().set(state);
    QCOMPARE(origins->choice().lane, living->choice().lane);
    emit origins->choiceWanted({living->choice().lane, 5});
    QCOMPARE(living->choice().candidate, TokenId{5});
  }

  // A weight that is chosen in the alignment lights its ribbon in the map, and a ribbon that is chosen in the map its
  // cell in the alignment and among the heads.
  void a_ribbon_and_its_weight_are_one_choice_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("text");
    QTest::newRow("recurrent") << "date-attention"
                               << "november 21, 2026";
    QTest::newRow("decoder only") << "story-gpt"
                                  << "tom in the garden. he carries a red box. he gives";
    QTest::newRow("encoder and decoder") << "tatoeba-transformer"
                                         << "we did not know that she was ill .";
  }
  void a_ribbon_and_its_weight_are_one_choice() {
    QFETCH(QString, model);
    QFETCH(QString, text);
    Document document;
    document.model = load_model(model.toStdString());
    document.source = text.toStdString();
    window_->start(document);
    settle();
    QVERIFY(window_->panels().raise("alignment"));  // the map is not seen meanwhile
    settle();
    const std::vector<AttentionMap> maps = attention_maps(*window_->result());
    const AttentionMap* weights = nullptr;
    for (const AttentionMap& each : maps)
      if (each.kind != AttentionMap::Kind::summary) weights = &each;
    QVERIFY(weights);
    const Index row = weights->row_count() - 2, column = 1;
    QVERIFY(weights->has(row, column) && weights->entry(row) >= 0);
    SelectionState state;
    state.step = weights->rows[static_cast<std::size_t>(row)].step;
    state.entry = weights->entry(row);
    state.cell = static_cast<qint64>(weights->cell(0, row, column));
    window_->selection().set(state);
    QVERIFY(window_->panels().raise("map"));
    settle();
    auto* living = find<LivingView>();
    QCOMPARE(living->cursor().what, LivingSpot::What::ribbon);
    QCOMPARE(living->cursor().row, row);
    QCOMPARE(living->cursor().column, column);
    // Back: the strongest ribbon into an output.
    state = {};
    state.step = 1;
    window_->selection().set(state);
    living->setFocus();
    QTest::keyClick(living, Qt::Key_Down);
    LivingSpot lane;
    lane.what = LivingSpot::What::lane;
    lane.lane = living->choice().lane;
    living->set_cursor(lane);
    QTest::keyClick(living, Qt::Key_F);
    QCOMPARE(living->cursor().what, LivingSpot::What::ribbon);
    const SelectionState now = window_->selection().state();
    QVERIFY(now.entry && now.cell);
    Index head = 0, query = 0, key = 0;
    int found = 0;
    for (const AttentionMap& each : attention_maps(*living->map()->result))
      if (each.find(*now.entry, *now.cell, &head, &query, &key)) {
        ++found;
        QCOMPARE(query, living->cursor().row);
        QCOMPARE(key, living->cursor().column);
      }
    QVERIFY(found > 0);
    QCOMPARE(window_->selection().state().step, std::optional(1));
    if (auto* heads = find<HeadsView>(); heads && model != QLatin1String("date-attention")) {
      heads->open({0, 0});
      QTest::keyClick(living, Qt::Key_Tab);  // still in the map: any other ribbon
      living->set_cursor(lane);
      QTest::keyClick(living, Qt::Key_F);
      QVERIFY(window_->selection().state().cell);
      QCOMPARE(heads->opened().head, head);
    }
  }

  // While runs are compared, the map marks what differs; in another arrangement it does not.
  void a_comparison_is_marked_in_the_map() {
    auto* living = find<LivingView>();
    window_->session().add_intervention(
        head_off(*living->map()->result, AttentionMap::Kind::decoder_self, 1, 3).front());
    settle();
    QVERIFY(living->difference().empty());
    window_->panels().arrange("compare");
    settle();
    QVERIFY(window_->panels().raise("map"));
    settle();
    QTRY_VERIFY_WITH_TIMEOUT(!living->difference().empty(), 30000);
    window_->panels().arrange("look");
    settle();
    QVERIFY(living->difference().empty());
  }
};

HEADLIGHT_WIDGET_TEST(TestLivingWindow)

}  // namespace headlight::test_living_window

#include "test_living_window.moc"
