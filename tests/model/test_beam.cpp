// Beam search: a tree worked out by hand, and its rules for ends, lengths, ties and coverage (models.md 6.3).

#include <optional>

#include "model/decode/beam.h"
#include "tests/model/beam_script.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_beam {

using beams::beam, beams::Ids, beams::kA, beams::kB, beams::kEnd, beams::kStart, beams::kTokens, beams::kTolerance,
    beams::Script, beams::search, beams::some_attention, beams::some_probabilities;
using namespace headlight::testing;

namespace {

using Fate = BeamHypothesis::Fate;

// start, end, a, b: what looks best at first (a) does not end well.
std::vector<double> garden_path(const Ids& prefix) {
  if (prefix.empty()) return {0, 0, 0.6, 0.4};
  if (prefix.size() > 1) return {0, 1, 0, 0};
  return prefix[0] == kA ? std::vector<double>{0, 0.3, 0.35, 0.35} : std::vector<double>{0, 0.9, 0.05, 0.05};
}

}  // namespace

class TestBeam : public QObject {
  Q_OBJECT

 private slots:
  void golden_penalties();
  void length_norms();
  void coverage_has_a_floor();
  void a_tree_by_hand();
  void first_b_waits_for_b_ends();
  void a_shortest_length_keeps_the_end_back();
  void what_is_cut_is_marked();
  void without_an_end_sign_all_are_finished();
  void some_tokens_are_never_written();
  void ties_take_the_first();
  void coverage_changes_the_winner();
  void length_norm_changes_the_winner();
  void attention_follows_its_hypothesis();
  void parents_lead_back();
  void numbers_that_are_none();
  void stops_when_told();
  void settings_out_of_bounds();
};

void TestBeam::golden_penalties() {
  BeamSettings settings;
  settings.alpha = 0.6;
  QVERIFY(std::abs(length_penalty(settings, 10) - 1.732862) < 1e-6);
  settings.alpha = 0.2;
  QVERIFY(std::abs(length_penalty(settings, 10) - 1.201124) < 1e-6);
  settings.beta = 0.2;
  // rows .7 .2 .1 0 and .1 .6 .2 .1
  QVERIFY(std::abs(coverage_penalty(settings, {0.8, 0.8, 0.3, 0.1}) + 0.790569) < 1e-6);
}

void TestBeam::length_norms() {
  BeamSettings settings;
  settings.alpha = 2;
  QCOMPARE(length_penalty(settings, 7), 4.0);  // (12 / 6)²
  settings.length_norm = LengthNorm::power;
  QCOMPARE(length_penalty(settings, 7), 49.0);
  settings.length_norm = LengthNorm::none;
  QCOMPARE(length_penalty(settings, 7), 1.0);
}

void TestBeam::coverage_has_a_floor() {
  BeamSettings settings;
  settings.beta = 1;
  QVERIFY(std::abs(coverage_penalty(settings, {0, 1, 5}) - std::log(1e-6)) < 1e-12);
  QCOMPARE(coverage_penalty(settings, {}), 0.0);
}

void TestBeam::a_tree_by_hand() {
  const BeamTree tree = search(garden_path, beam(2, 3));
  // .36 (b, end) comes before .21 (a, a), .21 (a, b) and .18 (a, end), which is not among the first two.
  QCOMPARE(tree.steps.size(), std::size_t{2});
  struct Row {
    TokenId token;
    int parent;
    double p;
    Fate fate;
  };
  const std::vector<std::vector<Row>> expected = {{{kA, -1, 0.6, Fate::alive}, {kB, -1, 0.4, Fate::alive}},
                                                  {{kEnd, 1, 0.36, Fate::finished},
                                                   {kA, 0, 0.21, Fate::stopped},
                                                   {kB, 0, 0.21, Fate::stopped},
                                                   {kEnd, 0, 0.18, Fate::pruned}}};
  for (std::size_t t = 0; t < 2; ++t) {
    QCOMPARE(tree.steps[t].hypotheses.size(), expected[t].size());
    for (std::size_t k = 0; k < expected[t].size(); ++k) {
      const BeamHypothesis& h = tree.steps[t].hypotheses[k];
      QCOMPARE(h.token, expected[t][k].token);
      QCOMPARE(h.parent, expected[t][k].parent);
      QVERIFY(std::abs(h.logp - std::log(expected[t][k].p)) < kTolerance);
      QCOMPARE(h.score, h.logp);
      QCOMPARE(h.fate, expected[t][k].fate);
    }
  }
  QCOMPARE(tree.best.size(), std::size_t{1});
  QCOMPARE(tree.best[0].tokens, (Ids{kB, kEnd}));
  QVERIFY(std::abs(tree.best[0].logp - std::log(0.36)) < kTolerance);
  QVERIFY(tree.best[0].step == 1 && tree.best[0].place == 0 && !tree.best[0].truncated);
}

void TestBeam::first_b_waits_for_b_ends() {
  BeamSettings settings = beam(2, 9);
  settings.stop = BeamStop::first_b;
  const BeamTree tree = search(garden_path, settings);
  QCOMPARE(tree.steps.size(), std::size_t{3});
  QCOMPARE(tree.best.size(), std::size_t{3});
  QCOMPARE(tree.best[0].tokens, (Ids{kB, kEnd}));
  QCOMPARE(tree.best[1].tokens, (Ids{kA, kA, kEnd}));  // of equals the one that was first
  QCOMPARE(tree.best[2].tokens, (Ids{kA, kB, kEnd}));
}

void TestBeam::a_shortest_length_keeps_the_end_back() {
  BeamSettings settings = beam(2, 3);
  settings.min_len = 2;
  const BeamTree tree = search(garden_path, settings);
  for (const BeamHypothesis& h : tree.steps[1].hypotheses) QVERIFY(h.token != kEnd);
  QCOMPARE(tree.best[0].tokens, (Ids{kA, kA, kEnd}));
}

void TestBeam::what_is_cut_is_marked() {
  const BeamTree tree = search(garden_path, beam(2, 1));
  QCOMPARE(tree.best.size(), std::size_t{2});
  for (const BeamEnd& e : tree.best) QVERIFY(e.truncated && e.tokens.size() == 1);
  QCOMPARE(tree.steps[0].hypotheses[0].fate, Fate::truncated);
  QCOMPARE(tree.best[0].tokens, Ids{kA});
}

void TestBeam::without_an_end_sign_all_are_finished() {
  const BeamTree tree =
      search([](const Ids& prefix) { return some_probabilities(prefix, 4); }, beam(3, 4), {kStart, std::nullopt, {}});
  QCOMPARE(tree.steps.size(), std::size_t{4});
  QCOMPARE(tree.best.size(), std::size_t{3});
  for (const BeamEnd& e : tree.best) QVERIFY(!e.truncated && e.tokens.size() == 4);
}

void TestBeam::some_tokens_are_never_written() {
  // The start sign and token 4 are the most probable ones everywhere.
  const auto rule = [](const Ids&) { return std::vector<double>{0.4, 0.1, 0.05, 0.05, 0.4}; };
  const BeamTree tree = search(rule, beam(3, 3), {kStart, kEnd, {kStart, 4}});
  for (const BeamStep& step : tree.steps)
    for (const BeamHypothesis& h : step.hypotheses) QVERIFY(h.token != kStart && h.token != 4);
  // It costs them nothing that these have a probability: log P is what the model says.
  QVERIFY(std::abs(tree.best[0].logp - std::log(0.1)) < kTolerance);
}

void TestBeam::ties_take_the_first() {
  const auto rule = [](const Ids&) { return std::vector<double>{0.25, 0.25, 0.25, 0.25}; };
  const BeamTree tree = search(rule, beam(2, 2), {kStart, std::nullopt, {}});
  const auto tokens = [&](std::size_t t) {
    Ids ids;
    for (const BeamHypothesis& h : tree.steps[t].hypotheses) ids.push_back(h.token);
    return ids;
  };
  QCOMPARE(tokens(0), (Ids{0, 1, 2, 3}));
  QCOMPARE(tokens(1), (Ids{0, 1, 2, 3}));  // all of the first hypothesis
  for (const BeamHypothesis& h : tree.steps[1].hypotheses) QCOMPARE(h.parent, 0);
}

// Two texts: a reads only the first word, b reads both.
void TestBeam::coverage_changes_the_winner() {
  const auto rule = [](const Ids& prefix) {
    return prefix.empty() ? std::vector<double>{0, 0, 0.6, 0.4} : std::vector<double>{0, 1, 0, 0};
  };
  const auto attention = [](const Ids& prefix) {
    return prefix.empty()    ? std::vector<double>{0.5, 0.5}
           : prefix[0] == kA ? std::vector<double>{1, 0}
                             : std::vector<double>{0.5, 0.5};
  };
  BeamSettings settings = beam(2, 3);
  QCOMPARE(search(rule, settings, kTokens, attention).best[0].tokens, (Ids{kA, kEnd}));
  settings.beta = 1;
  const BeamTree tree = search(rule, settings, kTokens, attention);
  QCOMPARE(tree.best[0].tokens, (Ids{kB, kEnd}));  // log .4 + 0
  QVERIFY(std::abs(tree.best[0].score - std::log(0.4)) < kTolerance);
  QCOMPARE(tree.best[1].tokens, (Ids{kA, kEnd}));  // log .6 + log .5
  QVERIFY(std::abs(tree.best[1].score - std::log(0.3)) < kTolerance);
}

// .36 in two tokens against .3 in three.
void TestBeam::length_norm_changes_the_winner() {
  const auto rule = [](const Ids& prefix) {
    if (prefix.empty()) return std::vector<double>{0, 0, 0.6, 0.4};
    if (prefix.size() > 1) return std::vector<double>{0, 1, 0, 0};
    return prefix[0] == kA ? std::vector<double>{0, 0, 0.5, 0.5} : std::vector<double>{0, 0.9, 0.05, 0.05};
  };
  BeamSettings settings = beam(2, 3);
  QCOMPARE(search(rule, settings).best[0].tokens, (Ids{kB, kEnd}));
  settings.alpha = 1;
  settings.length_norm = LengthNorm::power;  // log .36 / 2 = −.511, log .3 / 3 = −.401
  const BeamTree tree = search(rule, settings);
  QCOMPARE(tree.best[0].tokens, (Ids{kA, kA, kEnd}));
  QVERIFY(std::abs(tree.best[0].score - std::log(0.3) / 3) < kTolerance);
  settings.length_norm = LengthNorm::none;
  QCOMPARE(search(rule, settings).best[0].tokens, (Ids{kB, kEnd}));
}

void TestBeam::attention_follows_its_hypothesis() {
  const auto rule = [](const Ids& prefix) { return some_probabilities(prefix, 5); };
  const BeamTree tree = search(rule, beam(3, 5), kTokens, some_attention);
  for (std::size_t t = 0; t < tree.steps.size(); ++t)
    for (std::size_t k = 0; k < tree.steps[t].hypotheses.size(); ++k) {
      Ids prefix = tree.tokens_of(static_cast<int>(t), static_cast<int>(k));
      std::vector<double> sums(3, 0);
      for (std::size_t length = 0; length < prefix.size(); ++length) {
        const auto a = some_attention(Ids(prefix.begin(), prefix.begin() + static_cast<std::ptrdiff_t>(length)));
        for (std::size_t j = 0; j < 3; ++j) sums[j] += a[j];
      }
      prefix.pop_back();
      const BeamHypothesis& h = tree.steps[t].hypotheses[k];
      QVERIFY(same(difference(h.attention, some_attention(prefix), kTolerance), "row"));
      QVERIFY(same(difference(h.attention_sums, sums, kTolerance), "sums"));
    }
}

void TestBeam::parents_lead_back() {
  const auto rule = [](const Ids& prefix) { return some_probabilities(prefix, 6); };
  const BeamTree tree = search(rule, beam(4, 6));
  for (std::size_t t = 0; t < tree.steps.size(); ++t) {
    QVERIFY(tree.steps[t].hypotheses.size() <= 8);
    std::size_t alive = 0;
    for (std::size_t k = 0; k < tree.steps[t].hypotheses.size(); ++k) {
      const BeamHypothesis& h = tree.steps[t].hypotheses[k];
      alive += h.fate == Fate::alive;
      QCOMPARE(h.parent < 0, t == 0);
      if (t > 0) QCOMPARE(tree.steps[t - 1].hypotheses[static_cast<std::size_t>(h.parent)].fate, Fate::alive);
      double logp = 0;
      const Ids tokens = tree.tokens_of(static_cast<int>(t), static_cast<int>(k));
      QCOMPARE(tokens.size(), t + 1);
      for (std::size_t i = 0; i < tokens.size(); ++i)
        logp += std::log(rule(
            Ids(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(i)))[static_cast<std::size_t>(tokens[i])]);
      QVERIFY(std::abs(h.logp - logp) < 1e-5);
    }
    QVERIFY(alive <= 4);
  }
  for (std::size_t i = 1; i < tree.best.size(); ++i) QVERIFY(tree.best[i - 1].score >= tree.best[i].score);
}

void TestBeam::numbers_that_are_none() {
  const auto nothing = [](const Ids&) { return std::vector<double>(4, std::nan("")); };
  QCOMPARE(message_of<UsageError>([&] { search(nothing, beam(2, 3)); }),
           "beam search: the model gives no token a probability");
  // Later on it cuts what there is.
  const auto later = [&](const Ids& prefix) {
    return prefix.size() < 2 ? std::vector<double>{0.1, 0, 0.5, 0.4} : nothing(prefix);
  };
  const BeamTree tree = search(later, beam(2, 9));
  QCOMPARE(tree.best[0].tokens, (Ids{kA, kA}));
  QVERIFY(tree.best[0].truncated);
}

void TestBeam::stops_when_told() {
  Script script([](const Ids& prefix) { return some_probabilities(prefix, 4); });
  std::vector<Index> seen;
  const auto step = [&](Index t) {
    seen.push_back(t);
    if (t == 2) throw Cancelled();
  };
  QVERIFY_EXCEPTION_THROWN(beam_search(script, beam(2, 9), {kStart, std::nullopt, {}}, {}, step), Cancelled);
  QCOMPARE(seen, (std::vector<Index>{0, 1, 2}));
}

void TestBeam::settings_out_of_bounds() {
  const auto message = [](auto change) {
    BeamSettings settings = beam(2, 3);
    change(settings);
    return message_of<UsageError>([&] { search(garden_path, settings); });
  };
  QCOMPARE(message([](BeamSettings& s) { s.width = 0; }), "beam search: the width is 0, it has to be at least 1");
  QCOMPARE(message([](BeamSettings& s) { s.alpha = -0.5; }), "beam search: alpha is -0.5, it has to be at least 0");
  QCOMPARE(message([](BeamSettings& s) { s.beta = -1; }), "beam search: beta is -1, it has to be at least 0");
  QCOMPARE(message([](BeamSettings& s) { s.max_len = 0; }),
           "beam search: the longest output is 0, it has to be at least 1");
  QCOMPARE(message([](BeamSettings& s) { s.min_len = 3; }),
           "beam search: the shortest output is 3, it has to be at least 0 and below the longest");
}

HEADLIGHT_TEST(TestBeam)

}  // namespace headlight::test_beam

#include "test_beam.moc"
