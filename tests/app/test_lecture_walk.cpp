// A lecture list in the window: it is changed, undone, saved, and walked through while it changes.

#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "app/classroom/classroom.h"
#include "app/lectures/lecture_dialog.h"
#include "app/lectures/lecture_walk.h"
#include "app/lessons/lesson_list.h"
#include "app/window/main_window.h"
#include "model/io/file.h"
#include "tests/test_program.h"
#include "widgets/base/utf8_text.h"

namespace headlight::test_lecture_walk {

namespace {

constexpr int kPatience = 60'000;
const char* const kTour = HEADLIGHT_TEST_DATA "/lessons/tour";
const QString kEntryNames = QStringLiteral("lecture:");

LectureEntry words(const char* title, int minutes) { return {{}, title, {}, {}, {}, minutes}; }

QStringList titles(const LectureTable& table) {
  QStringList all;
  for (int row = 0; row < table.rowCount(); ++row) all << table.title(row);
  return all;
}

}  // namespace

class TestLectureWalk : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  std::unique_ptr<MainWindow> window_;

  QString file(const char* name) const { return folder_.filePath(QString::fromUtf8(name)); }
  LectureWalk& walk() { return window_->lecture(); }
  LectureTable& table() { return *walk().table(); }
  Classroom& room() { return window_->classroom(); }
  QString title_shown() { return from_utf8(room().lesson()->in("en").title); }
  // Three steps of one's own, 3, 10 and 5 minutes.
  void fill() {
    table().set_lecture({"Attention", 10 * 60, {words("Welcome", 3), words("A break", 10), words("Questions", 5)}}, {});
  }
  bool press(QWidget* widget, Qt::Key key, Qt::KeyboardModifiers with = Qt::NoModifier) {
    QTest::keyClick(widget, key, with);
    QCoreApplication::processEvents();
    return true;
  }

 private slots:
  void init() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
  }
  void cleanup() { window_.reset(); }

  void changes_are_undone_one_by_one() {
    fill();
    table().move(0, 2);
    QCOMPARE(titles(table()), (QStringList{"A break", "Questions", "Welcome"}));
    QVERIFY(table().setData(table().index(1, LectureTable::minutes), 7, Qt::EditRole));
    table().remove(0);
    table().insert(0, words("Hello", 1));
    QCOMPARE(titles(table()), (QStringList{"Hello", "Questions", "Welcome"}));
    QCOMPARE(table().lecture().minutes(), 1 + 7 + 3);
    for (int i = 0; i < 4; ++i) table().undo()->undo();
    QCOMPARE(titles(table()), (QStringList{"Welcome", "A break", "Questions"}));
    QCOMPARE(table().lecture().minutes(), 18);
    QVERIFY(table().undo()->isClean() && !table().undo()->canUndo());
    table().undo()->redo();
    QCOMPARE(titles(table()), (QStringList{"A break", "Questions", "Welcome"}));
  }

  void each_button_says_what_it_does() {
    walk().show_list();
    for (const auto* each : walk().dialog()->findChildren<QPushButton*>())
      QVERIFY2(!each->text().isEmpty(), qPrintable(each->objectName()));
    for (const auto* each : walk().dialog()->findChildren<QCheckBox*>()) QVERIFY(!each->text().isEmpty());
  }

  void it_closes() {
    walk().show_list();
    press(walk().dialog(), Qt::Key_Escape);
    QVERIFY(!walk().dialog()->isVisible());
    walk().show_list();
    QVERIFY(walk().dialog()->close());
    QVERIFY(!walk().dialog()->isVisible());
  }

  // The row that one is at is kept by what moves, and what comes in stands behind it.
  void the_list_is_changed_by_keys() {
    fill();
    walk().show_list();
    QTableView* cells = walk().dialog()->cells();
    cells->setFocus();
    cells->setCurrentIndex(table().index(0, LectureTable::what));
    press(cells, Qt::Key_Down, Qt::AltModifier);
    press(cells, Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(titles(table()), (QStringList{"A break", "Questions", "Welcome"}));
    QCOMPARE(cells->currentIndex().row(), 2);
    press(cells, Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(titles(table()), (QStringList{"A break", "Welcome", "Questions"}));
    press(cells, Qt::Key_Delete);
    QCOMPARE(titles(table()), (QStringList{"A break", "Questions"}));
    QCOMPARE(cells->currentIndex().row(), 1);
    press(cells, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(titles(table()), (QStringList{"A break", "Welcome", "Questions"}));
    QCOMPARE(cells->currentIndex().row(), 1);
    QVERIFY(!room().is_open());
    press(cells, Qt::Key_Return);
    QVERIFY(room().is_open());
    QCOMPARE(title_shown(), QString("Welcome"));
  }

  // Enter above the list ends what is typed there, and the room sees nothing yet; a list begins when somebody says so.
  void the_head_of_the_list() {
    fill();
    walk().show_list();
    QSignalSpy presented(walk().dialog(), &LectureDialog::present);
    auto* title = walk().dialog()->findChild<QLineEdit*>(QStringLiteral("lecture_title"));
    title->setFocus();
    title->setText("One hour");
    press(title, Qt::Key_Return);
    QCOMPARE(table().lecture().title, std::string("One hour"));
    QVERIFY(presented.isEmpty() && !room().is_open());
    auto* begins = walk().dialog()->findChild<QCheckBox*>(QStringLiteral("lecture_has_begin"));
    QVERIFY(begins->isChecked());
    QCOMPARE(table().data(table().index(2, LectureTable::at), Qt::DisplayRole).toString(), QString("10:13"));
    begins->click();
    QVERIFY(!table().lecture().begins);
    QCOMPARE(table().data(table().index(2, LectureTable::at), Qt::DisplayRole).toString(), QString());
    table().undo()->undo();
    QVERIFY(begins->isChecked());
  }

  void a_file_is_written_and_opened_again() {
    fill();
    table().insert(1, {kTour, {}, {}, {}, {}, 5});
    table().set_file(bytes_of(file("one.lecture")));
    table().move(0, 3);
    QVERIFY(!table().undo()->isClean());
    walk().dialog()->save();
    QVERIFY(table().undo()->isClean());
    table().set_lecture({}, {});
    QCOMPARE(table().rowCount(), 0);
    walk().open(file("one.lecture"));
    QCOMPARE(table().rowCount(), 4);
    QCOMPARE(table().title(3), QString("Welcome"));
    QCOMPARE(
        table().data(table().index(0, LectureTable::questions), Qt::DisplayRole).toInt(),
        static_cast<int>(std::ranges::count(load_lesson(kTour)->steps, LessonStep::Kind::predict, &LessonStep::kind)));
    // What cannot be read leaves the list as it is.
    QSignalSpy failed(walk().dialog(), &LectureDialog::failed);
    write_file_atomically(bytes_of(file("bad.lecture")), "{}");
    walk().open(file("bad.lecture"));
    QCOMPARE(failed.size(), 1);
    QCOMPARE(table().rowCount(), 4);
  }

  // Another list begins when what was changed is saved or given up; nothing waits for the answer.
  void changes_are_not_lost_unasked() {
    fill();
    walk().show_list();
    const int count = table().rowCount();
    auto* begin_another = walk().dialog()->findChild<QPushButton*>(QStringLiteral("lecture_new"));
    const auto answer = [&](QMessageBox::ButtonRole role) {
      begin_another->click();
      auto* asked = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      QVERIFY(asked);
      for (QAbstractButton* each : asked->buttons())
        if (asked->buttonRole(each) == role) return each->click();
    };
    table().undo()->setClean();
    table().move(0, 1);
    answer(QMessageBox::RejectRole);
    QCOMPARE(table().rowCount(), count);
    table().set_file(bytes_of(file("kept.lecture")));
    table().move(0, 1);
    const QString first = table().title(0);
    answer(QMessageBox::AcceptRole);
    QCOMPARE(table().rowCount(), 0);
    walk().open(file("kept.lecture"));
    QCOMPARE(table().title(0), first);
    table().move(0, 1);
    answer(QMessageBox::DestructiveRole);
    QCOMPARE(table().rowCount(), 0);
  }

  void an_own_step_is_written_in_a_dialog() {
    fill();
    walk().show_list();
    const int count = table().rowCount();
    walk().dialog()->findChild<QPushButton*>(QStringLiteral("lecture_step"))->menu()->actions()[1]->trigger();
    auto* asked = qobject_cast<QDialog*>(QApplication::activeModalWidget());
    QVERIFY(asked);
    asked->findChild<QLineEdit*>()->setText("A break");
    asked->accept();
    QCOMPARE(table().rowCount(), count + 1);
    QVERIFY(QStringList({table().title(count), table().title(1), table().title(0)}).contains("A break"));
  }

  // PageDown goes through a lesson and into the next entry, PageUp back to the last step of the one before.
  void it_is_walked_through_and_back() {
    table().set_lecture({"L", {}, {words("Welcome", 3), {kTour, {}, {}, {}, {}, 5}, {kTour, {}, {}, {}, {}, 5}}}, {});
    walk().go(0);
    QCOMPARE(title_shown(), QString("Welcome"));
    QCOMPARE(table().now(), 0);
    QVERIFY(!room().comes(-1));
    room().next();
    QCOMPARE(table().now(), 1);
    const int last = static_cast<int>(room().lesson()->steps.size()) - 1;
    room().go(last);
    room().next();
    QCOMPARE(table().now(), 2);  // the same lesson once more is another entry
    QCOMPARE(room().step(), 0);
    room().back();
    QCOMPARE(table().now(), 1);
    QCOMPARE(room().step(), last);
    walk().go(2);
    room().go(last);
    QVERIFY(!room().comes(1));
  }

  void a_step_of_ones_own_shows_its_state() {
    LectureEntry shown = words("Dates", 5);
    shown.state.emplace();
    shown.state->model.name = "date-attention";
    shown.state->source = "AUGUST 23, 1983";
    shown.view = "alignment";
    table().set_lecture({"L", {}, {words("Welcome", 3), shown}}, {});
    QSignalSpy ready(&room(), &Classroom::shown);
    walk().go(1);
    QTRY_VERIFY_WITH_TIMEOUT(!ready.isEmpty(), kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(from_utf8(window_->session().document().source), QString("AUGUST 23, 1983"), kPatience);
    QCOMPARE(from_utf8(window_->session().document().model->name), QString("date-attention"));
  }

  // Whatever happens to the list, the room stays where it is and goes on with what stands behind it now.
  void the_list_changes_in_the_middle_of_a_walk() {
    fill();
    walk().go(1);
    table().move(1, 2);  // the break comes last
    QCOMPARE(table().now(), 2);
    QVERIFY(!room().comes(1));
    QCOMPARE(title_shown(), QString("A break"));
    table().undo()->undo();
    QCOMPARE(table().now(), 1);
    table().insert(0, words("Before", 1));
    QCOMPARE(table().now(), 2);
    table().remove(2);  // what is shown is taken out: next comes what took its place
    QCOMPARE(table().now(), -1);
    QCOMPARE(title_shown(), QString("A break"));
    room().next();
    QCOMPARE(title_shown(), QString("Questions"));
    room().back();
    QCOMPARE(title_shown(), QString("Welcome"));
    // Written anew while it is shown.
    Lecture lecture = table().lecture();
    lecture.entries[1].title = "Good morning";
    table().change(std::move(lecture), "change a step");
    QCOMPARE(title_shown(), QString("Good morning"));
    // Another list begins at its beginning.
    table().set_lecture({"Other", {}, {words("One", 1), words("Two", 1)}}, {});
    QCOMPARE(table().now(), -1);
    room().next();
    QCOMPARE(title_shown(), QString("One"));
  }

  void without_a_list_the_courses_lead() {
    fill();
    const std::vector<ListedLesson>& lessons = courses().front().lessons;
    room().open(from_utf8(lessons[0].name), 0);
    room().go(static_cast<int>(room().lesson()->steps.size()) - 1);
    QVERIFY(room().comes(1) == (LessonPlace{from_utf8(lessons[1].name), 0}));
    QCOMPARE(table().now(), -1);
    QVERIFY(!room().opened_as().startsWith(kEntryNames));
  }

  // 3, 10 and 5 minutes, begun with the second: the third is planned from minute 10 to 15.
  void how_far_from_the_plan_data() {
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("entry");
    QTest::addColumn<double>("used");
    QTest::addColumn<int>("late");
    QTest::addRow("as planned") << 1 << 2 << 12.0 << 0;
    QTest::addRow("late") << 1 << 2 << 18.5 << 3;
    QTest::addRow("early") << 1 << 2 << 7.9 << -2;
    QTest::addRow("from the beginning") << 0 << 2 << 12.0 << -1;
    QTest::addRow("back before it began") << 1 << 0 << 5.0 << 2;
  }
  void how_far_from_the_plan() {
    QFETCH(int, from);
    QFETCH(int, entry);
    QFETCH(double, used);
    QFETCH(int, late);
    fill();
    QCOMPARE(LectureWalk::behind(table().lecture(), from, entry, used), late);
  }

  void the_list_tells_where_the_class_is() {
    fill();
    walk().show_list();
    auto* standing = walk().dialog()->findChild<QLabel*>(QStringLiteral("lecture_standing"));
    QVERIFY(standing->text().isEmpty());
    walk().go(1);
    QCOMPARE(standing->text(), QString("Entry 2: minute 1 of 10, as planned"));
    room().close();
    QVERIFY(standing->text().isEmpty());
  }
};

HEADLIGHT_WIDGET_TEST(TestLectureWalk)

}  // namespace headlight::test_lecture_walk

#include "test_lecture_walk.moc"
