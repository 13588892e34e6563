#include "model/experiments/own_outputs.h"

#include <algorithm>
#include <cmath>

#include "model/analysis/effect.h"
#include "model/analysis/masks.h"
#include "model/core/errors.h"
#include "model/experiments/experiment.h"

namespace headlight {

namespace {

constexpr const char* kProbabilities = "decoder.step.output.probs";

using Measure = OwnOutputs::Measure;

// What is said at each step [V].
std::vector<Tensor> said_by(const Result& result) {
  std::vector<Tensor> all;
  for (std::size_t t = 0; t < result.steps.size(); ++t) {
    const Tensor row = result.trace->value("decoder.step[" + std::to_string(t) + "].output.probs");
    if (row.defined()) all.push_back(row);
  }
  return all;
}

Measure measure_of(const Result& result) {
  if (!said_by(result).empty()) return Measure::outputs;
  for (const TextVector& vector : result.vectors)
    if (vector.kind == TextVector::Kind::score) return Measure::score;
  return result.vectors.empty() ? Measure::states : Measure::embedding;
}

Index best(const Tensor& p) {
  Index at = 0;
  p.array().maxCoeff(&at);
  return at;
}

struct Difference {
  double distance = 0, changed = 0;  // summed over steps
};
Difference difference(const Result& whole, const Result& other, Measure measure) {
  Difference sum;
  if (measure == Measure::outputs) {
    const std::vector<Tensor> p = said_by(whole), q = said_by(other);
    for (std::size_t t = 0; t < p.size() && t < q.size(); ++t) {
      sum.distance += kl_divergence(p[t], q[t]);
      sum.changed += best(p[t]) != best(q[t]);
    }
    return sum;
  }
  if (measure == Measure::states) {
    sum.distance = 1 - states_cosine(whole, other).value_or(1);
    return sum;
  }
  const auto &a = whole.vectors.back(), &b = other.vectors.back();  // of several, what is made of the others
  sum.distance = measure == Measure::score ? std::abs(static_cast<double>(a.value[0]) - static_cast<double>(b.value[0]))
                                           : 1 - cosine(a, b).value_or(1);
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
    found.measure = measure_of(whole);
    const int states = found.measure == Measure::states ? last_states(*whole.trace) : -1;
    if (found.measure == Measure::states && states < 0) continue;
    ++found.texts;
    found.steps += found.measure == Measure::outputs ? static_cast<Index>(said_by(whole).size()) : 1;
    std::size_t place = 0;
    request.capture.sites = {states < 0 ? kProbabilities : (*whole.trace)[states].site.kind->pattern};
    const auto without = [&](const std::vector<Intervention>& edits) {
      request.interventions = edits;
      return difference(whole, run(request), found.measure);
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
        effect.without += less.distance;
        effect.changed += less.changed;
        effect.alone += alone.distance;
      }
    }
  }
  if (found.steps == 0) throw UsageError(model->name + ": this model says nothing that could change without a head");
  if (found.heads.empty()) throw UsageError("this model has no attention with several heads");
  const auto steps = static_cast<double>(found.steps);
  for (HeadEffect& effect : found.heads) {
    effect.without /= steps;
    effect.changed /= steps;
    effect.alone /= steps;
  }
  std::ranges::stable_sort(found.heads, [](const HeadEffect& a, const HeadEffect& b) { return a.without > b.without; });
  return found;
}

namespace {

// What a measure is called: in the names of columns, in the chart, and in the note.
struct MeasureWords {
  const char *without, *alone, *axis, *title, *note;
};
MeasureWords words_of(Measure measure) {
  switch (measure) {
    case Measure::outputs:
      break;
    case Measure::embedding:
      return {"cosine_without", "cosine_alone", "1 − cosine with the embedding of the whole model",
              "Heads by how much the embedding changes without them", "its own embedding"};
    case Measure::score:
      return {"score_change_without", "score_change_alone", "change of the score",
              "Heads by how much the score changes without them", "its own score"};
    case Measure::states:
      return {"cosine_without", "cosine_alone", "1 − mean cosine with the last states of the whole model",
              "Heads by how much the states of the words change without them",
              "what its last layer makes of each word"};
  }
  return {"divergence_without", "divergence_alone", "divergence from the whole model (nats)",
          "Heads by how much the output changes without them", "its own output"};
}

}  // namespace

ExperimentResult ablation_of_own_outputs(const ExperimentOptions& options) {
  std::vector<std::string> texts = options.texts.empty() ? options.model->examples : options.texts;
  if (options.texts.empty() || options.limit > 0)
    texts.resize(std::min(texts.size(), static_cast<std::size_t>(options.limit_or(3))));
  const OwnOutputs found = ablate_own_outputs(options.model, texts, options);
  const MeasureWords words = words_of(found.measure);
  const bool outputs = found.measure == Measure::outputs, is_cosine = !outputs && found.measure != Measure::score;
  ExperimentResult result;
  ExperimentTable& table = result.tables.emplace_back();
  table.name = "ablation";
  table.columns = {"attention", "head", words.without, words.alone};
  if (outputs) table.columns.insert(table.columns.end() - 1, "outputs_changed");
  ExperimentChart chart{"ablation", words.title, "rank", words.axis, {{"without the head", {}, {}}}};
  const auto told = [&](double distance) { return is_cosine ? 1 - distance : distance; };
  for (const HeadEffect& h : found.heads) {
    std::vector<TableCell>& row = table.rows.emplace_back();
    row = {h.attention, static_cast<double>(h.head), told(h.without)};
    if (outputs) row.push_back(h.changed);
    row.push_back(told(h.alone));
    chart.series[0].add(static_cast<double>(table.rows.size()), h.without);
  }
  result.charts.push_back(std::move(chart));
  result.notes = {(options.texts.empty() ? "No task of this model is known: " : std::string()) + words.note +
                  " with all heads is what it is measured against, on " + std::to_string(found.texts) + " texts" +
                  (outputs ? " with " + std::to_string(found.steps) + " output steps." : ".")};
  return result;
}

}  // namespace headlight
