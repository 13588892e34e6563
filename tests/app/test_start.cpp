// The page of the start: a picture that runs, what its model has learned, and the three ways to go on; whatever is
// chosen leads out of it, and it is never kept.

#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QVBoxLayout>
#include <algorithm>

#include "app/cli/window_start.h"
#include "app/language.h"
#include "app/stage/name_row.h"
#include "app/stage/stage.h"
#include "app/text/model_picker.h"
#include "app/text/output_column.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "app/window/learned_panel.h"
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
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy() && !window_->side_runs().busy(), 30000);
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
  LearnedPanel& learned() { return *page().learned(); }
  QList<TryRow*> tries() {
    QList<TryRow*> found;
    for (TryRow* row : learned().findChildren<TryRow*>())
      if (row->isVisible()) found << row;
    std::ranges::sort(found, [](const TryRow* a, const TryRow* b) { return a->y() < b->y(); });
    return found;
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

  void everything_is_reached_with_the_keyboard() {
    open();
    QSet<QWidget*> reached;
    for (int i = 0; i < 80; ++i) {
      QTest::keyClick(window_->focusWidget(), Qt::Key_Tab);
      reached << window_->focusWidget();
    }
    for (StartItem* each : items()) QVERIFY2(reached.contains(each), qPrintable(each->text()));
    for (TryRow* each : tries()) QVERIFY2(reached.contains(each), qPrintable(each->text()));
    QVERIFY(reached.contains(page().look_closer()));
    QVERIFY(reached.contains(page().at_every_start()));
    StartItem* all = item("All models");
    QCOMPARE(all->line(), QString("2 models"));
    all->setFocus();
    QTest::keyClick(all, Qt::Key_Return);
    QTRY_VERIFY(window_->views().source_bar()->picker()->isVisible());
    window_->views().source_bar()->picker()->hide();
  }

  // Each of the three ways says in one line what it is, and offers something.
  void three_ways() {
    open();
    int y = -1;
    for (const char* name : {"Explore", "Learn", "Inspect"}) {
      const QLabel* title = nullptr;
      for (const QLabel* label : page().findChildren<QLabel*>())
        if (label->text() == name && label->isVisible()) title = label;
      QVERIFY2(title, name);
      const int top = title->mapTo(&page(), QPoint()).y();
      QVERIFY(y < 0 || y == top);  // beside each other
      y = top;
      const QWidget* box = title->parentWidget()->parentWidget();
      QVERIFY(!box->findChildren<StartItem*>().isEmpty());
      int lines = 0;
      for (const QLabel* label : box->findChildren<QLabel*>())
        lines += label != title && label->text().endsWith('.') ? 1 : 0;
      QCOMPARE(lines, 1);
    }
    QTest::mouseClick(item("One date through every model, by year"), Qt::LeftButton);
    QTRY_VERIFY(!page().is_open());
    QCOMPARE(window_->panels().arrangement(), QString("compare"));
  }

  // Years and forms of the task of this model; what it writes of each is what it writes.
  void what_the_model_has_learned() {
    open();
    QCOMPARE(learned().sentence(), QString("Dates from 1970 to 2017, in 4 forms. Try one:"));
    const QList<TryRow*> rows = tries();
    QVERIFY(rows.size() >= 2);
    for (const TryRow* row : rows) {
      Request request;
      request.model = window_->session().document().model;
      request.source = row->text().toStdString();
      QCOMPARE(row->output(), QString::fromStdString(run(request).output).trimmed());
      QCOMPARE(row->pair().right, std::string("2001-05-05"));
      QCOMPARE(row->is_right(), row->output() == "2001-05-05");
      QVERIFY(row->accessibleDescription().contains(row->output()));
    }
    // The last one is none of its forms, and that is said.
    QCOMPARE(rows.back()->text(), QString("20010505"));
    QVERIFY(learned().strange().startsWith("The model never saw a date in this form"));
    QVERIFY(learned().strange().contains("I don’t know"));
    // What is tried stands in the text and can be undone.
    QTest::mouseClick(rows.front(), Qt::LeftButton);
    settle();
    QVERIFY(page().is_open());
    QCOMPARE(shown(), rows.front()->text().toStdString());
    window_->session().undo_stack().undo();
    QCOMPARE(window_->session().document().source, std::string("May 5, 2001"));
  }

  // What was never learned is said in a sentence below the picture at every key, here and everywhere.
  void a_text_outside_gets_a_sentence() {
    open();
    QVERIFY(window_->status().notes().isEmpty());
    const auto type = [this](const char* text) {
      window_->views().source_bar()->source_field()->selectAll();
      QTest::keyClicks(window_->views().source_bar()->source_field(), text);
      settle();
      return window_->status().caption();
    };
    QCOMPARE(type("May 5, 2019"), QString("The model has learned the years 1970 to 2017; this one is outside."));
    QCOMPARE(type("May 5, 201"), QString("This is no whole date yet; the model writes one all the same."));
    page().leave();
    settle();
    QCOMPARE(type("5 May 2001"), QString("The model never saw a date in this form; it writes one all the same."));
    QCOMPARE(type("hello world"), QString("The model reads dates only, and this is none; it writes one all the same."));
    QCOMPARE(type("2/30/01"), QString("There is no such day; the model never saw one."));
    QVERIFY(!type("3/30/01").contains("never"));
    QVERIFY(window_->status().notes().isEmpty());
  }

  // The way to everything by its name stands there where the window has it.
  void finding_is_offered() {
    open();
    auto* find = window_->actions().findChild<QAction*>("find");
    if (!find) {
      find = new QAction(&window_->actions());
      find->setObjectName("find");
      find->setShortcut(QKeySequence("Ctrl+K"));
    }
    QSignalSpy triggered(find, &QAction::triggered);
    page().leave();
    page().open();
    settle();
    StartItem* offered = item("Find a model, a lesson, a word");
    QVERIFY(offered);
    QCOMPARE(offered->line(), find->shortcut().toString(QKeySequence::NativeText));
    QTest::mouseClick(offered, Qt::LeftButton);
    QTRY_COMPARE(triggered.size(), 1);
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
    page().set_lessons(column);
    settle();
    QVERIFY(lesson->isVisible());
    const auto left = [this](const char* title) { return item(title)->mapTo(&page(), QPoint()).x(); };
    QVERIFY(left("All models") < left("One vector for a whole sentence"));
    QVERIFY(left("One vector for a whole sentence") < left("Open a folder or a file…"));
    page().set_lessons(nullptr);
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

  // Unless somebody wants it so.
  void every_start_begins_with_it_where_that_is_wanted() {
    open(MainWindow::Remember::yes);
    QVERIFY(!page().at_every_start()->isChecked());
    QTest::keyClick(page().at_every_start(), Qt::Key_Space);
    window_->close();
    QVERIFY(begins_with_start({}, UserSettings()));
    WindowCommand asked;
    asked.model = "date-attention";
    QVERIFY(!begins_with_start(asked, UserSettings()));
    open(MainWindow::Remember::yes);
    QVERIFY(page().at_every_start()->isChecked());
    QTest::keyClick(page().at_every_start(), Qt::Key_Space);
    QVERIFY(!UserSettings().start_page());
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
          for (TryRow* each : tries()) {
            QVERIFY2(each->height() >= each->heightForWidth(each->width()), qPrintable(each->text()));
            QVERIFY(each->geometry().bottom() <= learned().height());
          }
          QVERIFY(tries().size() >= 2);
          QVERIFY(window_->views().alignment()->height() >= 0.2 * size.height());
        }
    Theme::instance().set(Theme::Mode::light, 1);
  }
};

HEADLIGHT_WIDGET_TEST(TestStart)

}  // namespace headlight::test_start

#include "test_start.moc"
