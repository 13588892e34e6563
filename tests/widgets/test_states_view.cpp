// The states view: choosing by mouse and keys, other runs, cones, exports, large letters, pictures.

#include <QComboBox>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "model/core/errors.h"
#include "tests/test_program.h"
#include "tests/widgets/image_test.h"
#include "tests/widgets/small_runs.h"
#include "tests/widgets/states_shown.h"
#include "widgets/views/states/states_view.h"

namespace headlight::test_states_view {

using sample::bundled_run, sample::recurrent_run;

class TestStatesView : public QObject, sample::StatesShown {
  Q_OBJECT

 private slots:
  void init() {
    Theme::instance().set_mode(Theme::Mode::light);
    selection_.set({});
  }
  void cleanup() { Theme::instance().set_font_scale(1); }

  void the_keyboard_walks() {
    auto view = shown(recurrent_run({{"reverse_source", false}}));
    StatesCanvas* canvas = view->canvas();
    const auto unit_of = [&](std::size_t at) {
      std::vector<Index> all;
      for (const StatesCanvas::Group& group : canvas->groups())
        all.insert(all.end(), group.units.begin(), group.units.end());
      return all[std::min(at, all.size() - 1)];
    };
    QSignalSpy opened(&requests_, &ViewRequests::open);
    QTest::keyClick(canvas, Qt::Key_Home);
    QTest::keyClick(canvas, Qt::Key_Right);
    QTest::keyClick(canvas, Qt::Key_Right);
    QTest::keyClick(canvas, Qt::Key_Down);
    QCOMPARE(canvas->cursor().unit, unit_of(1));
    QCOMPARE(canvas->cursor().place, 2);
    QCOMPARE(selection_.state().source_token, 2);
    const auto site = [&] { return (*canvas->cell()->trace)[*selection_.state().entry].site.text; };
    QCOMPARE(site(), std::string("encoder.step[2].lstm.h"));
    QCOMPARE(selection_.state().cell, qint64(unit_of(1)));
    for (const char* leaf : {"gate.f", "cand.g", "c", "h"}) {
      QTest::keyClick(canvas, Qt::Key_Space);
      QCOMPARE(site(), std::string("encoder.step[2].lstm.") + leaf);
    }
    QTest::keyClick(canvas, Qt::Key_PageDown);
    QCOMPARE(canvas->cursor().unit, unit_of(99));
    QTest::keyClick(canvas, Qt::Key_End);
    QCOMPARE(canvas->cursor().place, 4);
    QTest::keyClick(canvas, Qt::Key_Right);
    QCOMPARE(canvas->cursor().place, 4);
    QTest::keyClick(canvas, Qt::Key_Home);
    QTest::keyClick(canvas, Qt::Key_Return);
    QCOMPARE(opened.last(), (QVariantList{canvas->cell()->trace->find("encoder.step[0].lstm.h"), qint64(unit_of(99))}));
    // Along the map every unit can be opened.
    canvas->set_cursor({canvas->cell()->track("h"), 0, canvas->map_order()[4]});
    QTest::keyClick(canvas, Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(canvas->cursor().unit, canvas->map_order()[5]);
    QTest::keyClick(canvas, Qt::Key_Up, Qt::ControlModifier);
    QCOMPARE(view->cell(), 1);  // the decoder
    QTest::keyClick(canvas, Qt::Key_Right);
    QCOMPARE(selection_.state().step, 1);
    QVERIFY(!selection_.state().source_token);
    QTest::keyClick(canvas, Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(view->cell(), 0);
  }

  void clicks_open_units_and_numbers() {
    auto view = shown(bundled_run("date-attention", "November 22, 2026"), {1200, 640});
    StatesCanvas* canvas = view->canvas();
    const auto click = [&](QPointF at) { QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, at.toPoint()); };
    const auto layout = [&]() -> const StatesLayout& { return canvas->states_layout(); };
    const Index wanted = canvas->groups()[1].units[1];
    click({40, layout().units[4].center().y()});
    QCOMPARE(canvas->cursor().unit, wanted);
    QCOMPARE(layout().metrics.opened, 4);
    click({layout().columns.centre(3), layout().story[0].center().y()});
    QCOMPARE((*canvas->cell()->trace)[*selection_.state().entry].site.text,
             std::string("encoder.step[25].lstm.gate.f"));  // the fourth of 29, read from the end
    QCOMPARE(selection_.state().cell, qint64(wanted));
    // A line of the map that is not among the eight stands above them.
    int row = 0;
    const auto listed = [&](Index unit) {
      return std::ranges::any_of(canvas->groups(), [&](const StatesCanvas::Group& group) {
        return std::ranges::find(group.units, unit) != group.units.end();
      });
    };
    while (listed(canvas->map_order()[static_cast<std::size_t>(row)])) ++row;
    const Index other = canvas->map_order()[static_cast<std::size_t>(row)];
    click({layout().map.left() + 4, layout().map_line(row).center().y()});
    QCOMPARE(canvas->cursor().unit, other);
    QCOMPARE(canvas->groups()[0].title, QString("chosen"));
    QCOMPARE(canvas->groups().size(), std::size_t(4));
    // The blanks unfold, and Esc folds them again.
    const int folded = layout().columns.count();
    click({layout().columns.centre(folded - 1), 20});
    QVERIFY(!canvas->is_folded());
    QCOMPARE(layout().columns.count(), canvas->cell()->place_count());
    QTest::keyClick(canvas, Qt::Key_Escape);
    QCOMPARE(layout().columns.count(), folded);
  }

  void selections_are_shared() {
    const auto result = recurrent_run({{"layers", 2}, {"reverse_source", true}});
    auto view = shown(result);
    QCOMPARE(view->cells().size(), std::size_t(4));
    SelectionState state;
    state.entry = result->trace->find("decoder.step[2].layer[1].lstm.gate.o");
    state.cell = 9;
    selection_.set(state);
    QCOMPARE(view->cell(), 3);
    QCOMPARE(view->canvas()->cursor(), (StatesCursor{view->cells()[3].track("o"), 2, 9}));
    view->show_cell(0);
    selection_.set({1, {}, {}, {}});
    QCOMPARE(view->canvas()->cursor().place, 1);
    // A click on the bar of the third token: the encoder reads from the end, so that is its third step from there.
    const StatesLayout& layout = view->canvas()->states_layout();
    QTest::mouseClick(view->canvas()->viewport(), Qt::LeftButton, {},
                      QPointF(layout.columns.centre(3), layout.units[0].center().y()).toPoint());
    QCOMPARE(selection_.state().entry, result->trace->find("encoder.layer[0].step[1].lstm.h"));
    QCOMPARE(selection_.state().source_token, 3);
  }

  void the_choice_of_a_cell_is_whole() {
    auto view = shown(recurrent_run({{"layers", 2}}), {900, 600});
    auto* box = view->findChild<QComboBox*>();
    QVERIFY(box->isVisible() && box->count() > 2);
    for (int i = 0; i < box->count(); ++i) {
      view->show_cell(i);
      QCoreApplication::processEvents();
      QVERIFY2(QFontMetrics(box->font()).horizontalAdvance(box->currentText()) + 24 <= box->width(),
               qPrintable(box->currentText()));
    }
  }

  void a_new_result_keeps_the_place() {
    auto view = shown(recurrent_run({{"layers", 2}}));
    view->show_cell(3);
    view->canvas()->set_cursor({2, 4, 5});
    view->set_result(recurrent_run({{"layers", 2}}, "abc"));
    QCOMPARE(view->cell(), 3);
    QCOMPARE(view->canvas()->cursor(), (StatesCursor{2, 4, 5}));
    view->hide();
    view->set_result(recurrent_run());
    QCOMPARE(view->cells().size(), std::size_t(4));  // nothing is done while nobody looks
    view->show();
    QCOMPARE(view->cells().size(), std::size_t(2));
  }

  void cones() {
    auto view = shown(sample::convolution_run(), {900, 600});
    StatesCanvas* canvas = view->canvas();
    QCOMPARE(view->cells().size(), std::size_t(5));
    view->show_cell(2);
    canvas->set_cursor({0, 5, 0});
    QCOMPARE(canvas->cone_text(), QStringLiteral("position 6 of layer 3 sees 7 tokens"));
    QVERIFY(canvas->accessibleDescription().contains("sees 7 tokens"));
    canvas->set_cursor({0, 0, 0});
    QCOMPARE(canvas->cone_text(), QStringLiteral("position 1 of layer 3 sees 4 tokens, up to 7 in a longer text"));
    view->show_cell(4);  // the decoder looks back only
    canvas->set_cursor({0, 1, 0});
    QCOMPARE(canvas->cone().levels.front(), (ReceptiveCone::Span{0, 1}));
  }

  void exports_and_emptiness() {
    QTemporaryDir folder;
    StatesView empty(ViewContext{&selection_, &requests_});
    QVERIFY_EXCEPTION_THROWN(empty.export_to(folder.filePath("x.png")), UsageError);
    QCOMPARE(empty.table()->rowCount(), 0);
    const auto result = recurrent_run({{"cell", "gru"}, {"reverse_source", false}});
    auto view = shown(result);
    for (const char* name : {"s.png", "s.svg", "s.pdf", "s.csv"}) {
      view->export_to(folder.filePath(name));
      QVERIFY(QFile(folder.filePath(name)).size() > 500);
    }
    QFile file(folder.filePath("s.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(file.readLine()), QStringLiteral("place,token,unit,z,r,h̃,h\r\n"));
    const QList<QByteArray> fields = file.readLine().trimmed().split(',');
    QVERIFY(fields[0] == "0" && fields[1] == "a" && fields[2] == "0");
    QCOMPARE(fields[6].toFloat(), static_cast<float>(result->trace->value("encoder.step[0].gru.h")[0]));
    int lines = 1;
    while (!file.readLine().isEmpty()) ++lines;
    QCOMPARE(lines, 5 * 24);
    QCOMPARE(view->table()->rowCount(), 5 * 24);
    view->set_result(std::make_shared<Result>());
    QVERIFY(!view->canvas()->isVisible());
    QVERIFY(!StatesView::offers(Result{}));
    QVERIFY(StatesView::offers(*result));
  }

  void large_fonts_and_small_windows() {
    Theme::instance().set_font_scale(2.5);
    auto view = shown(recurrent_run(), {360, 240});
    QVERIFY(view->canvas()->states_layout().bars.height() > 60);
    view->grab();
    Theme::instance().set_font_scale(0.75);
    view->grab();
    QEvent language(QEvent::LanguageChange);
    QCoreApplication::sendEvent(view.get(), &language);
    QVERIFY(!view->canvas()->accessibleName().isEmpty());
  }

  void pictures_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void pictures() {
    QFETCH(bool, dark);
    const QString theme = dark ? "dark" : "light";
    Theme::instance().set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
    // A bundled model: the gates of random weights are all half open.
    auto view = shown(bundled_run("date-attention", "November 22, 2026"), {1120, 640});
    view->canvas()->set_cursor({view->canvas()->cell()->track("h"), 10, view->canvas()->cursor().unit});
    COMPARE_IMAGE(*view, "states_" + theme);
    view->set_result(sample::convolution_run());
    view->show_cell(2);
    view->canvas()->set_cursor({0, 4, 9});
    view->resize(640, 640);
    QCoreApplication::processEvents();
    COMPARE_IMAGE(*view, "states_cone_" + theme);
  }
};

HEADLIGHT_WIDGET_TEST(TestStatesView)

}  // namespace headlight::test_states_view

#include "test_states_view.moc"
