// The memory of a machine along its time, against the sites of its trace and the equations of Graves et al. 2014.
#include <QTest>
#include <cmath>

#include "model/analysis/memory_tracks.h"
#include "model/models/registry.h"
#include "tests/test_program.h"

namespace headlight::test_memory_tracks {

namespace {

Result run_of(const Json& settings = Json::object(), Capture capture = {}) {
  auto bundle = std::make_shared<ModelBundle>();
  bundle->text.source = Tokenizer(Vocabulary({" ", "a", "b", "c"}));
  bundle->text.target = bundle->text.source;
  bundle->text.target_length = 3;
  Json config = {{"model_type", "ntm"}, {"source_vocabulary_size", 4}, {"target_vocabulary_size", 4},
                 {"hidden_size", 6},    {"memory.slots", 7},           {"memory.width", 5}};
  config.update(settings);
  bundle->model = make_model(config, 5);
  Request request;
  request.model = bundle;
  request.source = "abcb";
  request.capture = std::move(capture);
  return run(request);
}

double sum_of(const Tensor& x) { return static_cast<double>(x.array().sum()); }

}  // namespace

class TestMemoryTracks : public QObject {
  Q_OBJECT

 private slots:
  void steps_of_both_phases() {
    const Result result = run_of();
    QVERIFY(MemoryRun::in(result));
    const MemoryRun memory(result);
    QCOMPARE(memory.step_count(), 4 + 1 + 3);
    QCOMPARE(memory.slot_count(), Index(7));
    QCOMPARE(memory.width(), Index(5));
    QCOMPARE(memory.pairs(), Index(1));
    QCOMPARE(memory.steps()[2].text, std::string("c"));
    QVERIFY(memory.steps()[4].kind == MemoryStep::Kind::delimiter);
    QCOMPARE(memory.steps()[5].place, std::string("decoder.step[0]"));
    QCOMPARE(memory.step_at(3, -1), 3);
    QCOMPARE(memory.step_at(-1, 2), 7);
    QCOMPARE(memory.step_at(-1, -1), -1);
    QCOMPARE(memory.step_of(result.trace->find("decoder.step[1].memory.head[0].read.w")), 6);
    QCOMPARE(memory.step_of(result.trace->find("encoder.channels")), -1);
  }

  void values_are_those_of_the_trace() {
    const Result result = run_of({{"memory.heads", 2}});
    const MemoryRun memory(result);
    QCOMPARE(memory.heads().size(), std::size_t(4));
    for (int step = 0; step < memory.step_count(); ++step) {
      const std::string place =
          step < 5 ? "encoder.step[" + std::to_string(step) + "]" : "decoder.step[" + std::to_string(step - 5) + "]";
      QCOMPARE(memory.memory(step).entry, result.trace->find(place + ".memory.head[1].write.M"));
      QCOMPARE(memory.erase(1, step).entry, result.trace->find(place + ".memory.head[1].write.erase"));
      QCOMPARE(memory.add(0, step).entry, result.trace->find(place + ".memory.head[0].write.add"));
      QCOMPARE(memory.read(1, step).entry, result.trace->find(place + ".memory.head[1].read.vector"));
      for (const MemoryHeadName head : memory.heads()) {
        const std::string at =
            place + ".memory.head[" + std::to_string(head.pair) + "]." + (head.writes ? "write" : "read") + ".";
        const MemoryAddressing all = memory.addressing(head, step);
        QCOMPARE(memory.weighting(head, step).entry, result.trace->find(at + "w"));
        QCOMPARE(all.weighting.entry, result.trace->find(at + "w"));
        QCOMPARE(all.content.entry, result.trace->find(at + "w_content"));
        QCOMPARE(all.similarity.entry, result.trace->find(at + "similarity"));
        QCOMPARE(all.key.entry, result.trace->find(at + "key"));
        QCOMPARE(all.beta, static_cast<double>(result.trace->value(at + "beta")[0]));
        QCOMPARE(all.gamma, static_cast<double>(result.trace->value(at + "gamma")[0]));
      }
    }
  }

  // Each stage from the one before, computed here with eq. 5, 7, 8 and 9; the memory with eq. 3 and 4.
  void the_stages_follow_from_each_other() {
    const Result result = run_of();
    const MemoryRun memory(result);
    for (int step = 0; step < memory.step_count(); ++step)
      for (const MemoryHeadName head : memory.heads()) {
        const MemoryAddressing all = memory.addressing(head, step);
        double z = 0, sharp = 0;
        for (Index i = 0; i < 7; ++i) {
          z += std::exp(all.beta * static_cast<double>(all.similarity.value[i]));
          sharp += std::pow(static_cast<double>(all.shifted.value[i]), all.gamma);
        }
        for (Index i = 0; i < 7; ++i) {
          const auto at = [i](const MemoryValue& v, Index by = 0) {
            return static_cast<double>(v.value[(i + by + 7) % 7]);
          };
          QVERIFY(std::abs(at(all.content) - std::exp(all.beta * at(all.similarity)) / z) < 1e-5);
          QVERIFY(std::abs(at(all.gated) - (all.gate * at(all.content) + (1 - all.gate) * at(all.before))) < 1e-5);
          const double moved =
              all.shift[0] * at(all.gated, 1) + all.shift[1] * at(all.gated) + all.shift[2] * at(all.gated, -1);
          QVERIFY(std::abs(at(all.shifted) - moved) < 1e-5);
          QVERIFY(std::abs(at(all.weighting) - std::pow(at(all.shifted), all.gamma) / sharp) < 1e-5);
        }
        QVERIFY(std::abs(sum_of(all.weighting.value) - 1) < 1e-5);
      }
    for (int step = 0; step < memory.step_count(); ++step) {
      const Tensor before = memory.memory(step - 1).value, after = memory.memory(step).value;
      const Tensor w = memory.weighting({0, true}, step).value, e = memory.erase(0, step).value,
                   a = memory.add(0, step).value;
      for (Index i = 0; i < 7; ++i)
        for (Index j = 0; j < 5; ++j) {
          const double expected = static_cast<double>(before.matrix()(i, j)) * (1 - static_cast<double>(w[i] * e[j])) +
                                  static_cast<double>(w[i] * a[j]);
          QVERIFY(std::abs(static_cast<double>(after.matrix()(i, j)) - expected) < 1e-5);
        }
    }
  }

  void incomplete_traces_and_other_models() {
    QVERIFY(MemoryRun(run_of(Json::object(), Capture{{"decoder.*"}, false})).empty());
    QVERIFY(MemoryRun(run_of(Json::object(), Capture{{"encoder.*"}, false})).empty());
    QVERIFY(!MemoryRun::in(Result{}));
    QVERIFY(MemoryRun(Result{}).empty());
  }
};

HEADLIGHT_TEST(TestMemoryTracks)

}  // namespace headlight::test_memory_tracks

#include "test_memory_tracks.moc"
