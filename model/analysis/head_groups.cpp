#include "model/analysis/head_groups.h"

namespace headlight {

namespace {

bool is_of_keys(const std::string& leaf) { return leaf.starts_with("k") || leaf == "v"; }

}  // namespace

HeadGroup head_group(const Trace& trace, const std::string& site, Index head) {
  const std::size_t at = site.rfind(".head");
  if (at == std::string::npos) return {};
  std::string place = site.substr(0, at);
  if (const std::size_t any = place.find("[*]"); any != std::string::npos) place.replace(any, 3, "[0]");
  const std::size_t leaf = site.find('.', at + 1);
  const auto value = [&](const char* name) { return trace.value(place + ".head." + name); };
  Tensor weights = value("weights"), keys = value("k");
  if (!keys.defined() && place.find(".step[") != std::string::npos) {  // of a source: read once
    const std::size_t step = place.find(".step["), end = place.find(']', step);
    keys = trace.value(place.substr(0, step) + place.substr(end + 1) + ".head.k");
  }
  if (!weights.defined() && keys.defined() && place.find(".step[") == std::string::npos) {
    const std::size_t side = place.find('.');
    weights = trace.value(place.substr(0, side) + ".step[0]" + place.substr(side) + ".head.weights");
  }
  if (!weights.defined() || !keys.defined() || weights.rank() < 2 || keys.rank() < 2) return {};
  const Index heads = weights.dim(0), groups = keys.dim(0);
  if (groups <= 0 || groups >= heads || heads % groups != 0) return {};
  const Index shared = heads / groups;
  return {shared, leaf != std::string::npos && is_of_keys(site.substr(leaf + 1)) ? head : head / shared};
}

Index shared_heads(const Trace& trace, bool encoder, Index layer) {
  const std::string behind = ".layer[" + std::to_string(layer) + "].self_attn.head.q";
  for (const char* side : {encoder ? "encoder" : "decoder.step[0]", encoder ? "encoder" : "decoder"})
    if (const HeadGroup group = head_group(trace, side + behind, 0); group.shared > 1) return group.shared;
  return 1;
}

}  // namespace headlight
