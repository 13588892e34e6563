// Operations of recurrent and hard attention: the borders of each function, ties, rows that keep nothing, and what must
// hold for any numbers.

#include <functional>
#include <limits>

#include "model/ops/activations.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/lstm.h"
#include "model/ops/softmax.h"
#include "model/trace/trace.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_attention_rules {

using namespace headlight::testing;

namespace {
constexpr double kTolerance = 1e-6;
const double kLn2 = std::log(2.0);

// d(Σ g y)/dx by backward.
Tensor gradient_of(Tensor x, const std::function<Tensor(const Tensor&)>& f, const Tensor& g) {
  Graph graph(Graph::Keep::gradients);
  const Graph::Scope scope(&graph);
  graph.watch(x);
  graph.backward(f(x), g);
  return graph.gradient(x);
}
}  // namespace

class TestAttentionRules : public QObject {
  Q_OBJECT
 private slots:
  void functions_of_huge_numbers();
  void ties_go_to_the_first();
  void dropout_keeps_the_mean();
  void dropout_draws_in_order();
  void a_scaled_gradient_leaves_the_values();
  void zero_vectors_score_0();
  void windows_at_the_edges();
  void a_sample_falls_where_its_number_says();
  void rows_that_keep_nothing();
  void mean_of_hard_contexts_is_the_soft_one();
  void a_mask_serves_all_queries();
  void smoothing_of_0_is_cross_entropy();
  void smoothing_leaves_padding_out();
  void log_softmax_of_huge_logits();
  void tails_keep_their_digits();
  void what_a_mask_takes_out_says_so();
  void places_beyond_the_longest_source_have_no_score();
  void additive_biases();
};

void TestAttentionRules::functions_of_huge_numbers() {
  const Tensor x = Tensor::of({2}, {1e4, -1e4});
  QVERIFY(same(difference(sigmoid(x), {1, 0}, kTolerance), "sigmoid"));
  QVERIFY(same(difference(headlight::tanh(x), {1, -1}, kTolerance), "tanh"));
  QVERIFY(same(difference(softplus(x), {1e4, 0}, kTolerance), "softplus"));
  QVERIFY(same(difference(glu(Tensor::of({2, 2}, {3, 1e4, 3, -1e4})), {3, 0}, kTolerance), "GLU"));
  // The derivative of ReLU at 0 is 0.
  QVERIFY(same(difference(gradient_of(Tensor::of({3}, {-1, 0, 1}), relu, Tensor::full({3}, 5)), {0, 0, 5}, 0), "relu"));
}

void TestAttentionRules::ties_go_to_the_first() {
  const Tensor x = Tensor::of({1, 2}, {3, 3}), one = Tensor::full({1, 1}, 1);
  QVERIFY(same(difference(gradient_of(x, maxout, one), {1, 0}, 0), "maxout"));
  QVERIFY(same(difference(gradient_of(
                              Tensor::of({1, 3, 1}, {1, 3, 3}), [](const Tensor& t) { return max_rows(t); }, one),
                          {0, 1, 0}, 0),
               "maximum"));
  QCOMPARE(argmax_rows(Tensor::of({1, 1, 3}, {1, 3, 3}))[0], Scalar(1));
}

void TestAttentionRules::dropout_keeps_the_mean() {
  Random random(7, Random::Stream::dropout);
  const Tensor x = Tensor::full({100, 100}, 2);
  const Tensor y = dropout(x, 0.2, random);
  Index zeros = 0;
  for (Index i = 0; i < y.size(); ++i) {
    if (y[i] == 0) {
      ++zeros;
    } else {
      QCOMPARE(y[i], Scalar(2.5));
    }
  }
  QVERIFY2(std::abs(static_cast<double>(zeros) - 2000) < 5 * 40, qPrintable(QString::number(zeros)));  // 5 σ
}

void TestAttentionRules::dropout_draws_in_order() {
  const Tensor x = fill(1, {3, 4});
  Random first(7, Random::Stream::dropout), second(7, Random::Stream::dropout);
  const Tensor y = dropout(x, 0.5, first);
  for (Index i = 0; i < x.size(); ++i) QCOMPARE(y[i] == 0, second.uniform() < 0.5);
  QCOMPARE(first.counter(), second.counter());
  QVERIFY(dropout(x, 0, first).shares_storage(x));
  QCOMPARE(first.counter(), second.counter());
}

void TestAttentionRules::a_scaled_gradient_leaves_the_values() {
  const Tensor x = fill(1, {2, 3}), g = fill(2, {2, 3});
  QVERIFY(gradient_scale(x, Scalar(0.25)).shares_storage(x));
  const Tensor d = gradient_of(
      x, [](const Tensor& t) { return gradient_scale(t, Scalar(0.25)); }, g);
  QVERIFY(same(difference(d, scale(g, Scalar(0.25)), 0), "gradient"));
  Graph graph(Graph::Keep::everything);
  const Graph::Scope scope(&graph);
  const Tensor y = gradient_scale(x, 3);
  const Explanation e = graph.find(y)->op->explain(*graph.find(y), 4);
  QVERIFY(e.kind == Explanation::Kind::copy && e.terms.size() == 1);
  QCOMPARE(e.recomputed, static_cast<double>(x[4]));
}

void TestAttentionRules::zero_vectors_score_0() {
  const Tensor keys = Tensor::of({1, 2, 2}, {0, 0, 3, 4}), beta = Tensor::of({1}, {5});
  const Tensor zero = Tensor::zeros({1, 1, 2}), some = Tensor::of({1, 1, 2}, {3, 4}), g = Tensor::full({1, 1, 2}, 1);
  QVERIFY(same(difference(cosine_scores(zero, keys, beta), {0, 0}, 0), "zero query"));
  QVERIFY(same(difference(cosine_scores(some, keys, beta), {0, 5}, kTolerance), "zero key"));
  const auto with = [&](const Tensor& q) { return cosine_scores(q, keys, beta); };
  QVERIFY(same(difference(gradient_of(zero, with, g), {0, 0}, 0), "gradient of a zero query"));
  // Along the key itself nothing is to be gained.
  QVERIFY(same(difference(gradient_of(some, with, g), {0, 0}, kTolerance), "gradient"));
}

void TestAttentionRules::windows_at_the_edges() {
  const Tensor centres = Tensor::of({1, 4, 1}, {Scalar(-0.5), 0, Scalar(3.99), 100});
  const std::vector<double> expected = {1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0};
  QVERIFY(same(difference(window_mask(centres, 1, 4), expected, 0), "window"));
  // An edited position may be no number: nothing is attended then, and nothing breaks.
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
  QVERIFY(same(difference(window_mask(Tensor::of({1, 1, 1}, {nan}), 1, 3), {0, 0, 0}, 0), "no number"));
  // With D = S − 1 and more it hides nothing.
  QVERIFY(same(difference(window_mask(Tensor::of({1, 1, 1}, {2}), 3, 4), {1, 1, 1, 1}, 0), "wide"));
}

void TestAttentionRules::a_sample_falls_where_its_number_says() {
  const Tensor weights = Tensor::of({1, 1, 4}, {0, 0.25, 0.5, 0.25});
  const auto sampled = [&](double u) {
    return static_cast<int>(sample_rows(weights, Tensor::of({1, 1}, {static_cast<Scalar>(u)}))[0]);
  };
  QCOMPARE(sampled(0), 1);  // the first entry has no weight
  QCOMPARE(sampled(0.2499), 1);
  QCOMPARE(sampled(0.25), 2);  // Σ > u, not ≥
  QCOMPARE(sampled(0.7499), 2);
  QCOMPARE(sampled(0.75), 3);
  // Rounding: the weights make a little less than 1, u is just below 1.
  const Tensor thirds = Tensor::of({1, 1, 4}, {Scalar(0.333), Scalar(0.333), Scalar(0.333), 0});
  QCOMPARE(sample_rows(thirds, Tensor::of({1, 1}, {Scalar(0.9999)}))[0], Scalar(2));
}

// Weights 0, choice none, context 0, gradient 0 (models.md 1.3).
void TestAttentionRules::rows_that_keep_nothing() {
  const Tensor keep = Tensor::zeros({1, 3}), values = fill(2, {1, 3, 2});
  const Tensor none = softmax(fill(1, {1, 1, 3}), keep);
  const std::vector<double> zeros = {0, 0, 0};
  for (const Tensor& index : {argmax_rows(none), sample_rows(none, Tensor::of({1, 1}, {Scalar(0.9)}))}) {
    QVERIFY(index[0] == Scalar(0));
    QVERIFY(same(difference(hard_choice(none, index), zeros, 0), "choice"));
    QVERIFY(same(difference(weighted_sum(hard_choice(none, index), values), {0, 0}, 0), "context"));
  }
  QVERIFY(same(difference(mean_rows(values, keep), {0, 0}, 0), "mean"));
  QVERIFY(same(difference(max_rows(values, keep), {0, 0}, 0), "maximum"));
  QVERIFY(same(difference(window_mask(Tensor::zeros({1, 1, 1}), 9, 3, keep), zeros, 0), "window"));
  QVERIFY(entropy(none)[0] == Scalar(0));
  const auto losses = [&](const Tensor& scores) {
    const Tensor a = softmax(scores, keep);
    return add(log_of_choice(a, argmax_rows(a)), entropy(a));
  };
  QVERIFY(same(difference(gradient_of(fill(1, {1, 1, 3}), losses, Tensor::full({1, 1}, 1)), zeros, 0), "gradient"));
}

// models.md 15.1, I13
void TestAttentionRules::mean_of_hard_contexts_is_the_soft_one() {
  const Index draws = 4096;
  const Tensor weights = reshape(repeated(softmax(scale(fill(1, {4}), 3)), draws), {1, draws, 4});
  const Tensor values = fill(2, {1, 4, 2});
  Tensor uniforms({1, draws});
  for (Index i = 0; i < draws; ++i) uniforms[i] = (static_cast<Scalar>(i) + Scalar(0.5)) / static_cast<Scalar>(draws);
  const Tensor hard = weighted_sum(hard_choice(weights, sample_rows(weights, uniforms)), values);
  const Tensor soft = weighted_sum(reshape(row(row(weights, 0), 0), {1, 1, 4}), values);
  QVERIFY(same(difference(mean_rows(hard), doubles(soft), 1e-3), "mean"));
}

// keep [N x S] beside scores [N x T x S].
void TestAttentionRules::a_mask_serves_all_queries() {
  const Tensor scores = fill(1, {2, 3, 4}), keep = Tensor::of({2, 4}, {1, 1, 0, 0, 0, 1, 1, 1});
  const Tensor weights = softmax(scores, keep);
  for (Index n = 0; n < 2; ++n)
    for (Index t = 0; t < 3; ++t) {
      const Tensor alone = softmax(row(row(scores, n), t), row(keep, n));
      QVERIFY(same(difference(row(row(weights, n), t), alone, 0), "query"));
    }
}

// models.md 15.1, I16
void TestAttentionRules::smoothing_of_0_is_cross_entropy() {
  const Tensor logits = fill(1, {3, 5}), targets = Tensor::of({3}, {4, 0, 2}), mask = Tensor::of({3}, {1, 0, 1});
  QCOMPARE(cross_entropy(logits, targets, mask, 1, 0, 1)[0], cross_entropy(logits, targets, mask, 1)[0]);
}

void TestAttentionRules::smoothing_leaves_padding_out() {
  // The excluded id gets no share: q = 0.85, 0.15, 0 for target 0 of 3 and ε = 0.3, whatever its own logit.
  const Tensor target = Tensor::of({1}, {0}), one = Tensor::full({1}, 1);
  const Tensor logits = Tensor::of({1, 3}, {0, Scalar(kLn2), Scalar(std::log(5.0))});
  const Tensor loss = cross_entropy(logits, target, one, 1, 0.3, 2);
  QVERIFY(same(difference(loss, {0.85 * 3 * kLn2 + 0.15 * 2 * kLn2}, 2 * kTolerance), "loss"));
  const Tensor d = gradient_of(
      logits, [&](const Tensor& z) { return cross_entropy(z, target, one, 1, 0.3, 2); }, one);
  QVERIFY(same(difference(d, {0.125 - 0.85, 0.25 - 0.15, 0.625}, kTolerance), "gradient"));
}

void TestAttentionRules::log_softmax_of_huge_logits() {
  const Scalar infinity = std::numeric_limits<Scalar>::infinity();
  const Tensor lp = log_softmax(Tensor::of({2, 3}, {1e4, -1e4, 1e4, 0, -infinity, -infinity}));
  QVERIFY(same(difference(lp, {-kLn2, -2e4 - kLn2, -kLn2, 0, -infinity, -infinity}, kTolerance), "log softmax"));
}

// Gates that are nearly closed, and activations of what is nearly nothing: exact in relative terms, as in PyTorch.
void TestAttentionRules::tails_keep_their_digits() {
  const auto sigma = [](double x) { return std::exp(x) / (1 + std::exp(x)); };
  const auto phi = [](double x) { return std::erfc(-x / std::sqrt(2)) / 2; };
  const double root = std::sqrt(8 / std::acos(-1.0));
  for (double x = -12; x <= 12; x += 0.37) {
    const auto check = [&](const Tensor& found, double expected, double tolerance = 3e-6) {
      const double error = std::abs(static_cast<double>(found[0]) / expected - 1);
      if (error >= tolerance) qWarning("at %g: %g instead of %g", x, static_cast<double>(found[0]), expected);
      return error < tolerance;
    };
    const Tensor at = Tensor::of({1}, {static_cast<Scalar>(x)});
    const double given = static_cast<double>(at[0]);
    QVERIFY(check(sigmoid(at), sigma(given)));
    QVERIFY(check(lstm_gates(Tensor::full({1, 4}, at[0])), sigma(given)));
    QVERIFY(check(silu(at), given * sigma(given)));
    QVERIFY(check(glu(Tensor::of({1, 2}, {2, at[0]})), 2 * sigma(given)));
    if (given < -5) continue;  // there the rounding of the argument alone is more
    QVERIFY(check(gelu(at), given * phi(given), 1e-5));
    QVERIFY(check(gelu_tanh(at), given * sigma(root * (given + 0.044715 * given * given * given)), 1e-5));
  }
}

// A term of 0 beside a finite score: the mask that made it 0 is one of its cells.
void TestAttentionRules::what_a_mask_takes_out_says_so() {
  Graph graph(Graph::Keep::everything);
  const Graph::Scope scope(&graph);
  const Tensor scores = Tensor::of({1, 3}, {1, 9, 2}), keep = Tensor::of({1, 3}, {1, 0, 1});
  const Tensor weights = softmax(scores, keep);
  const Explanation e = graph.find(weights)->op->explain(*graph.find(weights), 0);
  QCOMPARE(e.terms.size(), std::size_t{3});
  const Term& outside = e.terms[1];
  QCOMPARE(outside.value, 0.0);
  QCOMPARE(outside.cells.size(), std::size_t{2});
  QCOMPARE(outside.cells[0].value(), 9.0);
  QVERIFY(outside.cells[1].tensor.data() == keep.data() && outside.cells[1].value() == 0);
  QCOMPARE(e.terms[2].cells.size(), std::size_t{1});
}

// models.md 3.1: `location` has scores for S_max places.
void TestAttentionRules::places_beyond_the_longest_source_have_no_score() {
  for (const Reach reach : {Reach::global, Reach::local_m}) {
    ParameterTable table;
    Random random(1, Random::Stream::init);
    AttentionSettings settings;
    settings.score = Score::location;
    settings.longest_source = 2;
    settings.reach = reach;
    const Attention attention(ParameterBuilder(table, {InitialValues::Kind::drawn, 1}, random), settings, 3, 3);
    Recorder recorder({}, {});
    const SitePath place("decoder"), step(place, "step", 0);
    const Tensor keys = fill(1, {1, 4, 3});
    attention.read(fill(2, {1, 1, 3}), 0, attention.prepare(keys, keys, {}, place, recorder.tap()), step,
                   recorder.tap());
    const auto trace = recorder.finish({});
    const Tensor scores = trace->value("decoder.step[0].attention.scores"),
                 weights = trace->value("decoder.step[0].attention.weights");
    QVERIFY(std::isfinite(scores[0]) && std::isfinite(scores[1]));
    for (const Index j : {2, 3}) {
      QVERIFY(std::isinf(scores[j]) && scores[j] < 0);
      QVERIFY(weights[j] == Scalar(0));
    }
    QVERIFY(std::abs(weights[0] + weights[1] - 1) < Scalar(1e-6));
  }
}

// s_j = v_a · tanh(q W_a + k_j U_a + b_a) + b_v (models.md 4.8 and 4.10), worked out number by number.
void TestAttentionRules::additive_biases() {
  for (const ScoreBias bias : {ScoreBias::none, ScoreBias::hidden, ScoreBias::both}) {
    ParameterTable table;
    Random random(1, Random::Stream::init);
    AttentionSettings settings;
    settings.score = Score::additive;
    settings.hidden = 2;
    settings.bias = bias;
    const Attention attention(ParameterBuilder(table, {InitialValues::Kind::drawn, 1}, random), settings, 3, 3);
    QCOMPARE(table.find("b_a") != nullptr, bias != ScoreBias::none);
    QCOMPARE(table.find("b_v") != nullptr, bias == ScoreBias::both);
    double s = 3;
    for (Parameter& p : table.all()) p.value.array() = fill(s += 1, p.value.shape()).array();
    Recorder recorder({}, {});
    const SitePath place("decoder"), step(place, "step", 0);
    const Tensor q = fill(2, {1, 1, 3}), k = fill(1, {1, 4, 3});
    attention.read(q, 0, attention.prepare(k, k, {}, place, recorder.tap()), step, recorder.tap());
    const Tensor found = recorder.finish({})->value("decoder.step[0].attention.scores");
    for (Index j = 0; j < 4; ++j) {
      double score = table.find("b_v") ? static_cast<double>((*table.find("b_v"))[0]) : 0;
      for (Index i = 0; i < 2; ++i) {
        double x = table.find("b_a") ? static_cast<double>((*table.find("b_a"))[i]) : 0;
        for (Index h = 0; h < 3; ++h)
          x += static_cast<double>(q[h] * (*table.find("W_a"))[h * 2 + i] +
                                   k[j * 3 + h] * (*table.find("U_a"))[h * 2 + i]);
        score += static_cast<double>((*table.find("v_a"))[i]) * std::tanh(x);
      }
      QVERIFY(std::abs(static_cast<double>(found[j]) - score) < 1e-5);
    }
  }
}

HEADLIGHT_TEST(TestAttentionRules)

}  // namespace headlight::test_attention_rules

#include "test_attention_rules.moc"
