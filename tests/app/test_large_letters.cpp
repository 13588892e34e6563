// At 200 %, in a window of 1280 x 720: the table beside a picture has numbers, and what explains has lines.

#include <QAction>
#include <QHeaderView>
#include <QTableView>
#include <QTest>

#include "app/document/model_list.h"
#include "app/language.h"
#include "app/window/main_window.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/tables/table_pane.h"
#include "widgets/views/explain/explain_view.h"

namespace headlight::test_large_letters {

class TestLargeLetters : public QObject {
  Q_OBJECT
  std::unique_ptr<MainWindow> window_;

  void open(const char* model) {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    window_->resize(1280, 720);
    window_->start(first_document(model));
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
  }
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy() && !window_->side_runs().busy(), 60000);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }

 private slots:
  void initTestCase() { load_resources(); }
  void init() { Theme::instance().set(Theme::Mode::light, 2); }
  void cleanup() {
    window_.reset();
    Theme::instance().set(Theme::Mode::light, 1);
  }

  void tables_have_numbers_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("way");
    for (const char* model : {"date-attention", "story-gpt", "copy-ntm"})
      for (const char* way : {"look", "change", "explain"})
        QTest::addRow("%s, %s", model, way) << QString(model) << QString(way);
  }
  void tables_have_numbers() {
    QFETCH(QString, model);
    QFETCH(QString, way);
    open(qPrintable(model));
    window_->actions()[qPrintable(way)]->trigger();
    WindowPanels& panels = window_->panels();
    int tables = 0;
    for (const char* name :
         {"alignment", "heads", "ribbons", "query-key", "states", "memory", "map", "outputs", "kv-cache", "cost"}) {
      if (!panels.is_offered(name) || !panels.raise(name)) continue;
      settle();
      panels.set_table_shown(name, true);
      settle();
      TablePane* pane = panels.table_pane(name);
      const auto* cells = pane ? pane->findChild<QTableView*>() : nullptr;
      if (!cells || cells->model()->rowCount() == 0) continue;
      ++tables;
      // The first column may be a name as well.
      const int last = std::min(pane->has_names() ? 1 : 2, cells->model()->columnCount() - 1);
      const QRect seen = cells->visualRect(cells->model()->index(0, last));
      QVERIFY2(cells->viewport()->rect().intersected(seen).width() >= seen.width() * 2 / 3,
               qPrintable(QStringLiteral("%1: %2 to %3 of %4, beside %5")
                              .arg(name)
                              .arg(seen.left())
                              .arg(seen.right())
                              .arg(cells->viewport()->width())
                              .arg(pane->parentWidget()->width())));
      QVERIFY2(4 * cells->viewport()->height() >= 7 * cells->rowHeight(0), name);
      panels.set_table_shown(name, false);
    }
    QVERIFY(tables > 0);
  }

  void what_explains_has_lines() {
    for (const char* model : {"date-attention", "story-gpt"}) {
      open(model);
      window_->actions()["explain"]->trigger();
      settle();
      const QWidget* explanation = window_->views().explanation();
      const int line = QFontMetrics(Theme::instance().ui_font()).lineSpacing();
      QVERIFY2(explanation->visibleRegion().boundingRect().height() >= 5 * line / 2,
               qPrintable(QString::number(explanation->visibleRegion().boundingRect().height())));
    }
  }
};

HEADLIGHT_WIDGET_TEST(TestLargeLetters)

}  // namespace headlight::test_large_letters

#include "test_large_letters.moc"
