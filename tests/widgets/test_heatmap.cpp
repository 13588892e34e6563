// The heatmap widget: what it shows, of any size and at any zoom, its table and its exports.

#include <QPainter>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "model/core/errors.h"
#include "tests/test_program.h"
#include "tests/widgets/heatmap_of_dates.h"
#include "tests/widgets/image_test.h"
#include "tests/widgets/recorded_text.h"
#include "widgets/base/tokens.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/matrix/heatmap_values.h"
#include "widgets/tables/matrix_model.h"
#include "widgets/tables/table.h"

namespace headlight::test_heatmap {

using namespace sample;

class TestHeatmap : public QObject {
  Q_OBJECT

 private slots:
  void init() { Theme::instance().set_mode(Theme::Mode::light); }

  void shows_the_colour_of_a_value() {
    Heatmap map;
    map.set_matrix(2, 2, {0.0f, 1.0f, 0.5f, 0.25f});
    show_at(map, {400, 300});
    const QImage image = map.grab().toImage();
    // Beside the number that stands in the middle.
    const QPoint aside = map.heatmap_layout().cell_rect(0, 1).topLeft().toPoint() + QPoint(6, 6);
    QCOMPARE(image.pixelColor(aside), Theme::instance().weight(1));
    const QPoint zero = map.heatmap_layout().cell_rect(0, 0).topLeft().toPoint() + QPoint(6, 6);
    QCOMPARE(image.pixelColor(zero), tokens().bed);
    const QPoint half = map.heatmap_layout().cell_rect(1, 0).topLeft().toPoint() + QPoint(6, 6);
    const QColor expected = Theme::instance().weight(0.5), seen = image.pixelColor(half);
    QVERIFY(std::abs(expected.red() - seen.red()) <= 4 && std::abs(expected.blue() - seen.blue()) <= 4);
  }

  void single_row_and_single_cell_fill_their_place() {
    for (const int columns : {1, 4}) {
      Heatmap map;
      map.set_matrix(1, columns, std::vector<float>(static_cast<std::size_t>(columns), 1.0f));
      show_at(map, {400, 200});
      const QImage image = map.grab().toImage();
      for (int column = 0; column < columns; ++column) {
        const QRectF cell = map.heatmap_layout().cell_rect(0, column);
        for (const QPointF corner : {cell.topLeft() + QPointF(4, 4), cell.bottomRight() - QPointF(4, 4)})
          QCOMPARE(image.pixelColor(corner.toPoint()), Theme::instance().weight(1));
      }
    }
  }

  void empty_and_mismatched_matrices_show_nothing() {
    Heatmap map;
    map.set_matrix(3, 3, {1, 2});
    QCOMPARE(map.rows(), 0);
    map.set_matrix(Tensor());
    show_at(map, {300, 200});
    QTest::keyClick(&map, Qt::Key_Right);
    QTest::mouseMove(map.viewport(), {100, 100});
    QCOMPARE(map.selected_cell(), HeatmapCell{});
    QVERIFY(map.accessibleName().contains("empty"));
  }

  // Wherever the rows begin, also between two points of the screen: no line of a cell is left on the far side of the
  // gap in front of it.
  void a_cell_begins_behind_its_gap() {
    constexpr int kRows = 10;
    std::vector<float> values;
    for (int row = 0; row < kRows; ++row)
      for (int column = 0; column < 4; ++column) values.push_back(row % 2 == 0 ? 0.0f : 1.0f);
    Heatmap map;
    map.set_matrix(kRows, 4, values);
    for (int height = 150; height < 190; ++height) {
      show_at(map, {200, height});
      const QImage image = map.grab().toImage();
      const int x = middle_of(map, 0, 1).x();
      const QRgb full = image.pixel(x, middle_of(map, 1, 1).y());
      int runs = 0;
      for (int y = 1; y < image.height(); ++y) runs += image.pixel(x, y) == full && image.pixel(x, y - 1) != full;
      QVERIFY2(runs == kRows / 2, qPrintable(QStringLiteral("%1 high: %2").arg(height).arg(runs)));
    }
  }

  void painted_tells_the_generation_that_is_on_the_screen() {
    Heatmap map;
    fill(map, 7);
    QSignalSpy painted(&map, &Heatmap::painted);
    show_at(map, {600, 300});
    QTRY_VERIFY(!painted.isEmpty());
    QCOMPARE(painted.last().at(0).toULongLong(), 7ull);
    painted.clear();
    map.set_matrix(10, 29, date_weights(0.5f), 8);
    map.set_highlighted_row(3);
    QVERIFY(painted.isEmpty());  // queued: several setters cost one paint
    QTRY_COMPARE(painted.size(), 1);
    QCOMPARE(painted.last().at(0).toULongLong(), 8ull);
  }

  // A cell of next to nothing is tinted in the row and column that are chosen; one that has a number never is.
  void marks_never_change_the_colour_of_a_cell() {
    Heatmap map;
    fill(map);
    show_at(map, {900, 400});
    QTest::mouseMove(map.viewport(), QPoint(1, 1));
    const auto colours = [&](int row, int column) {
      const QRect cell = map.heatmap_layout().cell_rect(row, column).toRect();
      return map.grab().toImage().pixelColor(cell.topLeft() + QPoint(4, 4));
    };
    std::vector<QColor> before, after;
    const std::vector<HeatmapCell> cells = {{4, 2}, {4, 9}, {1, 9}, {4, 20}, {7, 9}};
    for (const HeatmapCell cell : cells) before.push_back(colours(cell.row, cell.column));
    const QRect label = map.heatmap_layout().column_labels[9].rect.toRect();
    const QImage label_before = map.grab().toImage().copy(label);
    map.set_highlighted_row(4);
    map.set_highlighted_columns({9});
    for (const HeatmapCell cell : cells) after.push_back(colours(cell.row, cell.column));
    int kept = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const bool written = map.value(cells[i].row, cells[i].column) >= 0.005f;
      kept += written ? 1 : 0;
      QCOMPARE(after[i], written ? before[i] : tokens().wash);
    }
    QVERIFY(kept > 0);
    QVERIFY(colours(2, 3) != tokens().wash);                    // in neither of them
    QVERIFY(map.grab().toImage().copy(label) != label_before);  // the mark is there all the same
  }

  // Of signed numbers, too: no frame goes around a row or a column, which would say that all of it is chosen.
  void a_chosen_row_of_signed_numbers_has_no_frame() {
    Heatmap map;
    map.set_range(Heatmap::Range::symmetric);
    std::vector<float> values(16, 0.9f);
    values[1] = values[10] = -0.7f;
    values[6] = 0;
    map.set_matrix(4, 4, values);
    show_at(map, {400, 300});
    QTest::mouseMove(map.viewport(), QPoint(1, 1));
    const QRect cells = map.heatmap_layout().cells.toRect();
    const QImage before = map.grab().toImage();
    map.set_highlighted_row(1);
    map.set_highlighted_columns({2});
    const QImage after = map.grab().toImage();
    const auto middle = [&](int row, int column) {
      return map.heatmap_layout().cell_rect(row, column).toRect().center();
    };
    QCOMPARE(after.pixelColor(middle(1, 2)), tokens().wash);  // of the number 0
    const QRect zero = map.heatmap_layout().cell_rect(1, 2).toAlignedRect();
    for (int y = cells.top() + 1; y < cells.bottom(); ++y)
      for (int x = cells.left() + 1; x < cells.right(); ++x)
        if (!zero.contains(x, y)) QCOMPARE(after.pixel(x, y), before.pixel(x, y));
  }

  // Where rows cannot look there is paper, and no line between what is hidden; also where a processor left 2.9e-39 of
  // exp(−∞).
  void what_is_hidden_is_paper() {
    for (const QSize& size : {QSize(900, 500), QSize(611, 433), QSize(1023, 307)}) {
      Heatmap map;
      constexpr int kCount = 76;
      std::vector<bool> hidden;
      for (int row = 0; row < kCount; ++row)
        for (int column = 0; column < kCount; ++column) hidden.push_back(column > row);
      std::vector<float> values(kCount * kCount, 0.0f);
      for (std::size_t i = 0; i < values.size(); i += 3) values[i] = hidden[i] ? 2.9e-39f : 0.0f;
      map.set_matrix(kCount, kCount, values);
      map.set_hidden(hidden);
      map.set_labels({}, {});
      show_at(map, size);
      const QImage image = map.viewport()->grab().toImage();
      const HeatmapLayout& layout = map.heatmap_layout();
      int looked = 0;
      for (int y = static_cast<int>(layout.cells.top()) + 1; y < layout.cells.bottom() - 1; ++y)
        for (int x = static_cast<int>(layout.cells.left()) + 1; x < layout.cells.right() - 1; ++x) {
          const QPointF place = layout.matrix_point(QPointF(x + 0.5, y + 0.5));
          if (std::floor(place.x()) <= std::floor(place.y())) continue;
          ++looked;
          QVERIFY2(image.pixelColor(x, y) == Theme::instance().background(),
                   qPrintable(QStringLiteral("%1 %2").arg(x).arg(y)));
        }
      QVERIFY(looked > 1000);
    }
  }

  // Also where all others are shortened, or left out.
  void the_names_of_what_is_chosen_are_whole() {
    Heatmap map;
    std::vector<AxisLabel> rows, columns;
    for (int i = 0; i < 12; ++i) {
      rows.push_back({QStringLiteral("row %1").arg(i), false, {}});
      columns.push_back({QStringLiteral("internationalisation %1").arg(i), false, {}});
    }
    map.set_matrix(12, 12, std::vector<float>(144, 0.25f));
    map.set_labels(rows, columns);
    show_at(map, {700, 260});
    QVERIFY(map.heatmap_layout().column_style == HeatmapLayout::ColumnLabels::turned);
    const auto written = [&](const QString& wanted) {
      int found = 0;
      for (const RecordedText& text : texts_of(map.figure())) {
        if (text.text != wanted) continue;
        if (QRectF(QPointF(), QSizeF(map.size())).contains(text.place)) ++found;
      }
      return found;
    };
    for (const int chosen : {0, 5, 11}) {
      const QString& name = columns[static_cast<std::size_t>(chosen)].text;
      map.set_place(-1, -1);
      QCOMPARE(written(name), 0);
      map.set_place(7, chosen);
      QCOMPARE(written(name), 1);
      QVERIFY(written(QStringLiteral("row 7")) >= 1);
    }
  }

  // More cells than points: the picture says so, and a lone spike can be seen wherever it is, on the screen and in
  // files.
  void a_reduced_picture_keeps_its_spikes() {
    constexpr int kSize = 1500;
    for (const int at : {0, 1, 749, 1222, kSize - 1}) {
      std::vector<float> values(static_cast<std::size_t>(kSize) * kSize, 0.0f);
      values[static_cast<std::size_t>(at) * kSize + static_cast<std::size_t>(at)] = 1.0f;
      Heatmap map;
      map.set_matrix(kSize, kSize, values);
      show_at(map, {420, 330});
      const QSize cells = map.cells_of_point();
      QVERIFY(cells.width() > 3 && cells.height() > 3);
      QImage file(420, 330, QImage::Format_RGB32);
      QPainter painter(&file);
      map.paint_picture(painter, file.size());
      painter.end();
      const QRectF inside = map.heatmap_layout().cells;
      for (const QImage& image : {map.grab().toImage(), file}) {
        QPoint seen(-1, -1);
        for (int y = qRound(inside.top()) + 1; y < qRound(inside.bottom()) - 1; ++y)
          for (int x = qRound(inside.left()) + 1; x < qRound(inside.right()) - 1; ++x)
            if (image.pixelColor(x, y) == Theme::instance().weight(1)) seen = {x, y};
        if (at > 1 && at < kSize - 1) QVERIFY(seen.x() >= 0);
        if (seen.x() < 0) continue;  // under the frame
        const QPointF cell = map.heatmap_layout().cell_rect(at, at).center();
        QVERIFY((cell - seen).manhattanLength() < 6);
      }
      map.set_window({static_cast<double>(at) - 20, static_cast<double>(at) + 20, static_cast<double>(at) - 20,
                      static_cast<double>(at) + 20});
      QCOMPARE(map.cells_of_point(), QSize(1, 1));
    }
  }

  void levels_keep_the_largest_of_their_cells() {
    constexpr int kRows = 45, kColumns = 101;
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> values;
    for (int i = 0; i < kRows * kColumns; ++i) values.push_back(static_cast<float>(i * 7919 % 1009) - 500);
    for (int i = 0; i < kRows; ++i) values[static_cast<std::size_t>(i * kColumns + i)] = kNone;
    values[3] = std::numeric_limits<float>::infinity();
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x) values[static_cast<std::size_t>((y + 8) * kColumns + x + 16)] = kNone;
    const HeatmapValues map(kRows, kColumns, values);
    QVERIFY(!map.all_finite());
    QCOMPARE(map.lowest(), -500.0f);
    QCOMPARE(map.highest(), 508.0f);
    for (const auto pick : {HeatmapValues::Pick::largest, HeatmapValues::Pick::farthest})
      for (const int shown : {kRows, 21})
        for (int down = 0; down <= 6; ++down)
          for (const int across : {0, 1, 3, 7}) {
            const HeatmapValues::Level level = map.level(down, across, 0, shown, pick);
            const int high = 1 << down, wide = 1 << across;
            QCOMPARE(level.rows, (shown + high - 1) / high);
            QCOMPARE(level.columns, (kColumns + wide - 1) / wide);
            for (int y = 0; y < level.rows; ++y)
              for (int x = 0; x < level.columns; ++x) {
                float expected = kNone;
                bool broken = false;  // seen at every size
                for (int r = y * high; r < std::min(shown, (y + 1) * high); ++r)
                  for (int c = x * wide; c < std::min(kColumns, (x + 1) * wide); ++c) {
                    const float v = values[static_cast<std::size_t>(r * kColumns + c)];
                    broken = broken || std::isnan(v) || (v > 1000 && pick == HeatmapValues::Pick::largest);
                    if (!std::isfinite(v)) continue;
                    const bool more =
                        pick == HeatmapValues::Pick::largest ? v > expected : std::abs(v) > std::abs(expected);
                    if (std::isnan(expected) || more) expected = v;
                  }
                const float found = level.values[y * level.columns + x];
                if (down + across == 0) continue;  // the values themselves
                if (broken) expected = kNone;
                QVERIFY(std::isnan(expected) ? std::isnan(found) : std::abs(found) == std::abs(expected));
                if (pick == HeatmapValues::Pick::largest && !std::isnan(expected)) QCOMPARE(found, expected);
              }
          }
  }

  void a_reduced_picture_says_so_at_every_zoom() {
    Heatmap map;
    map.set_captions("output", "source", "weight");
    map.set_matrix(900, 900, std::vector<float>(900 * 900, 0.5f));
    show_at(map, {420, 330});
    for (const double span : {900.0, 500.0, 260.0, 100.0}) {
      map.set_window({0, span, 0, span});
      const QSize cells = map.cells_of_point();
      const HeatmapLayout& layout = map.heatmap_layout();
      QVERIFY(cells.width() * layout.cells.width() >= span - 1e-6 &&
              cells.height() * layout.cells.height() >= span - 1e-6);
      if (cells.width() > 1) QVERIFY(cells.width() / 2 * layout.cells.width() < span);  // not more than needed
    }
    QCOMPARE(map.cells_of_point(), QSize(1, 1));
  }

  void rows_appear_one_by_one() {
    Heatmap map;
    map.set_matrix(2, 2, {1, 1, 1, 1});
    map.set_visible_rows(1);
    show_at(map, {400, 300});
    const auto seen = [&](int row) {
      return map.grab().toImage().pixelColor(map.heatmap_layout().cell_rect(row, 0).topLeft().toPoint() + QPoint(6, 6));
    };
    QCOMPARE(seen(0), Theme::instance().weight(1));
    QCOMPARE(seen(1), Theme::instance().background());
    QVERIFY(map.readout(1, 0).contains("not computed yet"));
    // What is not there is not marked.
    const QImage unmarked = map.grab().toImage();
    map.set_highlighted_row(1);
    map.set_selected_cell(1, 0);
    QCOMPARE(map.grab().toImage(), unmarked);
    map.set_selected_cell(0, 0);
    map.set_highlighted_row(0);
    QVERIFY(map.grab().toImage() != unmarked);
    map.set_place(-1, -1);
    map.set_visible_rows(2);
    QCOMPARE(seen(1), Theme::instance().weight(1));
  }

  void automatic_and_symmetric_ranges() {
    Heatmap map;
    map.set_matrix(1, 3, {-4, 0, 2});
    map.set_range(Heatmap::Range::symmetric);
    show_at(map, {400, 200});
    const auto seen = [&](int column) {
      return map.grab().toImage().pixelColor(map.heatmap_layout().cell_rect(0, column).topLeft().toPoint() +
                                             QPoint(6, 6));
    };
    QCOMPARE(seen(0), Theme::instance().signed_value(-1));
    QCOMPARE(seen(1), Theme::instance().signed_value(0));
    map.set_range(Heatmap::Range::automatic);
    QCOMPARE(seen(2), Theme::instance().weight(1));
    QCOMPARE(seen(0), Theme::instance().weight(0));
  }

  void exports_pictures_and_exact_numbers() {
    QTemporaryDir folder;
    Heatmap map;
    map.set_captions("output", "source", "weight");
    map.set_labels({{"a,b", false, {}}, {"say \"x\"", false, {}}}, {{"1", false, {}}, {"2", false, {}}});
    map.set_matrix(2, 2, {0.1f, 1.0f / 3, std::numeric_limits<float>::quiet_NaN(), 1});
    map.resize(400, 300);
    QCOMPARE(table_csv(*map.table_model()),
             QByteArray("output,1,2\r\n\"a,b\",0.100000001,0.333333343\r\n\"say \"\"x\"\"\",NaN,1\r\n"));
    for (const char* ending : {"png", "svg", "pdf", "csv"}) {
      const QString path = folder.filePath(QString("map.") + ending);
      write_figure(map.figure(), path);
      QVERIFY2(QFileInfo(path).size() > 40, ending);
    }
    const QImage png(folder.filePath("map.png"));
    QCOMPARE(png.size(), QSize(800, 600));
    QFile svg(folder.filePath("map.svg"));
    QVERIFY(svg.open(QIODevice::ReadOnly));
    QVERIFY(svg.readAll().contains("source"));
    QVERIFY_EXCEPTION_THROWN(write_figure(map.figure(), folder.filePath("map.bmp")), FileError);
    QVERIFY_EXCEPTION_THROWN(write_figure(map.figure(), folder.filePath("missing/map.png")), FileError);
  }

  void the_table_has_the_same_numbers() {
    Heatmap map;
    fill(map);
    const MatrixModel& table = *map.table_model();
    QCOMPARE(table.rowCount(), 10);
    QCOMPARE(table.columnCount(), 29);
    for (int row = 0; row < 10; ++row)
      for (int column = 0; column < 29; ++column)
        QCOMPARE(table.index(row, column).data(Qt::EditRole).toFloat(), map.value(row, column));
    QCOMPARE(table.headerData(4, Qt::Vertical).toString(), QStringLiteral("-"));
    QCOMPARE(table.headerData(9, Qt::Horizontal).toString(), QStringLiteral("space"));
    QVERIFY(map.accessibleName().contains("10 rows"));
  }

  void pictures_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void pictures() {
    QFETCH(bool, dark);
    const QString mode = dark ? "dark" : "light";
    Theme::instance().set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
    Heatmap map;
    fill(map);
    map.set_highlighted_row(4);
    map.set_edited_cells({{2, 16}});
    map.set_selected_cell(4, 9);
    show_at(map, {560, 260});
    COMPARE_IMAGE(map, "heatmap_date_" + mode);
    map.set_hover(4, 9);
    COMPARE_IMAGE(map, "heatmap_hover_" + mode);

    Heatmap small;
    std::vector<float> values = {0, 0.25f, 0.5f, 0.75f, 1, std::numeric_limits<float>::quiet_NaN(), 0.003f, 0.6f, 0.1f};
    small.set_captions("output", "source", "weight");
    small.set_labels({{"今", false, {}}, {"天", false, {}}, {"␣", true, "space"}},
                     {{"internationalisation", false, {}}, {"東京", false, {}}, {"ok", false, {}}});
    small.set_matrix(3, 3, values);
    small.set_edited_cells({{0, 2}});
    show_at(small, {400, 300});
    COMPARE_IMAGE(small, "heatmap_numbers_" + mode);
  }
};

HEADLIGHT_WIDGET_TEST(TestHeatmap)

}  // namespace headlight::test_heatmap

#include "test_heatmap.moc"
