// The convolutional model against PyTorch (tests/reference/convs2s.py), and what must hold for it whatever its numbers.
// The same body runs in float32 and in float64.
#pragma once

#include <optional>
#include <set>

#include "model/io/safetensors.h"
#include "model/ops/softmax.h"
#include "model/trace/trace.h"
#include "tests/model/helpers.h"

namespace headlight::testing {

inline Json tiny_convs2s(const Json& differences = Json::object()) {
  Json config = {{"model_type", "convs2s"},
                 {"source_vocabulary_size", 11},
                 {"target_vocabulary_size", 9},
                 {"embedding_size", 5},
                 {"hidden_size", 6},
                 {"out_size", 7},
                 {"encoder_layers", 2},
                 {"decoder_layers", 3},
                 {"kernel_size", 3},
                 {"max_positions", 12},
                 {"attention_layers", {0, 2}},
                 {"dropout", 0.1},
                 {"weight_norm", true},
                 {"gradient_scale", true},
                 {"reverse_source", false}};
  for (const auto& [key, value] : differences.items()) config[key] = value;
  return config;
}

// Weights large enough that gates leave their middle and attention prefers some tokens, and biases that are not 0.
inline std::unique_ptr<Model> filled_convs2s(const Json& differences = Json::object()) {
  auto model = make_model(tiny_convs2s(differences), 1);
  double s = 0;
  for (Parameter& p : model->parameters().all())
    p.value.array() = p.value.array() * Scalar(1.2) + fill(s += 1, p.value.shape()).array() * Scalar(0.3);
  return model;
}

struct ConvReference {
  SafetensorsFile file;
  std::string run;  // "forward", "reversed" or "padded"
  std::unique_ptr<Model> model;

  Tensor input(const char* name) const { return file.load(run + "/input/" + name); }
  Source source() const {
    const Tensor ids = input("source"), keep = input("keep");
    return {ids.view(0, {ids.size(), 1}), run == "padded" ? keep.view(0, {1, keep.size()}) : Tensor()};
  }
};

inline void add_convs2s_rows() {
  QTest::addColumn<std::string>("run");
  for (const char* run : {"forward", "reversed", "padded"}) QTest::newRow(run) << std::string(run);
}

inline ConvReference open_convs2s(const std::string& run) {
  ConvReference reference{SafetensorsFile(std::string(HEADLIGHT_TEST_DATA) + "/reference/convs2s.safetensors"), run,
                          make_model(tiny_convs2s({{"reverse_source", run == "reversed"}}), 1)};
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
inline ConvReference fetch_convs2s() {
  QFETCH(std::string, run);
  return open_convs2s(run);
}

inline Tensor as_column(const Tensor& ids) { return ids.view(0, {ids.size(), 1}); }

inline std::shared_ptr<const Trace> convs2s_trace(const Model& model, const Source& source, const Tensor& fed,
                                                  const Capture& capture = {}) {
  Recorder recorder(capture, {});
  const auto decoding = model.begin(source, recorder.tap());
  for (Index t = 0; t < fed.size(); ++t) decoding->advance(single_id(fed[t]), recorder.tap());
  std::vector<NamedTensor> parameters;
  for (const Parameter& p : model.parameters().all()) parameters.push_back({p.name, p.value});
  return recorder.finish(std::move(parameters));
}

// Every site, step by step, and no site on one side only. PyTorch computed all steps at once: invariant I17.
inline bool convs2s_sites_agree(double tolerance) {
  const ConvReference reference = fetch_convs2s();
  const auto trace = convs2s_trace(*reference.model, reference.source(), reference.input("decoder"));
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
  for (const TensorInfo& tensor : reference.file.tensors())
    if (const std::string prefix = reference.run + "/site/"; tensor.name.starts_with(prefix))
      if (!ours.contains(tensor.name.substr(prefix.size()))) ok = same("missing in our run", tensor.name.c_str());
  return ok && !ours.empty();
}

// The loss and the gradient of every parameter, all target steps at once.
inline bool convs2s_gradients_agree(double tolerance) {
  const ConvReference reference = fetch_convs2s();
  Graph graph(Graph::Keep::gradients);
  const Graph::Scope scope(&graph);
  const Tensor targets = reference.input("target");
  const Tensor logits =
      reference.model->begin(reference.source(), {})->advance(as_column(reference.input("decoder")), {});
  const Tensor loss =
      cross_entropy(logits, targets, Tensor::full(targets.shape(), 1), Scalar(1) / static_cast<Scalar>(targets.size()));
  graph.backward(loss, Tensor::full({1}, 1));
  bool ok = same(difference(loss, reference.file.load(reference.run + "/loss"), tolerance), "loss");
  for (const Parameter& p : reference.model->parameters().all()) {
    const Tensor expected = reference.file.load(reference.run + "/grad/" + p.name);
    const Tensor got = graph.gradient(p.value);
    ok = same(got.defined() ? difference(got, expected, tolerance) : QString("no gradient"), p.name.c_str()) && ok;
  }
  return ok;
}

// Three sentences of lengths 7, 4 and 2, padded behind with whatever comes first.
struct PaddedBatch {
  Index length = 7, t_count = 4, batch = 3;
  Tensor ids{Shape{7, 3}}, keep = Tensor::zeros({3, 7}), fed{Shape{4, 3}};
  std::vector<Index> lengths = {7, 4, 2};

  PaddedBatch() {
    for (Index i = 0; i < ids.size(); ++i) ids[i] = static_cast<Scalar>((7 * i + 3) % 11);
    for (Index i = 0; i < fed.size(); ++i) fed[i] = static_cast<Scalar>((4 * i + 1) % 9);
    for (Index n = 0; n < batch; ++n)
      for (Index j = 0; j < lengths[static_cast<std::size_t>(n)]; ++j) keep[n * length + j] = 1;
  }
  Source source() const { return {ids, keep}; }
  // Sentence n alone and without its padding.
  Source alone(Index n) const {
    Tensor own({lengths[static_cast<std::size_t>(n)], 1});
    own.matrix() = ids.matrix().col(n).head(own.size());
    return {own};
  }
  Tensor column(const Tensor& t, Index n) const {
    Tensor own({t.dim(0), 1});
    own.matrix() = t.matrix().col(n);
    return own;
  }
};

// Invariants I1, I3 and I17: a padded batch, all steps at once, against each sentence alone, unpadded, step by step.
inline bool convs2s_batch_agrees(const Json& differences, double tolerance) {
  const auto model = filled_convs2s(differences);
  const PaddedBatch batch;
  const Tensor together = model->begin(batch.source(), {})->advance(batch.fed, {});  // [N x T x V]
  const Index v_count = together.dim(2);
  bool ok = true;
  for (Index n = 0; n < batch.batch; ++n) {
    const auto decoding = model->begin(batch.alone(n), {});
    for (Index t = 0; t < batch.t_count; ++t) {
      const Tensor step = decoding->advance(single_id(batch.fed[t * batch.batch + n]), {});
      const Tensor row = together.view((n * batch.t_count + t) * v_count, {1, 1, v_count});
      ok = same(difference(step, row, tolerance), "row of the batch") && ok;
    }
  }
  return ok;
}

// Teacher forcing in pieces of any size gives the rows of all steps at once.
inline bool convs2s_pieces_agree(Index kernel, double tolerance) {
  const auto model = filled_convs2s({{"kernel_size", kernel}});
  const PaddedBatch batch;
  const Tensor fed = batch.fed;
  const Tensor whole = model->begin(batch.source(), {})->advance(fed, {});
  bool ok = true;
  for (const std::vector<Index>& pieces : {std::vector<Index>{1, 1, 1, 1}, {2, 2}, {1, 3}, {3, 1}, {1, 2, 1}}) {
    const auto decoding = model->begin(batch.source(), {});
    Index t = 0;
    for (const Index count : pieces) {
      const Tensor part = decoding->advance(fed.view(t * batch.batch, {count, batch.batch}), {});
      for (Index n = 0; n < batch.batch; ++n)
        for (Index i = 0; i < count; ++i)
          for (Index v = 0; v < whole.dim(2); ++v)
            ok =
                ok && std::abs(static_cast<double>(part[(n * count + i) * whole.dim(2) + v] -
                                                   whole[(n * batch.t_count + t + i) * whole.dim(2) + v])) <= tolerance;
      t += count;
    }
  }
  return ok;
}

// Recording a run must not change it: the same numbers to the last bit, with and without listeners and graphs.
inline bool convs2s_recording_changes_nothing() {
  const ConvReference reference = fetch_convs2s();
  const Tensor fed = reference.input("decoder");
  std::vector<std::vector<double>> logits;
  for (const int mode : {0, 1, 2}) {
    std::optional<Recorder> recorder;
    if (mode > 0) recorder.emplace(Capture{{}, mode == 2}, std::vector<Intervention>());
    const Tap tap = recorder ? recorder->tap() : Tap();
    const auto decoding = reference.model->begin(reference.source(), tap);
    auto& all = logits.emplace_back();
    for (Index t = 0; t < fed.size(); ++t)
      for (const double x : doubles(decoding->advance(single_id(fed[t]), tap))) all.push_back(x);
  }
  return same(difference(logits[1], logits[0], 0), "recorded") &&
         same(difference(logits[2], logits[0], 0), "explained");
}

}  // namespace headlight::testing
