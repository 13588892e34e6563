// One grid: what a picture, a panel or a page writes and draws begins 24 pixels from its left edge, and ends as far
// from its right one. Read from what is painted, not from the sizes that were asked for.
#include <QSignalSpy>
#include <QTest>

#include "app/actions.h"
#include "app/document/model_list.h"
#include "app/language.h"
#include "app/stage/view_table.h"
#include "app/window/main_window.h"
#include "tests/test_program.h"
#include "tests/widgets/recorded_text.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/matrix/heatmap.h"

namespace headlight::test_grid {

namespace {

struct Begin {
  double at = 1e9;
  QString what;
};

// The leftmost text, or the box that it stands in. The ground of a chosen row hangs out.
Begin begin_of(QWidget* panel) {
  TextRecorder recorder(panel->size());
  QPainter painter(&recorder);
  panel->render(&painter);
  painter.end();
  Begin begin;
  for (const RecordedText& text : recorder.texts())
    if (!text.text.trimmed().isEmpty() && text.place.left() < begin.at) begin = {text.place.left(), text.text};
  for (const QRectF& shape : recorder.shapes())
    if (shape.left() > 0.5 && shape.width() < 0.5 * panel->width() && shape.left() < begin.at &&
        shape.left() > space::kMargin - 2)
      begin = {shape.left(), QStringLiteral("a tile")};
  // What is drawn as an image is asked of its layout.
  for (const Heatmap* heatmap : panel->findChildren<Heatmap*>()) {
    if (!heatmap->isVisible() || heatmap->heatmap_layout().row_labels.empty()) continue;
    for (const HeatmapLayout::Label& label : heatmap->heatmap_layout().row_labels)
      if (const double at = heatmap->mapTo(panel, QPoint()).x() + label.rect.left(); at < begin.at)
        begin = {at, label.text};
  }
  return begin;
}

}  // namespace

class TestGrid : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { load_resources(); }
  void cleanup() { Theme::instance().set(Theme::Mode::light, 1); }

  // Every picture, of models that read and write in every way.
  void a_picture_begins_at_the_margin_data() {
    QTest::addColumn<QString>("model");
    for (const char* model : {"date-attention", "story-gpt", "masked-bert", "toy-mt-local", "copy-ntm",
                              "reverse-transformer", "grammar-convs2s", "tatoeba-bahdanau"})
      QTest::newRow(model) << QString(model);
  }
  void a_picture_begins_at_the_margin() {
    QFETCH(const QString, model);
    MainWindow window(MainWindow::Remember::no);
    window.resize(1280, 800);
    QSignalSpy shown(&window, &MainWindow::resultShown);
    window.start(first_document("sample_models/" + model.toStdString()));
    window.show();
    QVERIFY(shown.wait(20000));
    window.actions()["look"]->trigger();
    QStringList wrong;
    int seen = 0;
    for (const ViewRow& view : view_table()) {
      if (view.place != ViewRow::Place::picture || !window.panels().is_offered(view.name)) continue;
      QVERIFY(window.panels().raise(view.name));
      for (int i = 0; i < 6; ++i) QCoreApplication::processEvents();
      QWidget* panel = window.panels().picture(view.name).view;
      QVERIFY(panel->isVisible());
      ++seen;
      QTRY_VERIFY_WITH_TIMEOUT(!window.worker().busy() && !window.side_runs().busy(), 60000);
      const Begin begin = begin_of(panel);
      const double at = panel->mapTo(&window, QPoint()).x() + begin.at;
      // Names that end at their lanes may begin farther in.
      if (at < space::kMargin - 1.5 || (at > space::kMargin + 1.5 && QString(view.name) != QLatin1String("map")))
        wrong << QStringLiteral("%1: '%2' begins at %3").arg(view.name, begin.what).arg(at);
    }
    QVERIFY(seen >= 3);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("; ")));
  }
};

HEADLIGHT_WIDGET_TEST(TestGrid)

}  // namespace headlight::test_grid

#include "test_grid.moc"
