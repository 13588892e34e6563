// What a person does glides to what comes of it, once and for 180 ms; typing, dragging and less motion do not.
#include <QLineEdit>
#include <QPainter>
#include <QProxyStyle>
#include <QTest>
#include <QVBoxLayout>
#include <cmath>

#include "model/core/clock.h"
#include "tests/test_program.h"
#include "tests/widgets/image_test.h"
#include "widgets/canvas/same_names.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/ribbons/ribbons_canvas.h"

namespace headlight::test_motion {

namespace {

class MotionStyle : public QProxyStyle {
 public:
  int duration = 200;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* data) const override {
    return hint == SH_Widget_Animation_Duration ? duration : QProxyStyle::styleHint(hint, option, widget, data);
  }
};

std::vector<AxisLabel> labels(const QString& letters) {
  std::vector<AxisLabel> found;
  for (const QChar letter : letters) found.push_back({letter, false, {}});
  return found;
}

// A text field above a heatmap with a column for each letter.
struct Shown {
  QWidget window;
  QLineEdit field;
  Heatmap heatmap;
  MotionStyle style;

  explicit Shown(const QString& letters = QStringLiteral("tom")) {
    heatmap.viewport()->setStyle(&style);
    auto* rows = new QVBoxLayout(&window);
    rows->addWidget(&field);
    rows->addWidget(&heatmap);
    window.resize(500, 400);
    show_letters(letters);
    window.show();
    QTest::qWait(20);
    QTest::qWait(600);  // apart from what the test before did
  }
  ~Shown() { heatmap.viewport()->setStyle(nullptr); }
  void show_letters(const QString& letters, float first = 1) {
    const auto columns = static_cast<int>(letters.size());
    std::vector<float> values(static_cast<std::size_t>(2 * columns));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 3 == 0 ? first : 0.25F;
    heatmap.set_matrix(2, columns, values);
    heatmap.set_labels(labels(QStringLiteral("ab")), labels(letters));
  }
  bool moves() const { return Motion::is_moving(*heatmap.viewport()); }
  void click() { QTest::mouseClick(&window, Qt::LeftButton, {}, {2, 2}); }
};

using Strips = std::vector<HeatmapStrip>;

// One head; the first token looks at `a`, the second at `c`.
struct Between : RibbonsCanvas {
  using RibbonsCanvas::keep;
  using RibbonsCanvas::paint_between;
  using RibbonsCanvas::set_maps;
  Between() {
    AttentionMap map;
    map.kind = AttentionMap::Kind::cross;
    map.heads = 1;
    for (const char* name : {"p", "q"}) map.rows.push_back({name, "w", -1, 0, false});
    for (int i = 0; i < 3; ++i) {
      map.columns.push_back({std::string(1, static_cast<char>('a' + i)), {}, i, -1, false});
      map.key_of_column.push_back(i);
    }
    for (Index row = 0; row < 2; ++row) map.row_sources.push_back({-1, 3 * row, 6, 3, 3, -1});
    map.own = Tensor({1, 2, 3});
    for (Index i = 0; i < 6; ++i) map.own[i] = i == 0 || i == 5 ? 1 : 0;
    set_maps({std::make_shared<const AttentionMap>(std::move(map))}, {0, 0});
  }
  // How far along this line of the arcs something is drawn, as the middle of its ink; -1: nowhere.
  double ink_at(double way, double height) const {
    QImage blank(viewport()->size(), QImage::Format_RGB32);
    blank.fill(theme().background());
    QImage image = blank;
    QPainter painter(&image);
    paint_between(painter, {blank, blank, way});
    painter.end();
    const QRectF arcs = ribbons_layout().arcs;
    const int y = static_cast<int>(arcs.top() + height * arcs.height());
    double sum = 0, count = 0;
    for (int x = 0; x < image.width(); ++x)
      if (image.pixel(x, y) != blank.pixel(x, y)) sum += x, ++count;
    return count > 0 ? sum / count : -1;
  }
};

}  // namespace

class TestMotion : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    Theme::instance().set_mode(Theme::Mode::light);
    Shown before;
    before.click();
    before.show_letters(QStringLiteral("tim"));
    QVERIFY(!before.moves());  // nobody watches yet
    Motion::watch();
  }

  void what_is_the_same_stays_while_the_rest_fades() {
    QImage before(3, 1, QImage::Format_ARGB32_Premultiplied), now(3, 1, QImage::Format_ARGB32_Premultiplied);
    before.setPixel(0, 0, qRgba(10, 20, 30, 255));
    now.setPixel(0, 0, qRgba(10, 20, 30, 255));
    before.setPixel(1, 0, qRgba(0, 0, 0, 0));
    now.setPixel(1, 0, qRgba(200, 100, 0, 255));
    before.setPixel(2, 0, qRgba(100, 0, 200, 255));
    now.setPixel(2, 0, qRgba(0, 100, 200, 255));
    for (const double way : {0.0, 0.3, 0.5, 1.0}) {
      const QImage image = Motion::mixed(before, now, way);
      QCOMPARE(image.pixel(0, 0), qRgba(10, 20, 30, 255));
      QVERIFY(std::abs(qAlpha(image.pixel(1, 0)) - 255 * way) <= 1);
      QVERIFY(std::abs(qRed(image.pixel(2, 0)) - 100 * (1 - way)) <= 1);
      QVERIFY(std::abs(qGreen(image.pixel(2, 0)) - 100 * way) <= 1);
      QCOMPARE(qBlue(image.pixel(2, 0)), 200);
    }
  }

  void a_click_moves_and_ends_at_what_is_there() {
    static_assert(Motion::kDuration == 180);
    Shown shown;
    shown.click();
    shown.show_letters(QStringLiteral("today"));
    QVERIFY(shown.moves());
    shown.show_letters(QStringLiteral("tomorrow"));  // of the same act: the same way, to another end
    QVERIFY(shown.moves());
    QTRY_VERIFY_WITH_TIMEOUT(!shown.moves(), 2000);
    const Shown fresh(QStringLiteral("tomorrow"));
    QVERIFY(
        image_problem(shown.heatmap.grab().toImage(), const_cast<Shown&>(fresh).heatmap.grab().toImage()).isEmpty());
    shown.show_letters(QStringLiteral("tom"));  // nobody did anything since
    QVERIFY(!shown.moves());
  }

  void on_the_way_it_is_neither() {
    Shown shown(QStringLiteral("aaa"));
    const QImage before = shown.heatmap.grab().toImage();
    shown.click();
    shown.show_letters(QStringLiteral("aaa"), 0);
    int others = 0;
    while (shown.moves()) {
      QTest::qWait(15);
      if (!shown.moves()) break;
      const QImage now = shown.heatmap.grab().toImage();
      others += now != before;
    }
    QVERIFY(others > 0);
    QVERIFY(shown.heatmap.grab().toImage() != before);
  }

  void typing_never_moves() {
    Shown shown;
    shown.field.setFocus();
    QTest::keyClick(&shown.field, Qt::Key_A);
    shown.show_letters(QStringLiteral("toma"));
    QVERIFY(!shown.moves());
  }

  void dragging_and_the_wheel_never_move() {
    Shown shown;
    QTest::mousePress(&shown.window, Qt::LeftButton, {}, {2, 2});
    QMouseEvent drag(QEvent::MouseMove, QPointF(9, 9), QPointF(9, 9), Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&shown.window, &drag);
    shown.show_letters(QStringLiteral("toma"));
    QVERIFY(!shown.moves());
    QTest::mouseRelease(&shown.window, Qt::LeftButton, {}, {9, 9});
  }

  void never_twice_in_a_row() {
    Shown shown;
    shown.click();
    shown.show_letters(QStringLiteral("tim"));
    QVERIFY(shown.moves());
    QTRY_VERIFY_WITH_TIMEOUT(!shown.moves(), 2000);
    shown.click();  // less than half a second after the first
    shown.show_letters(QStringLiteral("tam"));
    QVERIFY(!shown.moves());
  }

  void any_key_ends_it() {
    Shown shown;
    shown.click();
    shown.show_letters(QStringLiteral("tim"));
    QVERIFY(shown.moves());
    QTest::qWait(5);
    QTest::keyClick(&shown.window, Qt::Key_Shift);
    QVERIFY(!shown.moves());
  }

  void another_size_ends_nothing_and_hiding_does() {
    Shown shown;
    shown.click();
    shown.show_letters(QStringLiteral("tim"));
    shown.window.resize(600, 420);
    QVERIFY(shown.moves());
    shown.heatmap.hide();
    QVERIFY(!shown.moves());
  }

  void less_motion_is_none() {
    Shown shown;
    shown.style.duration = 0;
    shown.click();
    shown.show_letters(QStringLiteral("tim"));
    QVERIFY(!shown.moves());
  }

  // What takes more than 12 ms of the processor is shown once, and then the end is.
  void a_slow_frame_is_the_last() {
    Shown shown;
    shown.click();
    int frames = 0;
    const auto slow = [&frames](QPainter& painter, const Motion::Frame& frame) {
      ++frames;
      for (const double began = thread_seconds(); thread_seconds() - began < 0.02;) continue;
      Motion::fade(painter, frame);
    };
    QVERIFY(Motion::begin(*shown.heatmap.viewport(), slow));
    QTRY_VERIFY_WITH_TIMEOUT(!shown.moves(), 2000);
    QCOMPARE(frames, 1);
  }

  void what_is_inside_of_what_moves_does_not_move_by_itself() {
    Shown shown;
    shown.click();
    QVERIFY(Motion::begin(shown.window));
    shown.show_letters(QStringLiteral("tim"));
    QVERIFY(!shown.moves());
    Motion::end(shown.window);
  }

  // The ribbon to `a` becomes thinner where it ends, that to `c` grows there, and their common end moves.
  void ribbons_move_their_ends_and_change_their_width() {
    Between canvas;
    show_at(canvas, {900, 600});
    canvas.set_token({RibbonsToken::Side::query, 0});
    canvas.keep();
    canvas.set_token({RibbonsToken::Side::query, 1});
    const RibbonsLayout& layout = canvas.ribbons_layout();
    const double from = layout.own.centre(0), to = layout.own.centre(1);
    for (const double way : {0.001, 0.25, 0.58, 0.999})
      QVERIFY2(std::abs(canvas.ink_at(way, 0.01) - std::lerp(from, to, way)) < 3, qPrintable(QString::number(way)));
    QVERIFY(std::abs(canvas.ink_at(0.001, 0.99) - layout.others.centre(0)) < 3);
    QVERIFY(std::abs(canvas.ink_at(0.999, 0.99) - layout.others.centre(2)) < 3);
    QVERIFY(std::abs(canvas.ink_at(0.5, 0.99) - layout.others.centre(1)) < 3);  // the middle of both
  }

  void names_are_matched_in_their_order() {
    const auto names = [](const char* text) {
      std::vector<QString> found;
      for (const QChar letter : QString::fromUtf8(text)) found.emplace_back(letter);
      return found;
    };
    using Pairs = std::vector<std::pair<int, int>>;
    QCOMPARE(same_names(names("abc"), names("abc")), (Pairs{{0, 0}, {1, 1}, {2, 2}}));
    QCOMPARE(same_names(names("22"), names("x2y2")), (Pairs{{0, 1}, {1, 3}}));
    QCOMPARE(same_names(names("abc"), names("xyz")), Pairs{});
    QCOMPARE(same_names(names(""), names("a")), Pairs{});
  }

  void rows_of_the_same_name_glide_and_others_grow_and_shrink() {
    const HeatmapBands tom{{"t", "o", "m"}, {10, 40, 70, 100}, 120};
    QCOMPARE(heatmap_strips(tom, tom), (Strips{{0, 120, 0, 120}}));
    // "a" in front: it grows at the left edge, and the others, which become narrower together, are one strip.
    const HeatmapBands atom{{"a", "t", "o", "m"}, {10, 32.5, 55, 77.5, 100}, 120};
    QCOMPARE(heatmap_strips(tom, atom),
             (Strips{{0, 10, 0, 10}, {10, 10, 10, 32.5}, {10, 100, 32.5, 100}, {100, 120, 100, 120}}));
    QCOMPARE(heatmap_strips(atom, tom),
             (Strips{{0, 10, 0, 10}, {10, 32.5, 10, 10}, {32.5, 100, 10, 100}, {100, 120, 100, 120}}));
    // Without names the whole picture fades.
    QCOMPARE(heatmap_strips({{}, {}, 120}, {{}, {}, 120}), (Strips{{0, 120, 0, 120}}));
    for (const Strips& strips : {heatmap_strips(tom, atom), heatmap_strips(atom, {{"x"}, {10, 100}, 120})}) {
      QCOMPARE(strips.front().before, 0.);
      QCOMPARE(strips.front().now, 0.);
      for (std::size_t i = 1; i < strips.size(); ++i) {
        QCOMPARE(strips[i].before, strips[i - 1].before_end);
        QCOMPARE(strips[i].now, strips[i - 1].now_end);
      }
      QCOMPARE(strips.back().before_end, 120.);
      QCOMPARE(strips.back().now_end, 120.);
    }
  }
};

HEADLIGHT_WIDGET_TEST(TestMotion)

}  // namespace headlight::test_motion

#include "test_motion.moc"
