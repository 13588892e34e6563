// The Neural Turing Machine in float64: parity with PyTorch, gradients against central differences, explanations.

#include "tests/model/explanation_checks.h"
#include "tests/model/ntm_cases.h"
#include "tests/test_program.h"

namespace headlight::test_ntm_double {

using namespace headlight::testing;

class TestNtmDouble : public QObject {
  Q_OBJECT
 private slots:
  void sites_data() { add_machine_rows(); }
  void sites() { QVERIFY(ntm_sites_agree(1e-11)); }
  void gradients_data() { add_machine_rows(); }
  void gradients() { QVERIFY(ntm_gradients_agree(1e-10)); }
  void batched_is_single_data() { add_machine_rows(); }
  void batched_is_single() { QVERIFY(ntm_batch_agrees(1e-11)); }
  void central_differences_data() { add_machine_rows(); }
  void central_differences();
  void every_cell_explains_itself_data() { add_machine_rows(); }
  void every_cell_explains_itself();
  void walks_reach_the_ground_data() { add_machine_rows(); }
  void walks_reach_the_ground();
};

void TestNtmDouble::central_differences() {
  Differentiable loss = ntm_loss(fetch_machine());
  const QString error = gradient_error(loss);
  QVERIFY2(error.isEmpty(), qPrintable(error));
}

void TestNtmDouble::every_cell_explains_itself() {
  const auto trace = ntm_trace(*filled_ntm(fetch_machine()), Tensor::of({2}, {5, 6}), Tensor::of({2}, {0, 1}));
  QVERIFY(every_cell_adds_up(*trace, 1e-12));
}

// A prediction rests on parameters, the source and constants (zeros, bits of tokens), and on nothing without a name.
void TestNtmDouble::walks_reach_the_ground() {
  const auto trace = ntm_trace(*filled_ntm(fetch_machine()), Tensor::of({2}, {5, 6}), Tensor::of({1}, {0}));
  Walk walk(*trace);
  const Tensor probabilities = trace->value("decoder.step[0].output.probs");
  for (Index v = 0; v < probabilities.size(); ++v) QVERIFY(walk.down({probabilities, v}));
  QCOMPARE(walk.ends, (std::set<std::string>{"parameter", "input.src.ids", "constant"}));
}

HEADLIGHT_TEST(TestNtmDouble)

}  // namespace headlight::test_ntm_double

#include "test_ntm_double.moc"
