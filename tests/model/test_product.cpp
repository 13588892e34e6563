// Products on all threads: every shape at the edges of blocks and panels, beside a plain sum in double.

#include <QtTest>
#include <cmath>
#include <limits>

#include "model/core/parallel.h"
#include "model/core/product.h"
#include "model/core/random.h"
#include "tests/test_program.h"

namespace headlight::test_product {

namespace {

Tensor drawn(const Shape& shape, std::uint32_t substream) {
  Random random(7, Random::Stream::init, substream);
  Tensor t(shape);
  for (Index i = 0; i < t.size(); ++i) t[i] = static_cast<Scalar>(random.uniform() - 0.5);
  return t;
}

// The worst difference from x W + start, in units of the rounding of a sum of K.
double error(const Tensor& x, const Tensor& w, bool transposed, const Tensor& start, const Tensor& y) {
  const Index k_count = x.columns(), m = y.columns();
  double worst = 0;
  for (Index r = 0; r < y.rows(); ++r)
    for (Index c = 0; c < m; ++c) {
      double sum = start.defined() ? static_cast<double>(start.size() == y.size() ? start[r * m + c] : start[c]) : 0;
      for (Index k = 0; k < k_count; ++k)
        sum += static_cast<double>(x[r * k_count + k]) *
               static_cast<double>(transposed ? w[c * k_count + k] : w[k * m + c]);
      worst = std::max(worst, std::abs(sum - static_cast<double>(y[r * m + c])));
    }
  return worst / std::sqrt(static_cast<double>(k_count));
}

}  // namespace

class TestProduct : public QObject {
  Q_OBJECT
 private slots:
  void every_edge_data();
  void every_edge();
  void a_start_may_be_the_result();
  void threads_change_nothing();
};

void TestProduct::every_edge_data() {
  QTest::addColumn<int>("rows");
  QTest::addColumn<int>("k");
  for (const int rows : {1, 2, 5, 12, 13, 31, 520})
    for (const int k : {1, 6, 400, 771}) QTest::addRow("%d rows, %d deep", rows, k) << rows << k;
}

void TestProduct::every_edge() {
  QFETCH(int, rows);
  QFETCH(int, k);
  std::vector<Index> widths = {1, 31, 32, 33, 200};
  if (rows == 1) widths.insert(widths.end(), {1100, 2001});  // large enough to be read in a stream
  if (rows <= 31 && k > 6) widths.push_back(1003);           // transposed: a sum for each row of a large table
  for (const Index m : widths)
    for (const bool transposed : {false, true}) {
      const Tensor x = drawn({rows, k}, 1), w = drawn(transposed ? Shape{m, k} : Shape{k, m}, 2);
      for (const Tensor& start : {Tensor(), drawn({m}, 3), drawn({rows, m}, 4)}) {
        Tensor y = Tensor::full({rows, m}, std::numeric_limits<Scalar>::quiet_NaN());
        product(x, w, transposed, start, y);
        QVERIFY(error(x, w, transposed, start, y) < 1e-6);
      }
    }
}

void TestProduct::a_start_may_be_the_result() {
  for (const Index rows : {1, 30}) {
    const Tensor x = drawn({rows, 500}, 1), w = drawn({500, 300}, 2), start = drawn({rows, 300}, 3);
    Tensor y = start.clone();
    product(x, w, false, y, y);
    QVERIFY(error(x, w, false, start, y) < 1e-6);
  }
}

// Inside a part everything is one call.
void TestProduct::threads_change_nothing() {
  for (const Index rows : {1, 7, 100})
    for (const bool transposed : {false, true}) {
      const Tensor x = drawn({rows, 512}, 1), w = drawn(transposed ? Shape{1000, 512} : Shape{512, 1000}, 2);
      Tensor together({rows, 1000}), alone({rows, 1000}), ignored({rows, 1000});
      product(x, w, transposed, {}, together);
      parallel_parts(2, [&](int part) { product(x, w, transposed, {}, part == 0 ? alone : ignored); });
      QCOMPARE(alone.values(), together.values());
    }
}

HEADLIGHT_TEST(TestProduct)

}  // namespace headlight::test_product

#include "test_product.moc"
