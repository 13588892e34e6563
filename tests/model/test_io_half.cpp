// float16 and bfloat16 against values computed by hand from IEEE 754.

#include <QTest>
#include <cmath>
#include <limits>

#include "model/io/half.h"
#include "tests/test_program.h"

namespace headlight::test_io_half {

class TestIoHalf : public QObject {
  Q_OBJECT
 private slots:
  void to_half_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<int>("bits");
    const double ulp = std::ldexp(1, -10), least = std::ldexp(1, -24);
    const double infinity = std::numeric_limits<double>::infinity();
    QTest::newRow("zero") << 0.0 << 0x0000;
    QTest::newRow("minus zero") << -0.0 << 0x8000;
    QTest::newRow("one") << 1.0 << 0x3c00;
    QTest::newRow("minus two") << -2.0 << 0xc000;
    QTest::newRow("a third") << 1.0 / 3 << 0x3555;
    QTest::newRow("a tenth") << 0.1 << 0x2e66;
    QTest::newRow("tie goes to the even below") << 1 + ulp / 2 << 0x3c00;
    QTest::newRow("tie goes to the even above") << 1 + ulp * 3 / 2 << 0x3c02;
    QTest::newRow("above a tie, lost in float32") << 1 + ulp / 2 + std::ldexp(1, -40) << 0x3c01;
    QTest::newRow("carry into the exponent") << 2 - ulp / 4 << 0x4000;
    QTest::newRow("largest") << 65504.0 << 0x7bff;
    QTest::newRow("just not infinite") << 65519.999 << 0x7bff;
    QTest::newRow("first that is infinite") << 65520.0 << 0x7c00;
    QTest::newRow("far too large") << -1e300 << 0xfc00;
    QTest::newRow("least normal") << std::ldexp(1, -14) << 0x0400;
    QTest::newRow("greatest subnormal") << 1023 * least << 0x03ff;
    QTest::newRow("tie between subnormal and normal") << 1023.5 * least << 0x0400;
    QTest::newRow("least subnormal") << least << 0x0001;
    QTest::newRow("subnormal tie to even") << 1.5 * least << 0x0002;
    QTest::newRow("half the least: tie to zero") << least / 2 << 0x0000;
    QTest::newRow("a little more than half the least") << -least * 0.500001 << 0x8001;
    QTest::newRow("far too small") << -1e-30 << 0x8000;
    QTest::newRow("least double") << 5e-324 << 0x0000;
    QTest::newRow("infinity") << infinity << 0x7c00;
    QTest::newRow("minus infinity") << -infinity << 0xfc00;
    QTest::newRow("NaN") << std::numeric_limits<double>::quiet_NaN() << 0x7e00;
  }
  void to_half() {
    QFETCH(double, value);
    QFETCH(int, bits);
    QCOMPARE(static_cast<int>(headlight::to_half(value)), bits);
  }

  void from_half() {
    QCOMPARE(headlight::from_half(0x3c00), 1.0);
    QCOMPARE(headlight::from_half(0xc000), -2.0);
    QCOMPARE(headlight::from_half(0x7bff), 65504.0);
    QCOMPARE(headlight::from_half(0x0400), std::ldexp(1, -14));
    QCOMPARE(headlight::from_half(0x0001), std::ldexp(1, -24));
    QCOMPARE(headlight::from_half(0x03ff), 1023 * std::ldexp(1, -24));
    QVERIFY(headlight::from_half(0x8000) == 0 && std::signbit(headlight::from_half(0x8000)));
    QVERIFY(std::isinf(headlight::from_half(0xfc00)) && headlight::from_half(0xfc00) < 0);
    QVERIFY(std::isnan(headlight::from_half(0x7e00)));
    QVERIFY(std::isnan(headlight::from_half(0x7c01)));
  }

  void every_half_comes_back() {
    for (int bits = 0; bits <= 0xffff; ++bits) {
      const double value = headlight::from_half(static_cast<std::uint16_t>(bits));
      if (std::isnan(value)) continue;
      QCOMPARE(static_cast<int>(headlight::to_half(value)), bits);
    }
  }

  void from_bfloat16() {
    QCOMPARE(headlight::from_bfloat16(0x3f80), 1.0);
    QCOMPARE(headlight::from_bfloat16(0xc040), -3.0);
    QCOMPARE(headlight::from_bfloat16(0x0001), std::ldexp(1, -133));
    QVERIFY(std::isinf(headlight::from_bfloat16(0x7f80)));
    QVERIFY(std::isnan(headlight::from_bfloat16(0x7fc0)));
  }
};

HEADLIGHT_TEST(TestIoHalf)

}  // namespace headlight::test_io_half

#include "test_io_half.moc"
