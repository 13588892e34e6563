// The tree of a trace and its list view.

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QTest>
#include <QTreeView>

#include "tests/test_program.h"
#include "tests/widgets/trace_fixture.h"
#include "widgets/base/theme.h"
#include "widgets/views/values/trace_list.h"

namespace headlight::test_trace_list {

class TestTraceList : public QObject {
  Q_OBJECT
 private slots:
  void tree_in_the_order_of_computation();
  void parts_of_the_model_are_said_in_words();
  void layers_and_directions_are_branches();
  void columns_grow_with_the_letters();
  void model_obeys_the_rules();
  void same_sites_keep_the_tree();
  void filter_by_words_and_numbers();
  void linked_with_the_selection();
  void keyboard_only();
  void a_hidden_list_rests();
  void names_are_whole_where_there_is_room();
  void enter_opens_a_value();
};

// A name is cut only where there is no room for it.
void TestTraceList::names_are_whole_where_there_is_room() {
  TraceList list;
  list.resize(1280, 400);
  const Result result = small_result("ab");
  list.set_trace(result.trace, trace_labels(result));
  list.show();
  QVERIFY(QTest::qWaitForWindowExposed(&list));
  const QTreeView& tree = *list.tree();
  list.tree()->expandAll();
  const int entry = result.trace->find("decoder.step[1].attention.weights");
  Selection selection;
  list.set_selection(&selection);
  SelectionState state;
  state.entry = entry;
  selection.set(state);
  const QFontMetricsF metrics(Theme::instance().ui_font());
  for (QModelIndex index = tree.model()->index(0, 0); index.isValid(); index = tree.indexBelow(index)) {
    const QRect place = tree.visualRect(index);
    QVERIFY2(metrics.horizontalAdvance(index.data().toString()) <= place.width(), qPrintable(index.data().toString()));
  }
}

void TestTraceList::enter_opens_a_value() {
  TraceList list;
  list.resize(900, 400);
  const Result result = small_result("ab");
  list.set_trace(result.trace, trace_labels(result));
  list.show();
  QVERIFY(QTest::qWaitForWindowExposed(&list));
  Selection selection;
  list.set_selection(&selection);
  SelectionState state;
  state.entry = result.trace->find("decoder.step[1].attention.weights");
  selection.set(state);
  int opened = -1;
  QObject::connect(&list, &TraceList::opened, &list, [&](int at) { opened = at; });
  QTest::keyClick(list.tree(), Qt::Key_Return);
  QCOMPARE(opened, *state.entry);
  // A branch opens and closes.
  list.tree()->setCurrentIndex(list.tree()->model()->index(0, 0));
  const bool before = list.tree()->isExpanded(list.tree()->currentIndex());
  QTest::keyClick(list.tree(), Qt::Key_Return);
  QCOMPARE(list.tree()->isExpanded(list.tree()->currentIndex()), !before);
}

void TestTraceList::tree_in_the_order_of_computation() {
  const Result result = small_result("ab");
  TraceModel model;
  model.set_trace(result.trace, trace_labels(result));
  QCOMPARE(model.rowCount(), 2);  // encode, decode
  QVERIFY(model.index(0, 0).data().toString().startsWith(QStringLiteral("encode")));
  // Walking the tree from top to bottom is walking the trace.
  std::vector<int> entries;
  const std::function<void(const QModelIndex&)> walk = [&](const QModelIndex& parent) {
    for (int row = 0; row < model.rowCount(parent); ++row) {
      const QModelIndex index = model.index(row, 0, parent);
      if (const int entry = model.entry_of(index); entry >= 0) entries.push_back(entry);
      walk(index);
    }
  };
  walk({});
  // Values of a phase that belong to no step (encoder.states) follow the steps in the same branch.
  QCOMPARE(static_cast<int>(entries.size()), result.trace->size());
  QVERIFY(std::is_sorted(entries.begin(), entries.end()));
  const int weights = result.trace->find("decoder.step[1].attention.weights");
  const QModelIndex index = model.index_of_entry(weights);
  QCOMPARE(index.data().toString(), QStringLiteral("attention.weights"));
  QCOMPARE(index.siblingAtColumn(TraceModel::kTitle).data().toString(), QStringLiteral("attention weights"));
  QCOMPARE(index.siblingAtColumn(TraceModel::kShape).data().toString(), QStringLiteral("[2]"));
  QCOMPARE(index.siblingAtColumn(TraceModel::kOperation).data().toString(), QStringLiteral("softmax"));
  QVERIFY(index.parent().data().toString().startsWith(QStringLiteral("step 2")));
  QVERIFY(index.data(Qt::ToolTipRole).toString().contains(QStringLiteral("shares")));
}

void TestTraceList::parts_of_the_model_are_said_in_words() {
  const auto words = [](const char* site) { return part_in_words(site); };
  QCOMPARE(words("decoder.step[3].attention.weights"), QString());
  QCOMPARE(words("decoder.step[2].layer[1].attn.weights"), QString("layer 2"));
  QCOMPARE(words("encoder.fwd.step[3].gru.gate.z"), QString("forward"));
  QCOMPARE(words("encoder.layer[0].bwd.step[3].lstm.h"), QString("layer 1, backward"));
  QCOMPARE(words("encoder.step[0].memory.head[1].read.w"), QString("read head 2"));
  QCOMPARE(words("memory.head[0].write.w_start"), QString("write head 1"));
  QCOMPARE(site_in_words(parse_site("decoder.step[2].layer[1].attn.weights")), QString("attention weights (layer 2)"));
  QCOMPARE(site_in_words(parse_site("decoder.step[2].attention.weights")), QString("attention weights"));
}

void TestTraceList::layers_and_directions_are_branches() {
  // A deep encoder that reads in both directions, and a decoder of two layers; in the order of computation.
  Recorder recorder(Capture{{}, false}, {});
  const SitePath memory("memory"), head(memory, "head", 0);
  recorder.tap()(SitePath(head, "read"), "w_start", Tensor::vector({1, 0}));  // before anything is read
  const SitePath encoder("encoder"), layer(encoder, "layer", 1), forward(layer, "fwd"), backward(layer, "bwd");
  const Tensor value = Tensor::vector({1, 2});
  const auto publish = [&](const SitePath& step) { recorder.tap()(SitePath(step, "lstm"), "h", value); };
  for (const Index j : {0, 1}) publish(SitePath(forward, "step", j));
  for (const Index j : {1, 0}) publish(SitePath(backward, "step", j));
  const SitePath decoder("decoder");
  for (const Index t : {0, 1}) {
    const SitePath step(decoder, "step", t);
    for (const Index l : {0, 1}) publish(SitePath(step, "layer", l));
    recorder.tap()(SitePath(step, "output"), "probs", value);
  }
  TraceModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  model.set_trace(recorder.finish({}), {});
  QStringList lines;
  const std::function<void(const QModelIndex&, int)> walk = [&](const QModelIndex& parent, int depth) {
    for (int row = 0; row < model.rowCount(parent); ++row) {
      const QModelIndex index = model.index(row, 0, parent);
      lines << QString(depth, '-') + index.data().toString();
      walk(index, depth + 1);
    }
  };
  walk({}, 0);
  const QStringList expected = {"encode: read the source",
                                "-read head 1",
                                "--w_start",
                                "-layer 2, forward",
                                "--step 1",
                                "---lstm.h",
                                "--step 2",
                                "---lstm.h",
                                "-layer 2, backward",
                                "--step 2",
                                "---lstm.h",
                                "--step 1",
                                "---lstm.h",
                                "decode: write the output",
                                "-step 1",
                                "--layer 1",
                                "---lstm.h",
                                "--layer 2",
                                "---lstm.h",
                                "--output.probs",
                                "-step 2",
                                "--layer 1",
                                "---lstm.h",
                                "--layer 2",
                                "---lstm.h",
                                "--output.probs"};
  QCOMPARE(lines, expected);
}

void TestTraceList::columns_grow_with_the_letters() {
  const Result result = small_result("ab");
  TraceList list;
  list.resize(500, 400);
  list.set_trace(result.trace, trace_labels(result));
  list.show();
  for (const double scale : {1.0, 2.0}) {
    Theme::instance().set_font_scale(scale);
    QCoreApplication::processEvents();
    const QFontMetrics metrics(Theme::instance().ui_font());
    const QTreeView& tree = *list.tree();
    QVERIFY(tree.columnWidth(TraceModel::kSite) > metrics.horizontalAdvance("encode: read the source"));
    QVERIFY(tree.columnWidth(TraceModel::kTitle) > metrics.horizontalAdvance("attention weights"));
    QVERIFY(tree.columnWidth(TraceModel::kTime) > metrics.horizontalAdvance("10.00 ms"));
  }
  Theme::instance().set_font_scale(1);
}

void TestTraceList::model_obeys_the_rules() {
  TraceModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  TraceFilter filter;
  filter.setSourceModel(&model);
  QAbstractItemModelTester filter_tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
  const Result result = small_result("abc");
  model.set_trace(result.trace, trace_labels(result));
  filter.set_text(QStringLiteral("gate"));
  QVERIFY(filter.rowCount() > 0);
  model.set_trace(small_result("cba").trace, {});
  model.set_trace(small_result("a").trace, {});
  model.set_trace(nullptr, {});
  QCOMPARE(model.rowCount(), 0);
}

void TestTraceList::same_sites_keep_the_tree() {
  TraceModel model;
  model.set_trace(small_result("abc").trace, {});
  int resets = 0, changes = 0;
  connect(&model, &QAbstractItemModel::modelReset, this, [&] { ++resets; });
  connect(&model, &QAbstractItemModel::dataChanged, this, [&] { ++changes; });
  model.set_trace(small_result("cab").trace, {});
  QCOMPARE(resets, 0);
  QVERIFY(changes > 0);
  model.set_trace(small_result("ab").trace, {});
  QCOMPARE(resets, 1);
}

void TestTraceList::filter_by_words_and_numbers() {
  const Result result = small_result("abcabcabcabcabc");  // encoder steps 0 .. 14
  TraceModel model;
  model.set_trace(result.trace, trace_labels(result));
  TraceFilter filter;
  filter.setSourceModel(&model);
  const auto count = [&] {
    int n = 0;
    const std::function<void(const QModelIndex&)> walk = [&](const QModelIndex& parent) {
      for (int row = 0; row < filter.rowCount(parent); ++row) {
        const QModelIndex index = filter.index(row, 0, parent);
        n += index.data(TraceModel::kEntryRole).toInt() >= 0;
        walk(index);
      }
    };
    walk({});
    return n;
  };
  QCOMPARE(count(), result.trace->size());
  filter.set_text(QStringLiteral("forget GATE"));
  QCOMPARE(count(), 15 + 4);
  filter.set_text(QStringLiteral("forget step 1"));  // not steps 10 .. 14
  QCOMPARE(count(), 2);
  filter.set_text(QStringLiteral("no such thing"));
  QCOMPARE(count(), 0);
}

void TestTraceList::linked_with_the_selection() {
  const Result result = small_result("abc");
  Selection selection;
  TraceList list;
  list.set_selection(&selection);
  list.set_trace(result.trace, trace_labels(result));
  const int weights = result.trace->find("decoder.step[2].attention.weights");
  SelectionState state;
  state.entry = weights;
  state.cell = 1;
  selection.set(state);
  QCOMPARE(list.current_entry(), weights);
  QVERIFY(selection.state() == state);  // following is not choosing
  QTest::keyClick(list.tree(), Qt::Key_Up);
  QVERIFY(selection.state().entry == weights - 1);
  QVERIFY(!selection.state().cell);
}

void TestTraceList::keyboard_only() {
  const Result result = small_result("abc");
  Selection selection;
  TraceList list;
  list.set_selection(&selection);
  list.set_trace(result.trace, trace_labels(result));
  list.show();
  list.filter_field()->setFocus();
  QTest::keyClicks(list.filter_field(), QStringLiteral("context step 2"));
  QTest::keyClick(list.filter_field(), Qt::Key_Return);
  for (int i = 0; i < 4 && !selection.state().entry; ++i) QTest::keyClick(list.tree(), Qt::Key_Down);
  QVERIFY(selection.state().entry == result.trace->find("decoder.step[1].attention.context"));
}

// Another panel is in front while somebody types; the list is of the newest run when it is looked at.
void TestTraceList::a_hidden_list_rests() {
  const Result before = small_result("ab"), after = small_result("abc");
  QWidget window;
  TraceList list(&window);
  Selection selection;
  list.set_selection(&selection);
  list.hide();
  window.show();
  list.set_trace(before.trace, trace_labels(before));
  list.set_trace(after.trace, trace_labels(after));
  SelectionState state;
  state.entry = after.trace->size() - 1;  // which the run before lacks
  selection.set(state);
  QCOMPARE(list.tree()->model()->rowCount(), 0);
  QCOMPARE(list.current_entry(), -1);
  list.show();
  QCOMPARE(list.tree()->model()->rowCount(), 2);
  QCOMPARE(list.current_entry(), after.trace->size() - 1);
}

HEADLIGHT_WIDGET_TEST(TestTraceList)

}  // namespace headlight::test_trace_list

#include "test_trace_list.moc"
