#include "model/analysis/expert_choices.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/core/json_library.h"
#include "model/decode/run.h"
#include "model/models/model.h"

namespace headlight {

double ExpertRow::share_of(Index expert) const {
  const auto found = std::ranges::find(experts, expert);
  return found == experts.end() ? 0 : shares[static_cast<std::size_t>(found - experts.begin())];
}

bool has_experts(const Result& result) {
  if (!result.model || !result.model->model) return false;
  const Json& config = result.model->model->config();
  return config.contains("experts") && !config.at("experts").empty();
}

namespace {

double length_of(const Scalar* numbers, Index count) {
  double sum = 0;
  for (Index i = 0; i < count; ++i) sum += static_cast<double>(numbers[i]) * static_cast<double>(numbers[i]);
  return std::sqrt(sum);
}

// The rows of a place ("decoder.layer[1].ffn."), of a prompt or of a step.
void add_rows_of(const Trace& trace, const std::string& place, int logits_entry, ExpertLayer& layer) {
  const auto entry = [&](const char* leaf) { return trace.find(place + leaf); };
  const Tensor logits = trace[logits_entry].value;
  const int experts = entry("router.experts"), shares = entry("router.shares"), outputs = entry("expert.out"),
            sum = entry("out"), gate = entry("router.shared_gate");
  if (experts < 0 || shares < 0) return;
  const Tensor ids = trace[experts].value, parts = trace[shares].value;
  const Index k = ids.columns(), n = logits.columns();
  layer.experts = n;
  layer.chosen = k;
  for (Index r = 0; r < logits.rows(); ++r) {
    ExpertRow row{logits_entry, experts, shares, outputs, sum, r, {}, {}, {}, {}};
    for (Index e = 0; e < n; ++e) row.logits.push_back(static_cast<double>(logits[r * n + e]));
    for (Index i = 0; i < k; ++i) {
      row.experts.push_back(static_cast<Index>(ids[r * k + i]));
      row.shares.push_back(static_cast<double>(parts[r * k + i]));
      if (outputs < 0) continue;
      const Tensor& each = trace[outputs].value;
      row.lengths.push_back(length_of(each.data() + (r * k + i) * each.columns(), each.columns()));
    }
    if (sum >= 0) {
      const Tensor& out = trace[sum].value;
      row.sum_length = length_of(out.data() + r * out.columns(), out.columns());
    }
    if (gate >= 0) row.shared = static_cast<double>(trace[gate].value[r]);
    for (const int each : {logits_entry, experts, shares, outputs})
      row.edited = row.edited || (each >= 0 && trace[each].edited);
    layer.rows.push_back(std::move(row));
  }
}

}  // namespace

std::vector<ExpertLayer> expert_layers(const Result& result) {
  constexpr std::string_view kLeaf = "router.logits";
  std::map<Index, ExpertLayer> layers;
  if (!result.trace || !has_experts(result)) return {};
  const Trace& trace = *result.trace;
  for (int i = 0; i < trace.size(); ++i) {
    const Site& site = trace[i].site;
    if (!site.text.ends_with(kLeaf) || site.layer < 0) continue;
    ExpertLayer& layer = layers[site.layer];
    layer.layer = site.layer;
    add_rows_of(trace, site.text.substr(0, site.text.size() - kLeaf.size()), i, layer);
  }
  std::vector<ExpertLayer> all;
  for (auto& [number, layer] : layers)
    if (!layer.rows.empty()) all.push_back(std::move(layer));
  return all;
}

}  // namespace headlight
