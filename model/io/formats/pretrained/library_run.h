// The values of one run by our names of sites, and what another library makes of them: states of layers, attentions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/core/cancel.h"
#include "model/trace/trace.h"

namespace headlight {

// Keeps the values that the library names, or all. Throws Cancelled, and BudgetError for more than a run may keep.
class RunKeeper : public TapListener {
 public:
  explicit RunKeeper(CancelToken cancel, bool all = false) : keeps_all(all), cancel_(std::move(cancel)) {}
  const bool keeps_all;
  std::vector<NamedTensor> in_order;         // all of them
  Tensor at(const std::string& name) const;  // undefined where there is no such value
  Tensor visit(const SitePath& place, const char* leaf, Tensor value) override;
  bool wants(const SitePath& place, const char* leaf) const override;

 private:
  std::map<std::string, Tensor> values_;
  CancelToken cancel_;
  double bytes_ = 0;
};

// One side of a model as the library sees it.
struct LibrarySide {
  std::string place;  // "encoder"
  Index layers = 0;
  bool cross = false;
  Index steps = 0;  // its rows were computed one by one; 0: at once
  bool post = false, sum_is_projected = false;

  // The rows of a site [T x d]; undefined where the model has no such site.
  Tensor rows(const RunKeeper& keeper, const std::string& site) const;
  // Of each head [H x T x S]; in a text that grows the later keys of each row are 0. Undefined where the model has no
  // such site.
  Tensor weights(const RunKeeper& keeper, const std::string& site) const;
  // What enters each layer, and what leaves the last.
  std::vector<Tensor> states(const RunKeeper& keeper) const;

 private:
  Tensor at_step(const RunKeeper& keeper, Index step, const std::string& site) const;
};

// What else the library computes in each layer, as "PREFIXNAME.L": of routers "router_logits" [T x E], "expert_ids" and
// "expert_shares" [T x k], "shared_gate" [T], of sinks "sink" [H x T], of latent attention "kv_latent" and "kv_rope".
void add_further(const RunKeeper& keeper, const LibrarySide& side, const std::string& prefix,
                 std::vector<NamedTensor>& values);

// Without the axis of the batch, as traces have it: heads stay, and lose the axis of rows where the catalogue has none.
Tensor as_recorded(const NamedTensor& value);

}  // namespace headlight
