// A mixture of experts in place of a feed-forward network (Shazeer et al. 2017): a router chooses for each row a few of
// many small networks, and adds up what these make of it.
//
// Only chosen experts compute: the rows of one expert are one product.
#pragma once

#include <optional>

#include "model/layers/feed_forward.h"
#include "model/ops/choice.h"

namespace headlight {

enum class ExpertRouter {
  softmax,            // shares of all experts, the largest are chosen (Jiang et al. 2024)
  softmax_of_chosen,  // the largest logits are chosen, shares among these
  sigmoid,            // σ of each, chosen with a correction (DeepSeek-AI 2024)
  rounds,             // one after the other, among those near the largest (Abdin et al. 2024)
};
inline const std::vector<std::string> kExpertRouterNames = {"softmax", "softmax_of_chosen", "sigmoid", "rounds"};

struct ExpertSettings {
  Index count = 1;           // E
  FeedForwardSettings each;  // one expert
  ExpertRouter router = ExpertRouter::softmax;
  ExpertChoice choice;  // k, groups, noise
  bool router_bias = false, correction = false;
  bool normalise = false;    // shares of the chosen are divided by their sum
  double scale = 1;          // of the shares
  Index shared = 0;          // d_ff of a network that every row goes through as well; 0: none
  bool shared_gate = false;  // it is multiplied by a share of its own
};

class Experts {
 public:
  // router.W [d x E], router.b, router.correction [E], router.W_shared [d x 1], expert[e].*, shared.*
  Experts(const ParameterBuilder& parameters, const ExpertSettings& settings);
  // [N x L x d] -> [N x L x d]. Publishes place.router.{logits, experts, shares, shared_gate}, place.expert.out [.. x k
  // x d], place.shared.* and place.out.
  Tensor operator()(const Tensor& x, const SitePath& place, const Pass& pass) const;

 private:
  Tensor shares(const Tensor& logits, const Tensor& ids) const;
  SiteWords share_words() const;
  // Of each row x [R x d] and each of its experts ids [R x k]: [R·k x d].
  Tensor outputs(const Tensor& x, const Tensor& ids, const Pass& pass) const;
  Tensor shared(const Tensor& x, const SitePath& place, const Pass& pass) const;

  ExpertSettings settings_;
  Tensor W_, b_, correction_, W_shared_;
  std::vector<FeedForward> experts_;
  std::optional<FeedForward> shared_;
};

}  // namespace headlight
