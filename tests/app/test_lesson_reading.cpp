// Reading lessons: what a folder says, and what bad folders are told.

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "app/lessons/lesson_check.h"
#include "app/lessons/lesson_list.h"
#include "app/lessons/lesson_recording.h"
#include "tests/test_program.h"

namespace headlight::test_lesson_reading {

namespace {

const QString kTour = QStringLiteral(HEADLIGHT_TEST_DATA "/lessons/tour");

QString read(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}
void write(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(bytes);
}

// A copy of the tour with one thing exchanged in one file.
class Copy {
 public:
  Copy() {
    for (const char* name : {"lesson.json", "en.md", "zh_CN.md"})
      QFile::copy(kTour + "/" + name, folder_.path() + "/" + name);
  }
  void exchange(const QString& name, const QString& what, const QString& with) {
    QString text = read(path(name));
    QVERIFY2(text.contains(what), qPrintable(name + " has no " + what));
    QFile::remove(path(name));
    write(path(name), text.replace(text.indexOf(what), what.size(), with).toUtf8());
  }
  QString path(const QString& name) const { return folder_.path() + "/" + name; }
  std::string folder() const { return folder_.path().toStdString(); }

 private:
  QTemporaryDir folder_;
};

QString problem(const std::string& folder) {
  try {
    read_lesson(folder);
  } catch (const Error& error) {
    return QString::fromUtf8(error.what());
  }
  return {};
}

std::string no_view_problem(const std::string&, const AnalysedRun*) { return {}; }

}  // namespace

class TestLessonReading : public QObject {
  Q_OBJECT

 private slots:
  void a_folder_is_a_lesson() {
    const auto lesson = read_lesson(kTour.toStdString());
    QCOMPARE(lesson->steps.size(), std::size_t{10});
    QCOMPARE(lesson->minutes, 5);
    QCOMPARE(lesson->in("en").title, std::string("A short tour"));
    QCOMPARE(lesson->in("zh_CN").title, std::string("走马观花"));
    QCOMPARE(lesson->in("fr").language, std::string("en"));
    const LessonStep& guess = lesson->steps[1];
    QVERIFY(guess.kind == LessonStep::Kind::predict && guess.answer.kind == LessonAnswer::Kind::tokens);
    QCOMPARE(guess.state->source, std::string("AUGUST 23, 1983"));  // from the step before
    QVERIFY(guess.expect[0].claim == "month" && lesson->steps[2].expect[0].general);
    QCOMPARE(lesson->steps[7].solution->source, std::string("APRIL 23, 1983"));
    const StepWords& words = lesson->in("en").steps[1];
    QCOMPARE(plain_text(words.question), std::string("Which letters will it look at?"));
    QVERIFY(words.text[0].spans[1].strong && words.text[0].spans[1].text == "8");
    QVERIFY(words.reveal[0].spans[1].value && words.reveal[0].spans[1].decimals == 0);
    QCOMPARE(words.reveal[1].spans[1].link, std::string("cells(written(\"8\", 2), read(\"AUGUST\"))"));
    QCOMPARE(lesson->in("zh_CN").steps[2].choices[2].id, std::string("nothing"));
  }

  void another_model_is_run_untouched() {
    Copy copy;
    copy.exchange("lesson.json", "\"source\": \"AUGUST 23, 1983\"}",
                  "\"source\": \"AUGUST 23, 1983\", \"edits\": [\"decoder.step[0].attention.weights[1]~1\"]}");
    copy.exchange("lesson.json", "\"kind\": \"chart\",",
                  "\"kind\": \"chart\", \"state\": {\"model\": {\"name\": \"date-plain\"}},");
    const auto lesson = read_lesson(copy.folder());
    QCOMPARE(lesson->steps[1].state->interventions.size(), std::size_t{1});
    QVERIFY(lesson->steps[1].state->interventions[0].kind == Intervention::Kind::pin);
    QVERIFY(lesson->steps[8].state->interventions.empty());
  }

  void plays_without_a_window() {
    LessonRuns runs(read_lesson(kTour.toStdString()));
    const LessonReport report = check_lesson(runs, no_view_problem);
    QVERIFY2(report.ok(), report.problems.empty() ? "" : report.problems[0].c_str());
    QCOMPARE(report.steps, 10);
    // Five of expect, two of then, and that the solution brings it about.
    QCOMPARE(report.conditions, 7);
  }

  void a_condition_that_does_not_hold_names_its_step() {
    Copy copy;
    copy.exchange("lesson.json", "output == \\\"1983-08-23\\\"\"", "output != \\\"1983-08-23\\\"\"");
    LessonRuns runs(read_lesson(copy.folder()));
    const LessonReport report = check_lesson(runs, no_view_problem);
    QCOMPARE(report.problems.size(), std::size_t{1});
    QCOMPARE(report.problems[0],
             std::string("step 1 (wrote): \"output != \"1983-08-23\"\" does not hold: 1983-08-23 != "
                         "1983-08-23"));
  }

  void what_cannot_be_played_is_told_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("with");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const char* what, const char* with, const char* message) {
      QTest::newRow(name) << QString::fromUtf8(what) << QString::fromUtf8(with) << QString::fromUtf8(message);
    };
    row("model", "\"date-attention\"", "\"date-attentoin\"",
        "there is no bundled model 'date-attentoin'; did you mean 'date-attention'?");
    row("token", "read(\\\"AUGUST\\\")) >= 0.8", "read(\\\"APRIL\\\")) >= 0.8", "has no \"APRIL\"");
    row("truth", "round(100 * probability(0))", "round(300 * probability(0))", "outside 0 to 100");
    row("kind of truth", "\"truth\": \"output\"", "\"truth\": \"steps\"", "expected a text, found a number");
    row("solution", "\"solution\": {\"source\": \"APRIL 23, 1983\"}", "\"solution\": {\"source\": \"MAY 23, 1983\"}",
        "the solution does not bring about");
    row("done already", "source == \\\"APRIL 23, 1983\\\"", "steps == 10", "is done already");
    row("then", "output == \\\"1983-04-23\\\"", "output == \\\"1983-05-23\\\"",
        "does not hold: 1983-04-23 == 1983-05-23");
    row("chart", "y(\\\"sure\\\", 1)", "y(\\\"sure\\\", 9)", "has no value at 9");
    row("spotlight", "\"spotlight\": \"part(\\\"output\\\")\"", "\"spotlight\": \"steps\"", "names no place");
    row("closed", "\"closed\": \"written(\\\"8\\\", 2)\"", "\"closed\": \"cells(0, read(\\\"A\\\"))\"",
        "'closed' names neither steps nor tokens");
    row("setting", "\"source\": \"AUGUST 23, 1983\"", "\"source\": \"AUGUST 23, 1983\", \"settings\": {\"nothing\": 1}",
        "nothing");
  }
  void what_cannot_be_played_is_told() {
    QFETCH(QString, what);
    QFETCH(QString, with);
    QFETCH(QString, message);
    Copy copy;
    copy.exchange("lesson.json", what, with);
    LessonRuns runs(read_lesson(copy.folder()));
    const LessonReport report = check_lesson(runs, no_view_problem);
    QVERIFY(!report.ok());
    QString all;
    for (const std::string& each : report.problems) all += QString::fromStdString(each) + "\n";
    QVERIFY2(all.contains(message), qPrintable(all));
  }

  // Neither a folder that is a link, nor one in which something is.
  void models_through_links_are_refused() {
    Copy copy;
    QTemporaryDir elsewhere;
    QDir(QString::fromStdString(copy.folder())).mkdir("own");
    write(copy.path("own/config.json"), "{}");
    std::filesystem::create_directory_symlink(elsewhere.path().toStdString(), copy.folder() + "/away");
    copy.exchange("lesson.json", "{\"name\": \"date-attention\"}", "{\"name\": \"x\", \"relative\": \"away\"}");
    QVERIFY2(problem(copy.folder()).contains("found 'away': away is a link"), qPrintable(problem(copy.folder())));
    copy.exchange("lesson.json", "\"relative\": \"away\"", "\"relative\": \"own\"");
    QCOMPARE(problem(copy.folder()), QString());
    std::filesystem::create_symlink(elsewhere.path().toStdString() + "/w", copy.folder() + "/own/model.safetensors");
    QVERIFY(problem(copy.folder()).contains("found 'own': model.safetensors is a link"));
  }

  // A name, never a folder that happens to lie where the program runs.
  void links_lead_to_bundled_lessons_only() {
    QVERIFY(load_lesson(kTour.toStdString()));
    QVERIFY_EXCEPTION_THROWN(load_bundled_lesson(kTour.toStdString()), FileError);
    QVERIFY_EXCEPTION_THROWN(load_bundled_lesson("../lessons/why-attention/looking-back"), FileError);
    QVERIFY(load_bundled_lesson("why-attention/looking-back"));
  }

  // What a later step asks for is closed from the first step on that shows the same run.
  void what_is_asked_later_is_known() {
    LessonRuns runs(read_lesson(kTour.toStdString()));
    QCOMPARE(runs.asked_later(0), std::vector<int>{6});  // the 8 of the month
    QCOMPARE(runs.asked_later(1), std::vector<int>{});
    QCOMPARE(runs.asked_later(2), std::vector<int>{});
    LessonRuns back(load_bundled_lesson("why-attention/looking-back"));
    QCOMPARE(back.asked_later(1), std::vector<int>{4});  // the first hyphen
    QCOMPARE(back.asked_later(2), std::vector<int>{4});
    QCOMPARE(back.asked_later(4), std::vector<int>{});
  }

  // One thing wrong in each; the line is that of the thing.
  void bad_folders_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("with");
    QTest::addColumn<QString>("message");
    const auto json = [](const char* name, const char* what, const char* with, const char* message) {
      QTest::newRow(name) << QStringLiteral("lesson.json") << QString::fromUtf8(what) << QString::fromUtf8(with)
                          << QString::fromUtf8(message);
    };
    const auto words = [](const char* name, const char* what, const char* with, const char* message) {
      QTest::newRow(name) << QStringLiteral("en.md") << QString::fromUtf8(what) << QString::fromUtf8(with)
                          << QString::fromUtf8(message);
    };
    json("no JSON", "\"order\": 1,", "\"order\": 1", "lesson.json:4: not valid JSON");
    json("no lesson", "\"headlight_lesson\"", "\"lesson\"",
         "headlight_lesson: missing; this is no lesson of Headlight");
    json("newer", "\"headlight_lesson\": 1", "\"headlight_lesson\": 7",
         "lesson.json:2: headlight_lesson: expected 1, found 7; this lesson was made by a newer Headlight");
    json("unknown key", "\"order\": 1", "\"ordr\": 1", "ordr");
    json("order", "\"order\": 1", "\"order\": 0",
         "lesson.json:3: order: expected a whole number from 1 to 1000, found 0");
    json("minutes text", "\"minutes\": 5", "\"minutes\": \"5\"",
         "lesson.json:4: minutes: expected a whole number from 1 to 240");
    json("minutes missing", "\"minutes\": 5,", "", "minutes: missing");
    json("claims", "[\"L8\", \"L17\"]", "\"L8\"", "lesson.json:5: claims: expected a list");
    json("claim name", "[\"L8\", \"L17\"]", "[\"L 8\"]", "claims: 'L 8' is no name");
    json("sources", "[\"Bahdanau, Cho, Bengio 2015\"]", "[\"\"]", "sources: expected texts of 1 to 300 bytes");
    json("sources of a language", "[\"Bahdanau, Cho, Bengio 2015\"]", "{\"french\": []}", "sources.french");
    json("key twice", "\"order\": 1,", "\"order\": 1, \"order\": 2,", "is there twice");
    json("id", "\"id\": \"wrote\"", "\"id\": \"w rote\"",
         "lesson.json:9: steps[0].id: expected a name of letters, digits and '-', found 'w rote'");
    json("id twice", "\"id\": \"guess\"", "\"id\": \"wrote\"",
         "lesson.json:17: steps[1].id: the step 'wrote' is there twice");
    json("id missing", "\"id\": \"guess\",", "", "steps[1].id: expected a name of letters, digits and '-', found ''");
    json("kind", "\"kind\": \"predict\"", "\"kind\": \"predikt\"",
         "lesson.json:18: steps[1].kind: there is no 'predikt'; did you mean 'predict'?");
    json("kind missing", "\"kind\": \"show\",", "", "steps[0].kind");
    json("key of another kind", "\"view\": \"alignment\"", "\"done\": \"true\"", "steps[0]");
    json("first state", "\"model\": {\"name\": \"date-attention\"}, ", "",
         "steps[0].state: expected 'model' in the first state");
    json("no source", "\"source\": \"AUGUST 23, 1983\"}", "\"seed\": 3}", "steps[0].state.source: missing");
    json("state key", "\"source\": \"AUGUST 23, 1983\"}", "\"sauce\": \"x\"}",
         "steps[0].state.sauce: a state has no such key; keys: model, source");
    json("model path", "\"name\": \"date-attention\"", "\"name\": \"/etc\"",
         "steps[0].state.model.name: expected the name of a bundled model, found '/etc'");
    json("model folder", "{\"name\": \"date-attention\"}", "{\"name\": \"x\", \"folder\": \"/tmp\"}",
         "folder: a lesson names a bundled model, or one in its own folder");
    json("model outside", "{\"name\": \"date-attention\"}", "{\"name\": \"x\", \"relative\": \"../x\"}",
         "relative: expected a folder inside the lesson's, found '../x'");
    json("model absolute", "{\"name\": \"date-attention\"}", "{\"name\": \"x\", \"relative\": \"/etc\"}",
         "relative: expected a folder inside the lesson's, found '/etc'");
    json("model sly", "{\"name\": \"date-attention\"}", "{\"name\": \"x\", \"relative\": \"a/../../x\"}",
         "relative: expected a folder inside the lesson's");
    json("model through a place", "\"sure\": \"probability(-1)\"", "\"sure\": \"exact_match(\\\"./../x\\\", 5)\"",
         "expected a folder inside the lesson's, found '../x'");
    json("model by a path", "\"sure\": \"probability(-1)\"", "\"sure\": \"error_rate(\\\"/etc\\\", 5)\"",
         "expected the name of a bundled model, or \"./FOLDER\" in the lesson's own, found '/etc'");
    json("chart of itself", "\"sure\": \"probability(-1)\"", "\"sure\": \"y(\\\"sure\\\", 1)\"",
         "a chart cannot ask for its own values by y()");
    json("chart of a step that is not there", "\"sure\": \"probability(-1)\"", "\"sure\": \"at(\\\"nowhere\\\", 1)\"",
         "no step before 'sharp' is called 'nowhere'");
    json("truth of a step that is not there", "\"truth\": \"output\"", "\"truth\": \"at(\\\"nowhere\\\", output)\"",
         "no step before 'type' is called 'nowhere'");
    json("model itself", "{\"name\": \"date-attention\"}", "{\"name\": \"x\", \"relative\": \".\"}",
         "relative: expected a folder inside the lesson's");
    json("source number", "\"source\": \"AUGUST 23, 1983\"", "\"source\": 5",
         "steps[0].state.source: expected a text, found 5");
    json("seed", "\"source\": \"AUGUST 23, 1983\"", "\"source\": \"x\", \"seed\": -1",
         "seed: expected a whole number from 0 to 2^64 - 1");
    json("decode", "\"source\": \"AUGUST 23, 1983\"", "\"source\": \"x\", \"decode\": {\"kind\": \"magic\"}",
         "decode.kind: expected one of greedy, sample, beam");
    json("beam", "\"source\": \"AUGUST 23, 1983\"", "\"source\": \"x\", \"decode\": {\"beam_width\": 100000}",
         "decode.beam_width: expected a whole number from 1 to 1024");
    json("edit text", "\"source\": \"AUGUST 23, 1983\"", "\"source\": \"x\", \"edits\": [\"nothing\"]", "edits[0]");
    json("edit site", "\"source\": \"AUGUST 23, 1983\"",
         "\"source\": \"x\", \"edits\": [{\"site\": \"a.b\", \"kind\": \"set\", \"value\": 1}]",
         "there is no site 'a.b'");
    json("edits object", "\"source\": \"AUGUST 23, 1983\"", "\"source\": \"x\", \"edits\": {}",
         "edits: expected a list of edits");
    json("condition", "output == \\\"1983-08-23\\\"", "outptu == 1",
         "steps[0].expect[0].that: outptu == 1, character 1: there is no name 'outptu'; did you mean 'output'?");
    json("condition kind", "[{\"that\": \"output == \\\"1983-08-23\\\"\", \"claim\": \"right\"}]", "[5]",
         "steps[0].expect[0]: expected an object, found 5");
    json("condition key", "\"claim\": \"right\"", "\"calim\": \"right\"", "calim");
    json("general", "\"general\": true", "\"general\": 1", "general: expected true or false");
    json("at", "share(written(\\\"8\\\", 2), read(\\\"AUGUST\\\")) >= 0.8", "at(\\\"nowhere\\\", steps) > 1",
         "no step before 'guess' is called 'nowhere'");
    json("at later", "share(written(\\\"8\\\", 2), read(\\\"AUGUST\\\")) >= 0.8", "at(\\\"april\\\", steps) > 1",
         "no step before 'guess' is called 'april'");
    json("done at", "share(written(\\\"8\\\", 2), read(\\\"AUGUST\\\")) >= 0.8", "done_at(\\\"wrote\\\", steps) > 1",
         "the step 'wrote' has nothing to do");
    json("answer in a condition", "share(written(\\\"8\\\", 2), read(\\\"AUGUST\\\")) >= 0.8", "count(answer) > 1",
         "a condition must hold whatever the learner answers");
    json("answer in a show", "\"spotlight\": \"part(\\\"output\\\")\"", "\"values\": {\"x\": \"answer\"}",
         "the step 'wrote' asks for no answer");
    json("y in a show", "\"spotlight\": \"part(\\\"output\\\")\"", "\"values\": {\"x\": \"y(\\\"a\\\", 1)\"}",
         "the step 'wrote' has no chart");
    json("answer kind", "\"kind\": \"tokens\"", "\"kind\": \"letters\"", "answer.kind: there is no 'letters'");
    json("answer truth", "\"truth\": \"nothing\"", "\"truth\": \"all\"", "answer.truth: there is no choice 'all'");
    json("one choice", "[\"day\", \"comma\", \"nothing\"]", "[\"nothing\"]",
         "answer.choices: expected 2 to 8 of them, found 1");
    json("choice twice", "[\"day\", \"comma\", \"nothing\"]", "[\"day\", \"day\", \"nothing\"]",
         "the choice 'day' is there twice");
    json("number range", "\"to\": 100", "\"to\": 0", "answer.to: expected more than 'from'");
    json("number steps", "\"step\": 1, \"unit\"", "\"step\": 0.0001, \"unit\"",
         "answer.step: expected at most 10,000 steps");
    json("do without done", "\"done\": \"source == \\\"APRIL 23, 1983\\\"\",", "", "steps[7].done: missing");
    json("do without solution", "\"solution\": {\"source\": \"APRIL 23, 1983\"},", "", "steps[7].solution: missing");
    json("measure", "\"measure\": \"sweep\"", "\"measure\": \"weep\"",
         "chart.measure: there is no 'weep'; did you mean 'sweep'?");
    json("one point", "{\"x\": 1, \"state\": {\"source\": \"AUGUST 3, 1983\"}},", "",
         "chart.points: expected 2 to 200 of them, found 1");
    json("y missing", "\"y\": {\"sure\": \"probability(-1)\"},", "", "chart.y");
    json("recorded", "\"y\": [0.99, 0.99]", "\"y\": [0.99]", "recorded.series[0].y: expected as many numbers as x has");
    json("seconds", "\"measure\": \"sweep\",", "\"measure\": \"sweep\", \"seconds\": 9999,",
         "chart.seconds: expected a number from 0.1 to 120");
    json("view name", "\"view\": \"alignment\"", "\"view\": 5",
         "lesson.json:12: steps[0].view: expected a text, found 5");
    json("arrangement", "\"view\": \"alignment\"", "\"arrangement\": \"lok\"",
         "arrangement: there is no 'lok'; did you mean 'look'?");
    json("side", "\"view\": \"alignment\"", "\"side\": \"inspector\"", "side: expected a list");
    json("from", "\"view\": \"alignment\"", "\"from\": \"later\"", "from: there is no earlier step 'later'");
    words("no title", "# A short tour", "A short tour", "en.md:1: expected '# TITLE' first, found other text");
    words("no sentence", "Every kind of step, on one date.", "", "en.md:1: expected a sentence behind the title");
    words("unknown step", "## guess", "## gess", "en.md:17: lesson.json has no step 'gess'; did you mean 'guess'?");
    words("wrong order", "## wrote", "## guess", "expected the step 'wrote' here");
    words("step missing", "## sentence", "### teacher", "the words of the step 'sentence' are missing");
    words("unknown part", "### hint", "### hnit", "there is no part 'hnit'; did you mean 'hint'?");
    words("part twice", "### hint", "### question", "'### question' is there twice in this step");
    words("part without words", "Three months begin with J-U or A-U.", "", "a hint without words");
    words("four signs", "### hint", "#### hint", "expected a heading of one to three '#', found 4");
    words("question missing", "### question\n\nWhich letters will it look at?", "",
          "the step 'guess' asks: it needs '### question'");
    words("choice missing", "- comma: The comma\n", "", "the step 'hyphen' lacks words for the choice 'comma'");
    words("choice unknown", "- comma: The", "- coma: The",
          "lesson.json has no choice 'coma' in the step 'hyphen'; did you mean 'comma'?");
    words("choice form", "- comma: The comma", "comma, the comma", "expected '- NAME: words'");
    words("claim missing", "### claim month", "### claim moth", "");
    words("value unknown", "{mine:0}", "{mien}",
          "en.md:31: the step 'guess' has no value 'mien'; did you mean 'mine'?");
    words("value decimals", "{mine:0}", "{mine:x}", "expected a number of decimals");
    words("value open", "{mine:0}", "{mine", "");
    words("strong open", "the **8** of", "the **8 of", "en.md:19: '**' is not closed");
    words("code open", "`1983-08-23`", "`1983-08-23", "'`' is not closed");
    words("link open", "[right](part(\"output\"))", "[right](part(\"output\")", "the target of a link is not closed");
    words("link empty", "[right](part(\"output\"))", "[right]()", "a link without a target");
    words("no link", "[right](part(\"output\"))", "[right]", "expected '(' with a target behind ']'");
    words("formula open", "c = Σ a_j h_j\n```", "c = Σ a_j h_j\n", "the formula is not closed by a line ```");
    words("brace", "the **8** of", "the } of", "'}' without '{'");
  }
  void bad_folders() {
    QFETCH(QString, file);
    QFETCH(QString, what);
    QFETCH(QString, with);
    QFETCH(QString, message);
    Copy copy;
    copy.exchange(file, what, with);
    const QString said = problem(copy.folder());
    QVERIFY2(!said.isEmpty() && said.contains(message), qPrintable(said));
    QVERIFY2(said.contains(file), qPrintable(said));
    QVERIFY2(!said.contains('\n'), qPrintable(said));
  }

  // Recorded, put in order, translated; each time a lesson that opens, or nothing has happened.
  void a_lesson_is_recorded() {
    QTemporaryDir parent;
    const std::string folder = parent.path().toStdString() + "/mine";
    RecordedStep step;
    step.state.model.name = QStringLiteral("date-attention");
    step.state.source = "MAY 5, 2001";
    step.output = "2001-05-05";
    step.view = "alignment";
    step.words["en"] = "It reads **May**.";
    QCOMPARE(record_step(folder, "My dates", step), std::string("step-1"));
    step.state.source = "JUNE 6, 2002";
    step.output = "2002-06-06";
    step.state.interventions = {parse_intervention("decoder.step[0].attention.weights[3]~0.5")};
    step.words["en"] = "And \"June\".";
    record_step(folder, "", step);
    auto lesson = read_lesson(folder);
    QCOMPARE(lesson->steps.size(), std::size_t{2});
    QCOMPARE(lesson->in("en").title, std::string("My dates"));
    QCOMPARE(lesson->steps[1].state->source, std::string("JUNE 6, 2002"));
    QVERIFY(lesson->steps[1].state->interventions == step.state.interventions);
    QVERIFY(lesson->steps[0].state->interventions.empty());
    move_step(folder, 1, 0);
    lesson = read_lesson(folder);
    QCOMPARE(lesson->steps[0].state->source, std::string("JUNE 6, 2002"));
    QVERIFY(lesson->steps[1].state->interventions.empty());  // a step is what it was, wherever it stands
    QCOMPARE(step_words(folder, 0, "en"), std::string("And \"June\"."));
    set_step_words(folder, 0, "zh_CN", "还有六月。");
    QCOMPARE(read_lesson(folder)->in("zh_CN").steps.size(), std::size_t{2});
    QVERIFY_THROWS_EXCEPTION(FormatError, set_step_words(folder, 0, "en", "## another\n\n**open"));
    QCOMPARE(step_words(folder, 0, "en"), std::string("And \"June\"."));
    remove_step(folder, 1);
    QCOMPARE(read_lesson(folder)->steps.size(), std::size_t{1});
    step.state.model.name = QStringLiteral("not-bundled");
    QVERIFY_THROWS_EXCEPTION(UsageError, record_step(folder, "", step));
    QVERIFY_THROWS_EXCEPTION(UsageError, record_step(parent.path().toStdString(), "", step));
    QVERIFY_THROWS_EXCEPTION(UsageError, move_step(folder, 0, 5));
    QCOMPARE(QDir(parent.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
             QStringList{"mine"});
  }

  void bad_files() {
    {
      Copy copy;
      QFile::remove(copy.path("lesson.json"));
      QVERIFY(problem(copy.folder()).contains("lesson.json"));
    }
    {
      Copy copy;
      QFile::remove(copy.path("en.md"));
      QFile::remove(copy.path("zh_CN.md"));
      QVERIFY(problem(copy.folder()).contains("expected the words of the lesson in en.md or zh_CN.md"));
    }
    {
      Copy copy;
      QFile::remove(copy.path("en.md"));
      QVERIFY(QFile::link(QStringLiteral("/etc/passwd"), copy.path("en.md")));
      QVERIFY(problem(copy.folder()).contains("found a link; a lesson is one folder"));
    }
    {
      Copy copy;
      QFile::remove(copy.path("en.md"));
      write(copy.path("en.md"), "# A\xff\n");
      QVERIFY(problem(copy.folder()).contains("expected a text in UTF-8"));
    }
    {
      Copy copy;
      QFile::remove(copy.path("en.md"));
      write(copy.path("en.md"), QByteArray(300 << 10, 'a'));
      QVERIFY(!problem(copy.folder()).isEmpty());
    }
    {
      Copy copy;
      QFile::remove(copy.path("lesson.json"));
      write(copy.path("lesson.json"), QByteArray(2 << 20, ' '));
      QVERIFY(!problem(copy.folder()).isEmpty());
    }
    {
      Copy copy;
      QFile::remove(copy.path("lesson.json"));
      write(copy.path("lesson.json"), QByteArray("[").repeated(100'000));
      QVERIFY(problem(copy.folder()).contains("levels deep"));
    }
    QVERIFY(problem("/nowhere/at/all").contains("there is no folder"));
    QVERIFY_THROWS_EXCEPTION(FileError, load_lesson("no-such-course/lesson"));
    QVERIFY_THROWS_EXCEPTION(FileError, load_lesson("../../../etc"));
  }
};

HEADLIGHT_CORE_TEST(TestLessonReading)

}  // namespace headlight::test_lesson_reading

#include "test_lesson_reading.moc"
