// Numbers as people read them.

#include <QTest>
#include <cmath>
#include <limits>

#include "tests/test_program.h"
#include "widgets/text/number_words.h"

namespace headlight::test_number_words {

class TestNumberWords : public QObject {
  Q_OBJECT

 private slots:
  void four_significant_digits() {
    QCOMPARE(short_number(0.692605), QStringLiteral("0.6926"));
    QCOMPARE(short_number(-1.5), QStringLiteral("−1.5"));
    QCOMPARE(short_number(12346), QStringLiteral("12346"));
    QCOMPARE(short_number(-1234567), QStringLiteral("−1.235×10⁶"));
    QCOMPARE(short_number(0), QStringLiteral("0"));
    QCOMPARE(short_number(-0.0), QStringLiteral("0"));
    QCOMPARE(short_number(29), QStringLiteral("29"));
    QCOMPARE(short_number(0.5, 1), QStringLiteral("0.5"));
    QCOMPARE(exact_number(static_cast<double>(0.1F)), QStringLiteral("0.100000001"));
  }

  void powers_of_ten_are_raised() {
    QCOMPARE(short_number(5.3e-9), QStringLiteral("5.3×10⁻⁹"));
    QCOMPARE(short_number(-2e-6), QStringLiteral("−2×10⁻⁶"));
    QCOMPARE(short_number(1e20), QStringLiteral("1×10²⁰"));
    QCOMPARE(short_number(1.5e-310, 2), QStringLiteral("1.5×10⁻³¹⁰"));
  }

  void what_is_no_number() {
    const double infinity = std::numeric_limits<double>::infinity();
    for (const auto& text : {short_number(std::nan("")), plain_number(std::nan("")), log_text(std::nan("")),
                             percent(std::nan("")), bare_percent(std::nan("")), share_percent(std::nan(""))})
      QCOMPARE(text, QStringLiteral("NaN"));
    QCOMPARE(short_number(infinity), QStringLiteral("∞"));
    QCOMPARE(plain_number(-infinity), QStringLiteral("−∞"));
  }

  void places_after_the_point() {
    QCOMPARE(plain_number(-0.57), QStringLiteral("−0.57"));
    QCOMPARE(plain_number(-0.001), QStringLiteral("0.00"));  // no minus of nothing
    QCOMPARE(plain_number(12.34, 1), QStringLiteral("12.3"));
    QCOMPARE(log_text(-0.12345), QStringLiteral("−0.123"));
    QCOMPARE(log_text(-1.2345), QStringLiteral("−1.23"));
  }

  void sure_and_almost_sure() {
    QCOMPARE(percent(0.998), QStringLiteral("99.8 %"));
    QCOMPARE(percent(0.99999), QStringLiteral("> 99.9 %"));
    QCOMPARE(percent(1), QStringLiteral("100 %"));
    QCOMPARE(percent(0.0001), QStringLiteral("< 0.1 %"));
    QCOMPARE(bare_percent(0.99999), QStringLiteral("99.9"));
    QCOMPARE(bare_percent(1), QStringLiteral("100"));
    QCOMPARE(bare_percent(0.0001), QStringLiteral("<.1"));
    QCOMPARE(bare_percent(0), QStringLiteral("0"));
    QCOMPARE(share_percent(0.463), QStringLiteral("46 %"));
    QCOMPARE(share_percent(0.004), QStringLiteral("0.4 %"));
    QCOMPARE(share_percent(-0.0123), QStringLiteral("−1 %"));
    QCOMPARE(share_percent(0.0001), QStringLiteral("0 %"));
  }

  void large_numbers_by_thousands() {
    QCOMPARE(large_number(843), QStringLiteral("843"));
    QCOMPARE(large_number(165965), QStringLiteral("166 thousand"));
    QCOMPARE(large_number(2488000), QStringLiteral("2.49 million"));
  }

  void bytes_by_thousands() {
    QCOMPARE(byte_size(512), QStringLiteral("512 B"));
    QCOMPARE(byte_size(999), QStringLiteral("999 B"));
    QCOMPARE(byte_size(6144), QStringLiteral("6.14 kB"));
    QCOMPARE(byte_size(37'748'736), QStringLiteral("37.7 MB"));
    QCOMPARE(byte_size(999'900), QStringLiteral("1 MB"));
  }

  void people_count_from_one() {
    QCOMPARE(counted(0), QStringLiteral("1"));
    QCOMPARE(counted(127), QStringLiteral("128"));
  }
};

HEADLIGHT_TEST(TestNumberWords)

}  // namespace headlight::test_number_words

#include "test_number_words.moc"
