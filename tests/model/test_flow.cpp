// The flow of a run: groups from names, edges from what each value was computed from, for every architecture.
#include <QTest>
#include <map>
#include <set>

#include "model/analysis/flow.h"
#include "model/decode/run.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"

namespace headlight::test_flow {

namespace {

Result run_model(const char* name, const char* text) {
  Request request;
  request.model = load_model(name);
  request.source = text;
  return run(request);
}

// A site in the step that is shown, written independently of the flow.
std::string in_shown_step(const Site& site, const Flow& flow) {
  const std::string old = "step[" + std::to_string(site.step) + "]";
  const std::size_t at = site.step < 0 ? std::string::npos : site.text.find(old);
  if (at == std::string::npos) return site.text;
  const Index step = site.text[0] == 'e' ? flow.shown.encoder : flow.shown.decoder;
  return site.text.substr(0, at) + "step[" + std::to_string(step) + "]" + site.text.substr(at + old.size());
}

std::set<std::string> names(const Trace& trace, const std::vector<int>& entries) {
  std::set<std::string> found;
  for (const int i : entries) found.insert(trace[i].site.text);
  return found;
}

}  // namespace

class TestFlow : public QObject {
  Q_OBJECT

 private slots:
  void inputs_are_what_the_equations_say() {
    const Result result = run_model("date-attention", "3 May");
    const Trace& t = *result.trace;
    const auto inputs = [&](const char* site) { return names(t, t.inputs(t.find(site))); };
    using Names = std::set<std::string>;
    // Hochreiter and Schmidhuber 1997: c = f c' + i g, h = o tanh(c)
    QCOMPARE(inputs("encoder.step[1].lstm.gate.f"), (Names{"encoder.step[1].lstm.pre"}));
    QCOMPARE(inputs("encoder.step[1].lstm.c"), (Names{"encoder.step[0].lstm.c", "encoder.step[1].lstm.gate.f",
                                                      "encoder.step[1].lstm.gate.i", "encoder.step[1].lstm.cand.g"}));
    QCOMPARE(inputs("encoder.step[1].lstm.h"), (Names{"encoder.step[1].lstm.gate.o", "encoder.step[1].lstm.c"}));
    QCOMPARE(inputs("encoder.step[1].lstm.pre"), (Names{"encoder.embed.out", "encoder.step[0].lstm.h"}));
    QCOMPARE(inputs("decoder.step[2].attention.query"), (Names{"decoder.step[2].lstm.h"}));
    QCOMPARE(inputs("decoder.step[2].attention.scores"), (Names{"encoder.states", "decoder.step[2].attention.query"}));
    const std::string last = "encoder.step[" + std::to_string(t.value("encoder.states").rows() - 1) + "].lstm.h";
    QCOMPARE(inputs("decoder.init.h"), (Names{last}));
  }

  void joined_heads_stand_between_heads_and_output() {
    const Result result = run_model("date-transformer", "3 May");
    const Trace& t = *result.trace;
    const std::string attention = "decoder.step[1].layer[0].self_attn.";
    QCOMPARE(names(t, t.inputs(t.find(attention + "concat"))), (std::set<std::string>{attention + "head.out"}));
    QCOMPARE(names(t, t.inputs(t.find(attention + "out"))), (std::set<std::string>{attention + "concat"}));
  }

  void every_architecture_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("text");
    for (const auto& [model, text] :
         std::initializer_list<std::pair<const char*, const char*>>{{"date-attention", "3 May"},
                                                                    {"grammar-bahdanau", "the dog sleeps ."},
                                                                    {"toy-mt-convs2s", "the cat sees a dog"},
                                                                    {"toy-mt-deep", "the cat sees a dog"},
                                                                    {"copy-ntm", "1 0 1"},
                                                                    {"date-transformer", "3 May"},
                                                                    {"masked-bert", "the [MASK] sleeps ."},
                                                                    {"story-gpt", "once upon a time"}})
      QTest::newRow(model) << model << text;
  }

  void every_architecture() {
    QFETCH(QString, model);
    QFETCH(QString, text);
    const Result result = run_model(qPrintable(model), qPrintable(text));
    const Trace& trace = *result.trace;
    for (const FlowSteps steps : {FlowSteps{0, 0}, FlowSteps{1, 1}, FlowSteps{2, 3}, FlowSteps{1000, 1000}}) {
      const Flow flow = flow_of(trace, steps);
      check_tree(trace, flow);
      check_edges(trace, flow);
    }
  }

  void groups_are_named_as_the_model_is_built() {
    const Result result = run_model("date-transformer", "3 May");
    const Flow flow = flow_of(*result.trace, {0, 4});
    const auto path = [&](const char* site) {
      QStringList list;
      for (const int i : flow.path(flow.node_of_entry[static_cast<std::size_t>(result.trace->find(site))]))
        list << QString::fromStdString(flow.nodes[static_cast<std::size_t>(i)].name);
      return list.join('/');
    };
    QCOMPARE(path("encoder.layer[1].self_attn.head.weights"), "/encoder/layer[1]/self_attn/head.weights");
    QCOMPARE(path("decoder.step[4].layer[0].ffn.act"), "/decoder/step[4]/layer[0]/ffn/act");
    QCOMPARE(path("decoder.layer[0].cross_attn.head.k"), "/decoder/once/layer[0].cross_attn/head.k");
    QCOMPARE(path("encoder.embed.position"), "/encoder/embed/position");
    const int step =
        flow.nodes[static_cast<std::size_t>(
                       flow.node_of_entry[static_cast<std::size_t>(result.trace->find("decoder.step[4].input.id"))])]
            .parent;
    QCOMPARE(flow.nodes[static_cast<std::size_t>(step)].steps, static_cast<Index>(result.steps.size()));
    QCOMPARE(flow.place(step), std::string("decoder.step[4]"));
  }

  void the_shape_stays_while_another_step_is_shown() {
    const Result result = run_model("date-attention", "3 May"), other = run_model("date-attention", "4 June");
    const Flow flow = flow_of(*result.trace, {2, 2});
    QVERIFY(flow.same_shape(flow_of(*result.trace, {5, 3})));
    QVERIFY(flow.same_shape(flow_of(*other.trace, {2, 2})));
    QVERIFY(!flow.same_shape(flow_of(*run_model("grammar-bahdanau", "the dog sleeps .").trace)));
    QCOMPARE(at_step("encoder.fwd.step[12].gru.h", 3), std::string("encoder.fwd.step[3].gru.h"));
    const int elsewhere = result.trace->find("decoder.step[7].lstm.h");
    QCOMPARE(flow.leaf_of(*result.trace, elsewhere),
             flow.node_of_entry[static_cast<std::size_t>(result.trace->find("decoder.step[2].lstm.h"))]);
  }

  void a_run_without_a_graph_has_groups_and_no_edges() {
    Request request;
    request.model = load_model("date-attention");
    request.source = "3 May";
    request.capture.explain = false;
    const Result result = run(request);
    const Flow flow = flow_of(*result.trace);
    QVERIFY(flow.nodes.size() > 20);
    QVERIFY(flow.edges.empty());
  }

 private:
  void check_tree(const Trace& trace, const Flow& flow) {
    std::set<int> seen;
    for (std::size_t i = 1; i < flow.nodes.size(); ++i) {
      const FlowNode& node = flow.nodes[i];
      QVERIFY(node.parent >= 0 && node.parent < static_cast<int>(i));
      const auto& siblings = flow.nodes[static_cast<std::size_t>(node.parent)].children;
      QCOMPARE(std::count(siblings.begin(), siblings.end(), static_cast<int>(i)), 1);
      QCOMPARE(node.is_leaf(), node.children.empty());
      if (!node.is_leaf()) continue;
      QVERIFY(seen.insert(node.entry).second);  // once
      QCOMPARE(flow.node_of_entry[static_cast<std::size_t>(node.entry)], static_cast<int>(i));
      QCOMPARE(QString::fromStdString(flow.place(static_cast<int>(i))),
               QString::fromStdString(trace[node.entry].site.text));
    }
    for (int i = 0; i < trace.size(); ++i) {
      const Site& site = trace[i].site;
      const Index shown = site.text[0] == 'e' ? flow.shown.encoder : flow.shown.decoder;
      QCOMPARE(seen.contains(i), site.step < 0 || site.step == shown);
    }
  }

  void check_edges(const Trace& trace, const Flow& flow) {
    const auto leaf = [&](const std::string& site) {
      const int entry = trace.find(site);
      return entry < 0 ? -1 : flow.node_of_entry[static_cast<std::size_t>(entry)];
    };
    std::set<std::pair<int, int>> possible, now;
    for (int i = 0; i < trace.size(); ++i)
      for (const int input : trace.inputs(i)) {
        const std::pair pair(leaf(in_shown_step(trace[input].site, flow)), leaf(in_shown_step(trace[i].site, flow)));
        possible.insert(pair);
        const bool shown = flow.node_of_entry[static_cast<std::size_t>(i)] >= 0;
        if (shown && flow.node_of_entry[static_cast<std::size_t>(input)] >= 0) now.insert(pair);
        if (shown && pair.first >= 0)  // from whichever step: it is drawn
          QVERIFY(std::any_of(flow.edges.begin(), flow.edges.end(),
                              [&](const FlowEdge& e) { return e.from == pair.first && e.to == pair.second; }));
      }
    std::set<std::pair<int, int>> drawn;
    for (const FlowEdge& edge : flow.edges) {
      QVERIFY(possible.contains({edge.from, edge.to}));
      if (!edge.other_step) drawn.insert({edge.from, edge.to});
    }
    QCOMPARE(drawn.size(), now.size());
    QVERIFY(drawn == now);
  }
};

HEADLIGHT_CORE_TEST(TestFlow)

}  // namespace headlight::test_flow

#include "test_flow.moc"
