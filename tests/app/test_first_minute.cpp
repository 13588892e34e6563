// What somebody new meets in the first minute, and a teacher with a projector: the page of the start fits, the line
// below the picture is in plain words, Escape takes a choice back, and presenting leaves nothing behind.

#include <QAction>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>

#include "app/document/session_file.h"
#include "app/language.h"
#include "app/presentation/presentation.h"
#include "app/presentation/presenter.h"
#include "app/window/main_window.h"
#include "app/window/start_page.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/alignment/alignment_view.h"
#include "widgets/views/heads/heads_view.h"

namespace headlight::test_first_minute {

class TestFirstMinute : public QObject {
  Q_OBJECT
  std::unique_ptr<MainWindow> window_;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
  void open(const char* model = "date-attention", bool start = false) {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    Document document;
    document.model = load_model(model);
    document.source = document.model->examples.front();
    window_->resize(1280, 800);
    window_->start(document);
    if (start) window_->start_page().open();
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    window_->activateWindow();
    settle();
  }
  void press(Qt::Key key) {
    QWidget* focus = window_->focusWidget() ? window_->focusWidget() : window_.get();
    QTest::keyClick(focus, key);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
  Heatmap* map() { return window_->views().alignment()->heatmap(); }
  void click(int row, int column) {
    QTest::mouseClick(map()->viewport(), Qt::LeftButton, {},
                      map()->heatmap_layout().cell_rect(row, column).center().toPoint());
    settle();
  }
  bool number_is_seen() { return window_->panels().is_seen("inspector"); }

 private slots:
  void initTestCase() { load_resources(); }
  void cleanup() {
    window_.reset();
    set_language("en");
    Theme::instance().set(Theme::Mode::light, 1);
  }

  // All that can be chosen is there without scrolling, and what runs already is no choice.
  void the_page_of_the_start_fits_data() {
    QTest::addColumn<QString>("language");
    for (const char* language : {"en", "zh_CN"}) QTest::newRow(language) << language;
  }
  void the_page_of_the_start_fits() {
    QFETCH(QString, language);
    set_language(language);
    open("date-attention", true);
    const auto* area = window_->start_page().findChild<QScrollArea*>();
    QVERIFY(area);
    QCOMPARE(area->verticalScrollBar()->maximum(), 0);
    const QString running = QString::fromStdString(window_->result()->model->title);
    int shown = 0;
    for (const StartItem* item : window_->start_page().findChildren<StartItem*>()) {
      if (!item->isVisible()) continue;
      ++shown;
      QVERIFY(item->text() != running);
    }
    QVERIFY(shown >= 5);
  }

  // No word of the trade in the first line that somebody reads.
  void the_line_below_the_picture_is_plain_data() {
    QTest::addColumn<QString>("word");
    QTest::newRow("date-attention") << "character";
    QTest::newRow("tatoeba-bahdanau") << "word";
  }
  void the_line_below_the_picture_is_plain() {
    QFETCH(QString, word);
    open(QTest::currentDataTag());
    QVERIFY(window_->status().caption().contains(word));
    QVERIFY(!window_->status().caption().contains("token"));
    QVERIFY(window_->status().caption().endsWith("Click a square to see why."));
  }

  // A large head says what one does with it, not how one got there.
  void a_large_head_says_what_to_do() {
    open("story-gpt");
    QCOMPARE(window_->panels().front(), QString("heads"));
    auto* heads = window_->findChild<HeadsView*>();
    heads->open({});  // all of them
    settle();
    QVERIFY(window_->status().caption().endsWith("Click a head to see it large."));
    heads->open({1, 2});
    settle();
    QVERIFY(window_->status().caption().contains("Click a square to see why"));
    QVERIFY(!window_->status().caption().contains("to see it large"));
    heads->open({});
    settle();
    QVERIFY(window_->status().caption().endsWith("Click a head to see it large."));
  }

  // Escape takes the choice back, and the panel that a click opened; the next click opens it again.
  void escape_takes_a_choice_back() {
    open();
    click(2, 3);
    QVERIFY(window_->selection().state().cell && number_is_seen());
    press(Qt::Key_Escape);
    QCOMPARE(window_->selection().state(), SelectionState{});
    QVERIFY(!number_is_seen());
    click(3, 4);
    QVERIFY(number_is_seen());
    // Who opened it otherwise keeps it.
    press(Qt::Key_Escape);
    QVERIFY(window_->panels().raise("inspector"));
    settle();
    click(2, 3);
    press(Qt::Key_Escape);
    QVERIFY(!window_->selection().state().cell && number_is_seen());
    // And an explanation is always of an output.
    window_->actions()["explain"]->trigger();
    settle();
    QVERIFY(window_->selection().state().step);
    press(Qt::Key_Escape);
    QVERIFY(window_->selection().state().step && number_is_seen());
  }

  // The keys of the remote are told below the picture, which they would hide.
  void the_hint_is_below_the_picture() {
    open();
    press(Qt::Key_F5);
    QVERIFY(window_->isFullScreen());
    QVERIFY(window_->status().caption().contains("PageDown"));
    for (const QLabel* label : window_->findChildren<QLabel*>()) {
      if (!label->isVisible() || !label->text().contains("PageDown")) continue;
      const QRect at(label->mapTo(window_.get(), QPoint()), label->size());
      const QRect picture(map()->mapTo(window_.get(), QPoint()), map()->size());
      QVERIFY(!at.intersects(picture));
      QVERIFY(label->height() >= label->heightForWidth(label->width()));
    }
    press(Qt::Key_PageDown);
    QVERIFY(!window_->status().caption().contains("PageDown"));
    press(Qt::Key_Escape);
    QVERIFY(!window_->isFullScreen() && !window_->status().caption().contains("PageDown"));
  }

  // What is saved while somebody presents, by the clock, opens as the window was before.
  void a_session_saved_while_presenting_is_of_the_window() {
    open();
    const SessionState before = window_->session_state();
    press(Qt::Key_F5);
    for (int i = 0; i < 4; ++i) QTest::keyClick(window_->focusWidget(), Qt::Key_Plus, Qt::ControlModifier);
    QVERIFY(Theme::instance().font_scale() > 1.4);
    const SessionState meanwhile = window_->session_state();
    QCOMPARE(meanwhile.layout.state, before.layout.state);
    QWidget other;
    QVERIFY(other.restoreGeometry(meanwhile.layout.geometry));
    QVERIFY(!other.isFullScreen());
  }
};

HEADLIGHT_WIDGET_TEST(TestFirstMinute)

}  // namespace headlight::test_first_minute

#include "test_first_minute.moc"
