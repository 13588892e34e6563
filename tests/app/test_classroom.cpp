// Lessons in the window: a learner goes from the first step to the last, in both languages.

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "app/language.h"
#include "app/lessons/lesson_check.h"
#include "app/lessons/lesson_list.h"
#include "app/window/classroom.h"
#include "app/window/lesson_overlay.h"
#include "app/window/lesson_panel.h"
#include "app/window/lessons_list.h"
#include "app/window/main_window.h"
#include "app/window/source_bar.h"
#include "app/window/stage.h"
#include "app/window/window_panels.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

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

// Brings about a state as a learner does: types, switches, edits.
void act(MainWindow& window, const SessionState& wanted) {
  const Document now = window.session().document();
  if (wanted.source != now.source) {
    QLineEdit* field = window.findChild<QLineEdit*>(QStringLiteral("source"));
    if (field) {
      field->setFocus();
      field->selectAll();
      QTest::keyClicks(field, from_utf8(wanted.source));
    }
    if (window.session().document().source != wanted.source) window.session().set_source(from_utf8(wanted.source));
  }
  for (const auto& [key, value] : wanted.settings->items())
    if (!now.settings->contains(key) || (*now.settings)[key] != value)
      window.session().set_setting(from_utf8(key), value);
  if (wanted.interventions != now.interventions)
    window.session().change_interventions(wanted.interventions, now.interventions);
  if (wanted.target != now.target)
    window.session().set_target(wanted.target ? std::optional(from_utf8(*wanted.target)) : std::nullopt);
  if (wanted.prefix != now.prefix) window.session().set_prefix(wanted.prefix);
  if (!(wanted.decode == now.decode) || wanted.seed != now.seed)
    window.session().set_decoding(wanted.decode, wanted.seed);
}

QString unread(const LessonPanel* panel) {
  for (const LessonText* text : panel->findChildren<LessonText*>()) {
    if (!text->isVisible() || !text->has_words()) continue;
    if (text->document()->size().height() > text->height() + 1) return text->words() + ": too low";
    if (text->document()->idealWidth() > text->viewport()->width() + 1) return text->words() + ": too wide";
  }
  for (const QPushButton* button : panel->findChildren<QPushButton*>())
    if (button->isVisible() && button->width() < button->sizeHint().width()) return button->text() + ": cut";
  return {};
}

}  // namespace

class TestClassroom : public QObject {
  Q_OBJECT

  void play(const QString& lesson, const QString& language, QSize size) {
    set_language(language);
    MainWindow window(MainWindow::Remember::no);
    window.resize(size);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed),
        failed(&room, &Classroom::failed);
    room.open(lesson);
    QVERIFY2(failed.isEmpty(), failed.isEmpty() ? "" : qPrintable(failed[0][0].toString()));
    const int count = static_cast<int>(room.lesson()->steps.size());
    for (int step = 0; step < count; ++step) {
      const LessonStep& here = room.lesson()->steps[static_cast<std::size_t>(step)];
      const QByteArray at = (lesson + " " + language + " " + QString::fromStdString(here.id)).toUtf8();
      QVERIFY2(comes_to(shown, step), at);
      LessonPanel* panel = room.panel();
      QCOMPARE(unread(panel), QString());
      if (here.kind == LessonStep::Kind::predict) {
        QVERIFY2(panel->answer_field(), at);
        auto* show = part<QPushButton>(panel, "lesson_show");
        QVERIFY2(show->isVisible() && (!show->isEnabled() || panel->answer_field()->value()), at);
        LessonRuns runs(read_lesson(room.lesson()->folder));
        const ExpressionValue truth = true_answer(runs, step);
        panel->answer_field()->set(truth);
        QVERIFY2(show->isEnabled(), at);
        show->click();
        QVERIFY2(comes_to(revealed, step), at);
        QVERIFY2(!part<QLabel>(panel, "lesson_distance")->text().isEmpty(), at);
      } else if (here.kind == LessonStep::Kind::act) {
        QVERIFY2(revealed.isEmpty() || revealed.last().at(0).toInt() != step, at);
        if (step > 0 || here.state) QVERIFY(QTest::qWaitFor([&] { return window.result() != nullptr; }, kPatience));
        act(window, *here.solution);
        QVERIFY2(comes_to(revealed, step), at);
      } else if (here.kind == LessonStep::Kind::chart) {
        QVERIFY2(comes_to(revealed, step), at);
      }
      QCOMPARE(part<QLabel>(panel, "lesson_notes")->text(), QString());  // every claim holds here
      QCOMPARE(unread(panel), QString());
      QVERIFY2(failed.isEmpty(), at);
      if (step + 1 < count) part<QPushButton>(panel, "lesson_next")->click();
    }
    QVERIFY(room.progress().find(from_utf8(room.lesson()->name))->finished);
    part<QPushButton>(room.panel(), "lesson_next")->click();
    QVERIFY(!room.is_open());
  }

 private slots:
  void cleanup() { set_language(QStringLiteral("en")); }

  void every_step_data() {
    QTest::addColumn<QString>("lesson");
    QTest::addColumn<QString>("language");
    QTest::addColumn<QSize>("size");
    for (const char* language : kLessonLanguages) {
      const auto row = [&](const QString& lesson, QSize size) {
        QTest::newRow(qPrintable(lesson.section('/', -2) + " " + language + QStringLiteral(" %1").arg(size.width())))
            << lesson << QString::fromUtf8(language) << size;
      };
      row(kTour, {1280, 800});
      row(kTour, {1024, 700});
      for (const Course& course : courses())
        for (const ListedLesson& lesson : course.lessons) row(from_utf8(lesson.name), {1280, 800});
    }
  }
  void every_step() {
    QFETCH(QString, lesson);
    QFETCH(QString, language);
    QFETCH(QSize, size);
    play(lesson, language, size);
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
    QCOMPARE(room.overlay()->picture().closed_output, QStringLiteral("1983-0?-23"));
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
    part<QPushButton>(room.panel(), "lesson_vote_button")->click();
    const auto put = [&](const char* box, int hands) { part<QSpinBox>(room.panel(), box)->setValue(hands); };
    put("hands_day_0", 20);
    put("hands_nothing_0", 5);
    put("hands_day_1", 5);
    put("hands_nothing_1", 20);
    QVERIFY(!room.panel()->all_text().contains("5 of 25"));
    part<QPushButton>(room.panel(), "lesson_unknown")->click();
    QVERIFY(comes_to(revealed, 2));
    QVERIFY(room.panel()->all_text().contains("The room: 5 of 25 were right. After talking: 20 of 25."));
  }

  // The remote goes through the lesson; its words stand on top, as large as the room needs.
  void it_is_presented() {
    MainWindow window(MainWindow::Remember::no);
    window.resize(1280, 800);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    room.open(kTour, 2);
    QVERIFY(comes_to(shown, 2));
    window.actions()["present"]->trigger();
    QTRY_VERIFY(room.panel()->width() > 0.9 * window.width());
    const QFontMetricsF metrics(Theme::instance().ui_font(type::kTitle));
    QVERIFY(metrics.capHeight() >= window.height() / 45.);
    QTest::keyClick(window.panels().stage(), Qt::Key_PageDown);
    QVERIFY(comes_to(shown, 3));
    QTest::keyClick(window.panels().stage(), Qt::Key_PageUp);
    QVERIFY(comes_to(shown, 2));
    window.actions()["present"]->trigger();
    QTRY_COMPARE(room.panel()->width(), 348);
    QVERIFY(room.is_open());
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
      progress.answer("a/b", {"guess", "Which?", "A U G", "A", "They hold 97 %.", 1});
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
    QSignalSpy all(&column, &LessonsColumn::allWanted);
    column.findChild<QAbstractButton*>(QStringLiteral("all_lessons"))->click();
    QCOMPARE(all.size(), 1);
  }
};

}  // namespace headlight

HEADLIGHT_WIDGET_TEST(headlight::TestClassroom)
#include "test_classroom.moc"
