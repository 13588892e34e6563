// Differences of runs: tokens side by side, values, maps and heads, against small cases worked by hand.
#include <QTest>
#include <cmath>

#include "model/analysis/difference.h"
#include "tests/test_program.h"

namespace headlight::test_difference {

namespace {

using Change = PlacePair::Change;

std::vector<std::string> letters(const char* text) {
  std::vector<std::string> all;
  for (; *text; ++text) all.emplace_back(1, *text);
  return all;
}

std::string changes(const std::vector<PlacePair>& places) {
  std::string text;
  for (const PlacePair& place : places) text += "=~+-"[static_cast<int>(place.change())];
  return text;
}

// A run that read `source`, wrote `output`, and looked at the source with these weights, one row for each step. Its
// state at each step is [step, 10].
struct Run {
  const char *source, *output;
  std::vector<std::vector<Scalar>> weights;
  Index units = 2;
  const char* extra = nullptr;
};
Result result_of(const Run& run) {
  Result made;
  auto model = std::make_shared<ModelBundle>();
  model->text.target = Tokenizer(Vocabulary({"_"}));
  made.model = model;
  for (const std::string& text : letters(run.source)) {
    const auto i = static_cast<int>(made.tokens.size());
    made.tokens.push_back({text, 0, 0, 1, false});
    made.position_of_token.push_back(i);
    made.token_of_position.push_back(i);
  }
  Recorder recorder(Capture{{}, false}, {});
  const Tap tap = recorder.tap();
  const SitePath decoder("decoder");
  for (std::size_t t = 0; t < run.weights.size(); ++t) {
    const SitePath step(decoder, "step", static_cast<Index>(t));
    tap(SitePath(step, "attention"), "weights", Tensor::vector(run.weights[t]));
    Tensor state = Tensor::full({run.units}, Scalar(10));
    state[0] = static_cast<Scalar>(t);
    tap(SitePath(step, "lstm"), "h", state);
    if (run.extra) tap(SitePath(step, "output"), run.extra, Tensor::vector({1}));
    OutputStep written;
    written.text = std::string(1, run.output[t]);
    made.steps.push_back(written);
  }
  made.trace = recorder.finish({});
  return made;
}

const SiteChange* change_of(const Difference& found, const std::string& name) {
  for (const SiteChange& site : found.sites)
    if (site.name == name) return &site;
  return nullptr;
}

}  // namespace

class TestDifference : public QObject {
  Q_OBJECT

 private slots:
  void tokens_side_by_side_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("expected");
    QTest::newRow("same") << "abc"
                          << "abc"
                          << "===";
    QTest::newRow("nothing") << ""
                             << ""
                             << "";
    QTest::newRow("all new") << ""
                             << "ab"
                             << "++";
    QTest::newRow("all gone") << "ab"
                              << ""
                              << "--";
    QTest::newRow("in front") << "ab"
                              << "xab"
                              << "+==";
    QTest::newRow("one gone") << "abc"
                              << "ac"
                              << "=-=";
    QTest::newRow("one else") << "abc"
                              << "axc"
                              << "=~=";
    QTest::newRow("kitten") << "kitten"
                            << "sitting"
                            << "~===~=+";  // the usual example: distance 3
  }
  void tokens_side_by_side() {
    QFETCH(QString, before);
    QFETCH(QString, after);
    QFETCH(QString, expected);
    const auto a = letters(before.toUtf8().constData()), b = letters(after.toUtf8().constData());
    const auto places = aligned(a, b);
    QCOMPARE(QString::fromStdString(changes(places)), expected);
    Index i = 0, j = 0;  // every token once, in order
    for (const PlacePair& place : places) {
      if (place.before >= 0) QCOMPARE(place.before, i++);
      if (place.after >= 0) QCOMPARE(place.after, j++);
    }
    QCOMPARE(i, static_cast<Index>(a.size()));
    QCOMPARE(j, static_cast<Index>(b.size()));
  }

  // Two and a bit lines of dynamic programming, the other way round.
  void no_shorter_way_exists() {
    const auto a = letters("saturday, november 21, 2026"), b = letters("sunday 22 nov 2026");
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
      std::size_t corner = row[0]++;
      for (std::size_t j = 1; j <= b.size(); ++j) {
        const std::size_t change = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
        corner = row[j];
        row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
      }
    }
    std::size_t cost = 0;
    for (const PlacePair& place : aligned(a, b)) cost += place.change() == Change::kept ? 0 : 1;
    QCOMPARE(cost, row.back());
  }

  void padding_only_matches_padding() {
    Result before = result_of({"a ", "", {}}), after = result_of({"a ", "", {}});
    before.tokens[1].padding = true;
    QCOMPARE(changes(token_places(before, before).source), std::string("=="));
    QCOMPARE(changes(token_places(before, after).source), std::string("=+-"));
  }

  void places_are_positions_of_the_run() {
    Result before = result_of({"ab", "", {}}), after = before;
    after.position_of_token = {1, 0};  // reads backwards
    after.token_of_position = {1, 0};
    const auto places = token_places(before, after).source;
    QCOMPARE(places, (std::vector<PlacePair>{{0, 1, true}, {1, 0, true}}));
  }

  void divergence_in_bits() {
    QCOMPARE(divergence({1, 0}, {0, 1}), 1.0);
    QCOMPARE(divergence({0.5, 0.5}, {0.5, 0.5}), 0.0);
    // m = (3/4, 1/4): H(m) - (0 + 1) / 2
    const double expected = -(0.75 * std::log2(0.75) + 0.25 * std::log2(0.25)) - 0.5;
    QVERIFY(std::abs(divergence({1, 0}, {0.5, 0.5}) - expected) < 1e-12);
    QVERIFY(std::abs(divergence({3, 0}, {2, 2}) - expected) < 1e-12);  // scaled to sum to 1
    QCOMPARE(divergence({0, 0}, {1, 0}), 0.0);
  }

  void how_much_a_table_changed() {
    const std::vector<PlacePair> row = {{0, 0, true}};
    const std::vector<PlacePair> columns = {{0, 0, true}, {1, 1, true}, {2, -1, false}, {-1, 2, false}};
    const TableDifference found =
        table_difference(Tensor::of({1, 3}, {1, 2, 3}), Tensor::of({1, 3}, {1, 4, 9}), row, columns);
    QCOMPARE(found.change[1], Scalar(2));
    QVERIFY(std::isnan(found.after[2]) && std::isnan(found.before[3]) && std::isnan(found.change[3]));
    QCOMPARE(found.after[3], Scalar(9));
    const SiteChange change = site_change("x", found);
    QCOMPARE(change.cells, Index(2));
    QCOMPARE(change.largest, 2.0);
    QCOMPARE(change.column, Index(1));
    QCOMPARE(change.rms, std::sqrt(4.0 / 2));
    QCOMPARE(change.relative, std::sqrt(4.0 / 17));  // ‖(1, 4)‖² = 17
  }

  void a_run_against_itself_has_not_changed() {
    const Result run = result_of({"abc", "xy", {{0.5, 0.25, 0.25}, {0, 1, 0}}});
    const Difference found = difference(run, run);
    QCOMPARE(found.sites.size(), std::size_t(2));
    for (const SiteChange& site : found.sites) QCOMPARE(site.largest, 0.0);
    QCOMPARE(found.sites[0].cells + found.sites[1].cells, Index(2 * 3 + 2 * 2));
    QCOMPARE(found.heads.size(), std::size_t(1));
    QCOMPARE(found.heads[0].bits, 0.0);
    QVERIFY(found.only_before.empty() && found.only_after.empty() && found.unalike.empty());
  }

  // One more token in front, one more step: what belongs together is compared, not what has the same number.
  void tokens_that_moved_are_compared_with_themselves() {
    const Result before = result_of({"bc", "yz", {{1, 0}, {0.5, 0.5}}});
    const Result after = result_of({"abc", "xyz", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
    const Difference found = difference(before, after);
    QCOMPARE(changes(found.tokens.source), std::string("+=="));
    QCOMPARE(changes(found.tokens.output), std::string("+=="));
    // Weights: y looked at b and still does; z looked at b and c, now at c.
    const SiteChange* weights = change_of(found, "decoder.step[*].attention.weights");
    QVERIFY(weights);
    QCOMPARE(weights->cells, Index(4));
    QCOMPARE(weights->largest, 0.5);
    QCOMPARE(weights->row, Index(2));
    QCOMPARE(weights->rms, std::sqrt(0.5 / 4));
    // States [0, 10], [1, 10] against [1, 10], [2, 10].
    const SiteChange* state = change_of(found, "decoder.step[*].lstm.h");
    QVERIFY(state);
    QCOMPARE(state->largest, 1.0);
    QCOMPARE(state->rms, std::sqrt(2.0 / 4));
    QCOMPARE(state->relative, std::sqrt(2.0 / (1 + 100 + 4 + 100)));
    QCOMPARE(found.sites.front().name, weights->name);  // the most changed first

    const auto before_maps = attention_maps(before), after_maps = attention_maps(after);
    const TableDifference map = map_difference(before_maps[0], after_maps[0], 0);
    QCOMPARE(map.rows, found.tokens.output);
    QCOMPARE(map.change.shape(), (Shape{3, 3}));
    for (Index i = 0; i < 3; ++i) QVERIFY(std::isnan(map.change[i]) && std::isnan(map.change[3 * i]));
    QVERIFY(map.change[4] == Scalar(0));    // y at b
    QCOMPARE(map.change[7], Scalar(-0.5));  // z at b
    QCOMPARE(map.change[8], Scalar(0.5));   // z at c
    QCOMPARE(map.after[0], Scalar(1));      // the new step's own weights stay
    // y: nothing; z: (1/2, 1/2) against (0, 1), 0.311 bits
    const double z = -(0.25 * std::log2(0.25) + 0.75 * std::log2(0.75)) - 0.5;
    QVERIFY(std::abs(found.heads[0].bits - z / 2) < 1e-7);
  }

  void the_most_changed_head_comes_first() {
    const auto run = [](const std::vector<Scalar>& first, const std::vector<Scalar>& second) {
      Result made = result_of({"ab", "x", {}});
      Recorder recorder(Capture{{}, false}, {});
      const SitePath decoder("decoder"), step(decoder, "step", 0), layer(step, "layer", 0);
      recorder.tap()(SitePath(layer, "cross_attn"), "head.weights",
                     Tensor::of({2, 2}, {first[0], first[1], second[0], second[1]}));
      made.steps.resize(1);
      made.trace = recorder.finish({});
      return made;
    };
    const Difference found = difference(run({1, 0}, {1, 0}), run({0.5, 0.5}, {0, 1}));
    QCOMPARE(found.heads.size(), std::size_t(2));
    QCOMPARE(found.heads[0].head, Index(1));
    QCOMPARE(found.heads[0].bits, 1.0);
    QCOMPARE(found.heads[1].head, Index(0));
    QVERIFY(std::abs(found.heads[1].bits - 0.3112781) < 1e-6);
  }

  void sites_of_one_run_only_and_of_other_sizes() {
    const Result before = result_of({"ab", "x", {{1, 0}}, 2, "logits"});
    const Result after = result_of({"ab", "x", {{0.5, 0.5}}, 3, "probs"});
    const Difference found = difference(before, after);
    QCOMPARE(found.only_before, std::vector<std::string>{"decoder.step[*].output.logits"});
    QCOMPARE(found.only_after, std::vector<std::string>{"decoder.step[*].output.probs"});
    QCOMPARE(found.unalike, std::vector<std::string>{"decoder.step[*].lstm.h"});
    QCOMPARE(found.sites.size(), std::size_t(1));
    QCOMPARE(found.sites[0].largest, 0.5);
    QCOMPARE(found.sites[0].relative, 1 / std::sqrt(2.0));  // ‖(-1/2, 1/2)‖ / ‖(1, 0)‖
  }
};

HEADLIGHT_CORE_TEST(TestDifference)

}  // namespace headlight::test_difference

#include "test_difference.moc"
