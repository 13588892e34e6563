// One grid: what a picture, a panel or a page writes and draws begins 24 pixels from its left edge, and ends as far
// from its right one. Read from what is painted, not from the sizes that were asked for.
#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "app/actions.h"
#include "app/document/model_list.h"
#include "app/language.h"
#include "app/stage/view_table.h"
#include "app/text/output_column.h"
#include "app/window/main_window.h"
#include "app/window/start_page.h"
#include "tests/test_program.h"
#include "tests/widgets/recorded_text.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/matrix/heatmap.h"

namespace headlight::test_grid {

namespace {

struct Edge {
  double at = 0;
  QString what;
};
struct Edges {
  Edge begin{1e9, {}}, end{-1e9, {}};
  void see(double left, double right, const QString& what) {
    if (left < begin.at) begin = {left, what};
    if (right > end.at) end = {right, what};
  }
};

bool scrolls_across(QWidget* panel) {
  const auto areas = panel->findChildren<QAbstractScrollArea*>() << qobject_cast<QAbstractScrollArea*>(panel);
  return std::ranges::any_of(
      areas, [](auto* each) { return each && each->isVisible() && each->horizontalScrollBar()->maximum() > 0; });
}

// Of the texts, and of the boxes that they stand in. The ground of a chosen row hangs out, by 12 at most.
Edges edges_of(QWidget* panel) {
  TextRecorder recorder(panel->size());
  QPainter painter(&recorder);
  panel->render(&painter);
  painter.end();
  Edges edges;
  for (const RecordedText& text : recorder.texts())
    if (!text.text.trimmed().isEmpty() && text.place.left() < panel->width())
      edges.see(text.place.left(), text.place.right(), text.text);
  QList<QRectF> bars;
  for (const QScrollBar* bar : panel->findChildren<QScrollBar*>())
    if (bar->isVisible()) bars << QRectF(bar->mapTo(panel, QPoint()), bar->size()).adjusted(-1, -1, 1, 1);
  for (const QRectF& shape : recorder.shapes()) {
    const bool ground = shape.width() >= 0.5 * panel->width() || shape.right() > panel->width() - 0.5;
    if (ground || std::ranges::any_of(bars, [&](const QRectF& bar) { return bar.contains(shape.center()); })) continue;
    if (shape.left() > space::kMargin - 2) edges.see(shape.left(), -1e9, QStringLiteral("a tile"));
    edges.see(1e9, shape.right() - space::kMedium, QStringLiteral("a ground"));
  }
  // What is drawn as an image is asked of its layout.
  for (const Heatmap* heatmap : panel->findChildren<Heatmap*>()) {
    if (!heatmap->isVisible() || heatmap->heatmap_layout().row_labels.empty()) continue;
    const double left = heatmap->mapTo(panel, QPoint()).x();
    const HeatmapLayout& layout = heatmap->heatmap_layout();
    for (const HeatmapLayout::Label& label : layout.row_labels)
      edges.see(left + label.rect.left(), left + layout.cells.right(), label.text);
  }
  return edges;
}

// How far the capitals of the first line of a picture stand below the line under its name.
double below_the_names(QWidget* panel) {
  double first = 1e9;
  for (const RecordedText& text : texts_of(panel))
    if (!text.text.trimmed().isEmpty())  // its baseline is at four fifths of its height
      first = std::min(first, text.place.top() + 0.8 * text.place.height() - text.capital);
  const auto* names = panel->window()->findChild<QTabBar*>("pictures");
  return panel->mapTo(panel->window(), QPoint()).y() + first - names->mapTo(panel->window(), QPoint()).y() -
         names->height();
}

double right_of(const QWidget* widget) { return widget->mapTo(widget->window(), QPoint(widget->width(), 0)).x(); }

}  // namespace

class TestGrid : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { load_resources(); }
  void cleanup() { Theme::instance().set(Theme::Mode::light, 1); }

  // Every picture, of models that read and write in every way.
  void a_picture_stands_between_the_margins_data() {
    QTest::addColumn<QString>("model");
    for (const char* model : {"date-attention", "story-gpt", "masked-bert", "toy-mt-local", "copy-ntm",
                              "reverse-transformer", "grammar-convs2s", "tatoeba-bahdanau"})
      QTest::newRow(model) << QString(model);
  }
  void a_picture_stands_between_the_margins() {
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
      const Edges edges = edges_of(panel);
      const double left = panel->mapTo(&window, QPoint()).x(), begin = left + edges.begin.at;
      // The map has a camera of its own, and its names end at their lanes.
      const bool map = QString(view.name) == QLatin1String("map");
      if (begin < space::kMargin - 1.5 || (begin > space::kMargin + 1.5 && !map))
        wrong << QStringLiteral("%1: '%2' begins at %3").arg(view.name, edges.begin.what).arg(begin);
      const double most = window.width() - space::kMargin;
      if (!map && !scrolls_across(panel) && left + edges.end.at > most + 1.5)
        wrong << QStringLiteral("%1: '%2' ends at %3").arg(view.name, edges.end.what).arg(left + edges.end.at);
      // 16 below its name stands its heading, where it has one.
      if (QStringList{"map", "ribbons", "positions"}.contains(view.name))
        if (const double below = below_the_names(panel); std::abs(below - space::kLarge) > 4)
          wrong << QStringLiteral("%1: its heading stands %2 below the names").arg(view.name).arg(below);
      // What the model wrote, or else the squares, end there.
      if (QString(view.name) == QLatin1String("alignment")) {
        QWidget* column = window.views().column();
        QWidget* last = column->isVisible() ? column : panel;
        const double end = last->mapTo(&window, QPoint()).x() + edges_of(last).end.at;
        if (std::abs(end - most) > 1.5) wrong << QStringLiteral("the output ends at %1").arg(end);
      }
    }
    QVERIFY(seen >= 3);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("; ")));
  }

  void the_page_of_the_start_ends_at_the_margin() {
    MainWindow window(MainWindow::Remember::no);
    window.resize(1280, 800);
    QSignalSpy shown(&window, &MainWindow::resultShown);
    window.start(first_document("sample_models/date-attention"));
    window.show();
    QVERIFY(shown.wait(20000));
    window.start_page().open();
    for (int i = 0; i < 6; ++i) QCoreApplication::processEvents();
    const double margin = window.width() - space::kMargin;
    QCOMPARE(right_of(window.start_page().look_closer()), margin);
    double last = 0;
    for (const QAbstractButton* each : window.start_page().findChildren<QAbstractButton*>())
      if (each->isVisible()) last = std::max(last, right_of(each));
    QCOMPARE(last, margin);
    for (const QWidget* each : window.start_page().findChildren<QWidget*>())
      if (each->isVisible() && each->height() == 1) QCOMPARE(right_of(each), margin);
  }
};

HEADLIGHT_WIDGET_TEST(TestGrid)

}  // namespace headlight::test_grid

#include "test_grid.moc"
