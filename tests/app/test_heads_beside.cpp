// The heads in the window: where there is room for both, one head stands large beside all of them.

#include <QTest>
#include <algorithm>
#include <cmath>

#include "app/panels/status_panel.h"
#include "app/window/main_window.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/heads/heads_view.h"

namespace headlight::test_heads_beside {

class TestHeadsBeside : public QObject {
  Q_OBJECT
  std::unique_ptr<MainWindow> window_;
  HeadsView* heads_ = nullptr;

  void open(QSize size) {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    Document document;
    document.model = load_model("story-gpt");
    document.source = "anna sees tom in the garden. he carries a red box. he gives";
    window_->resize(size);
    window_->start(document);
    window_->show();
    settle();
    heads_ = window_->findChild<HeadsView*>();
    window_->panels().raise("heads");
    settle();
  }
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 60000);
    for (int i = 0; i < 6; ++i) QCoreApplication::processEvents();
  }

 private slots:
  void cleanup() { window_.reset(); }

  // The head of the last layer whose weights have the least entropy, calculated here from the trace.
  void the_surest_head_is_large_at_first() {
    open({1280, 800});
    QVERIFY(heads_->heatmap()->isVisible() && heads_->grid()->isVisible());
    const auto& maps = heads_->model().maps();
    QCOMPARE(heads_->opened().map, static_cast<int>(maps.size()) - 1);
    std::vector<double> entropy;
    for (Index head = 0; head < maps.back().heads; ++head) {
      double sum = 0;
      int rows = 0;
      for (Index row = 1; row < maps.back().row_count(); ++row, ++rows) {
        double of_row = 0;
        for (Index column = 0; column <= row; ++column) {
          const double weight =
              static_cast<double>(maps.back().matrix(head)[row * maps.back().column_count() + column]);
          if (weight > 0) of_row -= weight * std::log2(weight);
        }
        sum += of_row / std::log2(static_cast<double>(row + 1));
      }
      entropy.push_back(sum / rows);
    }
    const auto least = std::ranges::min_element(entropy) - entropy.begin();
    QCOMPARE(heads_->opened().head, static_cast<Index>(least));
    // The text has its axis there, so it stands nowhere else.
    QVERIFY(heads_->heatmap()->height() > 400);
    QVERIFY(heads_->property("shows_text").toBool());
  }

  void a_small_picture_becomes_the_large_one() {
    open({1280, 800});
    const HeadsGrid& grid = *heads_->grid();
    const auto click = [&](int row, int column) {
      QTest::mouseClick(grid.viewport(), Qt::LeftButton, {}, grid.heads_layout().thumb(row, column).center().toPoint());
      settle();
    };
    click(0, 1);
    QCOMPARE(heads_->opened(), (HeadChoice{0, 1}));
    QVERIFY(grid.isVisible() && heads_->heatmap()->isVisible());
    click(1, 2);
    QCOMPARE(heads_->opened(), (HeadChoice{1, 2}));
    // Escape shows all of them, and so it stays, also for another text and the next start.
    heads_->heatmap()->setFocus();
    QTest::keyClick(heads_->heatmap(), Qt::Key_Escape);
    settle();
    QVERIFY(!heads_->heatmap()->isVisible() && grid.isVisible());
    window_->session().set_source("the keys to the old cabinet");
    settle();
    QVERIFY(!heads_->heatmap()->isVisible());
    QVERIFY(heads_->choices().value("all").toBool());
  }

  // The keys walk over the numbers that there are: a token looks at itself and at those before it.
  void keys_stay_where_a_row_can_look() {
    open({1280, 800});
    Heatmap& map = *heads_->heatmap();
    map.setFocus();
    map.set_selected_cell(7, 2);
    QTest::keyClick(&map, Qt::Key_End);
    settle();
    QCOMPARE(map.selected_cell(), (HeatmapCell{7, 7}));
    QTest::keyClick(&map, Qt::Key_Up);
    settle();
    QCOMPARE(map.selected_cell(), (HeatmapCell{6, 6}));
    QTest::keyClick(&map, Qt::Key_Right);
    settle();
    QCOMPARE(map.selected_cell(), (HeatmapCell{6, 6}));
    QTest::keyClick(&map, Qt::Key_Home);
    settle();
    QCOMPARE(map.selected_cell(), (HeatmapCell{6, 0}));
  }

  void a_small_window_shows_one_of_them() {
    open({700, 500});
    QVERIFY(!heads_->heatmap()->isVisible() && heads_->grid()->isVisible());
    heads_->open({1, 0});
    QVERIFY(heads_->heatmap()->isVisible() && !heads_->grid()->isVisible());
    const auto told = [&] { return window_->status().caption().contains("a small picture for another head"); };
    QVERIFY2(!told(), qPrintable(window_->status().caption()));
    window_->resize(1280, 800);
    settle();
    QVERIFY(heads_->heatmap()->isVisible() && heads_->grid()->isVisible());
    QVERIFY2(told(), qPrintable(window_->status().caption()));
    window_->resize(700, 500);
    settle();
    QVERIFY(!heads_->grid()->isVisible());
    QVERIFY2(!told(), qPrintable(window_->status().caption()));
  }
};

HEADLIGHT_WIDGET_TEST(TestHeadsBeside)

}  // namespace headlight::test_heads_beside

#include "test_heads_beside.moc"
