#include "model/analysis/local_window.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/models/variant.h"

namespace headlight {

namespace {

WindowSettings settings_of(const ModelBundle& bundle) {
  return {bundle.model->traits().half_width, bundle.model->traits().sigma};
}

std::vector<double> doubles(const Tensor& tensor) {
  return tensor.defined() ? std::vector<double>(tensor.data(), tensor.data() + tensor.size()) : std::vector<double>{};
}

LocalWindowStep step_of(const Trace& trace, const std::string& place, Index half_width, Index count) {
  LocalWindowStep step;
  const auto entry = [&](const char* leaf) { return trace.find(place + leaf); };
  const auto value = [&](int at) { return at < 0 ? std::vector<double>{} : doubles(trace[at].value); };
  step.centre_entry = entry("position");
  step.before_entry = entry("align");
  step.gaussian_entry = entry("gauss");
  step.weights_entry = entry("weights");
  const std::vector<double> centre = value(step.centre_entry);
  if (!centre.empty()) step.centre = centre.front();
  step.centre_edited = step.centre_entry >= 0 && trace[step.centre_entry].edited;
  const std::vector<double> keep = value(entry("keep"));
  step.inside.assign(static_cast<std::size_t>(count), false);
  for (std::size_t j = 0; j < std::min(keep.size(), step.inside.size()); ++j) step.inside[j] = keep[j] != 0;
  step.before = value(step.before_entry);
  step.gaussian = value(step.gaussian_entry);
  step.weights = value(step.weights_entry);
  const double middle = std::clamp(std::floor(step.centre), -1e9, 1e9);
  step.first = std::max<Index>(0, static_cast<Index>(middle) - half_width);
  step.last = std::min<Index>(count - 1, static_cast<Index>(middle) + half_width);
  return step;
}

}  // namespace

double LocalWindowStep::kept() const { return std::accumulate(weights.begin(), weights.end(), 0.0); }

std::optional<LocalWindows> local_windows(const Result& result) {
  if (!result.trace || !result.model || result.trace->find("decoder.step[0].attention.align") < 0) return {};
  const Trace& trace = *result.trace;
  LocalWindows windows;
  windows.settings = settings_of(*result.model);
  windows.trained = settings_of(as_trained(*result.model));
  windows.predicted = trace.find("decoder.step[0].attention.gauss") >= 0;
  // As the paper has it, σ = D / 2; of a window of one position, half a position (layers/attention.cpp).
  if (windows.predicted)
    windows.sigma = windows.settings.sigma > 0 ? windows.settings.sigma
                                               : std::max(0.5, static_cast<double>(windows.settings.half_width) / 2);
  for (const int token : result.token_of_position) {
    const TextToken& at = result.tokens[static_cast<std::size_t>(token)];
    windows.tokens.push_back({at.text, {}, token, -1, at.padding});
  }
  for (std::size_t t = 0; t < result.steps.size(); ++t) {
    const std::string place = "decoder.step[" + std::to_string(t) + "].attention.";
    LocalWindowStep step =
        step_of(trace, place, windows.settings.half_width, static_cast<Index>(windows.tokens.size()));
    if (step.centre_entry < 0 || step.before.size() != windows.tokens.size() ||
        step.weights.size() != windows.tokens.size())
      return {};
    windows.steps.push_back(std::move(step));
    windows.rows.push_back({{}, result.steps[t].text, -1, static_cast<int>(t), false});
  }
  return windows.steps.empty() ? std::nullopt : std::optional(std::move(windows));
}

}  // namespace headlight
