// What differs between the living maps of two runs, counted again from their traces; and which weights ribbons are.
#include <QtTest>
#include <cmath>

#include "model/analysis/living/difference.h"
#include "model/analysis/living/weights.h"
#include "model/analysis/masks.h"
#include "model/decode/run.h"
#include "model/io/formats/format.h"
#include "model/io/model_folder.h"
#include "tests/model/helpers.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_living_difference {

using namespace headlight::testing;

namespace {

std::shared_ptr<const LivingMap> map_of(const std::shared_ptr<const ModelBundle>& model, const std::string& text,
                                        const std::vector<Intervention>& edits = {}) {
  Request request;
  request.model = model;
  request.source = text;
  request.interventions = edits;
  return living_map(std::make_shared<const Result>(run(request)));
}

double apart(const LivingMap& a, const LivingMap& b, const LivingStation& of_a, const LivingStation& of_b, Index row) {
  const LivingPlace &x = of_a.places[static_cast<std::size_t>(row)], &y = of_b.places[static_cast<std::size_t>(row)];
  double sum = 0, first = 0, second = 0;
  for (Index i = 0; i < of_a.units; ++i) {
    const auto p = static_cast<double>((*a.result->trace)[x.entry].value[x.first + i]),
               q = static_cast<double>((*b.result->trace)[y.entry].value[y.first + i]);
    sum += std::pow(p - q, 2);
    first += p * p;
    second += q * q;
  }
  return std::sqrt(sum) / std::max(std::sqrt(first), std::sqrt(second));
}

}  // namespace

class TestLivingDifference : public QObject {
  Q_OBJECT

 private slots:
  void the_same_run_differs_in_nothing() {
    const auto map = map_of(load_model("story-gpt"), "tom in the garden. he");
    const LivingDifference difference = living_difference(*map, *map);
    QVERIFY(!difference.lane_before.empty());
    QVERIFY(difference.empty());
  }

  // A head of the second layer is off: what stands in front of it is as it was, what it fed is not.
  void a_head_that_is_off() {
    const auto model = load_model("story-gpt");
    const std::string text = "tom in the garden. he carries a red box. he gives";
    const auto before = map_of(model, text);
    const auto now = map_of(model, text, head_off(*before->result, AttentionMap::Kind::decoder_self, 1, 3));
    const LivingDifference difference = living_difference(*now, *before);
    int other = 0;
    for (int s = 0; s < static_cast<int>(now->stations.size()); ++s) {
      const LivingStation &station = now->stations[static_cast<std::size_t>(s)],
                          &was = before->stations[static_cast<std::size_t>(s)];
      for (Index row = 0; row < std::min<Index>(station.count, before->result->prompt); ++row) {
        const double far = difference.states[static_cast<std::size_t>(s)][static_cast<std::size_t>(row)];
        QVERIFY(std::abs(far - apart(*now, *before, station, was, row)) < 1e-6);
        QCOMPARE(difference.state(s, row), far > LivingDifference::kSame);
        if (station.layer < 1) QVERIFY(!difference.state(s, row));
        other += difference.state(s, row) ? 1 : 0;
      }
    }
    QVERIFY(other > 10);
    // The largest change of a share is that of the two maps.
    QVERIFY(!difference.shares.empty());
    for (const LivingDifference::Share& each : difference.shares) {
      const auto part_of = [&](const LivingMap& map) {
        return map.stations[static_cast<std::size_t>(each.share.station)]
            .parts[static_cast<std::size_t>(each.share.part)];
      };
      const auto value = [&](const LivingMap& map) {
        const LivingPart part = part_of(map);
        return part.dense() ? part.at(each.share.row, each.share.column)
                            : static_cast<double>(part.share[each.share.row]);
      };
      QCOMPARE(each.now, value(*now));
      QCOMPARE(each.before, value(*before));
      QVERIFY(std::abs(each.now - each.before) >= LivingDifference::kPoints);
      QVERIFY(now->stations[static_cast<std::size_t>(each.share.station)].layer == 1);
    }
    const int first = now->lane_of_step(0);
    QCOMPARE(difference.outputs[static_cast<std::size_t>(first)].text, before->result->steps[0].text);
    QCOMPARE(difference.outputs[static_cast<std::size_t>(first)].probability, before->result->steps[0].probability);
  }

  // A causal model does not look ahead: a word more at the end changes no state of the words before it.
  void a_word_more_at_the_end() {
    const auto model = load_model("story-gpt");
    const auto before = map_of(model, "tom in the garden. he carries a red"),
               now = map_of(model, "tom in the garden. he carries a red box");
    const LivingDifference difference = living_difference(*now, *before);
    const auto [first, count] = now->range(LivingLane::Side::target);
    for (int lane = first; lane < first + 10; ++lane) {
      QCOMPARE(difference.lane_before[static_cast<std::size_t>(lane)], lane);
      for (int s = 0; s < static_cast<int>(now->stations.size()); ++s)
        QVERIFY(!difference.state(s, lane - now->stations[static_cast<std::size_t>(s)].first));
    }
  }

  // Two trained models: their states are in coordinates of their own; another architecture has nothing in common.
  void other_models() {
    const std::string text = "november 21, 2026";
    const auto a = map_of(load_model("date-attention"), text), b = map_of(load_model("date-additive"), text),
               c = map_of(load_model("date-transformer"), text);
    QVERIFY(living_difference(*a, *b).states.empty());
    const LivingDifference none = living_difference(*a, *c);
    QVERIFY(none.lane_before.empty() && none.outputs.empty() && none.empty());
  }

  // Every ribbon of an attention is a weight of the trace, that of its largest head, and back.
  void ribbons_are_weights_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("text");
    QTest::newRow("decoder only") << "story-gpt"
                                  << "tom in the garden. he";
    QTest::newRow("encoder only") << "masked-bert"
                                  << "the keys [MASK] on the table.";
    QTest::newRow("both") << "tatoeba-transformer"
                          << "we did not know that she was ill .";
    QTest::newRow("convolution") << "toy-mt-convs2s"
                                 << "the girl sees the dog";
    QTest::newRow("recurrent") << "date-attention"
                               << "November 22, 2026";
    QTest::newRow("two directions") << "toy-mt-bahdanau"
                                    << "the girl sees the dog";
  }
  void ribbons_are_weights() {
    QFETCH(QString, model);
    QFETCH(QString, text);
    const auto map = map_of(load_model(model.toStdString()), text.toStdString());
    const std::vector<AttentionMap> maps = attention_maps(*map->result);
    int ribbons = 0;
    for (int s = 0; s < static_cast<int>(map->stations.size()); ++s) {
      const LivingStation& station = map->stations[static_cast<std::size_t>(s)];
      for (int p = 0; p < static_cast<int>(station.parts.size()); ++p) {
        const LivingPart& part = station.parts[static_cast<std::size_t>(p)];
        if (!part.dense() || part.heads == 0) continue;
        const Tensor all = head_weights(*map, s, p);
        for (Index row = 0; row < station.count; ++row)
          for (Index column = 0; column < part.columns; ++column) {
            const auto weight = weight_of(*map, maps, {s, p, row, column, -1});
            if (!weight) continue;
            ++ribbons;
            const Scalar value = (*map->result->trace)[weight->entry].value[weight->cell];
            for (Index h = 0; all.defined() && h < part.heads; ++h)
              QVERIFY(all[(h * station.count + row) * part.columns + column] <= value + 1e-6);
            const auto back = ribbons_of(*map, maps, weight->entry, weight->cell);
            QVERIFY(std::any_of(back.begin(), back.end(), [&](const LivingShare& share) {
              return share.station == s && share.part == p && share.row == row && share.column == column &&
                     share.head == weight->head;
            }));
          }
      }
    }
    QVERIFY2(ribbons >= 20, qPrintable(QString::number(ribbons)));
  }

  // Classes on top of a model are read off the state that its library reads them off.
  void classes_have_a_lane_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<bool>("first");
    QTest::newRow("pooled") << "bert-classes" << true;
    QTest::newRow("first") << "roberta-classes" << true;
    QTest::newRow("first, with a layer between") << "distilbert-classes" << true;
    QTest::newRow("last") << "gpt2-classes" << false;
  }
  void classes_have_a_lane() {
    QFETCH(QString, folder);
    QFETCH(bool, first);
    const auto path = made_elsewhere() / "families" / folder.toStdString();
    if (!std::filesystem::is_directory(path)) QSKIP("models of other libraries are not here");
    const auto map = map_of(open_path(path), "the red box is in the garden");
    QVERIFY(map);
    const int lane = map->lane_of_step(0);
    QCOMPARE(lane, first ? 0 : static_cast<int>(map->lanes.size()) - 1);
    QCOMPARE(map->lanes[static_cast<std::size_t>(lane)].written, map->result->steps[0].text);
    const LivingFlow flow = living_flow(*map, {lane, -1});
    double sum = flow.rest;
    for (const double each : flow.origin) sum += each;
    QVERIFY(std::abs(sum - 1) < 1e-5);
  }
};

HEADLIGHT_TEST(TestLivingDifference)

}  // namespace headlight::test_living_difference

#include "test_living_difference.moc"
