// Conventions of the recurrent models that the papers fix and that two programs could share without being right: which
// layer asks, which way a window moves, what the row of a step belongs to, how weights start.

#include "model/analysis/attention_maps.h"
#include "model/decode/run.h"
#include "model/layers/gru.h"
#include "model/models/variant.h"
#include "model/training/evaluate.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_conventions {

using namespace headlight::testing;

namespace {

std::shared_ptr<const ModelBundle> letters(Json config, std::uint64_t seed = 5) {
  auto bundle = std::make_shared<ModelBundle>();
  bundle->text = rules_with_end(TokenizerKind::characters, {"a", "b", "c", "d", "e", "f"}, {"x", "y", "z"});
  config["source_vocabulary_size"] = bundle->source_vocabulary().size();
  config["target_vocabulary_size"] = bundle->target_vocabulary().size();
  config["embedding_size"] = 4;
  config["hidden_size"] = 4;
  bundle->model = make_model(config, seed);
  return bundle;
}

Result run_on(const std::shared_ptr<const ModelBundle>& model, const char* source, const char* target) {
  Request request;
  request.model = model;
  request.source = source;
  request.target = target;
  return run(request);
}

struct Distribution {
  double mean = 0, deviation = 0, largest = 0;
};
Distribution of(const Tensor& t) {
  Distribution d;
  const auto n = static_cast<double>(t.size());
  for (const double x : doubles(t)) {
    d.mean += x / n;
    d.largest = std::max(d.largest, std::abs(x));
  }
  for (const double x : doubles(t)) d.deviation += (x - d.mean) * (x - d.mean) / n;
  d.deviation = std::sqrt(d.deviation);
  return d;
}

}  // namespace

class TestConventions : public QObject {
  Q_OBJECT
 private slots:
  // Luong et al. 2015, section 3: "the hidden state at the top layer of a stacking LSTM".
  void the_top_layer_of_luong_asks() {
    for (const int layers : {1, 2, 3}) {
      const auto result = run_on(letters({{"model_type", "luong"}, {"layers", layers}}), "abc", "xy");
      const std::string top = layers > 1 ? ".layer[" + std::to_string(layers - 1) + "]" : "";
      const Tensor query = result.trace->value("decoder.step[1].attention.query"),
                   state = result.trace->value("decoder.step[1]" + top + ".lstm.h");
      QVERIFY(same(difference(query, state, 0), "query"));
    }
    // Others say which; a file that does not keeps the bottom layer.
    QCOMPARE(find_architecture("attn_seq2seq").defaults.at("query_layer"), Json(0));
    QCOMPARE(find_architecture("gnmt").defaults.at("query_layer"), Json(0));
  }

  // "Step t reads around source token t": of the text, whichever way the encoder reads it.
  void the_window_of_local_m_follows_the_text() {
    for (const bool reversed : {false, true}) {
      const auto model = letters({{"model_type", "attn_seq2seq"},
                                  {"attention.reach", "local_m"},
                                  {"attention.half_width", 1},
                                  {"reverse_source", reversed}});
      const auto result = run_on(model, "abcdef", "xyzxyzxyz");
      const Tensor shown = result.trace->value("input.src.display_index");
      for (int t = 0; t < 9; ++t) {
        const std::string step = "decoder.step[" + std::to_string(t) + "].attention.";
        const Tensor keep = result.trace->value(step + "keep"), weights = result.trace->value(step + "weights");
        for (Index j = 0; j < keep.size(); ++j) {
          const int letter = static_cast<int>(shown[j]);
          const bool near = std::abs(letter - std::min<int>(t, static_cast<int>(keep.size()) - 1)) <= 1;
          QVERIFY2((keep[j] != 0) == near, qPrintable(QString("step %1, letter %2").arg(t).arg(letter)));
          QCOMPARE(weights[j] > 0, near);
        }
      }
    }
  }

  // What a GNMT step looks up is read one step later (models.md 4.6 and 4.14): its row belongs to the next token.
  void rows_that_are_read_a_step_later_say_so_data() {
    QTest::addColumn<std::string>("config");
    QTest::addColumn<bool>("ahead");
    const auto row = [](const char* name, const Json& config, bool ahead) {
      QTest::newRow(name) << config.dump() << ahead;
    };
    row("gnmt", {{"model_type", "gnmt"}}, true);
    row("gnmt, fresh", {{"model_type", "gnmt"}, {"attention_step", "fresh"}}, false);
    row("to_next", {{"model_type", "attn_seq2seq"}, {"context_use", "to_next"}}, true);
    row("to_affine", {{"model_type", "attn_seq2seq"}}, false);
    row("both", {{"model_type", "attn_seq2seq"}, {"context_use", "both"}}, false);
    row("luong", {{"model_type", "luong"}}, false);
  }
  void rows_that_are_read_a_step_later_say_so() {
    QFETCH(std::string, config);
    QFETCH(bool, ahead);
    const auto model = letters(Json::parse(config));
    QCOMPARE(model->model->traits().attends_ahead, ahead);
    // The proof: zeroing what step 0 found changes what step 0 writes, or only what step 1 does.
    const Result plain = run_on(model, "abc", "xyz");
    Request request;
    request.model = model;
    request.source = "abc";
    request.target = "xyz";
    request.interventions = {parse_intervention("decoder.step[0].attention.context=0")};
    const Result without = run(request);
    const auto same_logits = [&](const char* site) {
      return difference(plain.trace->value(site), without.trace->value(site), 0).isEmpty();
    };
    QCOMPARE(same_logits("decoder.step[0].output.logits"), ahead);
    if (ahead) QVERIFY(!same_logits("decoder.step[1].output.logits"));
    const std::vector<AttentionMap> maps = attention_maps(plain);
    QVERIFY(!maps.empty());
    QCOMPARE(maps[0].rows[0].written, std::string(ahead ? "y" : "x"));
    QCOMPARE(maps[0].rows[1].written, std::string(ahead ? "z" : "y"));
    QCOMPARE(maps[0].rows.back().written, std::string(ahead ? "" : plain.steps.back().text));
  }

  // The rows of a map that is pinned to the diagonal one step ahead link token t + 1 to source t + 1: all right.
  void alignment_error_counts_the_token_that_was_helped() {
    const auto model = letters({{"model_type", "attn_seq2seq"},
                                {"context_use", "to_next"},
                                {"reverse_source", false},
                                {"attention.reach", "local_m"},
                                {"attention.half_width", 0}});
    // Step t looks at token t alone, which helps token t + 1.
    Example example{"abcd", "xyzx"};
    example.alignment = {{0, 1}, {1, 2}, {2, 3}};
    const AlignmentQuality quality = evaluate_alignment(*model->model, model->text, {example}, {});
    QCOMPARE(quality.found, Index{3});
    QCOMPARE(quality.right_sure, Index{3});
    QCOMPARE(quality.error_rate(), 0.0);
  }

  // Step t looks at letter t alone, whichever way the model reads and writes; so each token has all of its attention on
  // the field, or none.
  void attention_on_fields_is_that_of_the_texts_data() {
    QTest::addColumn<bool>("reads_reversed");
    QTest::addColumn<bool>("writes_reversed");
    QTest::addColumn<bool>("ahead");
    for (int i = 0; i < 8; ++i)
      QTest::addRow("%d%d%d", i & 1, i >> 1 & 1, i >> 2) << bool(i & 1) << bool(i & 2) << bool(i & 4);
  }
  void attention_on_fields_is_that_of_the_texts() {
    QFETCH(bool, reads_reversed);
    QFETCH(bool, writes_reversed);
    QFETCH(bool, ahead);
    const auto model = letters({{"model_type", "attn_seq2seq"},
                                {"context_use", ahead ? "to_next" : "to_affine"},
                                {"reverse_source", reads_reversed},
                                {"reverse_target", writes_reversed},
                                {"attention.reach", "local_m"},
                                {"attention.half_width", 0}});
    Example example{"abcd", "xyzx"};
    example.fields = {{"first", 0, 2, 0, 2}, {"last", 3, 1, 2, 2}};
    const auto fields = evaluate_fields(*model->model, model->text, {example, {"ab", "xy"}});
    QCOMPARE(fields.size(), std::size_t{2});
    QCOMPARE(fields[0].field, std::string("first"));
    for (int t = 0; t < 4; ++t) {
      const FieldAttention& field = fields[t < 2 ? 0 : 1];
      const auto k = static_cast<std::size_t>(t % 2);
      const int step = (writes_reversed ? 3 - t : t) - (ahead ? 1 : 0);
      QCOMPARE(field.counts[k], Index{step < 0 ? 0 : 1});
      const bool on_field = step >= 0 && (t < 2 ? step < 2 : step == 3);
      QCOMPARE(field.mass[k], on_field ? 1.0 : 0.0);
    }
  }
  // All letters alike: each field gets the share of its letters.
  void attention_on_fields_is_a_share() {
    const auto model = letters({{"model_type", "attn_seq2seq"}, {"attention.temperature", 1000}});
    Example three{"abcd", "xyzx"}, one{"abcd", "xyzx"};
    three.fields = {{"field", 1, 3, 1, 2}};
    one.fields = {{"field", 0, 1, 1, 2}};
    const auto fields = evaluate_fields(*model->model, model->text, {three, one});
    QCOMPARE(fields.size(), std::size_t{1});
    for (std::size_t k = 0; k < 2; ++k) {
      QCOMPARE(fields[0].counts[k], Index{2});
      QVERIFY(std::abs(fields[0].mass[k] - (0.75 + 0.25) / 2) < 0.01);
    }
    QVERIFY(evaluate_fields(*model->model, model->text, {{"abcd", "xyzx"}}).empty());
    // Noughts are left out of the second mean: of the field's first token only `three` counts, of its last both.
    three.target = "xy1z", one.target = "x0yz";
    const auto apart = evaluate_fields(*model->model, model->text, {three, one});
    QCOMPARE(apart[0].counts, (std::vector<Index>{2, 2}));
    QCOMPARE(apart[0].counts_not_0, (std::vector<Index>{1, 2}));
    QVERIFY(std::abs(apart[0].mass_not_0[0] - 0.75) < 0.01);
    QVERIFY(std::abs(apart[0].mass_not_0[1] - (0.75 + 0.25) / 2) < 0.01);
    const auto blind = letters({{"model_type", "seq2seq"}});
    QVERIFY(evaluate_fields(*blind->model, blind->text, {three}).empty());
  }

  // models.md 15.2.
  void the_golden_gru() {
    ParameterTable table;
    Random random(1, Random::Stream::init);
    const Gru gru(ParameterBuilder(table, {InitialValues::Kind::zeros}, random), 2, 3, false);
    const Tensor Wx = fill(53, {2, 9}), Wh = fill(59, {3, 9}), b = fill(61, {1, 9});
    for (Parameter& p : table.all()) {
      if (p.name == "Wx") p.value.array() = Wx.array();
      if (p.name == "b") p.value.array() = b.array();
      if (p.name == "Uzr") p.value.matrix() = Wh.matrix().leftCols(6);
      if (p.name == "U") p.value.matrix() = Wh.matrix().rightCols(3);
    }
    Recorder recorder({}, {});
    const SitePath encoder("encoder"), step(encoder, "step", 0);
    gru.step(gru.project(fill(41, {1, 2})), {fill(43, {1, 3}), {}}, step, recorder.tap());
    const auto trace = recorder.finish({});
    const auto value = [&](const char* leaf) { return trace->value(std::string("encoder.step[0].gru.") + leaf); };
    QVERIFY(same(difference(value("gate.z"), {0.433982, 0.37482, 0.493847}, 2e-6), "z"));
    QVERIFY(same(difference(value("gate.r"), {0.621902, 0.576136, 0.419823}, 2e-6), "r"));
    QVERIFY(same(difference(value("cand"), {-0.468444, 0.022789, 0.478476}, 2e-6), "h~"));
    QVERIFY(same(difference(value("h"), {-0.198286, -0.289592, 0.094877}, 2e-6), "h"));
  }

  // How the parameters of each family start (models.md 4.1 to 4.14).
  void first_values_data() {
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<QString>("parameter");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<double>("size");
    const auto row = [](const char* architecture, const char* parameter, const char* kind, double size = 0) {
      QTest::addRow("%s %s", architecture, parameter) << architecture << parameter << kind << size;
    };
    const double fan_d = 1 / std::sqrt(32.0), fan_h = 1 / std::sqrt(64.0);
    for (const char* name : {"seq2seq", "seq2seq_peeky", "attn_seq2seq"}) {
      row(name, "encoder.embed.W", "normal", 0.01);
      row(name, "decoder.embed.W", "normal", 0.01);
      row(name, "encoder.lstm.Wx", "normal", fan_d);
      row(name, "encoder.lstm.Wh", "normal", fan_h);
      row(name, "encoder.lstm.b", "constant", 0);
      row(name, "decoder.affine.b", "constant", 0);
    }
    row("seq2seq", "decoder.affine.W", "normal", fan_h);
    row("seq2seq_peeky", "decoder.lstm.Wx", "normal", 1 / std::sqrt(96.0));
    row("seq2seq_peeky", "decoder.affine.W", "normal", 1 / std::sqrt(128.0));
    row("attn_seq2seq", "decoder.affine.W", "normal", 1 / std::sqrt(128.0));
    for (const char* parameter : {"encoder.embed.W", "encoder.lstm.Wx", "decoder.lstm.Wh", "attention.W_a",
                                  "decoder.combine.W", "decoder.affine.W"})
      row("luong", parameter, "uniform", 0.1);
    row("luong", "decoder.lstm.b", "constant", 0);
    for (const char* parameter : {"decoder.embed.W", "encoder.layer[1].lstm.Wx", "attention.W_a", "attention.v_a"})
      row("gnmt", parameter, "uniform", 0.1);
    row("gnmt", "decoder.layer[0].lstm.b", "forget", 1);
    row("gnmt", "encoder.layer[0].bwd.lstm.b", "forget", 1);
    for (const char* parameter : {"encoder.embed.W", "encoder.fwd.gru.Wx", "decoder.context.C", "decoder.init.W_s",
                                  "decoder.readout.U_o", "decoder.output.W_o"})
      row("bahdanau", parameter, "normal", 0.01);
    for (const char* parameter : {"encoder.fwd.gru.U", "decoder.gru.Uzr"}) row("bahdanau", parameter, "orthogonal");
    row("bahdanau", "attention.W_a", "normal", 0.001);
    row("bahdanau", "attention.U_a", "normal", 0.001);
    row("bahdanau", "attention.v_a", "constant", 0);
    row("bahdanau_m30k", "decoder.gru.U", "normal", 0.01);
    row("bahdanau_m30k", "attention.v_a", "normal", 0.01);
    row("convs2s", "encoder.embed.W", "normal", 0.1);
    row("convs2s", "encoder.pos.W", "normal", 0.1);
    row("convs2s", "encoder.layer[0].conv.v", "normal", std::sqrt(4 * 0.9 / (3 * 64)));
    row("convs2s", "encoder.in_proj.v", "normal", std::sqrt(0.9 / 32));
    row("convs2s", "encoder.out_proj.v", "normal", 1 / std::sqrt(64.0));
    row("convs2s", "decoder.layer[0].attn.in_proj.v", "normal", 1 / std::sqrt(64.0));
    row("transformer", "decoder.embed.W", "normal", 1 / std::sqrt(64.0));
    row("transformer", "encoder.layer[0].self_attn.W_q", "uniform", std::sqrt(6.0 / 128));
    row("transformer", "decoder.layer[1].cross_attn.W_o", "uniform", std::sqrt(6.0 / 128));
    row("transformer", "encoder.layer[0].ffn.W1", "uniform", std::sqrt(6.0 / 192));
    row("transformer", "encoder.layer[0].norm1.gamma", "constant", 1);
    row("transformer", "encoder.layer[0].ffn.b1", "constant", 0);
    row("encoder_only", "head.W", "uniform", std::sqrt(6.0 / 128));
    row("decoder_only", "embed.W", "normal", 1 / std::sqrt(64.0));
  }
  void first_values() {
    QFETCH(QString, architecture);
    QFETCH(QString, parameter);
    QFETCH(QString, kind);
    QFETCH(double, size);
    Json config = {
        {"model_type", architecture.toStdString()}, {"source_vocabulary_size", 200}, {"target_vocabulary_size", 200}};
    const Json defaults = find_architecture(architecture.toStdString()).defaults;
    if (defaults.contains("hidden_size")) config["hidden_size"] = 64;
    if (defaults.value("embedding_size", 0) > 0) config["embedding_size"] = 32;
    if (defaults.contains("attention.hidden_size")) config["attention.hidden_size"] = 64;
    const auto model = make_model(config, 11);
    const Tensor* found = model->parameters().find(parameter.toStdString());
    QVERIFY(found);
    const Tensor& w = *found;
    const Distribution d = of(w);
    const double n = static_cast<double>(w.size()), few = 5 / std::sqrt(n);  // five standard errors
    if (kind == "constant") {
      for (const double x : doubles(w)) QCOMPARE(x, size);
    } else if (kind == "forget") {
      for (Index i = 0; i < w.size(); ++i) QCOMPARE(w[i], i < w.size() / 4 ? static_cast<Scalar>(size) : Scalar(0));
    } else if (kind == "orthogonal") {
      const Index k = w.dim(0);
      const auto block = w.matrix().leftCols(k);
      QVERIFY((block.transpose() * block).isIdentity(Scalar(1e-4)));
    } else {
      const double deviation = kind == "uniform" ? size / std::sqrt(3.0) : size;
      QVERIFY2(std::abs(d.deviation / deviation - 1) < few, qPrintable(QString::number(d.deviation)));
      QVERIFY(std::abs(d.mean) < few * deviation);
      if (kind == "uniform") QVERIFY(d.largest <= size * (1 + 1e-6) && d.largest > 0.9 * size);
      if (kind == "normal") QVERIFY(d.largest > 2.2 * size);
    }
  }

  // A switch must not touch the model that was trained.
  void variants_leave_normalised_weights_alone() {
    const auto model = letters({{"model_type", "convs2s"}, {"out_size", 4}});
    std::map<std::string, Tensor> before;
    for (Parameter& p : const_cast<ParameterTable&>(model->model->parameters()).all()) {
      if (p.name.ends_with(".g")) p.value.array() *= Scalar(1.7);  // as training does
      before[p.name] = p.value.clone();
    }
    const auto other = variant(model, {{"reverse_source", true}});
    QVERIFY(other != model);
    for (const Parameter& p : model->model->parameters().all())
      QVERIFY2(difference(p.value, before[p.name], 0).isEmpty(), p.name.c_str());
  }
};

HEADLIGHT_TEST(TestConventions)

}  // namespace headlight::test_conventions

#include "test_conventions.moc"
