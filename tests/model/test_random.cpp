// Random numbers: known answers of Philox 4x32-10, and what a stream promises.

#include <set>

#include "model/core/errors.h"
#include "model/core/random.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_random {

using headlight::Random;
using Words = std::array<std::uint32_t, 4>;

class TestRandom : public QObject {
  Q_OBJECT
 private slots:
  void known_answers_data();
  void known_answers();
  void a_stream_is_philox_of_its_counter();
  void the_same_seed_gives_the_same_draws();
  void streams_substreams_and_seeds_differ();
  void seek_replays();
  void many_at_once_are_the_same();
  void uniform_lies_in_its_range();
  void normal_has_mean_0_and_variance_1();
  void normal_draws_are_replayed();
  void below_stays_below();
  void below_is_uniform();
  void below_rejects_what_would_be_unfair();
};

namespace {

std::vector<std::uint32_t> draws(Random random, int count) {
  std::vector<std::uint32_t> values;
  for (int i = 0; i < count; ++i) values.push_back(random.bits());
  return values;
}

}  // namespace

// The vectors of the authors' distribution (Salmon et al. 2011, Random123, philox 4x32 with 10 rounds).
void TestRandom::known_answers_data() {
  QTest::addColumn<std::vector<std::uint32_t>>("counter");
  QTest::addColumn<std::vector<std::uint32_t>>("key");
  QTest::addColumn<std::vector<std::uint32_t>>("expected");
  using V = std::vector<std::uint32_t>;
  QTest::newRow("zeros") << V{0, 0, 0, 0} << V{0, 0} << V{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  QTest::newRow("ones") << V{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff} << V{0xffffffff, 0xffffffff}
                        << V{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
  QTest::newRow("digits of pi") << V{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344} << V{0xa4093822, 0x299f31d0}
                                << V{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
}

void TestRandom::known_answers() {
  QFETCH(std::vector<std::uint32_t>, counter);
  QFETCH(std::vector<std::uint32_t>, key);
  QFETCH(std::vector<std::uint32_t>, expected);
  const Words got = headlight::philox({counter[0], counter[1], counter[2], counter[3]}, {key[0], key[1]});
  QCOMPARE(std::vector<std::uint32_t>(got.begin(), got.end()), expected);
}

// Draw n of a stream is word n mod 4 of the block (n / 4, stream, substream) under the seed.
void TestRandom::a_stream_is_philox_of_its_counter() {
  const std::uint64_t seed = 0x0123456789abcdef;
  const auto got = draws(Random(seed, Random::Stream::data, 9), 12);
  for (std::uint32_t n = 0; n < 12; ++n) {
    const Words block =
        headlight::philox({n / 4, 0, static_cast<std::uint32_t>(Random::Stream::data), 9}, {0x89abcdef, 0x01234567});
    QCOMPARE(got[n], block[n % 4]);
  }
}

void TestRandom::the_same_seed_gives_the_same_draws() {
  const Random a(42, Random::Stream::init), b(42, Random::Stream::init);
  QCOMPARE(draws(a, 100), draws(b, 100));
}

void TestRandom::streams_substreams_and_seeds_differ() {
  using S = Random::Stream;
  std::set<std::vector<std::uint32_t>> seen;
  for (const S stream : {S::init, S::data, S::dropout, S::sample, S::hard_attention})
    for (const std::uint32_t substream : {0u, 1u, 2u, 0xffffffffu})
      for (const std::uint64_t seed : {0ull, 1ull, 1ull << 32, ~0ull})
        seen.insert(draws(Random(seed, stream, substream), 2));
  QCOMPARE(seen.size(), std::size_t{5 * 4 * 4});
}

void TestRandom::seek_replays() {
  Random random(7, Random::Stream::sample);
  const auto all = draws(random, 50);
  for (const std::uint64_t at : {49ull, 0ull, 3ull, 4ull, 17ull, 18ull}) {
    random.seek(at);
    QCOMPARE(random.bits(), all[at]);
    QCOMPARE(random.counter(), at + 1);
  }
  random.seek((1ull << 34) + 1);  // beyond 32 bits of blocks: another block than the one 2^32 before
  const std::uint32_t far = random.bits();
  random.seek(1);
  QVERIFY(random.bits() != far);
}

void TestRandom::many_at_once_are_the_same() {
  for (const int before : {0, 1, 2, 3, 5})
    for (const std::size_t count : {0, 1, 3, 127, 128, 129, 132, 1000}) {
      Random together(9, Random::Stream::dropout, 2), single(9, Random::Stream::dropout, 2);
      for (int i = 0; i < before; ++i) QCOMPARE(together.bits(), single.bits());
      std::vector<std::uint32_t> draws(count);
      together.bits(draws.data(), count);
      for (const std::uint32_t draw : draws) QCOMPARE(draw, single.bits());
      QCOMPARE(together.counter(), single.counter());
      QCOMPARE(together.bits(), single.bits());
    }
  // The counter of a block is 64 bits wide.
  Random together(9, Random::Stream::dropout), single(9, Random::Stream::dropout);
  const std::uint64_t nearly = (std::uint64_t{1} << 34) - 64;
  together.seek(nearly);
  single.seek(nearly);
  std::vector<std::uint32_t> draws(256);
  together.bits(draws.data(), draws.size());
  for (const std::uint32_t draw : draws) QCOMPARE(draw, single.bits());
}

void TestRandom::uniform_lies_in_its_range() {
  Random random(3, Random::Stream::data);
  double sum = 0;
  const int count = 100000;
  for (int i = 0; i < count; ++i) {
    const double u = random.uniform();
    QVERIFY(u >= 0 && u < 1);
    sum += u;
  }
  QVERIFY(std::abs(sum / count - 0.5) < 4 * std::sqrt(1.0 / 12 / count));  // four standard errors
}

void TestRandom::normal_has_mean_0_and_variance_1() {
  Random random(5, Random::Stream::init);
  double sum = 0, squares = 0, fourth = 0;
  const int count = 200000;
  for (int i = 0; i < count; ++i) {
    const double x = random.normal();
    QVERIFY(std::isfinite(x));
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
  }
  // Standard errors: of the mean 1/√n, of the second moment √(2/n), of the fourth √(96/n); four of each.
  QVERIFY(std::abs(sum / count) < 4 / std::sqrt(count));
  QVERIFY(std::abs(squares / count - 1) < 4 * std::sqrt(2.0 / count));
  QVERIFY(std::abs(fourth / count - 3) < 4 * std::sqrt(96.0 / count));
}

void TestRandom::normal_draws_are_replayed() {
  Random random(5, Random::Stream::init);
  random.normal();
  const std::uint64_t at = random.counter();
  QCOMPARE(at, std::uint64_t{2});  // the cosine branch of two uniforms, nothing kept for later
  const double x = random.normal();
  random.seek(at);
  QCOMPARE(random.normal(), x);
}

void TestRandom::below_stays_below() {
  Random random(11, Random::Stream::data);
  for (const std::uint32_t bound : {1u, 2u, 3u, 7u, 1000u, 0x80000001u, 0xffffffffu})
    for (int i = 0; i < 2000; ++i) QVERIFY(random.below(bound) < bound);
  for (int i = 0; i < 100; ++i) QCOMPARE(random.below(1), 0u);
}

void TestRandom::below_is_uniform() {
  Random random(13, Random::Stream::data);
  std::array<int, 7> counts{};
  const int count = 70000;
  for (int i = 0; i < count; ++i) ++counts[random.below(7)];
  double chi_square = 0;
  for (const int n : counts) chi_square += (n - 10000.0) * (n - 10000.0) / 10000;
  QVERIFY2(chi_square < 22.5, qPrintable(QString::number(chi_square)));  // 6 degrees of freedom: p = 0.001
}

// With a bound of 3·2^30 a quarter of all 32-bit numbers has to be drawn again; without that, every value that is a
// multiple of 3 (or its like) would be twice as likely as the others.
void TestRandom::below_rejects_what_would_be_unfair() {
  Random random(17, Random::Stream::data);
  const std::uint32_t bound = 3u << 30;
  const int count = 60000;
  std::array<int, 3> remainder{};
  for (int i = 0; i < count; ++i) ++remainder[random.below(bound) % 3];
  for (const int n : remainder) QVERIFY2(std::abs(n - count / 3) < 500, qPrintable(QString::number(n)));
  QVERIFY(random.counter() > count * 5 / 4);  // 4/3 draws each on average
}

HEADLIGHT_TEST(TestRandom)

}  // namespace headlight::test_random

#include "test_random.moc"
