// A step of a lesson chooses what a picture shows (a layer, a head); what was chosen before comes back at the end.

#include <QImage>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/classroom/classroom.h"
#include "app/classroom/paper/lesson_paper.h"
#include "app/lessons/lesson_list.h"
#include "app/window/main_window.h"
#include "tests/test_program.h"
#include "widgets/views/heads/heads_view.h"

namespace headlight::test_lesson_choices {

namespace {

constexpr int kPatience = 60'000;

bool comes_to(QSignalSpy& spy, int step) {
  const auto there = [&] { return !spy.isEmpty() && spy.last().at(0).toInt() == step; };
  return QTest::qWaitFor(there, kPatience);
}

}  // namespace

class TestLessonChoices : public QObject {
  Q_OBJECT

 private slots:
  // Step 1 of this lesson means head 1 of layer 2; its lesson.json says so.
  void a_step_opens_its_head_and_the_end_brings_back_the_own_one() {
    MainWindow window(MainWindow::Remember::no);
    window.show();
    auto* heads = window.findChild<HeadsView*>();
    QVERIFY(heads);
    const QVariantMap own = {{QStringLiteral("map"), 0}, {QStringLiteral("head"), 3}};
    heads->set_choices(own);
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    room.open(QStringLiteral("everybody-asks/who-is-she"), 0);
    QVERIFY(comes_to(shown, 0));
    QCOMPARE(heads->choices().value(QStringLiteral("map")).toInt(), 1);
    QCOMPARE(heads->choices().value(QStringLiteral("head")).toInt(), 0);
    room.close();
    QCOMPARE(heads->choices().value(QStringLiteral("map")).toInt(), 0);
    QCOMPARE(heads->choices().value(QStringLiteral("head")).toInt(), 3);
  }

  // Page 2 is the answer to step 1: with another head of another layer it is another picture.
  void a_printed_picture_shows_it_as_well() {
    const std::shared_ptr<const Lesson> lesson = load_lesson("everybody-asks/who-is-she");
    const auto other = std::make_shared<Lesson>(*lesson);
    other->steps[0].state->views = {
        {QStringLiteral("heads"), QVariantMap{{QStringLiteral("map"), 0}, {QStringLiteral("head"), 3}}}};
    const QTemporaryDir folder;
    const auto page = [&](const std::shared_ptr<const Lesson>& printed, const QString& name) {
      LessonRuns runs(printed);
      write_slides({&runs, "en"}, folder.filePath(name));
      return QImage(folder.filePath(name + "/02.png"));
    };
    const QImage meant = page(lesson, QStringLiteral("meant"));
    QVERIFY(!meant.isNull());
    QVERIFY(meant == page(lesson, QStringLiteral("again")));
    QVERIFY(meant != page(other, QStringLiteral("other")));
  }
};

HEADLIGHT_WIDGET_TEST(TestLessonChoices)

}  // namespace headlight::test_lesson_choices

#include "test_lesson_choices.moc"
