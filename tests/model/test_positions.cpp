// Positions: the buckets of T5, tables of sinusoids, rotations. The facts are those of models.md, section 5.

#include "tests/model/transformer_op_tables.h"
#include "tests/test_program.h"

namespace headlight::test_positions {

using namespace headlight::testing;

namespace {
constexpr double kTolerance = 2e-6;
}  // namespace

class TestPositions : public QObject {
  Q_OBJECT
 private slots:
  void buckets_data();
  void buckets();
  void a_bias_rests_on_the_distance();
  void buckets_need_room();
  void sinusoids();
  void wavelengths();
  void sinusoids_have_one_length();
  void sinusoids_turn();
  void products_of_sinusoids();
  void an_odd_size_has_no_sinusoids();
  void rotations_keep_lengths();
  void rotated_products_rest_on_the_distance();
  void rotations_of_a_batch();
};

// What T5's own code gives (formats.md), 32 buckets up to 128.
void TestPositions::buckets_data() {
  QTest::addColumn<int>("distance");
  QTest::addColumn<bool>("both");
  QTest::addColumn<int>("bucket");
  const auto add = [](bool both, std::initializer_list<std::pair<int, int>> list) {
    for (const auto& [distance, bucket] : list)
      QTest::newRow(qPrintable(QString("%1 %2").arg(both ? "encoder" : "decoder").arg(distance)))
          << distance << both << bucket;
  };
  add(true,
      {{-1000, 15}, {-128, 15}, {-20, 10}, {-8, 8}, {-7, 7}, {-1, 1}, {0, 0}, {1, 17}, {7, 23}, {8, 24}, {128, 31}});
  add(false, {{-1000, 31}, {-128, 31}, {-64, 26}, {-20, 17}, {-16, 16}, {-15, 15}, {-1, 1}, {0, 0}, {5, 0}});
}

void TestPositions::buckets() {
  QFETCH(int, distance);
  QFETCH(bool, both);
  QFETCH(int, bucket);
  QCOMPARE(relative_bucket(distance, both, 32, 128), Index{bucket});
}

void TestPositions::a_bias_rests_on_the_distance() {
  Tensor table({32, 2});
  for (Index b = 0; b < 32; ++b)
    for (const Index h : {0, 1}) table[2 * b + h] = static_cast<Scalar>(b + 100 * h);
  for (const bool both : {true, false}) {
    const Index first = 20, t_count = 3, s_count = 60;
    const Tensor bias = relative_bias(table, first, t_count, s_count, both, 128);
    for (Index h = 0; h < 2; ++h)
      for (Index t = 0; t < t_count; ++t)
        for (Index j = 0; j < s_count; ++j)
          QCOMPARE(bias[(h * t_count + t) * s_count + j],
                   static_cast<Scalar>(relative_bucket(j - first - t, both, 32, 128) + 100 * h));
  }
}

void TestPositions::buckets_need_room() {
  const QString error = message_of<UsageError>([] { relative_bias(fill(1, {2, 1}), 0, 2, 2, true, 9); });
  QCOMPARE(error, "relative positions need at least 4 buckets, and a largest distance beyond 0; got 2 buckets up to 9");
  QVERIFY(message_of<UsageError>([] { relative_bucket(3, false, 8, 4); }).contains("beyond 4; got 8 buckets up to 4"));
  QCOMPARE(relative_bucket(-3, false, 2, 2), Index{1});
}

void TestPositions::sinusoids() {
  // models.md 15.2, "pe"
  const Tensor table = sinusoid_table(8, 8, Sinusoid::pairs);
  QVERIFY(same(difference(row(table, 0), {0, 1, 0, 1, 0, 1, 0, 1}, 0), "position 0"));
  QVERIFY(same(difference(row(table, 1), {0.841471, 0.540302, 0.099833, 0.995004, 0.01, 0.99995, 0.001, 1}, kTolerance),
               "position 1"));
  QVERIFY(same(difference(row(table, 7), {0.656987, 0.753902, 0.644218, 0.764842, 0.069943, 0.997551, 0.007, 0.999976},
                          kTolerance),
               "position 7"));
  // formats.md: Marian's position 1
  QVERIFY(same(difference(row(sinusoid_table(2, 8, Sinusoid::halves), 1),
                          {0.8415, 0.0998, 0.01, 0.001, 0.5403, 0.995, 1, 1}, 6e-5),
               "Marian"));
  // 10000^(−i/3)
  QVERIFY(same(difference(row(sinusoid_table(2, 8, Sinusoid::t2t), 1),
                          {std::sin(1), std::sin(0.0464158883), std::sin(0.00215443469), std::sin(1e-4), std::cos(1),
                           std::cos(0.0464158883), std::cos(0.00215443469), std::cos(1e-4)},
                          kTolerance),
               "tensor2tensor"));
  QVERIFY(same(difference(row(sinusoid_table(2, 2, Sinusoid::t2t), 1), {std::sin(1), std::cos(1)}, kTolerance),
               "one pair"));
}

// Fact 1: the longest wavelength as a part of 10000 · 2π.
void TestPositions::wavelengths() {
  const auto longest = [](Index d, Sinusoid kind, Index sine) {
    return 1 / (10000 * std::asin(static_cast<double>(sinusoid_table(2, d, kind)[d + sine])));
  };
  for (const auto& [d, part] : {std::pair<Index, double>{16, 0.316}, {64, 0.750}, {128, 0.866}, {512, 0.965}}) {
    QVERIFY(std::abs(longest(d, Sinusoid::pairs, d - 2) - part) < 5e-4);
    QVERIFY(std::abs(longest(d, Sinusoid::t2t, d / 2 - 1) - 1) < 1e-5);
  }
}

// Fact 2
void TestPositions::sinusoids_have_one_length() {
  for (const Index d : {2, 16, 64})
    for (const Sinusoid kind : {Sinusoid::pairs, Sinusoid::halves, Sinusoid::t2t}) {
      const Tensor table = sinusoid_table(100, d, kind);
      for (Index p = 0; p < 100; ++p) QVERIFY(std::abs(dot(table, p, p) - static_cast<double>(d) / 2) < 1e-5);
      for (const double x : doubles(table)) QVERIFY(std::abs(x) <= 1);
    }
}

// Fact 3: PE[p + k] is PE[p], each pair of it turned by k·w_i.
void TestPositions::sinusoids_turn() {
  const Index d = 16;
  const Tensor table = sinusoid_table(200, d, Sinusoid::pairs);
  for (const Index k : {1, 7, 50})
    for (Index p = 0; p + k < 200; p += 13)
      for (Index i = 0; i < d / 2; ++i) {
        const double angle = static_cast<double>(k) * std::pow(10000.0, -2.0 * static_cast<double>(i) / 16);
        const double sine = static_cast<double>(table[p * d + 2 * i]),
                     cosine = static_cast<double>(table[p * d + 2 * i + 1]);
        const Index to = (p + k) * d + 2 * i;
        QVERIFY(std::abs(static_cast<double>(table[to]) - (sine * std::cos(angle) + cosine * std::sin(angle))) < 1e-6);
        QVERIFY(std::abs(static_cast<double>(table[to + 1]) - (cosine * std::cos(angle) - sine * std::sin(angle))) <
                1e-6);
      }
}

// Fact 4: products depend on the distance only; they fall with it, with ripples.
void TestPositions::products_of_sinusoids() {
  const std::pair<Index, std::vector<double>> golden[] = {{512, {1, .973, .905, .741, .679, .616, .512, .437}},
                                                          {64, {1, .966, .884, .734, .658, .590, .490, .559}}};
  const Index distances[] = {0, 1, 2, 5, 10, 20, 50, 100};
  for (const auto& [d, values] : golden) {
    const Tensor table = sinusoid_table(301, d, Sinusoid::pairs);
    for (std::size_t i = 0; i < values.size(); ++i)
      for (const Index p : {0, 150})
        for (const Index sign : {-1, 1}) {
          if (p == 0 && sign < 0) continue;
          QVERIFY(std::abs(dot(table, p, p + sign * distances[i]) / (static_cast<double>(d) / 2) - values[i]) < 6e-4);
        }
  }
  for (const auto& [d, bottom] : {std::pair<Index, Index>{16, 3}, {64, 5}, {128, 11}, {512, 43}}) {
    const Tensor table = sinusoid_table(50, d, Sinusoid::pairs);
    Index k = 1;
    while (dot(table, 0, k) < dot(table, 0, k - 1)) ++k;
    QCOMPARE(k - 1, bottom);  // from here it rises
  }
}

void TestPositions::an_odd_size_has_no_sinusoids() {
  QCOMPARE(message_of<UsageError>([] { sinusoid_table(3, 7, Sinusoid::pairs); }),
           "positions as sines and cosines need an even number of columns, got 7");
}

void TestPositions::rotations_keep_lengths() {
  const Tensor x = fill(1, {2, 3, 8}), positions = Tensor::of({1, 3}, {0, 5, 1000});
  for (const bool neighbours : {false, true}) {
    const Tensor y = rotary(x, positions, 10000, neighbours), a = reshape(x, {6, 8}), b = reshape(y, {6, 8});
    for (Index r = 0; r < 6; ++r) QVERIFY(std::abs(dot(a, r, r) - dot(b, r, r)) < kTolerance);
    QVERIFY(same(difference(row(b, 0), row(a, 0), 0), "position 0"));
    QVERIFY(largest_difference(row(b, 1), row(a, 1)) > 0.01);
  }
}

void TestPositions::rotated_products_rest_on_the_distance() {
  const Tensor q = fill(1, {1, 1, 8}), k = fill(2, {1, 1, 8});
  const auto product = [&](int a, int b, bool neighbours) {
    const auto at = [&](const Tensor& x, int p) {
      return rotary(x, Tensor::full({1, 1}, Scalar(p)), 10000, neighbours);
    };
    return static_cast<double>(dot_scores(at(q, a), at(k, b))[0]);
  };
  for (const bool neighbours : {false, true}) {
    for (const int shift : {1, 7, 100}) {
      QVERIFY(std::abs(product(5 + shift, 2 + shift, neighbours) - product(5, 2, neighbours)) < 1e-5);
      QVERIFY(std::abs(product(5 + shift, 2, neighbours) - product(5, 2, neighbours)) > 1e-3);
    }
    QVERIFY(std::abs(product(5, 2, neighbours) - product(2, 5, neighbours)) > 1e-3);
  }
}

// Two heads of two sentences, whose positions are their own.
void TestPositions::rotations_of_a_batch() {
  const Tensor x = fill(1, {4, 3, 4}), positions = Tensor::of({2, 3}, {0, 1, 2, 0, 0, 1});
  const Tensor y = rotary(x, positions, 100, false);
  for (Index n = 0; n < 2; ++n)
    QVERIFY(
        same(difference(rows(y, 2 * n, 2), rotary(rows(x, 2 * n, 2), rows(positions, n, 1), 100, false), 0), "alone"));
  QVERIFY(same(difference(row(row(y, 2), 1), row(row(x, 2), 1), 0), "position 0 of the second sentence"));
}

HEADLIGHT_TEST(TestPositions)

}  // namespace headlight::test_positions

#include "test_positions.moc"
