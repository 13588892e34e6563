// The convolutional model in float64: parity with PyTorch (1e-10), gradients against central differences (models.md
// 7.5), and the arithmetic behind every number.

#include "tests/model/convolution_cases.h"
#include "tests/model/convs2s_cases.h"
#include "tests/model/explanation_checks.h"
#include "tests/test_program.h"

namespace headlight::test_convs2s_double {

using namespace headlight::testing;

namespace {

// The mean loss of a whole model under teacher forcing, a function of all its parameters. The encoder's gradient is
// made smaller on purpose, so that is left out here; parity with PyTorch has it.
Differentiable whole_model(const std::string& name, Json differences, bool padded, bool in_two_pieces = false) {
  differences["gradient_scale"] = false;
  for (const auto& [key, value] : {std::pair{"embedding_size", 3},
                                   {"hidden_size", 4},
                                   {"out_size", 3},
                                   {"max_positions", 7},
                                   {"encoder_layers", 2},
                                   {"decoder_layers", 2}})
    differences[key] = value;
  if (!differences.contains("attention_layers")) differences["attention_layers"] = "all";
  const std::shared_ptr<Model> model = filled_convs2s(differences);
  std::vector<Tensor> inputs;
  for (const Parameter& p : model->parameters().all()) inputs.push_back(p.value);
  return {name, inputs, [model, padded, in_two_pieces](const std::vector<Tensor>&) {
            const PaddedBatch batch;
            Tensor loss;
            const auto decoding = model->begin(padded ? batch.source() : Source(batch.ids), {});
            Index t = 0;
            for (const Index count : in_two_pieces ? std::vector<Index>{2, 2} : std::vector<Index>{4}) {
              const Tensor logits = decoding->advance(batch.fed.view(t * 3, {count, 3}), {});
              Tensor targets({3, count});
              for (Index i = 0; i < targets.size(); ++i) targets[i] = static_cast<Scalar>((5 * i + t) % 9);
              const Tensor part = cross_entropy(logits, targets, Tensor::full({3, count}, 1), Scalar(0.25));
              loss = loss.defined() ? add(loss, part) : part;
              t += count;
            }
            return loss;
          }};
}

std::vector<Differentiable> gradient_rows() {
  std::vector<Differentiable> rows = convolution_cases();
  rows.push_back(whole_model("model", {}, false));
  rows.push_back(whole_model("model with padding", {}, true));
  rows.push_back(whole_model("model in two pieces", {}, true, true));
  rows.push_back(whole_model("model without weight norm", {{"weight_norm", false}}, true));
  rows.push_back(
      whole_model("model, even kernel, one attention", {{"kernel_size", 2}, {"attention_layers", {1}}}, true));
  rows.push_back(whole_model("model, reversed", {{"reverse_source", true}}, true));
  return rows;
}

}  // namespace

class TestConvS2SDouble : public QObject {
  Q_OBJECT
 private slots:
  void golden() { QVERIFY(golden_convolution_holds(1e-6)); }
  void sites_data() { add_convs2s_rows(); }
  void sites() { QVERIFY(convs2s_sites_agree(1e-10)); }
  void gradients_data() { add_convs2s_rows(); }
  void gradients() { QVERIFY(convs2s_gradients_agree(1e-10)); }
  void batched_is_single() { QVERIFY(convs2s_batch_agrees({}, 1e-11)); }
  void pieces_are_the_whole() { QVERIFY(convs2s_pieces_agree(3, 1e-11)); }
  void central_differences_data();
  void central_differences();
  void operations_add_up_data() { central_differences_data(); }
  void operations_add_up();
  void every_number_adds_up_data();
  void every_number_adds_up();
  void walks_reach_the_ground();
};

void TestConvS2SDouble::central_differences_data() {
  QTest::addColumn<int>("row");
  const auto rows = gradient_rows();
  for (std::size_t i = 0; i < rows.size(); ++i) QTest::newRow(rows[i].name.c_str()) << static_cast<int>(i);
}

void TestConvS2SDouble::central_differences() {
  QFETCH(int, row);
  Differentiable function = gradient_rows()[static_cast<std::size_t>(row)];
  const std::vector<Tensor> gradients = gradients_of(function, Graph::Keep::gradients);
  QCOMPARE(gradients.size(), function.inputs.size());
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    QVERIFY2(gradients[i].defined(), qPrintable(QString("input %1").arg(i)));
    const std::vector<double> numeric = headlight::testing::central_differences(function, function.inputs[i]);
    const double error = relative_error(doubles(gradients[i]), numeric);
    QVERIFY2(error < 1e-5,
             qPrintable(QString("input %1: relative error %2 of %3").arg(i).arg(error).arg(norm(numeric))));
    QVERIFY2(norm(numeric) > 0, "this case says nothing: its gradient is 0");
  }
}

// All operations behind a result, each for every cell.
void TestConvS2SDouble::operations_add_up() {
  QFETCH(int, row);
  const Differentiable function = gradient_rows()[static_cast<std::size_t>(row)];
  if (function.name.starts_with("model")) return;
  Graph graph(Graph::Keep::everything);
  const Graph::Scope scope(&graph);
  const Tensor y = function.f(function.inputs);
  QVERIFY(graph.find(y) && every_node_adds_up(graph, y, 1e-12));
}

void TestConvS2SDouble::every_number_adds_up_data() { add_convs2s_rows(); }

void TestConvS2SDouble::every_number_adds_up() {
  const ConvReference reference = fetch_convs2s();
  QVERIFY(every_cell_adds_up(*convs2s_trace(*reference.model, reference.source(), reference.input("decoder")), 1e-11));
}

// From the last prediction down to parameters, texts and constants, by names all the way.
void TestConvS2SDouble::walks_reach_the_ground() {
  const auto model = filled_convs2s({{"weight_norm", false}});
  const auto trace = convs2s_trace(*model, Tensor::of({4, 1}, {3, 1, 4, 1}), Tensor::of({3}, {1, 5, 2}));
  Walk walk(*trace);
  const Tensor probabilities = trace->value("decoder.step[2].output.probs");
  for (Index v = 0; v < probabilities.size(); ++v) QVERIFY(walk.down({probabilities, v}));
  const std::set<std::string> expected = {"parameter", "input.src.ids", "decoder.step.input.id", "constant"};
  for (const std::string& end : walk.ends) QVERIFY2(expected.contains(end), end.c_str());
  QCOMPARE(walk.ends.size(), expected.size());
}

HEADLIGHT_TEST(TestConvS2SDouble)

}  // namespace headlight::test_convs2s_double

#include "test_convs2s_double.moc"
