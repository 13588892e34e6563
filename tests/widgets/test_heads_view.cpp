// The heads view: layout, thumbnails, cursor, the large picture, export, pictures.
#include <QComboBox>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPainter>
#include <QScopeGuard>
#include <QMainWindow>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <limits>

#include "image_test.h"
#include "model/io/npz.h"
#include "sample_heads.h"
#include "tests/test_program.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/views/heads/heads_view.h"

namespace headlight::test_heads_view {

namespace {
using Kind = AttentionMap::Kind;
}

class TestHeadsView : public QObject {
  Q_OBJECT

 private slots:
  void init() { Theme::instance().set_mode(Theme::Mode::light); }

  void layout_places_do_not_overlap_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<QSizeF>("view");
    QTest::newRow("small") << 3 << 6 << QSizeF(700, 400);
    QTest::newRow("narrow") << 12 << 14 << QSizeF(420, 300);
    QTest::newRow("large") << 12 << 14 << QSizeF(2400, 1300);
    QTest::newRow("one row") << 1 << 3 << QSizeF(500, 200);
  }
  void layout_places_do_not_overlap() {
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(QSizeF, view);
    HeadsLayout::Metrics m;
    m.view = view;
    m.row_label = 50;
    m.apart = columns - 2;
    const HeadsLayout layout = HeadsLayout::of(rows, columns, m);
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        const QRectF cell = layout.cell(r, c);
        QVERIFY(cell.width() >= m.smallest && cell.width() <= m.largest);
        QVERIFY(cell.contains(layout.thumb(r, c)) && cell.contains(layout.bar(r, c)));
        QVERIFY(cell.right() <= layout.width && cell.bottom() <= layout.height);
        QVERIFY(!layout.row_label(r).intersects(cell));
        if (c > 0) QVERIFY(layout.cell(r, c - 1).right() < cell.left());
        if (r > 0) QVERIFY(layout.cell(r - 1, c).bottom() < cell.top());
        QCOMPARE(layout.place_at(layout.thumb(r, c).center()), (HeadsHit{r, c}));
      }
    QCOMPARE(layout.place_at({-1, -1}), HeadsHit{});
    QCOMPARE(HeadsLayout::of(0, 0, m).rows, 0);
  }

  void offers_only_what_can_be_told_apart() {
    QVERIFY(HeadsView::offers(*sample::heads_result()));
    QVERIFY(!HeadsView::offers(*sample::result()));  // one attention with one head
    sample::Options layers;
    layers.layers = 3;
    QVERIFY(HeadsView::offers(*sample::result(layers)));
    layers.layers = 0;
    layers.attention = false;
    QVERIFY(!HeadsView::offers(*sample::result(layers)));
  }

  void whole_words_are_put_together() {
    sample::HeadOptions options;
    options.kind = TokenizerKind::characters;
    options.source = {"n", "o", "v", " ", "2", "1"};
    options.output = {"2", "1", "-", "<eos>"};
    Selection selection;
    HeadsView view({&selection});
    selection.set_whole_words(true);
    view.set_kind(Kind::cross);
    view.set_result(sample::heads_result(options));
    show_at(view, {700, 420});
    const AttentionMap& map = view.model().maps().front();
    QCOMPARE(map.row_count(), Index(3));     // 21 - <eos>
    QCOMPARE(map.column_count(), Index(3));  // nov ␣ 21
    view.open({0, 1});
    selection.set({5, 1, {}, {}});
    QCOMPARE(view.heatmap()->selected_cell(), (HeatmapCell{0, 2}));
    QTest::mouseClick(view.heatmap()->viewport(), Qt::LeftButton, {},
                      view.heatmap()->heatmap_layout().cell_rect(1, 0).center().toPoint());
    QCOMPARE(selection.state().step, std::optional(2));
    QVERIFY(!selection.state().entry);
    selection.set_whole_words(false);
    QCOMPARE(view.model().maps().front().column_count(), Index(6));
    QVERIFY(view.opened().map == 0);
  }

  // The head that is large at first is that of all views; what somebody chose stays.
  void it_begins_with_a_chosen_head() {
    Selection selection;
    QMainWindow window;
    auto* view = new HeadsView({&selection});
    window.setCentralWidget(view);
    view->set_result(sample::heads_result());
    show_at(window, {1200, 700});
    QVERIFY(view->opened().map >= 0);
    const AttentionMap& map = view->model().maps()[static_cast<std::size_t>(view->opened().map)];
    QVERIFY(selection.head() == std::optional(HeadPlace{map.kind, map.layer, view->opened().head}));
    QVERIFY(!selection.is_head_wanted());
    view->open({0, 0});
    QVERIFY(selection.is_head_wanted());
    QCOMPARE(selection.head()->head, Index(0));
    view->set_result(sample::heads_result());
    QVERIFY(selection.is_head_wanted());
    QCOMPARE(view->opened().head, Index(0));
  }

  void shows_the_heads_of_one_kind() {
    Selection selection;
    HeadsView view({&selection});
    view.set_result(sample::heads_result());
    show_at(view, {700, 420});
    QVERIFY(view.kind() == Kind::encoder_self);
    QCOMPARE(view.grid()->heads_layout().rows, 3);
    QCOMPARE(view.grid()->heads_layout().columns, 6);  // four heads, mean, largest
    QCOMPARE(view.table()->rowCount(), 12);
    auto* box = view.findChild<QComboBox*>();
    QVERIFY(box->isVisible());
    QCOMPARE(box->count(), 3);
    view.set_kind(Kind::cross);
    QCOMPARE(box->currentIndex(), 2);
    QVERIFY(view.grid()->accessibleName().contains("cross"));
    // The choice stays while the text changes.
    view.set_result(sample::heads_result());
    QVERIFY(view.kind() == Kind::cross);
    QVERIFY(view.grid()->place_tooltip({0, 0}).contains("layer 1"));
  }

  void layers_of_one_head_stand_in_a_row() {
    Selection selection;
    HeadsView view({&selection});
    sample::Options options;
    options.layers = 3;
    view.set_result(sample::result(options));
    show_at(view, {600, 300});
    QCOMPARE(view.grid()->heads_layout().rows, 1);
    QCOMPARE(view.grid()->heads_layout().columns, 3);
    QCOMPARE(view.grid()->choice({0, 2}), (HeadChoice{2, 0}));
    QVERIFY(!view.findChild<QComboBox*>()->isVisible());
  }

  // Weights that are no numbers are hatched in small pictures too, of the mean and the largest as well, and have no
  // habit.
  void what_is_no_number_is_hatched_data() {
    QTest::addColumn<double>("value");
    QTest::newRow("NaN") << std::nan("");
    QTest::newRow("infinite") << std::numeric_limits<double>::infinity();
  }
  void what_is_no_number_is_hatched() {
    QFETCH(double, value);
    Selection selection;
    HeadsView view({&selection});
    sample::HeadOptions options;
    options.instead = static_cast<Scalar>(value);
    view.set_result(sample::heads_result(options));
    show_at(view, {700, 420});
    view.open({});
    QCoreApplication::processEvents();
    const HeadsGrid& grid = *view.grid();
    const QImage seen = grid.viewport()->grab().toImage();
    const QColor hatch = Theme::instance().hatch();
    // The edges of its lines are softened: hardly a point has all of its colour.
    const auto is_line = [&](const QColor& point) {
      return std::abs(point.red() - hatch.red()) + std::abs(point.green() - hatch.green()) +
                 std::abs(point.blue() - hatch.blue()) <
             90;
    };
    const auto hatched = [&](int column) {
      const QRect rect = grid.heads_layout().thumb(0, column).toRect();
      int points = 0;
      for (int y = rect.top(); y <= rect.bottom(); ++y)
        for (int x = rect.left(); x <= rect.right(); ++x) points += is_line(seen.pixelColor(x, y));
      return points > 0;
    };
    for (int column = 0; column < 6; ++column) QCOMPARE(hatched(column), column == 0 || column >= 4);
    QCOMPARE(view.model().index(0, 2).data().toString(), QString("not numbers"));
    QVERIFY(std::isnan(view.model().index(0, 3).data(Qt::EditRole).toDouble()));
    QVERIFY(view.model().index(1, 2).data().toString() != QString("not numbers"));
  }

  void the_keyboard_walks_and_opens() {
    Selection selection;
    HeadsView view({&selection});
    const auto result = sample::heads_result();
    view.set_result(result);
    show_at(view, {700, 420});
    HeadsGrid& grid = *view.grid();
    QVERIFY(grid.focusPolicy() & Qt::TabFocus);
    QCOMPARE(grid.cursor(), (HeadsHit{0, 0}));
    QTest::keyClick(&grid, Qt::Key_Right);
    QTest::keyClick(&grid, Qt::Key_Down);
    QCOMPARE(grid.cursor(), (HeadsHit{1, 1}));
    QVERIFY(grid.accessibleDescription().startsWith(QStringLiteral("layer 2 · head 2: first token")));
    QTest::keyClick(&grid, Qt::Key_Left);
    QTest::keyClick(&grid, Qt::Key_Left);  // there is nothing farther left
    QCOMPARE(grid.cursor(), (HeadsHit{1, 0}));
    QSignalSpy chosen(&selection, &Selection::headChanged);
    QTest::keyClick(&grid, Qt::Key_Return);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(view.opened(), (HeadChoice{1, 0}));
    QVERIFY(view.heatmap()->isVisible() && !grid.isVisible());
    const Tensor weights = result->trace->value("encoder.layer[1].self_attn.head.weights");
    QCOMPARE(view.heatmap()->value(4, 7), static_cast<float>(weights[4 * 9 + 7]));
    QVERIFY(view.heatmap()->accessibleName().contains(QStringLiteral("layer 2 · head 1")));
    QTest::keyClick(view.heatmap(), Qt::Key_Escape);
    QVERIFY(grid.isVisible());
    QCOMPARE(grid.cursor(), (HeadsHit{1, 0}));
    for (const Qt::Key key : {Qt::Key_End, Qt::Key_Down, Qt::Key_Down, Qt::Key_Down}) QTest::keyClick(&grid, key);
    QCOMPARE(grid.cursor(), (HeadsHit{2, 5}));
    QCOMPARE(grid.choice(grid.cursor()), (HeadChoice{2, AttentionMap::kMax}));
  }

  void a_click_in_the_large_picture_names_the_cell_of_the_trace() {
    Selection selection;
    HeadsView view({&selection});
    const auto result = sample::heads_result();
    view.set_result(result);
    view.set_kind(Kind::decoder_self);
    show_at(view, {700, 420});
    const QRectF thumb = view.grid()->heads_layout().thumb(2, 1);
    QTest::mouseClick(view.grid()->viewport(), Qt::LeftButton, {}, thumb.center().toPoint());
    QCOMPARE(view.opened(), (HeadChoice{2, 1}));
    const Heatmap& map = *view.heatmap();
    QCOMPARE(map.rows(), 10);
    QCOMPARE(map.columns(), 10);
    const auto click = [&](int row, int column) {
      QTest::mouseClick(view.heatmap()->viewport(), Qt::LeftButton, {},
                        map.heatmap_layout().cell_rect(row, column).center().toPoint());
    };
    click(6, 2);
    QCOMPARE(selection.state().step, std::optional(6));
    QCOMPARE((*result->trace)[*selection.state().entry].site.text,
             std::string("decoder.step[6].layer[2].self_attn.head.weights"));
    QCOMPARE(selection.state().cell, std::optional<qint64>(1 * 7 + 2));
    QCOMPARE(static_cast<float>((*result->trace)[*selection.state().entry].value[9]), map.value(6, 2));
    click(2, 6);  // a token that is still to come: there is no number
    QVERIFY(!selection.state().entry);
    QCOMPARE(map.value(2, 6), 0.0f);
    view.open({2, AttentionMap::kMean});
    click(6, 2);
    QVERIFY(!selection.state().entry);
    QCOMPARE(selection.state().step, std::optional(6));
  }

  void a_lone_spike_stays_visible() {
    sample::HeadOptions options;
    options.source.assign(400, "x");
    options.layers = 1;
    options.heads = 12;
    options.decoder = false;
    auto result = sample::heads_result(options);
    Recorder recorder(Capture{{}, false}, {});
    Tensor weights = Tensor::full({12, 400, 400}, Scalar(0.0005));
    weights[(5 * 400 + 123) * 400 + 271] = Scalar(0.8);
    const SitePath encoder("encoder"), layer(encoder, "layer", 0);
    recorder.tap()(SitePath(layer, "self_attn"), "head.weights", weights);
    result->trace = recorder.finish({});
    Selection selection;
    HeadsView view({&selection});
    view.set_result(result);
    show_at(view, {900, 300});
    view.set_colours(MapColours::whole);  // which so many tokens have by themselves
    const QImage picture = view.grid()->viewport()->grab().toImage();
    const auto darkest = [&](int column) {
      int least = 255;
      const QRect thumb = view.grid()->heads_layout().thumb(0, column).adjusted(1, 1, -1, -1).toRect();
      for (int y = thumb.top(); y <= thumb.bottom(); ++y)
        for (int x = thumb.left(); x <= thumb.right(); ++x) least = std::min(least, qGray(picture.pixel(x, y)));
      return least;
    };
    QVERIFY(darkest(5) < 110);
    QVERIFY(darkest(4) > 240);
    QVERIFY(darkest(13) < 110);  // the largest of the heads
    QVERIFY2(view.note().contains("largest of up to"), qPrintable(view.note()));
    view.set_result(sample::heads_result());
    QVERIFY(!view.note().contains("largest of up to"));
  }

  void large_maps_have_their_own_scale_until_somebody_chooses() {
    Selection selection;
    HeadsView view({&selection});
    const QComboBox* box = nullptr;
    for (const QComboBox* each : view.findChildren<QComboBox*>())
      if (each->accessibleName() == "Colours") box = each;
    QVERIFY(box);
    const int whole = static_cast<int>(MapColours::whole), own = static_cast<int>(MapColours::own);
    view.set_result(sample::heads_result());
    show_at(view, {700, 420});
    QCOMPARE(box->currentIndex(), whole);
    sample::HeadOptions options;
    options.source.assign(100, "x");
    options.decoder = false;
    view.set_result(sample::heads_result(options));
    QCOMPARE(box->currentIndex(), own);
    view.set_result(sample::heads_result());
    QCOMPARE(box->currentIndex(), whole);
    view.set_colours(MapColours::own);
    view.set_result(sample::heads_result());
    QCOMPARE(box->currentIndex(), own);
  }

  void says_why_there_is_nothing() {
    Selection selection;
    HeadsView view({&selection});
    sample::Options options;
    options.attention = false;
    view.set_result(sample::result(options));
    show_at(view, {500, 260});
    QVERIFY(view.is_empty());
    QVERIFY(!view.grid()->isVisible());
    QVERIFY_EXCEPTION_THROWN(view.export_to("x.png"), UsageError);
  }

  void exports() {
    QTemporaryDir folder;
    Selection selection;
    HeadsView view({&selection});
    view.set_result(sample::heads_result());
    show_at(view, {700, 420});
    for (const char* name : {"heads.png", "heads.svg", "heads.pdf", "heads.csv"}) {
      view.export_to(folder.filePath(name));
      QVERIFY(QFile(folder.filePath(name)).size() > 500);
    }
    QFile file(folder.filePath("heads.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().split('\n');
    QCOMPARE(lines.size(), 14);  // head, twelve heads, the end of the last line
    QVERIFY(lines[0].startsWith("layer,head,pattern,entropy"));
    QVERIFY(lines[2].startsWith("1,2,previous token,"));
    view.open({0, 1});
    view.export_to(folder.filePath("large.csv"));
    QFile large(folder.filePath("large.csv"));
    QVERIFY(large.open(QIODevice::ReadOnly));
    QVERIFY(large.readLine().contains("the,old,cat"));
  }

  // A result of the bench says what it is: in the first line of a CSV, in JSON, and beside the arrays.
  void numbers_say_what_they_are() {
    QTemporaryDir folder;
    Selection selection;
    HeadsView view({&selection});
    view.set_result(sample::heads_result());
    show_at(view, {700, 420});
    Figure figure = view.figure();
    figure.about = R"({"method":"effect","target":"embedding"})";
    for (const char* name : {"heads.csv", "heads.json", "heads.npz"}) write_figure(figure, folder.filePath(name));
    QFile csv(folder.filePath("heads.csv")), json(folder.filePath("heads.json"));
    QVERIFY(csv.open(QIODevice::ReadOnly) && json.open(QIODevice::ReadOnly));
    QCOMPARE(csv.readLine(), QByteArray("# {\"method\":\"effect\",\"target\":\"embedding\"}\r\n"));
    QVERIFY(csv.readLine().startsWith("layer,head,pattern,entropy"));
    const QJsonObject object = QJsonDocument::fromJson(json.readAll()).object();
    QCOMPARE(object["target"].toString(), QString("embedding"));
    QCOMPARE(object["table"][0][2].toString(), QString("pattern"));
    QCOMPARE(object["table"].toArray().size(), 13);
    const auto arrays = read_npz(folder.filePath("heads.npz").toStdString());
    QCOMPARE(arrays.front().name, std::string("table"));
    QCOMPARE(arrays.front().value.dim(0), Index{12});
    QCOMPARE(arrays.front().value[1], Scalar(1));  // head 1
    QVERIFY(std::abs(static_cast<double>(arrays.front().value[2]) - object["table"][1][3].toDouble()) < 1e-6);
  }

  void layers_and_heads_count_from_0_on_wish() {
    const auto back = qScopeGuard([] { set_first_number(1); });
    QCOMPARE(head_place(Index{2}, Index{0}), QString::fromUtf8("layer 3 · head 1"));
    set_first_number(0);
    QCOMPARE(head_place(Index{2}, Index{0}), QString("L2H0"));
    QCOMPARE(head_place(Index{-1}, Index{0}), QString("head 0"));
    QCOMPARE(heads_of_group(1, 2), QString("heads 2 and 3"));
    QTemporaryDir folder;
    Selection selection;
    HeadsView view({&selection});
    view.set_result(sample::heads_result());
    show_at(view, {700, 420});
    view.export_to(folder.filePath("heads.csv"));
    QFile file(folder.filePath("heads.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().split('\n');
    QVERIFY(lines[2].startsWith("0,1,previous token,"));
  }

  void small_weights_have_a_colour_of_their_own() {
    Selection selection;
    HeadsView view({&selection});
    view.set_result(sample::heads_result());
    show_at(view, {900, 420});
    view.open({0, 1});
    view.set_colours(MapColours::logarithmic);
    QVERIFY(view.colour_key().logarithmic);
    const CellScale scale = view.heatmap()->colour_scale();
    QVERIFY(scale.logarithmic);
    QCOMPARE(view.choices().value("colours").toString(), QString("logarithmic"));
    HeadsView other({&selection});
    other.set_choices(view.choices());
    QCOMPARE(other.choices().value("colours").toString(), QString("logarithmic"));
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
    Selection selection;
    HeadsView view({&selection});
    view.set_result(sample::heads_result());
    show_at(view, {640, 420});
    COMPARE_IMAGE(view, "heads_" + theme);
    view.open({1, 0});
    COMPARE_IMAGE(view, "heads_large_" + theme);
  }
};

HEADLIGHT_WIDGET_TEST(TestHeadsView)

}  // namespace headlight::test_heads_view

#include "test_heads_view.moc"
