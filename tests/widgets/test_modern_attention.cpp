// What pictures show of attention as it is today: brackets over heads that share keys, windows, what is outside them,
// angles of rotary positions in long texts, and what is added to scores by distance.
#include <QMenu>
#include <QSignalSpy>
#include <QTest>

#include "model/analysis/masks.h"
#include "small_runs.h"
#include "tests/test_program.h"
#include "tests/widgets/image_test.h"
#include "widgets/base/selection.h"
#include "widgets/base/theme.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/edit_words.h"
#include "widgets/views/heads/heads_view.h"
#include "widgets/views/inspector/inspector_words.h"
#include "widgets/views/positions/positions_view.h"
#include "widgets/views/ribbons/ribbons_view.h"

namespace headlight::test_modern_attention {

namespace {

// Four heads with two keys; the second layer looks at the last three tokens.
std::shared_ptr<const Result> grouped_run(const Json& more = Json::object()) {
  Json settings = {{"model_type", "decoder_only"},
                   {"model_size", 16},
                   {"heads", 4},
                   {"key_value_heads", 2},
                   {"ff_size", 8},
                   {"decoder_layers", 2},
                   {"layer_windows", Json::array({0, 3})}};
  settings.update(more);
  return sample::small_run(settings);
}

}  // namespace

class TestModernAttention : public QObject {
  Q_OBJECT
  Selection selection_;
  ViewRequests requests_;

 private slots:
  void init() {
    Theme::instance().set_mode(Theme::Mode::light);
    selection_.set({});
  }

  void heads_that_share_keys_stand_under_a_bracket() {
    HeadsView view({&selection_, &requests_});
    view.set_result(grouped_run());
    show_at(view, {700, 420});
    view.open({});
    const HeadsGrid& grid = *view.grid();
    const HeadsLayout& layout = grid.heads_layout();
    QCOMPARE(layout.metrics.groups, 2);
    const QRectF bracket = layout.bracket(1);
    QCOMPARE(bracket.left(), layout.thumb(0, 2).left());
    QCOMPARE(bracket.right(), layout.thumb(0, 3).right());
    QVERIFY(bracket.bottom() <= layout.thumb(0, 2).top());
    const HeadsHit hit = layout.place_at(bracket.center());
    QCOMPARE(hit, (HeadsHit{HeadsHit::kGroup, 1}));
    QVERIFY(grid.place_tooltip(hit).contains("heads 3 and 4"));
    QVERIFY(grid.place_tooltip({0, 1}).contains("heads 1 and 2"));
    QVERIFY(view.note().contains("Hatched"));
    QSignalSpy asked(&grid, &HeadsGrid::groupRequested);
    QTest::mouseClick(grid.viewport(), Qt::LeftButton, {}, bracket.center().toPoint());
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked[0][0].toInt(), 1);
    // A layer for each, with what cuts the keys and the values of the group.
    const auto* menu = view.findChild<QMenu*>();
    QVERIFY(menu);
    QCOMPARE(menu->actions().size(), 2);
    QSignalSpy edits(&requests_, &ViewRequests::edits);
    menu->actions().at(1)->menu()->actions().at(0)->trigger();
    QCOMPARE(edits.size(), 1);
    const auto made = edits[0][0].value<std::vector<Intervention>>();
    QCOMPARE(made.size(), std::size_t(2));
    QCOMPARE(QString::fromStdString(to_text(made.back())), QString("decoder.step[*].layer[1].self_attn.head[1].k=0"));
  }

  void heads_with_keys_of_their_own_have_no_bracket() {
    HeadsView view({&selection_, &requests_});
    view.set_result(grouped_run({{"key_value_heads", 4}, {"layer_windows", Json::array()}}));
    show_at(view, {700, 420});
    QCOMPARE(view.grid()->heads_layout().metrics.bracket, 0.0);
    QVERIFY(!view.note().contains("Hatched"));
  }

  // The large picture of the layer with a window: its cells say why they are empty.
  void outside_a_window_is_not_kept() {
    HeadsView view({&selection_, &requests_});
    view.set_result(grouped_run());
    show_at(view, {700, 420});
    view.open({1, 0});
    view.heatmap()->set_place(6, 2);
    QVERIFY2(view.heatmap()->accessibleDescription().contains("outside the window, not kept"),
             qPrintable(view.heatmap()->accessibleDescription()));
    view.heatmap()->set_place(6, 9);
    QVERIFY(view.heatmap()->accessibleDescription().contains("cannot be seen from here"));
    view.open({0, 0});
    view.heatmap()->set_place(6, 2);
    QVERIFY(!view.heatmap()->accessibleDescription().contains("window"));
  }

  void ribbons_say_what_a_window_leaves_out() {
    RibbonsView view({&selection_, &requests_});
    view.set_result(grouped_run());
    show_at(view, {900, 600});
    auto* canvas = view.findChild<RibbonsCanvas*>();
    canvas->set_token({RibbonsToken::Side::query, 6});
    const RibbonsHit outside{RibbonsHit::Part::cell, 1, 4}, inside{RibbonsHit::Part::cell, 6, 4};
    QVERIFY(canvas->place_tooltip(outside).contains("outside the window"));
    QVERIFY(!canvas->place_tooltip(inside).contains("window"));
    QVERIFY(canvas->place_tooltip({RibbonsHit::Part::name, -1, 2}).contains("heads 3 and 4"));
  }

  void words_name_the_group() {
    const auto result = grouped_run();
    Intervention cut;
    cut.site = "decoder.layer[0].self_attn.head[1].v";
    cut.kind = Intervention::Kind::zero;
    QCOMPARE(edit_in_words(cut, result.get()), QString("the values of heads 3 and 4 of layer 1 (decoder) are cut"));
    const int keys = result->trace->find("decoder.layer[0].self_attn.head.k");
    const Index last = (*result->trace)[keys].value.size() - 1;
    QCOMPARE(group_sentence(*result->trace, keys, last), QString("One key-value head is shared by heads 3 and 4."));
    QCOMPARE(group_sentence(*result->trace, result->trace->find("decoder.layer[0].self_attn.head.q"), 0),
             QString("One key-value head is shared by heads 1 and 2."));
  }

  void angles_are_a_picture_of_their_own() {
    PositionsView view({&selection_, &requests_});
    view.set_result(grouped_run(
        {{"positions", "rotary"}, {"rotary_scaling", {{"type", "linear"}, {"factor", 2}, {"original", 8}}}}));
    show_at(view, {900, 600});
    QVERIFY(!view.shows_angles());
    QTest::keyClick(&view, Qt::Key_A);
    QVERIFY(view.shows_angles());
    QCOMPARE(static_cast<ResultView&>(view).table()->columnCount(), 2);
    const int last = static_cast<ResultView&>(view).table()->rowCount() - 1;  // 32 positions
    const double plain = static_cast<ResultView&>(view).table()->index(last, 0).data(Qt::EditRole).toDouble(),
                 scaled = static_cast<ResultView&>(view).table()->index(last, 1).data(Qt::EditRole).toDouble();
    QCOMPARE(plain, 32.0);
    QCOMPARE(scaled, 16.0);
    view.choose(1, 3, 1);
    QVERIFY(static_cast<ResultView&>(view).table()->index(last, 0).data(Qt::EditRole).toDouble() < 32);
  }

  void what_is_added_by_distance_is_a_line_for_each_head() {
    PositionsView view({&selection_, &requests_});
    const auto result = sample::small_run({{"model_type", "transformer"},
                                           {"model_size", 8},
                                           {"heads", 2},
                                           {"ff_size", 8},
                                           {"encoder_layers", 1},
                                           {"decoder_layers", 1},
                                           {"positions", "relative"}});
    QVERIFY(PositionsView::offers(AnalysedRun(result)));
    view.set_result(result);
    show_at(view, {700, 420});
    QCOMPARE(static_cast<ResultView&>(view).table()->rowCount(), 2);
    QCOMPARE(static_cast<ResultView&>(view).table()->columnCount(), 9);
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Right);
    const QString said = view.description();
    QVERIFY2(said.contains("Encoder, head 2") && said.contains("distance −3"), qPrintable(said));
    QTest::keyClick(&view, Qt::Key_Space);
    QVERIFY(view.description().contains("Decoder"));
  }
};

HEADLIGHT_WIDGET_TEST(TestModernAttention)

}  // namespace headlight::test_modern_attention

#include "test_modern_attention.moc"
