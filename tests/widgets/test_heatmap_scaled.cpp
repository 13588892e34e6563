// The heatmap on a screen with two pixels for each unit.
#include <QTest>

#include "image_test.h"
#include "tests/test_program.h"
#include "widgets/matrix/heatmap.h"

namespace headlight::test_heatmap_scaled {

class TestHeatmapScaled : public QObject {
  Q_OBJECT

 public:
  static void initMain() { qputenv("QT_SCALE_FACTOR", "2"); }  // Qt reads it when the application object is made

 private slots:
  void is_sharp_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void is_sharp() {
    QFETCH(bool, dark);
    Theme::instance().set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
    Heatmap map;
    map.set_captions("output", "source", "weight");
    map.set_labels({{"1", false, {}}, {"9", false, {}}},
                   {{"M", false, {}}, {"a", false, {}}, {"␣", true, "space"}, {"1", false, {}}});
    map.set_matrix(2, 4, {0, 0.1f, 0.2f, 0.7f, 1, 0, 0, 0});
    show_at(map, {260, 160});
    const QImage image = map.grab().toImage();
    QCOMPARE(image.devicePixelRatio(), 2.0);
    QCOMPARE(image.size(), QSize(520, 320));
    // Between two cells there is paper, and right beside it each has its own colour, to the pixel: nothing was scaled
    // up.
    const QRectF cell = map.heatmap_layout().cell_rect(1, 0);
    const QPoint inside = QPointF(2 * (cell.right() - 2), 2 * (cell.top() + 5)).toPoint();
    QCOMPARE(image.pixelColor(inside), Theme::instance().weight(1));
    const QPoint beside = QPointF(2 * (cell.right() + 2), 2 * (cell.top() + 5)).toPoint();
    QCOMPARE(image.pixelColor(beside), Theme::instance().weight(0));
    const QPoint between = QPointF(2 * cell.right(), 2 * (cell.top() + 5)).toPoint();
    QCOMPARE(image.pixelColor(between), Theme::instance().background());
    COMPARE_IMAGE(map, QString("heatmap_scaled_") + (dark ? "dark" : "light"));
  }
};

HEADLIGHT_WIDGET_TEST(TestHeatmapScaled)

}  // namespace headlight::test_heatmap_scaled

#include "test_heatmap_scaled.moc"
