// Every lesson of every course holds: played by the program, in both languages.

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/program.h"
#include "tests/test_program.h"

namespace headlight::test_bundled_lessons {

namespace {

using testing::Outcome;
using testing::run_program;

QJsonArray listed(const QString& language) {
  const Outcome ran = run_program({"lesson", "--list", "--json", "--language", language});
  return QJsonDocument::fromJson(ran.out.toUtf8()).array();
}

// `lesson` with one condition of its first step turned round, in `folder`.
QString negated(const QString& lesson, const QString& folder) {
  for (const QString& name : QDir(lesson).entryList(QDir::Files))
    if (!QFile::copy(lesson + "/" + name, folder + "/" + name)) return {};
  QFile file(folder + "/lesson.json");
  if (!file.open(QIODevice::ReadWrite)) return {};
  QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
  QJsonArray steps = json["steps"].toArray();
  QJsonObject step = steps[0].toObject();
  QJsonArray conditions = step["expect"].toArray();
  QJsonObject condition = conditions[0].toObject();
  condition["that"] = "not (" + condition["that"].toString() + ")";
  conditions[0] = condition;
  step["expect"] = conditions;
  steps[0] = step;
  json["steps"] = steps;
  file.resize(0);
  file.write(QJsonDocument(json).toJson());
  return folder;
}

}  // namespace

class TestBundledLessons : public QObject {
  Q_OBJECT

 private slots:
  void the_courses_are_complete() {
    QStringList names;
    for (const QJsonValue& lesson : listed("en")) names << lesson["name"].toString();
    const QDir folder("resources/lessons");
    QStringList folders;
    for (const QString& course : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
      for (const QString& lesson : QDir(folder.filePath(course)).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        folders << course + "/" + lesson;
    names.sort(), folders.sort();
    QCOMPARE(names, folders);  // a folder that cannot be read is not in the list
  }

  void every_lesson_has_chinese_words() {
    static const QRegularExpression chinese(QStringLiteral("\\p{Han}"));
    const QJsonArray lessons = listed("zh_CN");
    QVERIFY(!lessons.isEmpty());
    for (const QJsonValue& lesson : lessons) {
      QVERIFY2(lesson["title"].toString().contains(chinese), qPrintable(lesson["name"].toString()));
      QVERIFY2(lesson["summary"].toString().contains(chinese), qPrintable(lesson["name"].toString()));
    }
  }

  void every_condition_holds_data() {
    QTest::addColumn<QString>("name");
    for (const QJsonValue& lesson : listed("en"))
      QTest::newRow(qPrintable(lesson["name"].toString())) << lesson["name"].toString();
  }
  void every_condition_holds() {
    QFETCH(QString, name);
    const Outcome ran = run_program({"lesson", name, "--check"});
    QVERIFY2(ran.status == 0, qPrintable(ran.out + ran.error));
  }

  void a_negated_condition_is_found() {
    const QTemporaryDir folder;
    const QString lesson = negated("resources/lessons/why-attention/looking-back", folder.path());
    QVERIFY(!lesson.isEmpty());
    const Outcome ran = run_program({"lesson", lesson, "--check"});
    QCOMPARE(ran.status, 1);
    QVERIFY2(ran.out.startsWith("step 1 (wrote): "), qPrintable(ran.out));
  }
};

HEADLIGHT_TEST(TestBundledLessons)

}  // namespace headlight::test_bundled_lessons

#include "test_bundled_lessons.moc"
