// The recurrent family in float64: gradients against central differences, REINFORCE against the exact gradient of the
// expected loss, and the invariants of models.md 15.1.

#include "tests/model/gradient_check.h"
#include "tests/model/recurrent_cases.h"
#include "tests/test_program.h"

namespace headlight::test_recurrent_double {

using namespace headlight::testing;

namespace {

// Chooses for hard attention, and sees the weights that it chose by.
struct GivenChoices : TapListener {
  explicit GivenChoices(std::vector<Index> given) : choices(std::move(given)) {}
  std::vector<Index> choices;  // of each step
  std::vector<Tensor> weights;
  Tensor visit(const SitePath& place, const char* leaf, Tensor value) override {
    const std::string name = leaf;
    if (name == "attention.weights") weights.push_back(value);
    if (name != "attention.sample.index") return value;
    return Tensor::full(value.shape(), static_cast<Scalar>(choices[static_cast<std::size_t>(place.index)]));
  }
};

// One target under given choices: −log p(y | choices), the probability of the choices, and the loss that is trained.
struct Chosen {
  Tensor loss;
  double nll = 0, probability = 1;
};

Chosen run_chosen(const Model& model, const Sentences& one, std::vector<Index> choices, double baseline) {
  GivenChoices listener(std::move(choices));
  Random random(1, Random::Stream::hard_attention);
  Pass pass(Tap(listener), &random);
  pass.training = true;
  const auto decoding = model.begin(one.source, pass);
  std::vector<Tensor> logits;
  Chosen chosen;
  for (Index t = 0; t < one.fed.dim(0); ++t) {
    logits.push_back(decoding->advance(rows(one.fed, t, 1), pass));
    const Tensor loss = cross_entropy(logits.back(), step_of(one.targets, t), step_of(one.mask, t), 1);
    chosen.loss = t == 0 ? loss : add(chosen.loss, loss);
    const auto at = static_cast<std::size_t>(t);
    chosen.probability *= listener.weights[at][listener.choices[at]];
  }
  chosen.nll = chosen.loss[0];
  chosen.loss = add(chosen.loss, decoding->additional_loss({nll_of(logits, one), one.mask, baseline, 1}));
  return chosen;
}

// All ways to choose one of `s` at each of `steps`.
std::vector<std::vector<Index>> all_choices(Index s, Index steps) {
  std::vector<std::vector<Index>> all = {{}};
  for (Index t = 0; t < steps; ++t) {
    std::vector<std::vector<Index>> longer;
    for (const auto& choices : all)
      for (Index j = 0; j < s; ++j) {
        longer.push_back(choices);
        longer.back().push_back(j);
      }
    all = std::move(longer);
  }
  return all;
}

// A model from a configuration, with weights by formula.
std::shared_ptr<Model> filled(Json config) {
  Json full = {{"source_vocabulary_size", 7}, {"target_vocabulary_size", 7}, {"embedding_size", 3}, {"hidden_size", 4}};
  full.update(config);
  std::shared_ptr<Model> model = make_model(full, 1);
  double s = 0;
  for (Parameter& p : model->parameters().all()) p.value.array() = fill(s += 1, p.value.shape()).array() * 1.4;
  return model;
}

Sentences tiny_sentence(Index s_count, Index t_count) {
  Sentences one;
  one.source = Source(Tensor({s_count, 1}));
  for (Index j = 0; j < s_count; ++j) one.source.ids[j] = static_cast<Scalar>((3 * j + 2) % 7);
  one.fed = Tensor({t_count, 1});
  one.targets = Tensor({1, t_count});
  for (Index t = 0; t < t_count; ++t) {
    one.fed[t] = static_cast<Scalar>((4 * t + 1) % 7);
    one.targets[t] = static_cast<Scalar>((5 * t + 3) % 7);
  }
  one.mask = Tensor::full({1, t_count}, 1);
  one.draws = Tensor::full({1, t_count}, Scalar(0.4));
  one.tokens = t_count;
  return one;
}

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

Json changed(Json config, const Json& changes) {
  config.update(changes);
  return config;
}

std::shared_ptr<const Trace> trace_of(const Model& model, const Sentences& one) {
  Recorder recorder({}, {});
  const auto decoding = model.begin(one.source, recorder.tap());
  for (Index t = 0; t < one.fed.dim(0); ++t) decoding->advance(rows(one.fed, t, 1), recorder.tap());
  return recorder.finish({});
}

}  // namespace

class TestRecurrentDouble : public QObject {
  Q_OBJECT
 private slots:
  void differences_data() { add_recurrent_rows(); }
  void differences();
  void dropout_has_the_gradient_of_its_draws_data();
  void dropout_has_the_gradient_of_its_draws();
  void dropout_is_for_training_only();
  void reinforce_is_the_gradient_of_the_expected_loss_data();
  void reinforce_is_the_gradient_of_the_expected_loss();
  void drawing_all_steps_at_once_is_step_by_step();
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

// models.md 7.5, over a padded batch of two sentences.
void TestRecurrentDouble::differences() {
  const RecurrentReference reference = fetch_recurrent();
  const Sentences both = sentences(reference.file, {"input/", "input/b/"});
  // The losses of sampled attention are no function whose gradient is wanted: see the enumeration below.
  const Manner manner{false, reference.draws(), !reference.draws()};
  Differentiable function;
  for (const Parameter& p : reference.model->parameters().all()) function.inputs.push_back(p.value);
  function.f = [&](const std::vector<Tensor>&) { return run_sentences(*reference.model, both, manner).loss; };
  const std::vector<Tensor> gradients = gradients_of(function, Graph::Keep::gradients);
  int counted = 0;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const std::vector<double> numeric = central_differences(function, function.inputs[i]);
    const std::vector<double> ours =
        gradients[i].defined() ? doubles(gradients[i]) : std::vector<double>(numeric.size(), 0);
    std::vector<double> d(numeric.size());
    for (std::size_t k = 0; k < d.size(); ++k) d[k] = ours[k] - numeric[k];
    const std::string& name = reference.model->parameters().all()[i].name;
    QVERIFY2(norm(d) <= 1e-5 * (norm(ours) + norm(numeric)) + 1e-8, name.c_str());
    counted += norm(numeric) > 1e-4;
  }
  QVERIFY(counted >= 6);
}

void TestRecurrentDouble::dropout_has_the_gradient_of_its_draws_data() {
  QTest::addColumn<std::string>("config");
  const auto add = [](const Json& config) {
    QTest::newRow(config["model_type"].get<std::string>().c_str()) << config.dump();
  };
  add({{"model_type", "luong"}, {"layers", 2}, {"query_layer", 1}, {"dropout", 0.4}});
  add({{"model_type", "gnmt"}, {"dropout", 0.3}});
  add({{"model_type", "bahdanau"}, {"dropout", 0.4}});
  add({{"model_type", "hard_attention"}, {"dropout", 0.4}, {"attention.selection", "soft"}});
}

void TestRecurrentDouble::dropout_has_the_gradient_of_its_draws() {
  QFETCH(std::string, config);
  const auto model = filled(Json::parse(config));
  const Sentences one = tiny_sentence(4, 3);
  Differentiable function;
  for (const Parameter& p : model->parameters().all()) function.inputs.push_back(p.value);
  function.f = [&](const std::vector<Tensor>&) {
    Random random(5, Random::Stream::dropout);  // the same draws each time
    Pass pass(Tap(), &random);
    pass.training = true;
    return cross_entropy(model->begin(one.source, pass)->advance(one.fed, pass), one.targets, one.mask, 1);
  };
  const std::vector<Tensor> gradients = gradients_of(function, Graph::Keep::gradients);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const std::vector<double> numeric = central_differences(function, function.inputs[i]);
    std::vector<double> d = gradients[i].defined() ? doubles(gradients[i]) : std::vector<double>(numeric.size(), 0);
    for (std::size_t k = 0; k < d.size(); ++k) d[k] -= numeric[k];
    QVERIFY2(norm(d) <= 1e-5 * 2 * norm(numeric) + 1e-8, model->parameters().all()[i].name.c_str());
  }
}

void TestRecurrentDouble::dropout_is_for_training_only() {
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

void TestRecurrentDouble::reinforce_is_the_gradient_of_the_expected_loss_data() {
  QTest::addColumn<std::string>("config");
  QTest::addColumn<Index>("steps");
  const Json hard = {{"model_type", "hard_attention"}, {"attention.semi_sampling", 0.0}, {"attention.entropy", 0.0}};
  const Json late = {{"model_type", "attn_seq2seq"},
                     {"attention.selection", "hard_sample"},
                     {"attention.score", "general"},
                     {"context_use", "both"}};
  for (const Index steps : {1, 2}) {
    const std::string text = ", T = " + std::to_string(steps);
    QTest::newRow(("hard attention" + text).c_str()) << hard.dump() << steps;
    QTest::newRow(("with a selector" + text).c_str()) << changed(hard, {{"selector", true}}).dump() << steps;
    QTest::newRow(("after the cell" + text).c_str()) << late.dump() << steps;
  }
}

// models.md 4.10: the mean of the estimator over all choices is the gradient of Σ_s p(s) · (−log p(y | s)), whatever
// the baseline (Xu et al. 2015, eq. 10 to 12).
void TestRecurrentDouble::reinforce_is_the_gradient_of_the_expected_loss() {
  QFETCH(std::string, config);
  QFETCH(Index, steps);
  const auto model = filled(Json::parse(config));
  const Sentences one = tiny_sentence(3, steps);
  const auto choices = all_choices(3, steps);
  const auto expected_loss = [&] {
    double total = 0;
    for (const auto& chosen : choices) {
      const Chosen run = run_chosen(*model, one, chosen, 0);
      total += run.probability * run.nll;
    }
    return total;
  };
  std::vector<std::vector<double>> exact;  // for each parameter
  for (Parameter& p : model->parameters().all()) {
    auto& gradient = exact.emplace_back();
    for (Index k = 0; k < p.value.size(); ++k) {
      const Scalar x = p.value[k];
      p.value[k] = x + 1e-6;
      const double up = expected_loss();
      p.value[k] = x - 1e-6;
      const double down = expected_loss();
      p.value[k] = x;
      gradient.push_back((up - down) / 2e-6);
    }
    // What is added to all scores alike changes no weight.
    if (p.name == "attention.b_v") {
      QVERIFY(norm(gradient) < 1e-6);
    } else if (p.name.starts_with("attention.")) {
      QVERIFY2(norm(gradient) > 1e-6, p.name.c_str());
    }
  }
  const auto& parameters = model->parameters().all();
  for (const double baseline : {0.0, -1.7}) {
    auto error = exact;  // what is left of it when the mean of the estimates is taken away
    double probability = 0;
    for (const auto& chosen : choices) {
      Graph graph(Graph::Keep::gradients);
      const Graph::Scope scope(&graph);
      const Chosen run = run_chosen(*model, one, chosen, baseline);
      graph.backward(run.loss, Tensor::full({1}, 1));
      probability += run.probability;
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Tensor gradient = graph.gradient(parameters[i].value);
        for (Index k = 0; gradient.defined() && k < gradient.size(); ++k)
          error[i][static_cast<std::size_t>(k)] -= run.probability * gradient[k];
      }
    }
    QVERIFY(std::abs(probability - 1) < 1e-12);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      QVERIFY2(norm(error[i]) <= 1e-5 * 2 * norm(exact[i]) + 1e-8, parameters[i].name.c_str());
  }
}

// The same seed draws the same positions either way, so the loss and its gradients are the same.
void TestRecurrentDouble::drawing_all_steps_at_once_is_step_by_step() {
  for (const char* name : {"attn_hard_sample", "hard_sample", "hard_sample_all"}) {
    const RecurrentReference reference = open_recurrent(name);
    const Sentences one = sentences(reference.file, {"input/"});
    std::vector<std::vector<double>> found;
    for (const Index piece : {3, 1}) {
      Graph graph(Graph::Keep::gradients);
      const Graph::Scope scope(&graph);
      Random random(4, Random::Stream::hard_attention);
      Pass pass(Tap(), &random);
      pass.training = true;
      const auto decoding = reference.model->begin(one.source, pass);
      std::vector<double> numbers;
      for (Index t = 0; t < 3; t += piece)
        for (const double x : doubles(decoding->advance(rows(one.fed, t, piece), pass))) numbers.push_back(x);
      const Tensor loss = decoding->additional_loss({Tensor::full({1}, 2), one.mask, -1, 0.5});
      graph.backward(loss, Tensor::full({1}, 1));
      numbers.push_back(loss[0]);
      for (const char* parameter : {"encoder.embed.W", "decoder.embed.W"})
        for (const double x : doubles(graph.gradient(*reference.model->parameters().find(parameter))))
          numbers.push_back(x);
      found.push_back(std::move(numbers));
    }
    QVERIFY(same(difference(found[1], found[0], 1e-12), name));
  }
}

// Invariant I13: 20 000 draws; the mean of each number lies within 5 standard errors of the soft context.
void TestRecurrentDouble::a_drawn_context_is_soft_on_average() {
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

namespace {

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

// Xu et al. 2015, section 4.1: with probability ½ a whole sequence is read softly. 64 coins: 16 to 48 (4 σ).
void TestRecurrentDouble::sequences_read_softly_as_a_whole() {
  const auto steps = soft_rows(0.5);
  QCOMPARE(steps[1], steps[0]);
  QCOMPARE(steps[2], steps[0]);
  const auto count = std::count(steps[0].begin(), steps[0].end(), true);
  QVERIFY2(count >= 16 && count <= 48, qPrintable(QString::number(count)));
}

void TestRecurrentDouble::always_reading_softly_is_soft() {
  const std::vector<bool> all(64, true), none(64, false);
  for (const auto& rows_of_step : soft_rows(1)) QCOMPARE(rows_of_step, all);
  for (const auto& rows_of_step : soft_rows(0)) QCOMPARE(rows_of_step, none);
}

void TestRecurrentDouble::peeky_without_its_weights_is_plain_data() {
  QTest::addColumn<std::string>("cell");
  QTest::addColumn<Index>("layers");
  for (const char* cell : {"lstm", "gru", "gru_reset_after", "rnn"})
    for (const Index layers : {1, 2})
      QTest::newRow((std::string(cell) + " " + std::to_string(layers)).c_str()) << std::string(cell) << layers;
}

// Invariant I10.
void TestRecurrentDouble::peeky_without_its_weights_is_plain() {
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
void TestRecurrentDouble::a_window_over_everything_is_global() {
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
void TestRecurrentDouble::weights_are_shares() {
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
void TestRecurrentDouble::additive_is_concat_with_stacked_weights() {
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

void TestRecurrentDouble::a_palindrome_is_read_alike_from_both_ends_data() {
  QTest::addColumn<std::string>("cell");
  for (const char* cell : {"lstm", "gru", "gru_reset_after", "rnn"}) QTest::newRow(cell) << std::string(cell);
}

// Invariant I19.
void TestRecurrentDouble::a_palindrome_is_read_alike_from_both_ends() {
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
void TestRecurrentDouble::linear_concat_does_not_look_at_the_query() {
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
void TestRecurrentDouble::cosine_with_beta_1_is_never_sharp() {
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
void TestRecurrentDouble::new_bahdanau_attends_evenly() {
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

HEADLIGHT_TEST(TestRecurrentDouble)

}  // namespace headlight::test_recurrent_double

#include "test_recurrent_double.moc"
