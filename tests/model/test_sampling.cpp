// Drawing a token: which ones may be drawn and where a number falls, worked out by hand.

#include <limits>

#include "model/core/random.h"
#include "model/decode/sampling.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_sampling {

using namespace headlight::testing;

namespace {
using Ids = std::vector<TokenId>;
constexpr double kTolerance = 1e-6;

// Probabilities .15 .5 .05 .3 of ids 0 to 3.
Tensor logits_of(const std::vector<double>& probabilities) {
  Tensor z({static_cast<Index>(probabilities.size())});
  for (Index i = 0; i < z.size(); ++i) z[i] = static_cast<Scalar>(std::log(probabilities[static_cast<std::size_t>(i)]));
  return z;
}
Tensor example() { return logits_of({0.15, 0.5, 0.05, 0.3}); }

SamplingSettings settings(double temperature, Index top_k = 0, double top_p = 1) {
  return {temperature, top_k, top_p, 0};
}
}  // namespace

class TestSampling : public QObject {
  Q_OBJECT
 private slots:
  void draws_in_the_order_of_ids();
  void temperature_sharpens();
  void low_temperatures_are_greedy();
  void kept_sets_data();
  void kept_sets();
  void ties_keep_the_lower_id();
  void padding_is_never_drawn();
  void logits_that_are_no_numbers();
  void draws_follow_the_probabilities();
  void settings_out_of_bounds_data();
  void settings_out_of_bounds();
};

void TestSampling::draws_in_the_order_of_ids() {
  // cumulative .15 .65 .7 1, not by rank
  const std::vector<std::pair<double, TokenId>> rows = {{0, 0},     {0.149, 0}, {0.151, 1}, {0.649, 1},
                                                        {0.651, 2}, {0.699, 2}, {0.701, 3}, {0.9999999999, 3}};
  for (const auto& [u, id] : rows) {
    const SampledToken token = sample_token(example(), settings(1), u);
    QCOMPARE(token.id, id);
    QCOMPARE(token.u, u);
    QCOMPARE(token.kept, (Ids{1, 3, 0, 2}));
    QVERIFY(same(difference(token.probabilities, {0.15, 0.5, 0.05, 0.3}, kTolerance), "probabilities"));
  }
}

void TestSampling::temperature_sharpens() {
  // squares .0225 .25 .0025 .09 of .365; square roots for the temperature 2
  const auto sharp = sample_token(example(), settings(0.5), 0).probabilities;
  QVERIFY(same(difference(sharp, {0.0225 / 0.365, 0.25 / 0.365, 0.0025 / 0.365, 0.09 / 0.365}, kTolerance), "1/2"));
  const double sum = std::sqrt(0.15) + std::sqrt(0.5) + std::sqrt(0.05) + std::sqrt(0.3);
  const auto flat = sample_token(example(), settings(2), 0).probabilities;
  QVERIFY(
      same(difference(flat, {std::sqrt(0.15) / sum, std::sqrt(0.5) / sum, std::sqrt(0.05) / sum, std::sqrt(0.3) / sum},
                      kTolerance),
           "2"));
}

// models.md 15.1, I9
void TestSampling::low_temperatures_are_greedy() {
  for (int s = 0; s < 20; ++s) {
    const Tensor z = fill(s, {50});
    Index best = 0;
    for (Index i = 1; i < z.size(); ++i)
      if (z[i] > z[best]) best = i;
    for (const double temperature : {0.0, 1e-9, 1e-300})
      for (const double u : {0.0, 0.5, 0.999999})
        QCOMPARE(sample_token(z, settings(temperature), u).id, static_cast<TokenId>(best));
  }
  // The temperature 0 leaves one of equals, as greedy decoding does.
  QCOMPARE(sample_token(logits_of({0.2, 0.4, 0.4}), settings(0), 0.9).id, TokenId{1});
}

void TestSampling::kept_sets_data() {
  QTest::addColumn<int>("top_k");
  QTest::addColumn<double>("top_p");
  QTest::addColumn<Ids>("kept");
  QTest::newRow("all") << 0 << 1.0 << Ids{1, 3, 0, 2};
  QTest::newRow("one") << 1 << 1.0 << Ids{1};
  QTest::newRow("three") << 3 << 1.0 << Ids{1, 3, 0};
  QTest::newRow("more than there are") << 9 << 1.0 << Ids{1, 3, 0, 2};
  QTest::newRow("a small nucleus") << 0 << 0.1 << Ids{1};
  QTest::newRow("a nucleus of two") << 0 << 0.79 << Ids{1, 3};
  QTest::newRow("a nucleus of three") << 0 << 0.81 << Ids{1, 3, 0};
  QTest::newRow("a nucleus of all") << 0 << 0.96 << Ids{1, 3, 0, 2};
  // .5 and .3 are .842 of the three largest, though only .8 of all
  QTest::newRow("the nucleus of the largest three") << 3 << 0.82 << Ids{1, 3};
}

void TestSampling::kept_sets() {
  QFETCH(int, top_k);
  QFETCH(double, top_p);
  QFETCH(Ids, kept);
  const SampledToken token = sample_token(example(), settings(1, top_k, top_p), 0.99);
  QCOMPARE(token.kept, kept);
  const std::vector<double> all = {0.15, 0.5, 0.05, 0.3};
  double sum = 0;
  for (const TokenId id : kept) sum += all[static_cast<std::size_t>(id)];
  std::vector<double> expected(4, 0);
  for (const TokenId id : kept) expected[static_cast<std::size_t>(id)] = all[static_cast<std::size_t>(id)] / sum;
  QVERIFY(same(difference(token.probabilities, expected, kTolerance), "probabilities"));
  QCOMPARE(token.id, *std::max_element(kept.begin(), kept.end()));  // u = .99
}

void TestSampling::ties_keep_the_lower_id() {
  const Tensor z = Tensor::of({4}, {1, 2, 2, 2});
  QCOMPARE(sample_token(z, settings(1, 2), 0.9).kept, (Ids{1, 2}));
  QCOMPARE(sample_token(z, settings(1, 0, 0.5), 0.9).kept, (Ids{1, 2}));
}

void TestSampling::padding_is_never_drawn() {
  for (const double u : {0.0, 0.3, 0.6, 0.9999}) {
    const SampledToken token = sample_token(example(), settings(1), u, {1, 0});
    QCOMPARE(token.kept, (Ids{3, 2}));
    QVERIFY(same(difference(token.probabilities, {0, 0, 0.05 / 0.35, 0.3 / 0.35}, kTolerance), "probabilities"));
  }
  QCOMPARE(message_of<UsageError>([] {
             sample_token(example(), {}, 0.5, {0, 1, 2, 3});
           }),
           "sampling: the model gives no token a probability");
}

void TestSampling::logits_that_are_no_numbers() {
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN(), infinity = std::numeric_limits<Scalar>::infinity();
  QCOMPARE(sample_token(Tensor::of({4}, {nan, 1, -infinity, 1}), settings(1), 0.99).kept, (Ids{1, 3}));
  QCOMPARE(message_of<UsageError>([&] { sample_token(Tensor::full({2}, nan), {}, 0.5); }),
           "sampling: the model gives no token a probability");
}

void TestSampling::draws_follow_the_probabilities() {
  Random random(3, Random::Stream::sample);
  std::vector<int> counts(4, 0);
  for (int i = 0; i < 10000; ++i) ++counts[static_cast<std::size_t>(sample_token(example(), {}, random.uniform()).id)];
  const std::vector<double> expected = {1500, 5000, 500, 3000};
  for (std::size_t i = 0; i < 4; ++i) QVERIFY(std::abs(counts[i] - expected[i]) < 5 * std::sqrt(expected[i]));
}

void TestSampling::settings_out_of_bounds_data() {
  QTest::addColumn<double>("temperature");
  QTest::addColumn<int>("top_k");
  QTest::addColumn<double>("top_p");
  QTest::addColumn<QString>("message");
  QTest::newRow("temperature") << -0.5 << 0 << 1.0 << "the temperature is -0.5, it has to be at least 0";
  QTest::newRow("no number") << std::nan("") << 0 << 1.0 << "the temperature is nan, it has to be at least 0";
  QTest::newRow("top-k") << 1.0 << -1 << 1.0 << "top-k is -1, it has to be at least 0 (0: all)";
  QTest::newRow("top-p 0") << 1.0 << 0 << 0.0 << "top-p is 0, it has to be above 0 and at most 1";
  QTest::newRow("top-p") << 1.0 << 0 << 1.5 << "top-p is 1.5, it has to be above 0 and at most 1";
}

void TestSampling::settings_out_of_bounds() {
  QFETCH(double, temperature);
  QFETCH(int, top_k);
  QFETCH(double, top_p);
  QFETCH(QString, message);
  QCOMPARE(message_of<UsageError>([&] { sample_token(example(), settings(temperature, top_k, top_p), 0.5); }), message);
}

HEADLIGHT_TEST(TestSampling)

}  // namespace headlight::test_sampling

#include "test_sampling.moc"
