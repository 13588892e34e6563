// The alignment view: labels, reading order, linked selection, padding, edits, models without attention.
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <functional>

#include "image_test.h"
#include "sample_result.h"
#include "tests/test_program.h"
#include "widgets/base/view_requests.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/alignment/alignment_view.h"

namespace headlight::test_alignment_view {

class TestAlignmentView : public QObject {
  Q_OBJECT

 private slots:
  void init() { Theme::instance().set_mode(Theme::Mode::light); }

  void shows_the_weights_in_reading_order() {
    Selection selection;
    AlignmentView view({&selection});
    view.set_show_padding(true);
    const auto result = sample::result();
    view.set_result(result);
    QVERIFY(view.map_shown());
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
    QVERIFY(map.readout(0, 14).startsWith(QStringLiteral("‘1’ looks at ‘1’: ")));
    QVERIFY(map.readout(0, 9).startsWith(QStringLiteral("‘1’ looks at space: ")));
    QVERIFY(map.readout(0, 23).startsWith(QStringLiteral("‘1’ looks at padding: ")));
  }

  void whole_words_are_put_together() {
    Selection selection;
    ViewRequests requests;
    AlignmentView view({&selection, &requests});
    view.set_show_padding(true);
    view.set_result(sample::result());
    show_at(view, {700, 420});
    auto* box = view.findChild<QCheckBox*>();
    QVERIFY(box->isVisible() && !box->isChecked());
    box->click();
    QVERIFY(selection.whole_words());
    const Heatmap& map = *view.heatmap();
    QCOMPARE(map.rows(), 5);     // 1994 - 09 - 27
    QCOMPARE(map.columns(), 7);  // september ␣ 27 , ␣ 1994 padding
    for (int row = 0; row < 5; ++row) {
      double sum = 0;
      for (int column = 0; column < 7; ++column) sum += static_cast<double>(map.value(row, column));
      QVERIFY(std::abs(sum - 1) < 1e-5);
    }
    QVERIFY(map.value(0, 5) > 0.8f);  // 1994 looks at 1994
    QVERIFY(map.readout(0, 5).contains("1994"));
    selection.set({16, 3, {}, {}});  // the last 9 of both
    QCOMPARE(map.selected_cell(), (HeatmapCell{0, 5}));
    QTest::mouseClick(view.heatmap()->viewport(), Qt::LeftButton, {},
                      map.heatmap_layout().cell_rect(2, 2).center().toPoint());
    QCOMPARE(selection.state().source_token, std::optional(10));
    QCOMPARE(selection.state().step, std::optional(5));
    QVERIFY(!selection.state().entry);
    QSignalSpy edit(&requests, &ViewRequests::weight);
    QTest::keyClick(view.heatmap(), Qt::Key_F2);
    QVERIFY(edit.isEmpty());
    view.set_visible_rows(7);  // the second 9 of 09 is there, 27 is not
    QCOMPARE(map.visible_rows(), 3);
    selection.set_whole_words(false);
    QCOMPARE(map.rows(), 10);
    QCOMPARE(map.visible_rows(), 7);
    sample::Options options;
    options.source = "2 7 , 1";
    options.output = "1-2-3";
    view.set_result(sample::result(options));
    QVERIFY(!box->isVisible());
    selection.set_whole_words(true);  // nothing to put together: the weights stay cells of the trace
    QVERIFY(!view.map_shown()->is_merged() && view.map_shown()->entry(0) >= 0);
  }

  void columns_of_unknown_characters_are_left_out() {
    Selection selection;
    AlignmentView view({&selection});
    view.set_show_padding(true);
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
    AlignmentView view({&selection});
    view.set_show_padding(true);
    const auto result = sample::result();
    view.set_result(result);
    show_at(view, {700, 320});
    const Heatmap& map = *view.heatmap();
    QTest::mouseClick(view.heatmap()->viewport(), Qt::LeftButton, {},
                      map.heatmap_layout().cell_rect(3, 5).center().toPoint());
    const SelectionState& state = selection.state();
    QCOMPARE(state.step, std::optional(3));
    QCOMPARE(state.source_token, std::optional(5));
    QCOMPARE((*result->trace)[*state.entry].site.text, std::string("decoder.step[3].attention.weights"));
    QCOMPARE(static_cast<float>((*result->trace)[*state.entry].value[*state.cell]), map.value(3, 5));
  }

  void selection_from_elsewhere_moves_the_cursor() {
    Selection selection;
    AlignmentView view({&selection});
    view.set_show_padding(true);
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

  void a_model_with_several_attending_layers_offers_them() {
    Selection selection;
    AlignmentView view({&selection});
    view.set_show_padding(true);
    view.set_result(sample::result());
    auto* box = view.findChild<QComboBox*>();
    QVERIFY(box);
    show_at(view, {700, 320});
    QVERIFY(!box->isVisible());  // one attention: nothing to choose
    sample::Options options;
    options.layers = 3;
    const auto result = sample::result(options);
    view.set_result(result);
    QVERIFY(box->isVisible());
    QCOMPARE(box->count(), 4);
    QCOMPARE(box->itemText(0), QString("mean of all layers"));
    QCOMPARE(box->itemText(3), QString("layer 3"));
    QVERIFY(!box->accessibleName().isEmpty());
    QCOMPARE(view.layer(), Index{-1});
    const Heatmap& map = *view.heatmap();
    const auto position = static_cast<Index>(result->position_of_token[20]);
    const auto value_at = [&](const char* site) { return static_cast<float>(result->trace->value(site)[position]); };
    QCOMPARE(map.value(4, 20), value_at("decoder.step[4].attn_mean"));

    // The keyboard alone: the box takes the focus, Down goes to the next layer.
    box->setFocus(Qt::TabFocusReason);
    QVERIFY(box->focusPolicy() & Qt::TabFocus);
    QTest::keyClick(box, Qt::Key_Down);
    QTest::keyClick(box, Qt::Key_Down);
    QCOMPARE(view.layer(), Index{1});
    QCOMPARE(map.value(4, 20), value_at("decoder.step[4].layer[1].attn.weights"));
    QVERIFY(map.accessibleName().contains("layer 2"));
    // The layer stays while the text changes, and goes when the model has no such layer.
    view.set_result(result);
    QCOMPARE(view.layer(), Index{1});
    QCOMPARE(box->currentText(), QString("layer 2"));
    view.set_result(sample::result());
    QCOMPARE(view.layer(), Index{-1});
    QVERIFY(!map.accessibleName().contains("layer"));
  }

  void a_mean_of_layers_cannot_be_edited() {
    Selection selection;
    ViewRequests requests;
    AlignmentView view({&selection, &requests});
    view.set_show_padding(true);
    sample::Options options;
    options.layers = 2;
    const auto result = sample::result(options);
    view.set_result(result);
    show_at(view, {700, 320});
    QSignalSpy edit(&requests, &ViewRequests::weight);
    QTest::mouseClick(view.heatmap()->viewport(), Qt::LeftButton, {},
                      view.heatmap()->heatmap_layout().cell_rect(3, 5).center().toPoint());
    QTest::keyClick(view.heatmap(), Qt::Key_F2);
    QVERIFY(edit.isEmpty());
    view.set_layer(0);
    QTest::keyClick(view.heatmap(), Qt::Key_F2);
    QCOMPARE(edit.size(), 1);
    std::vector<Intervention> pins;
    connect(&requests, &ViewRequests::edit, this, [&](const Intervention& pin) { pins.push_back(pin); });
    edit.first()[1].value<std::function<void(double)>>()(0.25);
    QCOMPARE(pins.size(), std::size_t{1});
    QCOMPARE(pins[0].site, std::string("decoder.step[3].layer[0].attn.weights"));
    view.set_layer(7);  // there is none
    QCOMPARE(view.layer(), Index{-1});
  }

  void exports_name_the_layer() {
    QTemporaryDir folder;
    Selection selection;
    AlignmentView view({&selection});
    view.set_show_padding(true);
    sample::Options options;
    options.layers = 2;
    view.set_result(sample::result(options));
    view.resize(700, 320);
    view.set_layer(1);
    const auto text_of = [&](const QString& name) {
      view.export_to(folder.filePath(name));
      QFile file(folder.filePath(name));
      return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    };
    QVERIFY(text_of("map.csv").startsWith(QStringLiteral("output · layer 2,s,e,p")));
    const QString svg = text_of("map.svg");
    const QString title = svg.mid(svg.indexOf("<title>"), 80);
    QVERIFY2(title.contains("layer 2"), qPrintable(title));
  }

  void forty_words_do_not_overlap() {
    auto made = std::make_shared<Result>(*sample::result());
    Recorder recorder(Capture{{}, false}, {});
    const OutputStep step = made->steps.front();
    *made = Result();
    auto model = std::make_shared<ModelBundle>(*sample::bundle());
    model->text.source = Tokenizer(Vocabulary({"maison"}), TokenizerKind::words);
    model->text.target = Tokenizer(Vocabulary({"house"}), TokenizerKind::words);
    made->model = model;
    for (int i = 0; i < 40; ++i) {
      made->tokens.push_back({i % 7 == 3 ? "anticonstitutionnellement" : "maison", 0, 0, 1, false});
      made->position_of_token.push_back(i);
      made->token_of_position.push_back(i);
      made->steps.push_back(step);
      made->steps.back().text = i % 5 == 2 ? "incomprehensibilities" : "house";
    }
    const SitePath decoder("decoder");
    for (int t = 0; t < 40; ++t)
      recorder.tap()(SitePath(decoder, "step", t), "attention.weights", Tensor::vector(sample::weights_around(t, 40)));
    made->trace = recorder.finish({});
    Selection selection;
    AlignmentView view({&selection});
    view.set_show_padding(true);
    view.set_result(made);
    for (const QSize size : {QSize(560, 300), QSize(1200, 800)}) {
      show_at(view, size);
      const HeatmapLayout& layout = view.heatmap()->heatmap_layout();
      QVERIFY(layout.column_style == HeatmapLayout::ColumnLabels::turned);
      for (std::size_t i = 1; i < layout.column_labels.size(); ++i)
        QVERIFY(!layout.column_labels[i - 1].rect.intersects(layout.column_labels[i].rect.adjusted(0.1, 0, 0, 0)));
      for (std::size_t i = 1; i < layout.row_labels.size(); ++i)
        QVERIFY(!layout.row_labels[i - 1].rect.intersects(layout.row_labels[i].rect.adjusted(0, 0.1, 0, 0)));
      // Rows and columns keep most of the room, and short words are whole.
      QVERIFY(layout.cells.width() > 0.5 * size.width() && layout.cells.height() > 0.5 * size.height());
      QCOMPARE(layout.row_labels.front().text, QString("house"));
      COMPARE_IMAGE(view, QStringLiteral("alignment_words_%1").arg(size.width()));
    }
  }

  void hover_is_linked_both_ways() {
    Selection selection;
    AlignmentView view({&selection});
    view.set_show_padding(true);
    view.set_result(sample::result());
    show_at(view, {700, 320});
    QSignalSpy hovered(&selection, &Selection::hovered);
    const Heatmap& map = *view.heatmap();
    QTest::mouseMove(view.heatmap()->viewport(), map.heatmap_layout().cell_rect(2, 8).center().toPoint());
    QTRY_COMPARE(selection.hovered_token(), std::optional(8));
    QCOMPARE(selection.hovered_step(), std::optional(2));
    const QImage before = view.grab().toImage();
    selection.hover(20, std::nullopt);
    QTRY_VERIFY(image_difference(before, view.grab().toImage()).share > 0.005);
  }

  void rows_can_be_labelled_with_the_decoder_input() {
    Selection selection;
    AlignmentView view({&selection});
    view.set_show_padding(true);
    view.set_result(sample::result());
    view.set_row_labels(AlignmentView::RowLabels::fed);
    QVERIFY(view.heatmap()->readout(0, 0).startsWith(QStringLiteral("‘_’ looks at ")));  // the start token
    QVERIFY(view.heatmap()->readout(1, 0).startsWith(QStringLiteral("‘1’ looks at ")));
    view.set_row_labels(AlignmentView::RowLabels::written);
    QVERIFY(view.heatmap()->readout(1, 0).startsWith(QStringLiteral("‘9’ looks at ")));
  }

  // The blanks behind the text stand in one column with all of their attention: rows still add up to 1. A click takes
  // it apart.
  void padding_is_folded() {
    Selection selection;
    ViewRequests requests;
    AlignmentView view({&selection, &requests});
    view.set_result(sample::result());
    show_at(view, {700, 420});
    Heatmap& map = *view.heatmap();
    QCOMPARE(map.columns(), 19);  // 18 characters, and what is behind them
    QCOMPARE(view.folded(), 6);
    QVERIFY(map.value(0, 14) > 0.5f);
    for (int row = 0; row < map.rows(); ++row) {
      double sum = 0;
      for (int column = 0; column < map.columns(); ++column) sum += static_cast<double>(map.value(row, column));
      QVERIFY(std::abs(sum - 1) < 1e-5);
    }
    QVERIFY2(map.readout(0, 18).contains("padding (6 "), qPrintable(map.readout(0, 18)));
    // It is no number of the run: nothing is selected there, nothing can be changed.
    QSignalSpy edit(&requests, &ViewRequests::weight);
    map.setFocus();
    QTest::keyClick(&map, Qt::Key_End);
    QVERIFY(!selection.state().cell || map.selected_cell().column < 18);
    QTest::keyClick(&map, Qt::Key_F2);
    QVERIFY(edit.isEmpty());
    QTest::mouseClick(map.viewport(), Qt::LeftButton, {}, map.heatmap_layout().cell_rect(2, 18).center().toPoint());
    QCOMPARE(view.folded(), 0);
    QCOMPARE(map.columns(), 24);
    view.set_show_padding(false);
    QCOMPARE(map.columns(), 19);
  }

  void edits_are_marked() {
    Selection selection;
    AlignmentView view({&selection});
    view.set_show_padding(true);
    const auto plain = sample::result();
    auto edited = std::make_shared<Result>(*plain);
    const std::string site = "decoder.step[1].attention.weights";
    Recorder recorder(Capture{{}, false}, {{site, Intervention::Kind::set, 4, 1, {}}});
    const Tap tap = recorder.tap();
    const SitePath decoder("decoder");
    for (int t = 0; t < 10; ++t)
      tap(SitePath(decoder, "step", t), "attention.weights", Tensor::vector(sample::weights_around(3, 24)));
    edited->trace = recorder.finish({});
    view.set_result(edited);
    view.set_interventions({{site, Intervention::Kind::set, 4, 1, {}}});
    show_at(view, {700, 320});
    const QRectF cell = view.heatmap()->heatmap_layout().cell_rect(1, 24 - 1 - 4);  // read backwards
    const QColor seen = view.heatmap()->grab().toImage().pixelColor(cell.topRight().toPoint() + QPoint(-3, 3));
    QCOMPARE(seen, Theme::instance().edited());
  }

  void f2_and_the_menu_ask_for_an_edit() {
    Selection selection;
    ViewRequests requests;
    AlignmentView view({&selection, &requests});
    view.set_show_padding(true);
    const auto result = sample::result();
    view.set_result(result);
    show_at(view, {700, 320});
    QSignalSpy wanted(&requests, &ViewRequests::weight);
    view.heatmap()->setFocus(Qt::TabFocusReason);
    QTest::keyClick(view.heatmap(), Qt::Key_Right);
    QTest::keyClick(view.heatmap(), Qt::Key_Down);
    QTest::keyClick(view.heatmap(), Qt::Key_F2);
    std::vector<Intervention> pins;
    connect(&requests, &ViewRequests::edit, this, [&](const Intervention& pin) { pins.push_back(pin); });
    wanted.last()[1].value<std::function<void(double)>>()(0.5);
    QCOMPARE(pins.size(), std::size_t{1});
    QCOMPARE(pins[0].site, std::string("decoder.step[1].attention.weights"));
    QCOMPARE(pins[0].cell, Index{23});                   // token 0 is read last
    QCOMPARE(selection.state().step, std::optional(1));  // the keyboard selects as the mouse does

    const QPoint place = view.heatmap()->heatmap_layout().cell_rect(2, 23).center().toPoint();
    QContextMenuEvent event(QContextMenuEvent::Mouse, place, view.heatmap()->viewport()->mapToGlobal(place));
    QCoreApplication::sendEvent(view.heatmap()->viewport(), &event);
    auto* menu = view.findChild<QMenu*>();
    QVERIFY(menu);
    QCOMPARE(menu->actions().first()->text(), QStringLiteral("Set this weight…"));
    for (const QAction* action : menu->actions()) QVERIFY(action->isSeparator() || !action->toolTip().isEmpty());
    menu->actions().first()->trigger();
    QCOMPARE(wanted.size(), 2);
    menu->close();
  }

  void says_why_there_is_nothing_to_see() {
    Selection selection;
    AlignmentView view({&selection});
    view.set_show_padding(true);
    sample::Options options;
    options.attention = false;
    view.set_result(sample::result(options));
    QVERIFY(!view.map_shown());
    show_at(view, {500, 260});
    QVERIFY(!view.heatmap()->isVisible());
    QVERIFY(view.message().startsWith("This model has no attention"));
    QVERIFY_EXCEPTION_THROWN(view.export_to("x.png"), UsageError);
    view.set_result(sample::result());
    QVERIFY(view.heatmap()->isVisible());
  }

  void painted_names_the_result() {
    Selection selection;
    AlignmentView view({&selection});
    view.set_show_padding(true);
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
    AlignmentView view({&selection});
    view.set_show_padding(true);
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
    AlignmentView view({&selection});
    view.set_show_padding(true);
    view.set_result(sample::result());
    view.set_visible_rows(6);
    SelectionState state;
    state.step = 5;
    state.source_token = 3;
    selection.set(state);
    show_at(view, {480, 240});
    COMPARE_IMAGE(view, QString("alignment_stepping_") + (dark ? "dark" : "light"));
    selection.set_whole_words(true);
    view.set_visible_rows(-1);
    COMPARE_IMAGE(view, QString("alignment_merged_") + (dark ? "dark" : "light"));
    sample::Options options;
    options.attention = false;
    view.set_result(sample::result(options));
    COMPARE_IMAGE(view, QString("alignment_none_") + (dark ? "dark" : "light"));
  }
};

HEADLIGHT_WIDGET_TEST(TestAlignmentView)

}  // namespace headlight::test_alignment_view

#include "test_alignment_view.moc"
