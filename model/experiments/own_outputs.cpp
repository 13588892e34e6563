#include "model/experiments/own_outputs.h"

#include <algorithm>
#include <cmath>

#include "model/analysis/masks.h"
#include "model/core/errors.h"

namespace headlight {

namespace {

constexpr const char* kProbabilities = "decoder.step.output.probs";

// What is said at each step [V].
std::vector<Tensor> said_by(const Result& result) {
  std::vector<Tensor> all;
  for (std::size_t t = 0; t < result.steps.size(); ++t) {
    const Tensor row = result.trace->value("decoder.step[" + std::to_string(t) + "].output.probs");
    if (row.defined()) all.push_back(row);
  }
  return all;
}

// Σ p log(p / q); a q of 0 counts as the smallest number.
double divergence(const Tensor& p, const Tensor& q) {
  double sum = 0;
  for (Index i = 0; i < p.size(); ++i)
    if (p[i] > 0)
      sum +=
          static_cast<double>(p[i]) * std::log(static_cast<double>(p[i]) / std::max(1e-38, static_cast<double>(q[i])));
  return sum;
}

Index best(const Tensor& p) {
  Index at = 0;
  p.array().maxCoeff(&at);
  return at;
}

struct Difference {
  double divergence = 0, changed = 0;  // summed over steps
};
Difference difference(const std::vector<Tensor>& whole, const std::vector<Tensor>& other) {
  Difference sum;
  for (std::size_t t = 0; t < whole.size() && t < other.size(); ++t) {
    sum.divergence += divergence(whole[t], other[t]);
    sum.changed += best(whole[t]) != best(other[t]);
  }
  return sum;
}

// "encoder.layer[0].self_attn" of an edit of "encoder.layer[0].self_attn.head[3].out", without the steps.
std::string attention_of(std::string site) {
  site = site.substr(0, site.rfind(".head["));
  if (const std::size_t at = site.find(".step[*]"); at != site.npos) site.erase(at, 8);
  return site;
}

}  // namespace

OwnOutputs ablate_own_outputs(const std::shared_ptr<const ModelBundle>& model, const std::vector<std::string>& texts,
                              const ExperimentOptions& options) {
  OwnOutputs found;
  for (const std::string& text : texts) {
    Request request;
    request.model = model;
    request.source = text;
    request.cancel = options.cancel;
    request.capture.explain = false;
    Result whole = run(request);
    const bool goes_on = model->model->traits().kind != ModelTraits::Kind::encoder_only && !model->on_top;
    if (goes_on) {  // the same steps with and without a head
      // The last step wrote the end mark, or what is behind the longest output; and what is read again may be of more
      // tokens than it was written in.
      const std::vector<TextToken> tokens = model->text.target.split(whole.output);
      const std::size_t most = whole.steps.empty() ? 0 : whole.steps.size() - 1;
      request.target = tokens.size() <= most ? whole.output : whole.output.substr(0, tokens[most].begin);
      whole = run(request);
    }
    const std::vector<Tensor> said = said_by(whole);
    if (said.empty()) continue;
    ++found.texts;
    found.steps += static_cast<Index>(said.size());
    std::size_t place = 0;
    request.capture.sites = {kProbabilities};
    const auto without = [&](const std::vector<Intervention>& edits) {
      request.interventions = edits;
      return difference(said, said_by(run(request)));
    };
    for (const AttentionMap& map : attention_maps(whole)) {
      if (map.kind == AttentionMap::Kind::summary) continue;
      for (Index head = 0; head < map.heads; ++head, ++place) {
        const std::vector<Intervention> off = head_off(whole, map.kind, map.layer, head);
        if (off.empty()) continue;
        const std::string attention = attention_of(off.back().site);
        options.tell(attention + ", head " + std::to_string(head));
        if (place >= found.heads.size()) found.heads.push_back({attention, head});
        std::vector<Intervention> others;
        for (Index other = 0; other < map.heads; ++other)
          if (other != head)
            for (Intervention& edit : head_off(whole, map.kind, map.layer, other)) others.push_back(std::move(edit));
        const Difference less = without(off), alone = without(others);
        HeadEffect& effect = found.heads[place];
        effect.divergence += less.divergence;
        effect.changed += less.changed;
        effect.divergence_alone += alone.divergence;
      }
    }
  }
  if (found.steps == 0) throw UsageError(model->name + ": this model says nothing that could change without a head");
  if (found.heads.empty()) throw UsageError("this model has no attention with several heads");
  const auto steps = static_cast<double>(found.steps);
  for (HeadEffect& effect : found.heads) {
    effect.divergence /= steps;
    effect.changed /= steps;
    effect.divergence_alone /= steps;
  }
  std::ranges::stable_sort(found.heads,
                           [](const HeadEffect& a, const HeadEffect& b) { return a.divergence > b.divergence; });
  return found;
}

ExperimentResult ablation_of_own_outputs(const ExperimentOptions& options) {
  std::vector<std::string> texts = options.model->examples;
  texts.resize(std::min(texts.size(), static_cast<std::size_t>(options.limit_or(3))));
  const OwnOutputs found = ablate_own_outputs(options.model, texts, options);
  ExperimentResult result;
  ExperimentTable& table = result.tables.emplace_back();
  table.name = "ablation";
  table.columns = {"attention", "head", "divergence_without", "outputs_changed", "divergence_alone"};
  ExperimentChart chart{"ablation",
                        "Heads by how much the output changes without them",
                        "rank",
                        "divergence from the whole model (nats)",
                        false,
                        false,
                        {{"without the head", {}, {}}}};
  for (const HeadEffect& h : found.heads) {
    table.rows.push_back({h.attention, static_cast<double>(h.head), h.divergence, h.changed, h.divergence_alone});
    chart.series[0].x.push_back(static_cast<double>(table.rows.size()));
    chart.series[0].y.push_back(h.divergence);
  }
  result.charts.push_back(std::move(chart));
  result.notes = {"No task of this model is known: its own output with all heads is what it is measured against, on " +
                  std::to_string(found.texts) + " texts with " + std::to_string(found.steps) + " output steps."};
  return result;
}

}  // namespace headlight
