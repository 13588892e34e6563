// The matrix view: geometry without a window, values, keyboard, gathering under one pixel, exports.

#include <QApplication>
#include <QElapsedTimer>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/matrix/matrix_view.h"

using namespace headlight;

namespace {

MatrixLayout ten_by_twenty() {
  MatrixLayout layout;
  layout.rows = 10;
  layout.columns = 20;
  layout.cell_width = 40;
  layout.cell_height = 20;
  layout.left = 30;
  layout.top = 10;
  layout.viewport = {230, 110};
  return layout;
}

MatrixContent content_of(const Tensor& values) {
  MatrixContent content;
  content.values = values;
  content.title = QStringLiteral("numbers");
  return content;
}

// Pixels of the view that are unlike the colour of zero.
int different_pixels(MatrixView& view, QRgb zero, QRect area) {
  const QImage picture = view.viewport()->grab().toImage();
  int count = 0;
  for (int y = area.top(); y <= area.bottom(); ++y)
    for (int x = area.left(); x <= area.right(); ++x) count += picture.pixel(x, y) != zero;
  return count;
}

}  // namespace

class TestMatrix : public QObject {
  Q_OBJECT
 private slots:
  void layout_maps_cells_and_points();
  void layout_zoom_keeps_the_anchor();
  void layout_reveals_a_cell();
  void layout_gathers_under_a_pixel();
  void vector_and_matrix_places();
  void keyboard_moves_and_activates();
  void click_activates();
  void hidden_rows_do_not_answer();
  void bare_positions_have_no_labels();
  void what_fits_does_not_scroll();
  void lone_spike_stays_visible();
  void weights_and_differences();
  void slices_of_higher_ranks();
  void same_shape_keeps_the_cursor();
  void odd_values_are_painted();
  void tokens_are_plain_text();
  void csv_quotes();
  void pictures_are_written();
  void a_large_matrix_paints_quickly();
};

void TestMatrix::layout_maps_cells_and_points() {
  MatrixLayout layout = ten_by_twenty();
  QCOMPARE(layout.content(), QSizeF(800, 200));
  QCOMPARE(layout.room(), QSizeF(200, 100));
  QCOMPARE(layout.cell_rect(0, 0), QRectF(30, 10, 40, 20));
  QCOMPARE(layout.cell_rect(2, 3), QRectF(150, 50, 40, 20));
  QVERIFY((layout.cell_at({30, 10}) == std::pair<qint64, qint64>(0, 0)));
  QVERIFY((layout.cell_at({151, 51}) == std::pair<qint64, qint64>(2, 3)));
  QVERIFY(!layout.cell_at({29, 50}));   // the labels of the rows
  QVERIFY(!layout.cell_at({100, 9}));   // the labels of the columns
  QVERIFY(!layout.cell_at({231, 50}));  // outside
  QCOMPARE(layout.visible(), (CellRange{0, 5, 0, 5}));
  layout.scroll_x = 60;
  layout.scroll_y = 30;
  QCOMPARE(layout.visible(), (CellRange{1, 7, 1, 7}));
  QVERIFY((layout.cell_at({30, 10}) == std::pair<qint64, qint64>(1, 1)));
  // A small matrix does not answer beside itself.
  layout = ten_by_twenty();
  layout.rows = layout.columns = 2;
  QVERIFY(!layout.cell_at({111, 15}));
}

void TestMatrix::layout_zoom_keeps_the_anchor() {
  MatrixLayout layout = ten_by_twenty();
  layout.scroll_x = 200;
  layout.scroll_y = 40;
  const QPointF anchor(130, 60);
  const auto before = layout.cell_at(anchor);
  layout.zoom(2, anchor);
  QCOMPARE(layout.cell_width, 80.0);
  QCOMPARE(layout.cell_height, 40.0);
  QCOMPARE(layout.cell_at(anchor), before);
  QCOMPARE(layout.scroll_x, 500.0);  // (100 + 200) * 2 - 100
  layout.zoom(1000, anchor);
  QVERIFY(layout.cell_width <= MatrixLayout::kLargestCell);
  layout.zoom(1e-9, anchor);
  QVERIFY(layout.cell_height >= MatrixLayout::kSmallestCell * 0.999);
  QCOMPARE(layout.scroll_x, 0.0);  // all of it fits
}

void TestMatrix::layout_reveals_a_cell() {
  MatrixLayout layout = ten_by_twenty();
  layout.reveal(0, 0);
  QCOMPARE(layout.scroll_x, 0.0);
  layout.reveal(9, 19);
  QCOMPARE(layout.scroll_x, 600.0);
  QCOMPARE(layout.scroll_y, 100.0);
  layout.reveal(9, 16);  // already visible
  QCOMPARE(layout.scroll_x, 600.0);
  layout.reveal(3, 2);
  QCOMPARE(layout.scroll_x, 80.0);
  QCOMPARE(layout.scroll_y, 60.0);
}

void TestMatrix::layout_gathers_under_a_pixel() {
  MatrixLayout layout = ten_by_twenty();
  QVERIFY(!layout.aggregates());
  layout.cell_width = 0.25;
  layout.cell_height = 0.5;
  QVERIFY(layout.aggregates());
  QCOMPARE(layout.under_pixel(0, 0), (CellRange{0, 2, 0, 4}));
  QCOMPARE(layout.under_pixel(4, 4), (CellRange{8, 10, 16, 20}));
  QVERIFY(layout.under_pixel(5, 0).empty());
  // Every cell is under some pixel.
  qint64 covered = 0;
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 5; ++x) covered += layout.under_pixel(x, y).count();
  QCOMPARE(covered, 200);
}

void TestMatrix::vector_and_matrix_places() {
  MatrixView view;
  view.set_content(content_of(Tensor::vector({1, 2, 3})));
  QCOMPARE(view.matrix_layout().rows, 1);
  QCOMPARE(view.matrix_layout().columns, 3);
  MatrixContent column = content_of(Tensor::vector({1, 2, 3}));
  column.vertical = true;
  view.set_content(column);
  QCOMPARE(view.matrix_layout().rows, 3);
  QCOMPARE(view.matrix_layout().columns, 1);
  // Reading order: places on the screen are not the indices of the tensor.
  MatrixContent turned = content_of(Tensor::of({2, 3}, {0.125, 1, 2, 3, 4, 5}));
  turned.columns = {QStringLiteral("source token"), {"x", "y", "z"}, {2, 1, 0}};
  view.set_content(turned);
  QCOMPARE(view.cell_text(0), QStringLiteral("[0], source token 'x' [0] = 0.125"));
  view.set_current_cell(0);
  QCOMPARE(view.current_cell(), 0);
  QTest::keyClick(&view, Qt::Key_Left);  // to the left of the last place stands index 1
  QCOMPARE(view.current_cell(), 1);
  // Nine significant digits.
  view.set_content(content_of(Tensor::vector({Scalar(0.1)})));
  QCOMPARE(view.cell_text(0), QStringLiteral("[0] = 0.100000001"));
}

void TestMatrix::keyboard_moves_and_activates() {
  MatrixView view;
  view.resize(300, 200);
  view.set_content(content_of(Tensor::of({3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})));
  QSignalSpy activated(&view, &MatrixView::cellActivated);
  QCOMPARE(view.current_cell(), -1);
  QTest::keyClick(&view, Qt::Key_Return);
  QCOMPARE(activated.count(), 0);
  QTest::keyClick(&view, Qt::Key_Right);  // the first key puts the cursor on the first cell
  QCOMPARE(view.current_cell(), 0);
  QTest::keyClick(&view, Qt::Key_Right);
  QTest::keyClick(&view, Qt::Key_Down);
  QCOMPARE(view.current_cell(), 5);
  QTest::keyClick(&view, Qt::Key_End);
  QCOMPARE(view.current_cell(), 7);
  QTest::keyClick(&view, Qt::Key_Right);  // stays inside
  QCOMPARE(view.current_cell(), 7);
  QTest::keyClick(&view, Qt::Key_End, Qt::ControlModifier);
  QCOMPARE(view.current_cell(), 11);
  QTest::keyClick(&view, Qt::Key_Home, Qt::ControlModifier);
  QCOMPARE(view.current_cell(), 0);
  QTest::keyClick(&view, Qt::Key_Enter);
  QCOMPARE(activated.count(), 1);
  QCOMPARE(activated[0][0].toLongLong(), 0);
  QVERIFY(view.accessibleDescription().contains(QStringLiteral("= 0")));
  const double width = view.matrix_layout().cell_width;
  QTest::keyClick(&view, Qt::Key_Plus);
  QVERIFY(view.matrix_layout().cell_width > width);
  QTest::keyClick(&view, Qt::Key_0);
  QCOMPARE(view.matrix_layout().cell_width, width);
}

void TestMatrix::click_activates() {
  MatrixView view;
  view.resize(300, 200);
  view.set_content(content_of(Tensor::of({2, 2}, {1, 2, 3, 4})));
  view.show();
  QSignalSpy activated(&view, &MatrixView::cellActivated);
  const QPoint at = view.matrix_layout().cell_rect(1, 0).center().toPoint();
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at);
  QCOMPARE(activated.count(), 1);
  QCOMPARE(activated[0][0].toLongLong(), 2);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(299, 199));
  QCOMPARE(activated.count(), 1);
}

void TestMatrix::bare_positions_have_no_labels() {
  MatrixContent content;
  content.values = Tensor({2, 3});
  MatrixView view;
  view.resize(300, 100);
  view.set_content(content);
  const double labelled = view.matrix_layout().top;
  content.bare = true;
  view.set_content(content);
  QVERIFY(view.matrix_layout().top < labelled / 2);
  content.columns.labels = QStringList{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")};
  view.set_content(content);
  QCOMPARE(view.matrix_layout().top, labelled);  // names are always drawn
}

void TestMatrix::what_fits_does_not_scroll() {
  MatrixView view;
  for (const Index columns : {3, 7, 29, 61, 128}) {
    MatrixContent content;
    content.values = Tensor({columns});
    view.set_content(content);
    for (int width = 200; width < 520; width += 7) {
      view.resize(width, 60);
      QVERIFY2(view.horizontalScrollBar()->maximum() == 0, qPrintable(QString::number(width)));
    }
  }
}

void TestMatrix::hidden_rows_do_not_answer() {
  MatrixView view;
  view.resize(300, 200);
  view.set_content(content_of(Tensor::of({2, 2}, {1, 2, 3, 4})));
  view.set_visible_rows(1);
  view.show();
  QSignalSpy activated(&view, &MatrixView::cellActivated);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.matrix_layout().cell_rect(1, 0).center().toPoint());
  QCOMPARE(activated.count(), 0);
  QVERIFY(view.cell_text(2).endsWith(QStringLiteral("not computed yet")));
  QVERIFY(!view.csv().contains(QStringLiteral("3")));
  view.set_visible_rows(-1);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.matrix_layout().cell_rect(1, 0).center().toPoint());
  QCOMPARE(activated.count(), 1);
}

void TestMatrix::lone_spike_stays_visible() {
  Tensor values = Tensor::zeros({512, 1024});
  values[301 * 1024 + 777] = -3;
  MatrixView view;
  view.resize(200, 120);
  view.set_content(content_of(values));
  view.show();
  QVERIFY(view.matrix_layout().aggregates());
  QVERIFY(!view.aggregation_text().isEmpty());
  const QRect body = view.matrix_layout().body().toRect().adjusted(1, 1, -1, -1);
  const QRgb zero = Theme::instance().signed_value(0).rgb();
  QVERIFY(different_pixels(view, zero, body) >= 1);
  values[301 * 1024 + 777] = 0;
  MatrixContent flat = content_of(values);
  flat.scale = MatrixContent::Scale::differences;
  view.set_content(flat);
  QCOMPARE(different_pixels(view, zero, body), 0);
  view.zoom_to_read();
  QVERIFY(view.aggregation_text().isEmpty());
}

void TestMatrix::weights_and_differences() {
  MatrixView view;
  view.resize(200, 100);
  view.show();
  const auto colour = [&](const Tensor& values) {
    view.set_content(content_of(values));
    return view.viewport()->grab().toImage().pixelColor(
        (view.matrix_layout().cell_rect(0, 0).topLeft() + QPointF(2, 2)).toPoint());
  };
  QCOMPARE(colour(Tensor::vector({1, 0})).rgb(), Theme::instance().weight(1).rgb());
  QCOMPARE(colour(Tensor::vector({-2, 2})).rgb(), Theme::instance().signed_value(-1).rgb());
  QCOMPARE(colour(Tensor::vector({0, 2})).rgb(), Theme::instance().signed_value(0).rgb());
}

void TestMatrix::slices_of_higher_ranks() {
  Tensor values({2, 3, 4});
  for (Index i = 0; i < values.size(); ++i) values[i] = static_cast<Scalar>(i);
  MatrixView view;
  view.set_content(content_of(values));
  QCOMPARE(view.slices(), 2);
  view.set_current_cell(13);  // shows the slice that it is in
  QCOMPARE(view.slice(), 1);
  QVERIFY(view.cell_text(13).contains(QStringLiteral("= 13")));
  view.set_slice(0);
  QCOMPARE(view.current_cell(), 1);
}

void TestMatrix::same_shape_keeps_the_cursor() {
  MatrixView view;
  view.set_content(content_of(Tensor::zeros({3, 4})));
  view.set_current_cell(6);
  view.set_content(content_of(Tensor::full({3, 4}, 1)));
  QCOMPARE(view.current_cell(), 6);
  view.set_content(content_of(Tensor::full({3, 5}, 1)));
  QCOMPARE(view.current_cell(), -1);
}

void TestMatrix::odd_values_are_painted() {
  const auto nan = std::numeric_limits<Scalar>::quiet_NaN(), inf = std::numeric_limits<Scalar>::infinity();
  MatrixView view;
  view.resize(300, 100);
  view.set_content(content_of(Tensor::vector({nan, inf, -inf, 1})));
  view.show();
  QVERIFY(view.cell_text(0).endsWith(QStringLiteral("= NaN")));
  QVERIFY(view.cell_text(2).endsWith(QStringLiteral("= −∞")));
  QVERIFY(!view.viewport()->grab().isNull());
  view.set_content(content_of(Tensor(Shape{0})));
  QVERIFY(!view.viewport()->grab().isNull());
  view.clear();
  QTest::keyClick(&view, Qt::Key_Right);
  QCOMPARE(view.current_cell(), -1);
}

void TestMatrix::tokens_are_plain_text() {
  MatrixView view;
  MatrixContent content = content_of(Tensor::vector({Scalar(0.5)}));
  content.columns.labels = QStringList{QStringLiteral("<b>%1</b>")};
  view.set_content(content);
  QVERIFY(view.cell_text(0).contains(QStringLiteral("<b>%1</b>")));
  QVERIFY(view.cell_text(0).endsWith(QStringLiteral("= 0.5")));
}

void TestMatrix::csv_quotes() {
  MatrixContent content = content_of(Tensor::of({1, 2}, {Scalar(0.5), -2}));
  content.rows = {QStringLiteral("step"), QStringList{QStringLiteral("0")}, {}};
  content.columns = {QStringLiteral("token"), {QStringLiteral(","), QStringLiteral("\"")}, {}};
  MatrixView view;
  view.set_content(content);
  QCOMPARE(view.csv(), QStringLiteral("step,\",\",\"\"\"\"\r\n0,0.5,-2\r\n"));
}

void TestMatrix::pictures_are_written() {
  QTemporaryDir folder;
  MatrixView view;
  view.set_content(content_of(Tensor::of({2, 2}, {1, 2, 3, 4})));
  for (const QString& ending : {QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf")}) {
    const QString path = folder.filePath(QStringLiteral("m.") + ending);
    view.export_to(path);
    QVERIFY(QFileInfo(path).size() > 200);
  }
  QVERIFY_EXCEPTION_THROWN(view.export_to(folder.filePath(QStringLiteral("no/such/m.png"))), FileError);
}

void TestMatrix::a_large_matrix_paints_quickly() {
  Tensor values({512, 1024});
  for (Index i = 0; i < values.size(); ++i) values[i] = static_cast<Scalar>(std::sin(static_cast<double>(i)));
  MatrixView view;
  view.resize(900, 600);
  view.set_content(content_of(values));
  view.show();
  view.zoom_to_read();
  view.viewport()->grab();
  QElapsedTimer timer;
  timer.start();
  constexpr int kFrames = 20;
  for (int i = 0; i < kFrames; ++i) {
    view.horizontalScrollBar()->setValue(i * 97);
    view.verticalScrollBar()->setValue(i * 53);
    view.viewport()->grab();
  }
  // Generous: a shared machine under load; about 3 ms are usual.
  QVERIFY2(timer.elapsed() < kFrames * 50, qPrintable(QString::number(timer.elapsed())));
}

HEADLIGHT_WIDGET_TEST(TestMatrix)
#include "test_matrix.moc"
