// Steps that show a training: read from a lesson's file, asked by expressions and shown by the window, on a recording
// made by hand whose numbers are written down here.

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <array>

#include "app/classroom/answers/lesson_answers.h"
#include "app/classroom/training/lesson_training.h"
#include "app/lab/lab_page.h"
#include "app/lab/line/time_line.h"
#include "app/lab/probe_band.h"
#include "app/lessons/lesson_check.h"
#include "model/recording/recording_file.h"
#include "tests/app/training_steps.h"
#include "tests/test_program.h"

namespace headlight::test_lesson_training {

namespace {

Tensor weights_of(std::initializer_list<std::initializer_list<float>> rows) {
  Tensor made({static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size())});
  Index at = 0;
  for (const auto& row : rows)
    for (const float each : row) made.data()[at++] = each;
  return made;
}

std::shared_ptr<const Moment> moment_of(Index read, double right, std::initializer_list<const char*> words,
                                        Tensor attention) {
  auto made = std::make_shared<Moment>();
  made->update = read / 10;
  made->read = read;
  made->seconds = static_cast<double>(read) / 100;
  made->right_unseen = made->right_trained = right;
  made->learning_rate = 0.5;
  ProbeRun run;
  double sure = 0.25;
  for (const char* word : words) run.output.push_back({word, sure += 0.25, true});
  run.attention = {std::move(attention)};
  made->probes = {run};
  return made;
}

// "a b" becomes "x y": nothing at first, x from 100 on, y from 300 on; 40 % right after 200, 96 % after 300.
std::shared_ptr<Recording> film() {
  auto made = std::make_shared<Recording>();
  made->settings.task = "copy";
  made->settings.architecture = "attn_seq2seq";
  made->settings.seed = 7;
  made->machine = "two cores";
  made->numbers = 1234;
  made->examples = 20;
  made->held_out = 5;
  made->updates = 40;
  made->reads = 400;
  made->whole = true;
  made->maps = {{"decoder.attention.weights"}};
  made->probes = {{"a b", "x y", {}, {"a", "b"}, {"x", "y"}}};
  made->moments = {moment_of(0, 0, {"y"}, weights_of({{0.5F, 0.5F}})),
                   moment_of(100, 0.125, {"x", "x"}, weights_of({{0.75F, 0.25F}, {0.5F, 0.5F}})),
                   moment_of(200, 0.375, {"x", "x"}, weights_of({{0.75F, 0.25F}, {0.5F, 0.5F}})),
                   moment_of(300, 0.96875, {"x", "y"}, weights_of({{1, 0}, {0.25F, 0.75F}})),
                   moment_of(400, 1, {"x", "y"}, weights_of({{1, 0}, {0, 1}}))};
  return made;
}

std::shared_ptr<Recording> other_film() {
  auto made = film();
  made->settings.seed = 8;
  made->moments[3] = moment_of(300, 0.5, {"x", "y"}, weights_of({{0.25F, 0.75F}, {0.25F, 0.75F}}));
  return made;
}

// A lesson's folder with two films; `steps`: of lesson.json.
class Folder {
 public:
  explicit Folder(const QString& steps, const QString& words) {
    write("lesson.json", "{\"headlight_lesson\": 1, \"minutes\": 5, \"steps\": [\n" + steps + "\n]}");
    write("en.md", "# Films\n\nA summary.\n" + words);
    save_recording(path("film.training").toStdString(), *film());
    save_recording(path("other.training").toStdString(), *other_film());
  }
  QString path(const QString& name) const { return folder_.path() + "/" + name; }
  std::string folder() const { return folder_.path().toStdString(); }

 private:
  void write(const QString& name, const QString& text) {
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.toUtf8());
  }
  QTemporaryDir folder_;
};

const QString kStep = R"({"id": "one", "kind": "scrub", "recording": "./film.training"%1})";
const QString kWords = "\n## one\n\nWords.\n";

QString problem(const QString& more, const QString& words = kWords) {
  const Folder folder(kStep.arg(more), words);
  try {
    read_lesson(folder.folder());
  } catch (const Error& error) {
    return QString::fromUtf8(error.what()).remove(QString::fromStdString(folder.folder()) + "/");
  }
  return {};
}

LessonReport report(const Folder& folder) {
  LessonRuns runs(read_lesson(folder.folder()));
  return check_lesson(runs, [](const std::string&, const AnalysedRun*) { return std::string(); });
}

ExpressionScope at_moment(int moment) {
  ShownTraining shown;
  shown.runs = {film(), other_film()};
  shown.moments = {moment, moment};
  ExpressionScope scope;
  scope.training = std::make_shared<const ShownTraining>(shown);
  return scope;
}

std::string text_at(int moment, const char* expression) {
  try {
    return value_text(Expression(expression).evaluate(at_moment(moment)));
  } catch (const Error& error) {
    return error.what();
  }
}

LessonStep step_of(LessonStep::Kind kind, bool asks) {
  LessonStep step;
  step.id = "one";
  step.kind = kind;
  step.has_answer = asks;
  step.training.recordings = {"film"};
  return step;
}

std::shared_ptr<const ShownTraining> shown_at(int moment) {
  ShownTraining shown;
  shown.runs = {film()};
  shown.moments = {moment};
  return std::make_shared<const ShownTraining>(shown);
}

}  // namespace

class TestLessonTraining : public QObject {
  Q_OBJECT

 private slots:
  void expressions_ask_a_recording_data() {
    QTest::addColumn<int>("moment");
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("found");
    const auto row = [](int moment, const char* expression, const char* found) {
      QTest::addRow("%d: %s", moment, expression) << moment << QString(expression) << QString(found);
    };
    row(2, "recorded(\"right_unseen\")", "0.38");
    row(2, "recorded(\"read\")", "200");
    row(2, "recorded(\"seconds\")", "2");
    row(4, "recorded(\"seed\") + recorded(\"numbers\")", "1241");
    row(0, "written_then", "y");
    row(4, "written_then", "x y");
    row(0, "mark(\"x\")", "1");
    row(0, "mark(\"y\")", "3");
    row(0, "mark(-1)", "3");
    row(0, "first_at(0.95)", "3");
    row(0, "read_at(299)", "2");
    row(0, "when(first_at(0.95), recorded(\"read\"))", "300");
    row(0, "when(-1, weight_then(\"y\", \"b\"))", "1");
    row(3, "weight_then(\"y\", \"a\")", "0.25");
    row(3, "weight_then(1, 1)", "0.75");
    row(3, "sure_then(\"y\")", "0.75");
    row(3, "differing(0.25)", "2");  // .75 both in the row of x
    row(3, "differing(0.75)", "0");
    row(3, "beside(recorded(\"right_unseen\"))", "0.50");
    row(4, "beside(recorded(\"seed\"))", "8");
    row(0, "max(over_time(\"right_unseen\"))", "1");
    row(0, "count(over_time(\"right_unseen\", 3))", "3");
    row(0, "item(over_time(\"right_unseen\", 3), 1)", "0.38");  // half of 400 read
  }
  void expressions_ask_a_recording() {
    QFETCH(int, moment);
    QFETCH(QString, expression);
    QFETCH(QString, found);
    QCOMPARE(QString::fromStdString(text_at(moment, qPrintable(expression))), found);
  }

  void expressions_say_what_a_recording_lacks() {
    const auto says = [](const char* expression, const char* what) {
      const QString found = QString::fromStdString(text_at(0, expression));
      QVERIFY2(found.contains(what), qPrintable(found));
    };
    says("recorded(\"right_unsee\")", "did you mean 'right_unseen'?");
    says("recorded(\"looks_right\")", "was not measured");
    says("mark(\"z\")", "there is no mark 'z'");
    says("first_at(1.5)", "it never had 150 % right");
    says("when(9, 1)", "there is no moment 9");
    says("weight_then(\"z\", \"a\")", "there is no word 'z' then");
    says("trained(\"class-dot-1\", 1)", "other runs cannot be asked here");
    QVERIFY_EXCEPTION_THROWN(Expression("recorded(\"read\")").evaluate({}), ExpressionError);
  }

  void a_step_is_read() {
    const Folder folder(testing::kTrainAndScrub, "\n## one\n\nWords.\n\n### question\n\nHow?\n\n## two\n\nWords.\n");
    const auto lesson = read_lesson(folder.folder());
    const LessonStep &train = lesson->steps[0], &scrub = lesson->steps[1];
    QVERIFY(train.trains() && train.asks() && train.answer.kind == LessonAnswer::Kind::curve);
    QCOMPARE(train.answer.points, 3);
    QCOMPARE(train.training.preset, std::string("class-dot"));
    QVERIFY(scrub.trains() && !scrub.asks() && !scrub.training.curves);
    QVERIFY(scrub.training.together == LessonTraining::Together::end);
    LessonRuns runs(lesson);
    QCOMPARE(runs.training(1)->moments, (std::vector<int>{3, 4}));
    QCOMPARE(runs.training_before(1)->moments[0], 0);
    QVERIFY(!runs.training_before(0));
    const ExpressionValue truth = true_answer(runs, 0);
    QCOMPARE(std::get<NumberList>(truth).values, (std::vector<double>{0, 0.375, 1}));
  }

  void bad_steps_are_told_with_their_line_data() {
    QTest::addColumn<QString>("more");
    QTest::addColumn<QString>("says");
    QTest::newRow("key") << R"(, "view": "alignment")"
                         << "lesson.json:2: steps[0].view: ";
    QTest::newRow("name") << R"(, "thin": "../x")"
                          << "steps[0].thin: expected the name of a bundled recording";
    QTest::newRow("moment") << ", \"to\": \"mark(\""
                            << "lesson.json:2: steps[0].to: ";
    QTest::newRow("together") << R"(, "together": "end")"
                              << "there is one recording";
    QTest::newRow("probe") << R"(, "probe": 99)"
                           << "steps[0].probe: ";
    QTest::newRow("trained") << testing::kTrainedElsewhere << "expected the name of a bundled";
    QTest::newRow("answer") << R"(, "expect": ["answer == 1"])"
                            << "asks for no answer";
    QTest::newRow("points") << R"(, "answer": {"kind": "curve", "points": 1, "truth": "1"})"
                            << "steps[0].answer.points: ";
  }
  void bad_steps_are_told_with_their_line() {
    QFETCH(QString, more);
    QFETCH(QString, says);
    const QString found = problem(more);
    QVERIFY2(found.contains(says), qPrintable(found));
    QVERIFY2(found.startsWith("lesson.json:2: "), qPrintable(found));
  }

  void conditions_are_checked_on_the_recording() {
    const QString holds = testing::kHolds;
    const LessonReport good = report(Folder(kStep.arg(holds), kWords));
    QVERIFY2(good.ok(), good.ok() ? "" : good.problems[0].c_str());
    QCOMPARE(good.conditions, 2);
    const LessonReport bad = report(Folder(kStep.arg(testing::kHoldsNot), kWords));
    QVERIFY(!bad.ok() && bad.problems[0].find("does not hold") != std::string::npos);
    QVERIFY(problem("").isEmpty());
  }

  void what_is_missing_is_told() {
    const auto said = [](const QString& step) {
      const LessonReport found = report(Folder(step, kWords));
      return found.problems.empty() ? QString() : QString::fromStdString(found.problems[0]);
    };
    const QString bundled = R"({"id": "one", "kind": "scrub", "recording": "no-such-one"})";
    QVERIFY2(said(bundled).contains("'no-such-one' is missing: it is made by sample_models/record-trainings.sh"),
             qPrintable(said(bundled)));
    const QString own = R"({"id": "one", "kind": "scrub", "recording": "./no-such-one.training"})";
    QVERIFY2(said(own).contains("is missing in the lesson's folder"), qPrintable(said(own)));
    QVERIFY2(said(kStep.arg(R"(, "to": "77")")).contains("expected a moment from 0 to 4, found 77"),
             qPrintable(said(kStep.arg(R"(, "to": "77")"))));
  }

  void a_drawn_curve_is_worth_how_near_it_is() {
    LessonStep step = step_of(LessonStep::Kind::train, true);
    step.answer.kind = LessonAnswer::Kind::curve;
    step.answer.points = 3;
    const AnswerFacts facts = AnswerFacts::of_curve(14400, 3);
    QCOMPARE(facts.token(1), QStringLiteral("7,200"));
    const auto curve = [](double a, double b, double c) { return ExpressionValue(NumberList{{3}, {a, b, c}, false}); };
    const ExpressionValue truth = curve(0, 0.375, 1);
    QVERIFY(worth_of(curve(0, 0.375, 1), truth, step, facts) == Worth::right);
    QVERIFY(worth_of(curve(0.25, 0.625, 1), truth, step, facts) == Worth::close);  // 17 points off
    QVERIFY(worth_of(curve(1, 1, 0), truth, step, facts) == Worth::wrong);
    QVERIFY(distance_text(curve(0.25, 0.625, 1), truth, step, facts).contains(QStringLiteral("17 ")));
    QCOMPARE(answer_text(curve(0, 0.5, 1), step, {}, facts), QStringLiteral("0: 0 %, 7,200: 50 %, 14,400: 100 %"));
  }

  void the_page_is_closed_until_the_answer() {
    QWidget views;
    views.resize(900, 600);
    LessonTrainingPage page(&views);
    views.show();
    page.show_step(step_of(LessonStep::Kind::scrub, true), shown_at(3), nullptr, true);
    QVERIFY(page.waits() && page.isVisible() && page.shown().empty());
    QVERIFY(page.note().isEmpty());
    page.reveal();
    QVERIFY(!page.waits() && !page.shown().empty());
    QCOMPARE(page.shown().moment(), 3);
    QVERIFY2(page.note().contains(QStringLiteral("two cores")), qPrintable(page.note()));
    page.leave();
    QVERIFY(!page.isVisible());
  }

  void what_is_seen_before_ends_there() {
    QWidget views;
    views.resize(900, 600);
    LessonTrainingPage page(&views);
    page.show_step(step_of(LessonStep::Kind::train, true), shown_at(4), shown_at(1), true);
    QCOMPARE(page.shown().runs()[0]->count(), 2);  // nothing of what comes
    QCOMPARE(page.shown().moment(), 1);
    page.reveal();
    page.finish();
    QCOMPARE(page.shown().runs()[0]->count(), 5);
    QCOMPARE(page.shown().moment(), 4);
  }

  void a_step_without_a_question_shows_its_moment() {
    QWidget views;
    views.resize(900, 600);
    LessonTrainingPage page(&views);
    LessonStep step = step_of(LessonStep::Kind::scrub, false);
    step.training.curves = false;
    page.show_step(step, shown_at(2), nullptr, false);
    QCOMPARE(page.shown().moment(), 2);
    QVERIFY(page.time_line()->isHidden());
    QVERIFY(!page.findChild<QPushButton*>(QStringLiteral("lesson_train_here"))->isVisibleTo(&page));
  }

  void a_card_leaves_the_training_there() {
    Lesson lesson;
    lesson.steps.resize(4);
    using Kind = LessonStep::Kind;
    for (std::size_t k = 0; k < 4; ++k)
      lesson.steps[k].kind = std::array{Kind::card, Kind::scrub, Kind::card, Kind::card}[k];
    QCOMPARE(training_step(lesson, 0), 0);
    QCOMPARE(training_step(lesson, 1), 1);
    QCOMPARE(training_step(lesson, 3), 1);
    lesson.steps[3].state.emplace();  // it has a model to show
    QCOMPARE(training_step(lesson, 3), 3);
  }

  void what_is_drawn_on_has_the_page_and_a_room_sees_the_squares() {
    QWidget views;
    views.resize(900, 600);
    LessonTrainingPage page(&views);
    views.show();
    LessonStep step = step_of(LessonStep::Kind::train, true);
    step.answer.kind = LessonAnswer::Kind::curve;
    page.show_step(step, shown_at(4), nullptr, true);
    auto* band = page.findChild<ProbeBand*>();
    QVERIFY(!band->isVisible());
    QTRY_VERIFY(page.time_line()->height() >= views.height() / 2);
    page.reveal();
    QTRY_VERIFY(band->isVisible() && page.time_line()->isVisible());
    QTRY_VERIFY(page.time_line()->height() < views.height() / 2);
    page.set_presenting(true);
    QVERIFY(!band->isVisible());
  }

  void without_a_time_line_no_key_leaves_the_moment() {
    QWidget views;
    views.resize(900, 600);
    LessonTrainingPage page(&views);
    views.show();
    LessonStep step = step_of(LessonStep::Kind::scrub, false);
    page.show_step(step, shown_at(2), nullptr, false);
    QTest::keyClick(page.findChild<LabPage*>(), Qt::Key_PageUp);
    QVERIFY(page.shown().moment() != 2);
    step.training.curves = false;
    page.show_step(step, shown_at(2), nullptr, false);
    QTest::keyClick(page.findChild<LabPage*>(), Qt::Key_PageUp);
    QCOMPARE(page.shown().moment(), 2);
  }

  void what_is_drawn_over_the_time_line_is_the_answer() {
    QWidget views;
    views.resize(900, 600);
    LessonTrainingPage page(&views);
    LessonStep step = step_of(LessonStep::Kind::train, true);
    step.answer.kind = LessonAnswer::Kind::curve;
    step.answer.points = 3;
    page.show_step(step, shown_at(4), nullptr, true);
    QVERIFY(page.time_line()->may_draw());
    QVERIFY(page.drawn().empty());
    page.draw({0, 0.5, 1});
    QCOMPARE(page.drawn().size(), std::size_t{3});
    QVERIFY(std::abs(page.drawn()[1] - 0.5) < 0.03);
    page.reveal();
    QVERIFY(!page.time_line()->drawn().empty());  // it stays beside what came
  }
};

HEADLIGHT_WIDGET_TEST(TestLessonTraining)

}  // namespace headlight::test_lesson_training

#include "test_lesson_training.moc"
