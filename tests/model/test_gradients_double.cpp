// Gradients of every operation, layer and model against central differences, in double (models.md 7.5).

#include "model/trace/trace.h"
#include "tests/model/gradient_cases.h"
#include "tests/test_program.h"

namespace headlight::test_gradients_double {

using namespace headlight::testing;

namespace {
QStringList listed(const std::set<std::string>& names) {
  QStringList list;
  for (const std::string& name : names) list << QString::fromStdString(name);
  return list;
}
}  // namespace

class TestGradientsDouble : public QObject {
  Q_OBJECT
 private slots:
  void check_data();
  void check();
  void every_operation_is_checked();
  void a_tap_changes_no_gradient();
  void a_fully_masked_row_has_no_gradient();
  void ids_and_masks_want_no_gradient();
  void backward_twice_gives_the_same();
  void a_graph_of_gradients_keeps_nothing_else();
  void backward_refuses_a_foreign_tensor();
};

void TestGradientsDouble::check_data() {
  QTest::addColumn<int>("row");
  const auto rows = all_gradient_cases();
  for (std::size_t i = 0; i < rows.size(); ++i) QTest::newRow(rows[i].name.c_str()) << static_cast<int>(i);
}

void TestGradientsDouble::check() {
  QFETCH(int, row);
  Differentiable function = all_gradient_cases()[static_cast<std::size_t>(row)];
  const QString error = gradient_error(function);
  QVERIFY2(error.isEmpty(), qPrintable(error));
}

// Whatever a model is computed by, with and without a tap, has a row above, or is known to pass no gradient on.
void TestGradientsDouble::every_operation_is_checked() {
  std::set<std::string> checked;
  for (Differentiable& function : all_gradient_cases()) {
    if (function.name.find("seq2seq") != std::string::npos) continue;  // each needs rows of its own
    Graph graph(Graph::Keep::everything);
    const Graph::Scope scope(&graph);
    collect_operations(graph, function.f(function.inputs), checked);
  }
  // A list of its own, so that a row that goes missing is noticed.
  const std::set<std::string> expected = {
      // moving
      "view", "columns", "concatenate", "repeat", "stack", "join", "swap axes", "embedding",
      // arithmetic
      "linear", "multiply", "add", "scale", "interpolate", "sum", "scale rows", "choose rows", "mask rows", "mean",
      "maximum",
      // functions
      "sigmoid", "tanh", "relu", "softplus", "maxout", "GLU", "dropout", "LSTM gates", "LSTM cell", "LSTM output",
      // of a Transformer
      "gelu", "gelu_tanh", "silu", "relu2", "clip", "linear, transposed", "layer norm", "RMS norm", "batch norm",
      "batch norm, running", "split heads", "join heads", "repeat heads", "append rows", "mask scores", "add bias",
      "attention weights", "rotary", "cos, sin", "relative bias", "by distance",
      // attention
      "dot score", "additive score", "cosine score", "softmax", "weighted sum", "Gaussian window", "window", "argmax",
      // experts
      "choose experts", "take columns", "divide by the sum", "shares of rounds", "limited SwiGLU", "gather rows",
      "take rows",
      "sample", "hard choice", "log of the choice", "entropy", "cross-entropy"};
  QCOMPARE(listed(checked), listed(expected));
  const std::set<std::string> without_gradient = {"weighted values"};

  struct Collector : TapListener {
    Graph* graph = nullptr;
    std::set<std::string> ids;
    Tensor visit(const SitePath&, const char*, Tensor value) override {
      collect_operations(*graph, value, ids);
      return value;
    }
  };
  for (const char* architecture : kArchitectures) {
    for (const Index batch : {1, 2}) {
      const auto model = tiny_model(architecture, true);
      Graph graph(Graph::Keep::everything);
      const Graph::Scope scope(&graph);
      Collector collector;
      collector.graph = &graph;
      const Tap tap = batch == 1 ? Tap(collector) : Tap();
      const Tensor logits =
          model->begin(Tensor::full({4, batch}, 2), tap)->advance(Tensor::full({batch == 1 ? 1 : 3, batch}, 3), tap);
      collect_operations(graph, logits, collector.ids);
      QVERIFY(collector.ids.size() > 5);
      for (const std::string& id : collector.ids)
        QVERIFY2(checked.contains(id) || without_gradient.contains(id), id.c_str());
    }
  }
}

void TestGradientsDouble::a_tap_changes_no_gradient() {
  struct Listener : TapListener {
    Tensor visit(const SitePath&, const char*, Tensor value) override { return value; }
  };
  for (const char* architecture : kArchitectures) {
    const auto model = tiny_model(architecture, true);
    std::vector<std::vector<Tensor>> gradients;
    for (const bool listening : {false, true}) {
      Listener listener;
      const Tap tap = listening ? Tap(listener) : Tap();
      Graph graph(Graph::Keep::gradients);
      const Graph::Scope scope(&graph);
      const auto decoding = model->begin(Tensor::of({4, 1}, {3, 1, 4, 1}), tap);
      decoding->advance(Tensor::full({1, 1}, 0), tap);
      const Tensor logits = decoding->advance(Tensor::full({1, 1}, 2), tap);
      const Tensor loss = cross_entropy(logits, Tensor::of({1}, {3}), Tensor::of({1}, {1}), 1);
      graph.backward(loss, Tensor::full({1}, 1));
      auto& found = gradients.emplace_back();
      for (const Parameter& p : model->parameters().all()) found.push_back(graph.gradient(p.value));
    }
    for (std::size_t i = 0; i < gradients[0].size(); ++i)
      QVERIFY(same(difference(gradients[1][i], gradients[0][i], 1e-13), architecture));
  }
}

void TestGradientsDouble::a_fully_masked_row_has_no_gradient() {
  Tensor scores = fill(1, {2, 3});
  Graph graph(Graph::Keep::gradients);
  const Graph::Scope scope(&graph);
  graph.watch(scores);
  graph.backward(softmax(scores, Tensor::of({2, 3}, {0, 0, 0, 1, 0, 1})), fill(2, {2, 3}));
  const Tensor g = graph.gradient(scores);
  for (const Index i : {0, 1, 2, 4}) QCOMPARE(g[i], 0.0);
  QVERIFY(std::abs(g[3]) > 1e-4 && std::abs(g[3] + g[5]) < 1e-15);
}

void TestGradientsDouble::ids_and_masks_want_no_gradient() {
  Tensor table = parameter(1, {5, 3});
  const Tensor ids = Tensor::of({2}, {1, 1});
  Graph graph(Graph::Keep::gradients);
  const Graph::Scope scope(&graph);
  const Tensor y = embedding(ids, table);
  graph.backward(y, Tensor::full({2, 3}, 1));
  QVERIFY(!graph.gradient(ids).defined());
  // Both rows are row 1 of the table; the others never took part.
  QVERIFY(same(difference(graph.gradient(table), {0, 0, 0, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 0), "table"));
}

void TestGradientsDouble::backward_twice_gives_the_same() {
  const Tensor w = parameter(2, {3, 3});
  Graph graph(Graph::Keep::everything);
  const Graph::Scope scope(&graph);
  const Tensor y = linear(linear(fill(1, {2, 3}), w), w);
  graph.backward(y, fill(3, {2, 3}));
  const Tensor first = graph.gradient(w).clone();
  graph.backward(y, fill(3, {2, 3}));
  QVERIFY(same(difference(graph.gradient(w), first, 0), "second time"));
}

void TestGradientsDouble::a_graph_of_gradients_keeps_nothing_else() {
  Graph graph(Graph::Keep::gradients);
  const Graph::Scope scope(&graph);
  const Tensor x = fill(1, {2, 3});
  QVERIFY(!graph.find(multiply(x, x)));
  QCOMPARE(graph.size(), std::size_t{0});
  QVERIFY(graph.find(linear(x, parameter(2, {3, 3}))));
  const Graph::Scope off(nullptr);
  QVERIFY(!graph.find(linear(x, parameter(2, {3, 3}))));
}

void TestGradientsDouble::backward_refuses_a_foreign_tensor() {
  Graph graph(Graph::Keep::gradients);
  QCOMPARE(message_of<ShapeError>([&] {
             graph.backward(fill(1, {2, 3}), fill(1, {2, 3}));
           }),
           "backward: expected a tensor of this graph and its seed, got [2 x 3]");
}

HEADLIGHT_TEST(TestGradientsDouble)

}  // namespace headlight::test_gradients_double

#include "test_gradients_double.moc"
