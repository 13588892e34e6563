// What shows how a model chooses and what it keeps stands in lessons: pictures, and the ways to stretch rotations as a
// chart.

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/choosing_lesson.h"
#include "tests/app/program.h"
#include "tests/test_program.h"

namespace headlight::test_lesson_choosing {

class TestLessonChoosing : public QObject {
  Q_OBJECT

 private slots:
  void is_good_as_a_lesson() {
    const QTemporaryDir dir;
    for (const auto& [name, text] : {std::pair("lesson.json", kLesson), {"en.md", kWords}}) {
      QFile file(dir.filePath(QLatin1String(name)));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(text);
    }
    const auto ran = testing::run_program({"lesson", dir.path(), "--check"});
    QVERIFY2(ran.status == 0, qPrintable(ran.out + ran.error));
  }
};

HEADLIGHT_CORE_TEST(TestLessonChoosing)

}  // namespace headlight::test_lesson_choosing

#include "test_lesson_choosing.moc"
