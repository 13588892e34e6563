// The weights of an attention in one operation beside the operations that they are made of, with everything that a mask
// can do to them.

#include <QtTest>
#include <cmath>
#include <limits>

#include "model/core/random.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/heads.h"
#include "model/ops/softmax.h"
#include "tests/test_program.h"

namespace headlight::test_attention_weights {

namespace {

Tensor drawn(const Shape& shape, std::uint32_t substream) {
  Random random(11, Random::Stream::init, substream);
  Tensor t(shape);
  for (Index i = 0; i < t.size(); ++i) t[i] = static_cast<Scalar>(random.normal());
  return t;
}

Tensor in_parts(const Tensor& q, const Tensor& k, Scalar factor, const Tensor& keep, const Tensor& bias) {
  Tensor scores = scale(dot_scores(q, k), factor);
  if (bias.defined()) scores = add_bias(scores, bias);
  return softmax(mask_scores(scores, keep));
}

// The worst difference; NaN only where both are.
double difference(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (Index i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    const double d = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    worst = std::isnan(d) ? std::numeric_limits<double>::infinity() : std::max(worst, d);
  }
  return worst;
}

}  // namespace

class TestAttentionWeights : public QObject {
  Q_OBJECT
 private slots:
  void by_hand();
  void equals_its_parts_data();
  void equals_its_parts();
  void a_row_that_keeps_nothing();
  void numbers_that_are_none();
  void no_room();
  void shapes();
};

// q·k = 1 and 3, halved: 0.5 and 1.5; their shares are σ(−1) and σ(1).
void TestAttentionWeights::by_hand() {
  const Tensor q = Tensor::of({1, 1, 2}, {1, 2}), k = Tensor::of({1, 2, 2}, {1, 0, 1, 1});
  const Tensor weights = attention_weights(q, k, Scalar(0.5), {}, {});
  QVERIFY(std::abs(weights[0] - 0.26894142) < 1e-6 && std::abs(weights[1] - 0.73105858) < 1e-6);
  const Tensor even = attention_weights(q, k, Scalar(0.5), {}, Tensor::of({1, 1, 2}, {1, 0}));
  QVERIFY(std::abs(even[0] - 0.5) < 1e-6);
  QCOMPARE(attention_weights(q, k, 1, Tensor::of({1, 1, 2}, {1, 0}), {}).values(), (std::vector<Scalar>{1, 0}));
}

void TestAttentionWeights::equals_its_parts_data() {
  QTest::addColumn<int>("t_count");
  QTest::addColumn<int>("s_count");
  QTest::addColumn<int>("size");
  for (const int t : {1, 2, 5, 40})
    for (const int s : {1, 3, 33, 70})
      for (const int k : {1, 6, 64}) QTest::addRow("%d queries, %d keys of %d", t, s, k) << t << s << k;
}

void TestAttentionWeights::equals_its_parts() {
  QFETCH(int, t_count);
  QFETCH(int, s_count);
  QFETCH(int, size);
  constexpr Index kSentences = 2, kHeads = 3;
  const Tensor q = drawn({kSentences * kHeads, t_count, size}, 1), k = drawn({kSentences * kHeads, s_count, size}, 2);
  Tensor shared({1, t_count, s_count}), own({kSentences, t_count, s_count});
  for (Tensor* keep : {&shared, &own})
    for (Index i = 0; i < keep->size(); ++i) (*keep)[i] = i % 3 == 1 || i % 7 == 2 ? Scalar(0) : Scalar(1);
  for (const Tensor& keep : {Tensor(), shared, own})
    for (const Tensor& bias : {Tensor(), drawn({kHeads, t_count, s_count}, 3)}) {
      const Tensor weights = attention_weights(q, k, Scalar(0.3), keep, bias);
      QVERIFY(difference(weights, in_parts(q, k, Scalar(0.3), keep, bias)) < 1e-6);
    }
}

void TestAttentionWeights::a_row_that_keeps_nothing() {
  const Tensor q = drawn({2, 4, 3}, 1), k = drawn({2, 5, 3}, 2);
  Tensor keep = Tensor::full({2, 4, 5}, 1);
  for (Index j = 0; j < 5; ++j) keep[20 + 2 * 5 + j] = 0;  // row 2 of the second sentence
  const Tensor weights = attention_weights(q, k, 1, keep, {});
  for (Index r = 0; r < 8; ++r)
    QVERIFY(std::abs(weights.matrix().row(r).sum() - (r == 6 ? Scalar(0) : Scalar(1))) < Scalar(1e-6));
  QVERIFY((weights.matrix().row(6).array() == Scalar(0)).all());
}

void TestAttentionWeights::numbers_that_are_none() {
  constexpr Scalar kInfinite = std::numeric_limits<Scalar>::infinity();
  for (const Scalar odd : {std::numeric_limits<Scalar>::quiet_NaN(), kInfinite, -kInfinite})
    for (const Index t_count : {2, 6}) {
      Tensor q = drawn({2, t_count, 3}, 1), k = drawn({2, 5, 3}, 2);
      q[1] = odd;
      k[15 + 4] = odd;
      Tensor keep = Tensor::full({1, t_count, 5}, 1);
      for (Index t = 0; t < t_count; ++t) keep[t * 5 + 1] = 0;  // hides the odd key
      for (const Tensor& mask : {Tensor(), keep})
        QVERIFY(difference(attention_weights(q, k, 1, mask, {}), in_parts(q, k, 1, mask, {})) < 1e-6);
    }
}

// The largest score is subtracted first: exp(200) is not a float.
void TestAttentionWeights::no_room() {
  const Tensor q = Tensor::full({1, 4, 2}, 10), k = Tensor::of({1, 2, 2}, {10, 10, -10, -10});
  const Tensor weights = attention_weights(q, k, 1, {}, {});
  for (Index t = 0; t < 4; ++t) QVERIFY(weights[2 * t] == Scalar(1) && weights[2 * t + 1] == Scalar(0));
}

void TestAttentionWeights::shapes() {
  const Tensor q = drawn({2, 4, 3}, 1), k = drawn({2, 5, 3}, 2);
  QVERIFY_EXCEPTION_THROWN(attention_weights(q, drawn({2, 5, 4}, 2), 1, {}, {}), ShapeError);
  QVERIFY_EXCEPTION_THROWN(attention_weights(q, drawn({3, 5, 3}, 2), 1, {}, {}), ShapeError);
  QVERIFY_EXCEPTION_THROWN(attention_weights(q, k, 1, Tensor::full({1, 5, 4}, 1), {}), ShapeError);
  QVERIFY_EXCEPTION_THROWN(attention_weights(q, k, 1, {}, Tensor::full({3, 4, 5}, 1)), ShapeError);
}

HEADLIGHT_TEST(TestAttentionWeights)

}  // namespace headlight::test_attention_weights

#include "test_attention_weights.moc"
