// A chart with sliders: its numbers follow them, in the lesson as on paper.

#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>

#include "app/classroom/classroom.h"
#include "app/classroom/lesson_chart_picture.h"
#include "app/classroom/lesson_panel.h"
#include "app/lessons/lesson_check.h"
#include "app/lessons/lesson_list.h"
#include "app/window/main_window.h"
#include "tests/test_program.h"

namespace headlight::test_lesson_sliders {

class TestLessonSliders : public QObject {
  Q_OBJECT
  const std::string name_ = "the-read/score-softmax-sum";

  static double number(const char* expression, std::map<std::string, double> sliders = {}) {
    ExpressionScope scope;
    scope.sliders = std::move(sliders);
    return Expression(expression).number(scope);
  }

 private slots:
  // e to the power of log 3 is three times e to the power of 0.
  void softmax_by_hand() {
    QCOMPARE(number("item(softmax(list(0, log(3))), 0)"), 0.25);
    QCOMPARE(number("item(softmax(list(0, log(3))), 1)"), 0.75);
    QCOMPARE(number("sum(softmax(list(1000, 1000, 999)))"), 1.0);
    QCOMPARE(number("dot(softmax(list(5, 5)), list(2, 4))"), 3.0);
    QCOMPARE(number("2 * slider(\"a\")", {{"a", 1.5}}), 3.0);
    QVERIFY_THROWS_EXCEPTION(ExpressionError, number("slider(\"b\")", {{"a", 1.5}}));
    QVERIFY_THROWS_EXCEPTION(ExpressionError, Expression("slider(1)"));
    QVERIFY_THROWS_EXCEPTION(ExpressionError, Expression("list()"));
  }

  // Equal scores share equally; a score that is log 2 above four others has twice the share of each.
  void bars_follow_the_sliders() {
    const auto lesson = load_lesson(name_);
    const int step = lesson->step("push");
    QVERIFY(step >= 0);
    MainWindow window(MainWindow::Remember::no);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed);
    room.open(QString::fromStdString(name_), step);
    QTRY_VERIFY_WITH_TIMEOUT(room.panel()->findChild<LessonSliders*>(), 60000);
    auto* sliders = room.panel()->findChild<LessonSliders*>();
    QVERIFY(revealed.isEmpty());  // what happens is told when something was moved
    const auto bar = [&](const char* words) {
      for (const QWidget* each : sliders->findChildren<QWidget*>(QStringLiteral("lesson_bar")))
        if (each->accessibleName().startsWith(QString::fromUtf8(words))) return each->accessibleDescription();
      return QString();
    };
    QCOMPARE(bar("1, the first"), QStringLiteral("0.60"));  // the model's own share, as the lesson says
    for (QSlider* each : sliders->findChildren<QSlider*>()) each->setValue(200);  // -2 + 200 * 0.01: all are 0
    QTRY_COMPARE_WITH_TIMEOUT(bar("3"), QStringLiteral("0.20"), 20000);
    QTRY_COMPARE_WITH_TIMEOUT(bar("5"), QStringLiteral("0.20"), 20000);
    QVERIFY(!revealed.isEmpty());
    sliders->findChild<QSlider*>(QStringLiteral("slider_s4"))->setValue(269);  // log 2 is 0.693
    QTRY_COMPARE_WITH_TIMEOUT(bar("5"), QStringLiteral("0.33"), 20000);
    QTRY_COMPARE_WITH_TIMEOUT(bar("3"), QStringLiteral("0.17"), 20000);
    // What is typed moves the slider, and the bars.
    auto* field = sliders->findChild<QDoubleSpinBox*>(QStringLiteral("field_s4"));
    QVERIFY(field);
    QCOMPARE(field->value(), 0.69);
    field->setValue(0);
    QTRY_COMPARE_WITH_TIMEOUT(bar("5"), QStringLiteral("0.20"), 20000);
    QCOMPARE(sliders->findChild<QSlider*>(QStringLiteral("slider_s4"))->value(), 200);
    for (const QSlider* each : sliders->findChildren<QSlider*>()) QVERIFY(each->width() >= sliders->width() / 2);
    room.panel()->findChild<QPushButton*>(QStringLiteral("lesson_measure"))->click();  // as at first
    QTRY_COMPARE_WITH_TIMEOUT(bar("1, the first"), QStringLiteral("0.60"), 20000);
  }

  // Only inside of a chart that has them, within their ends.
  void what_is_kept() {
    const auto lesson = load_lesson(name_);
    LessonRuns runs(lesson);
    const int step = lesson->step("push");
    const ChartResult far = runs.slid(step, {{"s0", 1e9}, {"nobody", 3}});
    QCOMPARE(far.sliders.at("s0"), 6.0);
    QCOMPARE(far.sliders.size(), lesson->steps[static_cast<std::size_t>(step)].chart.sliders.size());
    QVERIFY(!runs.chart(step));
  }
};

HEADLIGHT_WIDGET_TEST(TestLessonSliders)

}  // namespace headlight::test_lesson_sliders

#include "test_lesson_sliders.moc"
