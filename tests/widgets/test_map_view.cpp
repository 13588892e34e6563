// The computation map: its layout on every architecture, what is shown at which scale, keyboard, selection, export.
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "image_test.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/views/map/map_view.h"
#include "widgets/views/map/map_words.h"

namespace headlight::test_map_view {

namespace {

std::shared_ptr<const Result> run_model(const char* name, const char* text) {
  Request request;
  request.model = load_model(name);
  request.source = text;
  return std::make_shared<const Result>(run(request));
}

std::shared_ptr<const Result> dates() {
  static const auto result = run_model("date-attention", "3 May 2021");
  return result;
}

struct Shown {
  explicit Shown(std::shared_ptr<const Result> result, QSize size = {900, 420}) {
    view.set_result(std::move(result));
    show_at(view, size);
  }
  int node(const char* site) const {
    return view.flow().node_of_entry[static_cast<std::size_t>(dates()->trace->find(site))];
  }
  QRectF box(int i) const { return view.screen(view.map().boxes[static_cast<std::size_t>(i)].rect); }
  // Waits until the map stands still.
  void settle() {
    double before = -1;
    while (before != view.scale()) {
      before = view.scale();
      QTest::qWait(250);
    }
  }
  Selection selection;
  ViewRequests requests;
  MapView view{ViewContext{&selection, &requests}};
};

Tensor tensor(const Shape& shape, std::initializer_list<double> values) {
  Tensor made(shape);
  Index i = 0;
  for (const double value : values) made.data()[i++] = static_cast<Scalar>(value);
  return made;
}

}  // namespace

class TestMapView : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    Theme::instance().set_font_scale(1);
    Theme::instance().set_mode(Theme::Mode::light);
  }

  void boxes_stand_apart_on_every_architecture_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("text");
    for (const auto& [model, text] :
         std::initializer_list<std::pair<const char*, const char*>>{{"date-attention", "3 May 2021"},
                                                                    {"grammar-bahdanau", "the dog sleeps ."},
                                                                    {"toy-mt-convs2s", "the cat sees a dog"},
                                                                    {"toy-mt-deep", "the cat sees a dog"},
                                                                    {"copy-ntm", "1 0 1"},
                                                                    {"date-transformer", "3 May 2021"},
                                                                    {"masked-bert", "the [MASK] sleeps ."},
                                                                    {"story-gpt", "once upon a time"}})
      QTest::newRow(model) << model << text;
  }

  void boxes_stand_apart_on_every_architecture() {
    QFETCH(QString, model);
    QFETCH(QString, text);
    const auto result = run_model(qPrintable(model), qPrintable(text));
    const Flow flow = flow_of(*result->trace);
    for (const double aspect : {0.8, 1.5, 3.4}) {
      MapLayout::Metrics metrics;
      metrics.aspect = aspect;
      const MapLayout map = MapLayout::of(flow, metrics);
      check_boxes(flow, map);
      check_links(flow, map);
    }
  }

  void a_box_opens_when_its_title_can_be_read() {
    const Flow flow = flow_of(*dates()->trace);
    const MapLayout map = MapLayout::of(flow);
    const int leaf = flow.node_of_entry[static_cast<std::size_t>(dates()->trace->find("decoder.step[1].lstm.c"))];
    const int cell = flow.nodes[static_cast<std::size_t>(leaf)].parent;
    const double opens = map.opens_at(flow, cell);
    QCOMPARE(opens * map.boxes[static_cast<std::size_t>(cell)].header, map.metrics.smallest_header);
    QVERIFY(!map.is_open(flow, cell, opens * 0.99) && map.is_open(flow, cell, opens * 1.01));
    QVERIFY(!map.is_open(flow, cell, opens * 1.01, 2));  // larger letters need more room
    QVERIFY(!map.is_open(flow, leaf, 1000));
    const QPointF middle = map.boxes[static_cast<std::size_t>(leaf)].rect.center();
    QCOMPARE(map.place_at(flow, middle, 2), leaf);
    QCOMPARE(map.place_at(flow, middle, opens * 0.99), cell);
    QCOMPARE(map.shown(flow, leaf, opens * 0.99), cell);
    QCOMPARE(map.shown(flow, leaf, 2), leaf);
    const int decoder = flow.path(leaf)[1];
    QCOMPARE(map.place_at(flow, middle, 0.001), decoder);  // an outer box has a larger title, and closes later
    QCOMPARE(map.place_at(flow, map.bounds().topLeft() - QPointF(1, 1), 1), -1);
  }

  void numbers_have_their_places() {
    const QRectF room(10, 20, 400, 100);
    for (const Shape& shape : {Shape({7}), Shape({128}), Shape({29, 16}), Shape({4, 3, 5}), Shape({1})}) {
      const MapGrid grid = MapGrid::of(shape, room);
      QVERIFY(room.adjusted(-0.01, -0.01, 0.01, 0.01).contains(grid.rect));
      for (Index i = 0; i < shape.size(); ++i) QCOMPARE(grid.cell_at(grid.cell(i).center()), i);
    }
    // Heads stand beside each other: the second begins right of the first.
    const MapGrid heads = MapGrid::of(Shape({2, 3, 5}), room);
    QCOMPARE(heads.columns, Index(10));
    QCOMPARE(heads.at(1, 5), Index(15 + 5));
    // A vector is read like text, and its last line may be short.
    const MapGrid vector = MapGrid::of(Shape({7}), QRectF(0, 0, 40, 20));
    QCOMPARE(vector.columns, Index(4));
    QCOMPARE(vector.at(1, 2), Index(6));
    QCOMPARE(vector.at(1, 3), Index(-1));
    QCOMPARE(MapGrid::of(Shape({0}), room).columns, Index(0));
    QCOMPARE(MapGrid::of(Shape({7}), QRectF()).columns, Index(0));
  }

  void a_small_picture_keeps_the_most_extreme() {
    const Tensor value = tensor(Shape({2, 4}), {0.1, -4, 0, 0.2, 1, 2, 0, -INFINITY});
    const CellScale range = CellScale::of(value);
    QCOMPARE(range.high, 4.0);
    QVERIFY(range.is_signed);
    const MapGrid grid = MapGrid::of(value.shape(), QRectF(0, 0, 40, 20));
    const QImage all = map_picture(value, grid, range, QRect(0, 0, 4, 2), QSize(100, 100));
    QCOMPARE(all.size(), QSize(4, 2));
    QCOMPARE(all.pixelColor(1, 0), Theme::instance().signed_value(-1));
    QCOMPARE(all.pixelColor(2, 0), Theme::instance().signed_value(0));
    QCOMPARE(all.pixelColor(3, 1), Theme::instance().weight(std::nan("")));
    const QImage half = map_picture(value, grid, range, QRect(0, 0, 4, 2), QSize(2, 1));
    QCOMPARE(half.pixel(0, 0), all.pixel(1, 0));  // of 0.1, -4, 1, 2
    QCOMPARE(half.pixel(1, 0), all.pixel(3, 0));  // of 0, 0.2, 0 and what is not a number
    QVERIFY(!CellScale::of(tensor(Shape({2}), {0, 3})).is_signed);
  }

  void words_are_those_of_the_field() {
    Shown shown(dates());
    const auto title = [&](int node) {
      return map_title(*dates()->trace, shown.view.flow(), node, trace_labels(*dates()), "m");
    };
    const int leaf = shown.node("decoder.step[1].attention.weights");
    QStringList way;
    for (const int node : shown.view.flow().path(leaf)) way << title(node);
    QCOMPARE(way.size(), 5);
    QCOMPARE(way[0], "m");
    QCOMPARE(way[1], "Decoder");
    QVERIFY(way[2].startsWith("Step 2 (writes ‘") && way[2].endsWith("of 10"));
    QCOMPARE(way[3], "Attention");
    QCOMPARE(way[4], "attention weights");
    QCOMPARE(shape_words(Shape({4, 29, 16})), QStringLiteral("4 × 29 × 16"));
    // What leaves the attention is the context, though more is computed in it.
    QCOMPARE(
        (*dates()->trace)[result_of(*dates()->trace, shown.view.flow(), shown.view.flow().path(leaf)[3])].site.text,
        std::string("decoder.step[1].attention.context"));
  }

  void everything_is_seen_first_and_a_value_after_zooming() {
    for (const QSize size : {QSize(360, 240), QSize(900, 420), QSize(1400, 900)}) {
      Shown shown(dates(), size);
      const QRectF all = shown.view.screen(shown.view.map().bounds());
      QVERIFY(QRectF(shown.view.rect()).contains(all));
      const int leaf = shown.node("decoder.step[1].attention.scores");
      shown.view.go_to(leaf);
      shown.settle();
      QVERIFY(QRectF(shown.view.rect()).contains(shown.box(leaf)));
      QVERIFY(shown.box(leaf).width() > 0.7 * size.width() || shown.box(leaf).height() > 0.5 * size.height());
      QCOMPARE(shown.view.place_at(shown.box(leaf).center()), leaf);
      QTest::keyClick(&shown.view, Qt::Key_0);
      shown.settle();
      QCOMPARE(shown.view.screen(shown.view.map().bounds()), all);
    }
  }

  void the_wheel_zooms_around_the_pointer_and_dragging_moves() {
    Shown shown(dates());
    const QPointF at(200, 200);
    const QRectF map = shown.view.map().bounds();
    const auto under = [&] {
      const QRectF rect = shown.view.screen(map);
      return QPointF((at.x() - rect.left()) / rect.width(), (at.y() - rect.top()) / rect.height());
    };
    const QPointF before = under();
    const double scale = shown.view.scale();
    QWheelEvent wheel(at, shown.view.mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QCoreApplication::sendEvent(shown.view.viewport(), &wheel);
    QVERIFY(shown.view.scale() > 1.2 * scale);
    QVERIFY(std::hypot(under().x() - before.x(), under().y() - before.y()) < 1e-9);
    const QPointF corner = shown.view.screen(map).topLeft();
    QTest::mousePress(shown.view.viewport(), Qt::LeftButton, {}, {300, 200});
    QTest::mouseMove(shown.view.viewport(), {340, 230});
    QTest::mouseRelease(shown.view.viewport(), Qt::LeftButton, {}, {340, 230});
    QCOMPARE(shown.view.screen(map).topLeft(), corner + QPointF(40, 30));
    QCOMPARE(shown.selection.state(), SelectionState{});  // dragging selects nothing
  }

  void a_click_selects_a_value_everywhere() {
    Shown shown(dates());
    const int leaf = shown.node("decoder.step[1].lstm.c");
    shown.view.go_to(shown.view.flow().nodes[static_cast<std::size_t>(leaf)].parent);
    shown.settle();
    QTest::mouseClick(shown.view.viewport(), Qt::LeftButton, {},
                      (shown.box(leaf).topLeft() + QPointF(12, 6)).toPoint());
    QCOMPARE(shown.selection.state().entry, std::optional(dates()->trace->find("decoder.step[1].lstm.c")));
    QCOMPARE(shown.selection.state().step, std::optional(1));
    QCOMPARE(shown.view.cursor(), leaf);
    QVERIFY(shown.view.accessibleDescription().contains("Computed from: "));
    QVERIFY(shown.view.accessibleDescription().contains("forget gate"));
    QVERIFY(shown.view.accessibleDescription().contains("Used by: cell state, hidden state"));
  }

  // What a value was computed from is ink.
  void only_what_is_chosen_is_orange() {
    Shown shown(dates());
    const int leaf = shown.node("decoder.step[1].lstm.c");
    shown.view.go_to(shown.view.flow().nodes[static_cast<std::size_t>(leaf)].parent);
    shown.settle();
    QTest::mouseClick(shown.view.viewport(), Qt::LeftButton, {},
                      (shown.box(leaf).topLeft() + QPointF(12, 6)).toPoint());
    QCOMPARE(shown.view.cursor(), leaf);
    const QImage image = shown.view.viewport()->grab().toImage();
    const QRectF chosen = shown.box(leaf).adjusted(-3, -3, 3, 3);
    const QRgb orange = theme().accent().rgb();
    int inside = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) {
        if (image.pixel(x, y) != orange) continue;
        ++inside;
        QVERIFY2(chosen.contains(x, y), qPrintable(QString("%1, %2").arg(x).arg(y)));
      }
    QVERIFY(inside > 0);
  }

  void the_selection_chooses_the_step_that_is_shown() {
    Shown shown(dates());
    const Trace& trace = *dates()->trace;
    SelectionState state;
    state.entry = trace.find("decoder.step[7].attention.weights");
    state.cell = 4;
    shown.selection.set(state);
    QCOMPARE(shown.view.flow().shown.decoder, Index(7));
    QCOMPARE(shown.view.flow().nodes[static_cast<std::size_t>(shown.view.cursor())].entry, *state.entry);
    QCOMPARE(shown.view.cell(), std::optional<Index>(4));
    state = {};
    state.source_token = 2;
    shown.selection.set(state);
    QCOMPARE(shown.view.flow().shown.encoder, static_cast<Index>(dates()->position_of_token[2]));
    QCOMPARE(shown.view.flow().shown.decoder, Index(7));  // stays
    QTest::keyClick(&shown.view, Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(shown.view.flow().shown.decoder, Index(8));
    QCOMPARE(shown.selection.state().step, std::optional(8));
    QCOMPARE(trace[shown.view.flow().nodes[static_cast<std::size_t>(shown.view.cursor())].entry].site.text,
             std::string("decoder.step[8].attention.weights"));
  }

  void what_is_not_computed_yet_is_muted_while_somebody_steps() {
    Shown shown(dates());
    const int early = shown.node("encoder.embed.out"), late = shown.node("decoder.step[1].lstm.c");
    const int encoder = shown.view.flow().path(early)[1];
    const QImage whole = shown.view.grab().toImage();
    const auto contrast = [&](int node, const QImage& image) {  // of its box: darkest to lightest
      int low = 255, high = 0;
      const QRect box = shown.box(shown.view.map().shown(shown.view.flow(), node, shown.view.scale())).toRect();
      for (int y = box.top(); y < box.bottom(); ++y)
        for (int x = box.left(); x < box.right(); ++x) {
          const int grey = qGray(image.pixel(x, y));
          low = std::min(low, grey);
          high = std::max(high, grey);
        }
      return high - low;
    };
    SelectionState state;
    state.entry = dates()->trace->find("encoder.embed.out");
    shown.selection.set(state);
    QVERIFY(shown.view.is_computed(late));  // looking at a value is no stepping
    shown.view.set_computed(*state.entry);
    QVERIFY(shown.view.is_computed(early) && shown.view.is_computed(encoder) && shown.view.is_computed(0));
    QVERIFY(!shown.view.is_computed(late));
    const QImage begun = shown.view.grab().toImage();
    QVERIFY(contrast(late, begun) < contrast(late, whole) / 2);
    QVERIFY(contrast(early, begun) > contrast(early, whole) / 2);
    state.entry = dates()->trace->find("decoder.step[1].lstm.c");
    shown.selection.set(state);
    QVERIFY(shown.view.accessibleDescription().startsWith("Not computed yet."));
    shown.view.set_computed(*state.entry);
    QVERIFY(shown.view.is_computed(late));
    QVERIFY(!shown.view.accessibleDescription().contains("Not computed yet."));
    shown.view.set_computed(0);
    QVERIFY(!shown.view.is_computed(early));
    shown.view.set_computed(-1);
    QVERIFY(shown.view.is_computed(late));
  }

  void the_keyboard_goes_from_the_model_to_one_number_and_back() {
    Shown shown(dates());
    QVERIFY(shown.view.focusPolicy() & Qt::TabFocus);
    const auto name = [&] { return shown.view.flow().place(shown.view.cursor()); };
    QTest::keyClick(&shown.view, Qt::Key_Right);
    QCOMPARE(name(), std::string("input.src"));
    // The encoder stands behind the input, or below it.
    const auto& top = shown.view.flow().nodes[0].children;
    const bool right = shown.box(top[1]).left() > shown.box(top[0]).right();
    QTest::keyClick(&shown.view, right ? Qt::Key_Right : Qt::Key_Down);
    QCOMPARE(name(), std::string("encoder"));
    QTest::keyClick(&shown.view, Qt::Key_Return);
    QCOMPARE(name(), std::string("encoder.embed.out"));
    QTest::keyClick(&shown.view, Qt::Key_Return);  // into the value
    shown.settle();
    QTest::keyClick(&shown.view, Qt::Key_Return);  // to its numbers
    shown.settle();
    QCOMPARE(shown.view.cell(), std::optional<Index>(0));
    QTest::keyClick(&shown.view, Qt::Key_Right);
    QTest::keyClick(&shown.view, Qt::Key_Down);
    QCOMPARE(shown.view.cell(), std::optional<Index>(16 + 1));  // a row has 16 numbers
    QCOMPARE(shown.selection.state().cell, std::optional<qint64>(17));
    QVERIFY(shown.view.accessibleDescription().contains(" = "));
    QTest::keyClick(&shown.view, Qt::Key_Escape);
    QVERIFY(!shown.view.cell());
    QTest::keyClick(&shown.view, Qt::Key_Backspace);
    QCOMPARE(name(), std::string("encoder"));
    QTest::keyClick(&shown.view, Qt::Key_Escape);
    QCOMPARE(shown.view.cursor(), 0);
    shown.settle();
    QVERIFY(QRectF(shown.view.rect()).contains(shown.view.screen(shown.view.map().bounds())));
  }

  void the_way_above_leads_out_again() {
    Shown shown(dates(), {1400, 900});
    SelectionState state;
    state.entry = dates()->trace->find("decoder.step[1].attention.weights");
    shown.selection.set(state);
    shown.view.go_to(shown.view.cursor());
    shown.settle();
    QTest::mouseClick(shown.view.viewport(), Qt::LeftButton, {}, {20, 8});  // the model's name
    QCOMPARE(shown.view.cursor(), 0);
    shown.settle();
    QVERIFY(QRectF(shown.view.rect()).contains(shown.view.screen(shown.view.map().bounds())));
  }

  void while_one_types_the_view_stays_where_it_is() {
    Shown shown(dates());
    const int leaf = shown.node("decoder.step[1].attention.scores");
    shown.view.go_to(leaf);
    shown.settle();
    const double scale = shown.view.scale();
    shown.view.set_result(run_model("date-attention", "3 May 2022"));
    QCOMPARE(shown.view.scale(), scale);
    shown.view.set_result(run_model("grammar-bahdanau", "the dog sleeps ."));  // another model is seen as a whole
    QVERIFY(QRectF(shown.view.rect()).contains(shown.view.screen(shown.view.map().bounds())));
  }

  void nothing_is_done_while_hidden_and_nothing_breaks_when_empty() {
    Selection selection;
    ViewRequests requests;
    MapView view({&selection, &requests});
    view.set_result(dates());
    QVERIFY(view.flow().nodes.empty());
    QVERIFY(MapView::offers(*dates()));
    auto bare = std::make_shared<Result>(*dates());
    bare->trace = nullptr;
    QVERIFY(!MapView::offers(*bare));
    view.set_result(bare);
    show_at(view, {360, 240});
    QCOMPARE(view.accessibleName(), "Diagram, empty");
    for (const int key : {Qt::Key_Right, Qt::Key_Return, Qt::Key_Plus, Qt::Key_Home, Qt::Key_0, Qt::Key_Escape})
      QTest::keyClick(&view, static_cast<Qt::Key>(key));
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, {100, 100});
    QTest::mouseMove(view.viewport(), {120, 100});
    QVERIFY_EXCEPTION_THROWN(view.export_to("map.png"), std::exception);
    view.set_result(dates());
    QVERIFY(!view.flow().nodes.empty());
    view.set_result(nullptr);
    QVERIFY(view.flow().nodes.empty());
  }

  void files_hold_the_picture_and_the_list() {
    Shown shown(dates());
    const QTemporaryDir folder;
    for (const char* name : {"map.png", "map.svg", "map.pdf"}) {
      shown.view.export_to(folder.filePath(name));
      QVERIFY(QFile(folder.filePath(name)).size() > 2000);
    }
    shown.view.export_to(folder.filePath("map.csv"));
    QFile file(folder.filePath("map.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().split('\n');
    QCOMPARE(lines[0].trimmed(), QByteArray("value,site,shape,operation,computed from"));
    QCOMPARE(lines.size() - 2, shown.view.table()->rowCount());
    bool found = false;
    for (const QByteArray& line : lines)
      found = found || line.trimmed() ==
                           "hidden state,decoder.step[1].lstm.h,128,LSTM output,"
                           "decoder.step[1].lstm.gate.o decoder.step[1].lstm.c";
    QVERIFY(found);
  }

  void pictures() {
    for (const bool dark : {false, true}) {
      Theme::instance().set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
      const QString mode = dark ? "dark" : "light";
      Shown shown(dates(), {900, 420});
      COMPARE_IMAGE(shown.view, "map_" + mode);
      SelectionState state;
      state.entry = dates()->trace->find("decoder.step[1].attention.scores");
      shown.selection.set(state);
      shown.view.go_to(shown.view.flow().nodes[static_cast<std::size_t>(shown.view.cursor())].parent);
      shown.settle();
      COMPARE_IMAGE(shown.view, "map_attention_" + mode);
    }
  }

 private:
  void check_boxes(const Flow& flow, const MapLayout& map) {
    for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
      const MapBox& box = map.boxes[i];
      QVERIFY(box.rect.width() > 0 && box.rect.height() > 0);
      if (i > 0) {
        const MapBox& around = map.boxes[static_cast<std::size_t>(flow.nodes[i].parent)];
        QVERIFY(around.rect.adjusted(0, around.header, 0, 0).contains(box.rect));
      }
      const auto& children = flow.nodes[i].children;
      for (const int a : children)
        for (const int b : children)
          QVERIFY(a == b ||
                  !map.boxes[static_cast<std::size_t>(a)].rect.intersects(map.boxes[static_cast<std::size_t>(b)].rect));
      const int place = map.place_at(flow, box.rect.topLeft() + QPointF(1, 1), 1000);
      QCOMPARE(place, static_cast<int>(i));
    }
  }

  // Every edge is a chain of links from one leaf to the other, within the groups, and not through other boxes.
  void check_links(const Flow& flow, const MapLayout& map) {
    QCOMPARE(map.ways.size(), flow.edges.size());
    for (std::size_t e = 0; e < flow.edges.size(); ++e) {
      const auto& way = map.ways[e];
      QVERIFY(!way.empty());
      const auto path = [&](std::size_t k) { return map.links[static_cast<std::size_t>(way[k])].path; };
      QCOMPARE(QPointF(path(0).elementAt(0)), map.boxes[static_cast<std::size_t>(flow.edges[e].from)].out);
      QCOMPARE(path(way.size() - 1).currentPosition(), map.boxes[static_cast<std::size_t>(flow.edges[e].to)].in);
      for (std::size_t k = 1; k < way.size(); ++k)
        QCOMPARE(QPointF(path(k).elementAt(0)), path(k - 1).currentPosition());
    }
    for (const MapLink& link : map.links) {
      if (link.back) continue;
      QPolygonF points;
      for (int k = 1; k < 60; ++k) points << link.path.pointAtPercent(k / 60.0);
      for (const int each : flow.nodes[static_cast<std::size_t>(link.group)].children) {
        const QRectF inside = map.boxes[static_cast<std::size_t>(each)].rect.adjusted(1, 1, -1, -1);
        for (const QPointF& point : points) QVERIFY(!inside.contains(point));
      }
    }
  }
};

HEADLIGHT_WIDGET_TEST(TestMapView)

}  // namespace headlight::test_map_view

#include "test_map_view.moc"
