// Somebody types at the end of a text: zoom, scroll and choice are held, and no pixel of the earlier lanes' words and
// beds changes.
#include <QTest>

#include "tests/test_program.h"
#include "tests/widgets/living_shown.h"

namespace headlight::test_living_held {

namespace {

std::shared_ptr<const Result> typed(const char* text) { return living_run("story-gpt", text); }

}  // namespace

class TestLivingHeld : public QObject {
  Q_OBJECT

 private slots:
  void no_pixel_of_earlier_lanes_changes() {
    LivingShown shown(typed("tom in the garden. he carries a red box."));
    LivingView& view = shown.view;
    view.choose({shown.lane("garden"), -1});
    for (int i = 0; i < 4; ++i) shown.key(Qt::Key_Plus);
    view.move_by({0, 1e6});
    view.clearFocus();
    const QImage was = shown.picture();
    const LivingChoice choice = view.choice();
    const QPointF scroll = view.scene().layout.metrics.camera.scroll;
    view.set_result(typed("tom in the garden. he carries a red box. he"));
    QCOMPARE(view.choice().lane, choice.lane);
    QCOMPARE(view.scene().layout.metrics.camera.scroll, scroll);
    const QImage now = shown.picture();
    const LivingLayout& layout = view.scene().layout;
    for (std::size_t i = 0; i < 4; ++i) {
      const LivingRow& row = layout.rows[i];
      QVERIFY(row.y + row.bed / 2 < layout.body.bottom());
      std::vector<std::pair<double, double>> columns = {{0, layout.body.left()}, {layout.next_x - 8, now.width()}};
      for (std::size_t s = 0; s < layout.stops.size(); ++s)
        if (view.map()->stations[s].kind == LivingStation::Kind::mlp)
          columns.emplace_back(std::max(layout.body.left(), layout.stops[s].x0 - scroll.x()),
                               std::min(layout.body.right(), layout.stops[s].after - scroll.x()));
      for (const auto& [from, to] : columns) {
        const QRect bed(static_cast<int>(std::ceil(from)), static_cast<int>(std::ceil(row.y - row.bed / 2)),
                        static_cast<int>(to - from) - 2, static_cast<int>(row.bed) - 1);
        if (bed.width() > 2) QCOMPARE(now.copy(bed), was.copy(bed));
      }
    }
  }
};

HEADLIGHT_WIDGET_TEST(TestLivingHeld)

}  // namespace headlight::test_living_held

#include "test_living_held.moc"
