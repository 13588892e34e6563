// Operations: tables worked out by hand, and what must hold for any numbers.

#include <functional>
#include <limits>

#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/lstm.h"
#include "model/ops/softmax.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_ops {

using namespace headlight::testing;

namespace {

constexpr double kTolerance = 1e-6;
constexpr Scalar kInfinity = std::numeric_limits<Scalar>::infinity();
const Scalar kNan = std::numeric_limits<Scalar>::quiet_NaN();

double sum_of(const Tensor& t) {
  double sum = 0;
  for (const double x : doubles(t)) sum += x;
  return sum;
}
struct HandCase {
  const char* name;
  std::function<Tensor()> compute;
  std::vector<double> expected;
};

const std::vector<HandCase>& hand_cases() {
  static const std::vector<HandCase> cases = {
      // [1 2 3] [[1 2] [3 4] [5 6]] = [1+6+15  2+8+18];  [4 5 6] … = [4+15+30  8+20+36]
      {"linear",
       [] {
         return linear(counting({2, 3}), counting({3, 2}));
       },
       {22, 28, 49, 64}},
      {"linear with bias",
       [] {
         return linear(counting({2, 3}), counting({3, 2}), Tensor::of({2}, {10, -20}));
       },
       {32, 8, 59, 44}},
      {"linear with addend",
       [] {
         return linear(counting({2, 3}), counting({3, 2}), Tensor::of({2, 2}, {1, 2, 3, 4}));
       },
       {23, 30, 52, 68}},
      {"linear on three dimensions",
       [] {
         return linear(counting({2, 1, 3}), counting({3, 2}), Tensor::of({2}, {0, 1}));
       },
       {22, 29, 49, 65}},
      {"embedding",
       [] {
         return embedding(Tensor::of({3}, {2, 0, 2}), counting({3, 2}));
       },
       {5, 6, 1, 2, 5, 6}},
      {"multiply",
       [] {
         return multiply(counting({2, 2}), Tensor::of({2, 2}, {2, -1, 0, 0.5}));
       },
       {2, -2, 0, 2}},
      {"add",
       [] {
         return add(counting({2, 2}), Tensor::of({2, 2}, {2, -1, 0, 0.5}));
       },
       {3, 1, 3, 4.5}},
      {"scale", [] { return scale(counting({3}), Scalar(-2)); }, {-2, -4, -6}},
      {"reshape",
       [] {
         return reshape(counting({2, 3}), {3, 2});
       },
       {1, 2, 3, 4, 5, 6}},
      {"rows",
       [] {
         return rows(counting({4, 2}), 1, 2);
       },
       {3, 4, 5, 6}},
      {"row",
       [] {
         return row(counting({2, 2, 2}), 1);
       },
       {5, 6, 7, 8}},
      {"columns of one row",
       [] {
         return columns(counting({1, 5}), 1, 3);
       },
       {2, 3, 4}},
      {"columns",
       [] {
         return columns(counting({2, 3}), 1, 2);
       },
       {2, 3, 5, 6}},
      {"concat",
       [] {
         return concat(counting({2, 1}), counting({2, 2}));
       },
       {1, 1, 2, 2, 3, 4}},
      // a row of a for each of the two rows of b: [1 | 1], [1 | 2], [2 | 3], [2 | 4]
      {"concat beside several",
       [] {
         return concat(counting({2, 1}), counting({2, 2, 1}));
       },
       {1, 1, 1, 2, 2, 3, 2, 4}},
      {"repeated", [] { return repeated(counting({2}), 3); }, {1, 2, 1, 2, 1, 2}},
      // steps [[1] [2]] and [[10] [20]]: batch row 0 is 1, 10
      {"stack",
       [] {
         return stack({counting({2, 1}), Tensor::of({2, 1}, {10, 20})});
       },
       {1, 10, 2, 20}},
      // exp(0), exp(ln 2), exp(ln 5) = 1, 2, 5 of 8
      {"softmax",
       [] {
         return softmax(Tensor::of({1, 3}, {0, Scalar(std::log(2.0)), Scalar(std::log(5.0))}));
       },
       {0.125, 0.25, 0.625}},
      // the same without the middle one: 1 and 5 of 6
      {"softmax with a mask",
       [] {
         return softmax(Tensor::of({1, 3}, {0, Scalar(std::log(2.0)), Scalar(std::log(5.0))}),
                        Tensor::of({3}, {1, 0, 1}));
       },
       {1.0 / 6, 0, 5.0 / 6}},
      // −log of 1/8 and of 5/8, the mean of both
      {"cross-entropy",
       [] {
         const Scalar a = Scalar(std::log(2.0)), b = Scalar(std::log(5.0));
         return cross_entropy(Tensor::of({2, 3}, {0, a, b, 0, a, b}), Tensor::of({2}, {0, 2}), Tensor::of({2}, {1, 1}),
                              Scalar(0.5));
       },
       {(std::log(8.0) + std::log(1.6)) / 2}},
      // q = [1 2]: · [1 2] = 5, · [3 4] = 11, · [5 6] = 17
      {"dot scores",
       [] {
         return dot_scores(counting({1, 1, 2}), counting({1, 3, 2}));
       },
       {5, 11, 17}},
      // second of the batch: q = [3 4]: · [5 6] = 39, · [7 8] = 53
      {"dot scores of a batch",
       [] {
         return dot_scores(counting({2, 1, 2}), counting({2, 2, 2}));
       },
       {5, 11, 39, 53}},
      // .5 [1 2] + .25 [3 4] + .25 [5 6]
      {"weighted sum",
       [] {
         return weighted_sum(Tensor::of({1, 1, 3}, {0.5, 0.25, 0.25}), counting({1, 3, 2}));
       },
       {2.5, 3.5}},
      {"weighted rows",
       [] {
         return weighted_rows(Tensor::of({1, 1, 3}, {0.5, 0.25, 0}), counting({1, 3, 2}));
       },
       {0.5, 1, 0.75, 1, 0, 0}},
      // σ(0) = 1/2, σ(±ln 3) = 3/4 and 1/4, tanh(ln 3) = (3 − 1/3) / (3 + 1/3) = 0.8
      {"LSTM gates",
       [] {
         const Scalar l = Scalar(std::log(3.0));
         return lstm_gates(Tensor::of({1, 8}, {0, l, 0, l, -l, 0, l, l}));
       },
       {0.5, 0.75, 0, 0.8, 0.25, 0.5, 0.75, 0.75}},
      // H = 1, gates f g i o: c = 0.5 · 4 + 0.8 · 0.25
      {"LSTM cell",
       [] {
         return lstm_cell(Tensor::of({1, 4}, {0.5, 0.8, 0.25, 0.9}), Tensor::of({1, 1}, {4}));
       },
       {2.2}},
      // h = 0.75 · tanh(ln 3) = 0.75 · 0.8
      {"LSTM output",
       [] {
         return lstm_hidden(Tensor::of({1, 4}, {0, 0, 0, 0.75}), Tensor::of({1, 1}, {Scalar(std::log(3.0))}));
       },
       {0.6}},
      // two of a batch, H = 2: blocks lie side by side within a row
      {"LSTM cell of a batch",
       [] {
         return lstm_cell(Tensor::of({2, 8}, {1, 0, 2, 3, 0.5, 0.1, 0, 0, 0, 1, 5, 6, 0.2, 0.5, 0, 0}),
                          counting({2, 2}));
       },
       {1 + 1, 0 + 0.3, 0 + 1, 4 + 3}},
  };
  return cases;
}

}  // namespace

class TestOps : public QObject {
  Q_OBJECT

 private slots:
  void by_hand_data();
  void by_hand();
  void views_share_their_cells();
  void softmax_rows_sum_to_1();
  void softmax_ignores_a_constant();
  void softmax_of_huge_scores();
  void softmax_of_one_entry();
  void softmax_masks();
  void softmax_of_no_number();
  void cross_entropy_of_huge_logits();
  void cross_entropy_masks();
  void gates_stay_finite();
  void linear_is_linear();
  void large_products_agree_with_sums();
};

void TestOps::by_hand_data() {
  QTest::addColumn<int>("row");
  for (std::size_t i = 0; i < hand_cases().size(); ++i) QTest::newRow(hand_cases()[i].name) << static_cast<int>(i);
}

void TestOps::by_hand() {
  QFETCH(int, row);
  const HandCase& c = hand_cases()[static_cast<std::size_t>(row)];
  QVERIFY(same(difference(c.compute(), c.expected, kTolerance), c.name));
}

void TestOps::views_share_their_cells() {
  const Tensor whole = counting({4, 3});
  for (const Tensor& view : {reshape(whole, {12}), rows(whole, 1, 2), row(whole, 2), columns(row(whole, 2), 1, 2)})
    QVERIFY(view.shares_storage(whole));
  QCOMPARE(columns(row(whole, 2), 1, 2).offset(), Index{7});
  QVERIFY(!columns(whole, 1, 2).shares_storage(whole));
  QVERIFY(!whole.clone().shares_storage(whole));
}

void TestOps::softmax_rows_sum_to_1() {
  for (const Index n : {1, 2, 7, 64, 1000}) {
    const Tensor a = softmax(scale(fill(static_cast<double>(n), {5, n}), 20));
    for (Index r = 0; r < 5; ++r) QVERIFY(std::abs(sum_of(row(a, r)) - 1) < kTolerance);
    for (const double x : doubles(a)) QVERIFY(x >= 0 && x <= 1);
  }
}

void TestOps::softmax_ignores_a_constant() {
  const Tensor scores = fill(3, {2, 6});
  Tensor shifted = scores.clone();
  shifted.array() += Scalar(64);
  QVERIFY(same(difference(softmax(shifted), softmax(scores), 1e-5), "shifted"));
}

void TestOps::softmax_of_huge_scores() {
  QVERIFY(same(difference(softmax(Tensor::of({1, 3}, {1e4, -1e4, 1e4})), {0.5, 0, 0.5}, 0), "±1e4"));
  QVERIFY(same(difference(softmax(Tensor::of({1, 3}, {-1e4, -1e4, -2e4})), {0.5, 0.5, 0}, 0), "all low"));
  // A masked score, however large, neither overflows nor sets the maximum.
  QVERIFY(same(difference(softmax(Tensor::of({1, 3}, {0, 0, 1e4}), Tensor::of({3}, {1, 1, 0})), {0.5, 0.5, 0}, 0),
               "masked"));
  QVERIFY(same(difference(softmax(Tensor::of({1, 2}, {-kInfinity, 0})), {0, 1}, 0), "−∞"));
  // What is masked by a large negative number is 0 on every processor, and so is what has no normal number: e^−90 is
  // 8e-40, and of e^−87.5 every processor has the digits that are left. In rows for vector instructions, too.
  for (const Index n : {4, 19, 64})
    for (const Scalar low : {-kInfinity, Scalar(-1e9), Scalar(-3.4e38), Scalar(-1000), Scalar(-90), Scalar(-87.5)}) {
      Tensor scores = Tensor::full({1, n}, low);
      scores[1] = 0;
      const Tensor weights = softmax(scores);
      for (Index j = 0; j < n; ++j) QVERIFY(weights[j] == Scalar(j == 1 ? 1 : 0));  // QCOMPARE takes 1e-38 for 0
    }
}

void TestOps::softmax_of_one_entry() {
  for (const Scalar s : {Scalar(0), Scalar(1e4), Scalar(-1e4)})
    QCOMPARE(softmax(Tensor::of({1, 1}, {s}))[0], Scalar(1));
}

void TestOps::softmax_masks() {
  const Tensor scores = fill(1, {4, 3});
  // Two rows of the mask: each stands for two rows of scores; the second keeps nothing.
  const Tensor a = softmax(scores, Tensor::of({2, 3}, {0, 1, 1, 0, 0, 0}));
  for (const Index r : {0, 1}) {
    QVERIFY(a[r * 3] == Scalar(0));
    QVERIFY(std::abs(sum_of(row(a, r)) - 1) < kTolerance);
  }
  for (const Index r : {2, 3}) QVERIFY(same(difference(row(a, r), {0, 0, 0}, 0), "fully masked"));
  QVERIFY(same(difference(softmax(scores, Tensor::full({4, 3}, 1)), softmax(scores), 0), "all kept"));
}

// A number that is none is shown, not hidden; one that is masked does not matter.
void TestOps::softmax_of_no_number() {
  for (const double x : doubles(softmax(Tensor::of({1, 3}, {0, kNan, 1})))) QVERIFY(std::isnan(x));
  for (const double x : doubles(softmax(Tensor::of({1, 1}, {kNan})))) QVERIFY(std::isnan(x));
  QVERIFY(same(difference(softmax(Tensor::of({1, 3}, {0, kNan, 0}), Tensor::of({3}, {1, 0, 1})), {0.5, 0, 0.5}, 0),
               "masked"));
  // Only its own row.
  QVERIFY(same(difference(row(softmax(Tensor::of({2, 2}, {kNan, 0, 0, 0})), 1), {0.5, 0.5}, 0), "other row"));
}

void TestOps::cross_entropy_of_huge_logits() {
  const Tensor logits = Tensor::of({1, 3}, {1e4, -1e4, 0}), one = Tensor::full({1}, 1);
  QVERIFY(cross_entropy(logits, Tensor::of({1}, {0}), one, 1)[0] == Scalar(0));
  QCOMPARE(cross_entropy(logits, Tensor::of({1}, {1}), one, 1)[0], Scalar(2e4));
}

void TestOps::cross_entropy_masks() {
  const Tensor logits = fill(1, {2, 4});
  const Scalar first = cross_entropy(row(logits, 0), Tensor::of({1}, {2}), Tensor::full({1}, 1), 1)[0];
  QCOMPARE(cross_entropy(logits, Tensor::of({2}, {2, 3}), Tensor::of({2}, {1, 0}), 1)[0], first);
  QVERIFY(cross_entropy(logits, Tensor::of({2}, {2, 3}), Tensor::of({2}, {0, 0}), 1)[0] == Scalar(0));
  for (const Scalar target : {Scalar(4), Scalar(-1)})
    QCOMPARE(message_of<UsageError>(
                 [&] { cross_entropy(row(logits, 0), Tensor::of({1}, {target}), Tensor::full({1}, 1), 1); }),
             QString("token id %1 is outside the vocabulary of 4").arg(static_cast<double>(target)));
}

void TestOps::gates_stay_finite() {
  const Tensor y = lstm_gates(Tensor::of({1, 8}, {1e4, -1e4, 1e4, -1e4, 100, -100, 1e4, -1e4}));
  QVERIFY(same(difference(y, {1, 0, 1, -1, 1, 0, 1, 0}, kTolerance), "saturated"));
}

void TestOps::linear_is_linear() {
  const Tensor x = fill(1, {3, 5}), y = fill(2, {3, 5}), w = fill(3, {5, 4});
  QVERIFY(same(difference(linear(add(x, scale(y, 3)), w), add(linear(x, w), scale(linear(y, w), 3)), 1e-5), "x + 3y"));
}

// Sizes at which other kernels take over, inside a graph that keeps weights packed.
void TestOps::large_products_agree_with_sums() {
  for (const Index n : {1, 7, 8, 33}) {
    for (const Index m : {1, 16, 65}) {
      const Index k = 129;
      const Tensor x = fill(1, {n, k}), bias = fill(3, {m});
      Tensor w = fill(2, {k, m});
      w.mark_parameter();
      Graph graph(Graph::Keep::gradients);
      const Graph::Scope scope(&graph);
      std::vector<double> expected;
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < m; ++j) {
          double sum = static_cast<double>(bias[j]);
          for (Index l = 0; l < k; ++l) sum += static_cast<double>(x[i * k + l]) * static_cast<double>(w[l * m + j]);
          expected.push_back(sum);
        }
      }
      for (int use = 0; use < 3; ++use) QVERIFY(same(difference(linear(x, w, bias), expected, 2e-5), "product"));
    }
  }
}

HEADLIGHT_TEST(TestOps)

}  // namespace headlight::test_ops

#include "test_ops.moc"
