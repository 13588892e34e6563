// Numbers as coloured cells: scales and pooled pictures, worked by hand.

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/export/export.h"
#include "widgets/matrix/cells.h"

namespace headlight::test_cells {

class TestCells : public QObject {
  Q_OBJECT

 private slots:
  void a_share_of_the_scale_is_a_colour() {
    const Theme& theme = Theme::instance();
    const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
    const CellScale weights = CellScale::up_to(0.5), both = CellScale::around_zero(4);
    QCOMPARE(weights.share(0.125), 0.25);
    QCOMPARE(weights.share(7), 1.0);
    QCOMPARE(weights.share(-7), 0.0);
    QCOMPARE(both.share(0), 0.5);
    QCOMPARE(both.share(-1), 0.375);
    QCOMPARE(both.share(infinity), 1.0);
    QVERIFY(std::isnan(both.share(nan)));
    QVERIFY(std::isnan(weights.share(nan)) && std::isnan(weights.share(infinity)));  // no share of anything
    QCOMPARE(weights.colour(0.125), theme.weight(0.25));
    QCOMPARE(both.colour(-1), theme.signed_value(-0.25));
    QCOMPARE(both.colour(nan), theme.weight(nan));
    QCOMPARE((CellScale{false, 2, 4}.share(2.5)), 0.25);
    // All numbers are 0: nothing stands out.
    QCOMPARE(CellScale::around_zero(0).colour(0), theme.signed_value(0));
    QCOMPARE(CellScale::up_to(0).colour(0), theme.weight(0));
  }

  void factors_of_ten_have_as_much_colour_each() {
    const CellScale weights = CellScale::logarithmic_to(1);
    QCOMPARE(weights.share(1), 1.0);
    QVERIFY(std::abs(weights.share(0.1) - 2.0 / 3) < 1e-12);
    QVERIFY(std::abs(weights.share(0.01) - 1.0 / 3) < 1e-12);
    for (const double small : {0.001, 1e-9, 0.0, -1.0}) QCOMPARE(weights.share(small), 0.0);
    QVERIFY(std::isnan(weights.share(std::nan(""))));
    QVERIFY(std::abs(weights.at(2.0 / 3) - 0.1) < 1e-12);
    QCOMPARE(CellScale::up_to(0.5).at(0.5), 0.25);
  }

  // In a file that can be enlarged cells have edges: rectangles, or several points each.
  void cells_in_a_file_are_not_blurred() {
    const auto svg_of = [](int side) {
      QImage picture(side, side, QImage::Format_RGB32);
      for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) picture.setPixel(x, y, qRgb(x % 256, y % 256, (x * 7 + y * 13) % 256));
      QTemporaryDir folder;
      const QString path = folder.filePath("cells.svg");
      export_picture(path, QSize(50, 50),
                     [&](QPainter& painter) { paint_cells(painter, QRectF(0, 0, 50, 50), picture); }, {});
      QFile file(path);
      return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    };
    const QString few = svg_of(10), many = svg_of(100);
    QCOMPARE(few.count("<image"), 0);
    QVERIFY(few.count("<rect") + few.count("<path") >= 100);
    QCOMPARE(many.count("<image"), 1);
    // What is written there, read again.
    const QRegularExpression data(QStringLiteral("base64,([^\"]+)\""));
    const auto match = data.match(many);
    QVERIFY(match.hasMatch());
    const QImage written = QImage::fromData(QByteArray::fromBase64(match.captured(1).toLatin1()));
    QCOMPARE(written.size(), QSize(800, 800));
    QCOMPARE(written.pixel(7, 7), written.pixel(0, 0));
    QVERIFY(written.pixel(8, 0) != written.pixel(7, 0));
  }

  void a_scale_of_a_tensor_is_as_wide_as_its_finite_values() {
    const auto of = [](std::vector<Scalar> values) {
      Tensor tensor(Shape({static_cast<Index>(values.size())}));
      for (std::size_t i = 0; i < values.size(); ++i) tensor[static_cast<Index>(i)] = values[i];
      return CellScale::of(tensor);
    };
    constexpr auto infinity = std::numeric_limits<Scalar>::infinity();
    QCOMPARE(of({0, 3, infinity}).high, 3.0);
    QVERIFY(!of({0, 3}).is_signed);
    QVERIFY(!of({0, 3, -infinity}).is_signed);
    QVERIFY(of({0, 3, -1}).is_signed);
    QCOMPARE(of({0, 3, -5}).low, -5.0);
    QCOMPARE(of({0, 3, -5}).high, 5.0);
  }

  void words() {
    QCOMPARE(CellScale().text(), QString("0 … 1"));
    QCOMPARE(CellScale::around_zero(1.3749).text(), QString("±1.37"));
    QCOMPARE((CellScale{false, -2, 0.25}.text()), QStringLiteral("−2 … 0.25"));
  }

  void looked_up_colours_are_those_of_the_scale() {
    for (const bool is_signed : {false, true}) {
      const CellScale scale = is_signed ? CellScale::around_zero(1) : CellScale::up_to(1);
      const CellColours colours(is_signed);
      for (const double value : {-1.0, -0.5, 0.0, 0.25, 0.5, 1.0})
        QCOMPARE(colours.at(scale.share(value)), scale.colour(value).rgb());
      QCOMPARE(colours.at(std::nan("")), Theme::instance().weight(std::nan("")).rgb());
    }
  }

  void a_point_shows_the_farthest_value_of_its_cells_or_that_one_is_no_number() {
    const double infinity = std::numeric_limits<double>::infinity();
    const double values[2][5] = {{0.5, -2, 0, 0, 0.25}, {1, 1.5, infinity, std::nan(""), 0}};
    const auto value = [&](int column, int row) { return values[row][column]; };
    QCOMPARE(farthest_value(0, 2, 0, 2, value), -2.0);
    QCOMPARE(farthest_value(2, 3, 0, 2, value), 0.0);
    QVERIFY(std::isnan(farthest_value(2, 5, 0, 2, value)));
    QVERIFY(std::isnan(farthest_value(2, 4, 1, 2, value)));
    QVERIFY(std::isnan(farthest_value(0, 0, 0, 2, value)));

    const CellScale scale = CellScale::around_zero(2);
    const QImage few = pooled_picture(QRect(0, 0, 5, 2), QSize(2, 1), scale, value);  // columns 0, 1 and 2, 3, 4
    QCOMPARE(few.size(), QSize(2, 1));
    QCOMPARE(few.pixel(0, 0), scale.colour(-2).rgb());
    QCOMPARE(few.pixel(1, 0), scale.colour(std::nan("")).rgb());
    const QImage part = pooled_picture(QRect(3, 0, 2, 2), QSize(50, 50), scale, value);  // not more points than cells
    QCOMPARE(part.size(), QSize(2, 2));
    QCOMPARE(part.pixel(1, 0), scale.colour(0.25).rgb());
    QCOMPARE(part.pixel(0, 1), Theme::instance().weight(std::nan("")).rgb());
  }
};

HEADLIGHT_WIDGET_TEST(TestCells)

}  // namespace headlight::test_cells

#include "test_cells.moc"
