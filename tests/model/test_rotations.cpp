// Rotary positions: rows before and after, by hand and against the trace.
#include <QTest>
#include <cmath>

#include "model/analysis/rotations.h"
#include "tests/model/transformer_models.h"
#include "tests/test_program.h"

namespace headlight::test_rotations {

using namespace headlight::testing;

namespace {

Result run_rotary(const Json& differences) {
  auto bundle = std::make_shared<ModelBundle>();
  bundle->text.source = Tokenizer(Vocabulary({" ", "a", "b", "c", "<"}));
  bundle->text.target = Tokenizer(Vocabulary({" ", "a", "b", "c", "<"}));
  bundle->text.target_length = 4;
  Json config = {{"positions", "rotary"}, {"model_size", 16}, {"heads", 2}};
  config.update(differences);
  bundle->model = filled_transformer(config);
  Request request;
  request.model = bundle;
  request.source = "abcab";
  request.target = "bca";
  return run(request);
}

double at(const Tensor& rows, Index row, Index column) {
  return static_cast<double>(rows[row * rows.columns() + column]);
}

// Su et al. 2021, eq. 34, number by number.
void turned_by_hand(const RotaryHead& head, const Tensor& rows, const Tensor& rotated, double theta, bool neighbours) {
  const Index k = head.size();
  for (Index row = 0; row < head.rows(); ++row)
    for (Index i = 0; i < k / 2; ++i) {
      const double angle = head.positions[static_cast<std::size_t>(row)] *
                           std::pow(theta, -2 * static_cast<double>(i) / static_cast<double>(k));
      const Index a = neighbours ? 2 * i : i, b = neighbours ? 2 * i + 1 : i + k / 2;
      const double x = at(rows, row, a), y = at(rows, row, b);
      QVERIFY(std::abs(at(rotated, row, a) - (x * std::cos(angle) - y * std::sin(angle))) < 1e-5);
      QVERIFY(std::abs(at(rotated, row, b) - (x * std::sin(angle) + y * std::cos(angle))) < 1e-5);
      QCOMPARE(head.first(i), a);
      QCOMPARE(head.second(i), b);
    }
}

}  // namespace

class TestRotations : public QObject {
  Q_OBJECT

 private slots:
  void rows_are_those_of_the_trace_turned_by_hand_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<bool>("neighbours");
    QTest::newRow("halves") << "{'rotary_theta': 100}" << false;
    QTest::newRow("neighbours") << "{'rotary_theta': 100, 'rotary_pairs': 'neighbours'}" << true;
    QTest::newRow("normalised") << "{'rotary_theta': 100, 'qk_norm': true}" << false;
  }
  void rows_are_those_of_the_trace_turned_by_hand() {
    QFETCH(QString, settings);
    QFETCH(bool, neighbours);
    const Result result = run_rotary(settings_of(settings));
    QVERIFY(is_rotary(result));
    const std::vector<RotaryLayer> layers = rotary_layers(result);
    QCOMPARE(layers, (std::vector<RotaryLayer>{{false, 0, 2}, {true, 0, 2}}));
    for (const RotaryLayer& layer : layers)
      for (Index h = 0; h < 2; ++h) {
        const RotaryHead head = rotary_head(result, layer, h);
        QCOMPARE(head.rows(), layer.decoder ? static_cast<Index>(result.steps.size()) : Index(5));
        QCOMPARE(head.size(), Index(8));
        QCOMPARE(head.neighbours, neighbours);
        QCOMPARE(head.causal, layer.decoder);
        QVERIFY(std::abs(head.turn(1) - std::pow(100.0, -0.25)) < 1e-7);
        turned_by_hand(head, head.queries, head.rotated_queries, 100, neighbours);
        turned_by_hand(head, head.keys, head.rotated_keys, 100, neighbours);
        for (Index row = 0; row < head.rows(); ++row) {
          QCOMPARE(head.positions[static_cast<std::size_t>(row)], static_cast<double>(row));
          const std::string place = layer.decoder ? "decoder.step[" + std::to_string(row) + "]" : "encoder";
          const Tensor whole = result.trace->value(place + ".layer[0].self_attn.head.q_rotated");
          const Index first = layer.decoder ? h * 8 : (h * 5 + row) * 8;
          for (Index i = 0; i < 8; ++i) QCOMPARE(head.rotated_queries[row * 8 + i], whole[first + i]);
        }
      }
    QCOMPARE(rotary_head(result, layers[0], 0).tokens, (std::vector<std::string>{"a", "b", "c", "a", "b"}));
    QCOMPARE(rotary_head(result, layers[1], 0).tokens, result.fed);
  }

  // Of a part of each head, and with scaled angles: what turns is what the run turned, and the product is its score.
  void angles_are_those_of_the_run_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<Index>("pairs");
    QTest::addColumn<double>("second");
    QTest::newRow("a half") << "{'rotary_size': 4}" << Index(2) << 0.01;  // 10000^(−2/4)
    QTest::newRow("linear") << "{'rotary_scaling': {'type': 'linear', 'factor': 4}}" << Index(4)
                            << std::pow(10000.0, -0.25) / 4;
  }
  void angles_are_those_of_the_run() {
    QFETCH(QString, settings);
    QFETCH(Index, pairs);
    QFETCH(double, second);
    const Result result = run_rotary(settings_of(settings));
    const RotaryHead head = rotary_head(result, rotary_layers(result).front(), 1);
    QCOMPARE(head.pairs(), pairs);
    QVERIFY(std::abs(head.turn(1) - second) < 1e-7);
    const Tensor scores = result.trace->value("encoder.layer[0].self_attn.head.scores_raw");
    for (Index q = 0; q < 5; ++q)
      for (Index k = 0; k < 5; ++k) {
        const auto score = static_cast<double>(scores[(5 + q) * 5 + k]);
        QVERIFY(std::abs(head.product(q, static_cast<double>(q), k, static_cast<double>(k)) - score) < 1e-5);
        double sum = head.rest(q, k);
        for (Index pair = 0; pair < head.pairs(); ++pair) sum += head.part(q, k, static_cast<double>(k - q), pair);
        QVERIFY(std::abs(sum - score) < 1e-5);
      }
  }

  // A number that was turned is a sum of two products: with the cosine and the sine of its angle, which opens into the
  // position times the speed.
  void the_factor_is_the_cosine() {
    const Result result = run_rotary({{"rotary_theta", 100}});
    const int entry = result.trace->find("encoder.layer[0].self_attn.head.q_rotated");
    const Index cell = 3 * 8 + 1;  // head 1, row 3, the first number of pair 1: it turns 100^(−1/4) in a position
    const double angle = 3 * std::pow(100.0, -0.25);
    const Explanation made = result.trace->explain(entry, cell);
    QCOMPARE(made.terms.size(), std::size_t(2));
    QVERIFY(std::abs(made.terms[0].cells.at(1).value() - std::cos(angle)) < 1e-6);
    QVERIFY(std::abs(made.terms[1].cells.at(1).value() - std::sin(angle)) < 1e-6);
    QVERIFY(std::abs(made.terms[0].value - made.terms[0].cells[0].value() * std::cos(angle)) < 1e-6);
    const Explanation cosine = result.trace->explain(made.terms[0].cells[1]);
    QCOMPARE(cosine.function, std::string("cos"));
    QCOMPARE(cosine.terms.at(0).cells.at(0).value(), 3.0);
    QVERIFY(std::abs(cosine.recomputed - std::cos(angle)) < 1e-6);
  }

  // The raw score that the run computed, also where heads share their keys.
  void products_are_the_scores() {
    const Result result = run_rotary({{"heads", 4}, {"key_value_heads", 2}});
    for (Index h = 0; h < 4; ++h) {
      const RotaryHead head = rotary_head(result, rotary_layers(result).front(), h);
      const Tensor scores = result.trace->value("encoder.layer[0].self_attn.head.scores_raw");
      for (Index q = 0; q < 5; ++q)
        for (Index k = 0; k < 5; ++k) {
          const auto score = static_cast<double>(scores[(h * 5 + q) * 5 + k]);
          QVERIFY(std::abs(head.product(q, k) - score) < 1e-5);
          QVERIFY(std::abs(head.product(q, static_cast<double>(q), k, static_cast<double>(k)) - score) < 1e-5);
        }
    }
  }

  void products_depend_on_the_distance_only() {
    for (const char* pairs : {"halves", "neighbours"}) {
      const Result result = run_rotary({{"rotary_pairs", pairs}});
      const RotaryHead head = rotary_head(result, rotary_layers(result).front(), 1);
      bool depends = false;
      for (const double n : {-7.0, 0.0, 3.0, 12.0}) {
        const double expected = head.product(2, 20, 3, 20 + n);
        for (const double p : {0.0, 5.0, 131.0}) QVERIFY(std::abs(head.product(2, p, 3, p + n) - expected) < 1e-9);
        depends = depends || std::abs(expected - head.product(2, 20, 3, 20)) > 1e-3;
        double sum = 0;
        for (Index pair = 0; pair < head.pairs(); ++pair) sum += head.part(2, 3, n, pair);
        QVERIFY(std::abs(sum - expected) < 1e-9);
      }
      QVERIFY(depends);
    }
  }

  void a_prompt_stands_in_front_of_the_steps() {
    const Result result = run_rotary({{"model_type", "decoder_only"}});
    const RotaryHead head = rotary_head(result, rotary_layers(result).front(), 0);
    QCOMPARE(head.rows(), static_cast<Index>(result.prompt) + static_cast<Index>(result.steps.size()));
    QVERIFY(result.prompt > 0);
    turned_by_hand(head, head.queries, head.rotated_queries, 10'000, false);
    for (Index row = 0; row < head.rows(); ++row)
      QCOMPARE(head.positions[static_cast<std::size_t>(row)], static_cast<double>(row));
    QCOMPARE(head.tokens[1], std::string("b"));
    QCOMPARE(head.tokens.back(), result.fed.back());
  }

  void nothing_where_nothing_turns() {
    const Result result = run_rotary({{"positions", "sinusoid"}});
    QVERIFY(!is_rotary(result));
    QVERIFY(rotary_layers(result).empty());
    QVERIFY(!is_rotary(Result{}) && rotary_layers(Result{}).empty());
    QCOMPARE(rotary_head(result, {}, 0).positions.size(), std::size_t(0));
  }
};

HEADLIGHT_TEST(TestRotations)

}  // namespace headlight::test_rotations

#include "test_rotations.moc"
