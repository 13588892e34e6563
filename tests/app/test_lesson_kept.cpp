// What a learner answered and how a room voted is there again after the program was killed, until it is cleared.

#include <QDir>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <cstdio>

#include "app/classroom/classroom.h"
#include "app/classroom/lesson_panel.h"
#include "app/window/main_window.h"
#include "tests/test_program.h"

namespace headlight::test_lesson_kept {

namespace {

const QString kTour = QStringLiteral(HEADLIGHT_TEST_DATA "/lessons/tour");
constexpr int kAsked = 2;  // "hyphen": day, nothing, ...
constexpr int kPatience = 60'000;

bool comes_to(QSignalSpy& spy, int step) {
  return QTest::qWaitFor([&] { return !spy.isEmpty() && spy.last().at(0).toInt() == step; }, kPatience);
}
QSpinBox* hands(const Classroom& room, const char* name) {
  return room.panel()->findChild<QSpinBox*>(QString::fromUtf8(name));
}

// Votes, answers, says so, and waits for the end.
int answer_until_killed(const QString& file) {
  MainWindow window(MainWindow::Remember::no);
  window.show();
  Classroom room(window.taught(), file);
  QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed);
  room.open(kTour, kAsked);
  if (!comes_to(shown, kAsked)) return 1;
  room.set_presenting(true);
  room.panel()->findChild<QPushButton*>(QStringLiteral("lesson_vote_button"))->click();
  hands(room, "hands_day_0")->setValue(20);
  hands(room, "hands_nothing_1")->setValue(17);
  room.panel()->answer_field()->set(ExpressionValue(std::string("day")));
  room.panel()->findChild<QPushButton*>(QStringLiteral("lesson_show"))->click();
  if (!comes_to(revealed, kAsked)) return 1;
  std::puts("answered");
  std::fflush(stdout);
  return QCoreApplication::exec();
}

}  // namespace

class TestLessonKept : public QObject {
  Q_OBJECT

 private slots:
  void killed_right_after_an_answer() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("deep/lessons.json");
    QProcess victim;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("HEADLIGHT_VICTIM", file);
    victim.setProcessEnvironment(environment);
    victim.start(QCoreApplication::applicationFilePath(), {"test_lesson_kept"});
    QByteArray output;
    while (!output.contains("answered") && victim.waitForReadyRead(kPatience)) output += victim.readAllStandardOutput();
    QVERIFY2(output.contains("answered"), output + victim.readAllStandardError());
    victim.kill();
    QVERIFY(victim.waitForFinished(kPatience));
    QCOMPARE(victim.exitStatus(), QProcess::CrashExit);
    QCOMPARE(QDir(folder.filePath("deep")).entryList(QDir::Files | QDir::Hidden), QStringList{"lessons.json"});

    MainWindow window(MainWindow::Remember::no);
    window.show();
    Classroom room(window.taught(), file);
    QCOMPARE(room.progress().latest(), QStringLiteral("tour"));
    const LessonRecord* record = room.progress().find(QStringLiteral("tour"));
    QVERIFY(record);
    QCOMPARE(record->answers.size(), std::size_t{1});
    QCOMPARE(record->answers[0].step, QStringLiteral("hyphen"));
    QVERIFY(!record->answers[0].answer.isEmpty() && record->answers[0].answer != record->answers[0].truth);

    // It goes on at that step, the first vote beside the second.
    QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed);
    room.set_presenting(true);
    room.open(kTour);
    QVERIFY(comes_to(shown, kAsked));
    QVERIFY(hands(room, "hands_day_0"));
    QCOMPARE(hands(room, "hands_day_0")->value(), 20);
    QCOMPARE(hands(room, "hands_nothing_1")->value(), 17);
    room.panel()->findChild<QPushButton*>(QStringLiteral("lesson_unknown"))->click();
    QVERIFY(comes_to(revealed, kAsked));
    QVERIFY(room.panel()->all_text().contains("The room: 0 of 20 were right. Second vote: 17 of 17."));

    // What was right is kept with the hands; those that are counted afterwards as well.
    QCOMPARE(room.progress().find("tour")->vote("hyphen")->right, QStringLiteral("nothing"));
    hands(room, "hands_comma_1")->setValue(3);
    QCOMPARE(LessonProgress(file).find("tour")->vote("hyphen")->hands.at("comma")[1], 3);
    QCOMPARE(LessonProgress(file).find("tour")->vote("hyphen")->right, QStringLiteral("nothing"));

    room.progress().clear();
    QVERIFY(LessonProgress(file).all().empty());
    room.go(kAsked);
    QVERIFY(QTest::qWaitFor([&] { return shown.size() >= 2; }, kPatience));
    QVERIFY(!hands(room, "hands_day_0"));
  }

  // What somebody else wrote into the file is taken for what it can be.
  void odd_votes_are_bounded() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("lessons.json");
    QFile written(file);
    QVERIFY(written.open(QIODevice::WriteOnly));
    written.write(
        R"({"headlight_progress": 1, "lessons": {"a": {"title": "A", "step": 1, "steps": 3, "votes": [
            {"step": "s", "hands": {"x": [-5, 100000], "y": [1], "z": "all", "w": [2, null]}}, 7, {"hands": []}]}}})");
    written.close();
    const LessonProgress progress(file);
    const RoomVote* vote = progress.find("a")->vote("s");
    QVERIFY(vote);
    QCOMPARE(vote->hands.size(), std::size_t{2});
    QCOMPARE(vote->hands.at("x"), (std::array<int, 2>{0, 999}));
    QCOMPARE(vote->hands.at("w"), (std::array<int, 2>{2, 0}));
  }
};

static int run_kept(int count, char** arguments) {
  const QByteArray file = qgetenv("HEADLIGHT_VICTIM");
  return file.isEmpty() ? testing::run_test<TestLessonKept>(count, arguments)
                        : answer_until_killed(QFile::decodeName(file));
}
[[maybe_unused]] static const bool known = testing::add_test(__FILE__, testing::Application::widgets, &run_kept);

}  // namespace headlight::test_lesson_kept

#include "app/classroom/taught_window.h"
#include "test_lesson_kept.moc"
