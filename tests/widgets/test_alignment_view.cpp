// The alignment view: labels, reading order, linked selection, padding, edits, models without attention.
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "image_test.h"
#include "sample_result.h"
#include "widgets/plot/heatmap.h"
#include "widgets/views/alignment_view.h"

using namespace headlight;

class TestAlignmentView : public QObject {
  Q_OBJECT

 private slots:
  void init() { Theme::instance().set_mode(Theme::Mode::light); }

  void shows_the_weights_in_reading_order() {
    Selection selection;
    AlignmentView view(&selection);
    const auto result = sample::result();
    view.set_result(result);
    QVERIFY(view.has_alignment());
    const Heatmap& map = *view.heatmap();
    QCOMPARE(map.rows(), 10);
    QCOMPARE(map.columns(), 24);
    // The encoder reads backwards; the picture does not. Step 0 looks at token 14, the '1' of 1994.
    for (int row = 0; row < 10; ++row) {
      const Tensor weights = result->trace->value("decoder.step[" + std::to_string(row) + "].attention.weights");
      for (int column = 0; column < 24; ++column)
        QCOMPARE(map.value(row, column),
                 static_cast<float>(weights[result->position_of_token[static_cast<std::size_t>(column)]]));
    }
    QVERIFY(map.value(0, 14) > 0.5f);
    QVERIFY(map.readout(0, 14).startsWith(QStringLiteral("‘1’ × ‘1’: ")));
    QVERIFY(map.readout(0, 9).startsWith(QStringLiteral("‘1’ × space: ")));
    QVERIFY(map.readout(0, 23).startsWith(QStringLiteral("‘1’ × padding (space): ")));
  }

  void columns_of_unknown_characters_are_left_out() {
    Selection selection;
    AlignmentView view(&selection);
    sample::Options options;
    options.source = "s\xC3\xA9pt 1994";  // é is not in the vocabulary
    options.looked_at = {0};
    view.set_result(sample::result(options));
    QCOMPARE(view.heatmap()->columns(), 24);
    QVERIFY(view.heatmap()->readout(0, 1).contains(QStringLiteral("‘p’")));
    SelectionState state;
    state.source_token = 2;  // 'p', the third character of the text
    state.step = 0;
    selection.set(state);
    QCOMPARE(view.heatmap()->selected_cell(), (HeatmapCell{0, 1}));
    selection.hover(1, std::nullopt);  // the unknown one has no column
    QCOMPARE(view.heatmap()->selected_cell(), (HeatmapCell{0, 1}));
  }

  void a_click_names_the_cell_of_the_trace() {
    Selection selection;
    AlignmentView view(&selection);
    const auto result = sample::result();
    view.set_result(result);
    show_at(view, {700, 320});
    const Heatmap& map = *view.heatmap();
    QTest::mouseClick(view.heatmap(), Qt::LeftButton, {}, map.heatmap_layout().cell_rect(3, 5).center().toPoint());
    const SelectionState& state = selection.state();
    QCOMPARE(state.step, std::optional(3));
    QCOMPARE(state.source_token, std::optional(5));
    QCOMPARE((*result->trace)[*state.entry].site.text, std::string("decoder.step[3].attention.weights"));
    QCOMPARE(static_cast<float>((*result->trace)[*state.entry].value[*state.cell]), map.value(3, 5));
  }

  void selection_from_elsewhere_moves_the_cursor() {
    Selection selection;
    AlignmentView view(&selection);
    const auto result = sample::result();
    view.set_result(result);
    SelectionState state;
    state.entry = result->trace->find("decoder.step[7].attention.weights");
    state.cell = result->position_of_token[12];
    selection.set(state);
    QCOMPARE(view.heatmap()->selected_cell(), (HeatmapCell{7, 12}));
    selection.set({});
    QCOMPARE(view.heatmap()->selected_cell(), HeatmapCell{});
  }

  void hover_is_linked_both_ways() {
    Selection selection;
    AlignmentView view(&selection);
    view.set_result(sample::result());
    show_at(view, {700, 320});
    QSignalSpy hovered(&selection, &Selection::hovered);
    const Heatmap& map = *view.heatmap();
    QTest::mouseMove(view.heatmap(), map.heatmap_layout().cell_rect(2, 8).center().toPoint());
    QTRY_COMPARE(selection.hovered_token(), std::optional(8));
    QCOMPARE(selection.hovered_step(), std::optional(2));
    const QImage before = view.grab().toImage();
    selection.hover(20, std::nullopt);
    QTRY_VERIFY(image_difference(before, view.grab().toImage(), 8) > 0.005);
  }

  void rows_can_be_labelled_with_the_decoder_input() {
    Selection selection;
    AlignmentView view(&selection);
    view.set_result(sample::result());
    QSignalSpy changed(&view, &AlignmentView::rowLabelsChanged);
    view.set_row_labels(AlignmentView::RowLabels::fed);
    QCOMPARE(changed.size(), 1);
    QVERIFY(view.heatmap()->readout(0, 0).startsWith(QStringLiteral("‘_’ × ")));  // the start token
    QVERIFY(view.heatmap()->readout(1, 0).startsWith(QStringLiteral("‘1’ × ")));
    view.set_row_labels(AlignmentView::RowLabels::written);
    QVERIFY(view.heatmap()->readout(1, 0).startsWith(QStringLiteral("‘9’ × ")));
  }

  void padding_can_be_hidden() {
    Selection selection;
    AlignmentView view(&selection);
    view.set_result(sample::result());
    view.set_show_padding(false);
    QCOMPARE(view.heatmap()->columns(), 18);
    QVERIFY(view.heatmap()->value(0, 14) > 0.5f);
  }

  void edits_are_marked() {
    Selection selection;
    AlignmentView view(&selection);
    const auto plain = sample::result();
    auto edited = std::make_shared<Result>(*plain);
    const std::string site = "decoder.step[1].attention.weights";
    Recorder recorder(Capture{{}, false}, {{site, Intervention::Kind::set, 4, 1, {}}});
    const Tap tap = recorder.tap();
    const Place decoder("decoder");
    for (int t = 0; t < 10; ++t)
      tap(Place(decoder, "step", t), "attention.weights", Tensor::vector(sample::weights_around(3, 24)));
    edited->trace = recorder.finish({});
    view.set_result(edited);
    view.set_interventions({{site, Intervention::Kind::set, 4, 1, {}}});
    show_at(view, {700, 320});
    const QRectF cell = view.heatmap()->heatmap_layout().cell_rect(1, 24 - 1 - 4);  // read backwards
    const QColor seen = view.grab().toImage().pixelColor(cell.topRight().toPoint() + QPoint(-3, 3));
    QCOMPARE(seen, Theme::instance().edited());
  }

  void f2_and_the_menu_ask_for_an_edit() {
    Selection selection;
    AlignmentView view(&selection);
    const auto result = sample::result();
    view.set_result(result);
    show_at(view, {700, 320});
    QSignalSpy wanted(&view, &AlignmentView::weightEditRequested);
    view.heatmap()->setFocus(Qt::TabFocusReason);
    QTest::keyClick(view.heatmap(), Qt::Key_Right);
    QTest::keyClick(view.heatmap(), Qt::Key_Down);
    QTest::keyClick(view.heatmap(), Qt::Key_F2);
    const int entry = result->trace->find("decoder.step[1].attention.weights");
    QCOMPARE(wanted.last(), (QVariantList{entry, qint64(23)}));  // token 0 is read last
    QCOMPARE(selection.state().step, std::optional(1));          // the keyboard selects as the mouse does

    const QPoint place = view.heatmap()->heatmap_layout().cell_rect(2, 23).center().toPoint();
    QContextMenuEvent event(QContextMenuEvent::Mouse, place, view.heatmap()->mapToGlobal(place));
    QCoreApplication::sendEvent(view.heatmap(), &event);
    auto* menu = view.findChild<QMenu*>();
    QVERIFY(menu);
    QCOMPARE(menu->actions().first()->text(), QStringLiteral("Set this weight…"));
    for (const QAction* action : menu->actions()) QVERIFY(action->isSeparator() || !action->toolTip().isEmpty());
    menu->actions().first()->trigger();
    QCOMPARE(wanted.last().at(1).toLongLong(), 0ll);
    menu->close();
  }

  void says_why_there_is_nothing_to_see() {
    Selection selection;
    AlignmentView view(&selection);
    sample::Options options;
    options.attention = false;
    view.set_result(sample::result(options));
    QVERIFY(!view.has_alignment());
    show_at(view, {500, 260});
    QVERIFY(!view.heatmap()->isVisible());
    const auto* text = view.findChild<QLabel*>();
    QVERIFY(text->isVisible());
    QVERIFY(text->text().startsWith("This model has no attention"));
    QVERIFY_EXCEPTION_THROWN(view.export_to("x.png"), UsageError);
    view.set_result(sample::result());
    QVERIFY(view.heatmap()->isVisible());
  }

  void painted_names_the_result() {
    Selection selection;
    AlignmentView view(&selection);
    QSignalSpy painted(&view, &AlignmentView::painted);
    sample::Options options;
    options.id = 42;
    view.set_result(sample::result(options));
    show_at(view, {500, 260});
    QTRY_VERIFY(!painted.isEmpty());
    QCOMPARE(painted.last().first().toULongLong(), 42ull);
  }

  void exports_with_labels() {
    QTemporaryDir folder;
    Selection selection;
    AlignmentView view(&selection);
    view.set_result(sample::result());
    view.resize(700, 320);
    view.export_to(folder.filePath("map.csv"));
    QFile file(folder.filePath("map.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().split('\n');
    QVERIFY(lines.first().startsWith("output,s,e,p,t,e,m,b,e,r,"));
    QCOMPARE(lines.size(), 12);  // head, ten rows, the end of the last line
  }

  void pictures_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void pictures() {
    QFETCH(bool, dark);
    Theme::instance().set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
    Selection selection;
    AlignmentView view(&selection);
    view.set_result(sample::result());
    view.set_visible_rows(6);
    SelectionState state;
    state.step = 5;
    state.source_token = 3;
    selection.set(state);
    show_at(view, {480, 240});
    COMPARE_IMAGE(view, QString("alignment_stepping_") + (dark ? "dark" : "light"));
    sample::Options options;
    options.attention = false;
    view.set_result(sample::result(options));
    COMPARE_IMAGE(view, QString("alignment_none_") + (dark ? "dark" : "light"));
  }
};

QTEST_MAIN(TestAlignmentView)
#include "test_alignment_view.moc"
