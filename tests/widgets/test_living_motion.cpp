// From one run to the next: what is the same stays pixel for pixel, what is another fades over, and at once where the
// desktop asks for less motion.
#include <QElapsedTimer>
#include <QProxyStyle>
#include <QTest>

#include "tests/test_program.h"
#include "tests/widgets/living_shown.h"

namespace headlight::test_living_motion {

namespace {

class MotionStyle : public QProxyStyle {
 public:
  explicit MotionStyle(int duration) : duration_(duration) {}
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* data) const override {
    return hint == SH_Widget_Animation_Duration ? duration_ : QProxyStyle::styleHint(hint, option, widget, data);
  }

 private:
  int duration_;
};

std::shared_ptr<const Result> typed(const char* text) { return living_run("story-gpt", text); }

}  // namespace

class TestLivingMotion : public QObject {
  Q_OBJECT

 private slots:
  void what_is_the_same_stays_while_the_rest_fades() {
    QImage before(3, 1, QImage::Format_ARGB32_Premultiplied), now(3, 1, QImage::Format_ARGB32_Premultiplied);
    before.setPixel(0, 0, qRgba(10, 20, 30, 255));
    now.setPixel(0, 0, qRgba(10, 20, 30, 255));
    before.setPixel(1, 0, qRgba(0, 0, 0, 0));
    now.setPixel(1, 0, qRgba(200, 100, 0, 255));
    before.setPixel(2, 0, qRgba(100, 0, 200, 255));
    now.setPixel(2, 0, qRgba(0, 100, 200, 255));
    for (const double way : {0.0, 0.3, 0.5, 1.0}) {
      const QImage image = LivingMotion::mix(before, now, way);
      QCOMPARE(image.pixel(0, 0), qRgba(10, 20, 30, 255));
      QVERIFY(std::abs(qAlpha(image.pixel(1, 0)) - 255 * way) <= 1);
      QVERIFY(std::abs(qRed(image.pixel(2, 0)) - 100 * (1 - way)) <= 1);
      QVERIFY(std::abs(qGreen(image.pixel(2, 0)) - 100 * way) <= 1);
      QCOMPARE(qBlue(image.pixel(2, 0)), 200);
    }
  }

  void a_run_fades_into_the_next() {
    MotionStyle style(200);
    LivingShown shown(typed("tom in the garden. he carries a"));
    shown.view.setStyle(&style);
    shown.picture();
    QVERIFY(!shown.view.is_moving());  // the first one is there at once
    shown.view.set_result(typed("tom in the garden. he carries a red"));
    QVERIFY(shown.view.is_moving());
    QTRY_VERIFY_WITH_TIMEOUT(!shown.view.is_moving(), 5000);
    static_assert(LivingMotion::kDuration <= 300);
    LivingShown fresh(typed("tom in the garden. he carries a red"));
    fresh.view.setStyle(&style);
    shown.view.clearFocus();
    fresh.view.clearFocus();
    QVERIFY(image_problem(shown.picture(), fresh.picture()).isEmpty());
    // Another model is another picture.
    shown.view.set_result(living_run("masked-bert", "the keys [MASK] on the table."));
    QVERIFY(!shown.view.is_moving());
  }

  void less_motion_is_none() {
    MotionStyle style(0);
    LivingShown shown(typed("tom in the garden. he carries a"));
    shown.view.setStyle(&style);
    shown.picture();
    shown.view.set_result(typed("tom in the garden. he carries a red"));
    QVERIFY(!shown.view.is_moving());
  }

  // Zoom, scroll and choice are held while somebody types at the end, and no pixel of the earlier lanes' words and beds
  // changes, in no frame on the way.
  void no_pixel_of_earlier_lanes_changes_on_the_way() {
    MotionStyle style(200);
    LivingShown shown(typed("tom in the garden. he carries a red box."));
    shown.view.setStyle(&style);
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
    QVERIFY(view.is_moving());
    QElapsedTimer clock;
    clock.start();
    int frames = 0;
    do {
      const QImage now = view.grab().toImage();
      if (!view.is_sharp()) {
        QTest::qWait(5);
        continue;
      }
      ++frames;
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
      QTest::qWait(20);
    } while (view.is_moving() && clock.elapsed() < 5000);
    QVERIFY(frames >= 2);
    QVERIFY(!view.is_moving());
  }
};

HEADLIGHT_WIDGET_TEST(TestLivingMotion)

}  // namespace headlight::test_living_motion

#include "test_living_motion.moc"
