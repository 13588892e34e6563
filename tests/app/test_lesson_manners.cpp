// What a lesson owes its learner at the end and in the list: the last page, minutes, own lessons, what a teacher needs;
// and that nothing says before what is asked for later.

#include <QAbstractButton>
#include <QAction>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "app/classroom/class_plan.h"
#include "app/classroom/classroom.h"
#include "app/classroom/lesson_overlay.h"
#include "app/classroom/lesson_panel.h"
#include "app/classroom/lessons_list.h"
#include "app/lessons/lesson_list.h"
#include "app/window/main_window.h"
#include "tests/app/lesson_walk.h"
#include "tests/test_program.h"
#include "widgets/base/text_button.h"

namespace headlight::test_lesson_manners {

namespace {

const QString kTour = QStringLiteral(HEADLIGHT_TEST_DATA "/lessons/tour");

}  // namespace

class TestLessonManners : public QObject {
  Q_OBJECT

 private slots:
  void what_was_not_right_is_offered_again() {
    MainWindow window(MainWindow::Remember::no);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed);
    room.open(kTour, 2);  // asks: one of three
    QVERIFY(testing::comes_to(shown, 2));
    room.panel()->answer_field()->set(std::string("day"));
    room.panel()->findChild<QPushButton*>(QStringLiteral("lesson_show"))->click();
    QVERIFY(testing::comes_to(revealed, 2));
    QVERIFY(room.progress().find("tour")->answers[0].worth == Worth::wrong);
    const int last = static_cast<int>(room.lesson()->steps.size()) - 1;
    room.go(last);
    QVERIFY(testing::comes_to(shown, last));
    room.next();
    auto* finish = room.panel()->findChild<QWidget*>(QStringLiteral("lesson_finish"));
    QVERIFY(finish && finish->isVisible());
    auto* again = finish->findChild<QAbstractButton*>(QStringLiteral("again_2"));
    QVERIFY(again && again->focusPolicy() == Qt::StrongFocus);
    QVERIFY(!finish->findChild<QAbstractButton*>(QStringLiteral("next_lesson")));  // it is in no course
    again->click();
    QVERIFY(testing::comes_to(shown, 2));
    QVERIFY(!room.panel()->findChild<QWidget*>(QStringLiteral("lesson_finish")));
    room.go(last);
    QVERIFY(testing::comes_to(shown, last));
    room.next();
    room.back();  // the last page is a page
    QVERIFY(testing::comes_to(shown, last));
    room.next();
    room.next();
    QVERIFY(!room.is_open());
  }

  void the_next_lesson_follows() {
    MainWindow window(MainWindow::Remember::no);
    window.show();
    Classroom& room = window.classroom();
    const std::vector<ListedLesson>& lessons = courses().front().lessons;
    QSignalSpy shown(&room, &Classroom::shown);
    const int last = lessons[0].steps - 1;
    room.open(QString::fromStdString(lessons[0].name), last);
    QVERIFY(testing::comes_to(shown, last));
    room.next();
    QVERIFY(room.panel()->findChild<QAbstractButton*>(QStringLiteral("next_lesson")));
    room.next();
    QCOMPARE(room.lesson()->name, lessons[1].name);
  }

  // Letters that were typed are marked, and stay in sight.
  void letters_are_marked() {
    MainWindow window(MainWindow::Remember::no);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed);
    room.open(kTour, 4);
    QVERIFY(testing::comes_to(shown, 4));
    room.panel()->answer_field()->set(std::string("1983/08/24"));
    room.panel()->findChild<QPushButton*>(QStringLiteral("lesson_show"))->click();
    QVERIFY(testing::comes_to(revealed, 4));
    const auto* marks = room.panel()->findChild<QWidget*>(QStringLiteral("letter_marks"));
    QVERIFY(marks);
    QCOMPARE(marks->accessibleDescription().count("right"), 9);
    QVERIFY(marks->accessibleDescription().endsWith("4 wrong"));
    QTRY_VERIFY(!marks->visibleRegion().isEmpty());
  }

  void the_list_has_what_a_teacher_needs() {
    QTemporaryDir folder;
    LessonProgress progress(folder.filePath("lessons.json"));
    const ListedLesson& first = courses().front().lessons.front();
    const QString name = QString::fromStdString(first.name);
    progress.reach(name, "first", first.steps - 1, first.steps, 1);
    progress.opened({kTour, "A short tour"});
    QVERIFY(LessonProgress(folder.filePath("lessons.json")).own() == progress.own());
    LessonsDialog list(&progress);
    list.show();
    auto* plan = list.findChild<QPushButton*>(QStringLiteral("plan_") + QString::fromStdString(courses().front().name));
    QVERIFY(plan);
    plan->click();
    QVERIFY(list.findChild<ClassPlan*>());
    list.findChild<ClassPlan*>()->close();
    QSignalSpy sheet(&list, &LessonsDialog::worksheetWanted);
    auto* more = list.findChild<QToolButton*>(QStringLiteral("for_teacher_") + name);
    QVERIFY(more && more->menu()->actions().size() == 2);
    more->menu()->actions()[0]->trigger();
    QCOMPARE(sheet.value(0).value(0).toString(), name);
    // One's own: it can be opened, and forgotten.
    QVERIFY(list.findChild<TextButton*>(QStringLiteral("own_") + kTour));
    auto* own = list.findChild<QToolButton*>(QStringLiteral("for_teacher_") + kTour);
    own->menu()->actions().back()->trigger();
    QTRY_VERIFY(!list.findChild<TextButton*>(QStringLiteral("own_") + kTour));
    QVERIFY(progress.own().empty());
  }

  // On the way from page to page nothing opens that is asked for later.
  void nothing_opens_on_the_way() {
    MainWindow window(MainWindow::Remember::no);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    room.open(kTour, 0);
    QVERIFY(testing::comes_to(shown, 0));
    QVERIFY(room.withholds());  // the row of the 8 is asked for on the next page
    QTRY_VERIFY((room.overlay()->refresh(), !room.overlay()->picture().closed.isEmpty()));
    QVERIFY(room.overlay()->picture().closed_output.isNull());  // this page speaks of the output
    QVERIFY(!window.actions()["show_table"]->isEnabled());
    room.go(1);
    room.overlay()->refresh();  // before it is known what the page closes
    QVERIFY(!room.overlay()->picture().closed.isEmpty());
    QVERIFY(testing::comes_to(shown, 1));
  }
};

HEADLIGHT_WIDGET_TEST(TestLessonManners)

}  // namespace headlight::test_lesson_manners

#include "test_lesson_manners.moc"
