// What a recording tells, on recordings that were written by hand.

#include <QTest>

#include "model/recording/story.h"
#include "tests/test_program.h"

namespace headlight::test_recording_story {

namespace {

ProbeRun run_of(const std::vector<std::string>& words) {
  ProbeRun run;
  for (const std::string& word : words) run.output.push_back({word, 0.5, true});
  return run;
}

// One probe, a moment every hundred examples.
Recording recording_of(const std::vector<std::vector<std::string>>& outputs) {
  Recording recording;
  recording.probes = {{"a b c", {}}};
  for (const std::vector<std::string>& words : outputs) {
    auto moment = std::make_shared<Moment>();
    moment->update = static_cast<Index>(10 * recording.moments.size());
    moment->read = 10 * moment->update;
    moment->probes = {run_of(words)};
    recording.moments.push_back(std::move(moment));
  }
  recording.updates = recording.moments.empty() ? 0 : recording.moments.back()->update;
  return recording;
}

// With figures of each moment: right on unseen, and the loss.
Recording figures(const std::vector<std::pair<double, double>>& values, Index updates) {
  Recording recording;
  for (const auto& [right, loss] : values) {
    auto moment = std::make_shared<Moment>();
    moment->update = static_cast<Index>(10 * recording.moments.size());
    moment->right_unseen = right;
    moment->loss = loss;
    recording.moments.push_back(std::move(moment));
  }
  recording.updates = updates;
  return recording;
}

}  // namespace

class TestRecordingStory : public QObject {
  Q_OBJECT

 private slots:
  // "das" stands from 1 on, "haus" from 3 on, "alte" from 4 on (it was there, and went); "alt" at the end never
  // changes.
  void a_mark_is_where_a_word_begins_to_stay() {
    const Recording r = recording_of({{"der", "x", "y", "alt"},
                                      {"das", "alte", "y", "alt"},
                                      {"das", "rote", "y", "alt"},
                                      {"das", "rote", "haus", "alt"},
                                      {"das", "alte", "haus", "alt"},
                                      {"das", "alte", "haus", "alt"}});
    const std::vector<Mark> expected = {{1, 0, "das"}, {3, 2, "haus"}, {4, 1, "alte"}};
    QVERIFY(marks(r, 0) == expected);
    QCOMPARE(other_changes(r, 0), std::vector<int>{2});
  }
  void a_word_that_flips_to_the_end_is_marked_there() {
    const Recording r = recording_of({{"a"}, {"b"}, {"a"}, {"b"}});
    QVERIFY(marks(r, 0) == (std::vector<Mark>{{3, 0, "b"}}));
    QCOMPARE(other_changes(r, 0), (std::vector<int>{1, 2}));
  }
  // A place that the last output lacks has no mark, that it went is a change.
  void longer_outputs_before() {
    const Recording r = recording_of({{"a", "b"}, {"a", "b"}, {"a"}});
    QVERIFY(marks(r, 0).empty());
    QCOMPARE(other_changes(r, 0), std::vector<int>{2});
  }
  void nothing_is_told_of_nothing() {
    QVERIFY(marks(Recording(), 0).empty());
    QVERIFY(marks(recording_of({{"a"}}), 0).empty());
    QVERIFY(marks(recording_of({{"a"}, {"b"}}), 7).empty());
    QVERIFY(other_changes(Recording(), 0).empty());
    QVERIFY(!first_at(Recording(), 0.5));
    QCOMPARE(moment_at(Recording(), 100), 0);
    QVERIFY(!does_not_learn(Recording()));
  }
  void from_mark_to_mark() {
    const Recording r = recording_of({{"x", "y"}, {"a", "y"}, {"a", "y"}, {"a", "b"}});  // marks at 1 and 3
    QCOMPARE(next_mark(r, 0, 0, 1), 1);
    QCOMPARE(next_mark(r, 0, 1, 1), 3);
    QCOMPARE(next_mark(r, 0, 3, 1), 3);
    QCOMPARE(next_mark(r, 0, 3, -1), 1);
    QCOMPARE(next_mark(r, 0, 2, -1), 1);
    QCOMPARE(next_mark(r, 0, 1, -1), 1);
  }

  void where_a_score_was_first_reached() {
    const double none = kNotMeasured;
    const Recording r = figures({{none, none}, {0.2, 3}, {0.95, 2}, {0.9, 1}, {1, 1}}, 40);
    QCOMPARE(first_at(r, 0.95).value(), 2);
    QCOMPARE(first_at(r, 0.1).value(), 1);
    QCOMPARE(first_at(r, 0.96).value(), 4);
    QVERIFY(!first_at(figures({{0.2, 3}}, 40), 0.95));
  }
  void the_moment_of_a_count() {
    const Recording r = recording_of({{}, {}, {}});  // 0, 100, 200 examples
    QCOMPARE(moment_at(r, 0), 0);
    QCOMPARE(moment_at(r, 99), 0);
    QCOMPARE(moment_at(r, 100), 1);
    QCOMPARE(moment_at(r, 5000), 2);
  }

  // By hand: (0,1) differs by .5, (1,0) by .3, (1,1) by exactly .25 (not more); the second has a row and a word more.
  void two_pictures_differ_cell_by_cell() {
    ProbeRun a = run_of({"x", "y"}), b = run_of({"x", "z", "w"});
    a.attention = {Tensor::of({2, 2}, {Scalar(0.5), Scalar(0.5), Scalar(0.5), Scalar(0.25)})};
    b.attention = {Tensor::of({3, 2}, {Scalar(0.5), 1, Scalar(0.8), Scalar(0.5), Scalar(0.75), 0})};
    const ProbeDifference found = difference(a, b, 0);
    QCOMPARE(found.cells.size(), 3u);
    QCOMPARE(found.cells[0].row, 0);
    QCOMPARE(found.cells[0].column, 1);
    QCOMPARE(found.cells[0].first, 0.5);
    QCOMPARE(found.cells[0].second, 1.0);
    QCOMPARE(found.cells[1].row, 1);
    QCOMPARE(found.cells[1].column, 0);
    QCOMPARE(found.cells[2].row, 2);
    QCOMPARE(found.cells[2].column, 0);
    QVERIFY(found.cells[2].first == 0);
    QCOMPARE(found.most->row, 2);
    QCOMPARE(found.words, (std::vector<int>{1, 2}));
    QVERIFY(difference(a, a, 0).cells.empty() && !difference(a, a, 0).most && difference(a, a, 0).words.empty());
    QVERIFY(difference(a, b, 1).cells.empty());
    QVERIFY(difference(a, b, -1).cells.empty());
  }

  void what_does_not_learn_is_said_after_a_third() {
    const std::vector<std::pair<double, double>> flat = {{0, kNotMeasured}, {0, 2.3}, {0, 2.3}, {0, 2.28}, {0, 2.29}};
    QVERIFY(does_not_learn(figures(flat, 120)));
    QVERIFY(does_not_learn(figures(flat, 40)));
    QVERIFY(!does_not_learn(figures(flat, 121)));  // before a third
    QVERIFY(!does_not_learn(figures({{0, kNotMeasured}, {0, 2.3}, {0, 2}, {0, 1.5}, {0, 1.2}}, 120)));
    QVERIFY(!does_not_learn(figures({{0, kNotMeasured}, {0, 2.3}, {0.3, 2.3}, {0, 2.3}, {0.1, 2.3}}, 120)));
    Recording failed = figures(flat, 120);
    failed.failure = Recording::Failure{41, 2.29, "no numbers"};
    QVERIFY(!does_not_learn(failed));
  }

  void settings_differ_by_key() {
    TrainingSettings a, b;
    a.task = b.task = "copy";
    a.architecture = b.architecture = "attn_seq2seq";
    QVERIFY(setting_differences(a, b).empty());
    b.seed = 2;
    b.set("hidden_size=16");
    b.set("optimiser=sgd");
    a.probes = {"12"};  // what is asked changes no picture of what is not
    std::map<std::string, std::pair<std::string, std::string>> found;
    for (const SettingDifference& each : setting_differences(a, b)) found[each.key] = {each.first, each.second};
    QCOMPARE(found["seed"], (std::pair<std::string, std::string>("1", "2")));
    QCOMPARE(found["hidden_size"].second, std::string("16"));
    QCOMPARE(found["optimiser"].second, std::string("sgd"));
    QVERIFY(!found.contains("batch") && !found.contains("probes") && !found.contains("model"));
  }
};

HEADLIGHT_TEST(TestRecordingStory)

}  // namespace headlight::test_recording_story

#include "test_recording_story.moc"
