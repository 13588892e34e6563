// Operations of recurrent and hard attention: tables worked out by hand, and the errors for what does not fit. Golden
// numbers and gradients have tables of their own, what must hold for any numbers is in test_attention_rules.cpp.

#include <functional>

#include "model/ops/activations.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/softmax.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_attention_ops {

using namespace headlight::testing;

namespace {
constexpr double kTolerance = 1e-6;
const double kLn2 = std::log(2.0), kLn3 = std::log(3.0);
const Scalar kThird = Scalar(std::log(3.0));

}  // namespace

class TestAttentionOps : public QObject {
  Q_OBJECT
 private slots:
  void by_hand_data();
  void by_hand();
  void errors_data();
  void errors();
};

namespace {
struct HandCase {
  const char* name;
  std::function<Tensor()> compute;
  std::vector<double> expected;
};
}  // namespace

static const std::vector<HandCase>& hand_cases() {
  static const std::vector<HandCase> cases = {
      {"sigmoid",
       [] {
         return sigmoid(Tensor::of({3}, {0, kThird, -kThird}));
       },
       {0.5, 0.75, 0.25}},
      // tanh(ln 3) = (3 − 1/3) / (3 + 1/3)
      {"tanh",
       [] {
         return tanh(Tensor::of({3}, {0, kThird, -kThird}));
       },
       {0, 0.8, -0.8}},
      {"relu",
       [] {
         return relu(Tensor::of({3}, {-2, 0, 3}));
       },
       {0, 0, 3}},
      // log(1 + 1), log(1 + 3), log(1 + 1/3)
      {"softplus",
       [] {
         return softplus(Tensor::of({3}, {0, kThird, -kThird}));
       },
       {kLn2, 2 * kLn2, 2 * kLn2 - kLn3}},
      {"maxout",
       [] {
         return maxout(Tensor::of({2, 4}, {1, 2, 5, 4, -1, -3, 0, 0}));
       },
       {2, 5, -1, 0}},
      // A = [1 2], B = [0 ln 3]; A = [4 8], B = [−ln 3 0]
      {"GLU",
       [] {
         return glu(Tensor::of({2, 4}, {1, 2, 0, kThird, 4, 8, -kThird, 0}));
       },
       {0.5, 1.5, 1, 4}},
      {"interpolate",
       [] {
         return interpolate(Tensor::of({3}, {0, 1, 0.25}), Tensor::of({3}, {1, 2, 4}), Tensor::of({3}, {5, 6, 8}));
       },
       {1, 6, 5}},
      {"sum",
       [] {
         return sum(counting({2, 3}));
       },
       {21}},
      {"scale rows",
       [] {
         return scale_rows(counting({2, 1, 2}), Tensor::of({2}, {2, -1}));
       },
       {2, 4, -3, -4}},
      {"choose rows",
       [] {
         return where(Tensor::of({2}, {0, 1}), counting({2, 2}), Tensor::of({2, 2}, {10, 20, 30, 40}));
       },
       {10, 20, 3, 4}},
      {"mask rows",
       [] {
         return mask_rows(counting({2, 2, 2}), Tensor::of({2, 2}, {1, 0, 0, 1}));
       },
       {1, 2, 0, 0, 0, 0, 7, 8}},
      // rows [1 2], [3 4], [5 6], then [7 8], [9 10], [11 12]
      {"mean",
       [] {
         return mean_rows(counting({2, 3, 2}));
       },
       {3, 4, 9, 10}},
      {"mean with a mask",
       [] {
         return mean_rows(counting({2, 3, 2}), Tensor::of({2, 3}, {1, 1, 0, 0, 0, 1}));
       },
       {2, 3, 11, 12}},
      {"maximum",
       [] {
         return max_rows(Tensor::of({1, 3, 2}, {1, 9, 3, 4, 2, 6}));
       },
       {3, 9}},
      {"maximum of negatives with a mask",
       [] {
         return max_rows(Tensor::of({1, 3, 2}, {-1, -9, -3, -4, -2, -6}), Tensor::of({1, 3}, {0, 1, 1}));
       },
       {-2, -4}},
      // v = [1 2], q = 0: tanh(±ln 3) = ±0.8, so 0.8 + 2 · 0 and −0.8 + 2 · 0.8
      {"additive scores",
       [] {
         return additive_scores(Tensor::zeros({1, 1, 2}), Tensor::of({1, 2, 2}, {kThird, 0, -kThird, kThird}),
                                Tensor::of({2}, {1, 2}));
       },
       {0.8, 0.8}},
      // q = [1 1] and [0 −1] with k = [−2 1] and b = 10: relu [0 2] and [0 0]
      {"additive scores with ReLU and a bias",
       [] {
         return additive_scores(Tensor::of({1, 2, 2}, {1, 1, 0, -1}), Tensor::of({1, 1, 2}, {-2, 1}),
                                Tensor::of({2}, {3, 4}), Tensor::of({1}, {10}), Squash::relu);
       },
       {18, 10}},
      // the same without a function: 3 · −1 + 4 · 2 and 3 · −2 + 4 · 0
      {"linear scores",
       [] {
         return additive_scores(Tensor::of({1, 2, 2}, {1, 1, 0, -1}), Tensor::of({1, 1, 2}, {-2, 1}),
                                Tensor::of({2}, {3, 4}), Tensor(), Squash::none);
       },
       {5, -6}},
      // the second of a batch reads its own keys: 1 · (1 + 10), 1 · (2 + 20)
      {"additive scores of a batch",
       [] {
         return additive_scores(counting({2, 1, 1}), Tensor::of({2, 1, 1}, {10, 20}), Tensor::of({1}, {1}), Tensor(),
                                Squash::none);
       },
       {11, 22}},
      // [3 4] with itself, with [4 3] (24 of 25), with −[3 4] and with [4 −3]
      {"cosine scores",
       [] {
         return cosine_scores(Tensor::of({1, 1, 2}, {3, 4}), Tensor::of({1, 4, 2}, {3, 4, 4, 3, -3, -4, 4, -3}),
                              Tensor::of({1}, {2}));
       },
       {2, 1.92, -2, 0}},
      {"cosine scores, a beta for each query",
       [] {
         return cosine_scores(Tensor::of({2, 1, 2}, {3, 4, 3, 4}), Tensor::of({2, 1, 2}, {4, 3, 4, 3}),
                              Tensor::of({2, 1, 1}, {1, 10}));
       },
       {0.96, 9.6}},
      // σ² = 1 / (2 ln 2): 2^−(j − p)²
      {"Gaussian window",
       [] {
         return gaussian_window(Tensor::of({1, 2, 1}, {1, 2}), 4, std::sqrt(1 / (2 * kLn2)));
       },
       {0.5, 1, 0.5, 0.0625, 0.0625, 0.5, 1, 0.5}},
      {"window",
       [] {
         return window_mask(Tensor::of({1, 2, 1}, {Scalar(2.9), 3}), 1, 6, Tensor::of({1, 6}, {1, 1, 1, 1, 0, 0}));
       },
       {0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0}},
      {"argmax",
       [] {
         return argmax_rows(Tensor::of({1, 2, 3}, {0, 2, 1, 5, 2, 1}));
       },
       {1, 0}},
      {"hard choice",
       [] {
         return hard_choice(Tensor::full({1, 2, 3}, Scalar(0.25)), Tensor::of({1, 2}, {2, 0}));
       },
       {0, 0, 1, 1, 0, 0}},
      {"log of the choice",
       [] {
         return log_of_choice(Tensor::of({1, 2, 2}, {0.25, 0.75, 1, 0}), Tensor::of({1, 2}, {0, 1}));
       },
       {-2 * kLn2, std::log(1e-12)}},
      // halves: ln 2; a quarter four times: 2 ln 2; certainty: 0
      {"entropy",
       [] {
         return entropy(Tensor::of({1, 3, 4}, {0.5, 0, 0.5, 0, 0.25, 0.25, 0.25, 0.25, 0, 0, 0, 1}));
       },
       {kLn2, 2 * kLn2, 0}},
      // 1, 2, 5 of 8
      {"log softmax",
       [] {
         return log_softmax(Tensor::of({1, 3}, {0, Scalar(kLn2), Scalar(std::log(5.0))}));
       },
       {-3 * kLn2, -2 * kLn2, std::log(0.625)}},
      // p = 1/8, 2/8, 5/8, target 2, ε = 0.3: q = 0.1, 0.1, 0.8
      {"cross-entropy, smoothed",
       [] {
         return cross_entropy(Tensor::of({1, 3}, {0, Scalar(kLn2), Scalar(std::log(5.0))}), Tensor::of({1}, {2}),
                              Tensor::of({1}, {1}), 1, 0.3);
       },
       {0.1 * 3 * kLn2 + 0.1 * 2 * kLn2 - 0.8 * std::log(0.625)}},
  };
  return cases;
}

void TestAttentionOps::by_hand_data() {
  QTest::addColumn<int>("row");
  for (std::size_t i = 0; i < hand_cases().size(); ++i) QTest::newRow(hand_cases()[i].name) << static_cast<int>(i);
}

void TestAttentionOps::by_hand() {
  QFETCH(int, row);
  const HandCase& c = hand_cases()[static_cast<std::size_t>(row)];
  QVERIFY(same(difference(c.compute(), c.expected, 2 * kTolerance), c.name));
}

namespace {
struct ErrorCase {
  const char* name;
  std::function<void()> call;
  const char* message;
};
}  // namespace

static const std::vector<ErrorCase>& error_cases() {
  static const Tensor three = counting({2, 3, 4});
  static const std::vector<ErrorCase> cases = {
      {"maxout",
       [] {
         maxout(counting({2, 3}));
       },
       "maxout: expected [.. x 2l], got [2 x 3]"},
      {"GLU", [] { glu(counting({3})); }, "GLU: expected [.. x 2d], got [3]"},
      {"interpolate",
       [] {
         interpolate(counting({2, 3}), counting({2, 3}), counting({3, 2}));
       },
       "interpolate: expected [2 x 3], got [3 x 2]"},
      {"scale rows", [] { scale_rows(three, counting({3})); }, "scale rows: expected 2 factors, got [3]"},
      {"choose rows, two shapes",
       [] {
         where(counting({2}), counting({2, 3}), counting({3, 2}));
       },
       "choose rows: expected [2 x 3], got [3 x 2]"},
      {"choose rows, mask",
       [] {
         where(counting({3}), counting({2, 3}), counting({2, 3}));
       },
       "choose rows: expected a mask of 2, got [3]"},
      {"mask rows", [] { mask_rows(three, counting({4})); }, "mask rows: expected a mask of 6, got [4]"},
      {"mean",
       [] {
         mean_rows(counting({2, 3}));
       },
       "mean: expected [N x S x H], got [2 x 3]"},
      {"maximum, mask",
       [] {
         max_rows(three, counting({2, 2}));
       },
       "maximum: expected a mask of 6, got [2 x 2]"},
      {"additive score, keys",
       [] {
         additive_scores(three, counting({2, 3, 5}), counting({4}));
       },
       "additive score: expected keys of the queries' size [2 x 3 x 4], got [2 x 3 x 5]"},
      {"additive score, v", [] { additive_scores(three, three, counting({3})); },
       "additive score: expected v [4], got [3]"},
      {"additive score, bias", [] { additive_scores(three, three, counting({4}), counting({2})); },
       "additive score: expected a bias [1], got [2]"},
      {"cosine score, beta", [] { cosine_scores(three, three, counting({3})); },
       "cosine score: expected one beta, or 6, got [3]"},
      {"Gaussian window",
       [] {
         gaussian_window(counting({2, 3}), 4, 1);
       },
       "Gaussian window: expected positions [N x T x 1], got [2 x 3]"},
      {"window", [] { window_mask(three, 1, 4); }, "window: expected centres [N x T x 1], got [2 x 3 x 4]"},
      {"window, mask",
       [] {
         window_mask(counting({2, 1, 1}), 1, 4, counting({2, 3}));
       },
       "window: expected a mask [2 x 4], got [2 x 3]"},
      {"argmax",
       [] {
         argmax_rows(counting({2, 3}));
       },
       "argmax: expected weights [N x T x S], got [2 x 3]"},
      {"sample", [] { sample_rows(three, counting({5})); }, "sample: expected 6 uniform numbers, got [5]"},
      {"hard choice", [] { hard_choice(three, counting({5})); }, "hard choice: expected 6 indices, got [5]"},
      {"hard choice, no such entry",
       [] {
         hard_choice(counting({1, 1, 4}), Tensor::of({1}, {4}));
       },
       "hard choice: there is no entry 4 of 4"},
      {"log of the choice, no such entry",
       [] {
         log_of_choice(counting({1, 1, 4}), Tensor::of({1}, {-1}));
       },
       "log of the choice: there is no entry -1 of 4"},
      {"entropy", [] { entropy(counting({4})); }, "entropy: expected weights [N x T x S], got [4]"},
      {"dropout",
       [] {
         Random random(1, Random::Stream::dropout);
         dropout(three, 1, random);
       },
       "dropout 1 is outside [0, 1)"},
  };
  return cases;
}

void TestAttentionOps::errors_data() {
  QTest::addColumn<int>("row");
  for (std::size_t i = 0; i < error_cases().size(); ++i) QTest::newRow(error_cases()[i].name) << static_cast<int>(i);
}

void TestAttentionOps::errors() {
  QFETCH(int, row);
  const ErrorCase& c = error_cases()[static_cast<std::size_t>(row)];
  QString message = "no exception";
  try {
    c.call();
  } catch (const std::exception& e) {  // a ShapeError, or a UsageError for what a person may have typed
    message = QString::fromUtf8(e.what());
  }
  QCOMPARE(message, QString::fromUtf8(c.message));
}

HEADLIGHT_TEST(TestAttentionOps)

}  // namespace headlight::test_attention_ops

#include "test_attention_ops.moc"
