// Where nothing seems to happen the window says why, and what to do.

#include <QTest>
#include <QToolTip>

#include "app/language.h"
#include "app/window/main_window.h"
#include "model/io/model_folder.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/heads/heads_view.h"

namespace headlight::test_what_is_said {

class TestWhatIsSaid : public QObject {
  Q_OBJECT
  std::unique_ptr<MainWindow> window_;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
  void open(std::shared_ptr<const ModelBundle> model, const char* source) {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    window_->resize(1280, 800);
    Document document;
    document.model = std::move(model);
    document.source = source;
    window_->start(document);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
  }

 private slots:
  void initTestCase() { load_resources(); }
  void cleanup() { window_.reset(); }

  // Alt and a digit go to a picture; where the model has no such one, that is said.
  void a_key_of_a_picture_that_is_not_there() {
    open(small_model(), "May 5, 2001");
    const QString front = window_->panels().front();
    QTest::keyClick(window_.get(), Qt::Key_8, Qt::AltModifier);
    settle();
    QCOMPARE(window_->panels().front(), front);
    QVERIFY2(window_->status().caption().contains("Memory"), qPrintable(window_->status().caption()));
    QTest::keyClick(window_.get(), Qt::Key_9, Qt::AltModifier);
    settle();
    QCOMPARE(window_->panels().front(), QString("map"));
  }

  void a_square_where_a_row_cannot_look() {
    open(load_model("story-gpt"), "anna sees tom in the garden.");
    window_->panels().raise("heads");
    settle();
    auto* heads = window_->findChild<HeadsView*>();
    const HeatmapLayout& layout = heads->heatmap()->heatmap_layout();
    const auto click = [&](int row, int column) {
      QToolTip::hideText();
      QTest::mouseClick(heads->heatmap()->viewport(), Qt::LeftButton, {},
                        layout.cell_rect(row, column).center().toPoint());
      return QToolTip::text();
    };
    QVERIFY(!click(5, 2).contains("comes later"));
    QVERIFY2(click(2, 5).contains("comes later"), qPrintable(QToolTip::text()));
  }

  void a_text_without_a_hidden_word() {
    open(load_model("masked-bert"), "the keys are on the table.");
    QVERIFY2(window_->status().notes().contains("Write [MASK]"), qPrintable(window_->status().notes()));
    window_->session().set_source("the keys [MASK] on the table.");
    settle();
    QVERIFY2(!window_->status().notes().contains("[MASK]"), qPrintable(window_->status().notes()));
  }

  // What takes longer than half a second says what it is.
  void waiting_says_what_for() {
    open(small_model(), "May 5, 2001");
    StatusPanel& status = window_->status();
    status.set_loading(true);
    QVERIFY(!status.busy_shown());
    QTRY_VERIFY(status.busy_shown());
    QVERIFY2(status.caption().contains("Opening the model"), qPrintable(status.caption()));
    status.run_started();
    QVERIFY2(status.caption().contains("Computing"), qPrintable(status.caption()));
    status.run_ended();
    QVERIFY(!status.caption().contains("Computing"));
  }
};

HEADLIGHT_WIDGET_TEST(TestWhatIsSaid)

}  // namespace headlight::test_what_is_said

#include "test_what_is_said.moc"
