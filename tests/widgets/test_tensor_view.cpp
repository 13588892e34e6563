// A tensor as a strip: which number stands where, keyboard, mouse, slices, marks, gathering under one point.

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <cmath>

#include "tests/test_program.h"
#include "tests/widgets/image_test.h"
#include "widgets/base/theme.h"
#include "widgets/matrix/tensor_view.h"

namespace headlight::test_tensor_view {

namespace {

TensorContent content_of(const Tensor& values) {
  TensorContent content;
  content.values = values;
  content.title = QStringLiteral("numbers");
  return content;
}

// The colour of a cell beside its number.
QColor colour_of(TensorView& view, int row, int column) {
  const QPointF corner = view.heatmap_layout().cell_rect(row, column).topLeft() + QPointF(3, 3);
  return view.viewport()->grab().toImage().pixelColor(corner.toPoint());
}

QPoint middle_of(const TensorView& view, int row, int column) {
  return view.heatmap_layout().cell_rect(row, column).center().toPoint();
}

// Points of the cells that are unlike this colour.
int points_unlike(TensorView& view, QRgb colour) {
  const QImage picture = view.viewport()->grab().toImage();
  const QRect cells = view.heatmap_layout().cells.toRect().adjusted(1, 1, -1, -1);
  int count = 0;
  for (int y = cells.top(); y <= cells.bottom(); ++y)
    for (int x = cells.left(); x <= cells.right(); ++x) count += picture.pixel(x, y) != colour;
  return count;
}

}  // namespace

class TestTensorView : public QObject {
  Q_OBJECT
 private slots:
  void init() { Theme::instance().set_mode(Theme::Mode::light); }

  void the_last_two_axes_are_rows_and_columns() {
    TensorView view;
    view.set_content(content_of(Tensor::vector({1, 2, 3})));
    QCOMPARE(view.rows(), 1);
    QCOMPARE(view.columns(), 3);
    // Reading order: places on the screen are not the indices of the tensor.
    TensorContent turned = content_of(Tensor::of({2, 3}, {0.125, 1, 2, 3, 4, 5}));
    turned.columns = {QStringLiteral("source token"), {"x", "y", "z"}, {2, 1, 0}};
    view.set_content(turned);
    QCOMPARE(view.value(0, 2), 0.125f);
    QCOMPARE(view.cell_text(0), QStringLiteral("[0], source token ‘x’ (1) = 0.125"));
    view.set_current_cell(0);
    QCOMPARE(view.current_cell(), 0);
    QTest::keyClick(&view, Qt::Key_Left);  // to the left of the last place stands index 1
    QCOMPARE(view.current_cell(), 1);
    // Nine significant digits.
    view.set_content(content_of(Tensor::vector({Scalar(0.1)})));
    QCOMPARE(view.cell_text(0), QStringLiteral("[0] = 0.100000001"));
  }

  void keyboard_moves_and_activates() {
    TensorView view;
    show_at(view, {300, 200});
    view.set_content(content_of(Tensor::of({3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})));
    QSignalSpy activated(&view, &TensorView::numberActivated);
    QCOMPARE(view.current_cell(), -1);
    QTest::keyClick(&view, Qt::Key_Return);
    QCOMPARE(activated.count(), 0);
    QTest::keyClick(&view, Qt::Key_Right);  // the first key puts the cursor on the first cell
    QCOMPARE(view.current_cell(), 0);
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::keyClick(&view, Qt::Key_Down);
    QCOMPARE(view.current_cell(), 5);
    QTest::keyClick(&view, Qt::Key_End, Qt::ControlModifier);
    QCOMPARE(view.current_cell(), 11);
    QTest::keyClick(&view, Qt::Key_Enter);
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated[0][0].toLongLong(), 11);
    QVERIFY(view.accessibleDescription().contains(QStringLiteral("= 11")));
    QVERIFY(view.accessibleName().startsWith("numbers [3, 4]") || view.accessibleName().startsWith("numbers [3 x 4]"));
    QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), view.cell_text(11));
  }

  void one_makes_numbers_readable_and_zero_shows_everything() {
    Tensor values({40, 60});
    TensorView view;
    view.set_content(content_of(values));
    show_at(view, {300, 200});
    QVERIFY(!view.heatmap_layout().values_shown);
    QTest::keyClick(&view, Qt::Key_1);
    QVERIFY(view.heatmap_layout().values_shown);
    QTest::keyClick(&view, Qt::Key_0);
    QCOMPARE(view.heatmap_layout().window, HeatmapWindow::whole(40, 60));
  }

  // What fits leaves the wheel to the panel around; what is zoomed moves under it.
  void the_wheel_scrolls_what_is_zoomed() {
    TensorView view;
    view.set_content(content_of(Tensor({1, 60})));
    show_at(view, {300, 60});
    const auto turn = [&](Qt::KeyboardModifiers modifiers) {
      const QPoint at = middle_of(view, 0, 20);
      QWheelEvent wheel(at, view.viewport()->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                        false);
      QCoreApplication::sendEvent(view.viewport(), &wheel);
      return wheel.isAccepted();
    };
    QVERIFY(!turn({}));
    view.set_window({10, 20, 0, 1});
    QVERIFY(turn({}));
    QVERIFY(view.heatmap_layout().window.left > 10);
    QCOMPARE(view.heatmap_layout().window.width(), 10.0);
    QVERIFY(turn(Qt::ControlModifier));
    QVERIFY(view.heatmap_layout().window.width() > 10);
  }

  void a_click_activates_what_is_there() {
    TensorView view;
    view.set_content(content_of(Tensor::of({2, 2}, {1, 2, 3, 4})));
    view.show_rows(1);
    show_at(view, {300, 200});
    QSignalSpy activated(&view, &TensorView::numberActivated);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, middle_of(view, 1, 0));
    QCOMPARE(activated.count(), 0);
    QVERIFY(view.cell_text(2).endsWith(QStringLiteral("not computed yet")));
    view.show_rows(2);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, middle_of(view, 1, 0));
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated[0][0].toLongLong(), 2);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(299, 199));
    QCOMPARE(activated.count(), 1);
  }

  // An encoder that reads from the end computes the last row of the text first.
  void rows_in_reading_order_appear_from_the_end() {
    TensorView view;
    TensorContent content = content_of(Tensor::of({3, 1}, {1, 1, 1}));
    content.rows.order = {2, 1, 0};
    view.set_content(content);
    view.show_rows(1);
    show_at(view, {100, 200});
    const QColor ground = Theme::instance().background(), full = Theme::instance().weight(1);
    QCOMPARE(colour_of(view, 0, 0), ground);
    QCOMPARE(colour_of(view, 1, 0), ground);
    QCOMPARE(colour_of(view, 2, 0), full);
    view.show_rows(2);
    QCOMPARE(colour_of(view, 0, 0), ground);
    QCOMPARE(colour_of(view, 1, 0), full);
    // Also where several rows share a point.
    TensorContent many = content_of(Tensor::full({900, 2}, 1));
    for (qint64 i = 0; i < 900; ++i) many.rows.order.push_back(899 - i);
    view.set_content(many);
    view.show_rows(450);
    QVERIFY(view.cells_of_point().height() > 1);
    QCOMPARE(colour_of(view, 200, 0), ground);
    QCOMPARE(colour_of(view, 700, 0), full);
  }

  void only_names_are_labels() {
    TensorContent content;
    content.values = Tensor({2, 3});
    TensorView view;
    view.set_content(content);
    show_at(view, {300, 100});
    QVERIFY(view.heatmap_layout().column_labels.empty());
    const double bare = view.heatmap_layout().cells.top();
    content.columns.labels = QStringList{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")};
    view.set_content(content);
    QCOMPARE(view.heatmap_layout().column_labels.size(), std::size_t(3));
    QVERIFY(view.heatmap_layout().cells.top() > bare + 5);
  }

  void a_lone_value_stays_visible() {
    constexpr int kAt = 301 * 1024 + 777;
    Tensor values = Tensor::zeros({512, 1024});
    values[0] = -5;  // a scale around zero
    TensorView view;
    view.set_content(content_of(values));
    show_at(view, {200, 120});
    QVERIFY(view.cells_of_point().width() > 1);
    const QRgb zero = Theme::instance().signed_value(0).rgb();
    const int before = points_unlike(view, zero);
    for (const double value : {-3.0, std::nan(""), double(INFINITY)}) {
      values[kAt] = static_cast<Scalar>(value);
      view.set_content(content_of(values));
      QVERIFY(points_unlike(view, zero) > before);
    }
  }

  void shares_and_differences() {
    TensorView view;
    show_at(view, {200, 100});
    const auto colour = [&](const Tensor& values) {
      view.set_content(content_of(values));
      return colour_of(view, 0, 0);
    };
    QCOMPARE(colour(Tensor::vector({1, 0})), Theme::instance().weight(1));
    QCOMPARE(colour(Tensor::vector({-2, 2})), Theme::instance().signed_value(-1));
    QCOMPARE(colour(Tensor::vector({0, 2})), Theme::instance().signed_value(0));
    QCOMPARE(colour(Tensor::vector({0, 0})), Theme::instance().weight(0));
  }

  void numbers_have_the_digits_that_fit() {
    HeatmapScene scene;
    scene.form = Heatmap::Form::strip;
    scene.values = std::make_shared<HeatmapValues>(1, 1, std::vector<float>{0.5f});
    const double infinity = std::numeric_limits<double>::infinity();
    for (const auto& [value, text] : std::initializer_list<std::pair<double, const char*>>{{0, "0"},
                                                                                           {0.5, "0.500"},
                                                                                           {-0.12345, "−0.123"},
                                                                                           {12.345, "12.35"},
                                                                                           {-123.45, "−123.5"},
                                                                                           {1234.4, "1234"},
                                                                                           {123456, "1.2×10⁵"},
                                                                                           {std::nan(""), "NaN"},
                                                                                           {infinity, "∞"},
                                                                                           {-infinity, "−∞"}})
      QCOMPARE(scene.number(value), QString::fromUtf8(text));
    scene.values = std::make_shared<HeatmapValues>(1, 2, std::vector<float>{7, 3});
    QCOMPARE(scene.number(7), QString("7"));  // all of them are whole numbers
  }

  void slices_of_higher_ranks() {
    Tensor values({2, 3, 4});
    for (Index i = 0; i < values.size(); ++i) values[i] = static_cast<Scalar>(i);
    TensorView view;
    view.set_content(content_of(values));
    QCOMPARE(view.slices(), 2);
    view.set_current_cell(13);  // shows the slice that it is in
    QCOMPARE(view.slice(), 1);
    QCOMPARE(view.value(0, 1), 13.0f);
    QVERIFY(view.cell_text(13).contains(QStringLiteral("= 13")));
    QCOMPARE(view.findChild<QComboBox*>()->currentText(), QString("slice [1]"));
    view.set_slice(0);
    QCOMPARE(view.current_cell(), 1);
    view.show();
    QVERIFY(view.findChild<QComboBox*>()->isVisible());
    QVERIFY(view.viewport()->y() >= view.findChild<QComboBox*>()->geometry().bottom());
    view.set_content(content_of(Tensor::vector({1, 2})));
    QVERIFY(!view.findChild<QComboBox*>()->isVisible());
  }

  void the_same_shape_keeps_the_cursor() {
    TensorView view;
    view.set_content(content_of(Tensor::zeros({3, 4})));
    view.set_current_cell(6);
    view.set_content(content_of(Tensor::full({3, 4}, 1)));
    QCOMPARE(view.current_cell(), 6);
    view.set_content(content_of(Tensor::full({3, 5}, 1)));
    QCOMPARE(view.current_cell(), -1);
  }

  void what_was_edited_is_marked() {
    TensorView view;
    TensorContent content = content_of(Tensor::zeros({2, 2}));
    view.set_content(content);
    show_at(view, {200, 100});
    const QImage plain = view.viewport()->grab().toImage();
    content.edited_cells = {2};
    view.set_content(content);
    QVERIFY(view.cell_text(2).endsWith(QStringLiteral("(changed by you)")));
    const QImage cell = view.viewport()->grab().toImage();
    QVERIFY(cell != plain);
    content.edited_cells.clear();
    content.edited = true;
    view.set_content(content);
    const QImage all = view.viewport()->grab().toImage();
    QVERIFY(all != plain && all != cell);
  }

  void odd_values_are_harmless() {
    const auto nan = std::numeric_limits<Scalar>::quiet_NaN(), inf = std::numeric_limits<Scalar>::infinity();
    TensorView view;
    view.set_content(content_of(Tensor::vector({nan, inf, -inf, 1})));
    show_at(view, {300, 100});
    QVERIFY(view.cell_text(0).endsWith(QStringLiteral("= NaN")));
    QVERIFY(view.cell_text(2).endsWith(QStringLiteral("= −∞")));
    view.viewport()->grab();
    for (const TensorContent& nothing : {content_of(Tensor(Shape{0})), TensorContent()}) {
      view.set_content(nothing);
      view.viewport()->grab();
      QTest::keyClick(&view, Qt::Key_Right);
      QTest::keyClick(&view, Qt::Key_1);
      QCOMPARE(view.current_cell(), -1);
    }
  }

  void tokens_are_plain_text() {
    TensorView view;
    TensorContent content = content_of(Tensor::vector({Scalar(0.5)}));
    content.columns.labels = QStringList{QStringLiteral("<b>%1</b>")};
    view.set_content(content);
    QVERIFY(view.cell_text(0).contains(QStringLiteral("<b>%1</b>")));
    QVERIFY(view.cell_text(0).endsWith(QStringLiteral("= 0.5")));
  }
};

HEADLIGHT_WIDGET_TEST(TestTensorView)

}  // namespace headlight::test_tensor_view

#include "test_tensor_view.moc"
