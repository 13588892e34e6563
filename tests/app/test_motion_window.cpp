// In the window: modes, panels and pictures go over to each other after a click; a letter that is typed is there at
// once.
#include <QTest>

#include "app/stage/stage.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "app/window/main_window.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/ribbons/ribbons_canvas.h"

namespace headlight::test_motion_window {

class TestMotionWindow : public QObject {
  Q_OBJECT

  std::unique_ptr<MainWindow> window_;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    QTest::qWait(700);  // also apart from the act before
    QVERIFY(moving().isEmpty());
  }
  // A person presses the mouse where nothing happens.
  void act() { QTest::mouseClick(window_.get(), Qt::LeftButton, {}, {1, 1}); }
  QWidgetList moving() const {
    QWidgetList found;
    for (auto* each : window_->findChildren<QWidget*>())
      if (Motion::is_moving(*each)) found << each;
    return found;
  }
  template <class Widget>
  Widget* seen() const {
    for (auto* each : window_->findChildren<Widget*>())
      if (each->isVisible()) return each;
    return nullptr;
  }

 private slots:
  void initTestCase() {
    Motion::watch();
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    window_->resize(1280, 800);
    Document document;
    document.model = load_model("date-attention");
    document.source = "November 22, 2026";
    window_->start(document);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
  }

  void another_mode_fades_as_a_whole() {
    act();
    window_->panels().arrange(QStringLiteral("explain"));
    QCOMPARE(moving(), QWidgetList{window_->findChild<Stage*>()});
    QTRY_VERIFY_WITH_TIMEOUT(moving().isEmpty(), 2000);
    window_->panels().arrange(QStringLiteral("look"));  // by nobody
    QVERIFY(moving().isEmpty());
    settle();
  }

  void a_panel_slides_and_a_picture_fades() {
    for (const char* name : {"inspector", "ribbons", "alignment"}) {
      act();
      QVERIFY(window_->panels().raise(QString::fromUtf8(name)));
      QVERIFY2(moving().size() >= 1, name);
      QTRY_VERIFY_WITH_TIMEOUT(moving().isEmpty(), 2000);
      settle();
    }
  }

  void another_text_that_was_chosen_glides_and_a_letter_does_not() {
    auto* heatmap = seen<Heatmap>();
    QVERIFY(heatmap);
    const auto moves = [&](const auto& what) {
      bool moved = false;
      what();
      for (int i = 0; i < 300; ++i) {
        moved = moved || Motion::is_moving(*heatmap->viewport());
        QCoreApplication::processEvents();
        QTest::qWait(1);
      }
      return moved;
    };
    QVERIFY(moves([&] {
      act();
      window_->session().set_source("Sunday, November 22, 2026");
    }));
    settle();
    SourceField* field = window_->views().source_bar()->source_field();
    field->setFocus();
    const int columns = heatmap->columns();
    QVERIFY(!moves([&] { QTest::keyClick(field, Qt::Key_1); }));
    QTRY_VERIFY(heatmap->columns() != columns);
    settle();
  }

  void ribbons_glide_from_output_to_output() {
    QVERIFY(window_->panels().raise(QStringLiteral("ribbons")));
    settle();
    auto* ribbons = seen<RibbonsCanvas>();
    QVERIFY(ribbons);
    act();
    ribbons->set_token({RibbonsToken::Side::query, 6});
    QVERIFY(Motion::is_moving(*ribbons->viewport()));
    QTRY_VERIFY_WITH_TIMEOUT(moving().isEmpty(), 2000);
  }
};

HEADLIGHT_WIDGET_TEST(TestMotionWindow)

}  // namespace headlight::test_motion_window

#include "test_motion_window.moc"
