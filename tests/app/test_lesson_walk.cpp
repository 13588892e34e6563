// Every lesson of every course, walked through in the window from the first step to the last: what a learner has to do
// brings the reveal about, every claim holds, the light falls on something, and no line is cut.
//
// HEADLIGHT_LESSON_GRID=all makes a row of every size, size of type, language and theme; by default the tour of all
// kinds of steps has them all, and each lesson four. HEADLIGHT_LESSON_PICTURES=FOLDER keeps a picture of each step.

#include <QAbstractButton>
#include <QDir>

#include "app/language.h"
#include "app/lessons/lesson_list.h"
#include "tests/app/lesson_walk.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"

namespace headlight::test_lesson_walk {

namespace {

const QString kTour = QStringLiteral(HEADLIGHT_TEST_DATA "/lessons/tour");

struct Grid {
  QSize size;
  double type;
  bool dark;
};

std::vector<Grid> grid() {
  std::vector<Grid> all;
  for (const QSize& size : {QSize(1024, 700), QSize(1280, 800), QSize(1920, 1080)})
    for (const double type : {1.0, 1.5, 2.0})
      for (const bool dark : {false, true}) all.push_back({size, type, dark});
  return all;
}

// What the step's words mean is lit: before the answer of a prediction nothing is, else something.
QString wrong_light(Classroom& room, int step, const QString& when) {
  const LessonStep& here = room.lesson()->steps[static_cast<std::size_t>(step)];
  const bool waits = here.asks() && when == QLatin1String("before");
  const auto lit = [&] { return !room.overlay()->picture().lit.isEmpty(); };
  if (waits && lit()) return QStringLiteral("the light gives the answer away");
  if (waits || here.spotlight.empty() || (here.kind == LessonStep::Kind::act && when == QLatin1String("after")))
    return {};
  return QTest::qWaitFor(lit, 20000) ? QString() : QStringLiteral("nothing is lit");  // the view may still be computing
}

}  // namespace

class TestLessonWalk : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() {
    Theme::instance().set(Theme::Mode::light, 1);
    set_language("en");
  }

  void every_lesson_data() {
    QTest::addColumn<QString>("lesson");
    QTest::addColumn<QString>("language");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("type");
    QTest::addColumn<bool>("dark");
    const bool all = qEnvironmentVariable("HEADLIGHT_LESSON_GRID") == QLatin1String("all");
    QStringList lessons = {kTour};
    for (const Course& course : courses())
      for (const ListedLesson& lesson : course.lessons) lessons << from_utf8(lesson.name);
    const std::vector<Grid> places = grid();
    std::size_t next = 0;
    for (const QString& lesson : lessons)
      for (const char* language : kLessonLanguages) {
        std::vector<Grid> chosen = {places[next % places.size()]};
        next += 7;  // has no factor in common with the number of places
        if (lesson == kTour) {
          chosen.clear();
          for (std::size_t i = 0; i < places.size(); ++i)
            if ((i + i / 2) % 2 == (language == kLessonLanguages[0] ? 0U : 1U)) chosen.push_back(places[i]);
        }
        for (const Grid& at : all ? places : chosen)
          QTest::addRow("%s %s %d x %d %.0f%% %s", qPrintable(lesson.section('/', -1)), language, at.size.width(),
                        at.size.height(), 100 * at.type, at.dark ? "dark" : "light")
              << lesson << QString::fromUtf8(language) << at.size << at.type << at.dark;
      }
  }
  void every_lesson() {
    QFETCH(QString, lesson);
    QFETCH(QString, language);
    QFETCH(QSize, size);
    QFETCH(double, type);
    QFETCH(bool, dark);
    Theme::instance().set(dark ? Theme::Mode::dark : Theme::Mode::light, type);
    set_language(language);
    MainWindow window(MainWindow::Remember::no);
    window.actions()["less_motion"]->setChecked(true);
    window.resize(size);
    window.show();
    const QString pictures = qEnvironmentVariable("HEADLIGHT_LESSON_PICTURES");
    QStringList problems;
    const auto look = [&](int step, const QString& when) {
      if (window.size() != size) return QStringLiteral("the window has another size");
      if (!pictures.isEmpty()) {
        QTest::qWait(150);  // views that draw in the background
        const QString name = QStringLiteral("%1-%2-%3.png")
                                 .arg(QString::fromUtf8(QTest::currentDataTag()).replace(' ', '_').remove('%'))
                                 .arg(step + 1, 2, 10, QLatin1Char('0'))
                                 .arg(when == QLatin1String("before") ? "a" : "b");
        QDir().mkpath(pictures);
        window.grab().save(pictures + "/" + name);
      }
      for (const QString& problem : {testing::cut_in_lesson(window), wrong_light(window.classroom(), step, when)})
        if (!problem.isEmpty()) problems << QStringLiteral("step %1 %2: %3").arg(step + 1).arg(when, problem);
      return QString();
    };
    const QString problem = testing::walk_lesson(window, lesson, look);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join('\n')));
    // The last page has nothing to try again, for every answer was the right one.
    window.classroom().next();
    const auto* finish = window.classroom().panel()->findChild<QWidget*>(QStringLiteral("lesson_finish"));
    QVERIFY(finish && finish->isVisible());
    for (const auto* each : finish->findChildren<QAbstractButton*>())
      QVERIFY2(!each->objectName().startsWith(QLatin1String("again_")), qPrintable(each->objectName()));
    QTRY_VERIFY2(testing::cut_in_lesson(window).isEmpty(), qPrintable(testing::cut_in_lesson(window)));
  }
};

HEADLIGHT_WIDGET_TEST(TestLessonWalk)

}  // namespace headlight::test_lesson_walk

#include "test_lesson_walk.moc"
