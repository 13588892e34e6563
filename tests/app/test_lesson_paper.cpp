// Lessons on paper: pages, fonts that travel with them, nothing given away before the answer.

#include <QDir>
#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include "app/classroom/paper/lesson_paper.h"
#include "app/language.h"
#include "tests/test_program.h"

namespace headlight::test_lesson_paper {

namespace {

const std::string kTour = HEADLIGHT_TEST_DATA "/lessons/tour";

QByteArray read(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
int pages_of(const QByteArray& pdf) {
  static const QRegularExpression page(QStringLiteral("/Type /Page\\b"));
  auto found = page.globalMatch(QString::fromLatin1(pdf));
  int count = 0;
  while (found.hasNext()) found.next(), ++count;
  return count;
}
bool embeds_its_fonts(const QByteArray& pdf) { return pdf.count("/FontDescriptor") > 0 && pdf.contains("/FontFile"); }

}  // namespace

class TestLessonPaper : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  QString path(const char* name) const { return folder_.path() + "/" + QString::fromUtf8(name); }

 private slots:
  void cleanup() { set_language(QStringLiteral("en")); }

  void a_worksheet_and_its_key() {
    for (const char* language : {"en", "zh_CN"}) {
      set_language(QString::fromUtf8(language));
      LessonRuns runs(read_lesson(kTour));
      write_worksheet({&runs, language}, path("sheet.pdf"), false);
      QVERIFY(!runs.chart(8));  // a question measures nothing
      write_worksheet({&runs, language, true}, path("key.pdf"), true);
      const QByteArray sheet = read(path("sheet.pdf")), key = read(path("key.pdf"));
      QVERIFY(sheet.startsWith("%PDF") && key.startsWith("%PDF"));
      QVERIFY(pages_of(sheet) >= 2 && pages_of(sheet) <= 6);
      QVERIFY(embeds_its_fonts(sheet) && embeds_its_fonts(key));
      QVERIFY(key.contains("612"));  // points across of US Letter
      QVERIFY(sheet.contains("59"));
    }
  }

  // A slide for each step, and one more where something is revealed.
  void slides_are_numbered() {
    LessonRuns runs(read_lesson(kTour));
    int wanted = 0;
    for (std::size_t i = 0; i < runs.lesson().steps.size(); ++i)
      wanted +=
          runs.lesson().steps[i].asks() || !runs.lesson().words[0].steps[i].reveal.empty()
              ? 2
              : 1;
    write_slides({&runs, "en"}, path("slides"));
    const QStringList files = QDir(path("slides")).entryList(QDir::Files, QDir::Name);
    QCOMPARE(files.size(), wanted);
    QCOMPARE(files.first(), QStringLiteral("01.png"));
    for (const QString& name : files) QCOMPARE(QImage(path("slides") + "/" + name).size(), QSize(2560, 1440));
    // What is asked for is not there before, and is afterwards.
    QVERIFY(QImage(path("slides/02.png")) != QImage(path("slides/03.png")));
    write_slides({&runs, "en"}, path("slides.pdf"));
    QCOMPARE(pages_of(read(path("slides.pdf"))), wanted);
  }

  void my_answers() {
    LessonRecord record;
    record.title = "A short tour";
    for (int i = 0; i < 30; ++i)
      record.answers.push_back({"s", "Which letters?", "A U G", "G", "What you chose gets 97 %.", 1});
    write_my_answers({record, nullptr, {}}, path("mine.pdf"));
    QVERIFY(pages_of(read(path("mine.pdf"))) >= 3);
    QVERIFY(embeds_its_fonts(read(path("mine.pdf"))));
  }

  void a_full_place_is_told() {
    LessonRuns runs(read_lesson(kTour));
    QVERIFY_THROWS_EXCEPTION(FileError, write_worksheet({&runs, "en"}, "/nowhere/sheet.pdf", false));
    QVERIFY_THROWS_EXCEPTION(FileError, write_slides({&runs, "en"}, "/proc/nowhere"));
  }
};

HEADLIGHT_WIDGET_TEST(TestLessonPaper)

}  // namespace headlight::test_lesson_paper

#include "test_lesson_paper.moc"
