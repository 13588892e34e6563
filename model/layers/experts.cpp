#include "model/layers/experts.h"

#include <map>

#include "model/ops/activations.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/softmax.h"

namespace headlight {

Experts::Experts(const ParameterBuilder& parameters, const ExpertSettings& s) : settings_(s) {
  const ParameterBuilder router = parameters / "router";
  W_ = router.make("W", {s.each.model, s.count}, s.each.init);
  if (s.router_bias) b_ = router.make("b", {s.count}, Init::zeros());
  if (s.correction) correction_ = router.make("correction", {s.count}, Init::zeros());
  if (s.shared_gate) W_shared_ = router.make("W_shared", {s.each.model, 1}, s.each.init);
  for (Index e = 0; e < s.count; ++e) experts_.emplace_back(parameters / ("expert[" + std::to_string(e) + "]"), s.each);
  if (s.shared == 0) return;
  FeedForwardSettings all = s.each;
  all.hidden = s.shared;
  shared_.emplace(parameters / "shared", all);
}

Tensor Experts::shares(const Tensor& logits, const Tensor& ids) const {
  constexpr double kEpsilon = 1e-20;
  const ExpertSettings& s = settings_;
  Tensor shares = s.router == ExpertRouter::rounds              ? shares_of_rounds(logits, ids, s.choice.noise)
                  : s.router == ExpertRouter::softmax_of_chosen ? softmax(take_columns(logits, ids))
                  : s.router == ExpertRouter::sigmoid           ? take_columns(sigmoid(logits), ids)
                                                                : take_columns(softmax(logits), ids);
  if (s.normalise) shares = divide_by_sum(shares, s.router == ExpertRouter::sigmoid ? kEpsilon : 0);
  return s.scale == 1 ? shares : scale(shares, static_cast<Scalar>(s.scale));
}

SiteWords Experts::share_words() const {
  const ExpertSettings& s = settings_;
  const std::string all = s.router == ExpertRouter::sigmoid             ? "σ(z_e)"
                          : s.router == ExpertRouter::softmax           ? "softmax(z)_e"
                          : s.router == ExpertRouter::softmax_of_chosen ? "softmax of the chosen z"
                                                                        : "softmax of the z near the largest";
  std::string formula = "g_e = " + all;
  if (s.normalise) formula += " / Σ of the chosen";
  if (s.scale != 1) {
    char factor[32];
    std::snprintf(factor, sizeof factor, " · %.4g", s.scale);
    formula += factor;
  }
  return {formula};
}

Tensor Experts::outputs(const Tensor& x, const Tensor& ids, const Pass& pass) const {
  const Index k = ids.columns(), rows = ids.rows();
  std::map<Index, std::vector<Index>> rows_of;  // by expert
  std::vector<std::pair<Index, Index>> places;
  for (Index i = 0; i < ids.size(); ++i) {
    std::vector<Index>& own = rows_of[static_cast<Index>(ids[i])];
    if (own.empty() || own.back() != i / k) own.push_back(i / k);
    places.emplace_back(static_cast<Index>(ids[i]), static_cast<Index>(own.size()) - 1);
  }
  Pass silent = pass;
  silent.tap = Tap();
  const SitePath none("");
  std::vector<Tensor> parts;
  std::map<Index, Index> part_of;
  for (const auto& [expert, own] : rows_of) {
    part_of[expert] = static_cast<Index>(parts.size());
    const bool all = static_cast<Index>(own.size()) == rows;
    parts.push_back(experts_[static_cast<std::size_t>(expert)](all ? x : index_select(x, own), none, silent));
  }
  for (auto& [part, row] : places) part = part_of[part];
  return gather_rows(parts, places);
}

Tensor Experts::shared(const Tensor& x, const SitePath& place, const Pass& pass) const {
  const Tensor out = (*shared_)(x, SitePath(place, "shared"), pass);
  if (!W_shared_.defined()) return out;
  const Tensor gate = pass.tap(SitePath(place, "router"), "shared_gate", sigmoid(linear(x, W_shared_)));
  const Index rows = x.rows();
  return reshape(weighted_sum(reshape(gate, {rows, 1, 1}), reshape(out, {rows, 1, x.columns()})), x.shape());
}

Tensor Experts::operator()(const Tensor& x, const SitePath& place, const Pass& pass) const {
  const Tap& tap = pass.tap;
  const SitePath router(place, "router"), expert(place, "expert");
  const Index rows = x.rows(), d = x.columns(), k = settings_.choice.count;
  const Tensor logits = tap(router, "logits", linear(x, W_, b_),
                            [&] { return SiteWords{std::string("z = x W") + (b_.defined() ? " + b" : "")}; });
  const Tensor ids = tap(router, "experts", chosen_experts(logits, correction_, settings_.choice),
                         [&] { return SiteWords{correction_.defined() ? "top-k_e (σ(z_e) + c_e)" : "top-k_e z_e"}; });
  require_experts(ids, settings_.count);
  const Tensor given = tap(router, "shares", shares(logits, ids), [&] { return share_words(); });
  std::vector<Index> shape = x.shape().vector();
  shape.insert(shape.end() - 1, k);
  const Tensor each = tap(expert, "out", reshape(outputs(reshape(x, {rows, d}), ids, pass), Shape(shape)));
  Tensor y = reshape(weighted_sum(reshape(given, {rows, 1, k}), reshape(each, {rows, k, d})), x.shape());
  if (shared_) y = add(y, shared(x, place, pass));
  return tap(place, "out", y, [&] {
    return SiteWords{std::string("Σ_e g_e f_e(x)") + (!shared_              ? ""
                                                      : W_shared_.defined() ? " + g_s f_s(x)"
                                                                            : " + f_s(x)")};
  });
}

}  // namespace headlight
