// "More" opens small pictures of the run that is there; they follow it, and any of them comes to the front.

#include <QAbstractButton>
#include <QAction>
#include <QTest>
#include <QToolButton>

#include "app/language.h"
#include "app/stage/name_row.h"
#include "app/stage/pictures_popup.h"
#include "app/stage/stage.h"
#include "app/window/main_window.h"
#include "model/io/model_folder.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"

namespace headlight::test_small_pictures {

class TestSmallPictures : public QObject {
  Q_OBJECT

  std::unique_ptr<MainWindow> window_;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
  }
  NameRow& row() { return *window_->panels().stage()->names(); }
  PicturesPopup& popup() { return *row().pictures(); }
  QImage picture(const QString& title) {
    for (QAbstractButton* each : popup().findChildren<QAbstractButton*>())
      if (each->isVisible() && each->text() == title) return each->grab().toImage();
    return {};
  }

 private slots:
  void initTestCase() { load_resources(); }
  void init() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    Document document;
    document.model = load_model("date-attention");
    document.source = "May 5, 2001";
    window_->resize(1280, 800);
    window_->start(document);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
    QTest::mouseClick(row().more(), Qt::LeftButton);
    QVERIFY(popup().isVisible());
  }
  void cleanup() { window_.reset(); }

  void every_picture_is_there_and_drawn() {
    QStringList offered;
    for (const ViewRow& each : view_table())
      if (each.place == ViewRow::Place::picture && window_->panels().is_offered(each.name)) offered << each.name;
    QStringList shown = popup().shown();
    shown.sort();
    offered.sort();
    QCOMPARE(shown, offered);
    for (const char* name : {"alignment", "ribbons", "map", "states", "query-key", "outputs"})
      QTRY_VERIFY2(popup().has_picture(name), name);
    // Nothing in the window moved for it.
    QCOMPARE(window_->panels().front(), QString("alignment"));
    QCOMPARE(window_->selection().state(), SelectionState());
  }

  void they_follow_the_run() {
    QTRY_VERIFY(popup().has_picture("outputs"));
    const QImage before = picture("Alignment");
    QVERIFY(!before.isNull());
    window_->session().set_source("september 3rd, 1994");
    settle();
    QTRY_VERIFY(picture("Alignment") != before);
  }

  // What it is compared with is computed meanwhile.
  void the_comparison_arrives() {
    QTRY_VERIFY(popup().has_picture("outputs"));  // the last one
    // Two alignments have far more colours than a sentence.
    const auto colours = [this] {
      QSet<QRgb> found;
      const QImage now = picture("Compare");
      for (int y = 0; y < now.height() / 2; ++y)
        for (int x = 0; x < now.width(); ++x)
          if (const QColor colour = now.pixelColor(x, y); colour.saturation() > 60) found.insert(colour.rgb());
      return found.size();
    };
    QTRY_VERIFY2(colours() > 10, qPrintable(QString::number(colours())));
  }

  void the_keyboard_chooses_one() {
    QTest::keyClick(popup().focusWidget(), Qt::Key_Right);
    QTest::keyClick(popup().focusWidget(), Qt::Key_Return);
    settle();
    QVERIFY(!popup().isVisible());
    QCOMPARE(window_->panels().front(), popup().shown()[1]);
  }

  // Alt+digit is that of the table of views, whatever is in front; it also chooses in the open list.
  void the_key_of_a_picture_chooses_it() {
    QTest::keyClick(popup().focusWidget(), Qt::Key_9, Qt::AltModifier);
    settle();
    QVERIFY(!popup().isVisible());
    QCOMPARE(window_->panels().front(), QString(view_table()[8].name));
    QTest::mouseClick(row().more(), Qt::LeftButton);
    QTest::keyClick(popup().focusWidget(), Qt::Key_Escape);
    QVERIFY(!popup().isVisible());
    QCOMPARE(window_->panels().front(), QString(view_table()[8].name));
  }

  void a_click_chooses_one() {
    for (QAbstractButton* each : popup().findChildren<QAbstractButton*>())
      if (each->text() == "States") QTest::mouseClick(each, Qt::LeftButton);
    settle();
    QCOMPARE(window_->panels().front(), QString("states"));
  }
};

HEADLIGHT_WIDGET_TEST(TestSmallPictures)

}  // namespace headlight::test_small_pictures

#include "test_small_pictures.moc"
