// The heatmap under mouse and keyboard: what it reads out, chooses, moves and zooms, and what it keeps.

#include <QSignalSpy>
#include <QTest>

#include "tests/test_program.h"
#include "tests/widgets/heatmap_of_dates.h"
#include "tests/widgets/image_test.h"
#include "widgets/matrix/heatmap.h"

namespace headlight::test_heatmap_input {

using namespace sample;

class TestHeatmapInput : public QObject {
  Q_OBJECT

 private slots:
  void init() { Theme::instance().set_mode(Theme::Mode::light); }

  void hover_reads_the_exact_weight() {
    Heatmap map;
    fill(map);
    map.set_matrix(10, 29, [] {
      std::vector<float> v = date_weights();
      v[3 * 29 + 2] = 0.93125f;
      return v;
    }());
    show_at(map, {800, 360});
    QSignalSpy hovered(&map, &Heatmap::cellHovered);
    QTest::mouseMove(map.viewport(), middle_of(map, 3, 2));
    QTRY_COMPARE(hovered.size(), 1);
    QCOMPARE(hovered.first(), (QVariantList{3, 2}));
    QCOMPARE(map.readout(3, 2), QStringLiteral("‘4’, ‘p’: 0.9312"));
    QCOMPARE(map.readout(0, 28).section(':', 0, 0), QStringLiteral("‘1’, space"));
    QTest::mouseMove(map.viewport(), QPoint(1, 1));
    QTRY_COMPARE(hovered.size(), 2);
    QCOMPARE(hovered.last(), (QVariantList{-1, -1}));
  }

  void click_selects_and_activates() {
    Heatmap map;
    fill(map);
    show_at(map, {800, 360});
    QSignalSpy activated(&map, &Heatmap::cellActivated);
    QTest::mouseClick(map.viewport(), Qt::LeftButton, {}, middle_of(map, 4, 9));
    QCOMPARE(activated.size(), 1);
    QCOMPARE(activated.first(), (QVariantList{4, 9}));
    QCOMPARE(map.selected_cell(), (HeatmapCell{4, 9}));
    QVERIFY(map.accessibleDescription().contains("‘-’"));
  }

  void a_drag_pans_and_does_not_select() {
    Heatmap map;
    fill(map);
    show_at(map, {800, 360});
    map.set_window({0, 10, 0, 5});
    QSignalSpy activated(&map, &Heatmap::cellActivated);
    const QPoint from = middle_of(map, 2, 6);
    const QPoint to = from - QPoint(qRound(2 * map.heatmap_layout().cell_width), 0);
    QTest::mousePress(map.viewport(), Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, map.viewport()->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(map.viewport(), &move);
    QTest::mouseRelease(map.viewport(), Qt::LeftButton, {}, to);
    QVERIFY(activated.isEmpty());
    QVERIFY(std::abs(map.heatmap_layout().window.left - 2) < 0.05);
    QCOMPARE(map.heatmap_layout().window.width(), 10.0);
  }

  void wheel_zooms_around_the_mouse_and_zero_shows_everything() {
    Heatmap map;
    fill(map);
    show_at(map, {800, 360});
    const QPoint place = middle_of(map, 5, 20);
    QWheelEvent wheel(place, map.viewport()->mapToGlobal(place), {}, {0, 240}, Qt::NoButton, {}, Qt::NoScrollPhase,
                      false);
    QCoreApplication::sendEvent(map.viewport(), &wheel);
    QVERIFY(map.heatmap_layout().window.width() < 25);
    QCOMPARE(map.heatmap_layout().cell_at(place), (HeatmapCell{5, 20}));
    QTest::keyClick(&map, Qt::Key_0);
    QCOMPARE(map.heatmap_layout().window, HeatmapWindow::whole(10, 29));
    QCoreApplication::sendEvent(map.viewport(), &wheel);
    QTest::mouseDClick(map.viewport(), Qt::LeftButton, {}, place);
    QCOMPARE(map.heatmap_layout().window, HeatmapWindow::whole(10, 29));
  }

  void works_with_the_keyboard_alone() {
    Heatmap map;
    fill(map);
    show_at(map, {800, 360});
    map.setFocus(Qt::TabFocusReason);
    QSignalSpy moved(&map, &Heatmap::cursorMoved), activated(&map, &Heatmap::cellActivated);
    QTest::keyClick(&map, Qt::Key_Right);
    QCOMPARE(map.selected_cell(), (HeatmapCell{0, 0}));
    QTest::keyClick(&map, Qt::Key_Right);
    QTest::keyClick(&map, Qt::Key_Down);
    QCOMPARE(map.selected_cell(), (HeatmapCell{1, 1}));
    QTest::keyClick(&map, Qt::Key_PageDown);
    QCOMPARE(map.selected_cell(), (HeatmapCell{9, 1}));
    QTest::keyClick(&map, Qt::Key_Left);
    QTest::keyClick(&map, Qt::Key_Left);
    QCOMPARE(map.selected_cell(), (HeatmapCell{9, 0}));
    QCOMPARE(moved.last(), (QVariantList{9, 0}));
    QTest::keyClick(&map, Qt::Key_Return);
    QCOMPARE(activated.last(), (QVariantList{9, 0}));
    QTest::keyClick(&map, Qt::Key_F2);
    QTest::keyClick(&map, Qt::Key_Plus);
    QTest::keyClick(&map, Qt::Key_Plus);
    const HeatmapWindow zoomed = map.heatmap_layout().window;
    QVERIFY(zoomed.width() < 29 && zoomed.left == 0 && std::abs(zoomed.bottom - 10) < 1e-9);
    for (int i = 0; i < 28; ++i) QTest::keyClick(&map, Qt::Key_Right);
    QCOMPARE(map.heatmap_layout().window.right, 29.0);  // the cursor is followed
  }

  void a_new_matrix_of_the_same_size_keeps_zoom_and_cursor() {
    Heatmap map;
    fill(map);
    show_at(map, {800, 360});
    map.set_window({4, 14, 2, 7});
    map.set_selected_cell(3, 6);
    map.set_matrix(10, 29, date_weights(1), 2);
    QCOMPARE(map.selected_cell(), (HeatmapCell{3, 6}));
    QCOMPARE(map.heatmap_layout().window.left, 4.0);
    map.set_matrix(2, 2, {0, 1, 1, 0}, 3);
    QCOMPARE(map.selected_cell(), HeatmapCell{});
    QCOMPARE(map.heatmap_layout().window, HeatmapWindow::whole(2, 2));
  }
};

HEADLIGHT_WIDGET_TEST(TestHeatmapInput)

}  // namespace headlight::test_heatmap_input

#include "test_heatmap_input.moc"
