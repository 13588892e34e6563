// What a state of the living map was computed from: the numbers that are laid out stand in the equations of the papers.
#include <QTest>
#include <cmath>
#include <filesystem>

#include "model/analysis/living/inside.h"
#include "model/io/formats/format.h"
#include "model/io/model_folder.h"
#include "tests/model/helpers.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_living_inside {

namespace {

struct Opened {
  std::shared_ptr<const LivingMap> map;
  LivingInside inside;

  const LivingValues* find(const std::string& symbol, Index head = -1) const {
    for (const LivingValues& value : inside.values)
      if (value.symbol == symbol && value.head == head) return &value;
    return nullptr;
  }
  double at(const std::string& symbol, Index row, Index column, Index head = -1) const {
    const LivingValues* value = find(symbol, head);
    return value ? value->number(*map->result->trace, row, column) : std::nan("");
  }
};

std::shared_ptr<const LivingMap> map_of(const char* model, const std::string& text) {
  Request request;
  request.model = load_model(model);
  request.source = text;
  return living_map(std::make_shared<const Result>(run(request)));
}

int station_of(const LivingMap& map, LivingStation::Kind kind, LivingLane::Side side, int number = 0) {
  for (int s = 0; s < static_cast<int>(map.stations.size()); ++s) {
    const LivingStation& each = map.stations[static_cast<std::size_t>(s)];
    if (each.kind == kind && each.side == side && number-- == 0) return s;
  }
  return -1;
}

Opened opened(const std::shared_ptr<const LivingMap>& map, int station, Index row) {
  return {map, living_inside(*map, station, row)};
}

// As Vaswani et al. 2017 have it: softmax(q K' / sqrt(k)) V, or with another factor.
QString attends(const Opened& open, Index heads, double factor = 0) {
  for (Index h = 0; h < heads; ++h) {
    const LivingValues *q = open.find("q", h), *k = open.find("k", h), *s = open.find("s", h), *a = open.find("α", h),
                       *v = open.find("v", h), *out = open.find("Σ α v", h);
    if (!q || !k || !s || !a || !v || !out) return QString("head %1 lacks something").arg(h);
    if (k->row_count() != a->row_count() || v->row_count() != a->row_count() || k->lanes != a->lanes)
      return "rows differ";
    double sum = 0, weights = 0;
    for (Index j = 0; j < s->row_count(); ++j) sum += std::exp(open.at("s", j, 0, h));
    for (Index j = 0; j < s->row_count(); ++j) {
      double score = 0;
      for (Index i = 0; i < q->columns; ++i) score += open.at("q", 0, i, h) * open.at("k", j, i, h);
      score *= factor > 0 ? factor : 1 / std::sqrt(static_cast<double>(q->columns));
      if (std::abs(score - open.at("s", j, 0, h)) > 1e-4 * (1 + std::abs(score))) return QString("score %1").arg(j);
      const double weight = std::exp(open.at("s", j, 0, h)) / sum;
      if (std::abs(weight - open.at("α", j, 0, h)) > 1e-5) return QString("weight %1").arg(j);
      weights += open.at("α", j, 0, h);
    }
    if (std::abs(weights - 1) > 1e-5) return QString("weights add up to %1").arg(weights);
    for (Index i = 0; i < out->columns; ++i) {
      double brought = 0;
      for (Index j = 0; j < v->row_count(); ++j) brought += open.at("α", j, 0, h) * open.at("v", j, i, h);
      if (std::abs(brought - open.at("Σ α v", 0, i, h)) > 1e-4 * (1 + std::abs(brought)))
        return QString("out %1").arg(i);
    }
  }
  return {};
}

}  // namespace

class TestLivingInside : public QObject {
  Q_OBJECT

 private slots:
  void attention_is_its_equation() {
    using K = LivingStation::Kind;
    using S = LivingLane::Side;
    const auto story = map_of("story-gpt", "tom in the garden. he");
    for (const int row : {0, 3, story->range(S::target).second - 1}) {  // read at once, and written
      const Opened open = opened(story, station_of(*story, K::attention, S::target, 1), row);
      QCOMPARE(open.find("k", 0)->row_count(), Index(row + 1));  // causal
      QVERIFY2(attends(open, 4).isEmpty(), qPrintable(attends(open, 4)));
    }
    const auto tatoeba = map_of("tatoeba-transformer", "she was ill .");
    for (const Opened& open : {opened(tatoeba, station_of(*tatoeba, K::attention, S::source, 1), 1),
                               opened(tatoeba, station_of(*tatoeba, K::attention, S::target, 0), 2),
                               opened(tatoeba, station_of(*tatoeba, K::cross, S::target, 1), 2)})
      QVERIFY2(attends(open, 4).isEmpty(), qPrintable(attends(open, 4)));
  }

  // DeepSeek-AI 2024, section 2.1: what all heads have in common stands beside them, once.
  void latents_are_stations() {
    const auto folder = testing::made_elsewhere().parent_path() / "models" / "moe" / "deepseek_v3";
    if (!std::filesystem::is_directory(folder)) QSKIP(("the material is not at " + folder.string()).c_str());
    Request request;
    request.model = open_path(folder);
    request.source = "the cat sat";
    const auto map = living_map(std::make_shared<const Result>(run(request)));
    const int station = station_of(*map, LivingStation::Kind::attention, LivingLane::Side::target, 1);
    const auto written = static_cast<Index>(map->range(LivingLane::Side::target).second);
    for (const Index row : {Index(0), Index(3), written - 1}) {
      const Opened open = opened(map, station, row);
      const LivingValues *latent = open.find("latent"), *turned = open.find("turned part");
      QVERIFY(latent && turned && open.find("latent q"));
      QCOMPARE(latent->columns, Index(12));  // kv_lora_rank
      QCOMPARE(open.find("latent q")->columns, Index(16));
      QCOMPARE(turned->columns, Index(8));  // qk_rope_head_dim
      QCOMPARE(latent->row_count(), row + 1);
      QCOMPARE(latent->left, 0.0);
      for (Index head = 0; head < 4; ++head) {
        QCOMPARE(open.find("k", head)->columns, Index(16));
        for (Index key = 0; key <= row; ++key)
          for (Index i = 0; i < 8; ++i) QCOMPARE(open.at("k", key, 8 + i, head), open.at("turned part", key, i));
      }
      const double stretched = 0.1 * std::log(4.0) + 1;  // of yarn
      QVERIFY2(attends(open, 4, stretched * stretched / 4).isEmpty(),
               qPrintable(attends(open, 4, stretched * stretched / 4)));
    }
  }

  // relu(x W1 + b1) is what the hidden layer hands on, whatever the activation: where it is 0 or more here.
  void an_mlp_is_read_as_it_was_computed() {
    const auto story = map_of("story-gpt", "tom in the garden. he");
    const int station = station_of(*story, LivingStation::Kind::mlp, LivingLane::Side::target, 1);
    const Opened open = opened(story, station, 5);
    const LivingStation& of = story->stations[static_cast<std::size_t>(station)];
    QCOMPARE(open.find("W₁")->row_count() * open.find("W₁")->columns, Index(4 * of.units));
    QCOMPARE(open.find("h")->row_count(), Index(4));
    const Tensor state = state_vector(*story, station, 5);
    for (Index i = 0; i < of.units; ++i) {
      QCOMPARE(open.at("Σ", 0, i), static_cast<double>(state[i]));
      // What the step writes itself.
      const Tensor written = part_vector(*story, {station, of.part(LivingPart::Kind::written), 5});
      QCOMPARE(open.at("W₂", 0, i), static_cast<double>(written[i]));
    }
  }

  void cells_are_their_equations() {
    using K = LivingStation::Kind;
    using S = LivingLane::Side;
    const auto date = map_of("date-attention", "11/2");
    for (const S side : {S::source, S::target}) {
      const Opened open = opened(date, station_of(*date, K::cell, side), side == S::source ? 1 : 2);
      for (const char* symbol : {"f", "i", "g", "c′", "c", "o", "h"}) QVERIFY2(open.find(symbol), symbol);
      for (Index u = 0; u < open.find("c")->columns; ++u) {
        const double c = open.at("f", 0, u) * open.at("c′", 0, u) + open.at("i", 0, u) * open.at("g", 0, u);
        QVERIFY(std::abs(c - open.at("c", 0, u)) < 1e-5);
        QVERIFY(std::abs(open.at("o", 0, u) * std::tanh(c) - open.at("h", 0, u)) < 1e-5);
      }
    }
    const auto toy = map_of("toy-mt-bahdanau", "the girl sees");
    for (const int number : {0, 1}) {  // both directions
      const Opened open = opened(toy, station_of(*toy, K::cell, S::source, number), 1);
      for (Index u = 0; u < open.find("h")->columns; ++u) {
        const double z = open.at("z", 0, u), h = (1 - z) * open.at("h′", 0, u) + z * open.at("h̃", 0, u);
        QVERIFY(std::abs(h - open.at("h", 0, u)) < 1e-5);
      }
    }
  }

  void what_was_looked_up_is_the_sum_of_its_lanes() {
    const auto date = map_of("date-attention", "11/2");
    const Opened open = opened(date, station_of(*date, LivingStation::Kind::context, LivingLane::Side::target), 3);
    const LivingValues* brought = open.find("α h");
    QVERIFY(brought && open.find("s") && open.find("α") && open.find("c"));
    for (Index u = 0; u < brought->columns; ++u) {
      double sum = 0;
      for (Index j = 0; j < brought->row_count(); ++j) sum += open.at("α h", j, u);
      QVERIFY(std::abs(sum - open.at("c", 0, u)) < 1e-5);
    }
  }

  // Graves et al. 2014, eq. 3 and 4: slots are columns.
  void a_memory_is_erased_and_added_to() {
    const auto ntm = map_of("copy-ntm", "Hea");
    const int first = station_of(*ntm, LivingStation::Kind::memory, LivingLane::Side::memory);
    const Opened before = opened(ntm, first + 1, 0), open = opened(ntm, first + 2, 0);
    const LivingValues* memory = open.find("M");
    QVERIFY(memory);
    QCOMPARE(memory->columns, Index(64));
    QCOMPARE(memory->row_count(), Index(20));
    QCOMPARE(memory->left, open.inside.first_slot);
    for (Index slot = 0; slot < 64; ++slot)
      for (Index unit = 0; unit < 20; ++unit) {
        const double w = open.at("write", 0, slot);
        const double wanted = before.at("M", unit, slot) * (1 - w * open.at("e", unit, 0)) + w * open.at("a", unit, 0);
        QVERIFY(std::abs(wanted - open.at("M", unit, slot)) < 1e-5);
      }
    for (const char* symbol : {"write content", "write gate", "write shift", "read content", "read"})
      QVERIFY2(open.find(symbol), symbol);
  }

  void a_window_is_what_its_taps_read() {
    const auto toy = map_of("toy-mt-convs2s", "the girl sees the dog");
    using S = LivingLane::Side;
    for (const S side : {S::source, S::target}) {
      const int station = station_of(*toy, LivingStation::Kind::convolution, side, 1);
      const Opened open = opened(toy, station, 2);
      const LivingValues* window = open.find("x");
      QVERIFY(window && window->row_count() >= 2);
      for (Index u = 0; u < open.find("a")->columns; ++u)
        QVERIFY(std::abs(open.at("a", 0, u) * open.at("σ(b)", 0, u) - open.at("a∘σ(b)", 0, u)) < 1e-5);
      const Tensor below = state_vector(*toy, station - 1, window->lanes[0] - toy->range(side).first);
      for (Index u = 0; u < window->columns; ++u) QCOMPARE(open.at("x", 0, u), static_cast<double>(below[u]));
    }
  }

  // Nothing lies on anything else.
  void values_stand_beside_each_other_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("text");
    for (const auto& [model, text] :
         std::initializer_list<std::pair<const char*, const char*>>{{"story-gpt", "tom in the"},
                                                                    {"masked-bert", "the keys [MASK] on"},
                                                                    {"tatoeba-transformer", "she was ill ."},
                                                                    {"toy-mt-convs2s", "the girl sees"},
                                                                    {"date-attention", "11/2"},
                                                                    {"toy-mt-deep", "the girl sees"},
                                                                    {"grammar-bahdanau", "the cat sleeps ."},
                                                                    {"toy-mt-local", "the girl sees"},
                                                                    {"copy-ntm", "Hea"}})
      QTest::newRow(model) << QString(model) << QString(text);
  }
  void values_stand_beside_each_other() {
    QFETCH(QString, model);
    QFETCH(QString, text);
    const auto map = map_of(model.toUtf8(), text.toStdString());
    int opened_any = 0;
    for (int s = 0; s < static_cast<int>(map->stations.size()); ++s) {
      const LivingStation& station = map->stations[static_cast<std::size_t>(s)];
      const LivingInside inside = living_inside(*map, s, station.count - 1);
      opened_any += !inside.empty();
      for (const LivingValues& a : inside.values) {
        QVERIFY(a.left >= 0 && a.top >= 0);
        QVERIFY(a.left + static_cast<double>(a.columns) <= inside.columns);
        QVERIFY(a.top + static_cast<double>(a.row_count()) <= inside.rows);
        QVERIFY(a.lanes.empty() || a.lanes.size() == a.rows.size());
        for (Index row = 0; row < a.row_count(); ++row) {
          const LivingPlace last = a.at(row, a.columns - 1);
          QVERIFY(last.entry >= 0 && last.first < (*map->result->trace)[last.entry].value.size());
        }
        for (const LivingValues& b : inside.values) {
          if (&a == &b) continue;
          const bool apart = a.left + static_cast<double>(a.columns) <= b.left ||
                             b.left + static_cast<double>(b.columns) <= a.left ||
                             a.top + static_cast<double>(a.row_count()) <= b.top ||
                             b.top + static_cast<double>(b.row_count()) <= a.top;
          QVERIFY2(apart, (a.symbol + " and " + b.symbol + " of station " + std::to_string(s)).c_str());
        }
      }
    }
    QVERIFY(opened_any > 0);
  }
};

HEADLIGHT_TEST(TestLivingInside)

}  // namespace headlight::test_living_inside

#include "test_living_inside.moc"
