// ./add makes the files of a new view, op, family or lesson: they are there, under the name that was given, the lists
// that name such files have it, nothing is overwritten, and what cannot be is refused in a line. (What is made is
// compiled and run by whoever asks for it: here are no builds.)

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "tests/app/program.h"
#include "tests/test_program.h"

namespace headlight::test_added_files {

namespace {

using testing::Outcome;
using Files = QMap<QString, QByteArray>;  // by their paths in the sources

const char* const kGradients = "tests/model/gradient_cases.h";
const char* const kOperations = "tests/model/test_gradients_double.cpp";
const char* const kFamilies = "model/io/formats/families/";

QByteArray read(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool write(const QString& path, const QByteArray& content) {
  QFile file(path);
  return QDir().mkpath(QFileInfo(path).path()) && file.open(QIODevice::WriteOnly) &&
         file.write(content) == content.size();
}

// What ./add looks at, copied.
class Sources {
 public:
  Sources() {
    for (const char* folder : {"model/ops", kFamilies, "widgets/views/tokens", "tests/model", "tests/widgets"})
      for (const QString& name : QDir(folder).entryList({"*.h", "*.cpp"}, QDir::Files))
        copy(QStringLiteral("%1/%2").arg(QDir::cleanPath(folder), name));
    for (QDirIterator all("resources/lessons", {"course.json", "lesson.json"}, QDir::Files,
                          QDirIterator::Subdirectories);
         all.hasNext();)
      copy(all.next());
    for (const char* name : {"CMakeLists.txt", ".clang-format"}) copy(name);
  }
  QString path(const QString& file) const { return folder_.filePath(file); }
  QByteArray content(const QString& file) const { return read(path(file)); }
  Files files() const {
    Files all;
    for (QDirIterator each(folder_.path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); each.hasNext();) {
      const QString file = each.next();
      all[QDir(folder_.path()).relativeFilePath(file)] = read(file);
    }
    return all;
  }
  Outcome make(const QStringList& arguments) const {
    QProcess process;
    process.start(QFileInfo("add").absoluteFilePath(), QStringList{"--root", folder_.path()} + arguments);
    return testing::finished(process);
  }

 private:
  void copy(const QString& file) { complete_ = write(path(file), read(file)) && complete_; }
  QTemporaryDir folder_;
  bool complete_ = true;

 public:
  bool is_complete() const { return complete_ && folder_.isValid(); }
};

}  // namespace

class TestAddedFiles : public QObject {
  Q_OBJECT

 private slots:
  void files_are_made_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QStringList>("made");
    QTest::addColumn<QStringList>("changed");
    QTest::addColumn<QStringList>("words");    // in them
    QTest::addColumn<QStringList>("remains");  // in what is said
    QTest::newRow("view") << QStringList{"view", "word_count"}
                          << QStringList{"tests/widgets/test_word_count_view.cpp",
                                         "widgets/views/word_count/word_count_view.cpp",
                                         "widgets/views/word_count/word_count_view.h"}
                          << QStringList{}
                          << QStringList{"class WordCountView : public ViewPanel",
                                         "#include \"widgets/views/word_count/word_count_view.h\"",
                                         "namespace headlight::test_word_count_view {",
                                         "HEADLIGHT_WIDGET_TEST(TestWordCountView)"}
                          << QStringList{"ViewRow{\"word-count\", At::picture", "make<WordCountView>",
                                         "{\"word-count\", \"date-attention\"", "tests_widgets test_word_count_view"};
    QTest::newRow("op") << QStringList{"op", "soft_step"}
                        << QStringList{"model/ops/soft_step.cpp", "model/ops/soft_step.h",
                                       "tests/model/test_soft_step.cpp"}
                        << QStringList{kGradients, kOperations}
                        << QStringList{"Tensor soft_step(const Tensor& x);", "const Op kSoftStep{\"soft_step\"",
                                       "soft_step_backward", "soft_step_explain", "HEADLIGHT_TEST(TestSoftStep)"}
                        << QStringList{"model/ops/soft_step.h: what it computes", "tests_model test_soft_step",
                                       "tests_model_double test_gradients_double"};
    QTest::newRow("family") << QStringList{"family", "tiny_wonder"}
                            << QStringList{"model/io/formats/families/tiny_wonder.cpp",
                                           "tests/model/test_tiny_wonder_family.cpp"}
                            << QStringList{"model/io/formats/families/family.cpp", "model/io/formats/families/family.h"}
                            << QStringList{"Json tiny_wonder_settings(", "row.types = {\"tiny_wonder\"};",
                                           "{\"model_type\", \"tiny_wonder\"}"}
                            << QStringList{"tests/reference/elsewhere.py", "| `tiny_wonder` | next word",
                                           "{\"tiny_wonder\", {YEAR", "tests_model test_tiny_wonder_family"};
    QTest::newRow("lesson") << QStringList{"lesson", "first_look", "--course", "why-attention"}
                            << QStringList{"resources/lessons/why-attention/first-look/en.md",
                                           "resources/lessons/why-attention/first-look/lesson.json",
                                           "resources/lessons/why-attention/first-look/zh_CN.md"}
                            << QStringList{}
                            << QStringList{"# First look\n", "## guess\n", "### question\n", "\"kind\": \"predict\""}
                            << QStringList{"docs/lessons-claims.md",
                                           "headlight lesson why-attention/first-look --check"};
  }
  void files_are_made() {
    QFETCH(QStringList, arguments);
    QFETCH(QStringList, made);
    QFETCH(QStringList, changed);
    QFETCH(QStringList, words);
    QFETCH(QStringList, remains);
    const Sources sources;
    QVERIFY(sources.is_complete());
    const Files before = sources.files();
    const Outcome ran = sources.make(arguments);
    QCOMPARE(ran.error, QString());
    QCOMPARE(ran.status, 0);
    const Files after = sources.files();
    QStringList found, others;
    QString all;
    for (auto file = after.cbegin(); file != after.cend(); ++file) {
      if (!before.contains(file.key())) {
        found << file.key();
        all += QString::fromUtf8(file.value());
      } else if (before[file.key()] != file.value()) {
        others << file.key();
      }
    }
    QCOMPARE(found, made);
    QCOMPARE(others, changed);
    QCOMPARE(after.size(), before.size() + made.size());
    for (const QString& each : words) QVERIFY2(all.contains(each), qPrintable(each + " is missing in\n" + all));
    QVERIFY(!all.contains('@'));
    for (const QString& each : made + changed + remains)
      QVERIFY2(ran.out.contains(each), qPrintable(each + " is missing in\n" + ran.out));
    static const QRegularExpression numbered(QStringLiteral("\n1\\. .*\n2\\. "),
                                             QRegularExpression::DotMatchesEverythingOption);
    QVERIFY2(numbered.match(ran.out).hasMatch() && ran.out.contains("cmake --preset dev && ninja -C build/dev "),
             qPrintable(ran.out));
    // What they include is there.
    static const QRegularExpression include(QStringLiteral("#include \"([^\"]+\\.h)\""));
    for (auto at = include.globalMatch(all); at.hasNext();) {
      const QString header = at.next().captured(1);
      QVERIFY2(QFile::exists(header) || made.contains(header), qPrintable(header));
    }
    // Once more: nothing is overwritten, nor half made.
    const Outcome again = sources.make(arguments);
    QCOMPARE(again.status, 2);
    QCOMPARE(again.out, QString());
    QVERIFY2(again.error.startsWith("add: ") && again.error.count('\n') == 1 && again.error.contains("already"),
             qPrintable(again.error));
    QCOMPARE(sources.files(), after);
  }

  void a_file_that_is_there_stays() {
    const Sources sources;
    const QString there = "tests/widgets/test_word_count_view.cpp";
    QVERIFY(write(sources.path(there), "mine\n"));
    const Files before = sources.files();
    const Outcome ran = sources.make({"view", "word_count"});
    QCOMPARE(ran.status, 2);
    QCOMPARE(ran.error, "add: " + there + " is there already: nothing was made\n");
    QCOMPARE(sources.files(), before);
  }

  void lists_have_the_name_in_its_place() {
    const Sources sources;
    QCOMPARE(sources.make({"op", "soft_step"}).status, 0);
    const QByteArray gradients = sources.content(kGradients);
    QVERIFY(gradients.contains("#include \"model/ops/lstm.h\"\n#include \"model/ops/soft_step.h\"\n"));
    const auto row =
        gradients.indexOf("\n      {\"soft_step\", {fill(1, {2, 3})}, [](const Inputs& in) { return soft_step(");
    QVERIFY(row > gradients.indexOf("arithmetic_cases() {") && row < gradients.indexOf("attention_cases() {"));
    QVERIFY(sources.content(kOperations).contains("expected = {\n      \"soft_step\",\n      // moving\n"));
    QCOMPARE(sources.make({"family", "tiny_wonder"}).status, 0);
    const QString families = kFamilies;
    QVERIFY(sources.content(families + "family.h")
                .contains("_families();\nstd::vector<Family> tiny_wonder_families();\n\n"));
    QVERIFY(sources.content(families + "family.cpp").contains("_families(), tiny_wonder_families()})\n"));
  }

  // It is said what to write where, and that file stays as it is.
  void a_list_that_looks_otherwise_is_left_alone() {
    const Sources sources;
    const QString list = QString(kFamilies) + "family.cpp";
    QVERIFY(write(sources.path(list), "// rewritten\n"));
    const Outcome ran = sources.make({"family", "tiny_wonder"});
    QCOMPARE(ran.status, 0);
    QCOMPARE(sources.content(list), QByteArray("// rewritten\n"));
    QVERIFY2(ran.out.contains("6. " + list + ": tiny_wonder_families() (where it belongs was not found)"),
             qPrintable(ran.out));
    QVERIFY(QFile::exists(sources.path(QString(kFamilies) + "tiny_wonder.cpp")));
  }

  void a_lesson_is_the_last_of_its_course() {
    const Sources sources;
    const auto order = [&](const QString& lesson) {
      const QByteArray json = sources.content("resources/lessons/" + lesson + "/lesson.json");
      return QJsonDocument::fromJson(json).object()["order"].toInt(-1);
    };
    int last = 0;
    for (const QString& each : QDir(sources.path("resources/lessons/the-read")).entryList(QDir::Dirs))
      last = std::max(last, order("the-read/" + each));
    QVERIFY(last > 0);
    QCOMPARE(sources.make({"lesson", "first_look", "--course", "the-read"}).status, 0);
    QCOMPARE(order("the-read/first-look"), last + 1);
    QCOMPARE(sources.make({"lesson", "second_look", "--course", "the-read"}).status, 0);
    QCOMPARE(order("the-read/second-look"), last + 2);
  }

  void what_cannot_be_is_refused_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const QStringList& arguments, const char* said) {
      QTest::newRow(name) << arguments << QString::fromUtf8(said);
    };
    const char* rule = "cannot be a name: that is 3 to 24 small letters, digits and single underscores, a letter first";
    row("nothing", {}, "expected what to make and its name, for example: ./add view word_count");
    row("no name", {"view"}, "expected what to make and its name");
    row("two names", {"view", "one", "two"}, "expected what to make and its name");
    row("another kind", {"model", "word_count"}, "\"model\" cannot be made, only a view, op, family or lesson");
    row("capitals", {"view", "WordCount"}, "a letter first (such as word_count)\n");
    row("hyphen", {"lesson", "first-look"}, "a letter first (such as first_look)\n");
    for (const char* name : {"", "ab", "2_words", "_words", "words_", "two__words", "wörter", "two words", "two\nlines",
                             "../words", "a_name_of_25_letters_wxyz"})
      QTest::addRow("\"%s\"", name) << QStringList{"view", QString::fromUtf8(name)} << QString(rule);
    row("of C++", {"op", "switch"}, "\"switch\" cannot be a name: the word means something in C++");
    row("its end", {"view", "word_view"}, "write it without _view");
    row("a test of the other precision", {"op", "step_double"}, "write it without _double");
    row("a file", {"op", "softmax"}, "model/ops/softmax.h is there already: nothing was made");
    row("a function", {"op", "relu"}, "there is something of this name already: model/ops/activations.h");
    row("a test", {"op", "heatmap"}, "there is a test of this name already: tests/widgets/test_heatmap.cpp");
    row("a family", {"family", "gpt2"}, "already: model/io/formats/families/gpt.cpp");
    row("a course", {"lesson", "look", "--course", "wonder"},
        "there is no course \"wonder\"; in resources/lessons are ");
    row("a course of a view", {"view", "word_count", "--course", "why-attention"}, "--course is for lessons");
    row("an option", {"view", "word_count", "--wonder"}, "--wonder");
    row("other sources", {"view", "word_count", "--root", "/"}, "has not the sources of Headlight");
  }
  void what_cannot_be_is_refused() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, said);
    static const Sources sources;  // nothing is written
    static const Files before = sources.files();
    const Outcome ran = sources.make(arguments);
    QCOMPARE(ran.status, 2);
    QCOMPARE(ran.out, QString());
    QVERIFY2(ran.error.startsWith("add: ") && ran.error.endsWith('\n') && ran.error.count('\n') == 1 &&
                 ran.error.size() < 300 && ran.error.contains(said),
             qPrintable(ran.error));
    QCOMPARE(sources.files(), before);
  }
};

HEADLIGHT_TEST(TestAddedFiles)

}  // namespace headlight::test_added_files

#include "test_added_files.moc"
