// A long text keeps what its open panels show: they show the same, and what else is asked for is run again.

#include <QImage>
#include <QPainter>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "app/jobs/run_controller.h"
#include "app/stage/view_table.h"
#include "app/stage/window_panels.h"
#include "app/window/main_window.h"
#include "model/analysis/attention_maps.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"

namespace headlight::test_shown_sites {

namespace {

std::shared_ptr<const Result> result_of(const QString& model, const Capture& capture) {
  Request request;
  request.model = load_model(model.toStdString());
  request.source = request.model->examples.at(0);
  request.capture = capture;
  return std::make_shared<const Result>(run(request));
}

// Keeps nothing but what is shown, whatever the text.
Result run_a_long_text(const Request& asked) {
  Request request = asked;
  request.most_bytes = 1;
  return run(request);
}

}  // namespace

class TestShownSites : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

 private slots:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.path());
  }

  // Every view that names its sites, of every kind of model: the picture and the table are those of a run that has
  // everything.
  void a_view_names_what_it_reads_data() {
    QTest::addColumn<QString>("view");
    QTest::addColumn<QString>("model");
    for (const ViewRow& row : view_table())
      for (const char* model : {"date-attention", "copy-transformer", "masked-bert", "story-gpt", "toy-mt-convs2s"})
        if (row.sites) QTest::addRow("%s, %s", row.name, model) << row.name << model;
  }
  void a_view_names_what_it_reads() {
    QFETCH(QString, view);
    QFETCH(QString, model);
    const ViewRow& row = *std::ranges::find_if(view_table(), [&](const ViewRow& each) { return view == each.name; });
    Capture capture{row.sites(), false};
    capture.sites.push_back("input.src.ids");
    const auto whole = result_of(model, {}), part = result_of(model, capture);
    QVERIFY(part->trace->size() < whole->trace->size());
    if (row.offers) QCOMPARE(row.offers(*analysed(part)), row.offers(*analysed(whole)));
    if (row.offers && !row.offers(*analysed(whole))) return;
    QImage images[2];
    QStringList cells[2];
    for (const auto& result : {whole, part}) {
      const int i = result == part;
      Selection selection;
      ViewRequests requests;
      QWidget parent;
      ResultView* shown = row.make({&selection, &requests}, &parent);
      shown->widget()->resize(900, 600);
      parent.show();
      shown->set_result(result);
      shown->bring_up_to_date();
      Figure figure;
      try {
        figure = shown->figure();
      } catch (const UsageError&) {
        continue;  // there is nothing to draw, in both
      }
      images[i] = QImage(figure.size, QImage::Format_RGB32);
      images[i].fill(Qt::white);
      QPainter painter(&images[i]);
      figure.paint(painter);
      for (int r = 0; r < shown->table()->rowCount(); ++r)
        for (int c = 0; c < shown->table()->columnCount(); ++c)
          cells[i] << shown->table()->index(r, c).data().toString();
    }
    QCOMPARE(cells[1], cells[0]);
    QVERIFY(images[1] == images[0]);
  }

  void what_is_asked_for_is_run_again() {
    RunController controller(run_a_long_text);
    controller.set_shown(Capture{attention_sites(), false});
    controller.session().set_model(load_model("story-gpt"));
    controller.session().set_source("the keys to the");
    const auto settled = [&] { return controller.result() && !controller.worker().busy(); };
    QTRY_VERIFY(settled());
    const auto part = controller.result();
    QVERIFY(part->only_shown);
    controller.set_shown(Capture{{attention_sites().front()}, false});  // a panel was closed
    QVERIFY(!controller.worker().busy() && controller.result() == part);
    controller.set_shown({});
    QTRY_VERIFY(settled() && controller.result() != part);
    QVERIFY(!controller.result()->only_shown);
    QVERIFY(controller.result()->trace->find("decoder.embed.out") >= 0);
    QVERIFY(!controller.result()->trace->explain(controller.result()->trace->size() - 1, 0).terms.empty());
    QCOMPARE(controller.result()->output, part->output);
  }

  // Letter by letter: what a longer prompt takes over from the run before is what it would have computed.
  void a_prompt_goes_on_with_what_is_shown() {
    RunController controller(run_a_long_text);
    Capture capture{{"input.src.ids"}, false};
    for (const ViewRow& row : view_table())
      if (QLatin1String(row.name) == QLatin1String("heads")) capture.sites = row.sites();
    controller.set_shown(capture);
    controller.session().set_model(load_model("story-gpt"));
    const auto settled = [&] { return controller.result() && !controller.worker().busy(); };
    Index most = 0;
    for (const char* text : {"the keys to the", "the keys to the old", "the keys to the old cabinet"}) {
      controller.session().set_source(text);
      QTRY_VERIFY(settled() && controller.result()->source == text);
      const Result& typed = *controller.result();
      most = std::max(most, typed.reused);
      Request again = controller.session().request();
      again.capture = capture;
      const Result fresh = run(again);
      QCOMPARE(typed.trace->size(), fresh.trace->size());
      for (int i = 0; i < fresh.trace->size(); ++i) {
        const TraceEntry &a = (*typed.trace)[i], &b = (*fresh.trace)[i];
        QCOMPARE(a.site.text, b.site.text);
        QCOMPARE(a.value.shape(), b.value.shape());
        for (Index k = 0; k < a.value.size(); ++k)
          QVERIFY2(a.value[k] == b.value[k] || std::abs(a.value[k] - b.value[k]) <= 1e-5f, a.site.text.c_str());
      }
    }
    QVERIFY(most > 0);
  }

  // What the panels in front show is what is kept; *This number* wants everything.
  void the_window_says_what_it_shows() {
    MainWindow window(MainWindow::Remember::no, run_a_long_text);
    Document document;
    document.model = load_model("story-gpt");
    document.source = "the keys to the";
    window.start(document);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const auto settled = [&] {
      QCoreApplication::processEvents();
      return window.result() && !window.worker().busy();
    };
    QTRY_VERIFY(settled());
    auto* panels = window.findChild<WindowPanels*>();
    QVERIFY(panels);
    for (const ViewRow& row : number_panels()) panels->put_away(row.name);
    for (const ViewRow& row : view_table())
      if (row.place != ViewRow::Place::picture) panels->put_away(row.name);
    QVERIFY(panels->raise("heads"));
    QVERIFY(panels->read());
    QCOMPARE(panels->read()->explain, false);
    window.session().set_source("the keys to the cabinet");
    QTRY_VERIFY(settled() && window.result()->source == "the keys to the cabinet");
    QVERIFY(window.result()->only_shown);
    QVERIFY(panels->raise("query-key"));
    QVERIFY(!panels->read());
    QTRY_VERIFY(settled() && !window.result()->only_shown);
    QVERIFY(panels->raise("heads"));
    QVERIFY(panels->raise("inspector"));
    QVERIFY(!panels->read());
  }
};

HEADLIGHT_WIDGET_TEST(TestShownSites)

}  // namespace headlight::test_shown_sites

#include "test_shown_sites.moc"
