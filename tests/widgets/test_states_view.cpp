// The states view: layout, pooling, the written-out arithmetic, choosing by mouse and keys, cones, export, pictures.
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "image_test.h"
#include "model/core/errors.h"
#include "model/io/model_folder.h"
#include "small_runs.h"
#include "tests/test_program.h"
#include "widgets/views/states/states_view.h"

using namespace headlight;

namespace {

using Part = StatesHit::Part;

QString fixed(double value) {
  const QString text = QString::number(value, 'f', 3);
  return text == "-0.000" ? QStringLiteral("0.000") : QString(text).replace('-', QChar(0x2212));
}
QString bracketed(double value) {
  return fixed(value).startsWith(QChar(0x2212)) ? "(" + fixed(value) + ")" : fixed(value);
}

}  // namespace

class TestStatesView : public QObject {
  Q_OBJECT

  Selection selection_;
  ViewRequests requests_;
  std::unique_ptr<StatesView> shown(std::shared_ptr<const Result> result, QSize size = {640, 420}) {
    auto view = std::make_unique<StatesView>(ViewContext{&selection_, &requests_});
    view->set_result(std::move(result));
    show_at(*view, size);
    return view;
  }

 private slots:
  void init() {
    Theme::instance().set_mode(Theme::Mode::light);
    selection_.set({});
  }
  void cleanup() { Theme::instance().set_font_scale(1); }

  void pictures_stand_apart_at_every_size() {
    for (const QSizeF size : {QSizeF(300, 180), QSizeF(640, 420), QSizeF(1400, 900)})
      for (const int tracks : {1, 2, 3, 4, 6})
        for (const int places : {1, 12, 90})
          for (const int levels : {0, 5}) {
            StatesLayout::Metrics m;
            m.view = size;
            const StatesLayout layout = StatesLayout::of(tracks, places, 100, levels, m);
            QCOMPARE(layout.panels.size(), static_cast<std::size_t>(tracks));
            QList<QRectF> all = {layout.chart_caption, layout.chart, layout.arithmetic};
            for (const StatesLayout::Panel& panel : layout.panels) all << panel.caption << panel.mean << panel.cells;
            for (const QRectF& tokens : layout.tokens) all << tokens;
            if (levels > 0) all << layout.cone_caption << layout.cone << layout.cone_tokens << layout.cone_names;
            for (int i = 0; i < all.size(); ++i) {
              QVERIFY(all[i].width() > 10 && all[i].height() > 10);
              QVERIFY(QRectF(0, 0, layout.width, layout.height).contains(all[i]));
              for (int j = 0; j < i; ++j) QVERIFY(!all[i].intersects(all[j]));
            }
            QVERIFY(layout.panels[0].cells.width() / places >= m.smallest_place - 1e-9 || places == 1);
            for (const int place : {0, places - 1})
              for (const int track : {0, tracks - 1}) {
                const QRectF cell = layout.cell(track, place, layout.rows() - 1);
                QCOMPARE(layout.place_at(cell.center()), (StatesHit{Part::cells, track, place, layout.rows() - 1, -1}));
              }
            if (levels > 0) {
              QCOMPARE(layout.place_at(layout.node(places - 1, 4).center()),
                       (StatesHit{Part::cone, -1, places - 1, -1, 4}));
              QCOMPARE(layout.place_at(layout.node(0, 1).center()), (StatesHit{Part::cone, -1, 0, -1, 1}));
            }
            QCOMPARE(layout.place_at({0, 0}), StatesHit{});
          }
  }

  void many_units_share_rows() {
    StatesLayout::Metrics m;
    m.view = {400, 200};
    m.smallest_row = 2;
    m.smallest_picture = 50;
    const StatesLayout layout = StatesLayout::of(1, 5, 1000, 0, m);
    QCOMPARE(layout.panels[0].cells.height(), 50.0);
    QCOMPARE(layout.units_of_row, 40);  // 50 / 2 = 25 rows for 1000 units
    QCOMPARE(layout.rows(), 25);
    QCOMPARE(StatesLayout::of(1, 5, 20, 0, m).units_of_row, 1);
  }

  void the_arithmetic_is_written_out() {
    const StateUpdate lstm{"c", "f·c′ + i·g", "%1·%2 + %3·%4", {0.91, 1.2, 0.05, -0.88}, 1.048, 1.048, false};
    QCOMPARE(update_text(lstm), QStringLiteral("c = f·c′ + i·g = 0.910·1.200 + 0.050·(−0.880) = 1.048"));
    const StateUpdate tanh{"h", "o·tanh(c)", "%1·tanh(%2)", {0.5, -0.25}, -0.1225, -0.1225, false};
    QCOMPARE(update_text(tanh, 2), QStringLiteral("h = o·tanh(c) = 0.50·tanh(−0.25) = −0.12"));
    StateUpdate edited = lstm;
    edited.edited = true;
    edited.value = 5;
    QVERIFY(update_text(edited).endsWith("= 1.048, edited to 5.000"));
    QCOMPARE(update_text({"h", "", "", {}, 0.3, 0.3, false}), QStringLiteral("h = 0.300"));
    QCOMPARE(fixed_number(-0.0004), QStringLiteral("0.000"));
    QCOMPARE(fixed_number(-0.0006), QStringLiteral("−0.001"));
  }

  // What is said is what the trace holds, for the LSTM and for both forms of the GRU.
  void the_numbers_are_those_of_the_trace() {
    const auto lstm = recurrent({{"reverse_source", false}});
    auto view = shown(lstm);
    view->canvas()->set_cursor({0, 3, 7});
    const auto at = [&](const std::shared_ptr<const Result>& result, const char* leaf, int step) {
      return static_cast<double>(result->trace->value("encoder.step[" + std::to_string(step) + "]." + leaf)[7]);
    };
    const QString expected =
        QStringLiteral("c = f·c′ + i·g = %1·%2 + %3·%4 = %5.")
            .arg(fixed(at(lstm, "lstm.gate.f", 3)), bracketed(at(lstm, "lstm.c", 2)), fixed(at(lstm, "lstm.gate.i", 3)),
                 bracketed(at(lstm, "lstm.cand.g", 3)), fixed(at(lstm, "lstm.c", 3)));
    QVERIFY2(view->canvas()->accessibleDescription().contains(expected), qPrintable(expected));
    for (const bool after : {false, true}) {
      const auto gru = recurrent({{"cell", after ? "gru_reset_after" : "gru"}, {"reverse_source", false}});
      view->set_result(gru);
      view->canvas()->set_cursor({0, 3, 7});
      const QString z = fixed(at(gru, "gru.gate.z", 3)), old = bracketed(at(gru, "gru.h", 2)),
                    candidate = bracketed(at(gru, "gru.cand", 3));
      const QString text = QStringLiteral("h = %1 = (1 − %2)·%3 + %2·%4 = %5.")
                               .arg(after ? "(1 − z)·h̃ + z·h′" : "(1 − z)·h′ + z·h̃", z, after ? candidate : old,
                                    after ? old : candidate, fixed(at(gru, "gru.h", 3)));
      QVERIFY2(view->canvas()->accessibleDescription().contains(text), qPrintable(text));
    }
  }

  void a_row_shows_its_most_extreme_unit() {
    auto view = shown(recurrent({{"hidden_size", 128}}), {360, 240});
    const StatesCanvas& canvas = *view->canvas();
    const StateCell& cell = *canvas.cell();
    const int shared = canvas.states_layout().units_of_row;
    QVERIFY(shared > 1);
    for (const int track : {cell.track("f"), cell.track("c")})
      for (int row = 0; row < canvas.states_layout().rows(); ++row) {
        const float shown_value = cell.value(track, 2, canvas.unit_shown(track, 2, row));
        for (Index unit = row * shared; unit < std::min<Index>(128, (row + 1) * shared); ++unit) {
          const float other = cell.value(track, 2, unit), middle = track == cell.track("f") ? 0.5F : 0;
          QVERIFY(std::abs(shown_value - middle) >= std::abs(other - middle));
        }
      }
    bool said = false;
    for (const QLabel* label : view->findChildren<QLabel*>())
      said = said || label->text().contains(QString("Each row shows %1 units").arg(shared));
    QVERIFY(said);
  }

  void the_keyboard_walks() {
    auto view = shown(recurrent({{"reverse_source", false}}));
    StatesCanvas* canvas = view->canvas();
    QSignalSpy opened(&requests_, &ViewRequests::open);
    QTest::keyClick(canvas, Qt::Key_Right);
    QTest::keyClick(canvas, Qt::Key_Right);
    QTest::keyClick(canvas, Qt::Key_Down);
    QTest::keyClick(canvas, Qt::Key_Space);
    QCOMPARE(canvas->cursor(), (StatesCursor{1, 2, 1}));
    QCOMPARE(selection_.state().source_token, 2);
    const int entry = view->cells()[0].trace->find("encoder.step[2].lstm.gate.i");
    QCOMPARE(selection_.state().entry, entry);
    QCOMPARE(selection_.state().cell, qint64(1));
    QTest::keyClick(canvas, Qt::Key_PageDown);
    QCOMPARE(canvas->cursor().unit, Index(11));
    QTest::keyClick(canvas, Qt::Key_End);
    QCOMPARE(canvas->cursor().place, 4);
    QTest::keyClick(canvas, Qt::Key_Right);
    QCOMPARE(canvas->cursor().place, 4);
    QTest::keyClick(canvas, Qt::Key_Home);
    QTest::keyClick(canvas, Qt::Key_Return);
    QCOMPARE(opened.last(), (QVariantList{view->cells()[0].trace->find("encoder.step[0].lstm.gate.i"), qint64(11)}));
    QTest::keyClick(canvas, Qt::Key_Up, Qt::ControlModifier);
    QCOMPARE(view->cell(), 1);  // the decoder
    QTest::keyClick(canvas, Qt::Key_Right);
    QCOMPARE(selection_.state().step, 1);
    QVERIFY(!selection_.state().source_token);
    QTest::keyClick(canvas, Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(view->cell(), 0);
  }

  void units_are_sorted() {
    auto view = shown(recurrent());
    StatesCanvas* canvas = view->canvas();
    canvas->set_order(StatesCanvas::Order::change);
    const std::vector<double> changes = canvas->cell()->changes();
    for (std::size_t i = 1; i < canvas->units().size(); ++i)
      QVERIFY(changes[static_cast<std::size_t>(canvas->units()[i - 1])] >=
              changes[static_cast<std::size_t>(canvas->units()[i])]);
    canvas->set_cursor({0, 0, canvas->units()[3]});
    QTest::keyClick(canvas, Qt::Key_Down);
    QCOMPARE(canvas->cursor().unit, canvas->units()[4]);
    canvas->set_order(StatesCanvas::Order::openness);
    const std::vector<double> open = canvas->cell()->openness();
    QCOMPARE(canvas->units().front(), std::max_element(open.begin(), open.end()) - open.begin());
  }

  void selections_are_shared() {
    const auto result = recurrent({{"layers", 2}, {"reverse_source", true}});
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
    // A click on the cell of the third token: the encoder reads from the end, so that is its third step from there.
    const QRectF cell = view->canvas()->states_layout().cell(0, 3, 0);
    QTest::mouseClick(view->canvas()->viewport(), Qt::LeftButton, {}, cell.center().toPoint());
    QCOMPARE(selection_.state().entry, result->trace->find("encoder.layer[0].step[1].lstm.gate.f"));
    QCOMPARE(selection_.state().source_token, 3);
  }

  void a_new_result_keeps_the_place() {
    auto view = shown(recurrent({{"layers", 2}}));
    view->show_cell(3);
    view->canvas()->set_cursor({2, 4, 5});
    view->set_result(recurrent({{"layers", 2}}, "abc"));
    QCOMPARE(view->cell(), 3);
    QCOMPARE(view->canvas()->cursor(), (StatesCursor{2, 4, 5}));
    view->hide();
    view->set_result(recurrent());
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
    QCOMPARE(canvas->cone_text(), QStringLiteral("position 5 of layer 3 sees 7 tokens"));
    QVERIFY(canvas->accessibleDescription().contains("sees 7 tokens"));
    canvas->set_cursor({0, 0, 0});
    QCOMPARE(canvas->cone_text(), QStringLiteral("position 0 of layer 3 sees 4 tokens, up to 7 in a longer text"));
    const QPointF node = canvas->states_layout().node(6, 1).center();
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, node.toPoint());
    QCOMPARE(view->cell(), 0);
    QCOMPARE(canvas->cursor().place, 6);
    QCOMPARE(canvas->cone_text(), QStringLiteral("position 6 of layer 1 sees 3 tokens"));
    const QPointF above = canvas->states_layout().node(2, 2).center();
    QMouseEvent move(QEvent::MouseMove, above, canvas->viewport()->mapToGlobal(above), Qt::NoButton, Qt::NoButton, {});
    QCoreApplication::sendEvent(canvas->viewport(), &move);
    QCOMPARE(canvas->cone_text(), QStringLiteral("position 2 of layer 2 sees 5 tokens"));
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(canvas->viewport(), &leave);
    QCOMPARE(canvas->cone_text(), QStringLiteral("position 6 of layer 1 sees 3 tokens"));
    view->show_cell(4);  // the decoder looks back only
    canvas->set_cursor({0, 1, 0});
    QCOMPARE(canvas->cone().levels.front(), (ReceptiveCone::Span{0, 1}));
  }

  void exports_and_emptiness() {
    QTemporaryDir folder;
    StatesView empty(ViewContext{&selection_, &requests_});
    QVERIFY_EXCEPTION_THROWN(empty.export_to(folder.filePath("x.png")), UsageError);
    QCOMPARE(empty.table()->rowCount(), 0);
    const auto result = recurrent({{"cell", "gru"}, {"reverse_source", false}});
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
    auto view = shown(recurrent(), {360, 240});
    QVERIFY(view->canvas()->states_layout().panels[0].cells.height() > 20);
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
    Request request;  // a bundled model: the gates of random weights are all half open
    request.model = load_model("sample_models/date-attention");
    request.source = "November 21, 2026";
    auto view = shown(std::make_shared<Result>(run(request)));
    view->canvas()->set_cursor({4, 3, 17});
    COMPARE_IMAGE(*view, "states_" + theme);
    view->set_result(sample::convolution_run());
    view->show_cell(2);
    view->canvas()->set_cursor({0, 4, 9});
    QCoreApplication::processEvents();
    COMPARE_IMAGE(*view, "states_cone_" + theme);
  }

 private:
  static std::shared_ptr<const Result> recurrent(const Json& more = Json::object(),
                                                 const std::string& source = "abcde") {
    return sample::recurrent_run(more, source);
  }
};

HEADLIGHT_WIDGET_TEST(TestStatesView)
#include "test_states_view.moc"
