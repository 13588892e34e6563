// Numbers as texts have them, read the same by every compiler's library and in every locale.

#include <QTest>
#include <clocale>
#include <cmath>
#include <limits>
#include <string>

#include "model/core/numbers.h"
#include "tests/test_program.h"

namespace headlight::test_numbers {

class TestNumbers : public QObject {
  Q_OBJECT
 private slots:
  void read_data();
  void read();
  void refused_data();
  void refused();
  void beyond_the_range();
  void no_locale();
};

void TestNumbers::read_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<double>("value");
  QTest::addColumn<int>("length");
  const auto row = [](const char* text, double value, int length = -1) {
    QTest::newRow(text) << QByteArray(text) << value
                        << (length < 0 ? static_cast<int>(std::string(text).size()) : length);
  };
  row("0", 0);
  row("-12.5", -12.5);
  row(".5", 0.5);
  row("5.", 5);
  row("1e3", 1000);
  row("1E-2", 0.01);
  row("2.5e+1", 25);
  row("0.1", 0x1.999999999999ap-4);  // the nearest double, by hand
  row("9007199254740993", 9007199254740992.0);
  row("1.7976931348623157e308", std::numeric_limits<double>::max());
  row("4.9406564584124654e-324", std::numeric_limits<double>::denorm_min());
  row("inf", std::numeric_limits<double>::infinity());
  row("-infinity", -std::numeric_limits<double>::infinity());
  row("12abc", 12, 2);
  row("1,5", 1, 1);
  row("1e", 1, 1);
  row("1e+", 1, 1);
  row("0x10", 0, 1);
  row("3 4", 3, 1);
}

void TestNumbers::read() {
  QFETCH(QByteArray, text);
  QFETCH(int, length);
  double value = -1;
  const auto [end, error] = parse_number(text.constData(), text.constData() + text.size(), value);
  QVERIFY(error == std::errc());
  QTEST(value, "value");
  QCOMPARE(end - text.constData(), length);
  QCOMPARE(parse_number({text.constData(), static_cast<std::size_t>(text.size())}, value), length == text.size());
}

void TestNumbers::refused_data() {
  QTest::addColumn<QByteArray>("text");
  for (const char* text : {"", " 1", "+1", "-", ".", "e5", "-.e1", "x", "--1", "- 1", "\t2", "i", "na"})
    QTest::newRow(text) << QByteArray(text);
}

void TestNumbers::refused() {
  QFETCH(QByteArray, text);
  double value = 7;
  const auto [end, error] = parse_number(text.constData(), text.constData() + text.size(), value);
  QVERIFY(error == std::errc::invalid_argument);
  QVERIFY(end == text.constData());
  QCOMPARE(value, 7.0);
}

void TestNumbers::beyond_the_range() {
  double value = 0;
  const std::string large = "-1e999", small = "1e-999", whole = "nan";
  QVERIFY(parse_number(large.data(), large.data() + large.size(), value).ec == std::errc::result_out_of_range);
  QCOMPARE(value, -std::numeric_limits<double>::infinity());
  QVERIFY(parse_number(small.data(), small.data() + small.size(), value).ec == std::errc::result_out_of_range);
  QCOMPARE(value, 0.0);
  QVERIFY(!parse_number(large, value));
  QVERIFY(parse_number(whole, value) && std::isnan(value));
}

// Where a comma stands for the point, files still have points.
void TestNumbers::no_locale() {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8"})
    if (std::setlocale(LC_NUMERIC, name)) break;
  double value = 0;
  const bool whole = parse_number("2.5", value);
  std::setlocale(LC_NUMERIC, before.c_str());
  QVERIFY(whole);
  QCOMPARE(value, 2.5);
}

HEADLIGHT_TEST(TestNumbers)

}  // namespace headlight::test_numbers

#include "test_numbers.moc"
