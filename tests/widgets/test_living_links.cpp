// What is chosen in the living map and beside it: candidates, heads, shares, ribbons by keyboard, and a run that is
// stepped through.
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <cmath>

#include "model/analysis/living/arithmetic.h"
#include "model/analysis/masks.h"
#include "tests/test_program.h"
#include "tests/widgets/living_shown.h"
#include "tests/widgets/recorded_text.h"
#include "widgets/base/tokens.h"
#include "widgets/views/origins/origins_view.h"

namespace headlight::test_living_links {

namespace {

std::shared_ptr<const Result> story() { return living_run(kLivingExamples[0].model, kLivingExamples[0].text); }

}  // namespace

class TestLivingLinks : public QObject {
  Q_OBJECT

 private slots:
  // Of a recurrent model each candidate has a flow of its own.
  void candidates_are_chosen_by_mouse_and_keyboard() {
    Selection selection;
    ViewRequests requests;
    OriginsView view({&selection, &requests});
    const auto result = living_run("toy-mt-bahdanau", "the girl sees the big red house");
    view.set_result(result);
    show_at(view, {376, 680});
    SelectionState state;
    state.step = 2;
    selection.set(state);
    const auto buttons = view.candidates();
    QVERIFY(buttons.size() >= 3);
    QVERIFY(buttons[0]->isChecked());
    const auto percents = [&] {
      std::vector<int> all;
      for (const OriginRow& row : view.list()->rows())
        if (row.figure.isEmpty()) all.push_back(row.percent);
      return all;
    };
    const auto written = percents();
    QSignalSpy wanted(&view, &OriginsView::choiceWanted);
    buttons[1]->click();
    QCOMPARE(wanted.count(), 1);
    const auto choice = wanted.at(0).at(0).value<LivingChoice>();
    QCOMPARE(choice.lane, view.choice().lane);
    // The second best of this step, which was not written.
    TokenId second = -1;
    for (const Candidate& each : result->steps[2].top)
      if (each.id != result->steps[2].id && second < 0) second = each.id;
    QCOMPARE(choice.candidate, second);
    QVERIFY(buttons[1]->isChecked() && !buttons[0]->isChecked());
    const auto other = percents();
    QCOMPARE(std::accumulate(other.begin(), other.end(), 0), 100);
    QVERIFY(other != written);
    // By keyboard back to what was written.
    buttons[0]->setFocus();
    QTest::keyClick(buttons[0], Qt::Key_Space);
    QCOMPARE(view.choice().candidate, TokenId{-1});
    QCOMPARE(percents(), written);
    // The picture follows.
    LivingShown shown(result);
    shown.choose_step(2);
    const double before = shown.view.flow()->origin[0];
    shown.view.choose(choice);
    QVERIFY(std::abs(shown.view.flow()->origin[0] - living_flow(*shown.view.map(), choice).origin[0]) < 1e-12);
    QVERIFY(shown.view.flow()->origin[0] != before);
    // Found by random events: a button of a longer run was pressed that was shown elsewhere still.
    shown.view.choose({10'000, -1});
    QCOMPARE(shown.view.choice(), choice);
  }

  void outputs_are_gone_through() {
    Selection selection;
    ViewRequests requests;
    OriginsView view({&selection, &requests});
    view.set_result(story());
    show_at(view, {376, 680});
    SelectionState state;
    state.step = 1;
    selection.set(state);
    const int lane = view.choice().lane;
    QSignalSpy wanted(&view, &OriginsView::outputWanted);
    view.go_to_output(1);
    QCOMPARE(view.choice().lane, lane + 1);
    view.go_to_output(-1);
    view.go_to_output(-1);
    QCOMPARE(view.choice().lane, lane - 1);
    QCOMPARE(wanted.count(), 3);
  }

  // As narrow as it becomes, also in large type: nothing stands beyond its right edge.
  void a_narrow_panel_shows_all_of_its_width() {
    for (const auto& [type, width] : {std::pair(1.0, 320), std::pair(1.6, 376)}) {
      Theme::instance().set(Theme::Mode::light, type);
      Selection selection;
      ViewRequests requests;
      OriginsView view({&selection, &requests});
      view.set_result(living_run(kLivingExamples[2].model, kLivingExamples[2].text));
      show_at(view, {width, 600});
      SelectionState state;
      state.step = 5;
      selection.set(state);
      QCoreApplication::processEvents();
      const auto* area = view.findChild<QScrollArea*>();
      QVERIFY(area);
      QVERIFY2(area->widget()->width() <= area->viewport()->width(),
               qPrintable(QStringLiteral("%1 in %2").arg(area->widget()->width()).arg(area->viewport()->width())));
    }
    Theme::instance().set(Theme::Mode::light, 1);
  }

  void rows_of_the_panel_are_reached_by_keyboard() {
    Selection selection;
    ViewRequests requests;
    OriginsView view({&selection, &requests});
    view.set_result(story());
    show_at(view, {376, 680});
    SelectionState state;
    state.step = 0;
    selection.set(state);
    auto* list = const_cast<OriginsList*>(view.list());
    list->setFocus();
    QSignalSpy lane(&view, &OriginsView::laneWanted), lit(&view, &OriginsView::laneHovered);
    QTest::keyClick(list, Qt::Key_Down);
    QCOMPARE(lit.last().at(0).toInt(), list->rows()[1].lane);
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(lane.count(), 1);
    QCOMPARE(lane.at(0).at(0).toInt(), list->rows()[1].lane);
    QVERIFY(list->accessibleDescription().contains(list->rows()[1].name));
  }

  // Its words begin at one edge and end at one, also beside a scroll bar, and none is cut while there is room.
  void words_of_the_panel_stand_on_the_grid() {
    for (const int high : {400, 900}) {
      Selection selection;
      ViewRequests requests;
      OriginsView view({&selection, &requests});
      view.set_result(story());
      show_at(view, {376, high});
      SelectionState state;
      state.step = 3;
      selection.set(state);
      for (int i = 0; i < 6; ++i) QCoreApplication::processEvents();
      for (const RecordedText& text : texts_of(view.findChild<QScrollArea*>()->widget())) {
        const QString where =
            QStringLiteral("'%1' from %2 to %3").arg(text.text).arg(text.place.left()).arg(text.place.right());
        if (text.place.left() < 30) QVERIFY2(std::abs(text.place.left() - 24) <= 3, qPrintable(where));
        QVERIFY2(text.place.right() <= 376 - 24 + 1.5 && !text.text.contains(u'…'), qPrintable(where));
      }
    }
  }

  // A head is one thing in all views.
  void heads_are_chosen_here_and_elsewhere() {
    LivingShown shown(kLivingExamples[0]);
    QSignalSpy chosen(&shown.view, &LivingView::headChosen);
    const LivingLayout& layout = shown.view.scene().layout;
    const LivingPicture& picture = layout.pictures[5];  // head 2 of layer 2
    shown.click(picture.rect.center());
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.at(0).at(0).value<AttentionMap::Kind>(), AttentionMap::Kind::decoder_self);
    QCOMPARE(chosen.at(0).at(1).value<Index>(), Index{1});
    QCOMPARE(chosen.at(0).at(2).value<Index>(), Index{1});
    shown.view.show_head(AttentionMap::Kind::decoder_self, 0, 3);
    QCOMPARE(shown.view.cursor().what, LivingSpot::What::head);
    QCOMPARE(shown.view.cursor().head, Index{3});
    QCOMPARE(shown.view.map()->stations[static_cast<std::size_t>(shown.view.cursor().station)].layer, Index{0});
    const LivingSpot before = shown.view.cursor();
    shown.view.show_head(AttentionMap::Kind::cross, 0, 1);  // there is none
    QVERIFY(shown.view.cursor() == before);
  }

  void a_ribbon_opens_its_share() {
    LivingShown shown(kLivingExamples[0]);
    shown.view.setFocus();
    QSignalSpy chosen(&shown.view, &LivingView::shareChosen), opened(&shown.view, &LivingView::shareOpened);
    shown.key(Qt::Key_Down);
    shown.key(Qt::Key_F);
    QCOMPARE(shown.view.cursor().what, LivingSpot::What::ribbon);
    shown.key(Qt::Key_Return);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(opened.count(), 1);
    const auto share = chosen.at(0).at(0).value<LivingShare>();
    QCOMPARE(share.row, shown.view.cursor().row);
    QVERIFY(chosen.at(0).at(1).toString().contains(QStringLiteral("box")));
    // Behind each term stands its product, to the digits of the sum.
    const LivingArithmetic made = living_arithmetic(*shown.view.map(), share);
    QCOMPARE(made.behind.size(), made.share.terms.size());
    int products = 0;
    for (std::size_t i = 0; i < made.behind.size(); ++i) {
      QCOMPARE(made.share.terms[i].cells.size(), std::size_t{1});
      if (!made.behind[i]) continue;
      ++products;
      const Explanation product = explain_product(*shown.view.map(), *made.behind[i]);
      QVERIFY(std::abs(product.value - made.share.terms[i].value) <= 1e-4 * (1 + std::abs(product.value)));
      // Units of the state are cells of the trace.
      QVERIFY(shown.view.map()->result->trace->locate(product.terms[3].cells[1]).kind == Location::Kind::activation);
    }
    QVERIFY(products >= 2);
  }

  // Tab walks through everything that arrives at a state, then goes on.
  void tab_reaches_every_ribbon() {
    LivingShown shown(kLivingExamples[0]);
    LivingView& view = shown.view;
    view.setFocus();
    shown.key(Qt::Key_Down);
    shown.key(Qt::Key_Right);
    const LivingSpot state = view.cursor();
    QVERIFY(state.station >= 0);
    const LivingStation& station = view.map()->stations[static_cast<std::size_t>(state.station)];
    int arriving = 0;
    view.scene().stack->each(state.station, state.lane - station.first, [&](const StackPiece& piece) {
      const bool own = station.parts[static_cast<std::size_t>(piece.part)].kind == LivingPart::Kind::written;
      arriving += own || (view.scene().crosses(state.station, station.parts[static_cast<std::size_t>(piece.part)]) &&
                          piece.from != state.lane && piece.from >= 0);
    });
    QVERIFY(arriving > 3);
    std::set<Index> columns;
    for (int i = 0; i < arriving; ++i) {
      shown.key(Qt::Key_Tab);
      QVERIFY(view.cursor().what == LivingSpot::What::ribbon || view.cursor().what == LivingSpot::What::written);
      columns.insert(view.cursor().column);
      QVERIFY(!view.accessibleDescription().isEmpty());
    }
    QCOMPARE(static_cast<int>(columns.size()), arriving);
    for (int i = 0; i < arriving; ++i) shown.key(Qt::Key_Backtab);
    QVERIFY(view.cursor() == state);
  }

  // What is not written yet has its place, and nothing stands there.
  void a_run_grows_word_by_word_data() {
    QTest::addColumn<int>("example");
    int i = -1;
    for (const LivingExample& each : kLivingExamples)
      if (++i; each.kind != std::string("encoder_only")) QTest::newRow(each.kind) << i;  // reads all at once
  }
  void a_run_grows_word_by_word() {
    QFETCH(int, example);
    LivingShown shown(kLivingExamples[example]);
    const LivingView& view = shown.view;
    const Trace& trace = *view.map()->result->trace;
    const std::vector<LivingRow> all = view.scene().layout.rows;
    const auto seen = [&] {
      int count = 0;
      for (std::size_t i = 0; i < view.map()->lanes.size(); ++i)
        count += view.map()->lanes[i].step >= 0 && view.scene().layout.rows[i].has_next ? 1 : 0;
      return count;
    };
    const int whole = seen();
    const int third = trace.find("decoder.step[2].output.probs");
    QVERIFY(third >= 0);
    shown.view.set_computed(third);
    QCOMPARE(seen(), 3);
    for (std::size_t i = 0; i < all.size(); ++i) QCOMPARE(view.scene().layout.rows[i].y, all[i].y);
    for (const LivingStrip& strip : view.scene().layout.strips)
      QVERIFY(view.map()->lanes[static_cast<std::size_t>(strip.lane)].step < 3);
    QVERIFY(!shown.picture().isNull());
    shown.view.set_computed(0);
    QCOMPARE(seen(), 0);
    shown.view.set_computed(-1);
    QCOMPARE(seen(), whole);
  }

  // A weight that is chosen in another view is a ribbon here, and the one that is chosen here is that weight there.
  void weights_and_ribbons_are_one_choice_data() {
    QTest::addColumn<int>("example");
    int i = -1;
    for (const LivingExample& each : kLivingExamples)
      if (++i; each.kind != std::string("without_attention") && each.kind != std::string("memory"))
        QTest::newRow(each.kind) << i;
  }
  void weights_and_ribbons_are_one_choice() {
    QFETCH(int, example);
    LivingShown shown(kLivingExamples[example]);
    LivingView& view = shown.view;
    const std::vector<AttentionMap> maps = attention_maps(*view.map()->result);
    int lit = 0;
    for (const AttentionMap& of : maps) {
      if (of.kind == AttentionMap::Kind::summary) continue;
      const Index row = of.row_count() - 1, column = 1;
      if (!of.has(row, column) || of.entry(row) < 0) continue;
      SelectionState state = shown.selection.state();
      state.entry = of.entry(row);
      state.cell = static_cast<qint64>(of.cell(of.heads - 1, row, column));
      shown.selection.set(state);
      QCOMPARE(view.cursor().what, LivingSpot::What::ribbon);
      QCOMPARE(view.cursor().row, row);
      QCOMPARE(view.cursor().column, column);
      const LivingStation& station = view.map()->stations[static_cast<std::size_t>(view.cursor().station)];
      QVERIFY(of.layer < 0 || station.layer == of.layer);
      QVERIFY(view.chosen_share());
      ++lit;
    }
    QVERIFY(lit > 0);
    // Another output is chosen elsewhere, and no number with it: the ribbon is chosen no more.
    view.clearFocus();
    SelectionState state;
    state.step = 1;
    shown.selection.set(state);
    QCOMPARE(view.cursor().what, LivingSpot::What::none);
    // Back: by keyboard, the strongest that comes in.
    view.setFocus();
    QSignalSpy head(&view, &LivingView::weightChosen);
    shown.key(Qt::Key_Down);
    shown.key(Qt::Key_F);
    QCOMPARE(view.cursor().what, LivingSpot::What::ribbon);
    const SelectionState& now = shown.selection.state();
    if (view.map()
            ->stations[static_cast<std::size_t>(view.cursor().station)]
            .parts[static_cast<std::size_t>(view.cursor().part)]
            .heads == 0)
      return;  // taps of a convolution, what a decoder starts from: no weight is chosen
    QVERIFY(now.entry && now.cell);
    QCOMPARE(head.count(), 1);
    bool found = false;
    for (const AttentionMap& of : maps) {
      Index which = 0, row = 0, column = 0;
      if (!of.find(*now.entry, *now.cell, &which, &row, &column)) continue;
      found = true;
      QCOMPARE(row, view.cursor().row);
      QCOMPARE(column, view.cursor().column);
      QCOMPARE(head.at(0).at(2).value<Index>(), which);
      for (Index h = 0; h < of.heads; ++h) QVERIFY(of.weight(h, row, column) <= of.weight(which, row, column));
    }
    QVERIFY(found);
  }

  // A state that is chosen elsewhere is the end of its lane.
  void a_state_is_the_end_of_a_lane() {
    LivingShown shown(kLivingExamples[0]);
    const LivingMap& map = *shown.view.map();
    for (const int s : {1, 4}) {
      const LivingPlace place = map.stations[static_cast<std::size_t>(s)].places[5];
      SelectionState state = shown.selection.state();
      state.entry = place.entry;
      state.cell = static_cast<qint64>(place.first) + 3;
      shown.selection.set(state);
      QCOMPARE(shown.view.cursor().what, LivingSpot::What::lane);
      QCOMPARE(shown.view.cursor().station, s);
      QCOMPARE(shown.view.cursor().lane, map.stations[static_cast<std::size_t>(s)].first + 5);
    }
  }

  // The picture of one model, the panel of another.
  void a_ribbon_of_another_run_is_not_taken() {
    Selection selection;
    ViewRequests requests;
    OriginsView view({&selection, &requests});
    view.set_result(living_run("date-peeky", "November 22, 2026"));
    show_at(view, {376, 680});
    view.set_ribbon(LivingShare{2, 7, 1, 3, -1});
    view.set_ribbon(LivingShare{900, 0, 0, -1, -1});
    QVERIFY(!view.cut_words().isEmpty());
  }

  // A number is chosen in a newer run while the map still shows an older one.
  void a_number_of_another_run_is_not_lit() {
    LivingShown shown(kLivingExamples[1]);
    shown.view.hide();
    SelectionState chosen;
    for (const int entry : {1'000'000, -7}) {
      chosen.entry = entry;
      chosen.cell = 3;
      shown.selection.set(chosen);
      shown.view.set_result(living_run("masked-bert", "the [MASK] ."));
      shown.view.show();
      QCOMPARE(shown.view.cursor(), LivingSpot());
      shown.view.hide();
      shown.view.set_result(living_run("masked-bert", "the cat [MASK] ."));
    }
  }

  // The text gets shorter while the pointer rests on a word at its end.
  void what_is_pointed_at_may_be_gone() {
    LivingShown shown(kLivingExamples[1]);
    const LivingLayout& layout = shown.view.scene().layout;
    const auto last = shown.view.map()->lanes.size() - 1;
    const LivingRow row = layout.rows[last];
    const QPoint there = QPointF((row.x0 + row.x1) / 2, row.y).toPoint();
    QTest::mouseMove(shown.view.viewport(), there - QPoint(3, 0));
    QTest::mouseMove(shown.view.viewport(), there);
    QTRY_VERIFY(shown.view.pointed().lane >= 0 || shown.view.pointed().station >= 0);
    shown.view.set_result(living_run("masked-bert", "the [MASK] ."));
    shown.view.bring_up_to_date();
    QVERIFY(shown.view.map()->lanes.size() <= last);
    QVERIFY(!shown.view.grab().isNull());
    QCOMPARE(shown.view.pointed(), LivingSpot());
  }

  // Of a ribbon that is nothing in this run, too: it may be something in the other.
  void every_share_has_a_ribbon() {
    const LivingShown shown(kLivingExamples[0]);
    const LivingScene& scene = shown.view.scene();
    int nothing = 0;
    for (int s = 0; s < static_cast<int>(scene.map->stations.size()); ++s) {
      const LivingStation& station = scene.map->stations[static_cast<std::size_t>(s)];
      for (int i = 0; i < static_cast<int>(station.parts.size()); ++i) {
        const LivingPart& part = station.parts[static_cast<std::size_t>(i)];
        for (int row = 0; row < station.count; ++row)
          for (Index column = part.dense() ? 0 : -1; column < (part.dense() ? part.columns : 0); ++column) {
            const StackPiece piece = scene.stack->piece(s, row, i, column);
            QCOMPARE(piece.part, i);
            QCOMPARE(piece.column, column);
            nothing += piece.size > 0 ? 0 : 1;
          }
      }
    }
    QVERIFY(nothing > 0);  // no word looks at what comes after it
  }

  // Beside another run: what differs is marked and said; without it nothing is.
  void what_differs_from_another_run_is_marked() {
    const auto before = story();
    LivingShown shown(living_run(kLivingExamples[0].model, kLivingExamples[0].text,
                                 head_off(*before, AttentionMap::Kind::decoder_self, 1, 3)));
    shown.choose_step(0);
    shown.view.clearFocus();
    const QImage alone = shown.picture();
    shown.view.set_compared(analysed(before));
    const LivingDifference& difference = shown.view.difference();
    QVERIFY(!difference.empty());
    const QImage beside = shown.picture();
    QVERIFY(beside != alone);
    const int lane = shown.view.map()->lane_of_step(0), last = shown.view.map()->output_station();
    LivingSpot spot;
    spot.what = LivingSpot::What::lane;
    spot.lane = lane;
    spot.station = last;
    QVERIFY(difference.state(last, lane));
    QVERIFY2(shown.view.words(spot).contains(QStringLiteral("away from the state")),
             qPrintable(shown.view.words(spot)));
    spot.station = 1;  // the first layer is as it was
    QVERIFY(!shown.view.words(spot).contains(QStringLiteral("away from the state")));
    // The mark stands at the end of that state, in violet.
    const QPointF end = QPointF(shown.view.scene().layout.stops[static_cast<std::size_t>(last)].x1,
                                shown.view.scene().layout.rows[static_cast<std::size_t>(lane)].y) -
                        shown.view.scene().layout.metrics.camera.scroll;
    int violet = 0;
    const QColor mark = tokens().edited;
    for (int y = -7; y <= 7; ++y)
      for (int x = -7; x <= 7; ++x) {
        const QColor at = beside.pixelColor((end + QPointF(x, y)).toPoint());
        violet +=
            std::abs(at.red() - mark.red()) + std::abs(at.green() - mark.green()) + std::abs(at.blue() - mark.blue()) <
                    60
                ? 1
                : 0;
      }
    QVERIFY2(violet >= 4, qPrintable(QString::number(violet)));
    shown.view.set_compared(nullptr);
    QCOMPARE(shown.picture(), alone);
  }
};

HEADLIGHT_WIDGET_TEST(TestLivingLinks)

}  // namespace headlight::test_living_links

#include "test_living_links.moc"
