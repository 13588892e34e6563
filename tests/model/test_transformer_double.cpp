// Transformers in float64: gradients of whole models against central differences (models.md 7.5), the heads and the
// arithmetic behind every number.

#include "tests/model/explanation_checks.h"
#include "tests/model/transformer_models.h"
#include "tests/test_program.h"

namespace headlight::test_transformer_double {

using namespace headlight::testing;

namespace {

// The mean loss of a whole model under teacher forcing, a function of all its parameters.
Differentiable whole_model(const std::string& name, const Json& differences, bool training = false) {
  const std::shared_ptr<Model> model = filled_transformer(differences);
  std::vector<Tensor> inputs;
  for (const Parameter& p : model->parameters().all())
    if (!p.name.ends_with("running_mean") && !p.name.ends_with("running_var")) inputs.push_back(p.value);
  return {name, inputs, [model, training](const std::vector<Tensor>&) {
            const PaddedSentences batch(model->config());
            Pass pass;
            pass.training = training;
            const Tensor logits = model->begin(batch.source(), pass)->advance(batch.fed, pass);
            Tensor targets({2, logits.dim(1)});
            for (Index i = 0; i < targets.size(); ++i) targets[i] = static_cast<Scalar>((5 * i + 2) % 5);
            return cross_entropy(logits, targets, Tensor::full(targets.shape(), 1), Scalar(0.2));
          }};
}

// Everything on the way is smooth, except relu, whose kinks are avoided by taking gelu.
std::vector<Differentiable> gradient_rows() {
  const Json smooth = {{"activation", "gelu"}};
  const auto with = [&](Json more) {
    for (const auto& [key, value] : smooth.items())
      if (!more.contains(key)) more[key] = value;
    return more;
  };
  return {whole_model("post", with({{"norm_place", "post"}})),
          whole_model("pre, two layers",
                      with({{"norm_place", "pre"}, {"encoder_layers", 2}, {"decoder_layers", 2}, {"tie", "none"}})),
          whole_model("one table for all", with({{"tie", "all"}, {"positions", "learned"}, {"max_positions", 5}})),
          whole_model("relative", with({{"positions", "relative"},
                                        {"relative_buckets", 6},
                                        {"relative_distance", 8},
                                        {"norm", "rms"},
                                        {"norm_place", "pre"}})),
          whole_model("grouped, rotated, normalised queries", with({{"positions", "rotary"},
                                                                    {"key_value_heads", 1},
                                                                    {"head_size", 4},
                                                                    {"qk_norm", true},
                                                                    {"activation", "gelu_tanh"}})),
          whole_model("batch norm in training", with({{"norm", "batch"}}), true),
          whole_model("masked words", with({{"model_type", "encoder_only"}, {"embedding_norm", true}})),
          whole_model("llama", with({{"model_type", "decoder_only"},
                                     {"norm", "rms"},
                                     {"norm_place", "pre"},
                                     {"positions", "rotary"},
                                     {"activation", "silu"},
                                     {"gated", true},
                                     {"heads", 4},
                                     {"key_value_heads", 2},
                                     {"head_size", 2},
                                     {"decoder_layers", 2},
                                     {"prompt", "continue"},
                                     {"tie", "none"}})),
          whole_model("norms of outputs, of all heads as one row", with({{"model_type", "decoder_only"},
                                                                         {"norm", "rms"},
                                                                         {"norm_place", "output"},
                                                                         {"qk_norm", true},
                                                                         {"qk_norm_span", "whole"},
                                                                         {"residual_scale", 0.5}})),
          whole_model("one norm for both sublayers", with({{"model_type", "decoder_only"},
                                                           {"parallel_sublayers", true},
                                                           {"shared_norm", true},
                                                           {"qk_norm", true},
                                                           {"qk_norm_kind", "layer"},
                                                           {"qk_norm_span", "each_head"},
                                                           {"clip_qkv", 0.7}})),
          whole_model("slopes, sums that start from norms", with({{"model_type", "decoder_only"},
                                                                  {"positions", "alibi"},
                                                                  {"alibi_scaled", true},
                                                                  {"sum_of_normed", true},
                                                                  {"activation", "relu2"},
                                                                  {"embedding_scale", 2.0}})),
          whole_model("window", with({{"model_type", "decoder_only"}, {"window", 2}, {"qk_norm", true}}))};
}

}  // namespace

class TestTransformerDouble : public QObject {
  Q_OBJECT
 private slots:
  void central_differences_data();
  void central_differences();
  void every_number_adds_up_data();
  void every_number_adds_up();
  void walks_reach_the_ground();
  void golden_attention();
  void golden_feed_forward();
};

void TestTransformerDouble::central_differences_data() {
  QTest::addColumn<int>("row");
  const auto rows = gradient_rows();
  for (std::size_t i = 0; i < rows.size(); ++i) QTest::newRow(rows[i].name.c_str()) << static_cast<int>(i);
}

void TestTransformerDouble::central_differences() {
  QFETCH(int, row);
  Differentiable function = gradient_rows()[static_cast<std::size_t>(row)];
  const std::vector<Tensor> gradients = gradients_of(function, Graph::Keep::gradients);
  QCOMPARE(gradients.size(), function.inputs.size());
  double all = 0;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    QVERIFY2(gradients[i].defined(), qPrintable(QString("input %1").arg(i)));
    const std::vector<double> numeric = headlight::testing::central_differences(function, function.inputs[i]);
    const double error = relative_error(doubles(gradients[i]), numeric);
    // Some gradients are 0 by themselves: adding to all keys alike changes no weight.
    QVERIFY2(error < 1e-5 || norm(numeric) < 1e-8,
             qPrintable(QString("input %1: relative error %2 of %3").arg(i).arg(error).arg(norm(numeric))));
    all += norm(numeric);
  }
  QVERIFY(all > 0.1);
}

void TestTransformerDouble::every_number_adds_up_data() {
  QTest::addColumn<std::string>("name");
  for (const char* name : {"post", "t5", "llama", "bert", "gpt2", "concat", "batch"})
    QTest::newRow(name) << std::string(name);
}

void TestTransformerDouble::every_number_adds_up() {
  const TransformerReference reference = fetch_transformer();
  const Sentences a = transformer_sentences(reference.file, {"input/"});
  QVERIFY(every_cell_adds_up(*transformer_trace(*reference.model, a.source, a.fed, true), 1e-11));
}

// From the last prediction down to parameters, texts and constants, by names all the way.
void TestTransformerDouble::walks_reach_the_ground() {
  for (const std::string type : kTransformers) {
    const auto model = filled_transformer({{"model_type", type}});
    const auto trace = transformer_trace(*model, Tensor::of({4, 1}, {3, 1, 4, 1}), Tensor::of({3}, {1, 4, 2}), true);
    Walk walk(*trace);
    const Tensor probabilities = trace->value("decoder.step[2].output.probs");
    for (Index v = 0; v < probabilities.size(); ++v) QVERIFY2(walk.down({probabilities, v}), type.c_str());
    std::set<std::string> expected = {"parameter", "input.src.ids", "constant"};
    if (type != "encoder_only") expected.insert("decoder.step.input.id");
    for (const std::string& end : walk.ends) QVERIFY2(expected.contains(end), end.c_str());
    for (const std::string& end : expected) QVERIFY2(walk.ends.contains(end), (type + ": " + end).c_str());
  }
}

// models.md 15.2: "mha causal", T = 3, d = 4, h = 2, no biases.
void TestTransformerDouble::golden_attention() {
  const Tensor x = fill(71, {1, 3, 4});
  const auto heads = [&](double s) { return split_heads(linear(x, fill(s, {4, 4})), 2); };
  const Tensor keep = attention_keep(3, 3, 0, true, 0, {});
  const Tensor weights = attention_weights(heads(73), heads(79), Scalar(1 / std::sqrt(2.0)), keep, {});
  QVERIFY(same(difference(weights,
                          std::vector<double>{1, 0, 0, 0.496625, 0.503375, 0, 0.334602, 0.329794, 0.335605,  //
                                              1, 0, 0, 0.495265, 0.504735, 0, 0.335186, 0.328333, 0.336481},
                          1e-6),
               "weights"));
  const Tensor out = linear(join_heads(weighted_sum(weights, heads(83)), 1), fill(89, {4, 4}));
  QVERIFY(same(difference(out,
                          std::vector<double>{0.029767, 0.02039, -0.018199, -0.030715, -0.002882, -0.000971, 0.002331,
                                              0.002293, 0.011731, 0.007356, -0.007558, -0.011643},
                          1e-6),
               "out"));
}

// models.md 15.2: "ffn relu".
void TestTransformerDouble::golden_feed_forward() {
  const Tensor x = fill(71, {3, 4});
  const Tensor out = linear(relu(linear(x, fill(97, {4, 8}))), fill(101, {8, 4}));
  QVERIFY(same(difference(out,
                          std::vector<double>{-0.009001, -0.0173, -0.000814, 0.016839, 0.008576, -0.010818, -0.014713,
                                              0.002471, -0.002504, -0.020515, -0.009134, 0.015333},
                          1e-6),
               "out"));
}

HEADLIGHT_TEST(TestTransformerDouble)

}  // namespace headlight::test_transformer_double

#include "test_transformer_double.moc"
