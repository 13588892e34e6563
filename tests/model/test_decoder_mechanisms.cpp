// What decoders of other families need beside Llama's arithmetic, by hand: slopes, bounds, norms of several spans, one
// norm for two sublayers, factors, layers that are not turned, matrices of several parts.
#include <QTest>
#include <cmath>

#include "model/decode/run.h"
#include "model/io/formats/families/weight_parts.h"
#include "model/models/registry.h"
#include "model/ops/activations.h"
#include "model/ops/normalise.h"
#include "model/ops/positions.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_decoder_mechanisms {

using namespace headlight::testing;

namespace {

using families::How;

Json small(const Json& more) {
  Json config = {{"model_type", "decoder_only"},
                 {"source_vocabulary_size", 9},
                 {"target_vocabulary_size", 9},
                 {"model_size", 8},
                 {"heads", 2},
                 {"ff_size", 6},
                 {"decoder_layers", 2},
                 {"dropout", 0},
                 {"positions", "rotary"},
                 {"prompt", "continue"}};
  config.update(more);
  return config;
}

// Of five tokens, with drawn weights.
Result run_of(const Json& more) {
  auto bundle = std::make_shared<ModelBundle>();
  auto model = make_model(small(more), 3);
  Random random(5, Random::Stream::init);
  for (Parameter& parameter : model->parameters().all())
    for (Index i = 0; i < parameter.value.size(); ++i) parameter.value[i] += static_cast<Scalar>(0.3 * random.normal());
  std::vector<std::string> tokens;
  for (int i = 0; i < 9; ++i) tokens.push_back("t" + std::to_string(i));
  bundle->text.source = bundle->text.target = Tokenizer(Vocabulary(tokens));
  bundle->text.target_length = 1;
  bundle->model = std::move(model);
  Request request;
  request.model = bundle;
  request.ids = {1, 3, 2, 4, 1};
  return run(request);
}

// The first row of a step, or of what was read at once.
Tensor value(const Result& result, const std::string& leaf) {
  const Tensor found = result.trace->value("decoder.step[0]." + leaf);
  return found.defined() ? found : Tensor::zeros({1});
}

QString refused(const Json& more) {
  return message_of<FormatError>([&] { make_model(small(more), 1); });
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-5 * std::max(1.0, std::abs(b)); }

}  // namespace

class TestDecoderMechanisms : public QObject {
  Q_OBJECT

 private slots:
  // Press et al. 2022, section 3, and what their program does where the heads are no power of two.
  void slopes() {
    QCOMPARE(alibi_slopes(8, false), (std::vector<double>{.5, .25, .125, .0625, .03125, .015625, .0078125, .00390625}));
    const std::vector<double> of_six = alibi_slopes(6, false);
    const double expected[] = {0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125};
    for (std::size_t h = 0; h < 6; ++h) QVERIFY(near(of_six[h], expected[h]));
    const Tensor bias = alibi(6, 2, 4, false);
    QCOMPARE(bias.shape(), (Shape{6, 2, 4}));
    QCOMPARE(bias[3], Scalar(0.75));
    QCOMPARE(bias[4 + 3], Scalar(0.75));
  }
  // 2^−½ is 0.70703125 in bfloat16, three times that 2.12109375, which lies between 2.109375 and 2.125.
  void slopes_in_bfloat16() {
    QCOMPARE(alibi_slopes(12, true)[8], 0.70703125);
    QCOMPARE(alibi(12, 1, 4, true)[8 * 4 + 3], Scalar(2.125));
    QCOMPARE(alibi(1, 1, 260, true)[257], Scalar(1));  // 256 · 2^−8, as 257 is no number of bfloat16
  }

  void bounds_and_squares() {
    const Tensor x = Tensor::of({4}, {-3, -0.5, 0.25, 2});
    const Tensor within = clipped(x, 1), squared = relu_squared(x);
    QCOMPARE(within[0], Scalar(-1));
    QCOMPARE(within[1], Scalar(-0.5));
    QCOMPARE(within[3], Scalar(1));
    QCOMPARE(squared[0], Scalar(0));
    QCOMPARE(squared[2], Scalar(0.0625));
    QCOMPARE(squared[3], Scalar(4));
  }

  // Two sentences of two heads: head 1 has the second scale.
  void a_scale_for_each_head() {
    const Tensor x = Tensor::of({4, 1, 2}, {1, -1, 1, -1, 3, -3, 3, -3});
    const Tensor y = layer_norm(x, Tensor::of({2, 2}, {1, 1, 10, 20}), {}, 1e-12);
    const double expected[] = {1, -1, 10, -20, 1, -1, 10, -20};
    for (Index i = 0; i < 8; ++i) QVERIFY(near(y[i], expected[i]));
  }

  // Rows of one matrix: two groups of two queries, a key and a value; four blocks.
  void parts_of_a_matrix() {
    const auto rows = [](How how, Index total, Index count) {
      std::vector<Index> all;
      for (const auto& [first, many] : families::part_of(Shape{total, 3}, how, Shape{3, count}, 1).runs)
        for (Index r = first; r < first + many; ++r) all.push_back(r);
      return all;
    };
    using Rows = std::vector<Index>;
    QCOMPARE(rows(How::first_of_heads, 8, 4), (Rows{0, 1, 4, 5}));
    QCOMPARE(rows(How::middle_of_heads, 8, 2), (Rows{2, 6}));
    QCOMPARE(rows(How::last_of_heads, 8, 2), (Rows{3, 7}));
    QCOMPARE(rows(How::first_of_heads, 6, 4), (Rows{0, 1, 2, 3}));  // one key for all
    QCOMPARE(rows(How::first_of_blocks, 12, 4), (Rows{0, 3, 6, 9}));
    QCOMPARE(rows(How::last_of_blocks, 12, 4), (Rows{2, 5, 8, 11}));
    // What does not fit stays what it is, and is refused for its shape.
    QCOMPARE(families::part_of(Shape{7, 3}, How::first_of_heads, Shape{3, 4}, 1).shape, (Shape{3, 7}));
    QCOMPARE(families::part_of(Shape{12, 3}, How::first_of_blocks, Shape{3, 6}, 1).shape, (Shape{3, 12}));
  }

  void one_norm_for_both_sublayers() {
    const Json settings = {{"parallel_sublayers", true}, {"shared_norm", true}};
    const auto model = make_model(small(settings), 1);
    QVERIFY(model->parameters().find("decoder.layer[0].norm1.gamma"));
    QVERIFY(!model->parameters().find("decoder.layer[0].norm2.gamma"));
    const Result result = run_of(settings);
    const Tensor read = value(result, "layer[0].norm1.out"), pre = value(result, "layer[0].ffn.pre");
    const ParameterTable& parameters = result.model->model->parameters();
    const Tensor &W = *parameters.find("decoder.layer[0].ffn.W1"), &b = *parameters.find("decoder.layer[0].ffn.b1");
    for (Index j = 0; j < pre.size(); ++j) {
      double sum = b[j];
      for (Index i = 0; i < read.size(); ++i) sum += static_cast<double>(read[i]) * W[i * pre.size() + j];
      QVERIFY(near(pre[j], sum));
    }
  }

  void norms_of_outputs_alone() {
    const Json settings = {{"norm_place", "output"}};
    const auto model = make_model(small(settings), 1);
    QVERIFY(!model->parameters().find("decoder.layer[0].norm1.gamma"));
    const Result result = run_of(settings);
    const Tensor x = value(result, "embed.out"), given = value(result, "layer[0].post_norm1.out"),
                 sum = value(result, "layer[0].residual1");
    QVERIFY(given.size() == 8);
    for (Index i = 0; i < 8; ++i) QVERIFY(near(sum[i], x[i] + given[i]));
  }

  void factors() {
    const Result result = run_of({{"residual_scale", 0.25}, {"embedding_scale", 3.0}});
    const Tensor x = value(result, "embed.out"), given = value(result, "layer[0].self_attn.out"),
                 sum = value(result, "layer[0].residual1");
    const Tensor& table = *result.model->model->parameters().find("embed.W");
    for (Index i = 0; i < 8; ++i) {
      QVERIFY(near(x[i], 3.0 * table[1 * 8 + i]));  // the last token is 1
      QVERIFY(near(sum[i], x[i] + 0.25 * given[i]));
    }
  }

  void a_sum_that_starts_from_the_norm() {
    const Result result = run_of({{"sum_of_normed", true}});
    const Tensor x = value(result, "layer[1].norm2.out"), given = value(result, "layer[1].ffn.out"),
                 sum = value(result, "layer[1].residual2");
    for (Index i = 0; i < 8; ++i) QVERIFY(near(sum[i], x[i] + given[i]));
  }

  void layers_that_are_not_turned() {
    const Result result = run_of({{"layer_rotary", {1, 0}}});
    QVERIFY(result.trace->find("decoder.step[0].layer[0].self_attn.head.q_rotated") >= 0);
    QVERIFY(result.trace->find("decoder.step[0].layer[1].self_attn.head.q_rotated") < 0);
  }

  // All heads of a token as one row: the mean square over eight numbers is one.
  void spans_of_query_key_norms() {
    for (const char* span : {"head", "each_head", "whole"}) {
      const Result result = run_of({{"qk_norm", true}, {"qk_norm_span", span}, {"clip_qkv", 0.9}});
      const Tensor q = value(result, "layer[0].self_attn.head.q"),
                   y = value(result, "layer[0].self_attn.head.q_normed"),
                   within = value(result, "layer[0].self_attn.head.q_clipped");
      const Tensor& gamma = *result.model->model->parameters().find("decoder.layer[0].self_attn.q_norm.gamma");
      QCOMPARE(gamma.size(), Index(span == std::string("head") ? 4 : 8));
      for (Index h = 0; h < 2; ++h)
        for (Index j = 0; j < 4; ++j) {
          const bool whole = span == std::string("whole");
          double squares = 0;
          for (Index i = 0; i < 8; ++i)
            if (whole || i / 4 == h) squares += static_cast<double>(q[i]) * q[i] / (whole ? 8 : 4);
          const double expected = q[h * 4 + j] / std::sqrt(squares + 1e-5) * gamma[gamma.size() == 4 ? j : h * 4 + j];
          QVERIFY(near(y[h * 4 + j], expected));
          QVERIFY(near(within[h * 4 + j], std::clamp(expected, -0.9, 0.9)));
        }
    }
  }

  void what_does_not_go_together() {
    QVERIFY(refused({{"shared_norm", true}}).contains("needs \"parallel_sublayers\""));
    QVERIFY(refused({{"sum_of_normed", true}, {"norm_place", "post"}}).contains("sum_of_normed"));
    QVERIFY(refused({{"layer_rotary", {1}}}).contains("a number for each of the 2 layers"));
    QVERIFY(refused({{"layer_rotary", {1, 0}}, {"positions", "none"}}).contains("needs \"positions\" \"rotary\""));
    QVERIFY(refused({{"qk_norm_bias", true}, {"qk_norm_span", "each_head"}}).contains("each_head"));
  }
};

HEADLIGHT_TEST(TestDecoderMechanisms)

}  // namespace headlight::test_decoder_mechanisms

#include "test_decoder_mechanisms.moc"
