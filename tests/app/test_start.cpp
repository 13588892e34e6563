// The page of the start: a picture that runs, what can be opened and what one can go on with; whatever is chosen leads
// out of it, and it is never kept.

#include <QAction>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QVBoxLayout>

#include "app/cli/window_start.h"
#include "app/language.h"
#include "app/stage/name_row.h"
#include "app/stage/stage.h"
#include "app/text/output_column.h"
#include "app/text/source_bar.h"
#include "app/window/main_window.h"
#include "app/window/start_page.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/alignment/alignment_view.h"

namespace headlight::test_start {

class TestStart : public QObject {
  Q_OBJECT

  QTemporaryDir models_;
  std::unique_ptr<MainWindow> window_;

  void open(MainWindow::Remember remember = MainWindow::Remember::no) {
    window_ = std::make_unique<MainWindow>(remember);
    Document document;
    document.model = small_model();
    document.source = "May 5, 2001";
    window_->resize(1280, 800);
    window_->start(document);
    window_->start_page().open();
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
  }
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
  }
  StartPage& page() { return window_->start_page(); }
  QList<StartItem*> items() {
    QList<StartItem*> found;
    for (StartItem* item : page().findChildren<StartItem*>())
      if (item->isVisible()) found << item;
    return found;
  }
  StartItem* item(const QString& title) {
    for (StartItem* each : items())
      if (each->text() == title) return each;
    return nullptr;
  }
  std::string shown() { return window_->result() ? window_->result()->source : "nothing"; }

 private slots:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("HeadlightTest");
    QCoreApplication::setApplicationName("HeadlightTest");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, models_.path());
    qputenv("HEADLIGHT_MODELS", models_.path().toUtf8());
    // Under the name of one that the page offers, and under another one.
    for (const char* name : {"story-gpt", "other"})
      save_model(models_.filePath(name).toStdString(), *small_model("seq2seq"), "", StorageType::f32);
    load_resources();
    Theme::instance().set(Theme::Mode::light, 1);  // and with it what keys do
  }
  void init() { QSettings().clear(); }
  void cleanup() {
    window_.reset();
    set_language("en");
  }

  void it_has_a_picture_that_runs() {
    open();
    QVERIFY(page().is_open() && page().isVisible());
    QCOMPARE(page().question(), QString("Type a date. Watch what the model looks at."));
    QVERIFY(window_->views().alignment()->isVisible() && window_->views().alignment()->map_shown());
    QVERIFY(!window_->panels().stage()->names()->isVisible());
    QVERIFY(!window_->views().column()->isVisible());
    // The picture keeps its share of the page.
    QVERIFY(window_->views().alignment()->height() >= 0.3 * window_->height());
    QTest::keyClicks(window_->focusWidget(), "6/7/88");  // the text is selected: the letters replace it
    settle();
    QCOMPARE(shown(), std::string("6/7/88"));
    QVERIFY(page().is_open());
  }

  void whatever_is_chosen_leads_out_data() {
    QTest::addColumn<QString>("way");
    for (const char* way : {"button", "escape", "switch", "shortcut", "picture", "square"})
      QTest::addRow("%s", way) << way;
  }
  void whatever_is_chosen_leads_out() {
    QFETCH(QString, way);
    open();
    if (way == "button") QTest::mouseClick(page().look_closer(), Qt::LeftButton);
    if (way == "escape") QTest::keyClick(window_->focusWidget(), Qt::Key_Escape);
    if (way == "shortcut") QTest::keyClick(window_.get(), Qt::Key_1, Qt::ControlModifier);
    if (way == "picture") QTest::keyClick(window_.get(), Qt::Key_9, Qt::AltModifier);
    auto* arrangements = window_->bar().findChild<QTabBar*>("arrangements");
    if (way == "switch") QTest::mouseClick(arrangements, Qt::LeftButton, {}, arrangements->tabRect(0).center());
    if (way == "square") {
      Heatmap* cells = window_->views().alignment()->heatmap();
      const QPoint cell = cells->heatmap_layout().cell_rect(1, 2).center().toPoint();
      QTest::mouseClick(cells->viewport(), Qt::LeftButton, {}, cell);
    }
    settle();
    QVERIFY(!page().is_open() && !page().isVisible() && !page().look_closer()->isVisible());
    QCOMPARE(window_->panels().arrangement(), QString("look"));
    QCOMPARE(arrangements->currentIndex(), 0);
    const QTabBar* names = window_->panels().stage()->names()->tabs();
    QVERIFY(names->isVisible() && names->count() >= 3 && names->width() >= names->sizeHint().width());
    QCOMPARE(window_->panels().is_seen("inspector"), way == "square");
    QCOMPARE(shown(), std::string("May 5, 2001"));
    // The menu brings it back, with the keyboard in the text.
    window_->actions()["start"]->trigger();
    settle();
    QVERIFY(page().is_open());
  }

  void a_model_of_ours_is_opened_with_the_keyboard() {
    open();
    StartItem* offered = item("Small seq2seq");
    QVERIFY(offered);
    QSet<QWidget*> reached;
    for (int i = 0; i < 60; ++i) {
      QTest::keyClick(window_->focusWidget(), Qt::Key_Tab);
      reached << window_->focusWidget();
    }
    for (StartItem* each : items()) QVERIFY2(reached.contains(each), qPrintable(each->text()));
    QVERIFY(reached.contains(page().look_closer()));
    offered->setFocus();
    QTest::keyClick(offered, Qt::Key_Return);
    QTRY_COMPARE(QFileInfo(QString::fromStdString(window_->session().document().model->folder.string())).fileName(),
                 QString("story-gpt"));
    settle();
    QVERIFY(!page().is_open());
  }

  void one_goes_on_with_what_was_open_lately() {
    open(MainWindow::Remember::yes);
    QVERIFY(!item("Mine"));
    RecentFiles().add({RecentFiles::Entry::Kind::model, models_.filePath("other"), "Mine"});
    page().leave();
    window_->actions()["start"]->trigger();
    settle();
    QVERIFY(item("Mine"));
    QTest::mouseClick(item("Mine"), Qt::LeftButton);
    QTRY_VERIFY(!page().is_open());
    QTRY_COMPARE(QFileInfo(QString::fromStdString(window_->session().document().model->folder.string())).fileName(),
                 QString("other"));
    // What is open already is nothing to go on with.
    window_->actions()["start"]->trigger();
    settle();
    QVERIFY(!item("Mine"));
  }

  void lessons_are_a_column_when_there_are_any() {
    open();
    auto* column = new QWidget;
    auto* rows = new QVBoxLayout(column);
    auto* lesson = new StartItem("One vector for a whole sentence", "first lesson, 12 minutes", column);
    rows->addWidget(lesson);
    page().set_lessons("Take a lesson", column);
    settle();
    QVERIFY(lesson->isVisible());
    QCOMPARE(items().front()->text(), lesson->text());
    QVERIFY(lesson->mapTo(&page(), QPoint()).x() < item("All models")->mapTo(&page(), QPoint()).x());
    page().set_lessons({}, nullptr);
    settle();
    QVERIFY(!item("One vector for a whole sentence"));
  }

  // A window that ends on the page begins as any other one.
  void it_is_never_kept() {
    open();
    const QByteArray layout = window_->panels().save_state();
    page().leave();
    window_->panels().restore_state(layout);
    settle();
    QVERIFY(!page().is_open());
    QCOMPARE(window_->panels().arrangement(), QString("look"));
  }

  void only_the_very_first_start_begins_with_it() {
    const UserSettings fresh;
    QVERIFY(begins_with_start({}, fresh));
    WindowCommand asked;
    asked.model = "date-attention";
    QVERIFY(!begins_with_start(asked, fresh));
    asked = {};
    asked.source = "5/3/99";
    QVERIFY(!begins_with_start(asked, fresh));
    open(MainWindow::Remember::yes);
    window_->close();
    QVERIFY(!begins_with_start({}, UserSettings()));
  }

  void it_speaks_chinese_and_fits() {
    for (const char* language : {"en", "zh_CN"})
      for (const double type : {1.0, 2.0})
        for (const QSize& size : {QSize(1024, 700), QSize(1920, 1080)}) {
          set_language(language);
          Theme::instance().set(Theme::Mode::light, type);
          open();
          window_->resize(size);
          settle();
          QCOMPARE(window_->size(), size);
          QVERIFY(page().look_closer()->text() == (QString(language) == "en" ? "Look closer" : "仔细看看"));
          QVERIFY(page().look_closer()->width() >= page().look_closer()->sizeHint().width());
          for (StartItem* each : items())
            QVERIFY2(each->height() >= each->heightForWidth(each->width()), qPrintable(each->text()));
          QVERIFY(window_->views().alignment()->height() >= 0.2 * size.height());
        }
    Theme::instance().set(Theme::Mode::light, 1);
  }
};

HEADLIGHT_WIDGET_TEST(TestStart)

}  // namespace headlight::test_start

#include "test_start.moc"
