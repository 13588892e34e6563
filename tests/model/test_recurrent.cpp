// The recurrent family in float32: every cell explains itself, the exact ordered sites of one configuration of each
// family (from the tables of models.md 4.7 to 4.14), and configurations that are refused.

#include "tests/model/explanation_checks.h"
#include "tests/model/recurrent_cases.h"
#include "tests/test_program.h"

namespace headlight::test_recurrent {

using namespace headlight::testing;

namespace {

// A run that explains itself, of the sentence `prefix` of a reference.
std::shared_ptr<const Trace> trace_of(const RecurrentReference& reference, const char* prefix, Index steps) {
  const Sentences one = sentences(reference.file, {prefix});
  Random random(3, Random::Stream::hard_attention);
  Recorder recorder({}, {});
  const Pass pass(recorder.tap(), &random);
  const auto decoding = reference.model->begin(one.source, pass);
  for (Index t = 0; t < steps; ++t) decoding->advance(Tensor::full({1, 1}, one.fed[t]), pass);
  std::vector<NamedTensor> parameters;
  for (const Parameter& p : reference.model->parameters().all()) parameters.push_back({p.name, p.value});
  return recorder.finish(std::move(parameters));
}

// "encoder.step[0].lstm." + each leaf.
std::vector<std::string> operator*(const std::string& place, const std::vector<std::string>& leaves) {
  std::vector<std::string> names;
  for (const std::string& leaf : leaves) names.push_back(place + leaf);
  return names;
}
std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const std::vector<std::string> kLstm = {"lstm.pre",    "lstm.gate.f", "lstm.cand.g", "lstm.gate.i",
                                        "lstm.gate.o", "lstm.c",      "lstm.h"};
const std::vector<std::string> kGru = {"gru.gate.z", "gru.gate.r", "gru.reset", "gru.cand", "gru.h"};
const std::vector<std::string> kSource = {"input.src.ids", "input.src.display_index", "encoder.embed.out"};
const std::vector<std::string> kWords = {"input.id", "embed.out"}, kOutput = {"output.logits", "output.probs"};

// `cell` at steps 0, 1, 2 of the place, or back from 2.
std::vector<std::string> unrolled(const std::string& place, const std::vector<std::string>& cell, bool back = false) {
  std::vector<std::string> names;
  for (const char* step : back ? std::vector<const char*>{"2", "1", "0"} : std::vector<const char*>{"0", "1", "2"})
    names = names + (place + ".step[" + step + "].") * cell;
  return names;
}

std::vector<std::string> each_step(const std::string& place, const char* leaf) { return unrolled(place, {leaf}); }

// S = 3, T = 2, from the tables of models.md.
std::vector<std::string> luong_sites() {  // 4.9, two layers, input feeding, query on top
  std::vector<std::string> names = kSource + unrolled("encoder.layer[0]", kLstm) + unrolled("encoder.layer[1]", kLstm) +
                                   std::vector<std::string>{"encoder.states"} +
                                   std::string("decoder.layer[0].init.") * std::vector<std::string>{"h", "c"} +
                                   std::string("decoder.layer[1].init.") * std::vector<std::string>{"h", "c"};
  for (const std::string step : {"decoder.step[0].", "decoder.step[1]."})
    names = names + step * kWords + (step + "layer[0].") * (std::vector<std::string>{"lstm.input"} + kLstm) +
            (step + "layer[1].") * kLstm +
            (step + "attention.") *
                std::vector<std::string>{"query", "query_proj", "scores", "weights", "weighted", "context"} +
            step * std::vector<std::string>{"readout", "attentional"} + step * kOutput;
  return names;
}

std::vector<std::string> gnmt_sites() {  // 4.14, four layers; residual sums from the third on
  std::vector<std::string> names = kSource + unrolled("encoder.layer[0].fwd", kLstm) +
                                   unrolled("encoder.layer[0].bwd", kLstm, true) +
                                   each_step("encoder.layer[0]", "merged") + unrolled("encoder.layer[1]", kLstm);
  for (const std::string layer : {"encoder.layer[2]", "encoder.layer[3]"})
    names = names + unrolled(layer, kLstm) + each_step(layer, "residual.out");
  names.push_back("encoder.states");
  for (const std::string layer : {"0", "1", "2", "3"})
    names = names + ("decoder.layer[" + layer + "].init.") * std::vector<std::string>{"h", "c"};
  names.push_back("decoder.attention.keys_proj");
  for (const std::string step : {"decoder.step[0].", "decoder.step[1]."}) {
    const std::vector<std::string> cell = std::vector<std::string>{"lstm.input"} + kLstm;
    names = names + step * kWords + (step + "layer[0].") * cell +
            (step + "attention.") *
                std::vector<std::string>{"query", "query_proj", "scores", "weights", "weighted", "context"} +
            (step + "layer[1].") * cell;
    for (const std::string layer : {"layer[2].", "layer[3]."})
      names = names + (step + layer) * (cell + std::vector<std::string>{"residual.out"});
    names = names + step * kOutput;
  }
  return names;
}

std::vector<std::string> bahdanau_sites() {  // 4.8: attention before the cell
  std::vector<std::string> names =
      kSource + unrolled("encoder.fwd", kGru) + unrolled("encoder.bwd", kGru, true) + each_step("encoder", "merged") +
      std::vector<std::string>{"encoder.states", "decoder.attention.keys_proj", "decoder.init.h"};
  for (const std::string step : {"decoder.step[0].", "decoder.step[1]."})
    names = names + step * kWords +
            (step + "attention.") *
                std::vector<std::string>{"query", "query_proj", "scores", "weights", "weighted", "context"} +
            step * kGru + step * std::vector<std::string>{"readout.pre", "readout.maxout"} + step * kOutput;
  return names;
}

std::vector<std::string> hard_sites() {  // 4.10: a draw, then the selector
  std::vector<std::string> names =
      kSource + unrolled("encoder.fwd", kGru) + unrolled("encoder.bwd", kGru, true) + each_step("encoder", "merged") +
      std::vector<std::string>{"encoder.states", "decoder.attention.keys_proj", "decoder.init.mean", "decoder.init.h"};
  for (const std::string step : {"decoder.step[0].", "decoder.step[1]."})
    names = names + step * kWords +
            (step + "attention.") * std::vector<std::string>{"query",    "query_proj",   "scores",        "weights",
                                                             "sample.u", "sample.index", "sample.onehot", "weighted",
                                                             "context",  "gate",         "gated"} +
            step * kGru + step * std::vector<std::string>{"readout.pre", "readout"} + step * kOutput;
  return names;
}

std::vector<std::string> local_sites() {  // 4.4 with 3.3, local-p
  std::vector<std::string> names = kSource + unrolled("encoder", kLstm) + std::vector<std::string>{"encoder.states"} +
                                   std::string("decoder.init.") * std::vector<std::string>{"h", "c"};
  for (const std::string step : {"decoder.step[0].", "decoder.step[1]."})
    names =
        names + step * kWords + step * kLstm +
        (step + "attention.") * std::vector<std::string>{"query",          "query_proj", "scores",   "position.hidden",
                                                         "position.share", "position",   "keep",     "align",
                                                         "gauss",          "weights",    "weighted", "context"} +
        step * std::vector<std::string>{"readout"} + step * kOutput;
  return names;
}

// What a mistaken configuration is told; sizes that are refused only after memory was taken would take minutes.
QString refusal(const char* architecture, const Json& changes) {
  Json config = {{"model_type", architecture},
                 {"source_vocabulary_size", 6},
                 {"target_vocabulary_size", 5},
                 {"embedding_size", 3},
                 {"hidden_size", 4}};
  config.update(changes);
  return message_of<FormatError>([&] { make_model(config, 1); });
}

}  // namespace

class TestRecurrent : public QObject {
  Q_OBJECT
 private slots:
  void cells_data() { add_recurrent_rows(); }
  void cells();
  void walks_data() { add_recurrent_rows(); }
  void walks();
  void exact_ordered_names_data();
  void exact_ordered_names();
  void refused_data();
  void refused();
  void shapes_alone_take_no_memory();
  void deep_models_may_be_wide();
};

void TestRecurrent::cells() {
  const RecurrentReference reference = fetch_recurrent();
  QVERIFY(every_cell_adds_up(*trace_of(reference, "input/", 3), 1e-5));
}

void TestRecurrent::walks() {
  const RecurrentReference reference = fetch_recurrent();
  const auto trace = trace_of(reference, "input/b/", 2);
  Walk walk(*trace, {"decoder.layer.init.c", "decoder.step.attention.position", "decoder.step.attention.sample.u"});
  const Tensor probabilities = trace->value("decoder.step[1].output.probs");
  bool ok = true;
  for (Index v = 0; v < probabilities.size(); ++v) ok = walk.down({probabilities, v}) && ok;
  QVERIFY(ok);
  for (const char* end : {"parameter", "input.src.ids", "decoder.step.input.id", "constant"})
    QVERIFY2(walk.ends.contains(end), end);
  QCOMPARE(walk.ends.contains("decoder.step.attention.sample.u"), reference.draws());
}

void TestRecurrent::exact_ordered_names_data() {
  QTest::addColumn<std::string>("name");
  QTest::addColumn<std::vector<std::string>>("expected");
  QTest::newRow("luong") << std::string("luong") << luong_sites();
  QTest::newRow("gnmt") << std::string("gnmt_past") << gnmt_sites();
  QTest::newRow("bahdanau") << std::string("bahdanau") << bahdanau_sites();
  QTest::newRow("hard attention") << std::string("hard_sample_all") << hard_sites();
  QTest::newRow("local-p") << std::string("local_p") << local_sites();
}

void TestRecurrent::exact_ordered_names() {
  QFETCH(std::vector<std::string>, expected);
  const RecurrentReference reference = fetch_recurrent();
  const auto trace = trace_of(reference, "input/b/", 2);
  for (std::size_t i = 0; i < std::min(expected.size(), trace->entries().size()); ++i)
    QCOMPARE(QString::fromStdString(trace->entries()[i].site.text), QString::fromStdString(expected[i]));
  QCOMPARE(trace->entries().size(), expected.size());
}

void TestRecurrent::refused_data() {
  QTest::addColumn<std::string>("architecture");
  QTest::addColumn<std::string>("changes");
  QTest::addColumn<QStringList>("told");  // every word of it stands in the message
  const auto add = [](const char* name, const char* architecture, const Json& changes, const QStringList& told) {
    QTest::newRow(name) << std::string(architecture) << changes.dump() << told;
  };
  for (const char* score : {"dot", "scaled_dot", "cosine"})
    add((std::string(score) + " with wide keys").c_str(), "attn_seq2seq",
        {{"bidirectional", "all"}, {"attention.score", score}}, {"\"attention.score\": " + QString(score), "4", "8"});
  add("dot in Bahdanau's model", "bahdanau", {{"attention.score", "dot"}}, {"\"attention.score\": dot", "4", "8"});
  add("query layer too high", "attn_seq2seq", {{"layers", 2}, {"query_layer", 2}}, {"\"query_layer\"", "2"});
  add("query layer of the only layer", "luong", {{"query_layer", 1}}, {"\"query_layer\"", "1"});
  add("input feeding without combine", "attn_seq2seq", {{"input_feeding", true}}, {"\"input_feeding\"", "combine"});
  add("mean of several layers", "seq2seq", {{"layers", 2}, {"bottleneck", "mean"}}, {"\"bottleneck\"", "mean", "2"});
  add("maximum of several layers", "attn_seq2seq", {{"layers", 3}, {"bottleneck", "max"}},
      {"\"bottleneck\"", "max", "3"});
  add("start of both, one direction", "bahdanau", {{"bidirectional", "none"}, {"start", "both"}},
      {"\"start\": both", "bidirectional"});
  add("start of the way back, one direction", "bahdanau", {{"bidirectional", "none"}}, {"\"start\": backward"});
  add("start of both, an upper layer with one direction", "bahdanau",
      {{"bidirectional", "first"}, {"layers", 2}, {"start", "both"}}, {"\"start\": both", "bidirectional"});
  add("unknown cell", "seq2seq", {{"cell", "lstn"}}, {"\"cell\"", "gru_reset_after", "\"lstn\""});
  add("unknown score", "luong", {{"attention.score", "concat"}}, {"\"attention.score\"", "additive", "\"concat\""});
  add("unknown selection", "luong", {{"attention.selection", "hard"}}, {"\"attention.selection\"", "hard_sample"});
  add("unknown reach", "luong", {{"attention.reach", "local"}}, {"\"attention.reach\"", "local_m"});
  add("unknown use of the context", "gnmt", {{"context_use", "to_next_lstm"}}, {"\"context_use\"", "to_next"});
  add("unknown timing", "gnmt", {{"attention_step", "now"}}, {"\"attention_step\"", "fresh", "past"});
  add("unknown readout", "bahdanau", {{"readout", "softmax"}}, {"\"readout\"", "maxout", "deep"});
  add("a switch that is a number", "luong", {{"combine", 1}}, {"\"combine\"", "true or false"});
  add("temperature 0", "luong", {{"attention.temperature", 0}}, {"\"attention.temperature\"", "found 0"});
  add("negative sigma", "luong", {{"attention.sigma", -1}}, {"\"attention.sigma\""});
  add("a share above 1", "hard_attention", {{"attention.semi_sampling", 1.5}}, {"\"attention.semi_sampling\"", "1.5"});
  add("dropout 1", "luong", {{"dropout", 1.0}}, {"\"dropout\"", "0.95"});
  add("a key of another architecture", "seq2seq", {{"attention.score", "dot"}}, {"\"attention.score\"", "seq2seq"});
  add("Luong's key in Bahdanau's model", "bahdanau", {{"input_feeding", true}}, {"\"input_feeding\"", "bahdanau"});
  for (const char* key : {"hidden_size", "embedding_size", "layers", "source_vocabulary_size", "target_vocabulary_size",
                          "attention.hidden_size", "attention.longest_source", "attention.half_width"})
    for (const Json& value : {Json(9'000'000'000'000), Json(-1), Json(2.5), Json("4")})
      add((std::string(key) + " " + value.dump()).c_str(), "luong", {{key, value}},
          {"\"" + QString(key) + "\"", QString::fromStdString(value.dump())});
  add("absurd maxout", "bahdanau", {{"maxout_size", 1'000'000'000}}, {"\"maxout_size\"", "1000000000"});
}

void TestRecurrent::refused() {
  QFETCH(std::string, architecture);
  QFETCH(std::string, changes);
  QFETCH(QStringList, told);
  const QString message = refusal(architecture.c_str(), Json::parse(changes));
  QVERIFY2(!message.startsWith("no exception") && !message.startsWith("another exception"), qPrintable(message));
  QVERIFY2(!message.contains('\n'), qPrintable(message));
  for (const QString& word : told) QVERIFY2(message.contains(word), qPrintable(message));
}

// A configuration at its bounds would need terabytes: it may be looked at without taking them.
void TestRecurrent::shapes_alone_take_no_memory() {
  const auto model = make_model({{"model_type", "gnmt"},
                                 {"source_vocabulary_size", 1'000'000},
                                 {"target_vocabulary_size", 1'000'000},
                                 {"embedding_size", 16'384},
                                 {"hidden_size", 16'384},
                                 {"layers", 64}},
                                InitialValues{InitialValues::Kind::none, 0});
  QVERIFY(model->parameters().count() > Index{100'000'000'000});
}

// A product of query and key needs equal sizes, and every way out that the message names is one.
void TestRecurrent::deep_models_may_be_wide() {
  const Json wide = {{"model_type", "attn_seq2seq"},
                     {"source_vocabulary_size", 6},
                     {"target_vocabulary_size", 5},
                     {"bidirectional", "all"},
                     {"hidden_size", 4},
                     {"attention.score", "dot"}};
  for (const Json& way : {Json{{"attention.score", "general"}}, Json{{"attention.score", "additive"}},
                          Json{{"merge", "sum"}}, Json{{"merge", "mean"}}, Json{{"bridge", true}}}) {
    Json config = wide;
    config.update(way);
    QCOMPARE(message_of<FormatError>([&] { make_model(config, 1); }), QString("no exception"));
  }
}

HEADLIGHT_TEST(TestRecurrent)

}  // namespace headlight::test_recurrent

#include "test_recurrent.moc"
