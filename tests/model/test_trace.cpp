// Recording a run: what is kept, cancellation, names of cells.

#include <limits>
#include <thread>

#include "tests/model/explanation_checks.h"
#include "tests/test_program.h"

namespace headlight::test_trace {

using namespace headlight::testing;

namespace {

// S = 4, T = 1, H = 4; what is returned was recorded with these edits and this capture.
std::shared_ptr<const Trace> trace_with(const Model& model, std::vector<Intervention> edits, Capture capture = {}) {
  Recorder recorder(std::move(capture), std::move(edits));
  model.begin(Tensor::of({4, 1}, {3, 1, 4, 1}), recorder.tap())->advance(Tensor::zeros({1, 1}), recorder.tap());
  return recorder.finish({});
}

std::vector<std::string> names_of(const Trace& trace) {
  std::vector<std::string> names;
  for (const TraceEntry& entry : trace.entries()) names.push_back(entry.site.text);
  return names;
}

const char* const kWeights = "decoder.step[0].attention.weights";

}  // namespace

class TestTrace : public QObject {
  Q_OBJECT
 private slots:
  void captures_data();
  void captures();
  void entries_stand_in_the_order_of_the_run();
  void a_trace_never_changes();
  void a_trace_without_a_graph_explains_nothing();
  void a_recorder_cleans_up();
  void cancelled_in_the_middle();
  void cancelled_from_another_thread();

  void cells_have_names_data();
  void cells_have_names();
  void gates_are_named_by_the_gate();
  void operations_of_sites();
  void no_number_is_shown_as_it_is();
};

void TestTrace::captures_data() {
  QTest::addColumn<std::vector<std::string>>("patterns");
  QTest::addColumn<std::vector<std::string>>("expected");
  using V = std::vector<std::string>;
  QTest::newRow("one") << V{"encoder.states"} << V{"encoder.states"};
  QTest::newRow("all steps") << V{"encoder.step.lstm.c"}
                             << V{"encoder.step[0].lstm.c", "encoder.step[1].lstm.c", "encoder.step[2].lstm.c",
                                  "encoder.step[3].lstm.c"};
  QTest::newRow("indices do not matter") << V{"decoder.step[7].output.logits"} << V{"decoder.step[0].output.logits"};
  QTest::newRow("the rest") << V{"decoder.step.attention.*"}
                            << V{"decoder.step[0].attention.query", "decoder.step[0].attention.scores", kWeights,
                                 "decoder.step[0].attention.weighted", "decoder.step[0].attention.context"};
  QTest::newRow("several") << V{"decoder.init.h", "input.*"}
                           << V{"input.src.ids", "input.src.display_index", "decoder.init.h"};
  QTest::newRow("no such") << V{"encoder.state"} << V{};
}

void TestTrace::captures() {
  QFETCH(std::vector<std::string>, patterns);
  QFETCH(std::vector<std::string>, expected);
  const auto trace = trace_with(*tiny_model("attn_seq2seq", true), {}, {patterns, true});
  QCOMPARE(names_of(*trace), expected);
}

void TestTrace::entries_stand_in_the_order_of_the_run() {
  const auto trace = trace_with(*tiny_model("attn_seq2seq", true), {});
  double last = 0;
  for (int i = 0; i < trace->size(); ++i) {
    const TraceEntry& entry = (*trace)[i];
    QVERIFY(entry.seconds >= last);
    last = entry.seconds;
    QCOMPARE(trace->find(entry.site.text), i);
    QVERIFY(trace->value(entry.site.text).data() == entry.value.data());
    QVERIFY(!entry.edited);
  }
  QVERIFY(trace->size() > 40);
  QCOMPARE(trace->find("encoder.state"), -1);
  QVERIFY(!trace->value("encoder.state").defined());
  QVERIFY(trace->find("encoder.step[3].lstm.h") < trace->find("encoder.states"));
}

// Not when the model runs again, not when its recorder goes, not when the model goes.
void TestTrace::a_trace_never_changes() {
  auto model = tiny_model("attn_seq2seq", true);
  const auto trace = explained_trace(*model);
  std::vector<std::vector<double>> before;
  for (const TraceEntry& entry : trace->entries()) before.push_back(doubles(entry.value));
  const auto other = trace_with(*model, {parse_intervention("encoder.step[0].lstm.h*5")});
  model.reset();
  for (int i = 0; i < trace->size(); ++i) QCOMPARE(doubles((*trace)[i].value), before[static_cast<std::size_t>(i)]);
  QVERIFY(every_cell_adds_up(*trace, 1e-5));
  QVERIFY(!difference(other->value("encoder.states"), trace->value("encoder.states"), 1e-3).isEmpty());
}

void TestTrace::a_trace_without_a_graph_explains_nothing() {
  const auto model = tiny_model("attn_seq2seq", true);
  const auto trace = trace_with(*model, {}, {{}, false});
  QCOMPARE(names_of(*trace), names_of(*trace_with(*model, {})));
  QCOMPARE(message_of<UsageError>([&] { trace->explain(0, 0); }),
           "this run kept no graph: run it again with explanations on");
}

void TestTrace::a_recorder_cleans_up() {
  QVERIFY(!Graph::current());
  {
    Recorder recorder({}, {});
    QVERIFY(Graph::current());
  }
  QVERIFY(!Graph::current());
  trace_with(*tiny_model("seq2seq", true), {});
  QVERIFY(!Graph::current());
}

// A listener that raises the flag when it meets a site, and records until then.
struct Canceller : TapListener {
  Canceller(Recorder& r, CancelToken t, std::string l) : recorder(r), token(std::move(t)), leaf(std::move(l)) {}
  Tensor visit(const SitePath& place, const char* name, Tensor value) override {
    ++visits;
    if (name == leaf) token.cancel();
    return recorder.visit(place, name, std::move(value));
  }
  Recorder& recorder;
  CancelToken token;
  std::string leaf;
  int visits = 0;
};

void TestTrace::cancelled_in_the_middle() {
  const auto model = tiny_model("attn_seq2seq", true);
  const CancelToken token = CancelToken::make();
  {
    Recorder recorder({}, {}, token);
    Canceller canceller(recorder, token, "attention.scores");
    const auto decoding = model->begin(Tensor::of({4, 1}, {3, 1, 4, 1}), Tap(canceller));
    QVERIFY(!token.cancelled());
    bool stopped = false;
    try {
      decoding->advance(Tensor::zeros({1, 1}), Tap(canceller));
    } catch (const Cancelled&) {
      stopped = true;
    }
    QVERIFY(stopped);
    // 3 of the input, 7 in each of 4 steps, 3 at the end of the encoder; 2 + 7 + 2 of the decoder: not one more.
    QCOMPARE(canceller.visits, 3 + 28 + 3 + 11);
  }
  QVERIFY(!Graph::current());
  QVERIFY(trace_with(*model, {})->size() > 40);  // the model is as good as before
}

void TestTrace::cancelled_from_another_thread() {
  const auto model = tiny_model("attn_seq2seq", true);
  const CancelToken token = CancelToken::make();
  Recorder recorder({}, {}, token);
  const auto decoding = model->begin(Tensor::of({4, 1}, {3, 1, 4, 1}), recorder.tap());
  std::thread owner([token] { token.cancel(); });
  bool stopped = false;
  try {
    for (int t = 0; t < 100000; ++t) decoding->advance(Tensor::zeros({1, 1}), recorder.tap());
  } catch (const Cancelled&) {
    stopped = true;
  }
  owner.join();
  QVERIFY(stopped);
  const CancelToken never;
  never.cancel();  // a token that nobody made cannot be raised
  QVERIFY(!never.cancelled());
}

void TestTrace::cells_have_names_data() {
  QTest::addColumn<std::string>("site");
  QTest::addColumn<int>("cell");
  QTest::addColumn<std::string>("expected");
  const auto row = [](const char* site, int cell, const char* expected) {
    QTest::newRow(expected) << std::string(site) << cell << std::string(expected);
  };
  row("encoder.states", 6, "encoder.states[1, 2]");
  row("encoder.embed.out", 5, "encoder.embed.out[1, 2]");
  row("encoder.step[2].lstm.h", 3, "encoder.step[2].lstm.h[3]");
  row("encoder.step[2].lstm.gate.o", 0, "encoder.step[2].lstm.gate.o[0]");
  row("encoder.step[2].lstm.pre", 15, "encoder.step[2].lstm.pre[15]");
  row(kWeights, 3, "decoder.step[0].attention.weights[3]");
}

void TestTrace::cells_have_names() {
  QFETCH(std::string, site);
  QFETCH(int, cell);
  QFETCH(std::string, expected);
  const auto trace = trace_with(*tiny_model("attn_seq2seq", true), {});
  const Location at = trace->locate({trace->value(site), cell});
  QCOMPARE(at.text(), expected);
  QVERIFY(at.kind == Location::Kind::activation);
  QCOMPARE(at.entry, trace->find(site));
}

void TestTrace::gates_are_named_by_the_gate() {
  const auto model = tiny_model("attn_seq2seq", true);
  const auto trace = explained_trace(*model);
  const auto names = [&](const char* site, Index cell) {
    std::vector<std::string> found;
    for (const Term& term : trace->explain(trace->find(site), cell).terms)
      for (const Cell& c : term.cells) found.push_back(trace->locate(c).text());
    return found;
  };
  using V = std::vector<std::string>;
  QCOMPARE(names("decoder.step[1].lstm.c", 3), (V{"decoder.step[1].lstm.gate.f[3]", "decoder.step[0].lstm.c[3]",
                                                  "decoder.step[1].lstm.cand.g[3]", "decoder.step[1].lstm.gate.i[3]"}));
  QCOMPARE(names("decoder.step[1].lstm.h", 3), (V{"decoder.step[1].lstm.gate.o[3]", "decoder.step[1].lstm.c[3]"}));
  QCOMPARE(names("decoder.step[1].lstm.gate.i", 3), V{"decoder.step[1].lstm.pre[11]"});
  // A pre-activation is one sum: the last hidden state (4 units), the embedding (3), and the bias.
  const V pre = names("decoder.step[1].lstm.pre", 5);
  QCOMPARE(pre.size(), std::size_t{2 * 4 + 2 * 3 + 1});
  QCOMPARE(pre[0], std::string("decoder.step[0].lstm.h[0]"));
  QCOMPARE(pre[1], std::string("decoder.lstm.Wh[0, 5]"));
  QCOMPARE(pre[8], std::string("decoder.step[1].embed.out[0]"));
  QCOMPARE(pre[9], std::string("decoder.lstm.Wx[0, 5]"));
  QCOMPARE(pre[14], std::string("decoder.lstm.b[5]"));
  QCOMPARE(names("encoder.embed.out", 4), (V{"encoder.embed.W[4, 1]", "input.src.ids[1]"}));
}

void TestTrace::operations_of_sites() {
  const auto trace = trace_with(*tiny_model("attn_seq2seq", true), {});
  const auto id = [&](const char* site) {
    const Op* op = trace->operation(trace->find(site));
    return std::string(op ? op->id : "none");
  };
  QCOMPARE(id("input.src.ids"), std::string("none"));
  QCOMPARE(id("decoder.init.c"), std::string("none"));
  QCOMPARE(id("encoder.embed.out"), std::string("embedding"));
  QCOMPARE(id("encoder.step[0].lstm.pre"), std::string("linear"));
  QCOMPARE(id("encoder.step[0].lstm.gate.f"), std::string("LSTM gates"));
  QCOMPARE(id("encoder.step[0].lstm.c"), std::string("LSTM cell"));
  QCOMPARE(id(kWeights), std::string("softmax"));
  QCOMPARE(id("decoder.step[0].attention.scores"), std::string("dot score"));
  QCOMPARE(id("decoder.step[0].attention.context"), std::string("weighted sum"));
  QCOMPARE(id("decoder.step[0].output.logits"), std::string("linear"));
}

// A broken weight runs, and is seen where it reaches: nothing is hidden or mended.
void TestTrace::no_number_is_shown_as_it_is() {
  auto model = tiny_model("attn_seq2seq", true);
  for (Parameter& p : model->parameters().all())
    if (p.name == "decoder.affine.W") p.value[2] = std::numeric_limits<Scalar>::quiet_NaN();  // row 0, word 2
  const auto trace = explained_trace(*model);
  const Tensor logits = trace->value("decoder.step[0].output.logits");
  for (Index v = 0; v < logits.size(); ++v) QCOMPARE(std::isnan(logits[v]), v == 2);
  for (const double p : doubles(trace->value("decoder.step[0].output.probs"))) QVERIFY(std::isnan(p));
  for (const double a : doubles(trace->value(kWeights))) QVERIFY(std::isfinite(a));
  QVERIFY(every_cell_adds_up(*trace, 1e-5));
  for (Parameter& p : model->parameters().all())
    if (p.name == "encoder.lstm.b") p.value[0] = std::numeric_limits<Scalar>::quiet_NaN();
  const auto broken = explained_trace(*model);
  QVERIFY(std::isnan(broken->value("encoder.step[0].lstm.gate.f")[0]));
  QVERIFY(std::isfinite(broken->value("encoder.step[0].lstm.gate.f")[1]));
  QVERIFY(every_cell_adds_up(*broken, 1e-5));
}

HEADLIGHT_TEST(TestTrace)

}  // namespace headlight::test_trace

#include "test_trace.moc"
