// Reads the PDF of every lesson as a person would: each question and each possible answer is on the worksheet, each
// answer and each explanation on the key, in both languages, and the worksheet does not tell what is right.

#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "app/classroom/answers/lesson_answers.h"
#include "app/classroom/paper/lesson_paper.h"
#include "app/language.h"
#include "app/lessons/lesson_check.h"
#include "app/lessons/lesson_list.h"
#include "tests/test_program.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/analysed_run.h"

namespace headlight::test_lesson_on_paper {

namespace {

// Without spaces, which lines are broken at, and with ligatures as letters. A PDF names glyphs, and some of them are a
// radical as well as a character.
QString bare(const QString& text) {
  static const QString radicals = QStringLiteral("⺟⺠⻁⻄⻅⻆⻉⻋⻓⻔⻘⻙⻚⻛⻜⻝⻢⻤⻥⻦⻨⻩⻬⻮⻰"),
                       characters = QStringLiteral("母民虎西见角贝车长门青韦页风飞食马鬼鱼鸟麦黄齐齿龙");
  QString made;
  for (const QChar c : text.normalized(QString::NormalizationForm_KC)) {
    if (c.isSpace() || c == QChar(0x00ad)) continue;
    const qsizetype at = radicals.indexOf(c);
    made += at < 0 ? c : characters[at];
  }
  return made;
}

// By a pipe and not by QProcess: after one of those the thread sanitizer does not see any more what this thread hands
// to others, and calls it a race.
QString pdf_text(const QString& path) {
  const QByteArray command = "pdftotext -raw -enc UTF-8 '" + QFile::encodeName(path) + "' -";
  FILE* pipe = popen(command.constData(), "r");
  if (!pipe) return {};
  QFile read;
  QByteArray all;
  if (read.open(pipe, QIODevice::ReadOnly)) all = read.readAll();
  return pclose(pipe) == 0 ? QString::fromUtf8(all) : QString();
}

QString read_pdf(const QString& path) { return bare(pdf_text(path)); }

// The paragraphs of a text with its values; those whose values are not known are left out, as everywhere.
QStringList paragraphs(const RichText& text, const LessonStep& step, const ExpressionScope& scope) {
  QStringList all;
  for (const TextBlock& block : text) {
    QString words;
    bool known = true;
    for (const TextSpan& span : block.spans) {
      const std::optional<std::string> found = span.value ? step_value(step, span, scope) : std::optional(span.text);
      known = known && found;
      if (found) words += from_utf8(*found);
    }
    if (known) all << bare(words);
  }
  return all;
}

}  // namespace

class TestLessonOnPaper : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable(QStringLiteral("pdftotext")).isEmpty())
      QSKIP("pdftotext (poppler-utils) is not installed");
  }
  void cleanup() { set_language("en"); }

  void every_question_and_answer_data() {
    QTest::addColumn<QString>("name");
    for (const Course& course : courses())
      for (const ListedLesson& lesson : course.lessons)
        QTest::newRow(lesson.name.c_str()) << QString::fromStdString(lesson.name);
  }
  void every_question_and_answer() {
    QFETCH(QString, name);
    const std::shared_ptr<const Lesson> lesson = load_lesson(name.toStdString());
    LessonRuns runs(lesson);
    const QTemporaryDir folder;
    for (const char* language : kLessonLanguages) {
      set_language(QString::fromUtf8(language));
      const LessonPaper paper{&runs, language};
      write_worksheet(paper, folder.filePath("sheet.pdf"), false);
      write_worksheet(paper, folder.filePath("key.pdf"), true);
      const QString sheet = read_pdf(folder.filePath("sheet.pdf")), key = read_pdf(folder.filePath("key.pdf"));
      QVERIFY(!sheet.isEmpty() && !key.isEmpty());
      const LessonWords& words = lesson->in(language);
      QStringList missing;
      const auto wants = [&](const QString& on, const char* which, const QString& text) {
        if (!on.contains(bare(text))) missing << QStringLiteral("%1 %2: %3").arg(QString(language), which, text);
      };
      wants(sheet, "sheet", from_utf8(words.title));
      for (const std::string& each : lesson->sources_in(language)) wants(sheet, "sheet", from_utf8(each));
      for (int at = 0; at < static_cast<int>(lesson->steps.size()); ++at) {
        const LessonStep& step = lesson->steps[static_cast<std::size_t>(at)];
        const StepWords& here = words.steps[static_cast<std::size_t>(at)];
        ExpressionScope scope = step.solution ? runs.solved(at) : runs.scope(at);
        for (const QString& each : paragraphs(here.question, step, scope))
          for (const auto& [on, which] : {std::pair(&sheet, "sheet"), {&key, "key"}}) wants(*on, which, each);
        for (const LessonChoice& choice : here.choices)
          for (const auto& [on, which] : {std::pair(&sheet, "sheet"), {&key, "key"}})
            wants(*on, which, from_utf8(plain_text(choice.words)));
        if (step.asks()) {
          const ExpressionValue truth = true_answer(runs, at);
          scope.answer = truth;
          AnswerFacts facts;
          if (scope.run) {
            const Result& run = *scope.run->result();
            for (std::size_t i = 0; i < run.tokens.size(); ++i)
              if (!run.tokens[i].padding) facts.source.emplace_back(static_cast<int>(i), from_utf8(run.tokens[i].text));
            for (std::size_t i = 0; i < run.steps.size(); ++i)
              facts.output.emplace_back(static_cast<int>(i), from_utf8(run.steps[i].text));
          }
          if (!step.answer.over.empty()) facts.over = step.answer.over.places(scope);
          wants(key, "key", answer_text(truth, step, here, facts));
        }
        for (const QString& each : paragraphs(here.reveal, step, scope)) {
          wants(key, "key", each);
          // Two words may stand in a question, too; a sentence tells.
          if (each.size() > 12 && sheet.contains(each)) missing << QStringLiteral("given away: ") + each;
        }
      }
      QVERIFY2(missing.isEmpty(), qPrintable(missing.join('\n')));
    }
  }

  // Every token of the text stands over its column, however many there are: one is to be marked.
  void every_column_has_its_name() {
    const QTemporaryDir folder;
    LessonRuns runs(load_lesson("the-read/soft-or-hard"));
    write_worksheet({&runs, "en"}, folder.filePath("sheet.pdf"), false);
    QVERIFY(read_pdf(folder.filePath("sheet.pdf")).contains("abcdefghijabcdefr3c2"));
  }

  // The chart that is asked about comes after the question, on a slide of its own.
  void a_chart_waits_on_slides() {
    const QTemporaryDir folder;
    const std::shared_ptr<const Lesson> lesson = load_lesson("the-read/soft-or-hard");
    LessonRuns runs(lesson);
    write_slides({&runs, "en"}, folder.filePath("slides.pdf"));
    int asked = 0, told = 0;
    for (const QString& page : pdf_text(folder.filePath("slides.pdf")).split(QChar('\f'))) {
      const bool chart = page.contains("added to the score of h");  // its axis
      if (page.contains("How do the two curves run?")) {
        ++asked;
        QVERIFY(!chart);
      }
      if (page.contains("Mixing slides, choosing jumps")) {
        ++told;
        QVERIFY(chart);
      }
    }
    QCOMPARE(asked, 1);
    QCOMPARE(told, 1);
  }

  // Each answer with its hands, below the question that the room was asked; nothing where it was not.
  void the_room_beside_my_answers() {
    const QTemporaryDir folder;
    const std::shared_ptr<const Lesson> tour = read_lesson(HEADLIGHT_TEST_DATA "/lessons/tour");
    LessonRecord record{"A short tour", 3, 9, false, 0, {}, {}};
    record.answers.push_back({"guess", "Which letters?", "A", "G", "What you chose gets 3 %.", 0});
    record.answers.push_back(
        {"hyphen", "What does it look at?", "The day", "Nothing in particular", "Not this one.", 1});
    const auto printed = [&](const char* language) {
      set_language(QString::fromUtf8(language));
      write_my_answers({record, tour.get(), language}, folder.filePath("mine.pdf"));
      return read_pdf(folder.filePath("mine.pdf"));
    };
    QVERIFY(!printed("en").contains("room"));
    record.votes = {{"hyphen", {{"day", {20, 7}}, {"comma", {2, 0}}, {"nothing", {6, 21}}}, "nothing"}};
    const QString text = printed("en");
    QStringList rest = {"Whichletters?", "Whatdoesitlookat?", "Theroom:6of28wereright.", "Secondvote:21of28.",
                        "Theday20→7",    "Thecomma2→0",       "✓Nothinginparticular6→21"};
    qsizetype at = 0;
    for (const QString& each : rest) {
      const qsizetype found = text.indexOf(each, at);
      QVERIFY2(found >= 0, qPrintable(each + " in " + text));
      at = found;
    }
    QVERIFY(printed("zh_CN").contains(QString::fromUtf8("20→7")));
    // One vote only, and nobody has told what is right.
    record.votes = {{"hyphen", {{"day", {20, 0}}, {"comma", {2, 0}}, {"nothing", {6, 0}}}, {}}};
    const QString once = printed("en");
    QVERIFY(once.contains("Theday20") && !once.contains("→") && !once.contains("✓") && !once.contains("wereright"));
  }
};

HEADLIGHT_WIDGET_TEST(TestLessonOnPaper)

}  // namespace headlight::test_lesson_on_paper

#include "test_lesson_on_paper.moc"
