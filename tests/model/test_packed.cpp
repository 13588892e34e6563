// Packed products: equal to the plain ones for every shape of edge, and used by batches of several steps.

#include <QtTest>

#include "model/core/graph.h"
#include "model/core/random.h"
#include "model/ops/basic.h"
#include "tests/test_program.h"

namespace headlight::test_packed {

class TestPacked : public QObject {
  Q_OBJECT

  static Tensor random(const Shape& shape, std::uint32_t stream) {
    Random draws(7, Random::Stream::data, stream);
    Tensor t(shape);
    for (Index i = 0; i < t.size(); ++i) t[i] = static_cast<Scalar>(draws.normal());
    return t;
  }
  static double difference(const Tensor& a, const Tensor& b) {
    return static_cast<double>((a.array() - b.array()).abs().maxCoeff());
  }

 private slots:
  void equals_the_plain_product_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("k");
    QTest::addColumn<int>("m");
    for (const int rows : {1, 7, 8, 9, 64})
      for (const int k : {1, 5, 256})
        for (const int m : {1, 15, 16, 31, 32, 33, 1024}) QTest::addRow("%d x %d x %d", rows, k, m) << rows << k << m;
  }
  void equals_the_plain_product() {
    QFETCH(int, rows);
    QFETCH(int, k);
    QFETCH(int, m);
    const Tensor x = random({rows, k}, 1), w = random({k, m}, 2), start = random({rows, m}, 3);
    Tensor transposed({m, k});
    transposed.matrix() = w.matrix().transpose();
    const PackedMatrix packed(w, false), packed_transposed(transposed, true);
    Tensor expected({rows, m}), y({rows, m}), in_place = start.clone(), z({rows, m}), plain({rows, m});
    plain.matrix() = x.matrix().lazyProduct(w.matrix());
    expected.array() = plain.array() + start.array();
    packed.multiply(x, start, y);
    packed.multiply(x, in_place, in_place);
    packed_transposed.multiply(x, {}, z);
    const double tolerance = 1e-6 * (k + 10);
    QVERIFY(difference(y, expected) < tolerance);
    QVERIFY(difference(in_place, expected) < tolerance);
    QVERIFY(difference(z, plain) < tolerance);
  }
  void wrong_size_is_refused() {
    const PackedMatrix packed(random({4, 6}, 1), false);
    Tensor y({8, 6});
    QVERIFY_THROWS_EXCEPTION(ShapeError, packed.multiply(random({8, 5}, 2), {}, y));
  }
  // The first use of a weight in a graph runs the plain product, the later ones the packed one.
  void every_use_in_a_graph_gives_the_same() {
    Tensor w = random({24, 40}, 4);
    w.mark_parameter();
    const Tensor x = random({16, 24}, 5), b = random({40}, 6), g = random({16, 40}, 7);
    Graph graph(Graph::Keep::gradients);
    const Graph::Scope scope(&graph);
    std::vector<Tensor> outputs;
    for (int use = 0; use < 3; ++use) outputs.push_back(linear(x, w, b));
    QVERIFY(graph.packed(w, false) != nullptr);
    for (const Tensor& y : outputs) QVERIFY(difference(y, outputs[0]) < 1e-4);
    graph.backward(add(add(outputs[0], outputs[1]), outputs[2]), g);
    Tensor expected({24, 40});
    expected.matrix() = 3 * x.matrix().transpose().lazyProduct(g.matrix());
    QVERIFY(difference(graph.gradient(w), expected) < 1e-3);
  }
};

HEADLIGHT_TEST(TestPacked)

}  // namespace headlight::test_packed

#include "test_packed.moc"
