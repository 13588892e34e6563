// What heads do, bring and are worth: cases worked by hand, and sums that have to hold on small models.

#include <QtTest>
#include <cmath>

#include "model/analysis/bench/attention_flow.h"
#include "model/analysis/bench/head_effect.h"
#include "model/analysis/bench/head_tree.h"
#include "model/analysis/bench/links.h"
#include "model/analysis/bench/norms.h"
#include "model/analysis/bench/patterns.h"
#include "model/analysis/bench/repeated.h"
#include "model/analysis/bench/rollout.h"
#include "model/analysis/bench/target.h"
#include "model/analysis/bench/word_pairs.h"
#include "model/decode/run.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_bench {

using namespace headlight::testing;
using MapKind = AttentionMap::Kind;
using Keep = TextReader::Keep;

namespace {

constexpr double kClose = 1e-6;

bool close(double a, double b, double within = kClose) { return std::abs(a - b) <= within; }

DoubleMatrix matrix(Index rows, std::initializer_list<double> values) {
  const auto columns = static_cast<Index>(values.size()) / rows;
  return Eigen::Map<const DoubleMatrix>(values.begin(), rows, columns);
}

// One layer of heads, each a map [T x S].
HeadMaps maps_of(const std::vector<DoubleMatrix>& heads, bool causal) {
  const Index rows = heads.front().rows(), keys = heads.front().cols();
  Tensor layer({static_cast<Index>(heads.size()), rows, keys});
  for (std::size_t h = 0; h < heads.size(); ++h)
    for (Index i = 0; i < rows * keys; ++i)
      layer[static_cast<Index>(h) * rows * keys + i] = static_cast<Scalar>(heads[h].data()[i]);
  return {{layer}, true, causal};
}

std::shared_ptr<ModelBundle> bundle_of(const char* shape, const Json& more = Json::object()) {
  Json config = {{"model_type", shape},
                 {"source_vocabulary_size", 12},
                 {"target_vocabulary_size", 12},
                 {"model_size", 12},
                 {"heads", 3},
                 {"key_value_heads", 1},
                 {"ff_size", 16}};
  if (std::string(shape) != "decoder_only") config["encoder_layers"] = 2;
  if (std::string(shape) != "encoder_only") config["decoder_layers"] = 2;
  config.update(more);
  auto bundle = std::make_shared<ModelBundle>();
  bundle->model = make_model(config, 3);
  const std::vector<std::string> letters = {"a", "b", "c", "d", "e", "f", "g", "h"};
  bundle->text = rules_with_end(TokenizerKind::characters, letters, letters);
  return bundle;
}

const TextIds kText{{4, 5, 6, 7, 8}, {}, {1, 9, 10}};

}  // namespace

class TestBench : public QObject {
  Q_OBJECT

 private slots:
  void summaries_by_hand() {
    // Row 1 gives 1/4 and 3/4: 2 − 3/4 log2 3 bits.
    const HeadMaps maps = maps_of({matrix(2, {1, 0, .25, .75})}, true);
    const HeadSummaries all = head_summaries(maps, {0});
    const double bits = 2 - .75 * std::log2(3.0);
    QVERIFY(close(all.entropy.values[0], 0) && close(all.entropy.values[1], bits));
    QVERIFY(close(all.entropy_normalised.values[0], 0) && close(all.entropy_normalised.values[1], bits));
    QVERIFY(close(all.max.values[1], .75) && close(all.distance.values[1], .25));
    QVERIFY(close(all.self.values[0], (1 + .75) / 2) && close(all.previous.values[0], .25));
    QVERIFY(close(all.next.values[0], 0) && close(all.first.values[0], .25));
    QVERIFY(close(all.special.values[0], (1 + .25) / 2));
    // Key 1 is seen by one row alone.
    QVERIFY(close(all.received.values[0], .625) && close(all.received.values[1], .75));
    QVERIFY(close(all.sink_share.values[0], 1));
    QVERIFY(close(all.visible.values[0], 1) && close(all.visible.values[1], 2));
  }

  void heads_that_share_nothing_are_one_bit_apart() {
    const HeadMaps maps = maps_of({matrix(1, {1, 0, 0}), matrix(1, {0, 1, 0}), matrix(1, {.5, .5, 0})}, false);
    const DoubleMatrix js = head_divergences(maps);
    QVERIFY(close(js(0, 1), 1) && close(js(0, 0), 0));
    // H(3/4, 1/4) − 1/2.
    const double expected = -.75 * std::log2(.75) - .25 * std::log2(.25) - .5;
    QVERIFY(close(js(0, 2), expected) && close(js(2, 1), expected));
    const DoubleMatrix tree = average_linkage(js);
    QCOMPARE(tree.rows(), Index(2));
    QVERIFY(close(tree(0, 0), 0) && close(tree(0, 1), 2) && close(tree(0, 2), expected) && close(tree(0, 3), 2));
    QVERIFY(close(tree(1, 0), 1) && close(tree(1, 1), 3) && close(tree(1, 2), (1 + expected) / 2));
    QVERIFY(close(tree(1, 3), 3));
  }

  void a_map_keeps_distances() {
    const DoubleMatrix line = matrix(3, {0, 1, 3, 1, 0, 2, 3, 2, 0});
    const DoubleMatrix placed = on_two_axes(line);
    QVERIFY(close((placed.row(0) - placed.row(2)).norm(), 3));
    QVERIFY(close((placed.row(0) - placed.row(1)).norm(), 1));
  }

  void rollout_and_flow_of_one_layer_are_its_weights() {
    const DoubleMatrix a = matrix(2, {1, 0, .4, .6}), with = with_residual(a);
    QVERIFY(close(with(1, 0), .2) && close(with(1, 1), .8));
    const DoubleMatrix flow = attention_flow({with}, {0, 1});
    QVERIFY((rollout({with}).back() - with).norm() < kClose);
    QVERIFY((flow - with).norm() < kClose);
    // Two layers: .8 of the last row stay at 1 for one layer, and no more than .8 of that flow on.
    const DoubleMatrix two = attention_flow({with, with}, {1});
    QVERIFY(close(two(0, 1) / two(0, 0), .8 / .4));
    QVERIFY(close(rollout({with, with}).back()(1, 1), .64));
    QVERIFY(close(over_even(rollout({with}))(1, 1), .8 / .75));
    QVERIFY_THROWS_EXCEPTION(UsageError, attention_flow({with}, {2}));
  }

  void the_rows_of_a_joint_stack_add_up_to_one() {
    const DoubleMatrix e = matrix(2, {.5, .5, .1, .9}), d = matrix(2, {1, 0, .3, .7}), c = matrix(2, {.2, .8, 1, 0});
    for (const bool residual : {true, false}) {
      const DoubleMatrix all = rollout(joint_maps({e}, {d}, {c}, residual)).back();
      for (Index t = 0; t < 4; ++t) QVERIFY(close(all.row(t).sum(), 1));
    }
    const DoubleMatrix raw = rollout(joint_maps({e}, {d}, {c}, false)).back();
    QVERIFY(close(raw(3, 0), .5) && close(raw(3, 2), 0));
  }

  void a_sink_is_a_column_without_past() {
    const DoubleMatrix full = with_sink(matrix(2, {.9, 0, .3, .3}));
    QVERIFY(close(full(0, 2), .1) && close(full(1, 2), .4) && close(full(2, 2), 1) && close(full(2, 0), 0));
  }

  // Every placing of norms: parts and biases are what the layer has computed.
  void parts_add_up_data() {
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("norm");
    for (const char* shape : {"encoder_only", "decoder_only", "transformer"})
      for (const char* place : {"pre", "post", "both"})
        for (const char* norm : {"layer", "rms"})
          QTest::addRow("%s, %s, %s", shape, place, norm) << shape << place << norm;
  }
  void parts_add_up() {
    QFETCH(QString, shape);
    QFETCH(QString, place);
    QFETCH(QString, norm);
    const TextReader reader(
        bundle_of(shape.toUtf8(), {{"norm_place", place.toStdString()}, {"norm", norm.toStdString()}}));
    const Reading reading = reader.read(kText, Keep::all);
    QCOMPARE(reading.sides.size(), std::size_t(shape == "transformer" ? 3 : 1));
    for (const SideReading& side : reading.sides) {
      const BroughtByTokens all = brought_by_tokens(side);
      QVERIFY2(all.off < 1e-5, qPrintable(QString::number(all.off)));
      QCOMPARE(all.resln.empty(), place != "post");
      QCOMPARE(all.sub_norm.empty(), place != "both");
      QVERIFY(all.sink.empty());
      for (const DoubleMatrix& alti : all.alti)
        for (Index t = 0; t < alti.rows(); ++t) QVERIFY(close(alti.row(t).sum(), 1));
    }
  }

  void a_reading_is_the_run() {
    const auto bundle = bundle_of("transformer");
    const TextReader reader(bundle);
    Request request;
    request.model = bundle;
    request.source = "abcde";
    request.target = "fg";
    const Result result = run(request);
    const TextIds ids = reader.ids_of("abcde", {}, "fg");
    const Reading reading = reader.read(ids, Keep::weights);
    QCOMPARE(ids.fed.size(), result.steps.size());
    for (Index t = 0; t < reading.logits.rows(); ++t) {
      const Tensor row = result.trace->value("decoder.step[" + std::to_string(t) + "].output.logits");
      for (Index i = 0; i < row.size(); ++i)
        QVERIFY(close(static_cast<double>(row[i]), static_cast<double>(reading.logits[t * row.size() + i]), 1e-4));
    }
    // A head that is switched off is that of the run with an edit.
    request.interventions = {parse_intervention("encoder.layer[1].self_attn.head[2].out=0")};
    const Result off = run(request);
    const Reading changed = reader.read(ids, Keep::output, {{{MapKind::encoder_self, 1, 2}, {}}});
    const Tensor row = off.trace->value("decoder.step[0].output.logits");
    bool differs = false;
    for (Index i = 0; i < row.size(); ++i) {
      QVERIFY(close(static_cast<double>(row[i]), static_cast<double>(changed.logits[i]), 1e-4));
      differs = differs || !close(static_cast<double>(row[i]), static_cast<double>(reading.logits[i]), 1e-3);
    }
    QVERIFY(differs);
    QVERIFY_THROWS_EXCEPTION(UsageError, reader.read({{4, 12}, {}, {1}}, Keep::output));
  }

  void own_findings_in_place_change_nothing() {
    const TextReader reader(bundle_of("encoder_only"));
    const Reading whole = reader.read(kText, Keep::weights);
    const std::vector<HeadPlace> heads = heads_of(whole);
    QCOMPARE(heads.size(), std::size_t(6));
    const auto differences = [&](const HeadFindings& instead) {
      double most = 0;
      without_each_head(reader, kText, heads, instead, [&](std::size_t, const Reading& reading) {
        for (Index i = 0; i < whole.logits.size(); ++i)
          most = std::max(most, std::abs(static_cast<double>(whole.logits[i] - reading.logits[i])));
      });
      return most;
    };
    QVERIFY(differences(HeadFindings::of(reader, kText)) < kClose);
    QVERIFY(differences(HeadFindings::none()) > 1e-3);
    // Of another length: the mean of its rows, which is that over a list of this text alone.
    const TextIds shorter{{5, 6}, {}, {}};
    const HeadPlace at{MapKind::encoder_self, 1, 2};
    const Tensor of_other = HeadFindings::of(reader, shorter).value(at, 5),
                 mean = HeadFindings::mean_of(reader, {shorter}).value(at, 5);
    QCOMPARE(of_other.rows(), Index(1));
    for (Index i = 0; i < mean.size(); ++i)
      QVERIFY(close(static_cast<double>(of_other[i]), static_cast<double>(mean[i])));
  }

  void numbers_over_texts() {
    OverTexts cosines(true);
    cosines.add({.9, .8});
    cosines.add({.5, .8});
    QVERIFY(close(cosines.mean()[0], .7) && close(cosines.sd()[0], .2) && close(cosines.sd()[1], 0));
    QCOMPARE(cosines.first(), (std::vector<double>{1, 1}));
  }

  void targets() {
    const TextReader reader(bundle_of("decoder_only"));
    const TextIds text{{4, 5, 6}, {}, {}};
    const Reading reading = reader.read(text, Keep::output);
    const Target diff = settled({}, reader, text, reading);
    QCOMPARE(diff.row, Index(2));
    const auto z = [&](TokenId id) { return static_cast<double>(reading.logits[2 * 12 + id]); };
    QVERIFY(z(*diff.a) >= z(*diff.b));
    QVERIFY(close(target_value(diff, reading), z(*diff.a) - z(*diff.b)));
    Target log_p{Target::Kind::log_p};
    log_p.a = 7;
    double sum = 0;
    for (TokenId id = 0; id < 12; ++id) sum += std::exp(z(id));
    QVERIFY(close(target_value(settled(log_p, reader, text, reading), reading), z(7) - std::log(sum)));
    QVERIFY_THROWS_EXCEPTION(UsageError, settled({Target::Kind::embedding}, reader, text, reading));
    log_p.a = 12;
    QVERIFY_THROWS_EXCEPTION(UsageError, settled(log_p, reader, text, reading));
  }

  void classes() {
    const Eigen::Vector2d even(0, 0), sure(std::log(3.0), 0);
    QVERIFY(close(class_shares(sure, false)[0], .75) && close(class_shares(even, true)[0], .5));
    QVERIFY(close(class_divergence(sure, even, false), .75 * std::log(1.5) + .25 * std::log(.5)));
    // Yes or no each: the second class does not change.
    QVERIFY(close(class_divergence(sure, even, true), .75 * std::log(1.5) + .25 * std::log(.5)));
  }

  void repeated_tokens() {
    const TextReader reader(bundle_of("decoder_only"));
    const auto texts = repeated_texts(reader, {4, 2, 7});
    QCOMPARE(texts.size(), std::size_t(2));
    for (const auto& text : texts) {
      QCOMPARE(text.size(), std::size_t(9));
      for (std::size_t i = 1; i < 5; ++i) {
        QCOMPARE(text[i], text[i + 4]);
        QVERIFY(text[i] >= 4);  // no sign
      }
    }
    QCOMPARE(texts, repeated_texts(reader, {4, 2, 7}));
    QVERIFY(texts != repeated_texts(reader, {4, 2, 8}));
    const RepeatedScores scores = repeated_scores(reader, texts);
    QCOMPARE(scores.induction.rows(), Index(2));
    QVERIFY(close(scores.chance_of_copies, (1.0 / 6 + 1.0 / 7 + 1.0 / 8 + 1.0 / 9) / 4));
    QVERIFY(scores.next.size() == 0);
    QVERIFY_THROWS_EXCEPTION(UsageError, repeated_texts(reader, {9, 1, 1}));  // of 8 letters
    const RepeatedScores both_ways = repeated_scores(TextReader(bundle_of("encoder_only")), texts);
    QVERIFY(both_ways.induction.size() == 0 && both_ways.next.size() == 6);
  }

  void patterns_have_names() {
    const PatternText text{{4, 5, 4}, {2}, {}};
    const DoubleMatrix previous = matrix(3, {1, 0, 0, 1, 0, 0, 0, 1, 0});
    const HeadMaps maps = maps_of({previous, matrix(3, {1, 0, 0, .5, .5, 0, 1. / 3, 1. / 3, 1. / 3})}, true);
    const PatternShares p = pattern_shares(maps.map(0, 0), text, true);
    QVERIFY(close(p[0], 1) && close(p[1], 1. / 3) && close(p[3], .5) && close(p[4], 0) && close(p[5], 0));
    QCOMPARE(pattern_of(p), Pattern::previous);
    const PatternShares even = pattern_shares(maps.map(0, 1), text, true);
    QVERIFY(close(even[7], 2. / 3) && close(even[5], 1. / 3) && close(even[4], 1. / 9));
    PatternsOverTexts all(3);
    all.add(maps, text);
    all.add(maps, text);
    const PatternsOverTexts::Found found = all.found();
    QCOMPARE(static_cast<Pattern>(static_cast<int>(found.kind.values[0])), Pattern::previous);
    QVERIFY(close(found.sd.values[0], 0) && close(found.count.values[5], 2));
    QVERIFY(close(found.unlike.values[0], 0));
    PatternShares broad{};
    broad[7] = .95;
    broad[0] = .6;
    QCOMPARE(pattern_of(broad), Pattern::broad);
    broad[7] = .5;
    broad[0] = .2;
    broad[6] = .6;
    QCOMPARE(pattern_of(broad), Pattern::one_word);
  }

  void pairs_of_words_add_up() {
    using Pool = SentencePooling::Pool;
    const Tensor first = Tensor::of({3, 2}, {1, 2, 3, -1, 0, 4}), second = Tensor::of({2, 2}, {2, 1, -1, 3});
    for (const Pool pool :
         {Pool::cls, Pool::max, Pool::mean, Pool::mean_sqrt_length, Pool::weighted_mean, Pool::last}) {
      SentencePooling pooling;
      pooling.add(pool);
      pooling.add(SentencePooling::Step{SentencePooling::Step::Kind::dense, Tensor::of({2, 2}, {1, .5, -.5, 1}),
                                        Tensor::of({2}, {.1, -.2}), *SentencePooling::activation_named("Tanh")});
      pooling.add(SentencePooling::Step{});
      const DoubleMatrix a = embedding_parts(pooling, first), b = embedding_parts(pooling, second);
      const Tensor direct = pooling(first);
      for (Index d = 0; d < 2; ++d) QVERIFY(close(a.col(d).sum(), static_cast<double>(direct[d]), 1e-5));
      const WordPairs pairs = word_pairs(a, b, has_own_part(pooling));
      QVERIFY(close(pairs.sum, pairs.cosine));
      QCOMPARE(pairs.shares.rows(), Index(4));
      QCOMPARE(is_one_vector(pooling), pool == Pool::cls || pool == Pool::last);
    }
    SentencePooling mean;
    mean.add(Pool::mean);
    const WordPairs pairs = word_pairs(embedding_parts(mean, first), embedding_parts(mean, second), has_own_part(mean));
    QCOMPARE(pairs.shares.rows(), Index(3));
    // Means (4/3, 5/3) and (1/2, 2); x_0 · y_0 = 4 of 3 · 2 pairs.
    const double lengths = std::hypot(4. / 3, 5. / 3) * std::hypot(.5, 2);
    QVERIFY(close(pairs.shares(0, 0), 4. / 6 / lengths));
    QVERIFY(close(pairs.cosine, (4. / 6 + 10. / 3) / lengths));
  }

  void links() {
    const KnownLinks known = parse_links("0-0 1-2 2p1");
    QCOMPARE(known.sure.size(), std::size_t(2));
    QCOMPARE(known.possible.size(), std::size_t(3));
    QCOMPARE(links_text(known.possible), std::string("0-0 2-1 1-2"));
    for (const char* wrong : {"0", "a-1", "1-", "-", "0-0x", "1--2"})
      QVERIFY_THROWS_EXCEPTION(UsageError, parse_links(wrong));
    // Pieces of a source word are added, those of a target word averaged.
    const DoubleMatrix words =
        headlight::between_words(matrix(3, {.2, .3, .5, .6, .2, .2, 0, .4, .6}), {{0}, {1, 2}}, {{0, 1}, {2}});
    QVERIFY(close(words(0, 0), .5) && close(words(0, 1), .5) && close(words(1, 0), .6) && close(words(1, 1), .4));
    const DoubleMatrix a = matrix(2, {.7, .3, .6, .4});
    QCOMPARE(links_text(links_of(a, LinkRule::argmax)), std::string("0-0 0-1"));
    QCOMPARE(links_text(links_of(a, LinkRule::intersection)), std::string("0-0"));
    QCOMPARE(links_text(links_of(a, LinkRule::threshold, .35)), std::string("0-0 0-1 1-1"));
    LinkErrors errors;
    errors.add({{0, 0}, {0, 1}}, parse_links("0-0 1p1"));
    QVERIFY(close(errors.error(), 1 - 2. / 3) && close(errors.precision(), .5) && close(errors.recall(), 1));
  }

  void stored_attention_and_other_shapes_are_refused() {
    const TextReader reader(bundle_of("encoder_only"));
    QVERIFY_THROWS_EXCEPTION(UsageError, reader.ids_of("a", "b"));
    QVERIFY_THROWS_EXCEPTION(UsageError, reader.read({}, Keep::output));
    QVERIFY_THROWS_EXCEPTION(UsageError, repeated_scores(TextReader(bundle_of("transformer")), {{1, 4, 5, 4, 5}}));
    CancelToken cancel = CancelToken::make();
    cancel.cancel();
    QVERIFY_THROWS_EXCEPTION(Cancelled, reader.read(kText, Keep::weights, {}, cancel));
  }
};

HEADLIGHT_CORE_TEST(TestBench)

}  // namespace headlight::test_bench

#include "test_bench.moc"
