// Operations of convolutional models: tables worked out by hand, golden numbers, and the errors for shapes that do not
// fit.

#include <functional>

#include "tests/model/convolution_cases.h"
#include "tests/test_program.h"

namespace headlight::test_convolution {

using namespace headlight::testing;

namespace {

// 1, 2, 3, … from `first` on.
Tensor counting(const Shape& shape, int first = 1) {
  Tensor t(shape);
  for (Index i = 0; i < t.size(); ++i) t[i] = static_cast<Scalar>(i + first);
  return t;
}

}  // namespace

class TestConvolution : public QObject {
  Q_OBJECT
 private slots:
  void windows_by_hand_data();
  void windows_by_hand();
  void sums_by_hand();
  void weight_norm_by_hand();
  void golden() { QVERIFY(golden_convolution_holds(2e-6)); }
  void errors_data();
  void errors();
};

void TestConvolution::windows_by_hand_data() {
  using V = std::vector<double>;
  QTest::addColumn<int>("length");
  QTest::addColumn<int>("k");
  QTest::addColumn<int>("left");
  QTest::addColumn<bool>("before");
  QTest::addColumn<V>("expected");
  // Positions of two numbers each: [1 2] [3 4] [5 6]; before them [7 8] [9 10].
  QTest::newRow("causal") << 3 << 3 << 2 << false << V{0, 0, 0, 0, 1, 2, 0, 0, 1, 2, 3, 4, 1, 2, 3, 4, 5, 6};
  QTest::newRow("centred") << 3 << 3 << 1 << false << V{0, 0, 1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 3, 4, 5, 6, 0, 0};
  QTest::newRow("ahead") << 3 << 2 << 0 << false << V{1, 2, 3, 4, 3, 4, 5, 6, 5, 6, 0, 0};
  QTest::newRow("even, centred") << 2 << 4 << 1 << false << V{0, 0, 1, 2, 3, 4, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0};
  QTest::newRow("one position") << 1 << 3 << 2 << false << V{0, 0, 0, 0, 1, 2};
  QTest::newRow("a kernel of one") << 3 << 1 << 0 << false << V{1, 2, 3, 4, 5, 6};
  QTest::newRow("looking back") << 3 << 3 << 2 << true << V{7, 8, 9, 10, 1, 2, 9, 10, 1, 2, 3, 4, 1, 2, 3, 4, 5, 6};
  QTest::newRow("one step, looking back") << 1 << 3 << 2 << true << V{7, 8, 9, 10, 1, 2};
}

void TestConvolution::windows_by_hand() {
  QFETCH(int, length);
  QFETCH(int, k);
  QFETCH(int, left);
  QFETCH(bool, before);
  QFETCH(std::vector<double>, expected);
  const Tensor x = counting({1, length, 2}), in_front = before ? counting({1, 2, 2}, 7) : Tensor();
  QVERIFY(same(difference(windows(x, k, left, in_front), expected, 0), "windows"));
  // Two sentences know nothing of each other.
  Tensor both({2, length, 2}), fronts = before ? Tensor({2, 2, 2}) : Tensor();
  both.matrix().topRows(length) = x.matrix();
  both.matrix().bottomRows(length) = -x.matrix();
  if (before) {
    fronts.matrix().topRows(2) = in_front.matrix();
    fronts.matrix().bottomRows(2) = -in_front.matrix();
  }
  const Tensor y = windows(both, k, left, fronts);
  QVERIFY(y.shape() == Shape({2, length, k * 2}));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    QCOMPARE(static_cast<double>(y[static_cast<Index>(i)]), expected[i]);
    QCOMPARE(static_cast<double>(y[static_cast<Index>(i + expected.size())]), -expected[i]);
  }
}

void TestConvolution::sums_by_hand() {
  using V = std::vector<double>;
  // Words [1 2] [3 4] [5 6], positions from the second one on: [30 40] [50 60], in both sentences.
  QCOMPARE(doubles(embedding_at(Tensor::of({2, 2}, {2, 0, 1, 1}), counting({3, 2}),
                                Tensor::of({3, 2}, {10, 20, 30, 40, 50, 60}), 1)),
           (V{35, 46, 51, 62, 33, 44, 53, 64}));
  // (1 + 10) / 2, (2 − 4) / 2
  QCOMPARE(doubles(scaled_sum(counting({2}), Tensor::of({2}, {10, -4}), Scalar(0.5))), (V{5.5, -1}));
  // [1 2] [[1 2] [3 4]] = [7 10]; + b [1 −2] + r [0.5 4] = [8.5 12]; halved
  QCOMPARE(doubles(scaled_linear(counting({1, 2}), counting({2, 2}), Tensor::of({2}, {1, -2}),
                                 Tensor::of({1, 2}, {0.5, 4}), Scalar(0.5))),
           (V{4.25, 6}));
  // 1/4 [4 8] + 3/4 [0 4] = [1 5], twice; and for the second sentence 1 [1 2] + 0 [3 4], three times
  QCOMPARE(doubles(scaled_weighted_sum(Tensor::of({2, 1, 2}, {0.25, 0.75, 1, 0}),
                                       Tensor::of({2, 2, 2}, {4, 8, 0, 4, 1, 2, 3, 4}), Tensor::of({2}, {2, 3}))),
           (V{2, 10, 3, 6}));
  QCOMPARE(doubles(mean_of({counting({2}), Tensor::of({2}, {3, 5}), Tensor::of({2}, {5, -1})})), (V{3, 2}));
}

void TestConvolution::weight_norm_by_hand() {
  // Columns (3, 4), (0, 2) and (0, 0) of lengths 5, 2 and 0, to lengths 10, −1 and 7: a column of zeros has no
  // direction.
  const Tensor v = Tensor::of({2, 3}, {3, 0, 0, 4, 2, 0});
  const std::vector<double> expected = {6, 0, 0, 8, -1, 0};
  QVERIFY(same(difference(weight_norm(v, Tensor::of({3}, {10, -1, 7})), expected, 1e-6), "weight norm"));
  // The length of v does not matter.
  Tensor longer = v.clone();
  longer.array() *= Scalar(37);
  QVERIFY(same(difference(weight_norm(longer, Tensor::of({3}, {10, -1, 7})), expected, 1e-6), "longer"));
}

void TestConvolution::errors_data() {
  QTest::addColumn<std::function<void()>>("call");
  QTest::addColumn<QString>("message");
  const auto add = [](const char* name, std::function<void()> call, const char* message) {
    QTest::newRow(name) << std::move(call) << QString(message);
  };
  add(
      "windows of a matrix",
      [] {
        windows(counting({2, 3}), 3, 1);
      },
      "windows: expected [N x L x d], got [2 x 3]");
  add(
      "windows that begin behind",
      [] {
        windows(counting({1, 2, 3}), 3, 3);
      },
      "windows: expected 0 <= left < k, got [3 x 3]");
  add(
      "too little before",
      [] {
        windows(counting({1, 2, 3}), 3, 2, counting({1, 1, 3}));
      },
      "windows: expected [1 x 2 x 3] before, got [1 x 1 x 3]");
  add(
      "lengths of other columns",
      [] {
        weight_norm(counting({2, 3}), counting({2}));
      },
      "weight norm: expected g [3], got [2]");
  add(
      "sum of different shapes", [] { scaled_sum(counting({2}), counting({3}), 1); },
      "scaled sum: expected [2], got [3]");
  add(
      "product that does not fit",
      [] {
        scaled_linear(counting({1, 2}), counting({3, 2}), counting({2}), counting({1, 2}), 1);
      },
      "scaled linear: expected weight [2 x M], got [3 x 2]");
  add(
      "bias that does not fit",
      [] {
        scaled_linear(counting({1, 2}), counting({2, 2}), counting({3}), counting({1, 2}), 1);
      },
      "scaled linear: expected bias [2], got [3]");
  add(
      "residual that does not fit",
      [] {
        scaled_linear(counting({1, 2}), counting({2, 2}), counting({2}), counting({1, 3}), 1);
      },
      "scaled linear: expected residual [1 x 2], got [1 x 3]");
  add(
      "one factor too many",
      [] {
        scaled_weighted_sum(counting({1, 1, 2}), counting({1, 2, 3}), counting({2}));
      },
      "scaled weighted sum: expected 1 factors, got [2]");
  add(
      "mean of nothing", [] { mean_of({}); }, "mean of tensors: expected at least one tensor, got []");
}

void TestConvolution::errors() {
  QFETCH(std::function<void()>, call);
  QFETCH(QString, message);
  QCOMPARE(message_of<ShapeError>(call), message);
}

HEADLIGHT_TEST(TestConvolution)

}  // namespace headlight::test_convolution

#include "test_convolution.moc"
