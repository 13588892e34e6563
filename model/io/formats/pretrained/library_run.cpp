#include "model/io/formats/pretrained/library_run.h"

#include <algorithm>

#include "model/core/budget.h"

namespace headlight {

Tensor RunKeeper::at(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? Tensor() : found->second;
}

Tensor RunKeeper::visit(const SitePath& place, const char* leaf, Tensor value) {
  cancel_.check();
  if (!wants(place, leaf)) return value;
  const std::string name = place.text() + "." + leaf;
  bytes_ += static_cast<double>(value.size()) * sizeof(Scalar);
  within_budget(bytes_, budget::kTrace, "with " + name + " this run", "shorten the text");
  values_[name] = value;
  if (keeps_all) in_order.push_back({name, value});
  return value;
}

bool RunKeeper::wants(const SitePath&, const char* leaf) const {
  static constexpr std::string_view kNamed[] = {
      "out",       "embed.out", "embed.projected", "project.out", "residual2",   "residual3", "head.weights",
      "head.sink", "logits",    "experts",         "shares",      "shared_gate", "latent",    "latent_rope"};
  return keeps_all || std::ranges::count(kNamed, std::string_view(leaf)) > 0;
}

Tensor LibrarySide::at_step(const RunKeeper& keeper, Index step, const std::string& site) const {
  return keeper.at(place + ".step[" + std::to_string(step) + "]." + site);
}

Tensor LibrarySide::rows(const RunKeeper& keeper, const std::string& site) const {
  if (steps == 0) {
    const Tensor found = keeper.at(place + "." + site);
    return found.defined() ? found.view(0, {found.rows(), found.columns()}) : found;
  }
  Tensor all;
  for (Index t = 0; t < steps; ++t) {
    const Tensor row = at_step(keeper, t, site);
    if (!row.defined()) return {};
    if (!all.defined()) all = Tensor({steps, row.columns()});
    all.matrix().row(t) = row.matrix().row(0);
  }
  return all;
}

Tensor LibrarySide::weights(const RunKeeper& keeper, const std::string& site) const {
  if (steps == 0) return keeper.at(place + "." + site);
  Tensor all;
  for (Index t = 0; t < steps; ++t) {
    const Tensor row = at_step(keeper, t, site);
    if (!row.defined()) return {};
    const Index heads = row.dim(0), keys = row.dim(2);
    if (!all.defined()) all = Tensor::zeros({heads, steps, at_step(keeper, steps - 1, site).dim(2)});
    for (Index h = 0; h < heads; ++h)
      std::copy_n(row.data() + h * keys, keys, all.data() + (h * steps + t) * all.dim(2));
  }
  return all;
}

std::vector<Tensor> LibrarySide::states(const RunKeeper& keeper) const {
  const auto first_of = [&](std::initializer_list<std::string> sites) {
    for (const std::string& site : sites)
      if (Tensor found = rows(keeper, site); found.defined()) return found;
    return Tensor();
  };
  std::vector<Tensor> all;
  // Only what is projected as a whole stands behind the sum.
  Tensor entering = rows(keeper, "embed.out");
  if (const Tensor projected = rows(keeper, "embed.projected"); projected.defined() && sum_is_projected)
    entering = projected;
  all.push_back(entering);
  const std::string last = cross ? "3" : "2";
  for (Index l = 0; l < layers; ++l) {
    const std::string layer = "layer[" + std::to_string(l) + "].", sum = layer + "residual" + last;
    Tensor here = post ? rows(keeper, layer + "norm" + last + ".out") : rows(keeper, sum);
    if (const Tensor behind = rows(keeper, "convolution.norm.out"); l == 0 && behind.defined()) here = behind;
    const Tensor end = l + 1 == layers ? first_of({"project.out", "final_norm.out"}) : Tensor();
    all.push_back(end.defined() ? end : here);
  }
  return all;
}

void add_further(const RunKeeper& keeper, const LibrarySide& side, const std::string& prefix,
                 std::vector<NamedTensor>& values) {
  struct Row {
    const char *theirs, *ours;
    bool flat = false;  // one number for each token
  };
  static constexpr Row kRows[] = {
      {"router_logits.", "ffn.router.logits"}, {"expert_ids.", "ffn.router.experts"},
      {"expert_shares.", "ffn.router.shares"}, {"shared_gate.", "ffn.router.shared_gate", true},
      {"kv_latent.", "self_attn.latent"},      {"kv_rope.", "self_attn.latent_rope"}};
  for (Index l = 0; l < side.layers; ++l) {
    const std::string layer = "layer[" + std::to_string(l) + "].", number = std::to_string(l);
    for (const Row& row : kRows)
      if (const Tensor value = side.rows(keeper, layer + row.ours); value.defined())
        values.push_back({prefix + row.theirs + number, row.flat ? value.view(0, {value.size()}) : value});
    if (const Tensor sink = side.weights(keeper, layer + "self_attn.head.sink"); sink.defined())
      values.push_back({prefix + "sink." + number, sink.view(0, {sink.dim(0), sink.dim(1)})});
  }
}

Tensor as_recorded(const NamedTensor& value) {
  const SiteKind* kind = find_site_kind(value.name);
  std::vector<Index> shape;
  const std::vector<Index> given = value.value.shape().vector();
  std::size_t spare = kind && given.size() > kind->axes.size() ? given.size() - kind->axes.size() : 0;
  const bool heads = kind && kind->of_heads();
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (spare > 0 && given[i] == 1 && !(heads && i == 0))
      --spare;
    else
      shape.push_back(given[i]);
  }
  return value.value.view(0, Shape(shape));
}

}  // namespace headlight
