// The Neural Turing Machine in float32: parity with PyTorch, its sites, its bits, and where reads come from.

#include "model/layers/memory_origin.h"
#include "model/ops/activations.h"
#include "model/ops/attention.h"
#include "tests/model/ntm_cases.h"
#include "tests/test_program.h"

namespace headlight::test_ntm {

using namespace headlight::testing;

class TestNtm : public QObject {
  Q_OBJECT
 private slots:
  void sites_data() { add_machine_rows(); }
  void sites() { QVERIFY(ntm_sites_agree(5e-5)); }
  void gradients_data() { add_machine_rows(); }
  void gradients() { QVERIFY(ntm_gradients_agree(2e-5)); }
  void batched_is_single_data() { add_machine_rows(); }
  void batched_is_single() { QVERIFY(ntm_batch_agrees(1e-5)); }
  void recording_changes_nothing_data() { add_machine_rows(); }
  void recording_changes_nothing();
  void exact_ordered_names();
  void two_heads_come_in_order();
  void shapes_follow_the_catalogue_data() { add_machine_rows(); }
  void shapes_follow_the_catalogue();
  void weightings_are_shares_data() { add_machine_rows(); }
  void weightings_are_shares();
  void cross_entropy_is_that_of_the_bits();
  void patterns_without_a_token_have_no_probability();
  void the_fed_token_does_not_matter();
  void selected_rows_go_on_data() { add_machine_rows(); }
  void selected_rows_go_on();
  void pure_content_reading();
  void a_shift_of_one_walks_along_the_memory();
  void origin_of_a_read();
  void origin_after_erasing();
  void origin_of_writes_without_a_token();
  void first_values();
  void settings_are_checked();
};

// To the last bit: with listeners and graphs, and without.
void TestNtm::recording_changes_nothing() {
  const auto model = filled_ntm(fetch_machine());
  const Tensor source = Tensor::of({3}, {5, 0, 6}), fed = Tensor::of({2}, {0, 1});
  const auto trace = ntm_trace(*model, source, fed);
  const auto decoding = model->begin(column_of(source), Tap());
  for (Index t = 0; t < 2; ++t) {
    const Tensor logits = decoding->advance(single_id(fed[t]), Tap());
    const Tensor recorded = trace->value("decoder.step[" + std::to_string(t) + "].output.logits");
    QVERIFY(same(difference(doubles(recorded), doubles(logits), 0), "recorded"));
  }
}

static std::vector<std::string> addressing(const std::string& head) {
  std::vector<std::string> names;
  for (const char* leaf :
       {"pre", "key", "beta", "gate", "shift", "gamma", "similarity", "w_content", "w_gated", "w_shifted", "w"})
    names.push_back(head + leaf);
  return names;
}

// One token in, one token out (models.md 4.15, nodes 1 to 10).
void TestNtm::exact_ordered_names() {
  for (const bool lstm : {true, false}) {
    std::vector<std::string> expected = {"input.src.ids", "input.src.display_index", "encoder.channels",
                                         "memory.head[0].read.w_start", "memory.head[0].write.w_start"};
    const auto add = [&](const std::string& place, std::vector<std::string> leaves) {
      for (const std::string& leaf : leaves) expected.push_back(place + leaf);
    };
    for (const std::string step : {"encoder.step[0].", "encoder.step[1].", "decoder.step[0]."}) {
      if (step.starts_with("decoder")) add(step, {"input.id"});
      add(step, {"controller.input"});
      if (lstm) {
        add(step + "lstm.", {"pre", "gate.f", "cand.g", "gate.i", "gate.o", "c", "h"});
      } else {
        add(step, {"controller.h"});
      }
      add("", addressing(step + "memory.head[0].read."));
      add(step, {"memory.head[0].read.vector"});
      add("", addressing(step + "memory.head[0].write."));
      add(step + "memory.head[0].write.", {"erase", "add", "M"});
    }
    add("decoder.step[0].output.", {"readout", "bits", "bit_probs", "logits", "probs"});
    add("decoder.step[0].", {"memory.origin"});
    const auto trace = ntm_trace(*filled_ntm(kMachines[lstm ? 0 : 1]), Tensor::of({1}, {3}), Tensor::of({1}, {0}));
    for (std::size_t i = 0; i < std::min(expected.size(), trace->entries().size()); ++i)
      QCOMPARE(QString::fromStdString(trace->entries()[i].site.text), QString::fromStdString(expected[i]));
    QCOMPARE(trace->entries().size(), expected.size());
  }
}

// Each pair reads, then writes, before the next pair reads.
void TestNtm::two_heads_come_in_order() {
  const auto trace = ntm_trace(*filled_ntm(kMachines[2]), Tensor::of({1}, {3}), Tensor::of({1}, {0}));
  std::vector<int> at;
  for (const char* name :
       {"head[0].read.vector", "head[0].write.M", "head[1].read.w", "head[1].read.vector", "head[1].write.M"})
    at.push_back(trace->find(std::string("encoder.step[0].memory.") + name));
  QVERIFY(at[0] > 0 && std::is_sorted(at.begin(), at.end()));
  QCOMPARE(trace->entries()[static_cast<std::size_t>(at[4])].site.head, Index{1});
  // What the second head reads is the memory that the first one has written.
  const Tensor w = trace->value("encoder.step[0].memory.head[1].read.w");
  const Tensor M = trace->value("encoder.step[0].memory.head[0].write.M");
  const Tensor read = weighted_sum(w.view(0, {1, 1, 6}), M.view(0, {1, 6, 4}));
  QVERIFY(same(difference(doubles(trace->value("encoder.step[0].memory.head[1].read.vector")), doubles(read), 1e-6),
               "second read"));
}

void TestNtm::shapes_follow_the_catalogue() {
  const NtmMachine& machine = fetch_machine();
  const auto trace = ntm_trace(*filled_ntm(machine), Tensor::of({3}, {5, 0, 6}), Tensor::of({2}, {0, 1}));
  for (const TraceEntry& entry : trace->entries()) {
    const std::string& name = entry.site.text;
    QVERIFY2(entry.site.kind, name.c_str());
    QVERIFY2(entry.value.rank() == static_cast<int>(entry.site.kind->axes.size()), name.c_str());
    for (int axis = 0; axis < entry.value.rank(); ++axis) {
      const Axis what = entry.site.kind->axes[static_cast<std::size_t>(axis)];
      const Index dim = entry.value.dim(axis);
      if (what == Axis::source) QVERIFY2(dim == 3, name.c_str());
      if (what == Axis::slot) QVERIFY2(dim == 6, name.c_str());
      if (what == Axis::vocabulary) QVERIFY2(dim == 8, name.c_str());
      if (what == Axis::single) QVERIFY2(dim == 1, name.c_str());
    }
    if (name.ends_with(".shift")) QCOMPARE(entry.value.size(), Index{3});
    if (name.ends_with(".output.bits")) QCOMPARE(entry.value.size(), Index{3});
    if (name.ends_with("controller.input")) QCOMPARE(entry.value.size(), Index{4 + 4 * machine.heads});
  }
}

// Invariant I4.
void TestNtm::weightings_are_shares() {
  const auto trace = ntm_trace(*filled_ntm(fetch_machine()), Tensor::of({3}, {5, 0, 6}), Tensor::of({2}, {0, 1}));
  int checked = 0;
  for (const TraceEntry& entry : trace->entries()) {
    const std::string& name = entry.site.text;
    const auto is = [&](const char* leaf) { return name.ends_with(leaf); };
    if (!is(".w") && !is(".w_content") && !is(".w_gated") && !is(".w_shifted") && !is(".w_start") && !is(".shift"))
      continue;
    double sum = 0;
    for (const double w : doubles(entry.value)) {
      QVERIFY2(w >= 0 && w <= 1, name.c_str());
      sum += w;
    }
    QVERIFY2(std::abs(sum - 1) < 1e-6, name.c_str());
    ++checked;
  }
  QVERIFY(checked >= 6 * 2 * 5 + 2);
}

// softmax over all 2^b tokens is the product of the bits, so its cross-entropy is the sum of theirs, for any numbers.
void TestNtm::cross_entropy_is_that_of_the_bits() {
  const auto model = filled_ntm(kMachines[0]);
  const auto trace = ntm_trace(*model, Tensor::of({3}, {5, 0, 6}), Tensor::of({1}, {0}));
  const auto z = doubles(trace->value("decoder.step[0].output.bits"));
  const auto p = doubles(trace->value("decoder.step[0].output.bit_probs"));
  const auto probs = doubles(trace->value("decoder.step[0].output.probs"));
  const Tensor logits = trace->value("decoder.step[0].output.logits");
  double sum = 0;
  for (int token = 0; token < 8; ++token) {
    double product = 1, entropy = 0, score = 0;
    for (int k = 0; k < 3; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const bool on = (token & (4 >> k)) != 0;  // the highest bit comes first
      score += on ? z[at] : 0;
      product *= on ? p[at] : 1 - p[at];
      // −y log σ(z) − (1 − y) log(1 − σ(z)), in its stable form
      entropy += std::max(z[at], 0.0) - (on ? z[at] : 0) + std::log1p(std::exp(-std::abs(z[at])));
    }
    QVERIFY(std::abs(static_cast<double>(logits[token]) - score) < 1e-5);
    QVERIFY(std::abs(probs[static_cast<std::size_t>(token)] - product) < 1e-6);
    const Tensor loss =
        cross_entropy(logits.view(0, {1, 8}), Tensor::full({1}, static_cast<Scalar>(token)), Tensor::full({1}, 1), 1);
    QVERIFY(std::abs(static_cast<double>(loss[0]) - entropy) < 1e-5);
    sum += product;
  }
  QVERIFY(std::abs(sum - 1) < 1e-6);
}

// Of a vocabulary of 6 the patterns 110 and 111 are no tokens: the others keep their odds.
void TestNtm::patterns_without_a_token_have_no_probability() {
  const auto model = make_model(
      Json{{"model_type", "ntm"}, {"source_vocabulary_size", 6}, {"target_vocabulary_size", 6}, {"hidden_size", 5}}, 1);
  double s = 0;
  for (Parameter& parameter : model->parameters().all())
    parameter.value.array() = fill(s += 1, parameter.value.shape()).array();
  const auto trace = ntm_trace(*model, Tensor::of({3}, {5, 0, 4}), Tensor::of({1}, {0}));
  const auto p = doubles(trace->value("decoder.step[0].output.bit_probs"));
  const auto probs = doubles(trace->value("decoder.step[0].output.probs"));
  QCOMPARE(p.size(), std::size_t{3});
  QCOMPARE(probs.size(), std::size_t{6});
  const auto product = [&](int token) {
    double of = 1;
    for (int k = 0; k < 3; ++k)
      of *= (token & (4 >> k)) != 0 ? p[static_cast<std::size_t>(k)] : 1 - p[static_cast<std::size_t>(k)];
    return of;
  };
  for (int token = 0; token < 6; ++token)
    QVERIFY(std::abs(probs[static_cast<std::size_t>(token)] - product(token) / (1 - product(6) - product(7))) < 1e-6);
}

void TestNtm::the_fed_token_does_not_matter() {
  const auto model = filled_ntm(kMachines[0]);
  const Tensor source = Tensor::of({3, 1}, {5, 0, 6});
  const Tensor a = model->begin(source, Tap())->advance(Tensor::of({2, 1}, {0, 0}), Tap());
  const Tensor b = model->begin(source, Tap())->advance(Tensor::of({2, 1}, {7, 3}), Tap());
  QVERIFY(same(difference(a, b, 0), "other tokens fed"));
}

// Beam search: rows are reordered and repeated in the middle of a decoding.
void TestNtm::selected_rows_go_on() {
  const auto model = filled_ntm(fetch_machine());
  const NtmBatch batch;
  const auto whole = model->begin({batch.ids, batch.keep}, Tap()),
             chosen = model->begin({batch.ids, batch.keep}, Tap());
  const Tensor first = Tensor::of({1, 3}, {0, 1, 2});
  whole->advance(first, Tap());
  chosen->advance(first, Tap());
  const std::vector<Index> rows = {2, 0, 0, 1};
  chosen->select(rows);
  const Tensor expected = whole->advance(first, Tap()), origin = whole->attention();
  const Tensor got = chosen->advance(Tensor::of({1, 4}, {0, 0, 0, 0}), Tap()), got_origin = chosen->attention();
  QCOMPARE(got.dim(0), Index{4});
  for (Index i = 0; i < 4; ++i) {
    const Index n = rows[static_cast<std::size_t>(i)];
    QVERIFY(same(difference(got.view(i * 8, {8}), expected.view(n * 8, {8}), 1e-6), "logits"));
    QVERIFY(same(difference(got_origin.view(i * 5, {5}), origin.view(n * 5, {5}), 1e-6), "origin"));
  }
}

// The addressing of a head, fixed: gate, shift and sharpening as given, whatever the controller says.
static void fix_head(Model& model, const std::string& head, Scalar gate, const std::vector<Scalar>& shift) {
  for (Parameter& p : model.parameters().all()) {
    if (p.name == head + ".W") p.value.matrix().middleCols(5, 5).setZero();
    if (p.name != head + ".b") continue;
    p.value[5] = gate;
    for (Index k = 0; k < 3; ++k) p.value[6 + k] = shift[static_cast<std::size_t>(k)];
    p.value[9] = -800;  // γ = 1 + softplus(−800) = 1
  }
}

// Invariant I12: with g = 1, s = (0, 1, 0) and γ = 1 a read is attention with the cosine score.
void TestNtm::pure_content_reading() {
  const auto model = filled_ntm(kMachines[0]);
  fix_head(*model, "memory.head[0].read", 800, {-800, 0, -800});
  const auto trace = ntm_trace(*model, Tensor::of({3}, {5, 0, 6}), Tensor::of({1}, {0}));
  for (int j = 1; j <= 3; ++j) {
    const auto at = [&](int step, const char* leaf) {
      return trace->value("encoder.step[" + std::to_string(step) + "].memory.head[0]." + leaf);
    };
    const Tensor M = at(j - 1, "write.M").view(0, {1, 6, 4});
    const Tensor weights = softmax(cosine_scores(at(j, "read.key").view(0, {1, 1, 4}), M, at(j, "read.beta")));
    QVERIFY(same(difference(doubles(at(j, "read.w")), doubles(weights), 1e-6), "weights"));
    QVERIFY(same(difference(doubles(at(j, "read.vector")), doubles(weighted_sum(weights, M)), 1e-6), "read"));
  }
}

// With g = 0 and s = (0, 0, 1) a head that starts at slot 0 is at slot t + 1 after step t, and comes round.
void TestNtm::a_shift_of_one_walks_along_the_memory() {
  NtmMachine machine = kMachines[0];
  machine.learned_start = true;
  const std::shared_ptr<Model> model = filled_ntm(machine);
  fix_head(*model, "memory.head[0].write", -800, {-800, -800, 0});
  for (Parameter& p : model->parameters().all())
    if (p.name == "memory.head[0].write.start")
      for (Index i = 0; i < 6; ++i) p.value[i] = i == 0 ? 0 : -800;
  const auto trace = ntm_trace(*model, Tensor::of({7}, {5, 0, 6, 1, 2, 3, 4}), Tensor::of({1}, {0}));
  for (int j = 0; j < 8; ++j) {
    const Tensor w = trace->value("encoder.step[" + std::to_string(j) + "].memory.head[0].write.w");
    for (Index i = 0; i < 6; ++i) QVERIFY(std::abs(w[i] - Scalar(i == (j + 1) % 6)) < Scalar(1e-6));
  }
}

static WriteHead::Written write_of(const std::vector<Scalar>& weights, Scalar erase, Scalar add) {
  const auto count = static_cast<Index>(weights.size());
  return {Tensor::of({1, count}, weights), Tensor::full({1, 1}, erase), Tensor::full({1, 1}, add), {}};
}

// Two slots of width 1. Token 0 adds 3 to slot 0, token 1 adds −4 to slot 1: a read of both halves is 1.5 and −2.
void TestNtm::origin_of_a_read() {
  MemoryOrigin origin(Tensor::zeros({1, 2, 1}), 3, 1);
  origin.add_write(write_of({1, 0}, 0, 3), 0, {});
  origin.add_write(write_of({0, 1}, 0, -4), 1, {});
  origin.add_read(Tensor::of({1, 2}, {Scalar(0.5), Scalar(0.5)}));
  origin.add_read(Tensor::of({1, 2}, {0, 1}));
  QVERIFY(origin.shares().shape() == Shape({1, 2, 3}));
  QVERIFY(same(difference(origin.shares(), {1.5 / 3.5, 2 / 3.5, 0, 0, 1, 0}, 1e-6), "shares"));
  origin.forget_reads();
  QCOMPARE(origin.shares().dim(1), Index{0});
}

// The memory begins with 8 in slot 0. Token 0 wipes half of it and adds 4; a write of no token wipes a quarter and adds
// 1. Left: of the first content 8·½·¾ = 3, of token 0 4·¾ = 3, of no token 1; a write that came after the read and one
// that did not take place in this row count for nothing.
void TestNtm::origin_after_erasing() {
  MemoryOrigin origin(Tensor::of({1, 2, 1}, {8, 0}), 2, 1);
  origin.add_write(write_of({1, 0}, Scalar(0.5), 4), 0, {});
  origin.add_write(write_of({1, 0}, 1, 99), 1, Tensor::zeros({1}));
  origin.add_write(write_of({Scalar(0.5), 0}, Scalar(0.5), 2), -1, {});
  origin.add_read(Tensor::of({1, 2}, {1, 0}));
  origin.add_write(write_of({1, 0}, 1, 7), 1, {});
  QVERIFY(same(difference(origin.shares(), {3 / 7.0, 0}, 1e-6), "shares"));
}

// Writes of no token count one by one: +2 and −2 at two steps are two vectors of norm 2, not one of norm 0. The two
// heads of one step are one vector: 1 + 3.
void TestNtm::origin_of_writes_without_a_token() {
  MemoryOrigin alone(Tensor::zeros({1, 1, 1}), 1, 1);
  alone.add_write(write_of({1}, 0, 4), 0, {});
  alone.add_write(write_of({1}, 0, 2), -1, {});
  alone.add_write(write_of({1}, 0, -2), -1, {});
  alone.add_read(Tensor::of({1, 1}, {1}));
  QVERIFY(same(difference(alone.shares(), {4.0 / 8}, 1e-6), "shares"));
  MemoryOrigin pair(Tensor::zeros({1, 1, 1}), 1, 2);
  pair.add_write(write_of({1}, 0, 1), 0, {});
  pair.add_write(write_of({1}, 0, 3), 0, {});
  pair.add_write(write_of({1}, 0, 6), -1, {});
  pair.add_write(write_of({1}, 0, -2), -1, {});
  pair.add_read(Tensor::of({1, 1}, {1}));
  QVERIFY(same(difference(pair.shares(), {4.0 / 8}, 1e-6), "shares"));
}

// models.md 4.15: the ranges that new parameters are drawn from.
void TestNtm::first_values() {
  const auto model =
      make_model({{"model_type", "ntm"}, {"source_vocabulary_size", 64}, {"target_vocabulary_size", 64}}, 3);
  const auto largest = [&](const char* name) { return model->parameters().find(name)->array().abs().maxCoeff(); };
  const auto shape = [&](const char* name) {
    return QString::fromStdString(model->parameters().find(name)->shape().text());
  };
  QCOMPARE(shape("controller.lstm.Wx"), QString("[27 x 400]"));
  QCOMPARE(shape("memory.init"), QString("[128 x 20]"));
  QCOMPARE(shape("memory.head[0].read.W"), QString("[100 x 26]"));
  QCOMPARE(shape("memory.head[0].write.W"), QString("[100 x 66]"));
  QCOMPARE(shape("output.W"), QString("[120 x 6]"));
  const auto within = [&](const char* name, double bound) {
    return static_cast<double>(largest(name)) <= bound && static_cast<double>(largest(name)) > 0.9 * bound;
  };
  QVERIFY(within("controller.lstm.Wx", 5 / std::sqrt(127.0)));
  QVERIFY(within("controller.lstm.Wh", 5 / std::sqrt(127.0)));
  QVERIFY(within("memory.init", 1 / std::sqrt(148.0)));
  QVERIFY(within("memory.head[0].write.W", 1.4 * std::sqrt(6 / 166.0)));
  QVERIFY(within("output.W", std::sqrt(6 / 126.0)));
  QVERIFY(largest("controller.lstm.b") == 0);
  QVERIFY(largest("memory.head[0].write.b") > Scalar(0.01) && largest("memory.head[0].write.b") < Scalar(0.06));
  QVERIFY(largest("controller.init.h") > Scalar(0.06) && largest("controller.init.h") < Scalar(0.3));
}

void TestNtm::settings_are_checked() {
  const auto refuse = [](Json changes) {
    Json config = {{"model_type", "ntm"}, {"source_vocabulary_size", 8}, {"target_vocabulary_size", 8}};
    config.update(changes);
    return message_of<FormatError>([&] { make_model(config, 1); });
  };
  QCOMPARE(refuse({{"source_vocabulary_size", 6}, {"target_vocabulary_size", 6}}), QString("no exception"));
  QCOMPARE(refuse({{"target_vocabulary_size", 16}}),
           QString("both vocabularies of an NTM must have the same number of tokens; found 8 and 16"));
  QCOMPARE(refuse({{"controller", "gru"}}), QString("\"controller\" must be one of lstm, feedforward; found \"gru\""));
  QVERIFY(refuse({{"memory.slots", 0}}).contains("\"memory.slots\" must be a whole number from 1"));
  QCOMPARE(refuse(Json::object()), QString("no exception"));
}

HEADLIGHT_TEST(TestNtm)

}  // namespace headlight::test_ntm

#include "test_ntm.moc"
