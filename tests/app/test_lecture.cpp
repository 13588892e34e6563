// Lecture lists: what is written is read again, times of day add up, and what is no list is told with its line.

#include <QTemporaryDir>
#include <QTest>

#include "app/lessons/lecture.h"
#include "model/core/errors.h"
#include "model/io/file.h"
#include "tests/test_program.h"
#include "widgets/base/utf8_text.h"

namespace headlight::test_lecture {

class TestLecture : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  std::filesystem::path file(const char* name) const { return bytes_of(folder_.filePath(QString::fromUtf8(name))); }

  QString problem_of(const std::string& text) const {
    write_file_atomically(file("bad.lecture"), text);
    try {
      read_lecture(file("bad.lecture"));
    } catch (const FormatError& error) {
      return QString::fromUtf8(error.what());
    }
    return {};
  }

 private slots:
  void what_is_written_is_read_again() {
    LectureEntry shown{{}, "While you type", "Type *your* birthday.", SessionState(), "alignment", 5};
    shown.state->model.name = "date-attention";
    shown.state->source = "AUGUST 23, 1983";
    Lecture lecture{"Attention in 90 minutes", 10 * 60 + 15, {}};
    lecture.entries = {
        shown, {"why-attention/looking-back", {}, {}, {}, {}, 15}, {{}, "A break: 10 * 2", {}, {}, {}, 7}};
    write_lecture(lecture, file("one.lecture"));
    const Lecture read = read_lecture(file("one.lecture"));
    QCOMPARE(read.title, lecture.title);
    QCOMPARE(read.entries.size(), std::size_t{3});
    QCOMPARE(read.entries[0].state->source, std::string("AUGUST 23, 1983"));
    QCOMPARE(read.entries[0].view, std::string("alignment"));
    QCOMPARE(read.entries[1].lesson, std::string("why-attention/looking-back"));
    QCOMPARE(read.minutes(), 27);
    QCOMPARE(read.begins_at(0), std::optional(615));
    QCOMPARE(read.begins_at(3), std::optional(642));
    // Over midnight, and without a beginning.
    QCOMPARE((Lecture{{}, 24 * 60 - 1, read.entries}.begins_at(1)), std::optional(4));
    QCOMPARE((Lecture{{}, {}, read.entries}.begins_at(1)), std::optional<int>());

    const auto own = lesson_of(read.entries[0], file("one.lecture"));
    QCOMPARE(own->steps.size(), std::size_t{1});
    QVERIFY(own->steps[0].kind == LessonStep::Kind::show);
    QCOMPARE(QString::fromStdString(plain_text(own->in("zh_CN").steps[0].text)), QString("Type your birthday."));
    const auto card = lesson_of(read.entries[2], file("one.lecture"));
    QVERIFY(card->steps[0].kind == LessonStep::Kind::card && !card->steps[0].state);
    QCOMPARE(QString::fromStdString(plain_text(card->in("en").steps[0].text)), QString("A break: 10 * 2"));
    QVERIFY(lesson_of(read.entries[1], file("one.lecture"))->steps.size() > 5);
  }

  // The list and its lessons move together.
  void folders_are_named_from_the_file() {
    const std::filesystem::path lesson = file("mine");
    std::filesystem::create_directory(lesson);
    write_file_atomically(lesson / "lesson.json",
                          R"({"headlight_lesson": 1, "minutes": 5, "claims": [], "sources": [],
                              "steps": [{"id": "one", "kind": "card"}]})");
    write_file_atomically(lesson / "en.md", "# Mine\n\nA lesson.\n\n## one\n\nWords.\n");
    write_lecture({"L", {}, {{lesson.string(), {}, {}, {}, {}, 5}}}, file("two.lecture"));
    const Lecture read = read_lecture(file("two.lecture"));
    QCOMPARE(read.entries[0].lesson, std::string("./mine"));
    QCOMPARE(lesson_of(read.entries[0], file("two.lecture"))->in("en").title, std::string("Mine"));
  }

  void what_is_no_list_is_told_with_its_line() {
    QVERIFY(problem_of("{}").contains("this is no lecture list of Headlight"));
    QVERIFY(problem_of("{\"headlight_lecture\": 2}").contains("newer"));
    const auto with = [this](const char* entry) {
      return problem_of(std::string("{\"headlight_lecture\": 1, \"title\": \"T\",\n\"entries\": [\n") + entry + "\n]}");
    };
    QVERIFY2(with("{\"title\": \"Break\", \"minutes\": 0}").contains("bad.lecture:3:"),
             qPrintable(with("{\"title\": \"Break\", \"minutes\": 0}")));
    QVERIFY(with("{\"minutes\": 5}").contains("title"));
    QVERIFY(with("{\"lesson\": \"a\", \"words\": \"b\", \"minutes\": 5}").contains("words"));
    QVERIFY(with("{\"title\": \"T\", \"words\": \"It is {x}.\", \"minutes\": 5}").contains("'{x}'"));
    QVERIFY(problem_of("{\"headlight_lecture\": 1, \"begins\": \"25:00\", \"entries\": []}").contains("10:15"));
    QVERIFY_THROWS_EXCEPTION(FileError, read_lecture(file("none.lecture")));
  }

  // No list opens what lies elsewhere on the disk.
  void a_model_from_elsewhere_is_refused() {
    LectureEntry shown{{}, "Mine", {}, SessionState(), {}, 5};
    shown.state->model.name = "some-model";
    shown.state->model.folder = "/somewhere/else/some-model";
    QVERIFY_THROWS_EXCEPTION(UsageError, write_lecture({"L", {}, {shown}}, file("three.lecture")));
    shown.state->model.folder = folder_.filePath("some-model");
    write_lecture({"L", {}, {shown}}, file("three.lecture"));
    QCOMPARE(read_lecture(file("three.lecture")).entries[0].state->model.relative, QString("some-model"));
    std::string text = read_file(file("three.lecture"), 100'000);
    const std::size_t at = text.find("\"some-model\"", text.find("relative"));
    QVERIFY(at != std::string::npos);
    text.replace(at, 12, "\"/etc/some-model\"");
    QVERIFY(problem_of(text).contains("relative"));
  }
};

HEADLIGHT_TEST(TestLecture)

}  // namespace headlight::test_lecture

#include "test_lecture.moc"
