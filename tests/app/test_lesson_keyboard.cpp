// A whole lesson without a mouse: every question is answered and every step left by keys alone, and what a screen
// reader is told has a name.

#include <QApplication>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "tests/app/lesson_walk.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"

namespace headlight::test_lesson_keyboard {

class TestLessonKeyboard : public QObject {
  Q_OBJECT

  // By Tab alone, from wherever one is.
  static QWidget* reach(MainWindow& window, const std::function<bool(const QWidget*)>& wanted) {
    for (int i = 0; i < 200; ++i) {
      QWidget* focus = QApplication::focusWidget();
      if (focus && focus->isVisible() && wanted(focus)) return focus;
      QTest::keyClick(focus ? focus : &window, Qt::Key_Tab);
      QCoreApplication::processEvents();
    }
    return nullptr;
  }
  static bool press(MainWindow& window, const char* name) {
    QWidget* button = reach(window, [&](const QWidget* each) { return each->objectName() == QString::fromUtf8(name); });
    if (button) QTest::keyClick(button, Qt::Key_Return);
    return button != nullptr;
  }
  // What a screen reader says of a control: a name, or the text that stands on it.
  static bool is_named(const QWidget* widget) {
    if (!widget->accessibleName().isEmpty()) return true;
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) return !button->text().isEmpty();
    if (const auto* text = qobject_cast<const LessonText*>(widget)) return !text->words().isEmpty();
    return false;
  }

 private slots:
  void initTestCase() { Theme::instance().set(Theme::Mode::light, 1); }  // and with it what keys do

  void a_lesson_without_a_mouse_data() {
    QTest::addColumn<QString>("lesson");
    for (const char* name : {"why-attention/looking-back", "why-attention/one-vector", "the-read/score-softmax-sum"})
      QTest::newRow(name) << QString::fromUtf8(name);
  }
  void a_lesson_without_a_mouse() {
    QFETCH(QString, lesson);
    MainWindow window(MainWindow::Remember::no);
    window.resize(1280, 800);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed);
    room.open(lesson, 0);
    QVERIFY(room.lesson());
    using Kind = LessonStep::Kind;
    using Answer = LessonAnswer::Kind;
    const int count = static_cast<int>(room.lesson()->steps.size());
    for (int step = 0; step < count; ++step) {
      const LessonStep& here = room.lesson()->steps[static_cast<std::size_t>(step)];
      const QByteArray at = (lesson + " " + QString::fromStdString(here.id)).toUtf8();
      QVERIFY2(testing::comes_to(shown, step), at + " " + QByteArray::number(room.step()));
      QTRY_VERIFY2_WITH_TIMEOUT(!window.worker().busy(), at, 60000);
      for (const QWidget* each : room.panel()->findChildren<QWidget*>())
        if (each->isVisible() && each->focusPolicy() & Qt::TabFocus && !each->focusProxy())
          QVERIFY2(is_named(each), at + " " + each->metaObject()->className() + " " + each->objectName().toUtf8());
      bool answers = false;
      if (here.asks()) {
        AnswerField* field = room.panel()->answer_field();
        QVERIFY2(field, at);
        QWidget* first = reach(window, [&](const QWidget* each) { return each == field || field->isAncestorOf(each); });
        QVERIFY2(first, at);
        switch (here.answer.kind) {
          case Answer::choice:
          case Answer::tokens:
            QTest::keyClick(first, Qt::Key_Space);
            break;
          case Answer::number:
          case Answer::weights:
          case Answer::curve:
            break;  // what is shown first can be the answer
          case Answer::text:
            QTest::keyClicks(first, "1983-08-23");
            break;
          case Answer::cells:
            break;
        }
        answers = true;
        QVERIFY2(field->value(), at);
        QVERIFY2(press(window, "lesson_show"), at);
      } else if (here.kind == Kind::chart && room.waits()) {
        QVERIFY2(press(window, "lesson_measure"), at);
        answers = true;
      }
      if (answers) QVERIFY2(testing::comes_to(revealed, step), at);
      QVERIFY2(!answers || room.panel()->isAncestorOf(QApplication::focusWidget()), at);  // it never falls out
      QVERIFY2(press(window, here.kind == Kind::act ? "lesson_skip" : "lesson_next"), at);
    }
    // The last page: the next lesson, or the end.
    QVERIFY(room.panel()->findChild<QWidget*>(QStringLiteral("lesson_finish")));
    const QString before = QString::fromStdString(room.lesson()->name);
    QVERIFY(press(window, "lesson_next"));
    QVERIFY(!room.is_open() || QString::fromStdString(room.lesson()->name) != before);
  }

  // The keys of the panel: a page is a step.
  void pages_are_steps() {
    MainWindow window(MainWindow::Remember::no);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    room.open(QStringLiteral("why-attention/looking-back"), 2);
    QVERIFY(testing::comes_to(shown, 2));
    QWidget* next = reach(window, [](const QWidget* each) { return each->objectName() == "lesson_next"; });
    QVERIFY(next);
    QTest::keyClick(next, Qt::Key_PageUp);
    QVERIFY(testing::comes_to(shown, 1));
    QTest::keyClick(next, Qt::Key_PageDown);
    QVERIFY(testing::comes_to(shown, 2));
  }
};

HEADLIGHT_WIDGET_TEST(TestLessonKeyboard)

}  // namespace headlight::test_lesson_keyboard

#include "test_lesson_keyboard.moc"
