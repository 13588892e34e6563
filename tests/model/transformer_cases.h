// Transformers against PyTorch: every configuration of tests/data/reference/transformer (made by
// tests/reference/make_transformer.py), its sites, losses and gradients, alone, in a padded batch, and in training. The
// same bodies run in float32 and in float64. Files that hold float32 are compared as closely as they were rounded.
#pragma once

#include "tests/model/recurrent_cases.h"

namespace headlight::testing {

struct TransformerReference {
  SafetensorsFile file;
  std::unique_ptr<Model> model;
  std::string name;

  bool has(const std::string& tensor) const { return file.find(tensor) != nullptr; }
  const Json& config() const { return model->config(); }
  bool is(const char* type) const { return config().at("model_type") == type; }
  bool causal() const { return config().value("causal", true); }
  std::set<std::string> names(const std::string& prefix) const {
    std::set<std::string> found;
    for (const TensorInfo& tensor : file.tensors())
      if (tensor.name.starts_with(prefix)) found.insert(tensor.name.substr(prefix.size()));
    return found;
  }
  // `closest` for a file of float64; what rounding to float32 leaves for the others.
  double tolerance(double closest) const {
    return file.tensors().front().dtype == "F64" ? closest : std::max(closest, 5e-7);
  }
};

inline std::filesystem::path transformer_folder() {
  return std::filesystem::path(HEADLIGHT_TEST_DATA) / "reference" / "transformer";
}

inline std::vector<std::string> transformer_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(transformer_folder()))
    names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

inline TransformerReference open_transformer(const std::string& name) {
  TransformerReference reference{SafetensorsFile(transformer_folder() / (name + ".safetensors")), nullptr, name};
  reference.model = make_model(Json::parse(reference.file.metadata().at("config")), 1);
  load_parameters(reference.file, *reference.model);
  return reference;
}

// A row for each reference, or for those that a property is for.
inline void add_transformer_rows(bool (*has_it)(const TransformerReference&) = nullptr) {
  QTest::addColumn<std::string>("name");
  for (const std::string& name : transformer_names())
    if (!has_it || has_it(open_transformer(name))) QTest::newRow(name.c_str()) << name;
}
inline bool hides_padding(const TransformerReference& reference) { return reference.config().at("mask_padding"); }
inline bool has_padding_behind(const TransformerReference& reference) { return reference.has("behind/source"); }
inline TransformerReference fetch_transformer() {
  QFETCH(std::string, name);
  return open_transformer(name);
}

// Empty when every number is within `tolerance` of what is expected, in shares of the largest one (1 at least).
inline QString scaled_difference(const Tensor& got, const Tensor& expected, double tolerance) {
  double scale = 1;
  for (const double x : doubles(expected))
    if (std::isfinite(x)) scale = std::max(scale, std::abs(x));
  if (got.shape() != expected.shape()) return difference(got, expected, tolerance);
  Tensor a = got.clone(), b = expected.clone();
  a.array() /= static_cast<Scalar>(scale);
  b.array() /= static_cast<Scalar>(scale);
  return difference(a, b, tolerance);
}

// Sentences of a reference, padded at their ends to the longest, and `padding` further.
inline Sentences transformer_sentences(const SafetensorsFile& file, const std::vector<std::string>& prefixes,
                                       Index padding = 0) {
  const auto n_count = static_cast<Index>(prefixes.size());
  Index s_count = padding, t_count = 0;
  for (const std::string& prefix : prefixes) {
    s_count = std::max(s_count, padding + static_cast<Index>(file.find(prefix + "source")->shape[0]));
    t_count = std::max(t_count, static_cast<Index>(file.find(prefix + "decoder")->shape[0]));
  }
  Sentences all;
  Tensor ids = Tensor::zeros({s_count, n_count}), keep = Tensor::zeros({n_count, s_count});
  all.fed = Tensor::zeros({t_count, n_count});
  for (Tensor* part : {&all.targets, &all.mask, &all.draws}) *part = Tensor::zeros({n_count, t_count});
  for (Index n = 0; n < n_count; ++n) {
    const std::string& prefix = prefixes[static_cast<std::size_t>(n)];
    const Tensor source = file.load(prefix + "source"), fed = file.load(prefix + "decoder"),
                 target = file.load(prefix + "target");
    for (Index j = 0; j < source.size(); ++j) {
      ids[j * n_count + n] = source[j];
      keep[n * s_count + j] = 1;
    }
    for (Index t = 0; t < fed.size(); ++t) {
      all.fed[t * n_count + n] = fed[t];
      all.targets[n * t_count + t] = target[t];
      all.mask[n * t_count + t] = 1;
    }
    all.tokens += fed.size();
  }
  all.source = Source(ids, n_count > 1 || padding > 0 ? keep : Tensor());
  return all;
}

inline std::shared_ptr<const Trace> transformer_trace(const Model& model, const Source& source, const Tensor& fed,
                                                      bool explain = false) {
  Recorder recorder(Capture{{}, explain}, {});
  const auto decoding = model.begin(source, recorder.tap());
  for (Index t = 0; t < fed.size(); ++t) decoding->advance(Tensor::full({1, 1}, fed[t]), recorder.tap());
  std::vector<NamedTensor> parameters;
  for (const Parameter& p : model.parameters().all()) parameters.push_back({p.name, p.value});
  return recorder.finish(std::move(parameters));
}

// Every site, step by step, and no site on one side only: PyTorch computed all rows at once (invariant I2). Each has as
// many axes as its row in the catalogue.
inline bool transformer_sites_agree(double closest) {
  const TransformerReference reference = fetch_transformer();
  const Sentences a = transformer_sentences(reference.file, {"input/"});
  const auto trace = transformer_trace(*reference.model, a.source, a.fed);
  std::set<std::string> ours;
  bool ok = true;
  for (const TraceEntry& entry : trace->entries()) {
    const char* text = entry.site.text.c_str();
    if (!ours.insert(entry.site.text).second) ok = same("published twice", text);
    if (static_cast<std::size_t>(entry.value.rank()) != entry.site.kind->axes.size())
      ok = same("other axes than in the catalogue", text);
    const std::string name = "site/" + entry.site.text;
    if (!reference.has(name)) {
      ok = same("not in the reference", text);
    } else {
      ok = same(scaled_difference(entry.value, reference.file.load(name), reference.tolerance(closest)), text) && ok;
    }
  }
  for (const std::string& name : reference.names("site/"))
    if (!ours.contains(name)) ok = same("missing in our run", name.c_str());
  return ok && ours.size() > 30;
}

// Padding behind the source of sentence A, with a mask: what it changes in the sites, and what not.
inline bool transformer_padding_agrees(double closest) {
  const TransformerReference reference = fetch_transformer();
  const Sentences a = transformer_sentences(reference.file, {"input/"});
  const Tensor ids = reference.file.load("behind/source"), keep = reference.file.load("behind/keep");
  const Source source(ids.view(0, {ids.size(), 1}), keep.view(0, {1, keep.size()}));
  const auto trace = transformer_trace(*reference.model, source, a.fed);
  bool ok = true;
  std::size_t count = 0;
  for (const std::string& name : reference.names("behind/site/")) {
    const Tensor value = trace->value(name), expected = reference.file.load("behind/site/" + name);
    ++count;
    ok = same(value.defined() ? scaled_difference(value, expected, reference.tolerance(closest)) : QString("missing"),
              name.c_str()) &&
         ok;
  }
  return ok && count >= static_cast<std::size_t>(a.fed.size());
}

inline bool transformer_loss_agrees(double closest) {
  const TransformerReference reference = fetch_transformer();
  const Outcome outcome = run_sentences(*reference.model, transformer_sentences(reference.file, {"input/"}), {});
  return same(scaled_difference(outcome.loss, reference.file.load("loss"), reference.tolerance(closest)), "loss");
}

// The loss under `prefix`, and the gradient of every parameter, for both sentences in one batch.
inline bool transformer_gradients_agree(const TransformerReference& reference, const std::string& prefix,
                                        const Manner& manner, Index padding, double tolerance) {
  const Sentences both = transformer_sentences(reference.file, {"input/", "input/b/"}, padding);
  Graph graph(Graph::Keep::gradients);
  const Graph::Scope scope(&graph);
  const Outcome outcome = run_sentences(*reference.model, both, manner);
  graph.backward(outcome.loss, Tensor::full({1}, 1));
  bool ok = same(scaled_difference(outcome.loss, reference.file.load(prefix + "loss"), tolerance), "loss");
  std::set<std::string> ours;
  for (const Parameter& p : reference.model->parameters().all()) {
    ours.insert(p.name);
    const Tensor gradient = graph.gradient(p.value);  // undefined where the loss does not depend on it
    ok = same(scaled_difference(gradient.defined() ? gradient : Tensor::zeros(p.value.shape()),
                                reference.file.load(prefix + "grad/" + p.name), tolerance),
              p.name.c_str()) &&
         ok;
  }
  return ok && ours == reference.names(prefix + "grad/");
}

// Invariant I3: padded as much as the shorter sentence needs, and more; all steps at once and one by one.
inline bool transformer_padded_agrees(double closest) {
  const TransformerReference reference = fetch_transformer();
  const double tolerance = reference.tolerance(closest);
  const bool masked = reference.config().at("mask_padding");
  bool ok = transformer_gradients_agree(reference, "padded/", {}, 0, tolerance);
  if (masked) ok = transformer_gradients_agree(reference, "padded/", {}, 2, tolerance) && ok;
  if (reference.causal()) ok = transformer_gradients_agree(reference, "padded/", {true}, 0, tolerance) && ok;
  return ok;
}

// The same in training, without draws: another result with batch normalisation, and with nothing else.
inline bool transformer_training_agrees(double closest) {
  const TransformerReference reference = fetch_transformer();
  const bool other = reference.config().at("norm") == "batch";
  return reference.has("training/loss") == other &&
         transformer_gradients_agree(reference, other ? "training/" : "padded/", {false, false, true}, 0,
                                     reference.tolerance(closest));
}

// Invariants I1, I2 and I3: a padded batch, all steps at once and one by one, against each sentence alone.
inline bool transformer_batch_is_single(double tolerance) {
  const TransformerReference reference = fetch_transformer();
  const std::vector<std::string> prefixes = {"input/", "input/b/", "input/"};
  bool ok = true;
  for (const bool stepwise : {false, true}) {
    if (!stepwise && !reference.causal()) continue;  // then it is not
    const Outcome together =
        run_sentences(*reference.model, transformer_sentences(reference.file, prefixes, 1), {stepwise});
    for (std::size_t n = 0; n < prefixes.size(); ++n) {
      const Sentences one = transformer_sentences(reference.file, {prefixes[n]});
      const Outcome alone = run_sentences(*reference.model, one, {true});
      ok = same_rows(together, static_cast<Index>(n), alone, 0, one.fed.dim(0), tolerance, "row of the batch") && ok;
    }
  }
  return ok;
}

// select(): goes on with some rows, in another order, one of them twice; each as if it had always been alone.
inline bool transformer_rows_can_be_selected(double tolerance) {
  const TransformerReference reference = fetch_transformer();
  const Sentences both = transformer_sentences(reference.file, {"input/", "input/b/"});
  const auto decoding = reference.model->begin(both.source, Pass());
  decoding->advance(rows(both.fed, 0, 1), Pass());
  const std::vector<Index> order = {1, 0, 1};
  decoding->select(order);
  Outcome selected;
  const Tensor next = Tensor::of({1, 3}, {2, 4, 0});
  const Tensor logits = decoding->advance(next, Pass());
  keep_step(selected, logits, decoding->attention(), 0);
  bool ok = logits.dim(0) == 3;
  for (std::size_t n = 0; n < order.size(); ++n) {
    const Sentences one = transformer_sentences(reference.file, {order[n] == 0 ? "input/" : "input/b/"});
    const auto alone = reference.model->begin(one.source, Pass());
    alone->advance(rows(one.fed, 0, 1), Pass());
    Outcome expected;
    const Tensor row = alone->advance(Tensor::full({1, 1}, next[static_cast<Index>(n)]), Pass());
    keep_step(expected, row, alone->attention(), 0);
    ok = same_rows(selected, static_cast<Index>(n), expected, 0, 1, tolerance, "selected row") && ok;
  }
  return ok;
}

// Recording a run changes it by no more than the rounding of what is then computed in parts; explaining it, by nothing.
inline bool transformer_recording_changes_nothing(double tolerance) {
  const TransformerReference reference = fetch_transformer();
  const Sentences a = transformer_sentences(reference.file, {"input/"});
  std::vector<std::vector<double>> logits;
  for (const int mode : {0, 1, 2}) {
    Recorder recorder(Capture{{}, mode == 2}, {});
    const Pass pass(mode > 0 ? recorder.tap() : Tap());
    const auto decoding = reference.model->begin(a.source, pass);
    auto& all = logits.emplace_back();
    for (Index t = 0; t < a.fed.size(); ++t)
      for (const double x : doubles(decoding->advance(rows(a.fed, t, 1), pass))) all.push_back(x);
  }
  return same(difference(logits[1], logits[0], tolerance), "recorded") &&
         same(difference(logits[2], logits[1], 0), "explained");
}

}  // namespace headlight::testing
