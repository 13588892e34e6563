// A chart of curves among points: against the formula of Nadaraya and Watson written anew; what conditions may ask; its
// picture, and the line that is dragged.

#include <QDir>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <cmath>

#include "app/classroom/classroom.h"
#include "app/classroom/lesson_chart_picture.h"
#include "app/classroom/lesson_curve_picture.h"
#include "app/classroom/lesson_panel.h"
#include "app/lessons/lesson_check.h"
#include "app/window/main_window.h"
#include "tests/app/curve_lesson.h"
#include "tests/test_program.h"

namespace headlight::test_lesson_curve {

namespace {

constexpr const char* kWords = "# Width\n\nOne.\n\n## width\n\nMove it.\n\n### chart\n\n- title: Points\n";

struct Folder {
  QTemporaryDir dir;
  void write(const char* name, QByteArray text) const {
    QFile file(dir.filePath(QLatin1String(name)));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
  }
  explicit Folder(const QByteArray& what = {}, const QByteArray& with = {}) {
    write("lesson.json", what.isEmpty() ? QByteArray(kLesson) : QByteArray(kLesson).replace(what, with));
    write("en.md", kWords);
  }
  std::string path() const { return dir.path().toStdString(); }
};

struct Answer {
  double value = 0;
  std::array<double, 3> shares{};
};
// Sum of y(i) exp(-(x - x(i))² / 2 w²), over the sum of these.
Answer kernel(double x, double width) {
  constexpr std::array<double, 3> kX = {0, 1, 2.5}, kY = {1, 3, 2};
  Answer made;
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i)
    sum += made.shares[i] = std::exp(-(x - kX[i]) * (x - kX[i]) / (2 * width * width));
  for (std::size_t i = 0; i < 3; ++i) made.value += (made.shares[i] /= sum) * kY[i];
  return made;
}

QImage painted(const ChartResult& result, const LessonChart& chart, const StepWords& words) {
  QImage image(500, 300, QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  paint_lesson_chart(result, chart, words, painter, image.size());
  return image;
}

}  // namespace

class TestLessonCurve : public QObject {
  Q_OBJECT

 private slots:
  void curve_and_bars() {
    const Folder folder;
    LessonRuns runs(read_lesson(folder.path()));
    const ChartResult made = runs.slid(0, {{"width", 0.7}, {"x", 2}});
    QCOMPARE(made.series.size(), std::size_t{1});
    QCOMPARE(made.series[0].x.size(), std::size_t{31});
    for (std::size_t k = 0; k < 31; ++k)
      QVERIFY(std::abs(made.series[0].y[k] - kernel(0.1 * static_cast<double>(k), 0.7).value) < 1e-9);
    const Answer there = kernel(2, 0.7);
    for (std::size_t i = 0; i < 3; ++i) QVERIFY(std::abs(made.bars[0].y[i] - there.shares[i]) < 1e-9);
    QVERIFY(std::abs(made.here.at("answer") - there.value) < 1e-9);
    // Also between the points of the drawing, and with sliders moved in a condition.
    QVERIFY(std::abs(runs.chart_value(0, "answer", 1.23456, {{"width", 2}}) - kernel(1.23456, 2).value) < 1e-9);
    QVERIFY_THROWS_EXCEPTION(UsageError, runs.chart_value(0, "share", 7, {}));
    QVERIFY_THROWS_EXCEPTION(UsageError, runs.chart_value(0, "nobody", 0, {}));
  }

  void conditions_move_the_sliders() {
    const Folder folder;
    LessonRuns runs(read_lesson(folder.path()));
    const LessonReport report = check_lesson(runs, [](const auto&, const auto*) { return std::string(); });
    QVERIFY2(report.ok(), report.problems.empty() ? "" : report.problems[0].c_str());
    QCOMPARE(report.conditions, 2);
    // A wide kernel answers with the mean of all, so the flipped claim is noticed.
    const Folder wrong("slid(\\\"width\\\", 0.05,", "slid(\\\"width\\\", 5,");
    LessonRuns others(read_lesson(wrong.path()));
    QVERIFY(!check_lesson(others, [](const auto&, const auto*) { return std::string(); }).ok());
  }

  void what_does_not_fit_is_told_data() {
    QTest::addColumn<QByteArray>("what");
    QTest::addColumn<QByteArray>("with");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const char* what, const char* with, const char* message) {
      QTest::newRow(name) << QByteArray(what) << QByteArray(with) << QString::fromUtf8(message);
    };
    row("range", "\"to\": 3, \"points\"", "\"to\": 0, \"points\"", "expected more than 'from'");
    row("points", "\"points\": 31", "\"points\": 1", "expected a whole number from 2 to 401");
    row("data", "[1, 3]", "[1, 3, 4]", "expected points [x, y]");
    row("slider", "slid(\\\"width\\\", 0.05,", "slid(\\\"wide\\\", 0.05,", "there is no slider 'wide'");
    row("no x", "\"x\": {\"from\": 0, \"to\": 3, \"points\": 31}, ", "", "x: missing");
    row("no points", "\"data\": [[0, 1], [1, 3], [2.5, 2]],", "", "expected 'data'");
  }
  void what_does_not_fit_is_told() {
    QFETCH(QByteArray, what);
    QFETCH(QByteArray, with);
    QFETCH(QString, message);
    const Folder folder(what, with);
    try {
      read_lesson(folder.path());
      QFAIL("it was read");
    } catch (const FormatError& error) {
      QVERIFY2(QString::fromUtf8(error.what()).contains(message), error.what());
    }
  }

  // The line stands where it is asked, and a point below the pointer is asked.
  void picture() {
    const Folder folder;
    LessonRuns runs(read_lesson(folder.path()));
    const LessonChart& chart = runs.lesson().steps[0].chart;
    const StepWords& words = runs.lesson().words[0].steps[0];
    const QImage near = painted(runs.slid(0, {{"x", 0.5}}), chart, words),
                 far = painted(runs.slid(0, {{"x", 2.5}}), chart, words);
    QVERIFY(near != far);
    QVERIFY(asked_at(chart, words, {500, 300}, -50) == 0);
    QCOMPARE(asked_at(chart, words, {500, 300}, 5000), 3.0);
    const double left = asked_at(chart, words, {500, 300}, 200), right = asked_at(chart, words, {500, 300}, 300);
    QVERIFY(0 < left && left < right && right < 3);
    QVERIFY(curve_in_words(runs.slid(0, {}), chart, words).contains(QStringLiteral("1.20")));
  }

  void the_line_is_dragged() {
    const Folder folder;
    MainWindow window(MainWindow::Remember::no);
    window.show();
    Classroom& room = window.classroom();
    QSignalSpy revealed(&room, &Classroom::revealed);
    room.open(folder.dir.path(), 0);
    QTRY_VERIFY_WITH_TIMEOUT(room.panel()->findChild<LessonSliders*>(), 60000);
    auto* x = room.panel()->findChild<QSlider*>(QStringLiteral("slider_x"));
    auto* chart = room.panel()->findChild<LessonChartPicture*>();
    QVERIFY(x && chart && chart->isVisible());
    QCOMPARE(x->value(), 12);
    QTest::mouseClick(chart, Qt::LeftButton, {}, QPoint(chart->width() - 12, chart->height() / 3));
    QTRY_VERIFY_WITH_TIMEOUT(x->value() > 25, 20000);
    QTRY_VERIFY_WITH_TIMEOUT(!revealed.isEmpty(), 20000);
    QTRY_VERIFY_WITH_TIMEOUT(!chart->accessibleDescription().contains(QStringLiteral("x: 1.20")), 20000);
  }
};

HEADLIGHT_WIDGET_TEST(TestLessonCurve)

}  // namespace headlight::test_lesson_curve

#include "test_lesson_curve.moc"
