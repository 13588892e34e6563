// What must hold in the recurrent family, in float64: the invariants of models.md 15.1, and what scores and draws
// promise.

#include "tests/model/recurrent_cases.h"
#include "tests/model/tiny_recurrent.h"
#include "tests/test_program.h"

namespace headlight::test_recurrent_invariants_double {

using namespace headlight::testing;

namespace {

// What two models compute for the same sentences, all steps at once.
bool models_agree(const Model& a, const Model& b, const Sentences& all, double tolerance) {
  const Outcome x = run_sentences(a, all, {}), y = run_sentences(b, all, {});
  bool ok = !x.logits.empty();
  for (std::size_t t = 0; t < x.logits.size(); ++t)
    ok = same(difference(x.logits[t], y.logits[t], tolerance), "logits") && ok;
  return ok;
}

// Takes over the parameters that both have, all of the same shape.
void copy_parameters(const Model& from, Model& to) {
  for (Parameter& p : to.parameters().all())
    if (const Tensor* value = from.parameters().find(p.name); value && value->shape() == p.value.shape())
      p.value.array() = value->array();
}

std::shared_ptr<const Trace> trace_of(const Model& model, const Sentences& one) {
  Recorder recorder({}, {});
  const auto decoding = model.begin(one.source, recorder.tap());
  for (Index t = 0; t < one.fed.dim(0); ++t) decoding->advance(rows(one.fed, t, 1), recorder.tap());
  return recorder.finish({});
}

// 64 copies of one sentence, three steps: which rows of the batch get the logits of a soft read, for each step.
std::vector<std::vector<bool>> soft_rows(double share) {
  const Json config = {{"model_type", "hard_attention"}};
  const auto hard = filled(changed(config, {{"attention.semi_sampling", share}})),
             soft = filled(changed(config, {{"attention.selection", "soft"}}));
  const Sentences one = tiny_sentence(4, 3);
  const Outcome expected = run_sentences(*soft, one, {});
  const Index copies = 64;
  Tensor ids({4, copies}), fed({3, copies});
  for (Index n = 0; n < copies; ++n) {
    for (Index j = 0; j < 4; ++j) ids[j * copies + n] = one.source.ids[j];
    for (Index t = 0; t < 3; ++t) fed[t * copies + n] = one.fed[t];
  }
  Random random(2, Random::Stream::dropout);
  Pass pass(Tap(), &random);
  pass.training = true;
  const Tensor logits = hard->begin(ids, pass)->advance(fed, pass);
  std::vector<std::vector<bool>> steps(3);
  const Index v = logits.dim(2);
  for (Index t = 0; t < 3; ++t)
    for (Index n = 0; n < copies; ++n)
      steps[static_cast<std::size_t>(t)].push_back(difference(doubles(logits.view((n * 3 + t) * v, {v})),
                                                              doubles(expected.logits[static_cast<std::size_t>(t)]),
                                                              1e-9)
                                                       .isEmpty());
  return steps;
}

}  // namespace

class TestRecurrentInvariantsDouble : public QObject {
  Q_OBJECT

 private slots:
  void dropout_is_for_training_only();
  void a_drawn_context_is_soft_on_average();
  void sequences_read_softly_as_a_whole();
  void always_reading_softly_is_soft();
  void peeky_without_its_weights_is_plain_data();
  void peeky_without_its_weights_is_plain();
  void a_window_over_everything_is_global();
  void weights_are_shares_data() { add_recurrent_rows(); }
  void weights_are_shares();
  void additive_is_concat_with_stacked_weights();
  void a_palindrome_is_read_alike_from_both_ends_data();
  void a_palindrome_is_read_alike_from_both_ends();
  void linear_concat_does_not_look_at_the_query();
  void cosine_with_beta_1_is_never_sharp();
  void new_bahdanau_attends_evenly();
};

void TestRecurrentInvariantsDouble::dropout_is_for_training_only() {
  const Sentences one = tiny_sentence(4, 3);
  for (const char* architecture : {"seq2seq", "luong", "gnmt", "bahdanau", "bahdanau_m30k"}) {
    const auto with = filled({{"model_type", architecture}, {"dropout", 0.5}}),
               without = filled({{"model_type", architecture}});
    QVERIFY2(models_agree(*with, *without, one, 0), architecture);
    std::vector<std::vector<double>> trained;
    for (const std::uint64_t seed : {1, 1, 2}) {
      Random random(seed, Random::Stream::dropout);
      Pass pass(Tap(), &random);
      pass.training = true;
      trained.push_back(doubles(with->begin(one.source, pass)->advance(one.fed, pass)));
    }
    QVERIFY(trained[0] == trained[1] && trained[0] != trained[2]);
  }
}

// Invariant I13: 20 000 draws; the mean of each number lies within 5 standard errors of the soft context.
void TestRecurrentInvariantsDouble::a_drawn_context_is_soft_on_average() {
  ParameterTable table;
  Random random(11, Random::Stream::hard_attention);
  AttentionSettings settings;
  settings.selection = ReadSelection::hard_sample;
  const ParameterBuilder build(table, {}, random);
  const Attention hard(build, settings, 3, 3), soft(build, {}, 3, 3);
  const Index draws = 20'000;
  const Tensor keys = fill(0, {1, 4, 3}), query = fill(7, {1, 1, 3});
  Tensor queries({1, draws, 3});
  for (Index i = 0; i < queries.size(); ++i) queries[i] = 3 * query[i % 3];
  const Pass pass(Tap(), &random);
  const auto memory = hard.prepare(keys, keys, {}, SitePath("decoder"), pass);
  const Attention::Read drawn = hard.read(queries, 0, memory, SitePath("decoder"), pass);
  const Attention::Read expected =
      soft.read(rows(queries, 0, 1).view(0, {1, 1, 3}), 0, memory, SitePath("decoder"), Pass());
  std::set<Scalar> seen(drawn.indices.data(), drawn.indices.data() + drawn.indices.size());
  QCOMPARE(seen.size(), std::size_t{4});
  for (Index i = 0; i < 3; ++i) {
    double mean = 0, square = 0;
    for (Index j = 0; j < 4; ++j) square += expected.weights[j] * keys[j * 3 + i] * keys[j * 3 + i];
    for (Index n = 0; n < draws; ++n) mean += drawn.context[n * 3 + i] / static_cast<double>(draws);
    const double error = std::sqrt((square - expected.context[i] * expected.context[i]) / static_cast<double>(draws));
    QVERIFY(error > 1e-4);
    QVERIFY2(std::abs(mean - expected.context[i]) < 5 * error, qPrintable(QString::number(mean)));
  }
}

// Xu et al. 2015, section 4.1: with probability ½ a whole sequence is read softly. 64 coins: 16 to 48 (4 σ).
void TestRecurrentInvariantsDouble::sequences_read_softly_as_a_whole() {
  const auto steps = soft_rows(0.5);
  QCOMPARE(steps[1], steps[0]);
  QCOMPARE(steps[2], steps[0]);
  const auto count = std::count(steps[0].begin(), steps[0].end(), true);
  QVERIFY2(count >= 16 && count <= 48, qPrintable(QString::number(count)));
}

void TestRecurrentInvariantsDouble::always_reading_softly_is_soft() {
  const std::vector<bool> all(64, true), none(64, false);
  for (const auto& rows_of_step : soft_rows(1)) QCOMPARE(rows_of_step, all);
  for (const auto& rows_of_step : soft_rows(0)) QCOMPARE(rows_of_step, none);
}

void TestRecurrentInvariantsDouble::peeky_without_its_weights_is_plain_data() {
  QTest::addColumn<std::string>("cell");
  QTest::addColumn<Index>("layers");
  for (const char* cell : {"lstm", "gru", "gru_reset_after", "rnn"})
    for (const Index layers : {1, 2})
      QTest::newRow((std::string(cell) + " " + std::to_string(layers)).c_str()) << std::string(cell) << layers;
}

// Invariant I10.
void TestRecurrentInvariantsDouble::peeky_without_its_weights_is_plain() {
  QFETCH(std::string, cell);
  QFETCH(Index, layers);
  const Json settings = {{"cell", cell}, {"layers", layers}, {"reverse_source", true}};
  const auto plain = filled(changed({{"model_type", "seq2seq"}}, settings)),
             peeky = filled(changed({{"model_type", "seq2seq_peeky"}}, settings));
  copy_parameters(*plain, *peeky);
  int widened = 0;
  for (Parameter& p : peeky->parameters().all()) {
    const Tensor& from = *plain->parameters().find(p.name);
    if (from.shape() == p.value.shape()) continue;
    p.value.array().setZero();  // the rows of z stand first
    p.value.matrix().bottomRows(from.rows()) = from.matrix();
    ++widened;
  }
  QCOMPARE(widened, 2);
  QVERIFY(models_agree(*plain, *peeky, tiny_sentence(4, 3), 1e-13));
}

// Invariant I11.
void TestRecurrentInvariantsDouble::a_window_over_everything_is_global() {
  const Json config = {{"model_type", "luong"}, {"attention.half_width", 5}, {"attention.sigma", 65'000.0}};
  const auto global = filled(config);
  for (const char* reach : {"local_m", "local_p"}) {
    const auto local = filled(changed(config, {{"attention.reach", reach}}));
    copy_parameters(*global, *local);
    QVERIFY(models_agree(*global, *local, tiny_sentence(5, 3), reach == std::string("local_m") ? 0 : 1e-7));
    const auto narrow = filled(changed(config, {{"attention.reach", reach}, {"attention.half_width", 0}}));
    copy_parameters(*global, *narrow);
    const Sentences one = tiny_sentence(5, 3);
    QVERIFY(!difference(run_sentences(*narrow, one, {}).loss, run_sentences(*global, one, {}).loss, 1e-4).isEmpty());
  }
}

// Invariant I4: weights are shares; the Gaussian takes some away.
void TestRecurrentInvariantsDouble::weights_are_shares() {
  const RecurrentReference reference = fetch_recurrent();
  const Outcome outcome = run_sentences(*reference.model, sentences(reference.file, {"input/", "input/b/"}), {true});
  const bool attends = reference.has("site/decoder.step[0].attention.weights"),
             gaussian = reference.has("site/decoder.step[0].attention.gauss");
  QCOMPARE(outcome.attention.size(), attends ? std::size_t{3} : std::size_t{0});
  for (const Tensor& weights : outcome.attention)
    for (Index n = 0; n < 2; ++n) {
      const double sum = weights.matrix().row(n).sum();
      QVERIFY(weights.matrix().minCoeff() >= 0);
      QVERIFY(gaussian ? sum > 0 && sum < 1 - 1e-6 : std::abs(sum - 1) < 1e-12);
    }
}

// Invariant I18: v · tanh([q ; k] W) with W = [W_a ; U_a], by hand.
void TestRecurrentInvariantsDouble::additive_is_concat_with_stacked_weights() {
  const auto model =
      filled({{"model_type", "attn_seq2seq"}, {"attention.score", "additive"}, {"attention.hidden_size", 5}});
  const auto trace = trace_of(*model, tiny_sentence(4, 1));
  const Tensor q = trace->value("decoder.step[0].attention.query"), hs = trace->value("encoder.states"),
               scores = trace->value("decoder.step[0].attention.scores");
  const Tensor &upper = *model->parameters().find("attention.W_a"), &lower = *model->parameters().find("attention.U_a"),
               &v = *model->parameters().find("attention.v_a");
  for (Index j = 0; j < 4; ++j) {
    double score = 0;
    for (Index n = 0; n < 5; ++n) {
      double sum = 0;
      for (Index i = 0; i < 8; ++i) {
        const double stacked = i < 4 ? upper[i * 5 + n] : lower[(i - 4) * 5 + n];
        sum += (i < 4 ? q[i] : hs[j * 4 + i - 4]) * stacked;
      }
      score += v[n] * std::tanh(sum);
    }
    QVERIFY(std::abs(score - scores[j]) < 1e-13);
  }
}

void TestRecurrentInvariantsDouble::a_palindrome_is_read_alike_from_both_ends_data() {
  QTest::addColumn<std::string>("cell");
  for (const char* cell : {"lstm", "gru", "gru_reset_after", "rnn"}) QTest::newRow(cell) << std::string(cell);
}

// Invariant I19.
void TestRecurrentInvariantsDouble::a_palindrome_is_read_alike_from_both_ends() {
  QFETCH(std::string, cell);
  const auto model = filled(
      {{"model_type", "attn_seq2seq"}, {"cell", cell}, {"bidirectional", "all"}, {"attention.score", "general"}});
  for (Parameter& p : model->parameters().all())
    if (const auto at = p.name.find(".bwd."); at != std::string::npos)
      p.value.array() = model->parameters().find(std::string(p.name).replace(at, 5, ".fwd."))->array();
  Sentences one = tiny_sentence(5, 1);
  for (const Index j : {3, 4}) one.source.ids[j] = one.source.ids[4 - j];
  const Tensor states = trace_of(*model, one)->value("encoder.states");  // [5 x 8]
  for (Index j = 0; j < 5; ++j)
    for (Index i = 0; i < 4; ++i) QVERIFY(std::abs(states[j * 8 + i] - states[(4 - j) * 8 + 4 + i]) < 1e-14);
  one.source.ids[0] = 6;  // no palindrome any more
  const Tensor others = trace_of(*model, one)->value("encoder.states");
  QVERIFY(std::abs(others[0] - others[4 * 8 + 4]) > 1e-3);
}

// models.md 3.1: the query's share is the same for every key and cancels.
void TestRecurrentInvariantsDouble::linear_concat_does_not_look_at_the_query() {
  const auto trace =
      trace_of(*filled({{"model_type", "attn_seq2seq"}, {"attention.score", "linear_concat"}}), tiny_sentence(4, 3));
  const Tensor first = trace->value("decoder.step[0].attention.weights");
  for (const char* step : {"decoder.step[1].attention.", "decoder.step[2].attention."}) {
    QVERIFY(same(difference(trace->value(std::string(step) + "weights"), first, 1e-14), step));
    QVERIFY(
        !difference(trace->value(std::string(step) + "scores"), trace->value("decoder.step[0].attention.scores"), 1e-3)
             .isEmpty());
  }
}

// models.md 3.1: with β = 1 no weight exceeds e² / (e² + S − 1).
void TestRecurrentInvariantsDouble::cosine_with_beta_1_is_never_sharp() {
  const auto trace =
      trace_of(*filled({{"model_type", "attn_seq2seq"}, {"attention.score", "cosine"}, {"attention.beta", 1.0}}),
               tiny_sentence(4, 3));
  const double bound = std::exp(2) / (std::exp(2) + 3);
  for (const char* step : {"0", "1", "2"}) {
    const Tensor weights = trace->value("decoder.step[" + std::string(step) + "].attention.weights");
    QVERIFY(weights.array().maxCoeff() <= bound);
    const Tensor scores = trace->value("decoder.step[" + std::string(step) + "].attention.scores");
    QVERIFY(scores.array().abs().maxCoeff() <= 1 && scores.array().abs().maxCoeff() > 0.1);
  }
}

// Bahdanau et al. 2015, appendix B.1: v_a starts at 0, so every source token gets the same share.
void TestRecurrentInvariantsDouble::new_bahdanau_attends_evenly() {
  const auto model = make_model({{"model_type", "bahdanau"},
                                 {"source_vocabulary_size", 7},
                                 {"target_vocabulary_size", 7},
                                 {"embedding_size", 3},
                                 {"hidden_size", 4}},
                                5);
  const Tensor weights = trace_of(*model, tiny_sentence(4, 1))->value("decoder.step[0].attention.weights");
  QVERIFY(same(difference(weights, {0.25, 0.25, 0.25, 0.25}, 0), "weights"));
  for (const Parameter& p : model->parameters().all()) {
    if (!p.name.ends_with(".U")) continue;  // orthogonal
    const Matrix product = p.value.matrix() * p.value.matrix().transpose();
    QVERIFY2(product.isIdentity(1e-12), p.name.c_str());
  }
}

HEADLIGHT_TEST(TestRecurrentInvariantsDouble)

}  // namespace headlight::test_recurrent_invariants_double

#include "test_recurrent_invariants_double.moc"
