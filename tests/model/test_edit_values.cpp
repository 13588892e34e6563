// What-if edits: what each kind does to a value and to everything after it, and which a run refuses.

#include "model/models/registry.h"
#include "model/trace/edit_index.h"
#include "model/trace/edit_value.h"
#include "tests/model/explanation_checks.h"
#include "tests/test_program.h"

namespace headlight::test_edit_values {

using namespace headlight::testing;
using Kind = Intervention::Kind;

namespace {

constexpr double kTolerance = 1e-6;

// S = 4, T = 1, H = 4.
std::shared_ptr<const Trace> trace_with(const Model& model, std::vector<Intervention> edits) {
  Recorder recorder({}, std::move(edits));
  model.begin(Tensor::of({4, 1}, {3, 1, 4, 1}), recorder.tap())->advance(Tensor::zeros({1, 1}), recorder.tap());
  return recorder.finish({});
}

std::shared_ptr<const Trace> trace_with(const char* edit) {
  return trace_with(*tiny_model("attn_seq2seq", true), {parse_intervention(edit)});
}

std::vector<std::string> names_of(const Trace& trace) {
  std::vector<std::string> names;
  for (const TraceEntry& entry : trace.entries()) names.push_back(entry.site.text);
  return names;
}

Tensor applied(const Intervention& edit, const Tensor& value, Index slice = -1) {
  return headlight::apply(std::vector<ValueEdit>{{&edit, slice}}, value);
}

const char* const kWeights = "decoder.step[0].attention.weights";

}  // namespace

class TestEditValues : public QObject {
  Q_OBJECT

 private slots:
  void edits_data();
  void edits();
  void sites_of_edits_are_found();
  void many_edits_of_one_value_are_one_node();
  void more_edits_than_a_run_can_have_are_refused();
  void an_edit_leaves_what_came_before();
  void a_star_stands_for_every_step();
  void a_later_edit_builds_on_an_earlier_one();
  void an_edited_gate_changes_the_cell();
  void an_edited_gate_keeps_its_name();
  void edited_arithmetic_still_adds_up();
  void refused_edits_data();
  void refused_edits();
  void a_replacement_of_another_size_is_refused();
  void what_the_run_lacks_waits_data();
  void what_the_run_lacks_waits();
  void parts_of_matrices_data();
  void parts_of_matrices();
  void bands_follow_the_rows_of_the_run();
  void a_row_without_any_key_reads_nothing_data();
  void a_row_without_any_key_reads_nothing();
};

void TestEditValues::edits_data() {
  QTest::addColumn<QString>("edit");
  QTest::addColumn<std::vector<double>>("expected");  // of weights [0.1, 0.2, 0.3, 0.4]
  using V = std::vector<double>;
  QTest::newRow("set") << "[2]=0.5" << V{0.1, 0.2, 0.5, 0.4};
  // The others share 0.3 in the proportions 1 : 2 : 4.
  QTest::newRow("pin") << "[2]~0.7" << V{0.3 / 7, 0.6 / 7, 0.7, 1.2 / 7};
  QTest::newRow("pin to all") << "[2]~1" << V{0, 0, 1, 0};
  QTest::newRow("pin to nothing") << "[2]~0" << V{0.1 / 0.7, 0.2 / 0.7, 0, 0.4 / 0.7};
  QTest::newRow("scale a cell") << "[0]*3" << V{0.3, 0.2, 0.3, 0.4};
  QTest::newRow("scale all") << "*0.5" << V{0.05, 0.1, 0.15, 0.2};
  QTest::newRow("add to a cell") << "[3]+-0.4" << V{0.1, 0.2, 0.3, 0};
  QTest::newRow("add to all") << "+1" << V{1.1, 1.2, 1.3, 1.4};
  QTest::newRow("zero a cell") << "[1]=0" << V{0.1, 0, 0.3, 0.4};
  QTest::newRow("zero a span") << "[1:3]*0" << V{0.1, 0, 0, 0.4};
  QTest::newRow("set a span") << "[2:4]=0.5" << V{0.1, 0.2, 0.5, 0.5};
  QTest::newRow("add to a span") << "[0:4]+1" << V{1.1, 1.2, 1.3, 1.4};
  QTest::newRow("zero all") << "=0" << V{0, 0, 0, 0};
}

// Each edit on known weights, and on what the model computes from them: the context is the sum of the edited weights.
void TestEditValues::edits() {
  QFETCH(QString, edit);
  QFETCH(std::vector<double>, expected);
  const Intervention replace = edit_of(kWeights, Kind::replace, -1, 0, {0.1f, 0.2f, 0.3f, 0.4f});
  const Intervention parsed = parse_intervention(kWeights + edit.toStdString());
  const auto trace = trace_with(*tiny_model("attn_seq2seq", true), {replace, parsed});
  const Tensor weights = trace->value(kWeights), states = trace->value("encoder.states");
  QVERIFY(same(difference(weights, expected, kTolerance), "weights"));
  QVERIFY((*trace)[trace->find(kWeights)].edited);
  std::vector<double> context(4);
  for (Index j = 0; j < 4; ++j)
    for (Index i = 0; i < 4; ++i)
      context[static_cast<std::size_t>(i)] +=
          expected[static_cast<std::size_t>(j)] * static_cast<double>(states[j * 4 + i]);
  QVERIFY(same(difference(trace->value("decoder.step[0].attention.context"), context, kTolerance), "context"));
  if (parsed.kind == Kind::pin) {
    double sum = 0;
    for (const double a : doubles(weights)) sum += a;
    QVERIFY(std::abs(sum - 1) < kTolerance);
  }
  const Tensor nothing_else = Tensor::of({1, 4}, {0, 0, 1, 0});  // pin with no others to scale: shared out evenly
  QVERIFY(same(
      difference(applied(edit_of(kWeights, Kind::pin, 2, Scalar(0.7)), nothing_else), {0.1, 0.1, 0.7, 0.1}, kTolerance),
      "even"));
}

// A star is any one index, a head is a slice of all heads, and the order is that of the edits.
void TestEditValues::sites_of_edits_are_found() {
  const EditIndex index({"decoder.step[*].layer[1].self_attn.head.out", "decoder.step[12].layer[1].self_attn.head.out",
                         "decoder.step[*].layer[*].self_attn.head[2].out", "decoder.step[*]",
                         "decoder.step[12].layer[1].self_attn.head.out"});
  const auto found = [&](const char* site) {
    QStringList list;
    for (const auto& [edit, slice] : index.of(site)) list << QString("%1:%2").arg(edit).arg(slice);
    return list.join(' ');
  };
  QCOMPARE(found("decoder.step[12].layer[1].self_attn.head.out"), QString("0:-1 1:-1 2:2 4:-1"));
  QCOMPARE(found("decoder.step[12].layer[0].self_attn.head.out"), QString("2:2"));
  QCOMPARE(found("decoder.step[1].layer[1].self_attn.head.out"), QString("0:-1 2:2"));
  QCOMPARE(found("decoder.step[1].input.id"), QString());
  QCOMPARE(found("decoder.step"), QString());
  QCOMPARE(found("decoder.layer[1].self_attn.head.out"), QString());
}

// Each used to be a copy of the value, and a node that led to the one before it.
void TestEditValues::many_edits_of_one_value_are_one_node() {
  const std::vector<Intervention> edits(kMaxEdits, edit_of("encoder.states", Kind::add, 1, 1));
  std::vector<ValueEdit> each;
  for (const Intervention& edit : edits) each.push_back({&edit});
  Graph graph(Graph::Keep::everything);
  const Graph::Scope scope(&graph);
  const Tensor changed = headlight::apply(each, Tensor::zeros({4, 4}));
  QCOMPARE(graph.size(), std::size_t{1});
  QCOMPARE(changed[1], Scalar(kMaxEdits));
  QVERIFY(changed[2] == Scalar(0));

  const auto plain = trace_with(*tiny_model("attn_seq2seq", true), {});
  const auto trace = trace_with(*tiny_model("attn_seq2seq", true), edits);
  const int entry = trace->find("encoder.states");
  const Explanation set = trace->explain(entry, 1);
  QCOMPARE(std::string(set.op->id), std::string("edit"));
  QCOMPARE(set.terms[0].value, static_cast<double>(plain->value("encoder.states")[1]));  // what the model computed
  QCOMPARE(trace->locate({(*trace)[entry].value, 2}).text(), std::string("encoder.states[0, 2]"));
}

void TestEditValues::more_edits_than_a_run_can_have_are_refused() {
  const QString said = "a run can have at most 10000 edits, found 10001";
  QCOMPARE(message_of<UsageError>([] {
             Recorder({}, std::vector<Intervention>(kMaxEdits + 1, edit_of("encoder.states", Kind::add, 1, 1)));
           }),
           said);
  QCOMPARE(
      message_of<UsageError>([] { parse_interventions(std::vector<std::string>(kMaxEdits + 1, "not even an edit")); }),
      said);
}

void TestEditValues::an_edit_leaves_what_came_before() {
  const auto model = tiny_model("attn_seq2seq", true);
  const auto plain = trace_with(*model, {}),
             edited = trace_with(*model, {edit_of(kWeights, Kind::pin, 1, Scalar(0.9))});
  QCOMPARE(names_of(*edited), names_of(*plain));
  const int at = plain->find(kWeights);
  for (int i = 0; i < plain->size(); ++i) {
    const bool equal = difference((*edited)[i].value, (*plain)[i].value, 0).isEmpty();
    QVERIFY2(equal == (i < at), (*plain)[i].site.text.c_str());
    QCOMPARE((*edited)[i].edited, i == at);
  }
}

void TestEditValues::a_star_stands_for_every_step() {
  const auto model = tiny_model("attn_seq2seq", true);
  const auto all = trace_with(*model, {parse_intervention("encoder.step[*].lstm.gate.o=0")});
  std::vector<Intervention> each;
  for (int j = 0; j < 4; ++j)
    each.push_back(parse_intervention("encoder.step[" + std::to_string(j) + "].lstm.gate.o=0"));
  const auto one_by_one = trace_with(*model, each);
  for (int j = 0; j < 4; ++j)
    QVERIFY(same(difference(all->value("encoder.step[" + std::to_string(j) + "].lstm.h"), {0, 0, 0, 0}, 0), "h"));
  for (int i = 0; i < all->size(); ++i) {
    QVERIFY(same(difference((*all)[i].value, (*one_by_one)[i].value, 0), (*all)[i].site.text.c_str()));
    QCOMPARE((*all)[i].edited, (*one_by_one)[i].edited);
  }
}

void TestEditValues::a_later_edit_builds_on_an_earlier_one() {
  const auto trace = trace_with(*tiny_model("attn_seq2seq", true), {parse_intervention("encoder.step[0].lstm.c=0"),
                                                                    parse_intervention("encoder.step[0].lstm.c+2"),
                                                                    parse_intervention("encoder.step[0].lstm.c[1]*3")});
  QVERIFY(same(difference(trace->value("encoder.step[0].lstm.c"), {2, 6, 2, 2}, 0), "c"));
}

// c = f ⊙ c′ + g ⊙ i with one gate changed, the others as they were.
void TestEditValues::an_edited_gate_changes_the_cell() {
  const auto plain = trace_with(*tiny_model("attn_seq2seq", true), {});
  const std::string step = "encoder.step[1].lstm.";
  const auto of = [&](const Trace& trace, const char* leaf) { return doubles(trace.value(step + leaf)); };
  const auto previous = doubles(plain->value("encoder.step[0].lstm.c"));
  for (const char* leaf : {"gate.f", "cand.g", "gate.i", "gate.o"}) {
    const auto edited = trace_with((step + leaf + "=0").c_str());
    QCOMPARE(of(*edited, leaf), std::vector<double>(4));
    const auto f = of(*edited, "gate.f"), g = of(*edited, "cand.g"), i = of(*edited, "gate.i"),
               o = of(*edited, "gate.o");
    std::vector<double> c(4), h(4);
    for (std::size_t k = 0; k < 4; ++k) {
      c[k] = f[k] * previous[k] + g[k] * i[k];
      h[k] = o[k] * std::tanh(c[k]);
    }
    QVERIFY(same(difference(of(*edited, "c"), c, kTolerance), leaf));
    QVERIFY(same(difference(of(*edited, "h"), h, kTolerance), leaf));
    for (const char* other : {"gate.f", "cand.g", "gate.i", "gate.o"})
      if (std::string(other) != leaf) QCOMPARE(of(*edited, other), of(*plain, other));
  }
}

void TestEditValues::an_edited_gate_keeps_its_name() {
  for (const char* edit : {"encoder.step[1].lstm.gate.f[2]=0.5", "encoder.step[1].lstm.gate.i*2"}) {
    const auto trace = trace_with(edit);
    const Explanation c = trace->explain(trace->find("encoder.step[1].lstm.c"), 2);
    QCOMPARE(c.terms.size(), std::size_t{2});
    QCOMPARE(trace->locate(c.terms[0].cells[0]).text(), std::string("encoder.step[1].lstm.gate.f[2]"));
    QCOMPARE(trace->locate(c.terms[0].cells[1]).text(), std::string("encoder.step[0].lstm.c[2]"));
    QCOMPARE(trace->locate(c.terms[1].cells[0]).text(), std::string("encoder.step[1].lstm.cand.g[2]"));
    QCOMPARE(trace->locate(c.terms[1].cells[1]).text(), std::string("encoder.step[1].lstm.gate.i[2]"));
  }
  const auto trace = trace_with("encoder.step[1].lstm.gate.f[2]=0.5");
  const Explanation set = trace->explain(trace->find("encoder.step[1].lstm.gate.f"), 2);
  QCOMPARE(std::string(set.op->id), std::string("edit"));
  QCOMPARE(set.value, 0.5);
  const Explanation untouched = trace->explain(trace->find("encoder.step[1].lstm.gate.f"), 1);
  QCOMPARE(untouched.function, std::string("σ"));
}

void TestEditValues::edited_arithmetic_still_adds_up() {
  const auto model = tiny_model("attn_seq2seq", true);
  const auto trace = explained_trace(
      *model, {parse_intervention("encoder.step[1].lstm.gate.i*2"),
               parse_intervention("decoder.step[1].attention.weights[2]~0.9"),
               parse_intervention("decoder.step[0].readout+0.25"), parse_intervention("decoder.init.h=0")});
  for (int i = 0; i < trace->size(); ++i) {
    for (Index cell = 0; cell < (*trace)[i].value.size(); ++cell) {
      const Explanation e = trace->explain(i, cell);
      if (e.op && std::string(e.op->id) == "edit") continue;  // set by hand: what it was stands in its term
      const QString error = arithmetic_error(*trace, {(*trace)[i].value, cell}, 1e-5);
      QVERIFY2(error.isEmpty(), qPrintable(QString::fromStdString((*trace)[i].site.text) + ": " + error));
      for (const Term& term : e.terms)
        for (const Cell& c : term.cells)
          QVERIFY2(trace->locate(c).kind != Location::Kind::unnamed || trace->locate(c).name == "constant",
                   trace->locate(c).text().c_str());
    }
  }
}

void TestEditValues::refused_edits_data() {
  QTest::addColumn<QString>("edit");
  QTest::addColumn<QString>("message");
  QTest::newRow("another model's site") << "encoder.bottleneck=0"
                                        << "'encoder.bottleneck=0' was not used: this run has no site "
                                           "'encoder.bottleneck'";
  QTest::newRow("no such cell") << "decoder.step[0].attention.query[4]=1"
                                << "'decoder.step[0].attention.query[4]=1': there is no such cell; "
                                   "decoder.step[0].attention.query is [4] (unit) here, counted from 0";
  QTest::newRow("no such row") << "decoder.step[0].attention.weights[1,2]=1"
                               << "'decoder.step[0].attention.weights[1,2]=1': there is no such cell; "
                                  "decoder.step[0].attention.weights is [4] (source) here, counted from 0";
  QTest::newRow("no such unit of a token") << "encoder.states[9,4]=1"
                                           << "'encoder.states[9,4]=1': there is no such cell; "
                                              "encoder.states is [4 x 4] (source x unit) here, counted from 0";
  QTest::newRow("another layer's site") << "decoder.step[9].layer[0].attn.scores[0]=1"
                                        << "'decoder.step[9].layer[0].attn.scores[0]=1' was not used: this run has no "
                                           "site 'decoder.step[9].layer[0].attn.scores'";
  for (const char* site :
       {"decoder.step[0].output.probs", "decoder.step[0].attention.weighted", "input.src.display_index"})
    QTest::newRow(site)
        << QString(site) + "[0]=1"
        << QString("'%1' is only shown, nothing is computed from it: edit what it comes from").arg(site);
  QTest::newRow("id outside") << "input.src.ids[0]=99"
                              << "token id 99 is outside the vocabulary of 7";
}

void TestEditValues::refused_edits() {
  QFETCH(QString, edit);
  QFETCH(QString, message);
  QCOMPARE(message_of<UsageError>([&] { trace_with(qPrintable(edit)); }), message);
  QVERIFY(!Graph::current());
}

void TestEditValues::a_replacement_of_another_size_is_refused() {
  const auto model = tiny_model("attn_seq2seq", true);
  QCOMPARE(message_of<UsageError>([&] {
             trace_with(*model, {edit_of("encoder.states", Kind::replace, -1, 0, {1, 2})});
           }),
           "'encoder.states=[2 values]': there is no such cell; encoder.states is [4 x 4] (source x unit) here, "
           "counted from 0");
}

// A step that is not made, a token that is not there: another text would have it.
void TestEditValues::what_the_run_lacks_waits_data() {
  QTest::addColumn<QString>("edit");
  QTest::newRow("step") << "decoder.step[9].attention.weights[0]=0.5";
  QTest::newRow("token") << "decoder.step[0].attention.weights[4]=1";
  QTest::newRow("span of tokens") << "decoder.step[0].attention.weights[2:5]=1";
  QTest::newRow("row of a table") << "encoder.states[5,:]=0";
  QTest::newRow("state of the encoder") << "encoder.step[7].lstm.h=0";
}

void TestEditValues::what_the_run_lacks_waits() {
  QFETCH(QString, edit);
  const auto model = tiny_model("attn_seq2seq", true);
  Recorder recorder({}, {parse_intervention("decoder.init.h=0"), parse_intervention(edit.toStdString())});
  model->begin(Tensor::of({4, 1}, {3, 1, 4, 1}), recorder.tap())->advance(Tensor::zeros({1, 1}), recorder.tap());
  QCOMPARE(recorder.not_reached(), std::vector<int>{1});
  const auto trace = recorder.finish({}), plain = trace_with("decoder.init.h=0");
  for (int i = 0; i < plain->size(); ++i)
    QVERIFY(same(difference((*trace)[i].value, (*plain)[i].value, 0), (*plain)[i].site.text.c_str()));
}

void TestEditValues::parts_of_matrices_data() {
  QTest::addColumn<QString>("edit");
  QTest::addColumn<std::vector<double>>("expected");  // of two matrices [3 x 3] full of ones, first_row 0
  using V = std::vector<double>;
  const auto twice = [](V matrix) {
    matrix.insert(matrix.end(), matrix.begin(), matrix.begin() + 9);
    return matrix;
  };
  QTest::newRow("cell") << "[1,2]=5" << twice({1, 1, 1, 1, 1, 5, 1, 1, 1});
  QTest::newRow("row") << "[1,:]=0" << twice({1, 1, 1, 0, 0, 0, 1, 1, 1});
  QTest::newRow("part of a row") << "[2,0:2]=5" << twice({1, 1, 1, 1, 1, 1, 5, 5, 1});
  QTest::newRow("column") << "[:,1]=0" << twice({1, 0, 1, 1, 0, 1, 1, 0, 1});
  QTest::newRow("columns") << "[:,1:3]*2" << twice({1, 2, 2, 1, 2, 2, 1, 2, 2});
  QTest::newRow("causal") << "[j-i>0]=0" << twice({1, 0, 0, 1, 1, 0, 1, 1, 1});
  QTest::newRow("diagonal") << "[|j-i|>0]=0" << twice({1, 0, 0, 0, 1, 0, 0, 0, 1});
  QTest::newRow("window") << "[|j-i|>1]=-inf" << twice({1, 1, -HUGE_VAL, 1, 1, 1, -HUGE_VAL, 1, 1});
  QTest::newRow("backwards diagonal") << "[|~j-i|>0]=0" << twice({0, 0, 1, 0, 1, 0, 1, 0, 0});
  QTest::newRow("backwards causal") << "[~j-i>0]=0" << twice({0, 0, 1, 0, 1, 1, 1, 1, 1});
  QTest::newRow("pinned column") << "[:,0]~0" << twice({0, 1.5, 1.5, 0, 1.5, 1.5, 0, 1.5, 1.5});
}

void TestEditValues::parts_of_matrices() {
  QFETCH(QString, edit);
  QFETCH(std::vector<double>, expected);
  const Intervention parsed = parse_intervention("encoder.states" + edit.toStdString());
  QVERIFY(parse_intervention(to_text(parsed)) == parsed);
  QVERIFY(same(difference(applied(parsed, Tensor::full({2, 3, 3}, 1)), expected, 0), "all"));
  std::vector<double> second(9, 1.0);
  second.insert(second.end(), expected.begin() + 9, expected.end());
  QVERIFY(same(difference(applied(parsed, Tensor::full({2, 3, 3}, 1), 1), second, 0), "the second head"));
}

// Scores of step t are row t; the window of ±1 around it is what stays.
void TestEditValues::bands_follow_the_rows_of_the_run() {
  const auto model = tiny_model("attn_seq2seq", true);
  Recorder recorder({}, {parse_intervention("decoder.step[*].attention.scores[|j-i|>1]=-inf")});
  const auto decoding = model->begin(Tensor::of({4, 1}, {3, 1, 4, 1}), recorder.tap());
  for (int t = 0; t < 4; ++t) decoding->advance(Tensor::zeros({1, 1}), recorder.tap());
  const auto trace = recorder.finish({});
  for (int t = 0; t < 4; ++t) {
    const Tensor weights = trace->value("decoder.step[" + std::to_string(t) + "].attention.weights");
    for (int j = 0; j < 4; ++j) QCOMPARE(weights[j] > 0, std::abs(j - t) <= 1);
  }
}

// No key left: weights 0, a context of 0, and nothing that is not a number, in every way to read.
void TestEditValues::a_row_without_any_key_reads_nothing_data() {
  QTest::addColumn<QString>("key");
  QTest::addColumn<QString>("value");
  QTest::newRow("soft") << "attention.selection"
                        << "soft";
  QTest::newRow("hard") << "attention.selection"
                        << "hard_argmax";
  for (const char* score : {"scaled_dot", "general", "additive", "location", "cosine", "mlp", "linear_concat"})
    QTest::newRow(score) << "attention.score" << score;
  for (const char* reach : {"local_m", "local_p"}) QTest::newRow(reach) << "attention.reach" << reach;
}

void TestEditValues::a_row_without_any_key_reads_nothing() {
  QFETCH(QString, key);
  QFETCH(QString, value);
  Json config = tiny_model("attn_seq2seq", true)->config();
  config[key.toStdString()] = value.toStdString();
  const auto trace =
      trace_with(*make_model(config, 1), {parse_intervention("decoder.step[*].attention.scores[0:4]=-inf")});
  for (const char* leaf : {"weights", "context"})
    for (const double x : doubles(trace->value(std::string("decoder.step[0].attention.") + leaf))) QCOMPARE(x, 0.0);
  for (const double x : doubles(trace->value("decoder.step[0].output.logits"))) QVERIFY(std::isfinite(x));
  const Explanation e = trace->explain(trace->find(kWeights), 1);
  QCOMPARE(e.value, 0.0);
  QVERIFY(!std::isnan(e.recomputed));
}

HEADLIGHT_TEST(TestEditValues)

}  // namespace headlight::test_edit_values

#include "test_edit_values.moc"
