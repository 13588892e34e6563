// The zoom at the upper right of the living map: it says how near one is, also by the wheel and the keys, is off where
// there is no farther, lies on no word, and in no file.
#include <QApplication>
#include <QPainter>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include "tests/test_program.h"
#include "tests/widgets/living_shown.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/zoom_control.h"

namespace headlight::test_living_zoom {

namespace {

ZoomControl* zoom_of(const LivingView& view) { return view.findChild<ZoomControl*>(); }

QToolButton* button(const LivingView& view, const char* name) {
  for (QToolButton* each : zoom_of(view)->findChildren<QToolButton*>())
    if (each->accessibleName() == QLatin1String(name)) return each;
  return nullptr;
}

}  // namespace

class TestLivingZoom : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { Theme::instance().set(Theme::Mode::light, 1); }

  void it_says_and_changes_how_near_one_is() {
    LivingShown shown(kLivingExamples[0]);
    const LivingView& view = shown.view;
    auto *farther = button(view, "Farther"), *closer = button(view, "Closer"), *all = button(view, "Show everything");
    QVERIFY(farther && closer && all);
    for (const QToolButton* each : {farther, closer, all}) QVERIFY(!each->toolTip().isEmpty());
    const auto* zoom = zoom_of(view);
    QVERIFY(zoom->isVisible() && !zoom->accessibleName().isEmpty());
    const auto says = [&](const char* text, bool whole) {
      QCOMPARE(zoom->text(), QLatin1String(text));
      QCOMPARE(zoom->accessibleDescription(), QLatin1String(text));
      QVERIFY(closer->isEnabled());
      QCOMPARE(farther->isEnabled(), !whole);
      QCOMPARE(all->isEnabled(), !whole);
    };
    says("100 %", true);
    closer->click();  // as the key does, by a quarter
    says("125 %", false);
    shown.key(Qt::Key_Plus);
    says("156 %", false);
    farther->click();
    says("125 %", false);
    all->click();
    says("100 %", true);
    const QPointF at = view.viewport()->rect().center();
    QWheelEvent wheel(at, view.viewport()->mapToGlobal(at), {}, {0, 240}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(view.viewport(), &wheel);
    says("143 %", false);  // 1.0015 to the power of 240
    shown.key(Qt::Key_0);
    says("100 %", true);
    // As near as one can come, and in as much room.
    const QSize size = zoom->size();
    shown.view.zoom_along(1e9, at, LivingCamera::Along::depth);
    QVERIFY(closer->isEnabled());
    shown.view.zoom_along(1e9, at, LivingCamera::Along::lanes);
    QVERIFY(!closer->isEnabled() && farther->isEnabled());
    QCOMPARE(zoom->text(), QStringLiteral("20000 ×"));
    QCOMPARE(zoom->size(), size);
  }

  void it_is_reached_by_the_keyboard() {
    LivingShown shown(kLivingExamples[0]);
    shown.view.setFocus();
    QTRY_VERIFY(shown.view.hasFocus());
    shown.key(Qt::Key_Tab);
    QToolButton* closer = button(shown.view, "Closer");
    QCOMPARE(QApplication::focusWidget(), closer);  // there is no farther
    QTest::keyClick(closer, Qt::Key_Space);
    QCOMPARE(zoom_of(shown.view)->text(), QStringLiteral("125 %"));
    QTest::keyClick(closer, Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), button(shown.view, "Show everything"));
  }

  // Headings end beside it, lanes and what is written over them begin below it, of all of the map and near; and a file
  // has paper there.
  void it_lies_on_nothing_and_is_in_no_file_data() {
    QTest::addColumn<int>("example");
    int i = 0;
    for (const LivingExample& each : kLivingExamples) QTest::newRow(each.kind) << i++;
  }
  void it_lies_on_nothing_and_is_in_no_file() {
    QFETCH(int, example);
    const LivingExample& of = kLivingExamples[example];
    const auto result = living_run(of.model, of.text);
    int seen = 0;
    for (const QSize size : {QSize(904, 624), QSize(640, 440), QSize(460, 320), QSize(1280, 720)})
      for (const double type : {1.0, 1.5, 2.0}) {
        Theme::instance().set(Theme::Mode::light, type);
        LivingShown shown(result, size);
        shown.choose_step(of.step);
        const ZoomControl* zoom = zoom_of(shown.view);
        QVERIFY(size != QSize(904, 624) || zoom->isVisible());
        if (!zoom->isVisible()) continue;
        ++seen;
        const QRect place = zoom->geometry();
        QCOMPARE(place.height(), control_height());
        QCOMPARE(place.x() + place.width(), size.width() - space::kMargin);
        for (const double nearer : {1.0, 1.4, 2.2}) {
          if (nearer > 1) shown.view.zoom(nearer, {size.width() / 3.0, size.height() / 2.0});
          QVERIFY(shown.view.scene().layout.body.top() > place.bottom());
          const Figure figure = shown.view.figure();
          QImage file(figure.size, QImage::Format_RGB32);
          file.fill(Qt::red);
          QPainter painter(&file);
          figure.paint(painter);
          painter.end();
          int drawn = 0;
          for (int y = place.top(); y <= place.bottom(); ++y)
            for (int x = place.left(); x <= place.right(); ++x)
              drawn += file.pixelColor(x, y) == tokens().paper ? 0 : 1;
          QVERIFY2(drawn == 0,
                   qPrintable(QStringLiteral("%1, %2, %3: %4").arg(size.width()).arg(type).arg(nearer).arg(drawn)));
        }
      }
    QVERIFY(seen >= 6);
  }

  // The picture has all of a small view.
  void it_gives_way_in_a_small_view() {
    for (const QSize size : {QSize(260, 400), QSize(904, 180)}) {
      LivingShown shown(kLivingExamples[0], size);
      QVERIFY(!zoom_of(shown.view)->isVisible());
      shown.key(Qt::Key_Plus);
      QVERIFY(!zoom_of(shown.view)->isVisible());
    }
    // Nor has it anything to say where there is no map.
    Selection selection;
    ViewRequests requests;
    LivingView view({&selection, &requests});
    show_at(view, {904, 624});
    QVERIFY(!zoom_of(view)->isVisible());
  }
};

HEADLIGHT_WIDGET_TEST(TestLivingZoom)

}  // namespace headlight::test_living_zoom

#include "test_living_zoom.moc"
