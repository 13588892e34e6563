// Gradients and explanations of the weights of an attention in one operation, in double.

#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/heads.h"
#include "model/ops/softmax.h"
#include "tests/model/explanation_checks.h"
#include "tests/test_program.h"

namespace headlight::test_attention_weights_double {

using namespace headlight::testing;

namespace {

struct Case {
  const char* name;
  Tensor keep;
  bool biased;
};

// Two sentences of two heads, three queries, four keys. The second sentence's last query keeps nothing.
std::vector<Case> cases() {
  const Tensor shared = Tensor::of({1, 3, 4}, {1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0});
  const Tensor own = Tensor::of({2, 3, 4}, {1, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0});
  return {{"all", {}, false},
          {"shared mask", shared, false},
          {"masks", own, false},
          {"bias", {}, true},
          {"both", own, true}};
}

Tensor weights(const std::vector<Tensor>& in, const Case& c) {
  return attention_weights(in[0], in[1], Scalar(0.7), c.keep, c.biased ? in[2] : Tensor());
}
Tensor in_parts(const std::vector<Tensor>& in, const Case& c) {
  const Tensor scores = scale(dot_scores(in[0], in[1]), Scalar(0.7));
  return softmax(mask_scores(c.biased ? add_bias(scores, in[2]) : scores, c.keep));
}

std::vector<Tensor> inputs(const Case& c) {
  std::vector<Tensor> in = {fill(1, {4, 3, 5}), fill(2, {4, 4, 5})};
  if (c.biased) in.push_back(parameter(3, {2, 3, 4}));
  for (Tensor& t : in) t.array() *= Scalar(3);  // shares that are far from even
  return in;
}

}  // namespace

class TestAttentionWeightsDouble : public QObject {
  Q_OBJECT
 private slots:
  void gradients();
  void gradients_of_its_parts();
  void queries_that_are_their_own_keys();
  void arithmetic();
};

void TestAttentionWeightsDouble::gradients() {
  for (const Case& c : cases()) {
    Differentiable function{c.name, inputs(c), [&c](const Inputs& in) { return weights(in, c); }};
    const QString error = gradient_error(function);
    QVERIFY2(error.isEmpty(), qPrintable(error));
  }
}

void TestAttentionWeightsDouble::gradients_of_its_parts() {
  for (const Case& c : cases()) {
    Differentiable whole{c.name, inputs(c), [&c](const Inputs& in) { return weights(in, c); }};
    Differentiable parts{c.name, inputs(c), [&c](const Inputs& in) { return in_parts(in, c); }};
    const auto a = gradients_of(whole, Graph::Keep::gradients), b = gradients_of(parts, Graph::Keep::gradients);
    for (std::size_t i = 0; i < a.size(); ++i) QVERIFY(same(difference(a[i], b[i], 1e-13), c.name));
  }
}

void TestAttentionWeightsDouble::queries_that_are_their_own_keys() {
  Differentiable function{
      "q = k", {fill(1, {2, 3, 4})}, [](const Inputs& in) { return attention_weights(in[0], in[0], 1, {}, {}); }};
  const QString error = gradient_error(function);
  QVERIFY2(error.isEmpty(), qPrintable(error));
}

void TestAttentionWeightsDouble::arithmetic() {
  for (const Case& c : cases()) {
    Graph graph(Graph::Keep::everything);
    const Graph::Scope scope(&graph);
    QVERIFY2(every_node_adds_up(graph, weights(inputs(c), c), 1e-12), c.name);
  }
}

HEADLIGHT_TEST(TestAttentionWeightsDouble)

}  // namespace headlight::test_attention_weights_double

#include "test_attention_weights_double.moc"
