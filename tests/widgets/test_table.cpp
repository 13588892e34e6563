// Tables beside pictures: order, copies and files.

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>
#include <cmath>

#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/tables/matrix_model.h"
#include "widgets/tables/table.h"
#include "widgets/tables/table_pane.h"

namespace headlight::test_table {

namespace {

// Three people: name, number, remark.
void fill(ColumnTable& table, std::vector<double> numbers = {10, -2.5, std::nan("")}) {
  const QStringList names = {"b", "a, the first", "c10"};
  table.set(3, {{"name", [names](int row) { return names[row]; }},
                {"number", [numbers](int row) { return numbers[static_cast<std::size_t>(row)]; }},
                {"rank", [](int row) { return row == 1 ? QVariant() : QVariant(row); }}});
}

QStringList column(const QAbstractItemModel& table, int at) {
  QStringList found;
  for (int row = 0; row < table.rowCount(); ++row) found << table.index(row, at).data().toString();
  return found;
}

}  // namespace

class TestTable : public QObject {
  Q_OBJECT
 private slots:
  void cells_are_read_and_written() {
    ColumnTable table;
    QCOMPARE(table.rowCount(), 0);
    fill(table, {0.123456789012, 1e20, 3});
    QCOMPARE(table.index(0, 1).data().toString(), QString("0.1235"));
    QCOMPARE(table.index(0, 1).data(Qt::EditRole).toDouble(), 0.123456789012);
    QCOMPARE(table.index(0, 1).data(Qt::AccessibleTextRole).toString(), QString("number: 0.1235"));
    QCOMPARE(table.headerData(1, Qt::Horizontal).toString(), QString("number"));
    QCOMPARE(table.headerData(1, Qt::Vertical).toInt(), 2);
    QVERIFY(!table.index(1, 2).data(Qt::EditRole).isValid());
    table.clear();
    QCOMPARE(table.rowCount(), 0);
  }

  void numbers_change_without_a_reset() {
    ColumnTable table;
    fill(table);
    QSignalSpy reset(&table, &ColumnTable::modelReset), changed(&table, &ColumnTable::dataChanged);
    fill(table, {1, 2, 3});
    QCOMPARE(reset.size(), 0);
    QCOMPARE(changed.size(), 1);
    table.set(1, {{"x", [](int) { return 1; }}});
    QCOMPARE(reset.size(), 1);
  }

  // RFC 4180: what has a comma or a quote is quoted, lines end with CR LF.
  void files_are_csv() {
    ColumnTable table;
    fill(table);
    QCOMPARE(table_csv(table), QByteArray("name,number,rank\r\nb,10,0\r\n\"a, the first\",-2.5,\r\nc10,NaN,2\r\n"));
    MatrixModel matrix;
    matrix.set_matrix(1, 2, {0.5f, -1});
    QCOMPARE(table_csv(matrix), QByteArray("0,1\r\n0.5,-1\r\n"));
    matrix.set_labels({{"s", false, {}}}, {{"x", false, {}}, {"␣", true, "space"}});
    QCOMPARE(table_csv(matrix), QStringLiteral("x,␣\r\n0.5,-1\r\n").toUtf8());
    matrix.set_corner("output");
    QCOMPARE(table_csv(matrix), QStringLiteral("output,x,␣\r\ns,0.5,-1\r\n").toUtf8());
  }

  void copies_have_tabs() {
    QStandardItemModel model(2, 2);
    model.setHorizontalHeaderLabels({"one", "two"});
    model.setItem(0, 0, new QStandardItem("a\tb"));
    model.setItem(0, 1, new QStandardItem("c"));
    model.setItem(1, 0, new QStandardItem("d"));
    model.setItem(1, 1, new QStandardItem("e"));
    QCOMPARE(table_tsv(model, {model.index(1, 1), model.index(0, 0)}), QString("a b\t\n\te\n"));
    QCOMPARE(table_tsv(model, {model.index(1, 1)}), QString("e\n"));
    QCOMPARE(table_tsv(model, {model.index(0, 0), model.index(0, 1), model.index(1, 0), model.index(1, 1)}),
             QString("one\ttwo\na b\tc\nd\te\n"));
  }

  void rows_are_ordered() {
    ColumnTable table;
    fill(table);
    TableTwin twin;
    QCOMPARE(twin.rowCount(), 0);
    twin.setSourceModel(&table);
    const QStringList natural = {"b", "a, the first", "c10"};
    QCOMPARE(column(twin, 0), natural);
    twin.sort(0);
    QCOMPARE(column(twin, 0), (QStringList{"a, the first", "b", "c10"}));
    QCOMPARE(twin.headerData(0, Qt::Vertical).toInt(), 2);  // the number goes with its row
    twin.sort(1);                                           // as numbers; what is none comes last, in both directions
    QCOMPARE(column(twin, 0), (QStringList{"a, the first", "b", "c10"}));
    twin.sort(1, Qt::DescendingOrder);
    QCOMPARE(column(twin, 0), (QStringList{"b", "a, the first", "c10"}));
    QVERIFY(table_csv(twin).startsWith("name,number,rank\r\nb,10,0\r\n"));
    for (int row = 0; row < 3; ++row)
      QCOMPARE(twin.mapFromSource(twin.mapToSource(twin.index(row, 1))), twin.index(row, 1));
    twin.sort(-1);
    QCOMPARE(column(twin, 0), natural);
  }

  void the_order_follows_the_numbers() {
    ColumnTable table;
    fill(table);
    TableTwin twin;
    twin.setSourceModel(&table);
    twin.sort(1);
    QSignalSpy reset(&twin, &TableTwin::modelReset);
    fill(table, {3, 2, 1});
    QCOMPARE(column(twin, 0), (QStringList{"c10", "a, the first", "b"}));
    QCOMPARE(reset.size(), 0);
    table.set(2, {{"x", [](int row) { return -row; }}, {"y", [](int row) { return -row; }}});
    QCOMPARE(reset.size(), 1);
    QCOMPARE(column(twin, 0), (QStringList{"-1", "0"}));  // there still is a second column
    table.clear();
    QCOMPARE(twin.rowCount(), 0);
    ColumnTable other;
    fill(other);
    twin.setSourceModel(&other);
    QCOMPARE(twin.sorted_column(), -1);
    twin.setSourceModel(nullptr);
    QCOMPARE(twin.rowCount(), 0);
  }

  void texts_with_numbers_stand_as_people_count() {
    ColumnTable table;
    const QStringList names = {"unit 10", "unit 9", "Unit 1"};
    table.set(3, {{"name", [names](int row) { return names[row]; }}});
    TableTwin twin;
    twin.setSourceModel(&table);
    twin.sort(0);
    QCOMPARE(column(twin, 0), (QStringList{"Unit 1", "unit 9", "unit 10"}));
  }

  void the_keyboard_sorts_copies_and_closes() {
    ColumnTable table;
    fill(table);
    TableTwin twin;
    twin.setSourceModel(&table);
    TablePane pane(&twin);
    pane.set_name("People");
    QSignalSpy closed(&pane, &TablePane::closed);
    QTableView* cells = pane.cells();
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane));
    QVERIFY(cells->accessibleName().contains("People"));
    QVERIFY(cells->accessibleDescription().contains("3 rows"));
    cells->setCurrentIndex(twin.index(0, 0));
    QTest::keyClick(cells, Qt::Key_S);
    QCOMPARE(column(twin, 0), (QStringList{"a, the first", "b", "c10"}));
    QCOMPARE(cells->horizontalHeader()->sortIndicatorSection(), 0);
    QTest::keyClick(cells, Qt::Key_S);
    QCOMPARE(column(twin, 0), (QStringList{"c10", "b", "a, the first"}));
    QTest::keyClick(cells, Qt::Key_S);
    QCOMPARE(column(twin, 0), (QStringList{"b", "a, the first", "c10"}));
    cells->setCurrentIndex(twin.index(1, 0));
    QTest::keyClick(cells, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), QString("a, the first\n"));
    QTest::keyClick(cells, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(cells, Qt::Key_C, Qt::ControlModifier);
    QVERIFY(QApplication::clipboard()->text().startsWith("name\tnumber\trank\nb\t10\t0\n"));
    QTest::keyClick(cells, Qt::Key_Escape);
    QCOMPARE(closed.size(), 1);
  }

  // Rows as high as those of lists, figures under their heads at the right, words on the margin, and no lines.
  void a_table_has_its_form() {
    Theme::instance().set(Theme::Mode::light, 1);
    ColumnTable table;
    fill(table, {10, -2.5, 3});
    TableTwin twin;
    twin.setSourceModel(&table);
    TablePane pane(&twin);
    pane.resize(500, 300);
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane));
    QTableView* cells = pane.cells();
    for (int row = 0; row < twin.rowCount(); ++row) QCOMPARE(cells->rowHeight(row), 28);
    QVERIFY(!cells->showGrid() && !cells->alternatingRowColors());
    const auto side_of = [&](int column) {
      return twin.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt() & Qt::AlignHorizontal_Mask;
    };
    QCOMPARE(side_of(1), int(Qt::AlignRight));
    QCOMPARE(side_of(1), twin.index(0, 1).data(Qt::TextAlignmentRole).toInt() & Qt::AlignHorizontal_Mask);
    QVERIFY(side_of(0) != int(Qt::AlignRight));
    QCOMPARE(cells->mapTo(&pane, QPoint()).x() + 12, 24);
    // Names of rows are whole: a line of letters has room.
    QStyleOptionHeader name;
    name.initFrom(cells->verticalHeader());
    name.orientation = Qt::Vertical;
    name.rect = QRect(0, 0, 80, 28);
    const QRect label = cells->style()->subElementRect(QStyle::SE_HeaderLabel, &name, cells->verticalHeader());
    QVERIFY(label.height() >= cells->fontMetrics().height());
    QVERIFY(label.left() >= 8 && label.right() <= 72);
    // The last ink of a figure is 12 pixels from the end of its cell, as is that of its head.
    const QRect cell = cells->visualRect(twin.index(0, 1)).translated(cells->viewport()->mapTo(&pane, QPoint()));
    const QImage image = pane.grab().toImage();
    int last = -1;
    for (int x = cell.left(); x <= cell.right(); ++x)
      for (int y = cell.top() + 4; y < cell.bottom() - 4; ++y)
        if (image.pixelColor(x, y).lightness() < 110) last = x;
    QVERIFY2(cell.right() - last >= 11 && cell.right() - last <= 14, qPrintable(QString::number(cell.right() - last)));
  }

  // Also where letters are large: the name of a row and two columns of numbers.
  void large_letters_leave_two_columns() {
    Theme::instance().set(Theme::Mode::light, 2);
    ColumnTable table;
    const QString name = QStringLiteral("a row with a rather long name of its own");
    table.set(3, {{"name", [name](int) { return name; }},
                  {"first number", [](int row) { return row / 3.0; }},
                  {"second number", [](int row) { return row / 7.0; }},
                  {"third number", [](int row) { return row / 9.0; }}});
    TableTwin twin;
    twin.setSourceModel(&table);
    TablePane pane(&twin);
    pane.resize(560, 400);
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane));
    QTableView* cells = pane.cells();
    for (int column = 0; column < 3; ++column) {
      const QRect seen = cells->visualRect(twin.index(0, column));
      QVERIFY2(seen.width() > 40 && seen.right() <= cells->viewport()->width(), qPrintable(QString::number(column)));
    }
    QCOMPARE(cells->rowHeight(0), 56);
    Theme::instance().set(Theme::Mode::light, 1);
  }

  void a_click_on_a_title_sorts() {
    ColumnTable table;
    fill(table);
    TableTwin twin;
    twin.setSourceModel(&table);
    TablePane pane(&twin);
    pane.resize(500, 300);
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane));
    QHeaderView* titles = pane.cells()->horizontalHeader();
    const QPoint second(titles->sectionViewportPosition(1) + 10, titles->height() / 2);
    QTest::mouseClick(titles->viewport(), Qt::LeftButton, {}, second);
    QCOMPARE(twin.sorted_column(), 1);
    QCOMPARE(column(twin, 1).first(), QStringLiteral("−2.5"));
  }
};

HEADLIGHT_WIDGET_TEST(TestTable)

}  // namespace headlight::test_table

#include "test_table.moc"
