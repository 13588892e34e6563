// Lengths of derivatives by layer and by lag, in float64: against central differences and closed forms.

#include <cmath>

#include "model/core/json_library.h"
#include "tests/model/influence_runs.h"
#include "tests/test_program.h"

namespace headlight::test_influence_double {

using namespace headlight::testing;

namespace {

using Side = LivingLane::Side;

double number(const Result& result, const TraceRange& at, Index i) {
  return static_cast<double>((*result.trace)[at.entry].value[at.first + i]);
}

// The length of the derivative of `of` by a state, by moving each of its numbers.
double by_differences(const std::shared_ptr<const ModelBundle>& model, Index tokens, const Result& result,
                      const TraceRange& of, const LivingPlace& by, Index units) {
  constexpr double kStep = 1e-5;
  double squares = 0;
  for (Index unit = 0; unit < units; ++unit) {
    std::vector<std::shared_ptr<const Result>> moved;
    for (const double sign : {1.0, -1.0})
      moved.push_back(influence_run(model, tokens,
                                    {{.site = (*result.trace)[by.entry].site.text,
                                      .kind = Intervention::Kind::add,
                                      .cell = by.first + unit,
                                      .value = static_cast<Scalar>(sign * kStep),
                                      .values = {}}}));
    for (Index i = 0; i < of.count; ++i) {
      const double slope = (number(*moved[0], of, i) - number(*moved[1], of, i)) / (2 * kStep);
      squares += slope * slope;
    }
  }
  return std::sqrt(squares);
}

}  // namespace

class TestInfluenceDouble : public QObject {
  Q_OBJECT

 private slots:
  // One unit, h_j = tanh(w h_{j−1} + u x_j). With embeddings of 0 every h is 0, where tanh has the slope 1: what is
  // left of x_{t−k} in h_t is |u| |w|^k.
  void one_unit_forgets_by_powers_data() {
    QTest::addColumn<double>("w");
    QTest::newRow("vanishes") << 0.5;
    QTest::newRow("explodes") << -1.5;
  }
  void one_unit_forgets_by_powers() {
    QFETCH(double, w);
    constexpr double kIn = 0.8;
    const auto model =
        influence_model({{"model_type", "seq2seq"}, {"cell", "rnn"}, {"embedding_size", 1}, {"hidden_size", 1}},
                        [w](Parameter& parameter) {
                          if (!parameter.name.starts_with("encoder.")) return;
                          parameter.value.array() = parameter.name.ends_with("Wh")   ? static_cast<Scalar>(w)
                                                    : parameter.name.ends_with("Wx") ? static_cast<Scalar>(kIn)
                                                                                     : Scalar(0);
                        });
    const auto result = influence_run(model, 6);
    QVERIFY(has_influence(*result));
    const auto map = living_map(result);
    QVERIFY(map);
    const int cell = layer_station(*map, Side::source, 0), embedding = layer_station(*map, Side::source, -1);
    QVERIFY(cell > embedding && embedding >= 0);
    const StateNumbers found = influences(*map, numbers_of(*map, {cell, 4}));
    for (int lane = 0; lane < 6; ++lane) {
      const double expected = lane > 4 ? 0 : kIn * std::pow(std::abs(w), 4 - lane);
      const double got = found[static_cast<std::size_t>(embedding)][static_cast<std::size_t>(lane)];
      QVERIFY2(std::abs(got - expected) < 1e-12, qPrintable(QString("%1: %2").arg(lane).arg(got)));
    }
  }

  void derivatives_are_limits_of_differences_data() {
    QTest::addColumn<QString>("config");
    QTest::newRow("gru, two directions")
        << R"({"model_type": "attn_seq2seq", "cell": "gru", "bidirectional": "all", "embedding_size": 3,
               "hidden_size": 4, "reverse_source": false})";
    QTest::newRow("lstm, two layers") << R"({"model_type": "luong", "layers": 2, "embedding_size": 3, "hidden_size": 4,
                                             "residual": true})";
    QTest::newRow("transformer") << R"({"model_type": "transformer", "model_size": 6, "heads": 2, "ff_size": 4,
                                        "encoder_layers": 2, "decoder_layers": 1, "dropout": 0})";
    QTest::newRow("decoder only") << R"({"model_type": "decoder_only", "model_size": 6, "heads": 2, "ff_size": 4,
                                         "decoder_layers": 2, "dropout": 0})";
    // Training shrinks what comes back through its keys; without that it is the derivative.
    QTest::newRow("convs2s") << R"({"model_type": "convs2s", "embedding_size": 3, "hidden_size": 4, "out_size": 3,
                                    "encoder_layers": 2, "decoder_layers": 1, "dropout": 0, "gradient_scale": false})";
  }
  void derivatives_are_limits_of_differences() {
    QFETCH(QString, config);
    constexpr Index kTokens = 4;
    const auto model = influence_model(Json::parse(config.toStdString()), [](Parameter& parameter) {
      parameter.value.array() += fill(static_cast<double>(parameter.name.size()), parameter.value.shape()).array();
    });
    const auto result = influence_run(model, kTokens);
    QVERIFY(has_influence(*result));
    const auto map = living_map(result);
    QVERIFY(map);
    const LivingStation& top = map->stations.at(static_cast<std::size_t>(influence_layers(*map).back()));
    const int last = map->lane_of_step(1);
    for (const TraceRange& of :
         {output_score(*map, last), numbers_of(*map, {influence_layers(*map).back(), top.first + 1})}) {
      QVERIFY(of.entry >= 0);
      const StateNumbers found = influences(*map, of);
      double largest = 0;
      for (const int s : influence_layers(*map)) {
        const LivingStation& station = map->stations[static_cast<std::size_t>(s)];
        for (int row = 0; row < station.count; ++row) {
          const auto at = static_cast<std::size_t>(row);
          const double expected = by_differences(model, kTokens, *result, of, station.places[at], station.units);
          const double got = found[static_cast<std::size_t>(s)][at];
          largest = std::max(largest, expected);
          QVERIFY2(std::abs(got - expected) < 1e-5 * std::max(1.0, expected),
                   qPrintable(QString("station %1, lane %2: %3, expected %4").arg(s).arg(row).arg(got).arg(expected)));
        }
      }
      QVERIFY(largest > 1e-3);
    }
  }

  void means_are_those_of_the_lanes() {
    const std::vector<double> means = layer_means({{1, 2, 6}, {}, {0.5}});
    QCOMPARE(means[0], 3.0);
    QVERIFY(std::isnan(means[1]));
    QCOMPARE(means[2], 0.5);
  }
};

HEADLIGHT_TEST(TestInfluenceDouble)

}  // namespace headlight::test_influence_double

#include "test_influence_double.moc"
