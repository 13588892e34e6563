// Which tokens can reach a state, and over how many others: counted by hand.

#include "model/core/json_library.h"
#include "tests/model/influence_runs.h"
#include "tests/test_program.h"

namespace headlight::test_reach {

using namespace headlight::testing;

namespace {

constexpr Index kTokens = 9;

Json settings(const char* text) { return Json::parse(text); }

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

  // What has no way has no derivative.
  void what_cannot_reach_does_not_move_data() {
    QTest::addColumn<QString>("config");
    QTest::newRow("convolutions")
        << R"({"model_type": "convs2s", "embedding_size": 3, "hidden_size": 4, "out_size": 3})";
    for (const char* model : {"attn_seq2seq", "luong", "bahdanau", "seq2seq_peeky"})
      QTest::newRow(model) << QString(R"({"model_type": "%1", "embedding_size": 3, "hidden_size": 4})").arg(model);
    QTest::newRow("two layers") << R"({"model_type": "attn_seq2seq", "layers": 2, "embedding_size": 3,
                                       "hidden_size": 4, "context_use": "both"})";
    QTest::newRow("transformer") << R"({"model_type": "transformer", "model_size": 4, "heads": 2, "ff_size": 4})";
    QTest::newRow("decoder only") << R"({"model_type": "decoder_only", "model_size": 4, "heads": 2, "ff_size": 4})";
  }
  void what_cannot_reach_does_not_move() {
    QFETCH(QString, config);
    const auto result = influence_run(influence_model(settings(qPrintable(config))), 5);
    const auto map = living_map(result);
    QVERIFY(map);
    const StateLinks links(*map, attention_maps(*result));
    int apart = 0;
    for (const int station : influence_layers(*map)) {
      const LivingStation& at = map->stations[static_cast<std::size_t>(station)];
      const StateAt state{station, at.first + at.count / 2};
      const ReceptiveField field = receptive_field(*map, links, state);
      const StateNumbers moved = influences(*map, numbers_of(*map, state));
      for (const int s : influence_layers(*map))
        for (std::size_t row = 0; row < moved[static_cast<std::size_t>(s)].size(); ++row) {
          if (field.steps[static_cast<std::size_t>(s)][row] >= 0) continue;
          ++apart;
          QVERIFY2(moved[static_cast<std::size_t>(s)][row] == 0,
                   qPrintable(QString("station %1 to %2, lane %3").arg(s).arg(station).arg(row)));
        }
    }
    QVERIFY(apart > 0);
  }
};

HEADLIGHT_TEST(TestReach)

}  // namespace headlight::test_reach

#include "test_reach.moc"
