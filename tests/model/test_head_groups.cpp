// Heads that share keys, layers with windows, what is cut of a group, and what is added by distance: small models, by
// hand.
#include <QTest>
#include <cmath>

#include "model/analysis/distance_bias.h"
#include "model/analysis/head_groups.h"
#include "model/analysis/masks.h"
#include "model/analysis/rotations.h"
#include "tests/test_program.h"
#include "tests/widgets/small_runs.h"

namespace headlight::test_head_groups {

namespace {

// Four heads with two keys; the second layer looks at the last three tokens. 5 tokens are read, 6 written.
std::shared_ptr<const Result> grouped_run(std::vector<Intervention> edits = {}) {
  return sample::small_run({{"model_type", "decoder_only"},
                            {"model_size", 8},
                            {"heads", 4},
                            {"key_value_heads", 2},
                            {"ff_size", 8},
                            {"decoder_layers", 2},
                            {"layer_windows", Json::array({0, 3})}},
                           "abcde", std::move(edits));
}

}  // namespace

class TestHeadGroups : public QObject {
  Q_OBJECT

 private slots:
  void maps_know_groups_and_windows() {
    std::vector<AttentionMap> maps = attention_maps(*grouped_run());
    std::erase_if(maps, [](const AttentionMap& map) { return map.kind == AttentionMap::Kind::summary; });
    QCOMPARE(maps.size(), std::size_t(2));
    for (const AttentionMap& map : maps) {
      QCOMPARE(map.key_heads, Index(2));
      QCOMPARE(map.shared(), Index(2));
      QVERIFY(!map.has_sink());
    }
    QCOMPARE(maps[0].window, Index(0));
    QCOMPARE(maps[1].window, Index(3));
    QVERIFY(maps[0].dropped_cells().empty());
    // Row 5 sees 3, 4 and 5: its own, and two before it.
    for (Index column = 0; column < 6; ++column) QCOMPARE(maps[1].is_dropped(5, column), column < 3);
    // What is ahead, of what was read and of what was written, no window drops.
    for (Index row = 0; row < 6; ++row)
      for (Index column = row + 1; column < 9; ++column) QVERIFY(!maps[1].is_dropped(row, column));
    const std::vector<bool> dropped = maps[1].dropped_cells(), hidden = maps[1].hidden_cells();
    for (std::size_t i = 0; i < dropped.size(); ++i) QVERIFY(!dropped[i] || hidden[i]);
  }

  void heads_of_a_group_are_named() {
    const auto result = grouped_run();
    const HeadGroup asked = head_group(*result->trace, "decoder.layer[0].self_attn.head.weights", 3);
    QCOMPARE(asked.shared, Index(2));
    QCOMPARE(asked.group, Index(1));
    const HeadGroup kept = head_group(*result->trace, "decoder.step[*].layer[1].self_attn.head[1].v", 1);
    QCOMPARE(kept.shared, Index(2));
    QCOMPARE(kept.group, Index(1));
    QCOMPARE(head_group(*result->trace, "decoder.step[0].output.logits", 0).shared, Index(1));
  }

  // Without the values of a group both of its heads bring nothing, and the others what they brought.
  void a_group_is_cut_for_all_its_heads() {
    const auto whole = grouped_run();
    const AttentionMap map = attention_maps(*whole).front();
    const auto cut = grouped_run(group_off(*whole, map, 1, true));
    QVERIFY(cut->not_reached.empty());
    const std::string site = "decoder.step[0].layer[0].self_attn.head.out";
    const Tensor before = whole->trace->value(site), after = cut->trace->value(site);
    for (Index head = 0; head < 4; ++head)
      for (Index i = 0; i < 2; ++i) {
        const Index at = head * 2 + i;
        if (head < 2)
          QCOMPARE(after[at], before[at]);
        else
          QCOMPARE(after[at], Scalar(0));
      }
    // Without its keys all scores of the group are 0: its heads look at everything evenly.
    const auto even = grouped_run(group_off(*whole, map, 1, false));
    const Tensor weights = even->trace->value("decoder.step[0].layer[0].self_attn.head.weights");
    for (Index key = 0; key < weights.columns(); ++key)
      QVERIFY(std::abs(weights[2 * weights.columns() + key] - 1 / static_cast<Scalar>(weights.columns())) < 1e-6);
  }

  // With a factor of 4 from 8 positions on: a pair turns a quarter as far, at every position.
  void angles_by_position() {
    const Json scaling = {{"type", "linear"}, {"factor", 4}, {"original", 8}};
    const auto result = sample::small_run({{"model_type", "decoder_only"},
                                           {"model_size", 8},
                                           {"heads", 2},
                                           {"ff_size", 8},
                                           {"decoder_layers", 1},
                                           {"positions", "rotary"},
                                           {"rotary_theta", 16},
                                           {"rotary_scaling", scaling}});
    const RotaryAngles angles = rotary_angles(*result, rotary_layers(*result).front(), 1, 10, 33);
    QCOMPARE(angles.trained, Index(8));
    QCOMPARE(angles.scaling, std::string("linear"));
    QCOMPARE(angles.positions.back(), 32.0);
    // The second of two pairs: 16^(−2/4) = 1/4 a position.
    QVERIFY(std::abs(angles.plain[20] - 20 * 0.25) < 1e-9);
    QVERIFY(std::abs(angles.scaled[20] - 20 * 0.0625) < 1e-9);
  }

  // Learned for each distance: the last row says what lies behind, the first one what lies ahead.
  void biases_by_distance() {
    const auto result = sample::small_run({{"model_type", "transformer"},
                                           {"model_size", 8},
                                           {"heads", 2},
                                           {"ff_size", 8},
                                           {"encoder_layers", 1},
                                           {"decoder_layers", 1},
                                           {"positions", "relative"}});
    const std::vector<DistanceBias> biases = distance_biases(*result);
    QCOMPARE(biases.size(), std::size_t(2));
    const DistanceBias& encoder = biases.front();
    QVERIFY(!encoder.decoder && !encoder.slopes);
    QCOMPARE(encoder.distances.front(), -4.0);
    QCOMPARE(encoder.distances.back(), 4.0);
    const Tensor bias = result->trace->value("encoder.layer[0].self_attn.head.bias");  // [2 x 5 x 5]
    for (Index head = 0; head < 2; ++head)
      for (Index row = 0; row < 5; ++row)
        for (Index key = 0; key < 5; ++key)
          QCOMPARE(static_cast<Scalar>(encoder.at(head, static_cast<std::size_t>(key - row + 4))),
                   bias[(head * 5 + row) * 5 + key]);
    QCOMPARE(biases.back().distances.back(), 0.0);  // a decoder sees nothing ahead
    QVERIFY(distance_biases(*grouped_run()).empty());
  }
};

HEADLIGHT_TEST(TestHeadGroups)

}  // namespace headlight::test_head_groups

#include "test_head_groups.moc"
