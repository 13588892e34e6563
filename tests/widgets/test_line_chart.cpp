// Pictures of comparisons: every line is drawn in its colour, gaps stay gaps, and the picture is as it was looked at.

#include <QImage>
#include <QPainter>
#include <QTest>
#include <limits>
#include <vector>

#include "image_test.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/export/export.h"
#include "widgets/plot/line_chart.h"

namespace headlight::test_line_chart {

class TestLineChart : public QObject {
  Q_OBJECT

  static LineChart chart() {
    LineChart chart;
    chart.title = "Exact match of three models";
    chart.x_title = "epoch";
    chart.y_title = "exact match";
    chart.y_range = {0, 1};
    chart.series = {{"date-plain", {1, 2, 3, 4, 5, 6}, {0, 0, 0.01, 0.02, 0.02, 0.03}},
                    {"date-peeky", {1, 2, 3, 4, 5, 6}, {0, 0.1, 0.5, 0.8, 0.95, 0.98}},
                    {"date-attention", {1, 2, 3, 4}, {0, 0.52, 0.999, 1}}};
    return chart;
  }
  static QImage picture(const LineChart& chart, QSize size = {480, 320}) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    paint_line_chart(chart, painter, size);
    return image;
  }
  static int count(const QImage& image, const QColor& colour, const QRect& where) {
    int found = 0;
    for (int y = where.top(); y <= where.bottom(); ++y)
      for (int x = where.left(); x <= where.right(); ++x) found += image.pixelColor(x, y) == colour;
    return found;
  }

 private slots:
  void pictures_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void pictures() {
    QFETCH(bool, dark);
    Theme::instance().set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
    COMPARE_IMAGE(picture(chart()), dark ? "line_chart_dark" : "line_chart_light");
    Theme::instance().set_mode(Theme::Mode::light);
  }

  // From zero, though nothing is below 1: a bar of four has four times the ink of a bar of one.
  // Bars side by side are all as wide, the first and the last as well: the axes leave room for them.
  void no_bar_is_cut() {
    for (const std::size_t count_of : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
      LineChart bars;
      bars.bars = true;
      for (std::size_t i = 0; i < count_of; ++i) bars.series.push_back({"s", {1, 2, 3, 4, 5}, {3, 3, 3, 3, 3}});
      const QImage image = picture(bars);
      for (const char* ink : {"#0072b2", "#d55e00", "#009e73"}) {
        if (count_of < 3 && ink[1] == '0' && ink[2] == '0' && ink[3] == '9') continue;
        if (count_of < 2 && ink[1] == 'd') continue;
        // A line a little above the axis meets the outline and the pattern of each bar.
        std::vector<int> widths;
        int last = -100;
        for (int x = 0; x < image.width(); ++x) {
          if (count(image, QColor(QLatin1String(ink)), QRect(x, image.height() / 3, 1, image.height() / 5)) == 0)
            continue;
          x - last > 12 ? widths.push_back(1) : void(widths.back() += x - last);
          last = x;
        }
        QCOMPARE(widths.size(), std::size_t{5});
        for (const int each : widths)
          QVERIFY2(std::abs(each - widths[2]) <= 2,
                   qPrintable(QStringLiteral("%1 series, %2: %3 pixels, the middle one %4")
                                  .arg(count_of)
                                  .arg(QLatin1String(ink))
                                  .arg(each)
                                  .arg(widths[2])));
      }
    }
  }

  void bars_stand_on_zero() {
    LineChart bars;
    bars.series = {{"influence", {1, 2}, {1, 4}}};
    bars.x_labels = {{1, QStringLiteral("A")}, {2, QStringLiteral("B")}};
    bars.bars = true;
    const QImage image = picture(bars);
    const QColor ink(QStringLiteral("#0072b2"));
    const QRect above_legend(0, 0, image.width(), image.height() * 4 / 5);
    int last = 0;
    std::vector<int> columns;
    for (int x = above_legend.left(); x <= above_legend.right(); ++x)
      columns.push_back(count(image, ink, QRect(x, 0, 1, above_legend.height())));
    std::vector<int> sums;
    for (const int each : columns) {
      if (each > 0 && last == 0) sums.push_back(0);
      if (each > 0) sums.back() += each;
      last = each;
    }
    QCOMPARE(sums.size(), std::size_t{2});
    const double ratio = static_cast<double>(sums[1]) / sums[0];
    QVERIFY2(ratio > 3.7 && ratio < 4.3, qPrintable(QString::number(ratio)));
  }

  // The whole rectangle is painted, in the background of the theme.
  void nothing_of_what_was_there_shines_through() {
    const QImage image = picture(chart());
    QCOMPARE(count(image, Qt::magenta, image.rect()), 0);
    QCOMPARE(image.pixelColor(1, 1), Theme::instance().background());
  }

  // A line at 1 runs in the upper half, one at 0 in the lower half.
  void lines_are_where_their_values_are() {
    LineChart two = chart();
    two.title.clear();
    two.series = {{"high", {1, 2, 3}, {1, 1, 1}}, {"low", {1, 2, 3}, {0, 0, 0}}};
    const QImage image = picture(two);
    const QRect upper(60, 0, 400, 130), lower(60, 131, 400, 110);
    const QColor first("#0072b2"), second("#d55e00");
    QVERIFY(count(image, first, upper) > 100);
    QCOMPARE(count(image, first, lower), 0);
    QVERIFY(count(image, second, lower) > 50);
    QCOMPARE(count(image, second, upper), 0);
  }

  // A peak at 10 between 1 and 100 stands in the middle of a logarithmic axis, and at the left of a linear one.
  void axes_can_be_logarithmic() {
    LineChart peak = chart();
    peak.title.clear();
    peak.series = {{"peak", {1, 10, 100}, {0, 1, 0}}};
    const QRect left(60, 0, 100, 60), middle(200, 0, 140, 60);
    const QColor first("#0072b2");
    for (const bool log : {false, true}) {
      peak.log_x = log;
      const QImage image = picture(peak);
      QCOMPARE(count(image, first, middle) > 20, log);
      QCOMPARE(count(image, first, left) > 20, !log);
    }
    // Across: 1, 10 and 100 stand one above the other in equal steps; nothing and less have no place.
    peak.log_x = false;
    peak.log_y = true;
    peak.y_range.reset();
    peak.series = {{"rise", {1, 2, 3}, {1, 10, 100}}, {"none", {1, 2, 3}, {0, -1, 0}}};
    const QImage image = picture(peak);
    QVERIFY(count(image, first, QRect(220, 90, 80, 60)) > 10);
    QCOMPARE(count(image, QColor("#d55e00"), QRect(0, 0, 480, 260)), 0);
  }

  void what_is_no_number_is_a_gap() {
    const double none = std::numeric_limits<double>::infinity();
    LineChart one = chart();
    one.title.clear();
    one.series = {{"all", {1, 2, 3, 4, 5}, {1, 1, 1, 1, 1}}};
    const int whole = count(picture(one), QColor("#0072b2"), QRect(0, 0, 480, 130));
    one.series[0].y = {1, 1, none, 1, 1};
    const int parts = count(picture(one), QColor("#0072b2"), QRect(0, 0, 480, 130));
    QVERIFY2(parts > whole / 4 && parts < 3 * whole / 4, qPrintable(QString("%1 of %2").arg(parts).arg(whole)));
    one.series[0].y = {none, none, none, none, none};
    QCOMPARE(count(picture(one), QColor("#0072b2"), QRect(0, 0, 480, 130)), 0);
    one.series.clear();
    QCOMPARE(picture(one).size(), QSize(480, 320));
  }
};

HEADLIGHT_WIDGET_TEST(TestLineChart)

}  // namespace headlight::test_line_chart

#include "test_line_chart.moc"
