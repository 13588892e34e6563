// Layouts of the painted views, without a window and without fonts.
#include <QTest>
#include <cmath>

#include "tests/test_program.h"
#include "widgets/matrix/heatmap_layout.h"
#include "widgets/views/output/output_layout.h"
#include "widgets/views/tokens/token_strip_layout.h"

namespace headlight::test_layouts {

namespace {

// Every character is 8 wide.
double eight_per_character(const QString& text) { return 8.0 * static_cast<double>(text.size()); }

HeatmapInput input(QSizeF size, int rows, int columns, const QString& row = "x", const QString& column = "y") {
  HeatmapInput in;
  in.size = size;
  in.rows = rows;
  in.columns = columns;
  in.window = HeatmapWindow::whole(rows, columns);
  in.row_labels.assign(static_cast<std::size_t>(rows), row);
  in.column_labels.assign(static_cast<std::size_t>(columns), column);
  in.text_width = eight_per_character;
  in.short_names = column.size() <= 1;
  return in;
}

}  // namespace

class TestLayouts : public QObject {
  Q_OBJECT

 private slots:
  void cells_and_pixels_are_inverse() {
    const HeatmapLayout layout = HeatmapLayout::of(input({800, 400}, 10, 29));
    for (const HeatmapCell cell : {HeatmapCell{0, 0}, HeatmapCell{9, 28}, HeatmapCell{4, 13}}) {
      const QRectF rect = layout.cell_rect(cell.row, cell.column);
      QCOMPARE(layout.cell_at(rect.center()), cell);
      QCOMPARE(layout.cell_at(rect.topLeft() + QPointF(0.01, 0.01)), cell);
      const QPointF middle = layout.matrix_point(rect.center());
      QVERIFY(std::hypot(middle.x() - cell.column - 0.5, middle.y() - cell.row - 0.5) < 1e-9);
    }
    QVERIFY(!layout.cell_at(layout.cells.topLeft() - QPointF(1, 0)));
    QVERIFY(!layout.cell_at(layout.cells.bottomRight()));
  }

  void everything_lies_inside_and_nothing_overlaps() {
    for (const QSizeF size : {QSizeF(800, 400), QSizeF(300, 180), QSizeF(1600, 900)}) {
      const HeatmapLayout layout = HeatmapLayout::of(input(size, 10, 29));
      const QRectF all(QPointF(), size);
      for (const QRectF& part :
           {layout.cells, layout.colour_bar, layout.colour_bar_labels, layout.row_caption, layout.column_caption})
        QVERIFY(all.contains(part));
      QVERIFY(!layout.cells.intersects(layout.colour_bar));
      for (const auto& label : layout.row_labels) QVERIFY(!label.rect.intersects(layout.row_caption));
      for (std::size_t i = 1; i < layout.row_labels.size(); ++i)
        QVERIFY(layout.row_labels[i - 1].rect.bottom() <= layout.row_labels[i].rect.top() + 1e-6);
      for (std::size_t i = 1; i < layout.column_labels.size(); ++i)
        QVERIFY(layout.column_labels[i - 1].rect.right() <= layout.column_labels[i].rect.right());
    }
  }

  void short_labels_are_thinned_before_they_touch() {
    const HeatmapLayout wide = HeatmapLayout::of(input({800, 400}, 10, 29));
    QCOMPARE(wide.column_stride, 1);
    QCOMPARE(wide.column_labels.size(), std::size_t(29));
    const HeatmapLayout narrow = HeatmapLayout::of(input({300, 400}, 10, 100));
    QVERIFY(narrow.column_style == HeatmapLayout::ColumnLabels::upright);
    QVERIFY(narrow.column_stride > 1);
    QVERIFY(narrow.column_stride * narrow.cell_width >= 8);
    QVERIFY((narrow.column_stride - 1) * narrow.cell_width < 8 + 2);  // not more than needed
    const HeatmapLayout flat = HeatmapLayout::of(input({800, 160}, 60, 10));
    QVERIFY(flat.row_stride * flat.cell_height >= 14);
  }

  // Where each row looks at the columns up to its own, names stand on top of the first cell of their column, whole, on
  // no cell that is painted and on no other name; what is free in the corner is free of both.
  void names_of_columns_stand_on_stairs() {
    for (const QSizeF& size : {QSizeF(900, 500), QSizeF(500, 400), QSizeF(1600, 900)})
      for (const int count : {3, 8, 17}) {
        HeatmapInput in = input(size, count, count, "word", "longword");
        in.stairs = in.bare = true;
        const HeatmapLayout layout = HeatmapLayout::of(in);
        QVERIFY(layout.column_style == HeatmapLayout::ColumnLabels::stairs);
        QCOMPARE(layout.column_labels.size(), static_cast<std::size_t>(count));
        const QRectF corner = layout.corner(120);
        for (int i = 0; i < count; ++i) {
          const HeatmapLayout::Label& label = layout.column_labels[static_cast<std::size_t>(i)];
          QCOMPARE(label.text, QStringLiteral("longword"));
          QVERIFY(label.rect.right() <= size.width() && label.rect.bottom() <= layout.cell_rect(i, i).top() + 1e-6);
          QVERIFY(std::abs(label.rect.left() - layout.cell_rect(i, i).left()) < 1e-6);
          QCOMPARE(layout.column_top(i), layout.cell_rect(i, i).top());
          QCOMPARE(layout.column_label_at(label.rect.center()), std::optional(i));
          for (int row = 0; row < count; ++row)
            for (int column = 0; column <= row; ++column) {
              QVERIFY(!label.rect.intersects(layout.cell_rect(row, column).adjusted(1e-6, 1e-6, -1e-6, -1e-6)));
              QVERIFY(!corner.intersects(layout.cell_rect(row, column)));
            }
          QVERIFY(!corner.intersects(label.rect));
          if (i > 0) QVERIFY(!label.rect.intersects(layout.column_labels[static_cast<std::size_t>(i - 1)].rect));
        }
        QVERIFY(count < 8 || size.width() < 900 || corner.height() > 100);
      }
    // Where rows are too low for names, or a part is shown, they are turned.
    HeatmapInput low = input({900, 300}, 60, 60, "word", "longword");
    low.stairs = true;
    QVERIFY(HeatmapLayout::of(low).column_style == HeatmapLayout::ColumnLabels::turned);
    const QRectF above = HeatmapLayout::of(low).corner(200);
    QVERIFY(above.height() > 60 && !above.intersects(HeatmapLayout::of(low).cell_rect(30, 30)));
    HeatmapInput part = input({900, 500}, 17, 17, "word", "a long name");
    part.stairs = true;
    part.window = {3, 15, 3, 15};
    QVERIFY(HeatmapLayout::of(part).column_style == HeatmapLayout::ColumnLabels::turned);
    QVERIFY(HeatmapLayout::of(part).corner(100).isEmpty());
  }

  // On a wall rows have their names down to the height of their ink: 12 pixels of lines of 14 are enough.
  void names_of_rows_stand_closer_on_a_wall() {
    HeatmapInput in = input({600, 100}, 12, 12);
    while (HeatmapLayout::of(in).cell_height < 0.9 * in.text_height) in.size.rheight() += 1;
    const HeatmapLayout apart = HeatmapLayout::of(in);
    QVERIFY(apart.cell_height < in.text_height && apart.cell_height > 0.75 * in.text_height);
    QCOMPARE(apart.row_stride, 2);
    in.close_rows = true;
    const HeatmapLayout close = HeatmapLayout::of(in);
    QCOMPARE(close.row_stride, 1);
    QCOMPARE(close.row_labels.size(), std::size_t{12});
  }

  // What several folded columns are, in two lines, where their column has the room.
  void folded_columns_say_what_they_are_in_two_lines() {
    HeatmapInput in = input({900, 500}, 10, 12);
    in.lines = QSizeF(50, 40);
    const HeatmapLayout wide = HeatmapLayout::of(in);
    QVERIFY(wide.two_lines && wide.column_labels.front().rect.height() >= 40);
    QVERIFY(wide.column_labels.front().rect.top() >= 0);
    in.size = {400, 500};
    const HeatmapLayout narrow = HeatmapLayout::of(in);
    QVERIFY(!narrow.two_lines && narrow.column_labels.front().rect.height() < 40);
    // Else how many there are, or only that they are blanks: it never stands on what is before it.
    int long_ones = 0, short_ones = 0;
    for (int width = 100; width <= 800; width += 10) {
      in = input(QSizeF(width, 400), 10, 17);
      in.bare = true;
      in.colour_bar = false;
      in.column_labels.back() = QStringLiteral("12_");
      in.folded = 16;
      in.widest_column = 8;
      const HeatmapLayout layout = HeatmapLayout::of(in);
      const HeatmapLayout::Label& last = layout.column_labels.back();
      QCOMPARE(last.index, 16);
      (last.text == QLatin1String("12_") ? long_ones : short_ones) += 1;
      QVERIFY(last.rect.right() <= width + 1e-6);
      if (layout.column_labels.size() < 2) continue;
      const HeatmapLayout::Label& before = layout.column_labels[layout.column_labels.size() - 2];
      const double half = eight_per_character(last.text) / 2, ink = eight_per_character(before.text) / 2;
      QVERIFY(last.rect.center().x() - half >= before.rect.center().x() + ink - 1e-6);
    }
    QVERIFY(long_ones > 10 && short_ones > 2);
  }

  void long_column_labels_are_turned_and_long_labels_elided() {
    const HeatmapLayout layout =
        HeatmapLayout::of(input({500, 400}, 5, 12, QString(60, 'r'), QStringLiteral("attention")));
    QVERIFY(layout.column_style == HeatmapLayout::ColumnLabels::turned);
    QCOMPARE(layout.column_labels.front().text, QStringLiteral("attention"));
    QVERIFY(layout.row_labels.front().text.contains(QChar(0x2026)));
    QVERIFY(layout.row_labels.front().rect.width() <= 0.3 * 500);
  }

  // Over a vocabulary: every symbol, shortened, where there is room for something of each, else whole words now and
  // then.
  void labels_over_a_strip_are_whole_where_not_all_fit() {
    for (const double width : {400., 900., 1120.}) {
      HeatmapInput in = input({width, 60}, 1, 267);
      for (std::size_t i = 0; i < in.column_labels.size(); ++i)
        in.column_labels[i] = i % 7 == 0 ? QStringLiteral("expensive") : QStringLiteral("cup");
      in.column_labels.front() = in.column_labels.back() = QStringLiteral("<pad>");
      in.strip = true;
      in.shortest_label = 18;
      const HeatmapLayout layout = HeatmapLayout::of(in);
      QVERIFY(layout.column_labels.size() > 3);
      QCOMPARE(layout.column_labels.front().text, QStringLiteral("<pad>"));
      for (std::size_t i = 0; i < layout.column_labels.size(); ++i) {
        const auto& column = layout.column_labels[i].index;
        const QRectF& rect = layout.column_labels[i].rect;
        const QString& text = layout.column_labels[i].text;
        QCOMPARE(text, in.column_labels[static_cast<std::size_t>(column)]);
        QVERIFY(rect.left() >= 0 && rect.right() <= width && rect.width() >= eight_per_character(text));
        QVERIFY(i == 0 || rect.left() >= layout.column_labels[i - 1].rect.right());
      }
    }
    HeatmapInput few = input({900, 60}, 1, 30, "x", "expensive");
    few.strip = true;
    few.shortest_label = 18;
    const HeatmapLayout layout = HeatmapLayout::of(few);
    QCOMPARE(layout.column_labels.size(), std::size_t(30));
    QVERIFY(layout.column_labels[3].text.contains(QChar(0x2026)));
  }

  void elision_keeps_characters_whole() {
    QCOMPARE(elided_to("abcdef", 48, eight_per_character), QString("abcdef"));
    QCOMPARE(elided_to("abcdef", 40, eight_per_character), QString("abc…f"));  // the end stays in sight
    QCOMPARE(elided_to("abcdefghij", 64, eight_per_character), QString("abcde…ij"));
    QCOMPARE(elided_to("abcdef", 24, eight_per_character), QString("ab…"));
    QCOMPARE(elided_to("abcdef", 1, eight_per_character), QString("…"));
    const QString emoji = QString::fromUtf8("a😀b");  // the second character is two code units
    QCOMPARE(elided_to(emoji, 24, eight_per_character), QString("a…"));
    const QString family = QString::fromUtf8("abc👨‍👩‍👧");  // the last character is eight
    QCOMPARE(elided_to(family, 80, eight_per_character), QString::fromUtf8("ab…"));
    const QString large = QString(10000, 'a') + "end";
    const QString shown = elided_to(large, 96, eight_per_character);
    QCOMPARE(shown, QString("aaaaaaaa…end"));
  }

  void numbers_are_shown_only_where_they_fit() {
    QVERIFY(HeatmapLayout::of(input({800, 400}, 4, 6)).values_shown);
    QVERIFY(!HeatmapLayout::of(input({800, 400}, 4, 60)).values_shown);
    QVERIFY(!HeatmapLayout::of(input({800, 120}, 40, 6)).values_shown);
  }

  void small_matrices_do_not_become_posters() {
    const HeatmapLayout layout = HeatmapLayout::of(input({1600, 900}, 2, 2));
    QVERIFY(layout.cell_width <= 88 && layout.cell_height <= 88);
  }

  void no_cells_and_no_room_are_harmless() {
    QCOMPARE(HeatmapLayout::of(input({800, 400}, 0, 0)).rows, 0);
    QVERIFY(!HeatmapLayout::of(input({800, 400}, 0, 5)).cell_at({100, 100}));
    const HeatmapLayout tiny = HeatmapLayout::of(input({1, 1}, 10, 29));
    QVERIFY(tiny.cell_width > 0 && tiny.cell_height > 0);
  }

  void zoom_keeps_the_point_and_stays_inside() {
    const HeatmapWindow whole = HeatmapWindow::whole(10, 29);
    const HeatmapWindow closer = whole.zoomed(2, {10, 4}, 10, 29);
    QCOMPARE(closer.width(), 14.5);
    QCOMPARE((10 - closer.left) / closer.width(), 10.0 / 29);
    QCOMPARE((4 - closer.top) / closer.height(), 0.4);
    QCOMPARE(closer.zoomed(0.01, {10, 4}, 10, 29), whole);
    const HeatmapWindow closest = whole.zoomed(1000, {28.9, 9.9}, 10, 29);
    QCOMPARE(closest.width(), 3.0);
    QVERIFY(closest.right <= 29 + 1e-9 && closest.bottom <= 10 + 1e-9);
    const HeatmapWindow tiny = HeatmapWindow::whole(1, 2).zoomed(10, {0, 0}, 1, 2);
    QCOMPARE(tiny, HeatmapWindow::whole(1, 2));
  }

  void cells_of_a_point_are_powers_of_two() {
    HeatmapLayout layout;
    layout.cells = QRectF(0, 0, 700, 100);
    for (const auto& [size, across] : {std::pair{700, 1}, {701, 2}, {1400, 2}, {1401, 4}, {4096, 8}}) {
      layout.window = HeatmapWindow::whole(100, size);
      QCOMPARE(layout.cells_of_point(1), QSize(across, 1));
    }
    QCOMPARE(layout.cells_of_point(2), QSize(4, 1));
  }

  void pan_is_clamped_and_the_cursor_is_shown() {
    const HeatmapWindow window{5, 15, 2, 6};
    QCOMPARE(window.moved(-100, 100, 10, 29), (HeatmapWindow{0, 10, 6, 10}));
    QCOMPARE(window.showing(3, 9, 10, 29), window);
    QCOMPARE(window.showing(0, 20, 10, 29), (HeatmapWindow{11, 21, 0, 4}));
  }

  void the_readout_never_covers_its_cell() {
    const HeatmapLayout layout = HeatmapLayout::of(input({800, 400}, 10, 29));
    const QSizeF readout(150, 24);
    for (int row = 0; row < 10; ++row) {
      for (int column = 0; column < 29; ++column) {
        const QRectF rect = layout.readout_rect(row, column, readout);
        QVERIFY(!rect.intersects(layout.cell_rect(row, column)));
        QVERIFY(QRectF(0, 0, 800, 400).contains(rect));
      }
    }
    // Where there is room, its row, its column and its neighbours stay free as well.
    const QRectF cell = layout.cell_rect(5, 10), rect = layout.readout_rect(5, 10, readout);
    const QRectF around = layout.cell_rect(4, 9) | layout.cell_rect(6, 11);
    QVERIFY(!rect.intersects(layout.row_band(5)) && !rect.intersects(layout.column_band(10)));
    QVERIFY(!rect.intersects(around));
    QVERIFY(rect.bottom() < cell.top() - layout.cell_rect(4, 10).height());
  }

  void brackets_hold_the_pieces_of_a_word_together() {
    TokenStripLayout::Metrics metrics;
    metrics.width = 100;  // 88 for chips: three in a line
    metrics.bracket = 6;
    const TokenStripLayout layout = TokenStripLayout::of({8, 8, 8, 8, 8}, metrics);
    const auto brackets = layout.brackets(1, 3);  // two in the first line, one in the second
    QCOMPARE(brackets.size(), std::size_t(2));
    QCOMPARE(brackets[0], QRectF(layout.chips[1].left(), layout.chips[1].top() - 6, 22 + 3 + 22, 6));
    QCOMPARE(brackets[1], QRectF(layout.chips[3].left(), layout.chips[3].top() - 6, 22, 6));
    for (const QRectF& bracket : brackets)
      for (const QRectF& chip : layout.chips) QVERIFY(!bracket.intersects(chip));
    QVERIFY(layout.chips.back().bottom() <= layout.height);
    QVERIFY(layout.brackets(9, 2).empty());
  }

  void chips_wrap_in_reading_order() {
    TokenStripLayout::Metrics metrics;
    metrics.width = 100;  // 88 for chips
    const TokenStripLayout layout = TokenStripLayout::of({8, 8, 8, 8, 200, 8}, metrics);
    // 22 + 3 + 22 + 3 + 22 = 72 fit, the fourth does not; the long one is as wide as a line and stands alone.
    QCOMPARE(layout.line_of_chip, (std::vector<int>{0, 0, 0, 1, 2, 3}));
    QCOMPARE(layout.chips[1].left(), 6.0 + 25);
    QCOMPARE(layout.chips[4].width(), 88.0);
    QCOMPARE(layout.lines, 4);
    QCOMPARE(layout.height, 12 + 4 * 28 + 3 * 3.0);
    for (std::size_t i = 0; i < layout.chips.size(); ++i)
      QCOMPARE(layout.chip_at(layout.chips[i].center()), static_cast<int>(i));
    QCOMPARE(layout.chip_at({6 + 23, 10}), -1);  // the gap
    QCOMPARE(layout.chip_at({50, 500}), -1);
    QCOMPARE(layout.chip_in_line(1, 1), 3);
    QCOMPARE(layout.chip_in_line(3, -1), 0);
    QCOMPARE(layout.chip_in_line(0, -1), 0);
    QCOMPARE(layout.chip_in_line(5, 1), 5);
  }

  void an_empty_strip_keeps_its_height() {
    const TokenStripLayout layout = TokenStripLayout::of({}, {});
    QCOMPARE(layout.lines, 0);
    QVERIFY(layout.height >= 28);
    QCOMPARE(layout.chip_at({10, 10}), -1);
  }

  void five_hundred_tokens_find_their_places() {
    TokenStripLayout::Metrics metrics;
    metrics.width = 700;
    const std::vector<double> widths(512, 9);
    const TokenStripLayout layout = TokenStripLayout::of(widths, metrics);
    QCOMPARE(layout.chips.size(), std::size_t(512));
    for (std::size_t i = 0; i < 512; ++i) {
      QVERIFY(layout.chips[i].right() <= 700);
      QCOMPARE(layout.chip_at(layout.chips[i].center()), static_cast<int>(i));
    }
  }

  void ten_steps_by_five_candidates_fit_into_the_side_panel() {
    OutputLayout::Metrics metrics;
    metrics.width = 420;
    metrics.height = 260;
    metrics.smallest_column = 36;
    const OutputLayout layout = OutputLayout::of(std::vector<double>(10, 20), 5, metrics);
    QVERIFY2(layout.width <= 420 && layout.height <= 260,
             qPrintable(QString("%1 x %2").arg(layout.width).arg(layout.height)));
    QVERIFY(layout.widths[9] >= 36 && layout.candidate_height >= 28);
    for (int step = 0; step < 10; ++step) {
      QCOMPARE(layout.place_at(layout.chip_rect(step).center()), (OutputHit{step, -1}));
      for (int rank = 0; rank < 5; ++rank)
        QCOMPARE(layout.place_at(layout.candidate_rect(step, rank).center()), (OutputHit{step, rank}));
    }
    QCOMPARE(layout.place_at({1, 1}), OutputHit{});
    QCOMPARE(layout.place_at({419, 259}), OutputHit{});
  }

  void columns_have_a_smallest_and_a_largest_width() {
    OutputLayout::Metrics metrics;
    metrics.width = 420;
    metrics.height = 260;
    const OutputLayout many = OutputLayout::of(std::vector<double>(100, 20), 5, metrics);
    QCOMPARE(many.widths, std::vector<double>(100, 38.0));
    QCOMPARE(many.width, 2 * 8 + 100 * 38 + 99 * 4.0);  // it scrolls
    QCOMPARE(OutputLayout::of({20}, 5, metrics).widths, std::vector<double>{150});
    QCOMPARE(OutputLayout::of({}, 0, metrics).place_at({50, 50}), OutputHit{});
  }

  void long_tokens_get_their_room_and_the_rest_is_shared() {
    OutputLayout::Metrics metrics;
    metrics.width = 2 * 8 + 3 * 4 + 260;
    metrics.height = 260;
    // 260 for four: one needs 110, so that 150 are left for three.
    const OutputLayout layout = OutputLayout::of({20, 110, 40, 30}, 5, metrics);
    QCOMPARE(layout.widths, (std::vector<double>{50, 110, 50, 50}));
    QCOMPARE(layout.lefts, (std::vector<double>{8, 62, 176, 230}));
    QCOMPARE(layout.width, metrics.width);
    QCOMPARE(layout.place_at(layout.candidate_rect(1, 3).topRight() - QPointF(1, -1)), (OutputHit{1, 3}));
    QCOMPARE(layout.place_at(layout.candidate_rect(2, 3).topLeft() + QPointF(1, 1)), (OutputHit{2, 3}));
    QCOMPARE(layout.place_at({174, 40}), OutputHit{});  // the gap
    // Where the needs are more than the room, nothing is narrower than its need.
    QCOMPARE(OutputLayout::of({200, 110, 40, 30}, 5, metrics).widths, (std::vector<double>{200, 110, 40, 38}));
  }
};

HEADLIGHT_TEST(TestLayouts)

}  // namespace headlight::test_layouts

#include "test_layouts.moc"
