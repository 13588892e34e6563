// The positions view: layout, choosing by mouse and keys, export, pictures.
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "image_test.h"
#include "model/core/errors.h"
#include "model/ops/positions.h"
#include "widgets/views/positions_view.h"

using namespace headlight;

namespace {

using Part = PositionsPlace::Part;

PositionTable formula(Index positions, Index size, bool used = true) {
  PositionTable table;
  table.values = sinusoid_table(positions, size, Sinusoid::pairs);
  table.used = used;
  return table;
}

// What a learned table may look like: smooth along the positions, and no two numbers belong together.
PositionTable learned(Index positions, Index size) {
  PositionTable table;
  table.parameter = "encoder.pos.W";
  table.values = Tensor({positions, size});
  for (Index p = 0; p < positions; ++p)
    for (Index i = 0; i < size; ++i)
      table.values[p * size + i] = static_cast<Scalar>(
          0.1 * std::sin(0.7 * static_cast<double>(i * i % 17) + 0.05 * static_cast<double>((i % 5 + 1) * p)));
  return table;
}

}  // namespace

class TestPositionsView : public QObject {
  Q_OBJECT

 private slots:
  void init() { Theme::instance().set_mode(Theme::Mode::light); }

  void pictures_stand_apart_at_every_size() {
    for (const QSizeF view : {QSizeF(300, 200), QSizeF(700, 420), QSizeF(2000, 1200)})
      for (const std::size_t count : {1, 2, 3}) {
        PositionsLayout::Metrics m;
        m.view = view;
        const PositionsLayout layout =
            PositionsLayout::of(std::vector<int>(count, 128), std::vector<int>(count, 64), m);
        QList<QRectF> all = {layout.curves, layout.clock, layout.similarity};
        for (const QRectF& table : layout.tables) all << table;
        for (int i = 0; i < all.size(); ++i) {
          QVERIFY(all[i].width() > 30 && all[i].height() > 30);
          QVERIFY(QRectF(0, 0, layout.width, layout.height).contains(all[i]));
          for (int j = 0; j < i; ++j) QVERIFY(!all[i].intersects(all[j]));
        }
        for (const QRectF& caption : {layout.curves_caption, layout.clock_caption, layout.similarity_caption})
          for (const QRectF& picture : all) QVERIFY(!caption.intersects(picture));
        QCOMPARE(layout.clock.width(), layout.clock.height());
        QVERIFY(layout.width >= m.smallest.width() && layout.height >= m.smallest.height());
        for (const int position : {0, 17, 127}) {
          const PositionsPlace place = layout.place_at({layout.x_of(position), layout.curves.center().y()});
          QCOMPARE(place, (PositionsPlace{Part::curves, -1, position, -1}));
        }
        const QRectF& table = layout.tables.back();
        const PositionsPlace corner = layout.place_at(table.topLeft() + QPointF(0.1, 0.1));
        QCOMPARE(corner, (PositionsPlace{Part::table, static_cast<int>(count) - 1, 0, 0}));
        QCOMPARE(layout.column_near(0, {-100, 0}), 0);
        QCOMPARE(layout.position_near(Part::curves, -1, {9999, 0}), 127);
        QCOMPARE(layout.place_at({0, 0}), PositionsPlace{});
      }
  }

  void starts_with_what_the_model_uses() {
    PositionsView view;
    view.set_tables({formula(64, 16, false), learned(64, 16)});
    QCOMPARE(view.table(), 1);
    QVERIFY(view.accessibleName().contains("learned by the encoder"));
    view.set_tables({formula(64, 16)});
    QCOMPARE(view.table(), 0);
    QVERIFY(view.description().contains("turns once in"));
  }

  void the_keyboard_walks() {
    PositionsView view;
    view.set_tables({formula(64, 16, false), learned(64, 16)});
    show_at(view, {640, 420});
    view.choose(0, 5, 2);
    QSignalSpy chosen(&view, &PositionsView::chosen);
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Right);
    QCOMPARE(chosen.last(), (QVariantList{0, 6, 3}));
    QTest::keyClick(&view, Qt::Key_End);
    QCOMPARE(view.pair(), 7);
    QTest::keyClick(&view, Qt::Key_Right);
    QCOMPARE(view.pair(), 7);
    for (int i = 0; i < 9; ++i) QTest::keyClick(&view, Qt::Key_PageDown);
    QCOMPARE(view.position(), 63);
    QTest::keyClick(&view, Qt::Key_Home);
    QCOMPARE(view.pair(), 0);
    QTest::keyClick(&view, Qt::Key_Space);
    QCOMPARE(view.table(), 1);
    QCOMPARE(view.table_model()->rowCount(), 64);
    QVERIFY(view.accessibleDescription().startsWith("Position 63, numbers 0 and 1 of 16"));
  }

  void dragging_chooses() {
    PositionsView view;
    view.set_tables({formula(64, 16), learned(64, 16)});
    show_at(view, {640, 420});
    const PositionsLayout& layout = view.positions_layout();
    const QRectF table = layout.tables[1];
    const QPointF at(table.left() + table.width() * 7.5 / 16, table.top() + table.height() * 20.5 / 64);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at.toPoint());
    QCOMPARE(view.table(), 1);
    QCOMPARE(view.pair(), 3);
    QVERIFY(std::abs(view.position() - 20) <= 1);
    const double y = layout.curves.center().y();
    QTest::mousePress(view.viewport(), Qt::LeftButton, {}, QPointF(layout.x_of(10), y).toPoint());
    QMouseEvent move(QEvent::MouseMove, QPointF(layout.x_of(40), 5), view.mapToGlobal(QPointF(layout.x_of(40), 5)),
                     Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(view.viewport(), &move);  // above the picture: it is still held
    QVERIFY(std::abs(view.position() - 40) <= 1);
    QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, QPointF(layout.x_of(40), y).toPoint());
  }

  void exports_and_emptiness() {
    QTemporaryDir folder;
    PositionsView view;
    QVERIFY(view.is_empty());
    QVERIFY_EXCEPTION_THROWN(view.export_to("x.png"), UsageError);
    show_at(view, {500, 300});
    view.set_tables({formula(32, 8)});
    for (const char* name : {"p.png", "p.svg", "p.pdf", "p.csv"}) {
      view.export_to(folder.filePath(name));
      QVERIFY(QFile(folder.filePath(name)).size() > 500);
    }
    QFile file(folder.filePath("p.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readLine(), QByteArray("position,0,1,2,3,4,5,6,7\r\n"));
    QVERIFY(file.readLine().startsWith("0,0,1,0,1,"));
  }

  void pictures_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void pictures() {
    QFETCH(bool, dark);
    const QString theme = dark ? "dark" : "light";
    Theme::instance().set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
    PositionsView view;
    view.set_tables({formula(100, 64)});
    view.choose(0, 12, 6);
    show_at(view, {640, 420});
    COMPARE_IMAGE(view, "positions_" + theme);
    view.set_tables({formula(100, 64, false), learned(100, 64)});
    view.choose(1, 12, 6);
    COMPARE_IMAGE(view, "positions_learned_" + theme);
  }
};

QTEST_MAIN(TestPositionsView)
#include "test_positions_view.moc"
