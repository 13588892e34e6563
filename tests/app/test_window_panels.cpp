// Where the panels of the window stand: arrangements, pictures in front and out of the window, sizes, the way of the
// keyboard.

#include <QDockWidget>
#include <QFileInfo>
#include <QLayout>
#include <QSettings>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "app/stage/panel_frame.h"
#include "app/text/source_field.h"
#include "app/window/main_window.h"
#include "tests/app/fixture.h"
#include "tests/app/small_window.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/alignment/alignment_view.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/ribbons/ribbons_view.h"
#include "widgets/views/stepper/stepper_view.h"
#include "widgets/views/tokens/token_strip.h"

namespace headlight::test_window_panels {

class TestWindowPanels : public QObject, testing::SmallWindow {
  Q_OBJECT

 private slots:
  void initTestCase() { make_models(); }
  void init() { QSettings().clear(); }
  void cleanup() { put_away(); }

  // The picture that matters has most of the window.
  void the_picture_is_large() {
    open("November 22, 2026");
    for (const QSize& size : {QSize(1280, 800), QSize(1024, 700), QSize(1920, 1080)}) {
      window_->resize(size);
      for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
      const QSize picture = window_->views().alignment()->size();
      const double share = double(picture.width()) * picture.height() / (double(size.width()) * size.height());
      QVERIFY2(share >= 0.55, qPrintable(QString("%1 x %2: %3").arg(size.width()).arg(size.height()).arg(share)));
    }
  }

  void arrangements_keep_text_and_selection_and_what_was_changed_in_them() {
    open();
    Heatmap* cells = window_->views().alignment()->heatmap();
    cells->setFocus();
    QTest::keyClick(cells, Qt::Key_Down);
    const SelectionState chosen = window_->selection().state();
    const auto seen = [this](const char* name) {
      for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
      return window_->panels().is_seen(name);
    };
    trigger("explain");
    QVERIFY(seen("alignment") && seen("inspector") && seen("explain"));
    QVERIFY(window_->actions()["explain"]->isChecked() && !window_->actions()["look"]->isChecked());
    trigger("change");
    QVERIFY(seen("alignment") && seen("differences") && seen("mechanism") && !seen("inspector"));
    trigger("compare");
    QVERIFY(seen("compare") && seen("history") && !seen("alignment"));
    trigger("explain");
    QCOMPARE(window_->selection().state(), chosen);
    QCOMPARE(window_->views().source_bar()->source_field()->text(), QString("May 5, 2001"));
    // What a person does in one of them is there when they come back, and 'As it was' undoes it.
    window_->panels().raise("values");
    QVERIFY(seen("values") && !seen("explain"));
    trigger("look");
    QVERIFY(!seen("values"));
    trigger("explain");
    QVERIFY(seen("values") && !seen("explain"));
    trigger("reset_layout");
    QVERIFY(!seen("values") && seen("explain"));
    // Saved under a name, it is one more of them.
    window_->panels().raise("values");
    window_->panels().save_arrangement("mine");
    trigger("look");
    QCOMPARE(window_->panels().arrangements(), (QStringList{"look", "explain", "change", "compare", "mine"}));
    window_->panels().arrange("mine");
    QVERIFY(seen("values") && seen("inspector"));
  }

  void the_names_lead_to_the_pictures() {
    open();
    const QTabBar* names = window_->findChild<QTabBar*>("pictures");
    QVERIFY(names && names->count() >= 3);
    QCOMPARE(names->tabText(0), QString("Alignment"));
    QTest::mouseClick(const_cast<QTabBar*>(names), Qt::LeftButton, {}, names->tabRect(1).center());
    QCOMPARE(window_->panels().front(), QString("ribbons"));
    QVERIFY(window_->views().ribbons()->isVisible());
    // A picture behind "More" shows its name there, and the names stay where they are.
    const QString before = names->tabText(1);
    window_->panels().raise("compare");
    QCOMPARE(window_->panels().front(), QString("compare"));
    QCOMPARE(names->tabText(1), before);
    QCOMPARE(window_->findChild<QToolButton*>("more_pictures")->text(), QString("Compare"));
  }

  void keyboard_reaches_every_panel() {
    open();
    window_->activateWindow();
    trigger("focus_source");
    QSet<QWidget*> visited;
    trigger("explain");
    window_->panels().raise("steps");
    QWidget* const panels[] = {window_->views().source_bar(), window_->views().alignment(), window_->views().stepper(),
                               window_->views().inspector()};
    for (int i = 0; i < 20; ++i) {
      QWidget* focus = QApplication::focusWidget();
      QVERIFY(focus);
      for (QWidget* panel : panels)
        if (panel == focus || panel->isAncestorOf(focus)) visited.insert(panel);
      QTest::keyClick(focus, Qt::Key_F8);
    }
    QCOMPARE(visited.size(), 4);
  }

  // By itself, Qt lets them drift.
  void panels_keep_their_sizes() {
    open();
    trigger("explain");
    window_->panels().raise("steps");
    const auto sizes = [this] {
      for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
      return QList<int>{window_->views().inspector()->width(), window_->views().stepper()->width()};
    };
    const QList<int> before = sizes();
    for (const char* name : {"ribbons", "compare", "alignment"}) {
      window_->panels().raise(name);
      QCOMPARE(sizes(), before);
    }
    Theme::instance().set_mode(Theme::Mode::dark);
    QCOMPARE(sizes(), before);
    Theme::instance().set_mode(Theme::Mode::light);
    for (const char* text : {"M", "Ma", "May"}) {
      window_->session().set_source(text);
      settle();
      QCOMPARE(sizes(), before);
    }
  }

  void only_what_is_seen_is_kept_up_to_date() {
    open();
    const auto seen = [this](const char* name) {
      for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
      return window_->panels().picture(name).view->isVisible();
    };
    QVERIFY(seen("alignment") && !seen("ribbons") && !seen("steps") && !seen("values"));
    window_->panels().raise("ribbons");
    QVERIFY(!seen("alignment") && seen("ribbons"));
    window_->panels().set_out("compare", true);
    QVERIFY(seen("compare") && seen("ribbons"));
    QVERIFY(window_->panels().frame("compare")->isWindow());
    window_->panels().set_out("compare", false);
    QVERIFY(!seen("compare") && seen("ribbons"));
    window_->panels().raise("compare");
    QVERIFY(seen("compare") && !seen("ribbons"));
    // Two pictures at once, and one of them below.
    trigger("beside");
    QVERIFY(seen("compare") && seen("alignment"));
    window_->panels().put_away("alignment");
    QVERIFY(seen("compare") && !seen("alignment"));
    trigger("below");
    QVERIFY(seen("compare") && window_->panels().front() != "compare");
  }

  void the_layout_is_remembered_and_can_be_reset() {
    open("May", MainWindow::Remember::yes);
    trigger("explain");
    window_->panels().raise("ribbons");
    window_->panels().put_away("explain");
    window_->panels().set_out("states", true);
    window_->resize(1111, 777);
    window_->close();
    open("May", MainWindow::Remember::yes);
    QCOMPARE(window_->panels().arrangement(), QString("explain"));
    QCOMPARE(window_->panels().front(), QString("ribbons"));
    QVERIFY(!window_->panels().is_seen("explain") && window_->panels().is_seen("states"));
    QVERIFY(window_->panels().frame("states")->isWindow());
    QCOMPARE(window_->size(), QSize(1111, 777));
    trigger("reset_layout");
    QVERIFY(window_->panels().is_seen("explain") && !window_->panels().is_out("states"));
  }

  void controls_of_a_picture_that_was_taken_out_stand_above_it() {
    open("May", MainWindow::Remember::yes);
    for (const char* name : {"states", "ribbons", "query-key"}) {
      window_->panels().set_out(name, true);
      settle();
      PanelFrame* frame = window_->panels().frame(name);
      const auto* view = frame->findChild<ViewPanel*>();
      QVERIFY(frame->isWindow() && view && view->lent_bar());
      const QWidget* bar = view->lent_bar();
      const QRect room = bar->layout()->contentsRect();
      QCOMPARE(bar->mapTo(frame, room.topLeft()).x(), space::kMargin);
      window_->panels().set_out(name, false);
    }
  }

  void panels_are_offered_where_the_model_has_what_they_show() {
    const auto offered = [this](const char* name) {
      return window_->panels().is_offered(name) && window_->panels().raise(name) && window_->panels().is_seen(name);
    };
    open("June 7, 1999", MainWindow::Remember::yes);  // one attention with one head, no positions
    QVERIFY(offered("ribbons") && !offered("heads") && !offered("positions"));
    window_->session().set_model(small_model("convs2s"));
    settle();
    QVERIFY(offered("ribbons") && offered("heads") && offered("positions"));
    // A picture that the next model has nothing for gives way, and comes back with a model that has.
    window_->panels().raise("positions");
    window_->session().set_model(small_model("seq2seq"));
    settle();
    QVERIFY(!offered("ribbons") && !offered("heads") && !offered("positions"));
    QVERIFY(!window_->panels().is_seen("positions"));
    window_->session().set_model(small_model("convs2s"));
    settle();
    QVERIFY(window_->panels().is_seen("positions"));
  }

  void the_panel_with_the_keyboard_is_what_is_exported() {
    open();
    window_->activateWindow();
    trigger("focus_source");
    QCOMPARE(window_->panels().picture().name, QString("alignment"));
    window_->panels().raise("steps");
    window_->panels().focus_panel("steps");
    QCOMPARE(window_->panels().picture().name, QString("steps"));
    window_->panels().raise("ribbons");
    QCoreApplication::processEvents();
    window_->views().ribbons()->setFocus();
    QTRY_COMPARE(window_->panels().picture().name, QString("ribbons"));
    const QTemporaryDir folder;
    window_->panels().picture().write(folder.filePath("r.csv"));
    QVERIFY(QFileInfo(folder.filePath("r.csv")).size() > 100);
  }

  void one_picture_stays_in_the_window() {
    open();
    int in_the_window = 0;
    for (const ViewRow& row : view_table())
      if (window_->panels().is_offered(row.name)) window_->panels().set_out(row.name, true);
    for (const ViewRow& row : view_table())
      in_the_window += window_->panels().is_offered(row.name) && !window_->panels().frame(row.name)->isWindow() &&
                       window_->panels().is_seen(row.name);
    QCOMPARE(in_the_window, 1);
  }

  // What was a window of its own in the time of docks still is; its panel of the map was called "computation" once.
  void a_layout_of_docks_is_understood() {
    open();
    QMainWindow before;
    for (const char* name : {"alignment", "ribbons", "computation", "inspector", "nobody knows"}) {
      auto* dock = new QDockWidget(&before);
      dock->setObjectName(name);
      before.addDockWidget(Qt::TopDockWidgetArea, dock);
    }
    before.show();
    before.findChild<QDockWidget*>("computation")->setFloating(true);
    before.findChild<QDockWidget*>("ribbons")->hide();
    window_->panels().restore_state(before.saveState());
    QVERIFY(window_->panels().is_out("map"));
    QVERIFY(!window_->panels().is_out("ribbons") && !window_->panels().is_out("alignment"));
    QCOMPARE(window_->panels().front(), QString("alignment"));
  }

  void a_layout_that_is_none_does_no_harm_data() {
    QTest::addColumn<QByteArray>("state");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("noise") << QByteArray("\xff\0\0\x07 noise", 10);
    QTest::newRow("other names") << QByteArray(R"({"current":"none","front":"none","out":{"none":"x","heads":7},
        "arrangements":{"look":{"main":["none","",7,"none"],"side":["none"],"below":"x","across":[1],"down":[-5,1e99]}}})");
    QTest::newRow("a panel everywhere") << QByteArray(R"({"current":"look","arrangements":{"look":{
        "main":["ribbons","ribbons","map"],"side":["map","map"],"below":["map","ribbons"]}}})");
  }
  void a_layout_that_is_none_does_no_harm() {
    QFETCH(QByteArray, state);
    open();
    window_->panels().restore_state(state);
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
    QVERIFY(window_->panels().is_seen(window_->panels().front()));
    QVERIFY(!window_->grab().isNull());
  }

  void tab_goes_as_one_reads() {
    open();
    window_->activateWindow();
    const DocumentViews& views = window_->views();
    trigger("explain");
    window_->panels().raise("steps");
    const std::vector<QWidget*> order = {views.source_bar(), views.alignment(), views.stepper(), views.inspector()};
    trigger("focus_source");
    std::vector<QWidget*> seen = {views.source_bar()};
    QStringList fields;
    for (int i = 0; i < 60; ++i) {
      QTest::keyClick(window_.get(), Qt::Key_Tab);
      QWidget* now = QApplication::focusWidget();
      QVERIFY(now);
      if (seen.size() == 1 && views.source_bar()->isAncestorOf(now) && now != views.tokens())
        fields << now->objectName();
      for (QWidget* panel : order) {
        const bool bar = panel == views.source_bar() && (now == views.tokens() || views.tokens()->isAncestorOf(now));
        if (!bar && (panel == now || panel->isAncestorOf(now)) && seen.back() != panel) seen.push_back(panel);
      }
      if (seen.size() == order.size()) break;
    }
    QCOMPARE(seen, order);
    QCOMPARE(fields, (QStringList{"examples", "output_menu"}));
  }
};

HEADLIGHT_WIDGET_TEST(TestWindowPanels)

}  // namespace headlight::test_window_panels

#include "test_window_panels.moc"
