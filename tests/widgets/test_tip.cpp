// Tooltips of pictures: beside what they are of, whose row, column and neighbours stay free, and gone with the mouse.

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QScreen>
#include <QTest>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "tests/test_program.h"
#include "tests/widgets/image_test.h"
#include "widgets/base/style.h"
#include "widgets/base/style_popups.h"
#include "widgets/base/tip.h"
#include "widgets/canvas/canvas.h"

namespace headlight::test_tip {

namespace {

constexpr QSize kCell(40, 30);

// Cells that say which they are.
class Squares : public Canvas {
 public:
  Squares() : Canvas(Layout::scrolled, nullptr) {
    announce();
    lay_out();
  }
  using Canvas::viewport_point;

 protected:
  QSizeF arrange(QSizeF view) override { return view; }
  void paint(QPainter&, const QRectF&, bool) const override {}
  QString name() const override { return "squares"; }
  QString description() const override { return "none"; }
  QString tooltip(QPointF point) const override {
    return QString("%1, %2").arg(qFloor(point.x() / kCell.width())).arg(qFloor(point.y() / kCell.height()));
  }
};

QWidget* shown_tip() {
  for (QWidget* each : QApplication::topLevelWidgets())
    if (each->inherits("QTipLabel") && each->isVisible()) return each;
  return nullptr;
}

QRect neighbours_of(const QRect& cell) {
  return cell.adjusted(-cell.width(), -cell.height(), cell.width(), cell.height());
}

bool leaves_free(const QRect& tip, const QRect& cell, const QRect& screen) {
  const QRect row(screen.left(), cell.top(), screen.width(), cell.height());
  const QRect column(cell.left(), screen.top(), cell.width(), screen.height());
  return !tip.intersects(row) && !tip.intersects(column) && !tip.intersects(neighbours_of(cell));
}

}  // namespace

class TestTip : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QApplication::setStyle(new Style); }
  void cleanup() {
    QToolTip::hideText();
    Popups::set_composed({});
  }

  void a_cell_has_it_at_a_corner_data() {
    QTest::addColumn<QRect>("cell");
    QTest::newRow("in the middle") << QRect(QPoint(500, 400), kCell);
    QTest::newRow("at the right") << QRect(QPoint(960, 400), kCell);
    QTest::newRow("at the bottom") << QRect(QPoint(500, 770), kCell);
    QTest::newRow("in the last corner") << QRect(QPoint(960, 770), kCell);
    QTest::newRow("of a few pixels") << QRect(500, 400, 2, 3);
    QTest::newRow("wide") << QRect(400, 400, 150, 30);
  }
  void a_cell_has_it_at_a_corner() {
    QFETCH(QRect, cell);
    const QRect screen(0, 0, 1000, 800), tip = tip_place({120, 40}, cell, cell.center(), screen);
    QCOMPARE(tip.size(), QSize(120, 40));
    QVERIFY(screen.contains(tip));
    QVERIFY(leaves_free(tip, cell, screen));
    QVERIFY(!tip.contains(cell.center() + QPoint(12, 12)));  // the pointer
  }

  // It stands by the mouse, and leaves the rows above and below free.
  void a_row_has_it_below_or_above() {
    const QRect screen(0, 0, 1000, 800);
    for (const int top : {400, 760}) {
      const QRect row(24, top, 900, 28), tip = tip_place({120, 40}, row, {300, top + 9}, screen);
      QVERIFY(!tip.intersects(neighbours_of(row)));
      QVERIFY(std::abs(tip.left() - 300) <= 24);
    }
  }

  void it_stays_on_the_screen() {
    const QRect screen(100, 50, 300, 200);
    for (const QSize size : {QSize(280, 40), QSize(60, 190), QSize(295, 195), QSize(400, 300)})
      for (const QPoint at : {QPoint(110, 60), QPoint(250, 150), QPoint(390, 240)}) {
        const QRect tip = tip_place(size, QRect(at, QSize(10, 10)), at, screen);
        QVERIFY(tip.left() >= screen.left() && tip.top() >= screen.top());
        QVERIFY(tip.right() <= std::max(screen.right(), screen.left() + size.width()));
        QVERIFY(tip.bottom() <= std::max(screen.bottom(), screen.top() + size.height()));
      }
  }

  void a_picture_shows_it_there_data() {
    QTest::addColumn<bool>("composed");
    QTest::newRow("with a shadow") << true;
    QTest::newRow("without") << false;
  }
  void a_picture_shows_it_there() {
    QFETCH(bool, composed);
    Popups::set_composed(composed);
    Squares squares;
    squares.move(0, 0);
    show_at(squares, {600, 500});
    const auto help_at = [&](QPoint at) {
      QHelpEvent help(QEvent::ToolTip, at, squares.viewport()->mapToGlobal(at));
      QApplication::sendEvent(squares.viewport(), &help);
    };
    const QRect screen = squares.screen()->availableGeometry();
    for (const QPoint number : {QPoint(3, 4), QPoint(4, 4), QPoint(1, 1), QPoint(12, 14)}) {
      const QRect cell(QPoint(number.x() * kCell.width(), number.y() * kCell.height()), kCell);
      for (const QPoint within : {QPoint(1, 1), QPoint(20, 15), QPoint(38, 28)}) {
        help_at(cell.topLeft() + within);
        QCOMPARE(QToolTip::text(), QString("%1, %2").arg(number.x()).arg(number.y()));
        QWidget* tip = shown_tip();
        QVERIFY(tip);
        const int room = shadow_room(tip);
        QCOMPARE(room > 0, composed);
        const QRect sheet = tip->geometry().adjusted(room, room, -room, -room);
        QVERIFY(screen.contains(sheet));
        QVERIFY(leaves_free(sheet, cell.translated(squares.viewport()->mapToGlobal(QPoint())), screen));
      }
    }
  }

  void it_goes_with_the_mouse() {
    Squares squares;
    show_at(squares, {600, 500});
    QHelpEvent help(QEvent::ToolTip, {100, 100}, squares.viewport()->mapToGlobal(QPoint(100, 100)));
    QApplication::sendEvent(squares.viewport(), &help);
    QVERIFY(QToolTip::isVisible());
    const auto move_to = [&](QPointF at) {
      QMouseEvent move(QEvent::MouseMove, at, squares.viewport()->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
      QApplication::sendEvent(squares.viewport(), &move);
    };
    move_to({118, 118});  // within the same cell
    QTest::qWait(400);
    QVERIFY(QToolTip::isVisible());
    move_to({122, 118});
    QTRY_VERIFY(!QToolTip::isVisible());
  }
};

HEADLIGHT_WIDGET_TEST(TestTip)

}  // namespace headlight::test_tip

#include "test_tip.moc"
