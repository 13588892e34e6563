// How a lesson stands in the window: its strip, its name in the bar, its glossary, its motion. That no line is cut, in
// any size, is tried by test_lesson_walk.

#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "app/classroom/classroom.h"
#include "app/classroom/glossary_dialog.h"
#include "app/classroom/lesson_panel.h"
#include "app/language.h"
#include "app/window/main_window.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"

namespace headlight::test_clipping_lessons {

class TestClippingLessons : public QObject {
  Q_OBJECT
  std::unique_ptr<MainWindow> window_;

 private slots:
  void cleanup() {
    window_.reset();
    Theme::instance().set(Theme::Mode::light, 1);
    set_language("en");
  }

  // Words without a question have the strip to themselves; a question shares it with its answer.
  void words_alone_have_the_whole_strip() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    window_->resize(1024, 700);
    window_->show();
    Classroom& room = window_->classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    const auto width_at = [&](int step) {
      room.open(QStringLiteral("why-attention/looking-back"), step);
      const auto is_there = [&] { return !shown.isEmpty() && shown.last().at(0).toInt() == step; };
      if (!QTest::qWaitFor(is_there, 60000)) return -1;
      for (int i = 0; i < 6; ++i) QCoreApplication::processEvents();
      return room.panel()->findChild<QWidget*>(QStringLiteral("lesson_text"))->width();
    };
    const int asked = width_at(1), told = width_at(2);
    QVERIFY2(asked > 300 && asked < 600, qPrintable(QString::number(asked)));
    QVERIFY2(told > 800, qPrintable(QString::number(told)));
    window_->actions()["present"]->trigger();
    QTRY_VERIFY(!room.panel()->findChild<QWidget*>(QStringLiteral("lesson_next"))->isVisible());
    window_->actions()["present"]->trigger();
    QTRY_VERIFY(room.panel()->findChild<QWidget*>(QStringLiteral("lesson_next"))->isVisible());
  }

  // A scroll bar that came and went with the width of the text that it needed went round in circles until the stack was
  // full (found by random events).
  void its_text_settles_at_every_size() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    window_->show();
    Classroom& room = window_->classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    room.open(QStringLiteral("why-attention/looking-back"), 1);
    QTRY_VERIFY_WITH_TIMEOUT(!shown.isEmpty(), 60000);
    const auto* scroll = room.panel()->findChild<QScrollArea*>();
    for (const double scale : {1.0, 2.0}) {
      Theme::instance().set(Theme::Mode::light, scale);
      for (const int width : {700, 1280}) {
        for (int height = 300; height < 1300; height += 4) {
          window_->resize(width, height);
          QCoreApplication::processEvents();
          QCOMPARE(scroll->viewport()->width(), scroll->width() - scroll->verticalScrollBar()->width());
        }
      }
    }
    Theme::instance().set(Theme::Mode::light, 1);
  }

  // The title stands where the switch was, as long as the lesson is followed.
  void the_bar_names_the_lesson() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    window_->resize(1280, 800);
    window_->show();
    Classroom& room = window_->classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    const auto* title = window_->findChild<QLabel*>(QStringLiteral("lesson_in_bar"));
    const auto* ways = window_->findChild<QWidget*>(QStringLiteral("arrangements"));
    QVERIFY(title && ways && title->isHidden() && ways->isVisible());
    room.open(QStringLiteral("why-attention/looking-back"), 1);
    QTRY_VERIFY_WITH_TIMEOUT(!shown.isEmpty(), 60000);
    QVERIFY(title->isVisible() && !ways->isVisible());
    QCOMPARE(title->text(), QStringLiteral("Why attention · 4 Looking back · step 2 of 9"));
    QVERIFY(QFontMetrics(title->font()).horizontalAdvance(title->text()) <= title->width());
    window_->resize(1024, 700);
    Theme::instance().set(Theme::Mode::light, 2);
    QTRY_VERIFY(title->isHidden() || QFontMetrics(title->font()).horizontalAdvance(title->text()) <= title->width());
    Theme::instance().set(Theme::Mode::light, 1);
    room.explore(true);
    QVERIFY(title->isHidden() && ways->isVisible());
    room.explore(false);
    QVERIFY(!ways->isVisible());
    room.close();
    QVERIFY(title->isHidden() && ways->isVisible());
  }

  // A word leads to its meaning, from there to other words and to the lessons that use it.
  void the_glossary_links_both_ways() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    window_->show();
    Classroom& room = window_->classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    room.open(QStringLiteral("why-attention/looking-back"));
    QTRY_VERIFY_WITH_TIMEOUT(!shown.isEmpty(), 60000);
    emit room.panel()->followed(QStringLiteral("word:attention"));
    auto* glossary = window_->findChild<GlossaryDialog*>(QStringLiteral("glossary"));
    QVERIFY(glossary && glossary->isVisible());
    QVERIFY2(glossary->words().contains("Looking back"), qPrintable(glossary->words()));
    emit glossary->followed(QStringLiteral("word:query"));
    QVERIFY(glossary->words().startsWith("Query"));
    QVERIFY(glossary->words().contains("Score, softmax, sum"));
    emit glossary->followed(QStringLiteral("lesson:the-read/score-softmax-sum"));
    QTRY_COMPARE_WITH_TIMEOUT(room.lesson()->name, std::string("the-read/score-softmax-sum"), 60000);
  }

  void less_motion_is_none() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    const auto duration = [this] { return window_->style()->styleHint(QStyle::SH_Widget_Animation_Duration); };
    QVERIFY2(duration() <= 400, qPrintable(QString::number(duration())));
    window_->actions()["less_motion"]->setChecked(true);
    QCOMPARE(duration(), 0);
    window_->actions()["less_motion"]->setChecked(false);
  }
};

HEADLIGHT_WIDGET_TEST(TestClippingLessons)

}  // namespace headlight::test_clipping_lessons

#include "test_clipping_lessons.moc"
