// Which tokens can reach a state, and over how many others: counted by hand.

#include "model/core/json_library.h"
#include "tests/model/influence_runs.h"
#include "tests/test_program.h"

namespace headlight::test_reach {

using namespace headlight::testing;

namespace {

constexpr Index kTokens = 9;

Json settings(const char* text) { return Json::parse(text); }

// Weights that begin at 0 would hide a way.
void more_than_zero(Parameter& parameter) {
  parameter.value.array() += fill(static_cast<double>(parameter.name.size()), parameter.value.shape()).array();
}

}  // namespace

class TestReach : public QObject {
  Q_OBJECT

 private slots:
  void counted_by_hand_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<bool>("source");
    QTest::addColumn<int>("layer");
    QTest::addColumn<int>("lane");
    QTest::addColumn<int>("inputs");
    QTest::addColumn<int>("farthest");
    const QString conv = R"({"model_type": "convs2s", "embedding_size": 3, "hidden_size": 4, "out_size": 3,
                             "encoder_layers": 3, "decoder_layers": 1, "kernel_size": 3})";
    // (k − 1) L + 1 tokens in the middle, L steps to the farthest; fewer at an end.
    QTest::newRow("one convolution") << conv << true << 0 << 4 << 3 << 1;
    QTest::newRow("two convolutions") << conv << true << 1 << 4 << 5 << 2;
    QTest::newRow("three convolutions") << conv << true << 2 << 4 << 7 << 3;
    QTest::newRow("three convolutions, at the start") << conv << true << 2 << 0 << 4 << 3;
    QString wide = conv;
    wide.replace("\"kernel_size\": 3", "\"kernel_size\": 5");
    QTest::newRow("two wide convolutions") << wide << true << 1 << 4 << 9 << 2;
    // All of the text in one layer.
    const QString attention = R"({"model_type": "transformer", "model_size": 4, "heads": 2, "ff_size": 4,
                                  "encoder_layers": 2, "decoder_layers": 1})";
    QTest::newRow("self-attention") << attention << true << 0 << 4 << 9 << 1;
    QTest::newRow("self-attention, second layer") << attention << true << 1 << 0 << 9 << 1;
    // Causal: all before it, itself counted.
    const QString causal = R"({"model_type": "decoder_only", "model_size": 4, "heads": 2, "ff_size": 4,
                               "decoder_layers": 1})";
    QTest::newRow("causal") << causal << false << 0 << 5 << 6 << 1;
    QTest::newRow("causal, first") << causal << false << 0 << 0 << 1 << 0;
    // One after the other.
    const QString cell = R"({"model_type": "seq2seq", "cell": "gru", "embedding_size": 3, "hidden_size": 4,
                             "bidirectional": "%1"})";
    QTest::newRow("recurrent") << cell.arg("none") << true << 0 << 6 << 7 << 6;
    QTest::newRow("recurrent, two directions") << cell.arg("all") << true << 0 << 6 << 9 << 6;
  }
  void counted_by_hand() {
    QFETCH(QString, config);
    QFETCH(bool, source);
    QFETCH(int, layer);
    QFETCH(int, lane);
    const auto result = influence_run(influence_model(settings(qPrintable(config))), kTokens);
    const auto map = living_map(result);
    QVERIFY(map);
    const auto side = source ? LivingLane::Side::source : LivingLane::Side::target;
    const int station = layer_station(*map, side, layer);
    QVERIFY(station >= 0);
    const StateLinks links(*map, attention_maps(*result));
    const ReceptiveField field = receptive_field(*map, links, {station, map->range(side).first + lane});
    QTEST(field.inputs, "inputs");
    QTEST(field.farthest, "farthest");
    QCOMPARE(field.of, map->range(side).second);
  }

  // A decoder reads the whole source over one step; of what it wrote itself only what came before.
  void a_decoder_reaches_both_texts() {
    const auto result = influence_run(
        influence_model({{"model_type", "transformer"}, {"model_size", 4}, {"heads", 2}, {"ff_size", 4}}), kTokens);
    const auto map = living_map(result);
    const int station = layer_station(*map, LivingLane::Side::target, 0), lane = map->lane_of_step(2);
    const ReceptiveField field = receptive_field(*map, StateLinks(*map, attention_maps(*result)), {station, lane});
    QCOMPARE(field.inputs, static_cast<int>(kTokens) + 3);
    QCOMPARE(field.of, static_cast<int>(kTokens + map->range(LivingLane::Side::target).second));
  }

  // What has no way has no derivative; with weights that are not 0, all that has one has a derivative.
  void only_what_reaches_moves_data() {
    QTest::addColumn<QString>("config");
    const auto row = [](const char* name, const char* more) {
      Json config = {{"embedding_size", 3}, {"hidden_size", 4}};
      config.update(settings(more));
      QTest::newRow(name) << QString::fromStdString(config.dump());
    };
    row("convolutions", R"({"model_type": "convs2s", "out_size": 3, "decoder_layers": 3})");
    row("no attention", R"({"model_type": "seq2seq", "layers": 2, "pass_cell": true})");
    row("one vector at every step", R"({"model_type": "seq2seq_peeky", "bidirectional": "all"})");
    row("attention", R"({"model_type": "attn_seq2seq"})");
    row("two layers, fed back", R"({"model_type": "attn_seq2seq", "layers": 2, "context_use": "both"})");
    row("two directions", R"({"model_type": "attn_seq2seq", "layers": 2, "cell": "gru", "bidirectional": "all",
                              "attention.score": "general"})");
    row("Luong", R"({"model_type": "luong"})");
    row("a residual sum asks", R"({"model_type": "luong", "layers": 2, "residual": true})");
    row("a layer in the middle asks", R"({"model_type": "luong", "layers": 3, "query_layer": 1})");
    row("Bahdanau", R"({"model_type": "bahdanau"})");
    row("Bahdanau, LSTM", R"({"model_type": "bahdanau", "cell": "lstm", "start": "mean"})");
    row("the answer of the step before", R"({"model_type": "gnmt", "embedding_size": 4})");
    const auto transformer = [](const char* name, const char* model) {
      QTest::newRow(name) << QString(R"({"model_type": "%1", "model_size": 4, "heads": 2, "ff_size": 4})").arg(model);
    };
    transformer("transformer", "transformer");
    transformer("encoder only", "encoder_only");
    transformer("decoder only", "decoder_only");
  }
  void only_what_reaches_moves() {
    QFETCH(QString, config);
    const auto result = influence_run(influence_model(settings(qPrintable(config)), more_than_zero), 5);
    const auto map = living_map(result);
    QVERIFY(map);
    const StateLinks links(*map, attention_maps(*result));
    for (const int station : influence_layers(*map)) {
      const LivingStation& at = map->stations[static_cast<std::size_t>(station)];
      for (int lane = at.first; lane < at.first + at.count; ++lane) {
        const ReceptiveField field = receptive_field(*map, links, {station, lane});
        const StateNumbers moved = influences(*map, numbers_of(*map, {station, lane}));
        for (std::size_t s = 0; s < moved.size(); ++s)
          for (std::size_t row = 0; row < moved[s].size(); ++row)
            QVERIFY2((field.steps[s][row] >= 0) == (moved[s][row] > 0),
                     qPrintable(QString("station %1, row %2 to %3, lane %4").arg(s).arg(row).arg(station).arg(lane)));
      }
    }
  }
};

HEADLIGHT_TEST(TestReach)

}  // namespace headlight::test_reach

#include "test_reach.moc"
