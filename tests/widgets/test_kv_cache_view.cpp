// The picture of the KV cache: rows and windows of a run, its bytes by hand, keys, table, files.

#include <QFileInfo>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>

#include "model/core/errors.h"
#include "small_runs.h"
#include "tests/test_program.h"
#include "tests/widgets/image_test.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/views/kv_cache/kv_cache_view.h"

namespace headlight::test_kv_cache_view {

namespace {

// Four heads with two keys, of two numbers each; the second layer looks at the last three tokens.
std::shared_ptr<const Result> grouped_run() {
  return sample::small_run({{"model_type", "decoder_only"},
                            {"model_size", 8},
                            {"heads", 4},
                            {"key_value_heads", 2},
                            {"ff_size", 8},
                            {"decoder_layers", 2},
                            {"layer_windows", Json::array({0, 3})}});
}

}  // namespace

class TestKvCacheView : public QObject {
  Q_OBJECT
  Selection selection_;
  ViewRequests requests_;

  std::unique_ptr<KvCacheView> shown(std::shared_ptr<const Result> result) {
    auto view = std::make_unique<KvCacheView>(ViewContext{&selection_, &requests_});
    view->set_result(std::move(result));
    show_at(*view, {900, 600});
    return view;
  }

 private slots:
  void init() { selection_.set({}); }

  void places_are_found_where_they_are() {
    for (const QSizeF size : {QSizeF(300, 180), QSizeF(900, 600)}) {
      KvCacheLayout::Metrics m;
      m.view = size;
      m.rows = 7;
      m.layers = 3;
      m.groups = 2;
      m.bars = 3;
      const KvCacheLayout layout = KvCacheLayout::of(m);
      const KvCacheHit key{KvCacheHit::Part::key, 4, 2, 1}, value{KvCacheHit::Part::value, 6, 0, 0};
      QCOMPARE(layout.place_at(layout.group(2, false, 4, 1).center()), key);
      QCOMPARE(layout.place_at(layout.group(0, true, 6, 0).center()), value);
      QCOMPARE(layout.place_at(layout.name(5).center()).row, 5);
      QVERIFY(layout.place_at(layout.bar(1).center()).part == KvCacheHit::Part::bar);
      QVERIFY(layout.width >= layout.right());
      QVERIFY(layout.height >= layout.row(6).bottom());
      QVERIFY(layout.bar(2).bottom() <= layout.label(0).top() + 1);
      QVERIFY(layout.part(0, true, 0).right() <= layout.part(1, false, 0).left());
    }
  }

  void rows_and_layers_use_their_room() {
    for (const int rows : {8, 14, 21}) {
      KvCacheLayout::Metrics m;
      m.view = {1890, 840};
      m.rows = rows;
      m.layers = 2;
      m.groups = 4;
      m.bars = 4;
      const KvCacheLayout layout = KvCacheLayout::of(m);
      QVERIFY(layout.right() > 0.85 * m.view.width() && layout.row(rows - 1).bottom() > 0.85 * m.view.height());
      QVERIFY(layout.width <= m.view.width() && layout.height <= m.view.height());
    }
  }

  // 5 tokens were given and 6 fed: 11 rows in the first layer and in the second the last 2, which the next token sees
  // with itself; of 2 x 2 x 2 numbers of 4 bytes.
  void bytes_by_hand() {
    const auto view = shown(grouped_run());
    QCOMPARE(view->message(), QString());
    const KvCacheCanvas& canvas = *view->canvas();
    QCOMPARE(canvas.cache()->moments(), 11);
    QCOMPARE(canvas.moment(), 10);
    QVERIFY(canvas.accessibleDescription().contains("416 B"));
    QVERIFY(canvas.accessibleName().contains("2 layers"));
    view->window_slider()->setValue(5);
    QList<double> bytes;
    for (const KvCacheCanvas::Compared& each : canvas.compared()) bytes << each.bytes;
    // One key head, as it is, four; no window, one of five in both layers; in 8 bits.
    QCOMPARE(bytes, (QList<double>{208, 416, 832, 22 * 32, 2 * 4 * 32, 104}));
    QCOMPARE(canvas.kind_of(0), QString("grouped: 352 B"));
    QCOMPARE(canvas.kind_of(1), QString("grouped, window of 3: 64 B"));
    QVERIFY(canvas.compared()[1].own);
    QCOMPARE(view->table()->rowCount(), 11);
    QCOMPARE(view->table()->index(10, 2).data(Qt::EditRole).toDouble(), 416.0);
    QCOMPARE(view->table()->index(10, 3).data(Qt::EditRole).toDouble(), 208.0);
    QCOMPARE(view->table()->index(0, 2).data(Qt::EditRole).toDouble(), 64.0);
  }

  void rows_come_and_leave_the_window() {
    const auto view = shown(grouped_run());
    const KvCacheRun& run = *view->canvas()->cache();
    QVERIFY(!run.is_there(3, 4));
    QVERIFY(run.is_there(4, 4));
    for (int row = 0; row < 11; ++row) {
      QVERIFY(!run.is_outside(10, 0, row));
      QCOMPARE(run.is_outside(10, 1, row), row < 9);
    }
    // What it reads most is what the trace says.
    const Tensor weights = run.map->trace->value("decoder.step[5].layer[0].self_attn.head.weights");
    int best = 0;
    for (int key = 0; key < 11; ++key)
      if (weights[key] > weights[best]) best = key;
    KvCacheRun first = run;
    const auto result = grouped_run();
    for (const AttentionMap& map : attention_maps(*result))
      if (map.kind == AttentionMap::Kind::decoder_self && map.layer == 0)
        first.map = std::make_shared<const AttentionMap>(map);
    QCOMPARE(first.most_read(10, 0), best);
  }

  // The strips are the numbers that the run computed: keys of the prompt and of a step.
  void numbers_are_those_of_the_trace() {
    const auto view = shown(grouped_run());
    const KvCacheRun& run = *view->canvas()->cache();
    const Trace& trace = *run.map->trace;
    const Tensor at_once = trace.value("decoder.layer[1].self_attn.head.k"),  // [2 x 5 x 2]
        step = trace.value("decoder.step[2].layer[1].self_attn.head.v");     // [2 x 2]
    QCOMPARE(run.number(1, false, 3, 1)[1], at_once[(1 * 5 + 3) * 2 + 1]);
    QCOMPARE(run.number(1, true, 7, 1)[0], step[2]);
    QVERIFY(!run.numbers->row(1, true, false, 0, 0));  // there is no source
  }

  void arrows_go_through_time() {
    const auto view = shown(grouped_run());
    QTest::keyClick(view->canvas(), Qt::Key_Up);
    QCOMPARE(view->canvas()->moment(), 9);
    QCOMPARE(view->moment_slider()->value(), 9);
    QCOMPARE(selection_.state().step, std::optional<int>(4));
    QTest::keyClick(view->canvas(), Qt::Key_Home);
    QCOMPARE(view->canvas()->moment(), 0);
    QVERIFY(view->canvas()->accessibleDescription().contains("64 B"));
    SelectionState third;
    third.step = 2;
    selection_.set(third);
    QCOMPARE(view->canvas()->moment(), 7);
    view->moment_slider()->setValue(3);
    QCOMPARE(view->canvas()->moment(), 3);
    QCOMPARE(selection_.state().source_token, std::optional<int>(3));
  }

  void beside_a_source_it_says_what_is_fixed() {
    const auto view = shown(sample::small_run({{"model_type", "transformer"},
                                               {"model_size", 8},
                                               {"heads", 2},
                                               {"ff_size", 8},
                                               {"encoder_layers", 1},
                                               {"decoder_layers", 2}}));
    const KvCacheRun& run = *view->canvas()->cache();
    QCOMPARE(run.moments(), 6);
    QCOMPARE(run.rows(), 6 + 5);
    QVERIFY(run.is_source(8) && run.is_there(0, 8) && !run.is_outside(5, 0, 8));
    const Tensor keys = run.map->trace->value("decoder.layer[0].cross_attn.head.k");  // [2 x 5 x 4]
    QCOMPARE(run.number(0, false, 8, 1)[2], keys[(1 * 5 + 2) * 4 + 2]);
    // 5 tokens in 2 layers, a key and a value of 8 numbers, 4 bytes each.
    QVERIFY(view->canvas()->accessibleDescription().contains("640 B of the source"));
  }

  void is_written_to_files() {
    const auto view = shown(grouped_run());
    const QTemporaryDir folder;
    for (const char* name : {"a.png", "a.svg", "a.pdf", "a.csv"}) {
      view->export_to(folder.filePath(name));
      QVERIFY2(QFileInfo(folder.filePath(name)).size() > 50, name);
    }
  }

  void others_say_why_there_is_none() {
    const auto view = shown(sample::recurrent_run());
    QVERIFY(view->message().contains("keeps no keys and values"));
    QCOMPARE(view->table()->rowCount(), 0);
    QVERIFY_EXCEPTION_THROWN(view->export_to("x.png"), UsageError);
    QVERIFY(!KvCacheView::offers(AnalysedRun(sample::recurrent_run())));
  }
};

HEADLIGHT_WIDGET_TEST(TestKvCacheView)

}  // namespace headlight::test_kv_cache_view

#include "test_kv_cache_view.moc"
