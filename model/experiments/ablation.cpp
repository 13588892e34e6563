#include "model/experiments/ablation.h"

#include <algorithm>

#include "model/core/errors.h"
#include "model/experiments/own_outputs.h"
#include "model/models/registry.h"

namespace headlight {

namespace {

constexpr const char* kOutput = ".W_o";

ExperimentResult run_ablation(const ExperimentOptions& options) {
  const ModelBundle& bundle = *options.model;
  if (bundle.stored) throw UsageError(bundle.name + ": stored attention has no heads that could be switched off");
  if (bundle.task.empty() || !options.texts.empty()) return ablation_of_own_outputs(options);
  const TaskData examples = generate(find_task(bundle.task), 0, options.limit_or(500), kDataSeed, 0);
  const Dataset data(bundle.text, examples.test, bundle.model->traits().writes_reversed);
  const Ablation found = ablate(*bundle.model, data, options);
  ExperimentResult result;
  ExperimentTable& table = result.tables.emplace_back();
  table.name = "ablation";
  table.columns = {"attention",        "head",       "loss_without",     "loss_rise", "exact_match_without",
                   "exact_match_fall", "loss_alone", "exact_match_alone"};
  ExperimentChart chart{"ablation",
                        "Heads by what the model loses without them",
                        "rank",
                        "rise of the loss (nats)",
                        {{"loss without the head", {}, {}}}};
  for (const HeadFigures& h : found.heads) {
    const double rise = h.without.nll - found.whole.nll;
    table.rows.push_back({h.attention, static_cast<double>(h.head), h.without.nll, rise, h.without.exact_match,
                          found.whole.exact_match - h.without.exact_match, h.alone.nll, h.alone.exact_match});
    chart.series[0].add(static_cast<double>(table.rows.size()), rise);
  }
  result.charts.push_back(std::move(chart));
  char note[160];
  std::snprintf(note, sizeof note,
                "With all heads: loss %.4f nats a token, exact match %.4f, on %td held-out examples.", found.whole.nll,
                found.whole.exact_match, found.whole.examples);
  result.notes = {note};
  return result;
}

}  // namespace

std::vector<std::string> attentions_with_heads(const Model& model) {
  std::vector<std::string> names;
  for (const Parameter& p : model.parameters().all())
    if (p.name.ends_with(std::string("_attn") + kOutput))
      names.push_back(p.name.substr(0, p.name.size() - std::string(kOutput).size()));
  return names;
}

Index head_count(const Model& model) { return model.traits().heads; }

std::unique_ptr<Model> without_heads(const Model& model, const SilencedHeads& silenced) {
  std::unique_ptr<Model> copy = make_model(model.config(), {InitialValues::Kind::zeros});
  const std::vector<Parameter>& from = model.parameters().all();
  std::vector<Parameter>& to = copy->parameters().all();
  for (std::size_t i = 0; i < from.size(); ++i) {
    to[i].value.array() = from[i].value.array();
    if (from[i].name != silenced.attention + kOutput) continue;
    const Index rows = to[i].value.dim(0) / head_count(model);
    for (const Index head : silenced.heads) to[i].value.matrix().middleRows(head * rows, rows).setZero();
  }
  return copy;
}

Ablation ablate(const Model& model, const Dataset& data, const ExperimentOptions& options) {
  const std::vector<std::string> attentions = attentions_with_heads(model);
  if (attentions.empty()) throw UsageError("this model has no attention with several heads");
  Ablation result{evaluate(model, data, options.cancel), {}};
  const Index heads = head_count(model);
  for (const std::string& attention : attentions)
    for (Index head = 0; head < heads; ++head) {
      options.tell(attention + ", head " + std::to_string(head));
      SilencedHeads others{attention, {}};
      for (Index other = 0; other < heads; ++other)
        if (other != head) others.heads.push_back(other);
      result.heads.push_back({attention, head,
                              evaluate(*without_heads(model, {attention, {head}}), data, options.cancel),
                              evaluate(*without_heads(model, others), data, options.cancel)});
    }
  std::stable_sort(result.heads.begin(), result.heads.end(),
                   [](const HeadFigures& a, const HeadFigures& b) { return a.without.nll > b.without.nll; });
  return result;
}

Experiment ablation_experiment() {
  return {"ablation",
          "What each head is good for",
          "How much worse is a model without each of its heads, and with that head alone in its layer?",
          true,
          run_ablation,
          "--limit --texts"};
}

}  // namespace headlight
