// Lessons in the window: answers, votes, the room in front, freedom, progress. The way from the first step to the last
// is test_lesson_walk.

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

#include "app/classroom/classroom.h"
#include "app/classroom/classroom_facts.h"
#include "app/classroom/lesson_overlay.h"
#include "app/classroom/lesson_panel.h"
#include "app/classroom/lessons_list.h"
#include "app/classroom/speaker_window.h"
#include "app/language.h"
#include "app/lessons/lesson_list.h"
#include "app/stage/stage.h"
#include "app/stage/window_panels.h"
#include "app/text/source_bar.h"
#include "app/window/main_window.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight::test_classroom {

namespace {

const QString kTour = QStringLiteral(HEADLIGHT_TEST_DATA "/lessons/tour");
constexpr int kPatience = 60'000;

template <class Widget>
Widget* part(const LessonPanel* panel, const char* name) {
  return panel->findChild<Widget*>(QString::fromUtf8(name));
}

bool comes_to(QSignalSpy& spy, int step) {
  const auto there = [&] { return !spy.isEmpty() && spy.last().at(0).toInt() == step; };
  return QTest::qWaitFor(there, kPatience);
}

}  // namespace

class TestClassroom : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { set_language(QStringLiteral("en")); }

  // The picture that a step means stands in a window of its own: there is no place for the light in this one.
  void a_picture_that_was_taken_out_has_no_light() {
    MainWindow window(MainWindow::Remember::no);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    room.open(kTour, 1);
    QVERIFY(comes_to(shown, 1));
    QTRY_VERIFY(!room.overlay()->picture().closed.isEmpty());
    window.panels().set_out(QStringLiteral("alignment"), true);
    QVERIFY(window.panels().is_out(QStringLiteral("alignment")));
    QCoreApplication::processEvents();
    room.overlay()->refresh();
    QVERIFY(room.overlay()->picture().lit.isEmpty() && room.overlay()->picture().chosen.isEmpty());
    window.panels().set_out(QStringLiteral("alignment"), false);
    QTRY_VERIFY((room.overlay()->refresh(), !room.overlay()->picture().closed.isEmpty()));
  }

  // The row that is asked for is closed until the answer, and the output with it.
  void the_answer_is_hidden_until_it_was_asked_for() {
    MainWindow window(MainWindow::Remember::no);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed);
    room.open(kTour, 1);
    QVERIFY(comes_to(shown, 1));
    QTRY_VERIFY(!room.overlay()->picture().closed.isEmpty());
    QCOMPARE(room.overlay()->picture().closed_output, QStringLiteral("1983-0?"));  // what follows is not written yet
    QVERIFY(room.overlay()->picture().lit.isEmpty());
    QVERIFY(room.asks());
    // A token that is clicked in the panel has its ring over the picture.
    room.panel()->answer_field()->set(Places{Places::Of::source, {0, 2}, {}});
    room.overlay()->refresh();
    QCOMPARE(room.overlay()->picture().chosen.size(), 2);
    part<QPushButton>(room.panel(), "lesson_show")->click();
    QVERIFY(comes_to(revealed, 1));
    room.overlay()->refresh();
    QVERIFY(room.overlay()->picture().closed.isEmpty() && room.overlay()->picture().closed_output.isNull());
    QVERIFY(!room.overlay()->picture().lit.isEmpty());
    const LessonRecord* record = room.progress().find(QStringLiteral("tour"));
    QCOMPARE(record->answers.size(), std::size_t{1});
    QCOMPARE(record->answers[0].answer, QStringLiteral("A G"));
  }

  // Any other picture would say it as well; and at its end nobody counts what is to come.
  void another_picture_waits_as_a_whole() {
    MainWindow window(MainWindow::Remember::no);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed);
    room.open(QStringLiteral("why-attention/one-vector"), 3);
    QVERIFY(comes_to(shown, 3));
    QCOMPARE(window.panels().front(), QStringLiteral("outputs"));
    QTRY_VERIFY(!room.overlay()->picture().waits.isEmpty());
    QCOMPARE(room.overlay()->picture().closed_output, QStringLiteral("?"));
    part<QPushButton>(room.panel(), "lesson_unknown")->click();
    QVERIFY(comes_to(revealed, 3));
    room.overlay()->refresh();
    QVERIFY(room.overlay()->picture().waits.isEmpty() && room.overlay()->picture().closed_output.isNull());
  }

  // A chart that answers a question is there when it is asked for.
  void a_chart_waits_for_the_question() {
    MainWindow window(MainWindow::Remember::no);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed);
    room.open(QStringLiteral("why-attention/one-vector"), 4);
    QVERIFY(comes_to(shown, 4));
    QVERIFY(room.waits() && revealed.isEmpty());
    QVERIFY(part<QWidget>(room.panel(), "lesson_chart")->isHidden());
    room.forward();
    QVERIFY(comes_to(revealed, 4));
    QVERIFY(!room.waits() && part<QWidget>(room.panel(), "lesson_chart")->isVisible());
    room.forward();
    QVERIFY(comes_to(shown, 5));
  }

  // A number that the words mean is that of the run they speak of, and its panel goes again with the step.
  void a_site_opens_as_a_number() {
    MainWindow window(MainWindow::Remember::no);
    window.resize(1280, 800);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    room.open(QStringLiteral("the-read/who-asks-and-when"), 0);
    QVERIFY(comes_to(shown, 0));
    QTRY_VERIFY_WITH_TIMEOUT(window.panels().is_seen(QStringLiteral("inspector")), 60000);
    QTRY_COMPARE(window.selection().state().entry.value_or(-1),
                 window.result()->trace->find("decoder.step[3].attention.query"));
    QCOMPARE(window.selection().state().step, std::optional<int>(3));
    QVERIFY(!window.selection().state().source_token);  // a query belongs to none
    room.next();
    QVERIFY(comes_to(shown, 1));
    QTRY_VERIFY(!window.panels().is_seen(QStringLiteral("inspector")));
  }

  void nobody_has_to_know() {
    MainWindow window(MainWindow::Remember::no);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed);
    room.open(kTour, 2);
    QVERIFY(comes_to(shown, 2));
    part<QPushButton>(room.panel(), "lesson_unknown")->click();
    QVERIFY(comes_to(revealed, 2));
    QCOMPARE(room.progress().find(QStringLiteral("tour"))->answers[0].answer, QString());
    QVERIFY(room.panel()->all_text().contains("Nothing in particular"));
  }

  // Peer instruction: a vote, talk, a second vote; the bars wait for the reveal.
  void a_room_votes_twice() {
    MainWindow window(MainWindow::Remember::no);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed);
    room.open(kTour, 2);
    QVERIFY(comes_to(shown, 2));
    QVERIFY(part<QPushButton>(room.panel(), "lesson_vote_button")->isHidden());  // at home nobody votes
    room.vote();
    QVERIFY(!part<QSpinBox>(room.panel(), "hands_day_0"));
    room.set_presenting(true);
    part<QPushButton>(room.panel(), "lesson_vote_button")->click();
    QVERIFY(part<QSpinBox>(room.panel(), "hands_day_0")->isVisible());
    QVERIFY(!part<QSpinBox>(room.panel(), "hands_day_1")->isVisible());
    QVERIFY(room.panel()->answer_field()->isHidden());  // the bars are the choices
    room.vote();
    QVERIFY(part<QSpinBox>(room.panel(), "hands_day_1")->isVisible());
    const auto put = [&](const char* box, int hands) { part<QSpinBox>(room.panel(), box)->setValue(hands); };
    put("hands_day_0", 20);
    put("hands_nothing_0", 5);
    put("hands_day_1", 5);
    put("hands_nothing_1", 20);
    QVERIFY(!room.panel()->all_text().contains("5 of 25"));
    part<QPushButton>(room.panel(), "lesson_unknown")->click();
    QVERIFY(comes_to(revealed, 2));
    const QString room_said = "The room: 5 of 25 were right. Second vote: 20 of 25.";
    QVERIFY(room.panel()->all_text().contains(room_said));
    put("hands_comma_1", 5);  // who comes late is counted
    QVERIFY(room.panel()->all_text().contains("Second vote: 20 of 30."));
    put("hands_comma_1", 0);
    const RoomVote* kept = room.progress().find(QStringLiteral("tour"))->vote("hyphen");  // 'My answers' prints it
    QVERIFY(kept);
    QCOMPARE(kept->hands.at("nothing"), (std::array<int, 2>{5, 20}));
    QCOMPARE(kept->right, QStringLiteral("nothing"));
  }

  // The remote goes through the lesson; its words stand on top, as large as the room needs.
  void it_is_presented() {
    MainWindow window(MainWindow::Remember::no);
    window.resize(1280, 800);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed);
    room.open(kTour, 2);
    QVERIFY(comes_to(shown, 2));
    window.actions()["present"]->trigger();
    QTRY_VERIFY(room.panel()->width() > 0.9 * window.width());
    const QFontMetricsF metrics(Theme::instance().ui_font(type::kTitle));
    QVERIFY(metrics.capHeight() >= window.height() / 45.);
    // What is asked is shown first; what is longer than the room is read to its end before.
    for (int i = 0; i < 4 && revealed.isEmpty(); ++i) {
      QTest::keyClick(window.panels().stage(), Qt::Key_PageDown);
      if (QTest::qWaitFor([&] { return !revealed.isEmpty(); }, 500)) break;
    }
    QVERIFY(comes_to(revealed, 2));
    QCOMPARE(room.step(), 2);
    for (int i = 0; i < 4 && room.step() == 2; ++i) QTest::keyClick(window.panels().stage(), Qt::Key_PageDown);
    QVERIFY(comes_to(shown, 3));
    QTest::keyClick(window.panels().stage(), Qt::Key_PageUp);
    QVERIFY(comes_to(shown, 2));
    window.actions()["present"]->trigger();
    QTRY_COMPARE(room.panel()->width(), 348);
    QVERIFY(room.is_open());
  }

  // Who stops presenting at another step sees that step's picture, as the room did.
  void the_window_shows_what_the_room_saw_last() {
    MainWindow window(MainWindow::Remember::no);
    window.resize(1280, 800);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    room.open(QStringLiteral("why-attention/one-vector"), 0);
    QVERIFY(comes_to(shown, 0));
    const QString first = window.panels().front();
    window.actions()["present"]->trigger();
    const int last = static_cast<int>(room.lesson()->steps.size()) - 1;
    room.go(last);
    QVERIFY(comes_to(shown, last));
    const QString presented = window.panels().front();
    QVERIFY(presented != first);
    window.actions()["present"]->trigger();
    QTRY_COMPARE(window.panels().front(), presented);
  }

  // From the longest page as well: the window is as large as the screen, and afterwards as it was.
  void presenting_never_makes_the_window_larger() {
    for (const char* lesson : {"why-attention/one-vector", "why-attention/looking-back"}) {
      MainWindow window(MainWindow::Remember::no);
      window.resize(1280, 800);
      window.show();
      Classroom& room = window.classroom();
      QSignalSpy shown(&room, &Classroom::shown);
      room.open(QString::fromUtf8(lesson), 0);
      QVERIFY(comes_to(shown, 0));
      const int last = static_cast<int>(room.lesson()->steps.size()) - 1;
      room.go(last);
      QVERIFY(comes_to(shown, last));
      window.actions()["present"]->trigger();
      for (int i = 0; i < 20; ++i) {
        QTest::qWait(10);
        QCOMPARE(window.size(), window.screen()->size());
      }
      window.actions()["present"]->trigger();
      QTest::qWait(50);
      QCOMPARE(window.size(), QSize(1280, 800));
    }
  }

  // The notes are on a screen that the room does not see, and the remote works from there as well.
  void notes_for_the_teacher() {
    const QRect left(0, 0, 1920, 1080), right(1920, 0, 300, 200);
    QCOMPARE(place_beside({left, right}, left, {420, 360}), right);
    QCOMPARE(place_beside({right, left}, right, {420, 360}).center(), left.center());
    QCOMPARE(place_beside({right, left}, right, {420, 360}).size(), QSize(420, 360));
    QVERIFY(place_beside({left}, left, {420, 360}).isNull());

    MainWindow window(MainWindow::Remember::no);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    room.open(kTour, 0);
    QVERIFY(comes_to(shown, 0));
    part<QPushButton>(room.panel(), "lesson_notes_button")->click();
    auto* notes = window.findChild<SpeakerWindow*>();
    QVERIFY(notes && notes->isVisible());
    QVERIFY(notes->words().contains("Step 1 of 10") && notes->words().contains("Next"));
    // The next question with what is right, computed meanwhile.
    QTRY_VERIFY_WITH_TIMEOUT(notes->words().contains("Answer: G"), kPatience);
    const QString first = notes->words();
    QTest::keyClick(notes, Qt::Key_PageDown);
    QVERIFY(comes_to(shown, 1));
    QVERIFY(notes->words().contains("Step 2 of 10"));
    QTest::keyClick(notes, Qt::Key_PageUp);
    QVERIFY(comes_to(shown, 0));
    QTRY_COMPARE_WITH_TIMEOUT(notes->words(), first, kPatience);
    // With one screen they are never on top of what is presented, and there again afterwards.
    window.actions()["present"]->trigger();
    QVERIFY(window.isFullScreen() && !notes->isVisible());
    window.actions()["present"]->trigger();
    QTRY_VERIFY(notes->isVisible());
  }

  // A whole lesson with nothing but the remote's next key: every line has been in sight before the next step comes.
  void it_is_given_with_one_key() {
    MainWindow window(MainWindow::Remember::no);
    window.resize(1280, 720);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed);
    room.open(QStringLiteral("why-attention/looking-back"), 0);
    QVERIFY(comes_to(shown, 0));
    window.actions()["present"]->trigger();
    QTRY_VERIFY(room.panel()->width() > 0.9 * window.width());
    const int last = static_cast<int>(room.lesson()->steps.size()) - 1;
    const QScrollBar* bar = room.panel()->findChild<QScrollArea*>()->verticalScrollBar();
    int scrolled = 0;
    for (int step = 0; step <= last;) {
      QTest::qWait(20);  // the strip takes the height that it needs
      const auto settled = [&] { return std::pair(bar->value(), bar->maximum()); };
      const auto before = settled();
      const int line = QFontMetrics(Theme::instance().ui_font(type::kText)).lineSpacing();
      const bool rest = before.second - before.first >= line, waited = room.waits();
      revealed.clear();
      QTest::keyClick(window.panels().stage(), Qt::Key_PageDown);
      if (rest) {
        QCOMPARE(room.step(), step);
        QVERIFY(bar->value() > before.first);
        QVERIFY(++scrolled < 40);
      } else if (waited) {
        QVERIFY(comes_to(revealed, step));
      } else if (++step <= last) {
        QVERIFY(comes_to(shown, step));
      }
    }
    // Behind the last page comes the next lesson, and back again.
    QVERIFY(comes_to(shown, 0));
    QCOMPARE(room.lesson()->name, lesson_beside("why-attention/looking-back", 1));
    QTest::keyClick(window.panels().stage(), Qt::Key_PageUp);
    QVERIFY(comes_to(shown, last));
    QCOMPARE(room.lesson()->name, std::string("why-attention/looking-back"));
  }

  // F9 leaves and comes back to the step as it was; Esc leaves nothing.
  void off_the_rails_and_back() {
    MainWindow window(MainWindow::Remember::no);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    room.open(kTour, 2);
    QVERIFY(comes_to(shown, 2));
    QTRY_VERIFY(window.result());
    QTest::keyClick(&window, Qt::Key_Escape);
    QVERIFY(room.is_open() && !room.exploring());
    window.actions()["explore"]->trigger();
    QVERIFY(room.exploring() && !room.asks());
    window.session().set_source(QStringLiteral("APRIL 5, 1994"));
    // A general condition is asked of this text as well.
    QTRY_VERIFY(part<QLabel>(room.panel(), "lesson_notes")->text().contains("No token holds more than 70 %"));
    shown.clear();
    window.actions()["explore"]->trigger();
    QVERIFY(comes_to(shown, 2));
    QVERIFY(!room.exploring());
    QCOMPARE(window.session().document().source, std::string("AUGUST 23, 1983"));
  }

  void the_window_is_as_before_afterwards() {
    MainWindow window(MainWindow::Remember::no);
    window.show();
    Document mine;
    mine.model = load_model("date-dot");
    mine.source = "MAY 5, 2001";
    window.start(mine);
    const QByteArray layout = window.panels().save_state();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    room.open(kTour);
    QVERIFY(comes_to(shown, 0));
    QCOMPARE(window.session().document().model->name, std::string("date-attention"));
    room.close();
    QCOMPARE(window.session().document().source, mine.source);
    QCOMPARE(window.session().document().model, mine.model);
    QCOMPARE(window.panels().save_state(), layout);
  }

  void a_bad_folder_changes_nothing() {
    MainWindow window(MainWindow::Remember::no);
    window.show();
    QTemporaryDir folder;
    QSignalSpy failed(&window.classroom(), &Classroom::failed);
    window.open_lesson(folder.path());
    QCOMPARE(failed.size(), 1);
    QVERIFY(!window.classroom().is_open());
  }

  // At most 30 % of the window; a strip on top of a narrow one.
  void it_leaves_room_for_the_picture() {
    MainWindow window(MainWindow::Remember::no);
    window.resize(1280, 800);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    room.open(kTour);
    QVERIFY(comes_to(shown, 0));
    QCOMPARE(room.panel()->width(), 348);
    QVERIFY(room.panel()->mapTo(&window, QPoint()).x() < 8);
    window.resize(1024, 700);
    QTRY_VERIFY(room.panel()->width() > 900);
    QVERIFY(room.panel()->height() <= 280);
  }

  void progress_survives_and_can_be_forgotten() {
    QTemporaryDir folder;
    const QString path = folder.path() + "/deep/lessons.json";
    {
      LessonProgress progress(path);
      progress.reach("a/b", "B", 3, 9, 100);
      progress.answer("a/b", {"guess", "Which?", "A U G", "A", "What you chose gets 97 %.", 1});
      progress.reach("a/c", "C", 1, 2, 50);
    }
    {
      const LessonProgress progress(path);
      QCOMPARE(progress.latest(), QStringLiteral("a/b"));
      QCOMPARE(progress.find("a/b")->step, 3);
      QCOMPARE(progress.find("a/b")->answers[0].answer, QStringLiteral("A U G"));
      QVERIFY(progress.find("a/c")->finished && !progress.find("a/b")->finished);
    }
    LessonProgress(path).clear();
    QVERIFY(LessonProgress(path).all().empty());
    // A file that somebody broke is one without progress.
    QFile broken(path);
    QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("{\"lessons\": [") > 0);
    broken.close();
    QVERIFY(LessonProgress(path).all().empty());
  }

  void the_column_offers_what_to_go_on_with() {
    LessonProgress progress({});
    LessonsColumn column(&progress);
    QVERIFY(column.findChildren<QAbstractButton*>().isEmpty());  // until it is seen nobody needs the lessons
    column.show();
    // The first lesson; then the first that is not done; then the one that was begun.
    const std::vector<ListedLesson>& lessons = courses().front().lessons;
    const auto offered = [&column] {
      QStringList names;
      for (const auto* each : column.findChildren<QAbstractButton*>())
        if (each->isVisible()) names << each->objectName();
      return names;
    };
    const auto name = [&](std::size_t at) { return QString::fromStdString(lessons[at].name); };
    QCOMPARE(offered(), (QStringList{name(0), "all_lessons"}));
    progress.reach(name(0), "first", lessons[0].steps, lessons[0].steps, 1);
    QVERIFY(progress.find(name(0))->finished);
    column.refresh();
    QCOMPARE(offered(), (QStringList{name(1), "all_lessons"}));
    progress.reach(name(2), "third", 1, lessons[2].steps, 2);
    column.refresh();
    QCOMPARE(offered(), (QStringList{name(2), "all_lessons"}));
    QSignalSpy all(&column, &LessonsColumn::allWanted);
    column.findChild<QAbstractButton*>(QStringLiteral("all_lessons"))->click();
    QCOMPARE(all.size(), 1);
  }
};

HEADLIGHT_WIDGET_TEST(TestClassroom)

}  // namespace headlight::test_classroom

#include "test_classroom.moc"
