// A third language: what it lacks is told, all at once; what is not complete takes nothing from the others.

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "app/language.h"
#include "app/lessons/lesson_list.h"
#include "app/lessons/lesson_translation.h"
#include "model/core/errors.h"
#include "model/io/file.h"
#include "tests/app/program.h"
#include "tests/test_program.h"

namespace headlight::test_lesson_translation {

namespace {

const QString kTour = QStringLiteral(HEADLIGHT_TEST_DATA "/lessons/tour");

// The tour, with German words that are `change`d from the English ones.
class Translated {
 public:
  explicit Translated(const QString& what = {}, const QString& with = {}) {
    for (const char* name : {"lesson.json", "en.md", "zh_CN.md"})
      QFile::copy(kTour + "/" + name, folder_.filePath(name));
    QString words = QString::fromStdString(read_file(path("en.md"), 1 << 20));
    found_ = what.isEmpty() || words.contains(what);
    write_file_atomically(
        path("de.md"),
        words.replace(what.isEmpty() ? QStringLiteral("\n") : what, what.isEmpty() ? QStringLiteral("\n") : with)
            .toStdString());
  }
  bool found() const { return found_; }
  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
  std::string folder() const { return folder_.path().toStdString(); }
  QString gaps(const std::string& language = "de") const {
    QString all;
    for (const TranslationGap& gap : translation_gaps(*read_lesson(folder()), language))
      all += QString::number(gap.step) + " " + QString::fromStdString(gap.what) + "\n";
    return all;
  }

 private:
  QTemporaryDir folder_;
  bool found_ = false;
};

}  // namespace

class TestLessonTranslation : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { set_lesson_language({}); }

  void languages_have_names_that_are_known() {
    for (const char* name : {"en", "zh_CN", "de", "pt_BR", "zh_Hant"}) QVERIFY2(is_language(name), name);
    for (const char* name : {"README", "notes", "e", "qq", "de_", "../de", "de.md", ""})
      QVERIFY2(!is_language(name), name);
    QCOMPARE(language_name("de"), QStringLiteral("Deutsch"));
  }

  void a_lesson_has_as_many_languages_as_files() {
    const Translated tour;
    const auto lesson = read_lesson(tour.folder());
    QCOMPARE(lesson->words.size(), std::size_t{3});
    QCOMPARE(lesson->in("de").language, std::string("de"));
    QCOMPARE(languages_in(tour.folder()), (std::vector<std::string>{"en", "zh_CN", "de"}));
    QVERIFY(translation_gaps(*lesson, "zh_CN").empty() && translation_gaps(*lesson, "en").empty());
  }

  void gaps_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("with");
    QTest::addColumn<QString>("told");
    QTest::newRow("a step") << "## guess\n"
                            << "## gess\n"
                            << "1 de.md: the step is missing";
    QTest::newRow("an unknown step") << "## guess\n"
                                     << "## gess\n"
                                     << "lesson.json has no step 'gess'";
    QTest::newRow("a part") << "### question\n\nWhich letters"
                            << "Which letters"
                            << "1 de.md: '### question' is missing";
    QTest::newRow("a claim") << "### claim month\n"
                             << "### claim mnth\n"
                             << "1 de.md: '### claim month' is missing";
    QTest::newRow("a value") << "{mine:0}"
                             << "many"
                             << "lacks the value {mine}";
    QTest::newRow("a choice") << "- comma:"
                              << "- coma:"
                              << "'### choices' lacks '- comma:'";
    QTest::newRow("too long") << "## guess\n"
                              << "## gess\n\n" + QString("wort ").repeated(120) << "has 1";  // of all its words
  }
  void gaps() {
    QFETCH(QString, what);
    QFETCH(QString, with);
    QFETCH(QString, told);
    const Translated tour(what, with);
    QVERIFY(tour.found());
    QVERIFY2(tour.gaps().contains(told), qPrintable(tour.gaps()));
  }

  void what_is_not_complete_is_left_out() {
    const Translated tour("## guess\n", "## gess\n");
    const auto lesson = read_lesson(tour.folder());
    QCOMPARE(lesson->in("de").language, std::string("en"));
    QVERIFY(lesson->unread.contains("de"));
  }

  void a_language_that_is_not_there_is_named() {
    const Translated tour;
    QVERIFY(tour.gaps("fr").contains("fr.md: missing; copy en.md to it"));
  }

  void what_is_still_english_is_told() {
    const Translated tour;
    QVERIFY2(tour.gaps().contains("is not translated yet"), qPrintable(tour.gaps()));
  }

  void the_command_line_says_it() {
    const Translated tour;
    const auto ran =
        testing::run_program({"lesson", QString::fromStdString(tour.folder()), "--check", "--language", "fr"});
    QVERIFY(ran.out.contains("fr.md: missing"));
    const auto wrong = testing::run_program({"lesson", kTour, "--worksheet", "x.pdf", "--language", "fr"});
    QVERIFY2(wrong.error.contains("the lesson is not there in this language"), qPrintable(wrong.error));
  }

  void the_language_of_lessons_is_chosen_apart() {
    QCOMPARE(lesson_language(), current_language());
    set_lesson_language("de");
    QCOMPARE(lesson_language(), QStringLiteral("de"));
    QCOMPARE(current_language(), QStringLiteral("en"));
    // A word that it lacks is explained in English.
    QCOMPARE(glossary_in("de").size(), glossary("en").size());
  }
};

HEADLIGHT_TEST(TestLessonTranslation)

}  // namespace headlight::test_lesson_translation

#include "test_lesson_translation.moc"
