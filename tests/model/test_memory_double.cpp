// Operations of an external memory in float64: golden numbers, gradients against central differences, explanations.

#include "tests/model/explanation_checks.h"
#include "tests/model/memory_cases.h"
#include "tests/test_program.h"

namespace headlight::test_memory_double {

using namespace headlight::testing;

class TestMemoryDouble : public QObject {
  Q_OBJECT
 private slots:
  void golden();
  void gradients_data() { add_rows(); }
  void gradients();
  void explanations_data() { add_rows(); }
  void explanations();

 private:
  static void add_rows() {
    QTest::addColumn<int>("row");
    const auto rows = memory_operations();
    for (std::size_t i = 0; i < rows.size(); ++i) QTest::newRow(rows[i].name.c_str()) << static_cast<int>(i);
  }
};

void TestMemoryDouble::golden() {
  for (const MemoryNumbers& row : golden_memory_rows())
    QVERIFY(same(difference(row.compute(), row.expected, 5.1e-7), row.name));
  for (const MemoryNumbers& row : memory_rows_by_hand())
    QVERIFY(same(difference(row.compute(), row.expected, 1e-13), row.name));
}

void TestMemoryDouble::gradients() {
  QFETCH(int, row);
  Differentiable function = memory_operations()[static_cast<std::size_t>(row)];
  const QString error = gradient_error(function);
  QVERIFY2(error.isEmpty(), qPrintable(error));
}

void TestMemoryDouble::explanations() {
  QFETCH(int, row);
  const Differentiable function = memory_operations()[static_cast<std::size_t>(row)];
  Graph graph(Graph::Keep::everything);
  const Graph::Scope scope(&graph);
  const Tensor y = function.f(function.inputs);
  QVERIFY(graph.find(y) && every_node_adds_up(graph, y, 1e-12));
}

HEADLIGHT_TEST(TestMemoryDouble)

}  // namespace headlight::test_memory_double

#include "test_memory_double.moc"
