// Quantised matrices that stay in the blocks of their file: every reading of them is that of the widened numbers.

#include <QTest>
#include <cmath>

#include "model/core/halves.h"
#include "model/core/product.h"
#include "model/core/random.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_packed_weights {

using namespace headlight::testing;

namespace {

// Four numbers in five bytes: a factor, and what it multiplies.
constexpr BlockForm kForm{4, 5, [](const unsigned char* from, std::size_t blocks, float* to) {
                            for (; blocks > 0; --blocks, from += 5)
                              for (int i = 1; i < 5; ++i)
                                *to++ = static_cast<float>(from[0]) * (from[i] - 128.0f) / 1024;
                          }};

// [rows x columns] as a file has it.
std::shared_ptr<Halves> drawn_blocks(Index rows, Index columns, bool turned) {
  Random random(3, Random::Stream::init, 1);
  auto packed = std::make_shared<Halves>(kForm, rows, columns, turned);
  for (Index r = 0; r < rows; ++r)
    for (Index b = 0; b < packed->row_bytes(); ++b)
      packed->row(r)[b] = static_cast<unsigned char>(random.uniform() * 256);
  return packed;
}

Tensor widened_rows(const Halves& packed, Index rows, Index columns) {
  Tensor all({rows, columns});
  packed.widen_rows(0, rows, all.data());
  return all;
}

Tensor drawn_rows(Index rows, Index columns) {
  Random random(4, Random::Stream::init, 2);
  Tensor tensor({rows, columns});
  for (Index i = 0; i < tensor.size(); ++i) tensor[i] = static_cast<Scalar>(random.uniform() - 0.5);
  return tensor;
}

double worst_difference(const Tensor& a, const Tensor& b) { return (a.array() - b.array()).abs().maxCoeff(); }

}  // namespace

class TestPackedWeights : public QObject {
  Q_OBJECT

 private slots:
  void blocks_by_hand() {
    Halves packed(kForm, 2, 4, true);
    const unsigned char bytes[] = {64, 128, 144, 112, 160, 128, 136, 128, 128, 0};
    std::copy_n(bytes, 10, packed.row(0));
    QCOMPARE(packed.row_bytes(), Index(5));
    QCOMPARE(packed.at(0), Scalar(0));  // [4 x 2]: column 0 is the first row of the file
    QCOMPARE(packed.at(1), Scalar(1));  // 128 · 8 / 1024
    QCOMPARE(packed.at(2), Scalar(1));  // 64 · 16 / 1024
    QCOMPARE(packed.at(4), Scalar(-1));
    QCOMPARE(packed.at(7), Scalar(-16));
  }

  void every_reading_is_the_same_data() {
    QTest::addColumn<bool>("turned");
    QTest::newRow("as in the file") << false;
    QTest::newRow("turned") << true;
  }
  void every_reading_is_the_same() {
    QFETCH(bool, turned);
    constexpr Index kRows = 7, kColumns = 12;
    const auto packed = drawn_blocks(kRows, kColumns, turned);
    const Tensor rows = widened_rows(*packed, kRows, kColumns);
    const Tensor weight = Tensor::in_halves(turned ? Shape{kColumns, kRows} : Shape{kRows, kColumns}, packed);
    const auto expected = [&](Index i) { return turned ? rows[i % kRows * kColumns + i / kRows] : rows[i]; };
    for (Index i = 0; i < weight.size(); ++i) QCOMPARE(packed->at(i), expected(i));
    for (Index first = 0; first < weight.size(); first += 5)
      for (const Index count : {0, 1, 4, 9, 23}) {
        if (first + count > weight.size()) continue;
        std::vector<Scalar> found(static_cast<std::size_t>(count) + 1, Scalar(77));
        weight.read(first, count, found.data());
        for (Index i = 0; i < count; ++i) QCOMPARE(found[static_cast<std::size_t>(i)], expected(first + i));
        QCOMPARE(found.back(), Scalar(77));
      }
    const Tensor copy = weight.clone();
    for (Index i = 0; i < weight.size(); ++i) QCOMPARE(copy[i], expected(i));
  }

  void products_are_those_of_the_widened_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("rows");
    for (const int count : {1, 2, 9, 300})
      for (const int rows : {1, 3, 4, 130})
        QTest::newRow(qPrintable(QString("%1 by %2").arg(count).arg(rows))) << count << rows;
  }
  void products_are_those_of_the_widened() {
    QFETCH(int, count);
    QFETCH(int, rows);
    constexpr Index kColumns = 148;
    const Tensor x = drawn_rows(count, kColumns), bias = drawn_rows(1, rows);
    for (const bool turned : {false, true}) {
      const auto packed = drawn_blocks(rows, kColumns, turned);
      const Tensor wide = widened_rows(*packed, rows, kColumns);
      const Tensor weight = Tensor::in_halves(turned ? Shape{kColumns, rows} : Shape{rows, kColumns}, packed);
      Tensor expected({count, rows}), found({count, rows});
      expected.matrix().noalias() = x.matrix() * wide.matrix().transpose();
      const double largest = std::max(1e-3, static_cast<double>(expected.array().abs().maxCoeff()));
      product(x, weight, !turned, {}, found);
      QVERIFY(worst_difference(found, expected) <= 2e-6 * largest);
      product(x, weight, !turned, bias.view(0, Shape{rows}), found);
      expected.matrix().rowwise() += bias.matrix().row(0);
      QVERIFY(worst_difference(found, expected) <= 2e-6 * largest);
    }
  }

  // Also the other way round, where nothing is gained by the blocks.
  void products_by_the_other_side() {
    const auto packed = drawn_blocks(8, 12, false);
    const Tensor x = drawn_rows(3, 8), weight = Tensor::in_halves(Shape{8, 12}, packed);
    Tensor expected({3, 12}), found({3, 12});
    expected.matrix().noalias() = x.matrix() * widened_rows(*packed, 8, 12).matrix();
    product(x, weight, false, {}, found);
    QVERIFY(worst_difference(found, expected) <= 1e-5);
  }
};

HEADLIGHT_TEST(TestPackedWeights)

}  // namespace headlight::test_packed_weights

#include "test_packed_weights.moc"
