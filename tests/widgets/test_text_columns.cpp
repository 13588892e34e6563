// Columns that share the text on top, and how short numbers are written on them.
#include <QTest>

#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/canvas/text_columns.h"
#include "widgets/text/number_words.h"

namespace headlight::test_text_columns {

class TestTextColumns : public QObject {
  Q_OBJECT

 private slots:
  void columns_share_the_width() {
    const TextColumns three = TextColumns::of({1, 0.5, 1}, 100, 350, 10, 200);
    QCOMPARE(three.edges, (std::vector<double>{100, 200, 250, 350}));
    QCOMPARE(three.at(99.9), -1);
    QCOMPARE(three.at(100), 0);
    QCOMPARE(three.at(249), 1);
    QCOMPARE(three.at(350), -1);
    QCOMPARE(three.nearest(-5), 0);
    QCOMPARE(three.nearest(999), 2);
    QCOMPARE(TextColumns::of({1, 1}, 0, 500, 10, 60).right(), 120.0);  // not wider than that
    QCOMPARE(TextColumns::of(std::vector<double>(100, 1), 50, 300, 14, 60).right(), 50 + 1400.0);  // nor narrower
    QCOMPARE(TextColumns::of({}, 50, 300, 14, 60).at(60), -1);
  }

  void letters_and_words() {
    const AxisLabel space{"␣", true, "space"}, folded{"12 blanks\n14 %", true, {}}, end{"<eos>", true, {}, true};
    const AxisLabel letter{"a", false, {}}, word{"ab", false, {}};
    QVERIFY(are_letters({letter, space, folded, end}));
    QVERIFY(!are_letters({word, space}));
    QCOMPARE(column_shares({letter, space, folded}), (std::vector<double>{1, 0.5, 1.25}));
    QCOMPARE(column_shares({word, space}), (std::vector<double>{1, 1}));
  }

  // Large where there is room, smaller, then turned; never higher than allowed.
  void labels_fit_over_their_columns() {
    const std::vector<AxisLabel> words(6, AxisLabel{"understanding", false, {}});
    double before = 1e9;
    for (const double width : {1600.0, 700.0, 400.0}) {
      const TextColumns columns = TextColumns::of(column_shares(words), 0, width, 14, 300);
      const ColumnHead head = ColumnHead::of(columns, words, 1.6, 80);
      const double size = head.font.pointSizeF();
      QVERIFY(size <= before);
      before = size;
      QCOMPARE(head.turned, width == 400);
      QVERIFY(head.height <= 80);
      if (!head.turned) QVERIFY(QFontMetricsF(head.font).horizontalAdvance("understanding") <= columns.width(0));
    }
  }

  void numbers_are_as_short_as_they_can_be_read() {
    QCOMPARE(short_signed(-0.574), QStringLiteral("−.57"));
    QCOMPARE(short_signed(1.5), QStringLiteral("1.50"));
    QCOMPARE(short_signed(-12.34, 1), QStringLiteral("−12.3"));
    QCOMPARE(short_signed(0.004), QString());
    QCOMPARE(short_signed(-0.04, 1), QString());
    QCOMPARE(short_signed(10.04), QStringLiteral("10.04"));
    QCOMPARE(short_signed(std::nan("")), QStringLiteral("NaN"));
    QCOMPARE(short_share(0.9847), QStringLiteral(".98"));
    QCOMPARE(short_share(0.9951), QStringLiteral("1"));
    QCOMPARE(short_share(0.0049), QString());
    QCOMPARE(plain_number(-0.001), QStringLiteral("0.00"));
    QCOMPARE(plain_number(-1.005, 1), QStringLiteral("−1.0"));
  }
};

HEADLIGHT_WIDGET_TEST(TestTextColumns)

}  // namespace headlight::test_text_columns

#include "test_text_columns.moc"
