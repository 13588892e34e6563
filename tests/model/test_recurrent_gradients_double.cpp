// Gradients of the recurrent family in float64: against central differences, those of dropout, and REINFORCE against
// the exact gradient of the expected loss.

#include "tests/model/gradient_check.h"
#include "tests/model/recurrent_cases.h"
#include "tests/model/tiny_recurrent.h"
#include "tests/test_program.h"

namespace headlight::test_recurrent_gradients_double {

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

}  // namespace

class TestRecurrentGradientsDouble : public QObject {
  Q_OBJECT

 private slots:
  void differences_data() { add_recurrent_rows(); }
  void differences();
  void dropout_has_the_gradient_of_its_draws_data();
  void dropout_has_the_gradient_of_its_draws();
  void reinforce_is_the_gradient_of_the_expected_loss_data();
  void reinforce_is_the_gradient_of_the_expected_loss();
  void drawing_all_steps_at_once_is_step_by_step();
};

// models.md 7.5, over a padded batch of two sentences.
void TestRecurrentGradientsDouble::differences() {
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

void TestRecurrentGradientsDouble::dropout_has_the_gradient_of_its_draws_data() {
  QTest::addColumn<std::string>("config");
  const auto add = [](const Json& config) {
    QTest::newRow(config["model_type"].get<std::string>().c_str()) << config.dump();
  };
  add({{"model_type", "luong"}, {"layers", 2}, {"query_layer", 1}, {"dropout", 0.4}});
  add({{"model_type", "gnmt"}, {"dropout", 0.3}});
  add({{"model_type", "bahdanau"}, {"dropout", 0.4}});
  add({{"model_type", "hard_attention"}, {"dropout", 0.4}, {"attention.selection", "soft"}});
}

void TestRecurrentGradientsDouble::dropout_has_the_gradient_of_its_draws() {
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

void TestRecurrentGradientsDouble::reinforce_is_the_gradient_of_the_expected_loss_data() {
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
void TestRecurrentGradientsDouble::reinforce_is_the_gradient_of_the_expected_loss() {
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
void TestRecurrentGradientsDouble::drawing_all_steps_at_once_is_step_by_step() {
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

HEADLIGHT_TEST(TestRecurrentGradientsDouble)

}  // namespace headlight::test_recurrent_gradients_double

#include "test_recurrent_gradients_double.moc"
