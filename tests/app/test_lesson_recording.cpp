// A teacher makes a lesson in the window: steps that show and steps that ask in every way, models that come along,
// words in two languages.

#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/classroom/classroom.h"
#include "app/classroom/lesson_overlay.h"
#include "app/classroom/lesson_panel.h"
#include "app/classroom/record_dialog.h"
#include "app/lessons/lesson_check.h"
#include "app/lessons/lesson_recording.h"
#include "app/window/main_window.h"
#include "model/analysis/attention_maps.h"
#include "model/io/file.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"

namespace headlight::test_lesson_recording {

class TestLessonRecording : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> parent_;
  std::unique_ptr<MainWindow> window_;
  std::unique_ptr<RecordDialog> dialog_;

  QString folder() const { return parent_->filePath("mine"); }
  std::string path() const { return folder().toStdString(); }
  template <class Widget>
  Widget* part(const char* name) const {
    return dialog_->findChild<Widget*>(QString::fromUtf8(name));
  }
  void type(const char* field, const QString& text) const { part<QPlainTextEdit>(field)->setPlainText(text); }
  void press(const char* name) const { part<QPushButton>(name)->click(); }
  QString said() const { return part<QLabel>("record_said")->text(); }
  void show(const std::string& model, const std::string& source) {
    Document document;
    document.model = load_model(model);
    document.source = source;
    window_->start(document);
    window_->show();
    QTRY_VERIFY_WITH_TIMEOUT(window_->result() && !window_->worker().busy(), 60000);
  }
  LessonReport checked() const {
    LessonRuns runs(read_lesson(path()));
    return check_lesson(runs, [](const std::string&, const AnalysedRun*) { return std::string(); });
  }

 private slots:
  void init() {
    parent_ = std::make_unique<QTemporaryDir>();
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    dialog_ = std::make_unique<RecordDialog>(window_->taught());
    part<QLineEdit>("record_folder")->setText(folder());
  }
  void cleanup() {
    dialog_.reset();
    window_.reset();
  }

  // One of each kind, about what is chosen in the window; then the lesson is played.
  void every_kind_of_question() {
    show("date-attention", "AUGUST 23, 1983");
    type("record_text_en", "It writes the date.");
    part<QLineEdit>("record_title_en")->setText("My dates");
    press("record_step");
    QCOMPARE(said(), QStringLiteral("Step 1 is recorded."));
    SelectionState chosen;
    chosen.step = 6;          // that writes the 8 of the month
    chosen.source_token = 2;  // the G
    for (int kind = 1; kind <= 6; ++kind) {
      window_->selection().set(chosen);
      part<QComboBox>("record_kind")->setCurrentIndex(kind);
      type("record_text_en", QStringLiteral("Now number %1.").arg(kind));
      type("record_question_en", "What is it?");
      if (kind == 1) type("record_choices_en", "the day\n* the month\n\nthe year");
      type("record_reveal_en", "So it is.");
      press("record_step");
      QCOMPARE(said(), QStringLiteral("Step %1 is recorded.").arg(kind + 1));
      QVERIFY(part<QPlainTextEdit>("record_text_en")->toPlainText().isEmpty());
    }
    const auto lesson = read_lesson(path());
    QCOMPARE(lesson->in("en").title, std::string("My dates"));
    const LessonReport report = checked();
    QVERIFY2(report.ok(), report.ok() ? "" : report.problems.front().c_str());
    QCOMPARE(report.steps, 7);
    LessonRuns runs(lesson);
    QCOMPARE(std::get<std::string>(true_answer(runs, 1)), std::string("c2"));
    QCOMPARE(lesson->in("en").steps[1].choices.size(), std::size_t{3});
    const double sure = std::get<double>(true_answer(runs, 2));
    QVERIFY2(sure >= 0 && sure <= 100, qPrintable(QString::number(sure)));
    QCOMPARE(std::get<std::string>(true_answer(runs, 3)), std::string("1983-08-23"));
    const Places looked = std::get<Places>(true_answer(runs, 4));
    QCOMPARE(looked.at, std::vector<int>{2});  // the G alone holds 99 %: the lesson 'Looking back' says so
    QCOMPARE(std::get<Places>(true_answer(runs, 5)).cells, (std::vector<std::pair<int, int>>{{6, 2}}));
    QVERIFY(std::get<NumberList>(true_answer(runs, 6)).values[2] > 0.8);
    // What is asked stays closed.
    QCOMPARE(lesson->steps[4].closed.text(), std::string("writes(6)"));
    QCOMPARE(lesson->steps[3].closed.text(), std::string("all_written"));
    QVERIFY(!lesson->steps[4].state->selection.step);
  }

  // Of a model in which tokens look at tokens the row is that of the chosen square, in its layer and head; the picture
  // waits until the answer and then shows that number.
  void a_row_among_heads() {
    show("masked-bert", "the dog ___ the cat");
    const Result& result = *window_->result();
    const std::vector<AttentionMap> maps = attention_maps(result);
    const auto map =
        std::ranges::find_if(maps, [](const AttentionMap& each) { return each.is_self() && each.layer == 1; });
    QVERIFY(map != maps.end());
    constexpr Index kHead = 1, kRow = 2;
    SelectionState chosen;
    chosen.entry = map->entry(kRow);
    chosen.cell = map->cell(kHead, kRow, 0);
    for (const int kind : {4, 6}) {
      window_->selection().set(chosen);
      part<QComboBox>("record_kind")->setCurrentIndex(kind);
      type("record_text_en", "One head.");
      type("record_question_en", "Where does it look?");
      press("record_step");
      QCOMPARE(said(), QStringLiteral("Step %1 is recorded.").arg(kind == 4 ? 1 : 2));
    }
    const LessonReport report = checked();
    QVERIFY2(report.ok(), report.ok() ? "" : report.problems.front().c_str());
    const auto lesson = read_lesson(path());
    LessonRuns runs(lesson);
    const NumberList row = std::get<NumberList>(true_answer(runs, 1));
    const int token = map->rows[kRow].token;
    for (Index column = 0; column < map->column_count(); ++column)
      QVERIFY(std::abs(row.values[static_cast<std::size_t>(map->columns[static_cast<std::size_t>(column)].token)] -
                       static_cast<double>(map->weight(kHead, kRow, column))) < 1e-6);
    double held = 0;
    const Places found = std::get<Places>(true_answer(runs, 0));
    for (const int each : found.at) held += row.values[static_cast<std::size_t>(each)];
    QVERIFY(held >= 0.9);
    QCOMPARE(lesson->steps[0].closed.text(), "reads(" + std::to_string(token) + ")");
    // An answer key of another head is noticed: it is not what was seen when it was recorded.
    const std::string file = path() + "/lesson.json", recorded = read_file(file, 1 << 20);
    const std::string here = "(" + lesson->steps[0].closed.text() + ", 1, 1)";
    const std::string other = "(" + lesson->steps[0].closed.text() + ", 1, 0)";
    QString changed = QString::fromStdString(recorded);
    QVERIFY(changed.count(QString::fromStdString(here)) >= 4);
    write_file_atomically(file,
                          changed.replace(QString::fromStdString(here), QString::fromStdString(other)).toStdString());
    QVERIFY(!checked().ok());
    write_file_atomically(file, recorded);
    QVERIFY(checked().ok());

    Classroom& room = window_->classroom();
    QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed);
    room.open(folder(), 0);
    QTRY_VERIFY_WITH_TIMEOUT(!shown.isEmpty(), 60000);
    room.overlay()->refresh();
    QVERIFY(!room.overlay()->picture().waits.isEmpty());
    room.panel()->findChild<QPushButton*>(QStringLiteral("lesson_unknown"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(!revealed.isEmpty(), 60000);
    room.overlay()->refresh();
    QVERIFY(room.overlay()->picture().waits.isEmpty() && !room.overlay()->picture().lit.isEmpty());
  }

  // The value that is chosen, whatever it is: as a share in percent, else between wide ends.
  void a_number_of_the_window() {
    show("date-attention", "AUGUST 23, 1983");
    const Result& result = *window_->result();
    const int weights = result.trace->find("decoder.step[6].attention.weights");
    const int state = result.trace->find("decoder.init.h");
    QVERIFY(weights >= 0 && state >= 0);
    SelectionState chosen;
    chosen.entry = weights;
    chosen.cell = 5;
    RecordedQuestion asked = question_about(LessonAnswer::Kind::number, result, chosen);
    QCOMPARE(asked.unit, std::string("%"));
    QCOMPARE(asked.truth, std::string("round(100 * value(\"decoder.step[6].attention.weights\", 5), 0)"));
    chosen.entry = state;
    chosen.cell = 0;
    asked = question_about(LessonAnswer::Kind::number, result, chosen);
    const double now = static_cast<double>(result.trace->value("decoder.init.h")[0]);
    QVERIFY(asked.from <= -2 * std::abs(now) && asked.to >= 2 * std::abs(now) && asked.from == -asked.to);
    QVERIFY(asked.unit.empty());
  }

  // Nothing is written while something is missing, and it is said what.
  void what_is_missing_is_said() {
    press("record_step");
    QCOMPARE(said(), QStringLiteral("Nothing runs yet."));
    show("date-attention", "MAY 5, 2001");
    press("record_step");
    QVERIFY2(said().contains("a step needs words"), qPrintable(said()));
    type("record_text_en", "Look.");
    part<QComboBox>("record_kind")->setCurrentIndex(4);
    type("record_question_en", "Which?");
    window_->selection().set({});
    press("record_step");
    QVERIFY2(said().contains("choose a row of the picture first"), qPrintable(said()));
    part<QComboBox>("record_kind")->setCurrentIndex(1);
    type("record_choices_en", "one\ntwo");
    press("record_step");
    QVERIFY2(said().contains("star"), qPrintable(said()));
    type("record_choices_en", "* one");
    press("record_step");
    QVERIFY2(said().contains("2 to 8 choices"), qPrintable(said()));
    QVERIFY(!QDir(folder()).exists());
    part<QLineEdit>("record_folder")->setText({});
    press("record_step");
    QCOMPARE(said(), QStringLiteral("Choose a folder first."));
  }

  // A model from elsewhere is copied into the lesson, which then opens without it.
  void a_model_in_a_folder_comes_along() {
    const QString own = parent_->filePath("my model!");
    QVERIFY(QDir().mkpath(own));
    const QDir from(QStringLiteral("sample_models/date-dot"));
    for (const QString& file : from.entryList(QDir::Files)) QVERIFY(QFile::copy(from.filePath(file), own + "/" + file));
    QVERIFY(QDir(own).mkpath("part") && QFile::copy(own + "/config.json", own + "/part/config.json"));
    show(own.toStdString(), "MAY 5, 2001");
    type("record_text_en", "A model of my own.");
    press("record_step");
    QCOMPARE(said(), QStringLiteral("Step 1 is recorded."));
    type("record_text_en", "Once more.");
    press("record_step");
    QVERIFY(QDir(own).removeRecursively());
    const auto lesson = read_lesson(path());
    QCOMPARE(lesson->steps[0].state->model.relative, QStringLiteral("my-model-"));
    QCOMPARE(lesson->steps[1].state->model.relative, QStringLiteral("my-model-"));
    QCOMPARE(QDir(folder()).entryList(QDir::Dirs | QDir::NoDotAndDotDot), QStringList{"my-model-"});
    QVERIFY(QFile::exists(folder() + "/my-model-/part/config.json"));
    QVERIFY(checked().ok());
  }

  void words_are_edited_side_by_side() {
    show("date-attention", "MAY 5, 2001");
    for (const char* text : {"One.", "Two."}) {
      type("record_text_en", QString::fromUtf8(text));
      press("record_step");
    }
    auto* list = part<QListWidget>("record_steps");
    QCOMPARE(list->count(), 2);
    list->setCurrentRow(1);
    QCOMPARE(part<QPlainTextEdit>("record_text_en")->toPlainText(), QStringLiteral("Two."));
    type("record_text_zh_CN", QStringLiteral("第二步。"));
    part<QLineEdit>("record_title_en")->setText("Dates");
    press("record_save");
    part<QLineEdit>("record_title_zh_CN")->setText(QStringLiteral("日期"));
    list->setCurrentRow(0);
    type("record_text_zh_CN", QStringLiteral("第一步。"));
    press("record_save");
    auto lesson = read_lesson(path());
    QCOMPARE(lesson->in("en").title, std::string("Dates"));
    QCOMPARE(lesson->in("zh_CN").title, std::string("日期"));
    QCOMPARE(plain_text(lesson->in("zh_CN").steps[1].text), std::string("第二步。"));
    QCOMPARE(plain_text(lesson->in("en").steps[1].text), std::string("Two."));
    press("record_down");
    lesson = read_lesson(path());
    QCOMPARE(plain_text(lesson->in("zh_CN").steps[0].text), std::string("第二步。"));
    QCOMPARE(list->currentRow(), 1);
    press("record_preview");
    QTRY_VERIFY_WITH_TIMEOUT(window_->classroom().is_open(), 30000);
    QCOMPARE(window_->classroom().step(), 1);
    window_->classroom().close();
    const auto files = [this] {
      QByteArrayList all;
      for (const char* name : {"lesson.json", "en.md", "zh_CN.md"}) {
        QFile file(folder() + "/" + QString::fromUtf8(name));
        all << (file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray());
      }
      return all;
    };
    const QByteArrayList before = files();
    QVERIFY(!part<QPushButton>("record_bring_back")->isEnabled());
    press("record_remove");
    QCOMPARE(read_lesson(path())->steps.size(), std::size_t{1});
    QCOMPARE(said(), QStringLiteral("Step 2 is removed."));
    press("record_bring_back");
    QCOMPARE(files(), before);
    QVERIFY(!part<QPushButton>("record_bring_back")->isEnabled());
    press("record_remove");
    type("record_text_en", "Three.");
    press("record_step");  // what is written after it is not undone
    QVERIFY(!part<QPushButton>("record_bring_back")->isEnabled());
  }

  // Who translates one field at a time finds the rest in the first language.
  void half_a_translation_is_kept() {
    show("date-attention", "MAY 5, 2001");
    part<QComboBox>("record_kind")->setCurrentIndex(1);
    type("record_text_en", "Now.");
    type("record_question_en", "Which?");
    type("record_choices_en", "one\n* two");
    type("record_text_zh_CN", QStringLiteral("现在。"));
    press("record_step");
    QCOMPARE(said(), QStringLiteral("Step 1 is recorded."));
    auto* list = part<QListWidget>("record_steps");
    list->setCurrentRow(0);
    QCOMPARE(part<QPlainTextEdit>("record_choices_en")->toPlainText(), QStringLiteral("one\n* two"));
    type("record_question_zh_CN", QStringLiteral("哪个？"));
    type("record_choices_zh_CN", QStringLiteral("一"));
    press("record_save");
    QCOMPARE(said(), QStringLiteral("The words of step 1 are saved."));
    const auto lesson = read_lesson(path());
    const StepWords& words = lesson->in("zh_CN").steps[0];
    QCOMPARE(plain_text(words.text), std::string("现在。"));
    QCOMPARE(plain_text(words.question), std::string("哪个？"));
    QCOMPARE(plain_text(words.choices[0].words), std::string("一"));
    QCOMPARE(plain_text(words.choices[1].words), std::string("two"));
    QVERIFY(checked().ok());
  }

  // What has no field of its own stays when words are saved.
  void hints_and_claims_stay() {
    const std::string words = "Text.\n\n### question\n\nWhy?\n\n### choices\n\n- c1: a\n- c2: b\n\n### hint\n\nLook.";
    const StepParts parts = parts_of_markdown(words);
    QCOMPARE(parts.text, std::string("Text."));
    QCOMPARE(parts.choices, (std::vector<std::string>{"a", "b"}));
    QCOMPARE(parts.rest, std::string("### hint\n\nLook."));
    QCOMPARE(markdown_of(parts, choice_ids(2)), words);
  }
};

HEADLIGHT_WIDGET_TEST(TestLessonRecording)

}  // namespace headlight::test_lesson_recording

#include "test_lesson_recording.moc"
