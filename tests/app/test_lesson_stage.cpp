// A lesson in front of a room: what comes next, what is measured meanwhile, and what each class votes.

#include <QImage>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include "app/classroom/classroom.h"
#include "app/classroom/lesson_overlay.h"
#include "app/classroom/lesson_panel.h"
#include "app/classroom/lesson_vote.h"
#include "app/classroom/speaker_window.h"
#include "app/lessons/lesson_list.h"
#include "app/window/main_window.h"
#include "tests/test_program.h"

namespace headlight::test_lesson_stage {

namespace {

const QString kTour = QStringLiteral(HEADLIGHT_TEST_DATA "/lessons/tour");
constexpr int kPatience = 60'000;
constexpr int kHyphen = 2, kSure = 3;  // steps of the tour: a choice, a number

bool comes_to(QSignalSpy& spy, int step) {
  return QTest::qWaitFor([&] { return !spy.isEmpty() && spy.last().at(0).toInt() == step; }, kPatience);
}
QSpinBox* hands(const Classroom& room, const char* name) {
  return room.panel()->findChild<QSpinBox*>(QString::fromUtf8(name));
}

}  // namespace

class TestLessonStage : public QObject {
  Q_OBJECT

 private slots:
  void lessons_of_a_course_follow_each_other() {
    const std::vector<ListedLesson>& lessons = courses().front().lessons;
    QVERIFY(lessons.size() >= 2);
    QCOMPARE(lesson_beside(lessons[0].name, 1), lessons[1].name);
    QCOMPARE(lesson_beside(lessons[1].name, -1), lessons[0].name);
    QCOMPARE(lesson_beside(lessons[0].name, -1), std::string());
    QCOMPARE(lesson_beside(lessons.back().name, 1), std::string());
    QCOMPARE(lesson_beside("none", 1), std::string());
  }

  // A list of its own says what comes next, step by step.
  void another_order_takes_the_place_of_the_course() {
    MainWindow window(MainWindow::Remember::no);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    room.open(kTour, 1);
    QVERIFY(comes_to(shown, 1));
    QVERIFY(room.comes(1) == (LessonPlace{kTour, 2}) && room.comes(-1) == (LessonPlace{kTour, 0}));
    room.set_order([](const LessonPlace& here, int direction) -> std::optional<LessonPlace> {
      if (direction < 0) return std::nullopt;
      return here.lesson == kTour ? LessonPlace{"why-attention/one-vector", 2} : LessonPlace{kTour, kSure};
    });
    room.set_presenting(true);
    room.back();
    QCOMPARE(room.step(), 1);
    room.next();
    QVERIFY(comes_to(shown, 2));
    QCOMPARE(room.lesson()->name, std::string("why-attention/one-vector"));
    room.next();
    QVERIFY(comes_to(shown, kSure));
    QCOMPARE(room.lesson()->name, std::string("tour"));
  }

  // The first key says that something is measured, the next one goes on beside it; who comes back finds the result.
  void what_is_measured_is_kept() {
    MainWindow window(MainWindow::Remember::no);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed);
    room.open(QStringLiteral("why-attention/one-vector"), 4);
    QVERIFY(comes_to(shown, 4));
    QVERIFY(room.waits() && !room.measuring());
    room.forward();
    QVERIFY(room.measuring() && !room.waits());
    room.forward();
    QCOMPARE(room.step(), 4);
    room.forward();
    QCOMPARE(room.step(), 5);
    QVERIFY(room.measuring());
    QTRY_VERIFY_WITH_TIMEOUT(!room.measuring(), kPatience);
    QVERIFY(comes_to(shown, 5));
    shown.clear();
    revealed.clear();
    room.back();
    QVERIFY(comes_to(shown, 4));
    QVERIFY(comes_to(revealed, 4));
    QVERIFY(!room.measuring() && !room.waits());
    QVERIFY(room.panel()->findChild<QWidget*>(QStringLiteral("lesson_chart"))->isVisible());
  }

  // A question without choices: who has it right.
  void every_question_can_be_voted_on() {
    MainWindow window(MainWindow::Remember::no);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed);
    room.open(kTour, kSure);
    QVERIFY(comes_to(shown, kSure));
    room.set_presenting(true);
    room.vote();
    QVERIFY(hands(room, "hands_right_0") && hands(room, "hands_wrong_0"));
    QVERIFY(!room.panel()->answer_field()->isHidden());
    hands(room, "hands_right_0")->setValue(7);
    hands(room, "hands_wrong_0")->setValue(3);
    room.panel()->findChild<QPushButton*>(QStringLiteral("lesson_unknown"))->click();
    QVERIFY(comes_to(revealed, kSure));
    QVERIFY(room.panel()->all_text().contains("The room: 7 of 10 were right."));
  }

  // Another class begins without hands; those of the one before stay what they are.
  void classes_vote_apart() {
    MainWindow window(MainWindow::Remember::no);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    room.open(kTour, kHyphen);
    QVERIFY(comes_to(shown, kHyphen));
    room.set_presenting(true);
    room.vote();
    hands(room, "hands_day_0")->setValue(20);
    const QString first = room.progress().find("tour")->vote("hyphen")->room;
    QVERIFY(!first.isEmpty());
    // A pause in the same lesson is the same class.
    room.set_presenting(false);
    QVERIFY(!hands(room, "hands_day_0"));
    room.set_presenting(true);
    QVERIFY(hands(room, "hands_day_0"));
    QCOMPARE(hands(room, "hands_day_0")->value(), 20);
    QTest::qWait(1100);  // a class is known by the second in which it began
    room.panel()->findChild<QPushButton*>(QStringLiteral("lesson_another_class"))->click();
    QCOMPARE(hands(room, "hands_day_0")->value(), 0);
    hands(room, "hands_day_0")->setValue(4);
    const LessonRecord* record = room.progress().find("tour");
    QCOMPARE(record->votes.size(), std::size_t{2});
    QCOMPARE(record->vote("hyphen", first)->hands.at("day")[0], 20);
    QCOMPARE(record->vote("hyphen")->hands.at("day")[0], 4);
  }

  void a_class_is_known_for_a_lesson_hour() {
    LessonProgress progress({});
    QCOMPARE(progress.room(10'000), QString());
    progress.vote("a", {"s", {{"x", {1, 0}}}, {}, "first", 10'000});
    progress.vote("b", {"s", {{"x", {1, 0}}}, {}, "second", 10'060});
    QCOMPARE(progress.room(10'100), QStringLiteral("second"));
    QCOMPARE(progress.room(10'060 + 44 * 60), QStringLiteral("second"));
    QCOMPARE(progress.room(10'060 + 46 * 60), QString());
  }

  // Ten minutes for five steps: two for each of them.
  void the_plan_gives_each_step_the_same_time() {
    QCOMPARE(SpeakerWindow::behind(0, 10, 0, 5), 0);
    QCOMPARE(SpeakerWindow::behind(1.9, 10, 0, 5), 0);
    QCOMPARE(SpeakerWindow::behind(3.5, 10, 0, 5), 1);
    QCOMPARE(SpeakerWindow::behind(3.5, 10, 1, 5), 0);
    QCOMPARE(SpeakerWindow::behind(4.5, 10, 3, 5), -1);
    QCOMPARE(SpeakerWindow::behind(14, 10, 4, 5), 4);
    QCOMPARE(SpeakerWindow::behind(14, 10, 0, 0), 0);
  }

  // The outline of the first vote, the filling of the second; as long as their numbers.
  void bars_are_as_long_as_their_hands() {
    QImage image(200, 40, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    LessonVote::paint_bars(painter, QRectF(0, 0, 200, 40), {10, 5}, 20, true);
    painter.end();
    const auto is_paper = [&](int x, int y) { return image.pixelColor(x, y) == QColor(Qt::white); };
    QVERIFY(!is_paper(25, 20) && !is_paper(48, 20));  // filled to a quarter
    bool line = false;
    for (int x = 97; x <= 103; ++x) line = line || !is_paper(x, 20);
    QVERIFY(is_paper(70, 20) && line);  // the outline ends at a half
    QVERIFY(is_paper(110, 20) && is_paper(150, 20));
    QCOMPARE(LessonVote::counted({10, 5}, {20, 20}), QStringLiteral("10 → 5"));
    QCOMPARE(LessonVote::counted({10, 0}, {20, 0}), QStringLiteral("10"));
  }
};

HEADLIGHT_WIDGET_TEST(TestLessonStage)

}  // namespace headlight::test_lesson_stage

#include "test_lesson_stage.moc"
