// The Neural Turing Machine against its reference in PyTorch (tests/data/reference/ntm.safetensors, made by
// tests/reference/ntm.py) and against itself. The same bodies run in float32 and in float64.
#pragma once

#include <set>

#include "model/io/safetensors.h"
#include "model/ops/softmax.h"
#include "model/trace/trace.h"
#include "tests/model/gradient_check.h"
#include "tests/model/helpers.h"

namespace headlight::testing {

struct NtmMachine {
  const char* name;
  const char* controller;
  int heads;
  bool tanh, learned_start;
};
inline const NtmMachine kMachines[] = {
    {"lstm", "lstm", 1, false, false},
    {"feedforward", "feedforward", 1, false, false},
    {"two_heads", "lstm", 2, true, true},
};

// 3 bits, H = 5, 6 slots of width 4.
inline std::unique_ptr<Model> ntm_model(const NtmMachine& machine, InitialValues values = {}) {
  return make_model({{"model_type", "ntm"},
                     {"source_vocabulary_size", 8},
                     {"target_vocabulary_size", 8},
                     {"controller", machine.controller},
                     {"hidden_size", 5},
                     {"memory.slots", 6},
                     {"memory.width", 4},
                     {"memory.heads", machine.heads},
                     {"memory.tanh", machine.tanh},
                     {"memory.learned_start", machine.learned_start}},
                    values);
}

// A machine with weights large enough that no gate sits at its middle.
inline std::shared_ptr<Model> filled_ntm(const NtmMachine& machine) {
  std::shared_ptr<Model> model = ntm_model(machine);
  double s = 0;
  for (Parameter& parameter : model->parameters().all())
    parameter.value.array() = fill(s += 1, parameter.value.shape()).array() * Scalar(2);
  return model;
}

// One run of the reference, with our machine under its weights.
class NtmReference {
 public:
  explicit NtmReference(const NtmMachine& machine)
      : file_(std::string(HEADLIGHT_TEST_DATA) + "/reference/ntm.safetensors"),
        run_(std::string(machine.name) + "/"),
        model_(ntm_model(machine)) {
    std::set<std::string> ours;
    for (Parameter& p : model_->parameters().all()) {
      const Tensor value = load("param/" + p.name);
      require_shape(value.shape() == p.value.shape(), "parameter", p.value.shape().text(), value.shape());
      p.value.array() = value.array();
      ours.insert(p.name);
    }
    if (ours != names("param/")) throw UsageError("the machines have other parameters");
  }

  const Model& model() const { return *model_; }
  bool has(const std::string& name) const { return file_.find(run_ + name) != nullptr; }
  Tensor load(const std::string& name) const { return file_.load(run_ + name); }
  std::set<std::string> names(const std::string& kind) const {
    std::set<std::string> found;
    for (const TensorInfo& tensor : file_.tensors())
      if (tensor.name.starts_with(run_ + kind)) found.insert(tensor.name.substr((run_ + kind).size()));
    return found;
  }

 private:
  SafetensorsFile file_;
  std::string run_;
  std::unique_ptr<Model> model_;
};

inline Tensor column_of(const Tensor& ids) { return ids.view(0, {ids.size(), 1}); }

inline std::shared_ptr<const Trace> ntm_trace(const Model& model, const Tensor& source, const Tensor& fed,
                                              std::vector<Intervention> edits = {}) {
  Recorder recorder({}, std::move(edits));
  const auto decoding = model.begin(column_of(source), recorder.tap());
  for (Index t = 0; t < fed.size(); ++t) decoding->advance(single_id(fed[t]), recorder.tap());
  std::vector<NamedTensor> parameters;
  for (const Parameter& p : model.parameters().all()) parameters.push_back({p.name, p.value});
  return recorder.finish(std::move(parameters));
}

inline void add_machine_rows() {
  QTest::addColumn<int>("row");
  int row = 0;
  for (const NtmMachine& machine : kMachines) QTest::newRow(machine.name) << row++;
}
inline const NtmMachine& fetch_machine() {
  QFETCH(int, row);
  return kMachines[row];
}

// Every site, step by step, and no site on one side only.
inline bool ntm_sites_agree(double tolerance) {
  const NtmReference reference(fetch_machine());
  const auto trace = ntm_trace(reference.model(), reference.load("input/source"), reference.load("input/decoder"));
  std::set<std::string> ours;
  bool ok = trace->size() > 200;
  for (const TraceEntry& entry : trace->entries()) {
    const std::string& name = entry.site.text;
    if (!ours.insert(name).second) ok = same("published twice", name.c_str());
    if (reference.has("site/" + name)) {
      ok = same(difference(entry.value, reference.load("site/" + name), tolerance), name.c_str()) && ok;
    } else {
      ok = same("not in the reference", name.c_str());
    }
  }
  for (const std::string& name : reference.names("site/"))
    if (!ours.contains(name)) ok = same("missing in our run", name.c_str());
  return ok;
}

// The loss and the gradient of every parameter, all target steps at once.
inline bool ntm_gradients_agree(double tolerance) {
  const NtmReference reference(fetch_machine());
  Graph graph(Graph::Keep::gradients);
  const Graph::Scope scope(&graph);
  const Tensor targets = reference.load("input/target"), fed = reference.load("input/decoder");
  const Tensor logits =
      reference.model().begin(column_of(reference.load("input/source")), Tap())->advance(column_of(fed), Tap());
  const Tensor loss =
      cross_entropy(logits, targets, Tensor::full(targets.shape(), 1), Scalar(1) / static_cast<Scalar>(targets.size()));
  graph.backward(loss, Tensor::full({1}, 1));
  bool ok = same(difference(loss, reference.load("loss"), tolerance), "loss");
  for (const Parameter& p : reference.model().parameters().all())
    ok = same(difference(graph.gradient(p.value), reference.load("grad/" + p.name), tolerance), p.name.c_str()) && ok;
  return ok;
}

// Three sources of different lengths, padded at the end of the shorter ones with a token that must not matter.
struct NtmBatch {
  Tensor ids = Tensor::of({5, 3}, {3, 7, 1, 1, 0, 6, 4, 2, 7, 7, 5, 7, 7, 2, 7});  // [S x N]
  Index lengths[3] = {3, 5, 2};
  Tensor keep = Tensor::zeros({3, 5});
  Tensor fed = Tensor::of({3, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 0});  // [T x N]

  NtmBatch() {
    for (Index n = 0; n < 3; ++n)
      for (Index j = 0; j < lengths[n]; ++j) keep[n * 5 + j] = 1;
  }
  Tensor source(Index n) const {
    Tensor alone({lengths[n], 1});
    for (Index j = 0; j < lengths[n]; ++j) alone[j] = ids[j * 3 + n];
    return alone;
  }
};

// Invariants I1 and I3: together, padded and all steps at once, or each alone and step by step: logits and the origin
// of what was read.
inline bool ntm_batch_agrees(double tolerance) {
  const auto model = filled_ntm(fetch_machine());
  const NtmBatch batch;
  const auto decoding = model->begin({batch.ids, batch.keep}, Tap());
  const Tensor together = decoding->advance(batch.fed, Tap()),
               attention = decoding->attention();  // [N x T x V], [.. S]
  bool ok = attention.shape() == Shape({3, 3, 5});
  for (Index n = 0; n < 3; ++n) {
    const auto single = model->begin(batch.source(n), Tap());
    for (Index t = 0; t < 3; ++t) {
      const Tensor logits = single->advance(single_id(batch.fed[t * 3 + n]), Tap()), origin = single->attention();
      const Index s_count = batch.lengths[n];
      ok = same(difference(logits.view(0, {8}), together.view((n * 3 + t) * 8, {8}), tolerance), "logits") && ok;
      ok = same(difference(origin.view(0, {s_count}), attention.view((n * 3 + t) * 5, {s_count}), tolerance),
                "attention") &&
           ok;
      for (Index j = s_count; j < 5; ++j) ok = attention[(n * 3 + t) * 5 + j] == 0 && ok;
    }
  }
  return ok;
}

// The mean loss of a padded batch, a function of all parameters.
inline Differentiable ntm_loss(const NtmMachine& machine) {
  const std::shared_ptr<Model> model = filled_ntm(machine);
  std::vector<Tensor> inputs;
  for (const Parameter& p : model->parameters().all()) inputs.push_back(p.value);
  return {machine.name, inputs, [model](const std::vector<Tensor>&) {
            const NtmBatch batch;
            const Tensor logits = model->begin({batch.ids, batch.keep}, Tap())->advance(batch.fed, Tap());
            const Tensor targets = Tensor::of({3, 3}, {2, 3, 1, 5, 6, 4, 7, 0, 1});
            return cross_entropy(logits, targets, Tensor::of({3, 3}, {1, 1, 1, 1, 1, 0, 1, 1, 1}), Scalar(1) / 8);
          }};
}

}  // namespace headlight::testing
