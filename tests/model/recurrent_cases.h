// The recurrent models against PyTorch: every configuration of tests/data/reference/recurrent (made by
// tests/reference/recurrent.py and recurrent_lm.py), its sites, losses and gradients, alone, in a padded batch, and
// with the losses of the attention. The same bodies run in float32 and in float64.
#pragma once

#include <algorithm>
#include <filesystem>
#include <set>

#include "model/io/safetensors.h"
#include "model/ops/basic.h"
#include "model/ops/softmax.h"
#include "model/trace/trace.h"
#include "tests/model/helpers.h"

namespace headlight::testing {

// Sources that may differ in length, with what is fed and wanted.
struct Sentences {
  Source source{Tensor()};
  Tensor fed;      // [T x N]
  Tensor targets;  // [N x T]
  Tensor mask;     // [N x T]
  Tensor draws;    // [N x T]: u of hard attention
  Index tokens = 0;
};

struct RecurrentReference {
  SafetensorsFile file;
  std::unique_ptr<Model> model;

  bool has(const std::string& name) const { return file.find(name) != nullptr; }
  Json config() const { return Json::parse(file.metadata().at("config")); }
  bool draws() const { return has("site/decoder.step[0].attention.sample.u"); }
  std::set<std::string> names(const std::string& prefix) const {
    std::set<std::string> found;
    for (const TensorInfo& tensor : file.tensors())
      if (tensor.name.starts_with(prefix)) found.insert(tensor.name.substr(prefix.size()));
    return found;
  }
};

inline std::filesystem::path recurrent_folder() {
  return std::filesystem::path(HEADLIGHT_TEST_DATA) / "reference" / "recurrent";
}

inline std::vector<std::string> recurrent_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(recurrent_folder()))
    names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

inline void load_parameters(const SafetensorsFile& file, Model& model) {
  std::size_t count = 0;
  for (const TensorInfo& tensor : file.tensors()) count += tensor.name.starts_with("param/");
  if (count != model.parameters().all().size()) throw UsageError("the models have other parameters");
  for (Parameter& p : model.parameters().all()) {
    const Tensor value = file.load("param/" + p.name);
    require_shape(value.shape() == p.value.shape(), p.name.c_str(), p.value.shape().text(), value.shape());
    p.value.array() = value.array();
  }
}

inline RecurrentReference open_recurrent(const std::string& name) {
  RecurrentReference reference{SafetensorsFile(recurrent_folder() / (name + ".safetensors")), nullptr};
  reference.model = make_model(reference.config(), 1);
  load_parameters(reference.file, *reference.model);
  return reference;
}

// An exception fails the row that it comes from, not the whole test.
template <class Call>
bool without_exception(Call call) {
  try {
    return call();
  } catch (const std::exception& e) {
    return same(e.what(), "exception");
  }
}

inline void add_recurrent_rows() {
  QTest::addColumn<std::string>("name");
  for (const std::string& name : recurrent_names()) QTest::newRow(name.c_str()) << name;
}
inline RecurrentReference fetch_recurrent() {
  QFETCH(std::string, name);
  return open_recurrent(name);
}

// Sentences of a reference, padded at their ends to the longest, and `padding` further.
inline Sentences sentences(const SafetensorsFile& file, const std::vector<std::string>& prefixes, Index padding = 0) {
  const auto n_count = static_cast<Index>(prefixes.size());
  Index s_count = 0, t_count = 0;
  for (const std::string& prefix : prefixes) {
    s_count = std::max(s_count, static_cast<Index>(file.find(prefix + "source")->shape[0]));
    t_count = std::max(t_count, static_cast<Index>(file.find(prefix + "decoder")->shape[0]));
  }
  s_count += padding;
  Sentences all;
  Tensor ids = Tensor::zeros({s_count, n_count}), keep = Tensor::zeros({n_count, s_count});
  all.fed = Tensor::zeros({t_count, n_count});
  all.targets = Tensor::zeros({n_count, t_count});
  all.mask = Tensor::zeros({n_count, t_count});
  all.draws = Tensor::zeros({n_count, t_count});
  for (Index n = 0; n < n_count; ++n) {
    const std::string& prefix = prefixes[static_cast<std::size_t>(n)];
    const Tensor source = file.load(prefix + "source"), fed = file.load(prefix + "decoder"),
                 target = file.load(prefix + "target"), u = file.load(prefix + "u");
    for (Index j = 0; j < source.size(); ++j) {
      ids[j * n_count + n] = source[j];
      keep[n * s_count + j] = 1;
    }
    for (Index t = 0; t < fed.size(); ++t) {
      all.fed[t * n_count + n] = fed[t];
      all.targets[n * t_count + t] = target[t];
      all.mask[n * t_count + t] = 1;
      all.draws[n * t_count + t] = u[t];
    }
    all.tokens += fed.size();
  }
  all.source = Source(ids, n_count > 1 || padding > 0 ? keep : Tensor());
  return all;
}

// Gives hard attention the draws of the reference instead of its own.
struct GivenDraws : TapListener {
  explicit GivenDraws(Tensor u) : draws(std::move(u)) {}
  Tensor draws;  // [N x T]
  Tensor visit(const SitePath& place, const char* leaf, Tensor value) override {
    if (std::string(leaf) != "attention.sample.u") return value;
    Tensor u(value.shape());
    for (Index n = 0; n < u.size(); ++n) u[n] = draws[n * draws.dim(1) + place.index];
    return u;
  }
};

// How sentences are run.
struct Manner {
  bool stepwise = false;  // one token at a time
  bool draws = false;     // hard attention draws what the sentences give it (one token at a time)
  bool training = false;  // with the losses of the attention
  double baseline = 0;
};

// Column t of [N x T] as [N].
inline Tensor step_of(const Tensor& x, Index t) {
  Tensor out({x.dim(0)});
  for (Index n = 0; n < out.size(); ++n) out[n] = x[n * x.dim(1) + t];
  return out;
}

struct Outcome {
  std::vector<Tensor> logits;     // [N x V] of each step
  std::vector<Tensor> attention;  // [N x S] of each step; empty where there is none
  Tensor loss;                    // [1]
};

inline Tensor nll_of(const std::vector<Tensor>& logits, const Sentences& all) {
  Tensor nll = Tensor::zeros({all.mask.dim(0)});
  const Index t_count = all.mask.dim(1);
  for (Index t = 0; t < t_count; ++t)
    for (Index n = 0; n < nll.size(); ++n) {
      const Index i = n * t_count + t;
      if (all.mask[i] != 0)
        nll[n] -= static_cast<Scalar>(
            log_probabilities(logits[static_cast<std::size_t>(t)], n)[static_cast<std::size_t>(all.targets[i])]);
    }
  return nll;
}

inline void keep_step(Outcome& outcome, const Tensor& logits, const Tensor& attention, Index t) {
  const Index n_count = logits.dim(0), t_count = logits.dim(1), v = logits.dim(2);
  outcome.logits.emplace_back(Shape{n_count, v});
  for (Index n = 0; n < n_count; ++n)
    ArrayMap(outcome.logits.back().data() + n * v, v) = ConstArrayMap(logits.data() + (n * t_count + t) * v, v);
  if (!attention.defined()) return;
  require_shape(attention.rank() == 3 && attention.dim(0) == n_count && attention.dim(1) == t_count, "attention",
                "[N x T x S]", attention.shape());
  const Index s = attention.dim(2);
  outcome.attention.emplace_back(Shape{n_count, s});
  for (Index n = 0; n < n_count; ++n)
    ArrayMap(outcome.attention.back().data() + n * s, s) = ConstArrayMap(attention.data() + (n * t_count + t) * s, s);
}

inline Outcome run_sentences(const Model& model, const Sentences& all, const Manner& manner) {
  Random random(1, Random::Stream::hard_attention);
  GivenDraws given(all.draws);
  Pass pass;
  pass.training = manner.training;
  if (manner.draws) pass = Pass(Tap(given), &random), pass.training = manner.training;
  const auto decoding = model.begin(all.source, pass);
  const Scalar scale = Scalar(1) / static_cast<Scalar>(all.tokens);
  Outcome outcome;
  if (manner.stepwise || manner.draws) {
    for (Index t = 0; t < all.fed.dim(0); ++t) {
      const Tensor logits = decoding->advance(rows(all.fed, t, 1), pass);
      keep_step(outcome, logits, decoding->attention(), 0);
      const Tensor loss = cross_entropy(logits, step_of(all.targets, t), step_of(all.mask, t), scale);
      outcome.loss = t == 0 ? loss : add(outcome.loss, loss);
    }
  } else {
    const Tensor logits = decoding->advance(all.fed, pass);
    for (Index t = 0; t < logits.dim(1); ++t) keep_step(outcome, logits, decoding->attention(), t);
    outcome.loss = cross_entropy(logits, all.targets, all.mask, scale);
  }
  if (!manner.training) return outcome;
  const Tensor more =
      decoding->additional_loss({nll_of(outcome.logits, all), all.mask, manner.baseline, static_cast<double>(scale)});
  if (more.defined()) outcome.loss = add(outcome.loss, more);
  return outcome;
}

// Every site of sentence A, step by step, and no site on one side only.
inline bool recurrent_sites_agree(double tolerance) {
  const RecurrentReference reference = fetch_recurrent();
  const Sentences a = sentences(reference.file, {"input/"});
  std::vector<Intervention> given;
  for (Index t = 0; reference.draws() && t < a.fed.size(); ++t)
    given.push_back(
        {"decoder.step[" + std::to_string(t) + "].attention.sample.u", Intervention::Kind::set, 0, a.draws[t], {}});
  Random random(1, Random::Stream::hard_attention);
  Recorder recorder({}, given);
  const Pass pass(recorder.tap(), reference.draws() ? &random : nullptr);
  const auto decoding = reference.model->begin(a.source, pass);
  for (Index t = 0; t < a.fed.size(); ++t) decoding->advance(rows(a.fed, t, 1), pass);
  const auto trace = recorder.finish({});
  std::set<std::string> ours;
  bool ok = true;
  for (const TraceEntry& entry : trace->entries()) {
    if (!ours.insert(entry.site.text).second) ok = same("published twice", entry.site.text.c_str());
    const std::string name = "site/" + entry.site.text;
    if (!reference.has(name)) {
      ok = same("not in the reference", entry.site.text.c_str());
    } else {
      ok = same(difference(entry.value, reference.file.load(name), tolerance), entry.site.text.c_str()) && ok;
    }
  }
  for (const std::string& name : reference.names("site/"))
    if (!ours.contains(name)) ok = same("missing in our run", name.c_str());
  return ok && ours.size() > 40;
}

// The loss under `prefix` of the reference, and the gradient of every parameter.
inline bool recurrent_gradients_agree(const RecurrentReference& reference, const Sentences& all, const Manner& manner,
                                      const std::string& prefix, double tolerance) {
  Graph graph(Graph::Keep::gradients);
  const Graph::Scope scope(&graph);
  const Outcome outcome = run_sentences(*reference.model, all, manner);
  graph.backward(outcome.loss, Tensor::full({1}, 1));
  bool ok = same(difference(outcome.loss, reference.file.load(prefix + "loss"), tolerance), "loss");
  std::set<std::string> ours;
  for (const Parameter& p : reference.model->parameters().all()) {
    ours.insert(p.name);
    const Tensor gradient = graph.gradient(p.value);  // undefined where the loss does not depend on it
    ok = same(difference(gradient.defined() ? gradient : Tensor::zeros(p.value.shape()),
                         reference.file.load(prefix + "grad/" + p.name), tolerance),
              p.name.c_str()) &&
         ok;
  }
  return ok && ours == reference.names(prefix + "grad/");
}

inline bool recurrent_single_agrees(double tolerance) {
  const RecurrentReference reference = fetch_recurrent();
  const Sentences a = sentences(reference.file, {"input/"});
  bool ok = recurrent_gradients_agree(reference, a, {true, reference.draws()}, "", tolerance);
  if (!reference.draws()) ok = recurrent_gradients_agree(reference, a, {}, "", tolerance) && ok;
  return ok;
}

// Invariant I3: two sentences of different lengths in one batch, padded even more than they need.
inline bool recurrent_padded_agrees(double tolerance) {
  const RecurrentReference reference = fetch_recurrent();
  bool ok = true;
  for (const Index padding : {0, 2}) {
    const Sentences both = sentences(reference.file, {"input/", "input/b/"}, padding);
    ok = recurrent_gradients_agree(reference, both, {false, reference.draws()}, "padded/", tolerance) && ok;
  }
  return ok;
}

// REINFORCE, entropy and doubly stochastic attention, where the configuration has them; nothing where it has not.
inline bool recurrent_total_agrees(double tolerance) {
  const RecurrentReference reference = fetch_recurrent();
  const Manner manner{false, reference.draws(), true, std::stod(reference.file.metadata().at("baseline"))};
  bool ok = true;
  for (const Index padding : {0, 2})
    ok = recurrent_gradients_agree(reference, sentences(reference.file, {"input/", "input/b/"}, padding), manner,
                                   reference.has("total/loss") ? "total/" : "padded/", tolerance) &&
         ok;
  return ok;
}

inline bool same_rows(const Outcome& got, Index row, const Outcome& expected, Index expected_row, Index steps,
                      double tolerance, const char* what) {
  bool ok = got.attention.size() == got.logits.size() || got.attention.empty();
  const auto numbers = [](const Tensor& x, Index n, Index count) { return doubles(x.view(n * x.columns(), {count})); };
  for (std::size_t t = 0; t < static_cast<std::size_t>(steps); ++t) {
    const Index v = got.logits[t].columns();
    ok = same(difference(numbers(got.logits[t], row, v), numbers(expected.logits[t], expected_row, v), tolerance),
              what) &&
         ok;
    if (expected.attention.empty()) continue;
    const Index s = std::min(got.attention[t].columns(), expected.attention[t].columns());
    ok = same(difference(numbers(got.attention[t], row, s), numbers(expected.attention[t], expected_row, s), tolerance),
              "attention") &&
         ok;
    for (Index j = s; j < got.attention[t].columns(); ++j)
      ok = (got.attention[t][row * got.attention[t].columns() + j] == 0 || same("looks at padding", what)) && ok;
  }
  return ok;
}

// Invariants I1, I2 and I3: a padded batch, all steps at once, against each sentence alone and token by token.
inline bool recurrent_batch_is_single(double tolerance) {
  const RecurrentReference reference = fetch_recurrent();
  const std::vector<std::string> prefixes = {"input/", "input/b/", "input/"};
  bool ok = true;
  for (const bool stepwise : {false, true}) {
    const Outcome together = run_sentences(*reference.model, sentences(reference.file, prefixes, 1), {stepwise});
    for (std::size_t n = 0; n < prefixes.size(); ++n) {
      const Sentences one = sentences(reference.file, {prefixes[n]});
      const Outcome alone = run_sentences(*reference.model, one, {true});
      ok = same_rows(together, static_cast<Index>(n), alone, 0, one.fed.dim(0), tolerance, "row of the batch") && ok;
    }
  }
  return ok;
}

// select(): goes on with some rows, in another order, one of them twice; each as if it had always been alone.
inline bool recurrent_rows_can_be_selected(double tolerance) {
  const RecurrentReference reference = fetch_recurrent();
  const Sentences both = sentences(reference.file, {"input/", "input/b/"});
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
    const Sentences one = sentences(reference.file, {order[n] == 0 ? "input/" : "input/b/"});
    const auto alone = reference.model->begin(one.source, Pass());
    alone->advance(rows(one.fed, 0, 1), Pass());
    Outcome expected;
    const Tensor row = alone->advance(Tensor::full({1, 1}, next[static_cast<Index>(n)]), Pass());
    keep_step(expected, row, alone->attention(), 0);
    ok = same_rows(selected, static_cast<Index>(n), expected, 0, 1, tolerance, "selected row") && ok;
  }
  return ok;
}

// Recording a run must not change it, to the last bit, whether it also explains itself or not.
inline bool recurrent_recording_changes_nothing() {
  const RecurrentReference reference = fetch_recurrent();
  const Sentences a = sentences(reference.file, {"input/"});
  std::vector<std::vector<double>> logits;
  for (const int mode : {0, 1, 2}) {
    Random random(7, Random::Stream::hard_attention);
    Recorder recorder(Capture{{}, mode == 2}, {});
    const Pass pass(mode > 0 ? recorder.tap() : Tap(), &random);
    const auto decoding = reference.model->begin(a.source, pass);
    auto& all = logits.emplace_back();
    for (Index t = 0; t < a.fed.size(); ++t)
      for (const double x : doubles(decoding->advance(rows(a.fed, t, 1), pass))) all.push_back(x);
  }
  return same(difference(logits[1], logits[0], 0), "recorded") &&
         same(difference(logits[2], logits[0], 0), "explained");
}

}  // namespace headlight::testing
