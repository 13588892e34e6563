// Angles of rotary positions, and their scalings for long texts: worked by hand.

#include <QTest>
#include <cmath>

#include "model/layers/rotary.h"
#include "tests/test_program.h"

namespace headlight::test_rotary {

class TestRotary : public QObject {
  Q_OBJECT

 private:
  // 16^(−2i/4): 1 and 1/4.
  static Rotary two_pairs(RotaryScaling scaling) {
    Rotary rotary;
    rotary.theta = 16;
    rotary.size = 4;
    rotary.scaling = std::move(scaling);
    return rotary;
  }
  static void is(const std::vector<double>& found, double first, double second) {
    QCOMPARE(found.size(), std::size_t{2});
    QVERIFY2(std::abs(found[0] - first) < 1e-5 && std::abs(found[1] - second) < 1e-5,
             qPrintable(QString("found %1 and %2").arg(found[0]).arg(found[1])));
  }

 private slots:
  void as_they_are() { is(two_pairs({}).frequencies(9), 1, 0.25); }
  void linear() {
    RotaryScaling s;
    s.kind = RotaryScaling::Kind::linear;
    s.factor = 4;
    is(two_pairs(s).frequencies(9), 0.25, 0.0625);
  }
  // Within 63 positions pair 0 turns 10.03 times, which is quick, and pair 1 2.50669 times: 0.502229 of the way from 1
  // to 4, so that 1/4 becomes 0.502229 / 4 + 0.497771 / 32.
  void llama3() {
    RotaryScaling s;
    s.kind = RotaryScaling::Kind::llama3;
    s.factor = 8;
    s.original = 63;
    is(two_pairs(s).frequencies(9), 1, 0.141113);
    // Pair 1 turns 0.2 times within 5 positions, pair 0 0.8 times: both are slow.
    s.original = 5;
    is(two_pairs(s).frequencies(9), 0.125, 0.03125);
  }
  // Within 101 positions pair 0.003 turns 16 times and pair 2.003 once: the ramp goes from 0 to 3, and pair 1 keeps two
  // thirds of its frequency.
  void yarn() {
    RotaryScaling s;
    s.kind = RotaryScaling::Kind::yarn;
    s.factor = 4;
    s.original = 101;
    s.fast = 16;
    is(two_pairs(s).frequencies(9), 1, 0.25 * (2.0 / 3 + 1.0 / 12));
  }
  void longrope() {
    RotaryScaling s;
    s.kind = RotaryScaling::Kind::longrope;
    s.original = 8;
    s.short_factors = {1, 2};
    s.long_factors = {4, 5};
    is(two_pairs(s).frequencies(8), 1, 0.125);
    is(two_pairs(s).frequencies(9), 0.25, 0.05);
  }
  // Twice as long: the base becomes 16 · (2 · 16/8 − 1)^(4/2) = 144, whose frequencies are 1 and 144^(−1/2).
  void dynamic() {
    RotaryScaling s;
    s.kind = RotaryScaling::Kind::dynamic;
    s.factor = 2;
    s.original = 8;
    is(two_pairs(s).frequencies(1), 1, 0.25);
    is(two_pairs(s).frequencies(8), 1, 0.25);
    is(two_pairs(s).frequencies(16), 1, 1.0 / 12);
  }
};

HEADLIGHT_TEST(TestRotary)

}  // namespace headlight::test_rotary

#include "test_rotary.moc"
