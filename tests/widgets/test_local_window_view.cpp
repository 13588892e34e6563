// The local-window view: layout, keys, what the sliders ask for, export, pictures.
#include <QCheckBox>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "image_test.h"
#include "model/core/errors.h"
#include "model/io/model_folder.h"
#include "model/models/registry.h"
#include "model/models/variant.h"
#include "tests/test_program.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/views/local_window/local_window_view.h"

namespace headlight::test_local_window_view {

namespace {

using Part = LocalWindowHit::Part;

std::shared_ptr<const Result> result_of(const Json& settings = Json::object()) {
  Request request;
  request.model = variant(load_model("toy-mt-local"), settings);
  request.source = "the man says that the dog the white cat sees";
  return std::make_shared<const Result>(run(request));
}

struct Shown {
  Selection selection;
  ViewRequests requests;
  LocalWindowView view{{&selection, &requests}};
  std::shared_ptr<const Result> result;
  std::vector<std::pair<QString, Json>> asked;

  explicit Shown(const Json& settings = Json::object(), QSize size = {640, 420}) : result(result_of(settings)) {
    QObject::connect(&requests, &ViewRequests::setting,
                     [this](const QString& key, const Json& value) { asked.emplace_back(key, value); });
    view.set_result(result);
    show_at(view, size);
  }
  void press(Qt::Key key) { QTest::keyClick(view.canvas(), key); }
  void click(QPointF at) { QTest::mouseClick(view.canvas()->viewport(), Qt::LeftButton, {}, at.toPoint()); }
  std::string site() const { return (*result->trace)[*selection.state().entry].site.text; }
};

}  // namespace

class TestLocalWindowView : public QObject {
  Q_OBJECT

 private slots:
  void init() { Theme::instance().set_mode(Theme::Mode::light); }

  void parts_stand_apart_at_every_size() {
    for (const QSize size : {QSize(200, 140), QSize(640, 420), QSize(1600, 1000)})
      for (const int columns : {1, 11, 300}) {
        LocalWindowLayout::Metrics m;
        m.view = size;
        m.shares.assign(static_cast<std::size_t>(columns), 1);
        m.steps = 9;
        const LocalWindowLayout layout = LocalWindowLayout::of(m);
        QCOMPARE(layout.beside, size.width() == 1600);
        for (int step = 0; step < 9; ++step) {
          const QRectF row = layout.step(step), hill = layout.hill(step), tile = layout.tile(step, columns - 1);
          QVERIFY(QRectF(0, 0, layout.width, layout.height).contains(row));
          QVERIFY(row.contains(hill) && row.contains(tile) && !hill.intersects(tile));
          QVERIFY(hill.height() >= m.hill - 4 && tile.height() == m.tile);
          if (step > 0) QVERIFY(!row.intersects(layout.step(step - 1)));
          QCOMPARE(layout.place_at(tile.center()), (LocalWindowHit{Part::tile, step, columns - 1}));
          QCOMPARE(layout.place_at({layout.x_of(0), hill.center().y()}), (LocalWindowHit{Part::hill, step, 0}));
          QCOMPARE(layout.place_at({5, hill.center().y()}), (LocalWindowHit{Part::name, step, -1}));
          if (layout.beside) {
            QVERIFY(!layout.share(step).intersects(tile));
            QCOMPARE(layout.place_at(layout.share(step).center()), (LocalWindowHit{Part::share, step, -1}));
          }
        }
        QCOMPARE(layout.place_at({layout.x_of(columns - 1), 5}), (LocalWindowHit{Part::tokens, -1, columns - 1}));
        QCOMPARE(layout.place_at({0, 0}), LocalWindowHit{});
        // Halfway between two places, and back.
        if (columns > 1) QVERIFY(std::abs(layout.x_of(0.5) - (layout.x_of(0) + layout.x_of(1)) / 2) < 1e-9);
        for (const double column : {-0.4, 0.0, 0.3, columns - 1.0, columns - 0.7})
          QVERIFY(std::abs(layout.column_of(layout.x_of(column)) - column) < 1e-9);
      }
  }

  // The model reads from the end: its places are shown in the order of the text, counted from 1.
  void places_are_those_of_the_text() {
    Shown shown;
    const LocalWindowCanvas& canvas = *shown.view.canvas();
    const auto count = static_cast<double>(shown.result->tokens.size());
    QCOMPARE(canvas.windows()->tokens[0].text, std::string("<eos>"));
    QCOMPARE(canvas.column_of(0), static_cast<int>(count) - 1);
    shown.view.canvas()->set_place(3, -1);
    const double p = static_cast<double>(shown.result->trace->value("decoder.step[3].attention.position")[0]);
    const QString place = QString::number(count - 1 - p + 1, 'f', 1);
    QCOMPARE(canvas.short_sentence(),
             QString("It expects place %1 and looks no further than 5 places from there.").arg(place));
    const Tensor weights = shown.result->trace->value("decoder.step[3].attention.weights");
    double sum = 0;
    for (Index i = 0; i < weights.size(); ++i) sum += static_cast<double>(weights[i]);
    QVERIFY2(canvas.sentence().endsWith(QString("%1 % of its attention comes through.").arg(100 * sum, 0, 'f', 0)),
             qPrintable(canvas.sentence()));
  }

  void a_hill_is_dragged() {
    Shown shown({}, {1000, 640});
    QSignalSpy edits(&shown.requests, &ViewRequests::edit);
    LocalWindowCanvas* canvas = shown.view.canvas();
    const LocalWindowLayout& layout = canvas->window_layout();
    const double centre = canvas->column_of(canvas->windows()->steps[2].centre);
    const QPointF from(layout.x_of(centre), layout.hill(2).center().y()), to(layout.x_of(centre + 2), from.y());
    QTest::mousePress(canvas->viewport(), Qt::LeftButton, {}, from.toPoint());
    QMouseEvent move(QEvent::MouseMove, to, canvas->viewport()->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(canvas->viewport(), &move);
    QTest::mouseRelease(canvas->viewport(), Qt::LeftButton, {}, to.toPoint());
    QCOMPARE(edits.size(), 1);
    const auto edit = edits[0][0].value<Intervention>();
    QCOMPARE(edit.site, std::string("decoder.step[2].attention.position"));
    QVERIFY(edit.kind == Intervention::Kind::set && edit.cell == 0);
    const double last = static_cast<double>(shown.result->tokens.size()) - 1;
    QVERIFY(std::abs((last - static_cast<double>(edit.value)) - (centre + 2)) < 0.15);  // tenths, and whole pixels
    // The same by keys; and the run that comes of it stands where it was put.
    canvas->set_place(2, -1);
    QTest::keyClick(canvas, Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(edits.size(), 2);
    QVERIFY(std::abs(last - static_cast<double>(edits[1][0].value<Intervention>().value) - (centre + 0.5)) < 0.051);
    Request request;
    request.model = load_model("toy-mt-local");
    request.source = "the man says that the dog the white cat sees";
    request.interventions = {edit};
    shown.view.set_result(std::make_shared<const Result>(run(request)));
    QCOMPARE(canvas->windows()->steps[2].centre, static_cast<double>(edit.value));
    QVERIFY(canvas->windows()->steps[2].centre_edited && !canvas->windows()->steps[3].centre_edited);
    // Where the window moves by itself, there is nothing to drag.
    Shown still(Json{{"attention.reach", "local_m"}});
    QSignalSpy none(&still.requests, &ViewRequests::edit);
    QTest::keyClick(still.view.canvas(), Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(none.size(), 0);
  }

  void the_keyboard_walks_and_selects() {
    Shown shown;
    shown.press(Qt::Key_Down);
    QCOMPARE(shown.view.canvas()->step(), 1);
    QCOMPARE(shown.site(), std::string("decoder.step[1].attention.position"));
    shown.press(Qt::Key_End);
    QCOMPARE(shown.view.canvas()->position(), 0);  // the end of the text, which is read first
    shown.press(Qt::Key_Left);
    QCOMPARE(shown.site(), std::string("decoder.step[1].attention.weights"));
    QCOMPARE(*shown.selection.state().cell, qint64{1});
    QVERIFY(shown.view.canvas()->accessibleDescription().contains("place 10, ‘sees’"));
    for (int i = 0; i < 40; ++i) shown.press(Qt::Key_Up);
    QCOMPARE(shown.view.canvas()->step(), 0);
    shown.press(Qt::Key_Home);
    QCOMPARE(shown.view.canvas()->position(), static_cast<int>(shown.view.canvas()->windows()->tokens.size()) - 1);
  }

  void clicks_and_linked_selection() {
    Shown shown;
    const LocalWindowLayout& layout = shown.view.canvas()->window_layout();
    shown.click({10, layout.step(3).center().y()});
    QCOMPARE(*shown.selection.state().step, 3);
    QCOMPARE(shown.site(), std::string("decoder.step[3].attention.position"));
    shown.click(layout.tile(3, 2).center());
    const int last = static_cast<int>(shown.view.canvas()->windows()->tokens.size()) - 1;  // that is read first
    QCOMPARE(*shown.selection.state().source_token, 2);
    QCOMPARE(*shown.selection.state().cell, qint64{last - 2});
    QCOMPARE(shown.site(), std::string("decoder.step[3].attention.weights"));
    SelectionState state;
    state.step = 5;
    state.source_token = 4;
    shown.selection.set(state);
    QCOMPARE(shown.view.canvas()->step(), 5);
    QCOMPARE(shown.view.canvas()->position(), last - 4);
  }

  void sliders_ask_while_they_are_dragged() {
    Shown shown;
    QSlider* width = shown.view.half_width_slider();
    QCOMPARE(width->value(), 5);
    QCOMPARE(shown.view.sigma_slider()->value(), 25);
    QVERIFY(!shown.view.reset_button()->isEnabled());
    QVERIFY(shown.asked.empty());  // showing asks for nothing
    width->setSliderDown(true);
    width->setValue(2);
    width->setValue(1);
    QCOMPARE(shown.asked.size(), std::size_t{2});
    QCOMPARE(shown.asked.back().first, QString("attention.half_width"));
    QVERIFY(shown.asked.back().second == Json(1));
    // The result of the first step arrives while the finger is on: the slider stays under it.
    shown.view.set_result(result_of({{"attention.half_width", 2}}));
    QCOMPARE(width->value(), 1);
    QCOMPARE(shown.view.sigma_slider()->value(), 10);
    width->setSliderDown(false);
    shown.view.set_result(result_of({{"attention.half_width", 1}}));
    QCOMPARE(width->value(), 1);
    QVERIFY(shown.view.reset_button()->isEnabled());
    QVERIFY(shown.view.reset_button()->text().contains("D = 5"));
    shown.asked.clear();
    shown.view.sigma_slider()->setValue(25);
    QVERIFY(shown.asked.back().first == "attention.sigma" && shown.asked.back().second == Json(2.5));
    shown.view.set_result(result_of({{"attention.sigma", 2.5}}));
    QVERIFY(!shown.view.half_box()->isChecked());
    shown.view.half_box()->click();
    QVERIFY(shown.asked.back().second == Json(0));
    shown.asked.clear();
    shown.view.reset_button()->click();
    QCOMPARE(shown.asked.size(), std::size_t{2});
    QVERIFY(shown.asked[0].second == Json(5) && shown.asked[1].second == Json(0));
  }

  void a_window_that_moves_by_itself_has_no_bell() {
    Shown shown(Json{{"attention.reach", "local_m"}});
    QVERIFY(!shown.view.sigma_slider()->isVisible() && shown.view.half_width_slider()->isVisible());
    QVERIFY(!shown.view.canvas()->sentence().contains("comes through"));
    QVERIFY(LocalWindowView::offers(*shown.result));
  }

  void exports_and_emptiness() {
    Shown shown(Json{{"attention.reach", "global"}}, QSize(360, 240));
    QVERIFY(!LocalWindowView::offers(*shown.result));
    QVERIFY(!shown.view.canvas()->isVisible());
    QVERIFY_EXCEPTION_THROWN(shown.view.export_to("x.png"), UsageError);
    QCOMPARE(shown.view.table()->rowCount(), 0);
    shown.view.set_result(result_of());
    QTemporaryDir folder;
    for (const char* name : {"p.png", "p.svg", "p.pdf", "p.csv"}) {
      shown.view.export_to(folder.filePath(name));
      QVERIFY(QFile(folder.filePath(name)).size() > 500);
    }
    QFile file(folder.filePath("p.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readLine(), QByteArray("step,writes,centre,position,token,inside,before,gaussian,weight\r\n"));
    const QList<QByteArray> line = file.readLine().trimmed().split(',');
    QVERIFY(std::abs(line[6].toDouble() * line[7].toDouble() - line[8].toDouble()) < 1e-6);
    QCOMPARE(shown.view.table()->rowCount(), static_cast<int>(result_of()->steps.size() * result_of()->tokens.size()));
  }

  void pictures_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void pictures() {
    QFETCH(bool, dark);
    Theme::instance().set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
    Shown shown({}, {1000, 680});
    shown.view.canvas()->set_place(3, -1);
    COMPARE_IMAGE(shown.view, QStringLiteral("local_window_") + QTest::currentDataTag());
  }
};

HEADLIGHT_WIDGET_TEST(TestLocalWindowView)

}  // namespace headlight::test_local_window_view

#include "test_local_window_view.moc"
