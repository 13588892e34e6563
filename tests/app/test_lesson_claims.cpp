// docs/lessons-claims.md says where each claim is covered; the lessons say it of themselves. Both must agree.

#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include "tests/test_program.h"

namespace headlight::test_lesson_claims {

namespace {

constexpr int kClaims = 62;

QByteArray read(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

struct Row {
  QSet<QString> lessons;
  bool corrects = false;
};

}  // namespace

class TestLessonClaims : public QObject {
  Q_OBJECT
  QMap<QString, Row> rows_;                // of a claim
  QStringList order_;                      // of the claims in the table
  QMap<QString, QSet<QString>> claims_;    // of a lesson
  QMap<QString, QStringList> correcting_;  // of a lesson

 private slots:
  void initTestCase() {
    static const QRegularExpression row(QStringLiteral("^\\| (L\\d+) \\| ([^|]+) \\| ([^|]+) \\|$"),
                                        QRegularExpression::MultilineOption);
    for (auto at = row.globalMatch(QString::fromUtf8(read("docs/lessons-claims.md"))); at.hasNext();) {
      const auto match = at.next();
      order_ << match.captured(1);
      Row& made = rows_[match.captured(1)];
      made.corrects = match.captured(2).contains(QStringLiteral("✗"));
      for (const QString& lesson : match.captured(3).split(QStringLiteral(","))) made.lessons << lesson.trimmed();
    }
    QDirIterator files("resources/lessons", {"lesson.json"}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
      const QString file = files.next();
      const QString name = file.section('/', 2, 3);
      const QJsonObject lesson = QJsonDocument::fromJson(read(file)).object();
      QVERIFY2(!lesson.isEmpty(), qPrintable(file));
      QSet<QString>& claims = claims_[name];
      for (const QJsonValue& each : lesson["claims"].toArray()) claims << each.toString();
      for (const QJsonValue& each : lesson["corrects"].toArray()) correcting_[name] << each.toString();
    }
    QVERIFY(!claims_.isEmpty());
  }

  void every_claim_has_one_row() {
    QStringList expected;
    for (int number = 1; number <= kClaims; ++number) expected << QStringLiteral("L%1").arg(number);
    QCOMPARE(order_, expected);
  }

  void the_table_says_what_the_lessons_say() {
    for (auto row = rows_.cbegin(); row != rows_.cend(); ++row)
      for (const QString& lesson : row->lessons)
        QVERIFY2(claims_.value(lesson).contains(row.key()), qPrintable(row.key() + " is not claimed by " + lesson));
    for (auto lesson = claims_.cbegin(); lesson != claims_.cend(); ++lesson)
      for (const QString& claim : *lesson)
        QVERIFY2(rows_.value(claim).lessons.contains(lesson.key()),
                 qPrintable(lesson.key() + " is missing in the row of " + claim));
  }

  void corrections_are_marked() {
    QSet<QString> marked;
    for (auto row = rows_.cbegin(); row != rows_.cend(); ++row) {
      if (!row->corrects) continue;
      bool found = false;
      for (const QString& lesson : row->lessons)
        if (correcting_.contains(lesson)) {
          found = true;
          marked << lesson;
        }
      QVERIFY2(found, qPrintable("no lesson of " + row.key() + " names what it corrects"));
    }
    for (auto lesson = correcting_.cbegin(); lesson != correcting_.cend(); ++lesson)
      QVERIFY2(marked.contains(lesson.key()), qPrintable("no claim of " + lesson.key() + " is marked"));
  }

  // Nobody who learns here has the texts that the claims were collected from.
  void no_text_speaks_of_notes_that_nobody_has() {
    static const QRegularExpression notes(QStringLiteral("\\bthe notes?\\b|\\bnotes? \\d|笔记(?!本)|讲义"),
                                          QRegularExpression::CaseInsensitiveOption);
    QStringList files = {QStringLiteral("docs/lessons-claims.md")};
    for (QDirIterator all("resources/lessons", {"*.md", "*.json"}, QDir::Files, QDirIterator::Subdirectories);
         all.hasNext();)
      files << all.next();
    QVERIFY(files.size() > 10);
    for (const QString& file : files) {
      const auto found = notes.match(QString::fromUtf8(read(file)));
      QVERIFY2(!found.hasMatch(), qPrintable(file + ": " + found.captured()));
    }
  }
};

HEADLIGHT_TEST(TestLessonClaims)

}  // namespace headlight::test_lesson_claims

#include "test_lesson_claims.moc"
