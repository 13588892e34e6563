// Scores split into tokens and positions, in float64: the parts add up to what the run computed, and each is the
// product written anew.

#include <numeric>

#include "model/analysis/living/score_split.h"
#include "model/core/json_library.h"
#include "tests/model/influence_runs.h"
#include "tests/test_program.h"

namespace headlight::test_score_split_double {

using namespace headlight::testing;

namespace {

using Side = LivingLane::Side;

std::shared_ptr<const Result> split_run(const QString& more) {
  Json config = {{"model_type", "transformer"}, {"model_size", 6},     {"heads", 2},  {"ff_size", 4},
                 {"encoder_layers", 1},         {"decoder_layers", 1}, {"dropout", 0}};
  config.update(Json::parse(more.toStdString()));
  if (config["model_type"] != "transformer")
    config.erase(config["model_type"] == "encoder_only" ? "decoder_layers" : "encoder_layers");
  return influence_run(influence_model(config,
                                       [](Parameter& parameter) {
                                         const double seed = static_cast<double>(parameter.name.size());
                                         parameter.value.array() += fill(seed, parameter.value.shape()).array();
                                       }),
                       5);
}

Tensor parameter_of(const Result& result, const std::string& name) {
  for (const NamedTensor& each : result.trace->parameters())
    if (each.name == name) return each.value;
  return {};
}

// Row t of x through columns [from, from + count) of W.
std::vector<double> through(const Tensor& x, Index t, const Tensor& W, Index from, Index count) {
  std::vector<double> y(static_cast<std::size_t>(count), 0);
  for (Index j = 0; j < count; ++j)
    for (Index i = 0; i < W.rows(); ++i)
      y[static_cast<std::size_t>(j)] +=
          static_cast<double>(x[t * W.rows() + i]) * static_cast<double>(W[i * W.columns() + from + j]);
  return y;
}

}  // namespace

class TestScoreSplitDouble : public QObject {
  Q_OBJECT

 private slots:
  void parts_add_up_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<bool>("norm");
    QTest::newRow("post-norm") << R"({"norm_place": "post"})" << false;
    QTest::newRow("pre-norm") << R"({"norm_place": "pre"})" << true;
    QTest::newRow("learned") << R"({"norm_place": "post", "positions": "learned", "max_positions": 32})" << false;
    QTest::newRow("beside each other") << R"({"norm_place": "post", "positions": "concat", "position_size": 2,
                                                "tie": "none"})"
                                       << false;
    QTest::newRow("root mean square") << R"({"norm": "rms", "norm_bias": false})" << true;
    QTest::newRow("norm of the embeddings, kinds of sentences")
        << R"({"model_type": "encoder_only", "embedding_norm": true, "norm_place": "post", "token_types": 2})" << true;
    QTest::newRow("decoder only, shared keys")
        << R"({"model_type": "decoder_only", "key_value_heads": 1, "norm_place": "post"})" << false;
  }
  void parts_add_up() {
    QFETCH(QString, config);
    QFETCH(bool, norm);
    const auto result = split_run(config);
    const auto map = living_map(result);
    QVERIFY(map);
    const std::vector<Side> sides = split_sides(*result);
    QVERIFY(!sides.empty());
    for (const Side side : sides)
      for (const Index head : {0, 1}) {
        const auto split = score_split(*map, side, head);
        QVERIFY(split);
        QCOMPARE(split->norm, norm);
        const Index rows = split->scores.rows(), columns = split->scores.columns();
        for (Index q = 0; q < rows; ++q)
          for (Index k = 0; k < columns; ++k) {
            if (side == Side::target && k > q) continue;  // it has no such key
            double sum = 0;
            for (const Tensor& part : split->parts) sum += static_cast<double>(part[q * columns + k]);
            const double score = static_cast<double>(split->scores[q * columns + k]);
            QVERIFY2(std::abs(sum - score) < 1e-9,
                     qPrintable(QString("%1 %2: %3, %4").arg(q).arg(k).arg(sum).arg(score)));
          }
      }
  }

  // Without a norm: (E_q W_q)·(E_k W_k) / √k and so on, from embeddings, positions and matrices; the biases are the
  // rest.
  void each_part_is_its_product() {
    const auto result = split_run(R"({"norm_place": "post"})");
    const auto map = living_map(result);
    const Tensor token = result->trace->value("encoder.embed.token"),
                 position = result->trace->value("encoder.embed.position");
    const Tensor W_q = parameter_of(*result, "encoder.layer[0].self_attn.W_q"),
                 W_k = parameter_of(*result, "encoder.layer[0].self_attn.W_k");
    QVERIFY(token && position && W_q && W_k);
    constexpr Index kHead = 1, kSize = 3;
    const auto split = score_split(*map, Side::source, kHead);
    QVERIFY(split && split->has_rest);
    for (int part = 0; part < 4; ++part)
      for (Index q = 0; q < 5; ++q)
        for (Index k = 0; k < 5; ++k) {
          const std::vector<double> asks = through(part < 2 ? token : position, q, W_q, kHead * kSize, kSize),
                                    answers = through(part % 2 == 0 ? token : position, k, W_k, kHead * kSize, kSize);
          const double expected = std::inner_product(asks.begin(), asks.end(), answers.begin(), 0.0) /
                                  std::sqrt(static_cast<double>(kSize));
          const double got = static_cast<double>(split->parts[static_cast<std::size_t>(part)][q * 5 + k]);
          QVERIFY2(std::abs(got - expected) < 1e-9, qPrintable(QString("part %1").arg(part)));
        }
  }

  void others_have_none() {
    QVERIFY(split_sides(*split_run(R"({"positions": "none"})")).empty());
    QVERIFY(split_sides(*split_run(R"({"positions": "rotary", "model_size": 8})")).empty());
    QVERIFY(split_sides(*influence_run(
                            influence_model({{"model_type", "seq2seq"}, {"embedding_size", 3}, {"hidden_size", 4}}), 5))
                .empty());
  }
};

HEADLIGHT_TEST(TestScoreSplitDouble)

}  // namespace headlight::test_score_split_double

#include "test_score_split_double.moc"
