// Parity with PyTorch: every site, the loss and every gradient of the three models against tests/data/reference (made
// by tests/reference/make_reference.py). The same body runs in float32 and in float64.
#pragma once

#include <optional>
#include <set>

#include "model/io/safetensors.h"
#include "model/ops/softmax.h"
#include "model/trace/trace.h"
#include "tests/model/helpers.h"

namespace headlight::testing {

// One of the six reference runs, with our model under its weights.
struct Reference {
  SafetensorsFile file;
  std::string run;  // "forward" or "reversed"
  std::unique_ptr<Model> model;

  Tensor input(const char* name) const { return file.load(run + "/input/" + name); }
  // Names behind a prefix of this run: "site/" -> {"encoder.embed.out", …}
  std::set<std::string> names(const std::string& kind) const {
    const std::string prefix = run + "/" + kind + "/";
    std::set<std::string> found;
    for (const TensorInfo& tensor : file.tensors())
      if (tensor.name.starts_with(prefix)) found.insert(tensor.name.substr(prefix.size()));
    return found;
  }
};

inline std::string reference_path(const std::string& architecture) {
  return std::string(HEADLIGHT_TEST_DATA) + "/reference/" + architecture + ".safetensors";
}

inline Reference open_reference(const std::string& architecture, const std::string& run) {
  Reference reference{SafetensorsFile(reference_path(architecture)), run, nullptr};
  const auto dim = [&](const char* name, std::size_t axis) {
    return static_cast<Index>(reference.file.find(std::string("param/") + name)->shape[axis]);
  };
  reference.model = make_model({{"model_type", architecture},
                                {"source_vocabulary_size", dim("encoder.embed.W", 0)},
                                {"target_vocabulary_size", dim("decoder.embed.W", 0)},
                                {"embedding_size", dim("encoder.embed.W", 1)},
                                {"hidden_size", dim("encoder.lstm.Wh", 0)},
                                {"reverse_source", run == "reversed"}},
                               1);
  std::size_t count = 0;
  for (const TensorInfo& tensor : reference.file.tensors()) count += tensor.name.starts_with("param/");
  if (count != reference.model->parameters().all().size()) throw UsageError("the models have other parameters");
  for (Parameter& p : reference.model->parameters().all()) {
    const Tensor value = reference.file.load("param/" + p.name);
    require_shape(value.shape() == p.value.shape(), "parameter", p.value.shape().text(), value.shape());
    p.value.array() = value.array();
  }
  return reference;
}

inline Tensor column_of_ids(const Tensor& ids) { return ids.view(0, {ids.size(), 1}); }
inline Tensor one_id(Scalar id) { return Tensor::full({1, 1}, id); }

inline void add_reference_rows() {
  QTest::addColumn<std::string>("architecture");
  QTest::addColumn<std::string>("run");
  for (const char* architecture : kArchitectures)
    for (const char* run : {"forward", "reversed"})
      QTest::newRow((std::string(architecture) + " " + run).c_str()) << std::string(architecture) << std::string(run);
}

inline Reference fetch_reference() {
  QFETCH(std::string, architecture);
  QFETCH(std::string, run);
  return open_reference(architecture, run);
}

// Every site, step by step, and no site on one side only.
inline bool sites_agree(double tolerance) {
  const Reference reference = fetch_reference();
  Recorder recorder({}, {});
  const auto decoding = reference.model->begin(column_of_ids(reference.input("source")), recorder.tap());
  const Tensor fed = reference.input("decoder");
  for (Index t = 0; t < fed.size(); ++t) decoding->advance(one_id(fed[t]), recorder.tap());
  const auto trace = recorder.finish({});
  std::set<std::string> ours;
  bool ok = true;
  for (const TraceEntry& entry : trace->entries()) {
    if (!ours.insert(entry.site.text).second) ok = same("published twice", entry.site.text.c_str());
    const std::string name = reference.run + "/site/" + entry.site.text;
    if (!reference.file.find(name)) {
      ok = same("not in the reference", entry.site.text.c_str());
    } else {
      ok = same(difference(entry.value, reference.file.load(name), tolerance), entry.site.text.c_str()) && ok;
    }
  }
  for (const std::string& name : reference.names("site"))
    if (!ours.contains(name)) ok = same("missing in our run", name.c_str());
  return ok && !ours.empty();
}

// The loss and the gradient of every parameter, all target steps at once.
inline bool gradients_agree(double tolerance) {
  const Reference reference = fetch_reference();
  Graph graph(Graph::Keep::gradients);
  const Graph::Scope scope(&graph);
  const Tensor fed = reference.input("decoder"), targets = reference.input("target");
  const Tensor logits =
      reference.model->begin(column_of_ids(reference.input("source")), Tap())->advance(column_of_ids(fed), Tap());
  const Tensor loss =
      cross_entropy(logits, targets, Tensor::full(targets.shape(), 1), Scalar(1) / static_cast<Scalar>(targets.size()));
  graph.backward(loss, Tensor::full({1}, 1));
  bool ok = same(difference(loss, reference.file.load(reference.run + "/loss"), tolerance), "loss");
  std::set<std::string> ours;
  for (const Parameter& p : reference.model->parameters().all()) {
    ours.insert(p.name);
    const Tensor expected = reference.file.load(reference.run + "/grad/" + p.name);
    ok = same(difference(graph.gradient(p.value), expected, tolerance), p.name.c_str()) && ok;
  }
  return ok && ours == reference.names("grad");
}

// Invariant I1: three sources and targets at once, all steps at once, against each alone and step by step.
inline bool batch_agrees(double tolerance) {
  const Reference reference = fetch_reference();
  const Tensor source = reference.input("source"), fed = reference.input("decoder");
  const Index s_count = source.size(), t_count = fed.size(), batch = 3;
  Tensor sources({s_count, batch}), inputs({t_count, batch});
  for (Index n = 0; n < batch; ++n) {  // each one turned a little further, so that no two are the same
    for (Index j = 0; j < s_count; ++j) sources[j * batch + n] = source[(j + n) % s_count];
    for (Index t = 0; t < t_count; ++t) inputs[t * batch + n] = fed[(t + n) % t_count];
  }
  const Tensor together = reference.model->begin(sources, Tap())->advance(inputs, Tap());  // [N x T x V]
  bool ok = true;
  for (Index n = 0; n < batch; ++n) {
    Tensor alone({s_count, 1});
    for (Index j = 0; j < s_count; ++j) alone[j] = sources[j * batch + n];
    const auto decoding = reference.model->begin(alone, Tap());
    for (Index t = 0; t < t_count; ++t) {
      const Tensor single = decoding->advance(one_id(inputs[t * batch + n]), Tap());
      const Index v_count = single.size();
      const std::vector<double> row = doubles(together.view((n * t_count + t) * v_count, {v_count}));
      ok = same(difference(single, row, tolerance), "row of the batch") && ok;
    }
  }
  return ok;
}

// Recording a run must not change it: the same numbers to the last bit, with and without listeners and graphs.
inline bool recording_changes_nothing() {
  const Reference reference = fetch_reference();
  const Tensor source = column_of_ids(reference.input("source")), fed = reference.input("decoder");
  std::vector<std::vector<double>> logits;
  for (const int mode : {0, 1, 2}) {
    std::optional<Recorder> recorder;
    if (mode > 0) recorder.emplace(Capture{{}, mode == 2}, std::vector<Intervention>());
    const Tap tap = recorder ? recorder->tap() : Tap();
    const auto decoding = reference.model->begin(source, tap);
    auto& all = logits.emplace_back();
    for (Index t = 0; t < fed.size(); ++t)
      for (const double x : doubles(decoding->advance(one_id(fed[t]), tap))) all.push_back(x);
  }
  return same(difference(logits[1], logits[0], 0), "recorded") &&
         same(difference(logits[2], logits[0], 0), "explained");
}

}  // namespace headlight::testing
