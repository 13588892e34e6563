// The base of painted views: what keys and buttons mean, scrolling and zoom.

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTest>
#include <QWheelEvent>

#include "tests/test_program.h"
#include "widgets/canvas/canvas.h"
#include "widgets/canvas/canvas_keys.h"

namespace headlight::test_canvas {

namespace {

// Content of a least size that fills what there is, and a list of what it was asked to do.
class Probe : public Canvas {
 public:
  explicit Probe(QSizeF least, Layout layout = Layout::scrolled) : Canvas(layout, nullptr), least_(least) {
    announce();
    lay_out();
  }
  QStringList told;
  QString chosen = "nothing";
  QSizeF room;
  int rows = kPage;
  bool knows = true;
  using Canvas::announce;
  using Canvas::kEnd;
  using Canvas::reveal;
  using Canvas::sight;

 protected:
  QSizeF arrange(QSizeF view) override {
    room = view;
    return view.expandedTo(least_);
  }
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override {
    painter.fillRect(QRectF(100, 50, 20, 10), marks ? Qt::red : Qt::blue);
    seen_ = sight;
  }
  QString name() const override { return "probe"; }
  QString description() const override { return chosen; }
  Qt::CursorShape hover(QPointF point) override { return tell("hover", point), Qt::CrossCursor; }
  void leave() override { told << "leave"; }
  void press(QPointF point, Qt::KeyboardModifiers) override { tell("press", point); }
  void drag(QPointF point) override { tell("drag", point); }
  void release(QPointF point) override { tell("release", point); }
  void open_at(QPointF point) override { tell("open", point); }
  bool menu(std::optional<QPointF> point, const QPoint&) override {
    tell("menu", point.value_or(QPointF(-1, -1)));
    return true;
  }
  bool go(int right, int down) override { return tell("go", QPointF(right, down)), knows; }
  bool go_to_other(int by) override { return told << QString("other %1").arg(by), knows; }
  bool activate() override { return told << "activate", knows; }
  int page() const override { return rows; }
  bool press_key(const QKeyEvent& event) override { return event.key() == Qt::Key_1; }

 private:
  void tell(const char* what, QPointF point) {
    told << QString("%1 %2 %3").arg(what).arg(qRound(point.x())).arg(qRound(point.y()));
  }
  QSizeF least_;
  mutable QRectF seen_;
};

void mouse(QWidget* to, QEvent::Type type, QPointF at, Qt::MouseButton button, Qt::MouseButtons buttons) {
  QMouseEvent event(type, at, to->mapToGlobal(at), button, buttons, {});
  QCoreApplication::sendEvent(to, &event);
}

bool wheel(QWidget* to, QPointF at, int turned, Qt::KeyboardModifiers modifiers = {}) {
  QWheelEvent event(at, to->mapToGlobal(at), {}, {0, turned}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(to, &event);
  return event.isAccepted();
}

}  // namespace

class TestCanvas : public QObject {
  Q_OBJECT

 private slots:
  void keys_mean_what_the_table_says_data() {
    QTest::addColumn<int>("key");
    QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
    QTest::addColumn<QString>("told");
    const auto row = [](const char* name, Qt::Key key, Qt::KeyboardModifiers modifiers, const char* told) {
      QTest::newRow(name) << static_cast<int>(key) << modifiers << QString(told);
    };
    const Qt::KeyboardModifiers control = Qt::ControlModifier;
    row("left", Qt::Key_Left, {}, "go -1 0");
    row("right", Qt::Key_Right, {}, "go 1 0");
    row("up", Qt::Key_Up, {}, "go 0 -1");
    row("down", Qt::Key_Down, {}, "go 0 1");
    row("page up", Qt::Key_PageUp, {}, "go 0 -7");
    row("page down", Qt::Key_PageDown, {}, "go 0 7");
    row("home", Qt::Key_Home, {}, "go -268435456 0");
    row("end", Qt::Key_End, {}, "go 268435456 0");
    row("control home", Qt::Key_Home, control, "go -268435456 -268435456");
    row("control end", Qt::Key_End, control, "go 268435456 268435456");
    row("control up", Qt::Key_Up, control, "other -1");
    row("control down", Qt::Key_Down, control, "other 1");
    row("return", Qt::Key_Return, {}, "activate");
    row("enter", Qt::Key_Enter, {}, "activate");
    row("space", Qt::Key_Space, {}, "activate");
    row("its own", Qt::Key_1, {}, "");
  }
  void keys_mean_what_the_table_says() {
    QFETCH(int, key);
    QFETCH(Qt::KeyboardModifiers, modifiers);
    QFETCH(QString, told);
    Probe probe({100, 100});
    probe.rows = 7;
    show_at(probe, {300, 200});
    for (const bool knows : {true, false}) {
      probe.knows = knows;
      probe.told.clear();
      QKeyEvent event(QEvent::KeyPress, key, modifiers);
      QCoreApplication::sendEvent(&probe, &event);
      QCOMPARE(probe.told.join(';'), told);
      QCOMPARE(event.isAccepted(), knows || told.isEmpty());  // what nobody wanted goes on to the window
    }
  }

  void no_key_has_two_meanings() {
    QSet<std::pair<int, bool>> seen;
    int rows = 0;
    for (const CanvasKeyRow& row : canvas_key_table()) {
      ++rows;
      QVERIFY(!canvas_key_text(row.what).isEmpty());
      for (const CanvasKey& each : row.bindings) {
        QVERIFY2(!seen.contains({each.key, each.control}), row.keys);
        seen.insert({each.key, each.control});
      }
    }
    QVERIFY(rows > 10);
    // Those of the whole window stay those of the window.
    for (const Qt::Key key : {Qt::Key_Plus, Qt::Key_Equal, Qt::Key_Minus, Qt::Key_0}) {
      QVERIFY(!canvas_command(QKeyEvent(QEvent::KeyPress, key, Qt::ControlModifier)));
      QVERIFY(canvas_command(QKeyEvent(QEvent::KeyPress, key, Qt::NoModifier)));
    }
    QVERIFY(!canvas_command(QKeyEvent(QEvent::KeyPress, Qt::Key_Up, Qt::AltModifier)));
    for (int digit = 1; digit < 10; ++digit)
      QVERIFY(!canvas_command(QKeyEvent(QEvent::KeyPress, Qt::Key_0 + digit, Qt::NoModifier)));
  }

  void only_the_left_button_chooses_and_the_middle_one_moves_what_is_seen() {
    Probe probe({1000, 800});
    show_at(probe, {300, 200});
    QWidget* seen = probe.viewport();
    mouse(seen, QEvent::MouseButtonPress, {40, 30}, Qt::LeftButton, Qt::LeftButton);
    mouse(seen, QEvent::MouseMove, {50, 30}, Qt::NoButton, Qt::LeftButton);
    mouse(seen, QEvent::MouseButtonRelease, {50, 30}, Qt::LeftButton, {});
    mouse(seen, QEvent::MouseButtonDblClick, {50, 30}, Qt::LeftButton, Qt::LeftButton);
    mouse(seen, QEvent::MouseMove, {60, 30}, Qt::NoButton, {});
    QCOMPARE(probe.told, (QStringList{"press 40 30", "drag 50 30", "release 50 30", "open 50 30", "hover 60 30"}));
    QCOMPARE(seen->cursor().shape(), Qt::CrossCursor);
    probe.told.clear();
    for (const Qt::MouseButton button : {Qt::RightButton, Qt::BackButton}) {
      mouse(seen, QEvent::MouseButtonPress, {40, 30}, button, button);
      mouse(seen, QEvent::MouseButtonRelease, {40, 30}, button, {});
      mouse(seen, QEvent::MouseButtonDblClick, {40, 30}, button, button);
    }
    QCOMPARE(probe.told, QStringList());
    mouse(seen, QEvent::MouseButtonPress, {140, 130}, Qt::MiddleButton, Qt::MiddleButton);
    mouse(seen, QEvent::MouseMove, {100, 110}, Qt::NoButton, Qt::MiddleButton);
    QCOMPARE(probe.content_point({0, 0}), QPointF(40, 20));
    QCOMPARE(probe.told, QStringList());
    mouse(seen, QEvent::MouseButtonRelease, {100, 110}, Qt::MiddleButton, {});
    mouse(seen, QEvent::MouseMove, {10, 10}, Qt::NoButton, {});
    QCOMPARE(probe.content_point({0, 0}), QPointF(40, 20));
    QCOMPARE(probe.told.last(), QString("hover 50 30"));  // in the coordinates of the content
  }

  void menus_come_from_the_mouse_and_the_keyboard() {
    Probe probe({1000, 800});
    show_at(probe, {300, 200});
    probe.horizontalScrollBar()->setValue(100);
    QContextMenuEvent click(QContextMenuEvent::Mouse, {20, 30}, {500, 500});
    QCoreApplication::sendEvent(probe.viewport(), &click);
    QContextMenuEvent key(QContextMenuEvent::Keyboard, {20, 30}, {500, 500});
    QCoreApplication::sendEvent(&probe, &key);
    QCOMPARE(probe.told, (QStringList{"menu 120 30", "menu -1 -1"}));
  }

  void the_wheel_scrolls_and_with_control_it_zooms() {
    Probe probe({1000, 800});
    show_at(probe, {300, 200});
    QWidget* seen = probe.viewport();
    wheel(seen, {100, 100}, -120);
    QVERIFY(probe.verticalScrollBar()->value() > 20);
    QCOMPARE(probe.horizontalScrollBar()->value(), 0);
    QCOMPARE(probe.scale(), 1.0);
    wheel(seen, {100, 100}, -120, Qt::ShiftModifier);
    QVERIFY(probe.horizontalScrollBar()->value() > 20);
    const QPointF under = probe.content_point({100, 100});
    wheel(seen, {100, 100}, 240, Qt::ControlModifier);
    QVERIFY(probe.scale() > 1.3 && probe.scale() < 1.6);
    const QPointF after = probe.content_point({100, 100});
    QVERIFY(std::abs(after.x() - under.x()) < 1 && std::abs(after.y() - under.y()) < 1);
    QCOMPARE(probe.picture_size(), QSize(1000, 800));  // files have it as it is without zoom
  }

  void where_there_is_nothing_to_scroll_the_wheel_is_left_to_what_is_around() {
    Probe probe({100, 100});
    show_at(probe, {300, 200});
    QVERIFY(!wheel(probe.viewport(), {10, 10}, 120));
    QCOMPARE(probe.scale(), 1.0);
    Probe wide({1000, 100});  // only sideways
    show_at(wide, {300, 200});
    QVERIFY(wheel(wide.viewport(), {10, 10}, -120));
    QVERIFY(wide.horizontalScrollBar()->value() > 20);
    Probe barless({100, 100});
    barless.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    barless.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    show_at(barless, {300, 200});
    QVERIFY(wheel(barless.viewport(), {10, 10}, 120));
    QVERIFY(barless.scale() > 1.1);
  }

  void plus_and_minus_zoom_and_zero_shows_all() {
    Probe probe({1000, 800});
    show_at(probe, {300, 200});
    QTest::keyClick(&probe, Qt::Key_Plus);
    const double closer = probe.scale();
    QVERIFY(closer > 1);
    QVERIFY(probe.horizontalScrollBar()->maximum() > 1000 * closer - 301);
    QTest::keyClick(&probe, Qt::Key_Minus);
    QCOMPARE(probe.scale(), 1.0);
    for (int i = 0; i < 40; ++i) QTest::keyClick(&probe, Qt::Key_Equal);
    QCOMPARE(probe.scale(), 8.0);
    QTest::keyClick(&probe, Qt::Key_0);
    QCOMPARE(probe.horizontalScrollBar()->maximum(), 0);
    QCOMPARE(probe.verticalScrollBar()->maximum(), 0);
    QCoreApplication::processEvents();  // the scroll bars go
    QVERIFY(probe.sight().contains(QRectF(1, 1, 997, 797)));
    const double all = probe.scale();
    QTest::keyClick(&probe, Qt::Key_Minus);
    QVERIFY(std::abs(probe.scale() - all) < 0.01);  // never smaller than the whole
  }

  void what_wraps_gets_less_room_as_it_grows() {
    Probe probe({0, 0}, Canvas::Layout::wrapped);
    show_at(probe, {400, 200});
    QCOMPARE(probe.room, QSizeF(400, 200));
    probe.zoom(2, {0, 0});
    QCOMPARE(probe.room, QSizeF(200, 100));
    QCOMPARE(probe.horizontalScrollBar()->maximum(), 0);
  }

  // The bar for one direction takes room from the other, and content that fills the width needs no second bar.
  void content_is_laid_out_for_what_the_scroll_bars_leave() {
    Probe tall({0, 900});
    show_at(tall, {300, 200});
    QCOMPARE(tall.horizontalScrollBar()->maximum(), 0);
    QCOMPARE(tall.room.width(), 1.0 * tall.viewport()->width());
    QVERIFY(tall.viewport()->width() < 300);
    QCOMPARE(tall.verticalScrollBar()->maximum(), 900 - tall.viewport()->height());
    Probe both({290, 900});  // fits without the bar, not beside it
    show_at(both, {300, 200});
    QVERIFY(both.horizontalScrollBar()->maximum() > 0);
    QCOMPARE(both.horizontalScrollBar()->maximum(), 290 - both.viewport()->width());
    QCOMPARE(both.verticalScrollBar()->maximum(), 900 - both.viewport()->height());
    both.resize(500, 1000);
    QCOMPARE(both.room, QSizeF(500, 1000));
    QCOMPARE(both.verticalScrollBar()->maximum(), 0);
  }

  void reveal_scrolls_as_little_as_needed() {
    Probe probe({1000, 800});
    show_at(probe, {300, 200});
    const int width = probe.viewport()->width(), height = probe.viewport()->height();
    probe.reveal({600, 500, 20, 10}, 5);
    QCOMPARE(probe.content_point({0, 0}), QPointF(625 - width, 515 - height));
    probe.reveal({610, 505, 5, 2}, 5);
    QCOMPARE(probe.content_point({0, 0}), QPointF(625 - width, 515 - height));
    probe.reveal({100, 0, 20, 0}, 5);  // only sideways
    QCOMPARE(probe.content_point({0, 0}), QPointF(95, 515 - height));
    probe.reveal({50, 40, 5000, 5000}, 0);
    QCOMPARE(probe.content_point({0, 0}), QPointF(50, 40));
  }

  void pictures_have_no_marks_and_no_zoom() {
    Probe probe({500, 300});
    show_at(probe, {400, 250});
    probe.zoom(3, {0, 0});
    QImage image(probe.picture_size(), QImage::Format_RGB32);
    QPainter painter(&image);
    probe.paint_picture(painter);
    painter.end();
    QCOMPARE(image.pixelColor(110, 55), QColor(Qt::blue));
    QImage screen = probe.viewport()->grab().toImage();
    QCOMPARE(screen.pixelColor(QPoint(110 * 3 - probe.horizontalScrollBar()->value(), 55 * 3)), QColor(Qt::red));
  }

  void screen_readers_are_told() {
    Probe probe({100, 100});
    QCOMPARE(probe.accessibleName(), QString("probe"));
    QCOMPARE(probe.accessibleDescription(), QString("nothing"));
    probe.chosen = "cell 3";
    probe.announce();
    QCOMPARE(probe.accessibleDescription(), QString("cell 3"));
    probe.chosen = "单元格 3";
    QEvent language(QEvent::LanguageChange);
    QCoreApplication::sendEvent(&probe, &language);
    QCOMPARE(probe.accessibleDescription(), QString("单元格 3"));
  }
};

HEADLIGHT_WIDGET_TEST(TestCanvas)

}  // namespace headlight::test_canvas

#include "test_canvas.moc"
#include "tests/widgets/image_test.h"
