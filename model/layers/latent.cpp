#include "model/layers/latent.h"

#include "model/ops/basic.h"
#include "model/ops/heads.h"
#include "model/ops/normalise.h"

namespace headlight {

namespace {
constexpr double kLatentEpsilon = 1e-6;  // whatever the model's own is
}

LatentProjections::LatentProjections(const ParameterBuilder& parameters, const MultiHeadSettings& s)
    : latent_(*s.latent), rotary_(*s.rotary), heads_(s.heads), heads_size_(s.head_size) {
  const LatentSettings& l = latent_;
  const auto bias = [&](const char* name, Index size) {
    return s.bias ? parameters.make(name, {size}, Init::zeros()) : Tensor();
  };
  const auto gamma = [&](const char* name, Index size) {
    return (parameters / name).make("gamma", {size}, Init::constant(1));
  };
  const Index wide = s.heads * s.head_size;
  if (l.query_rank == 0) {
    W_q_ = parameters.make("W_q", {s.model, wide}, s.init);
  } else {
    W_q_a_ = parameters.make("W_q_a", {s.model, l.query_rank}, s.init);
    b_q_a_ = bias("b_q_a", l.query_rank);
    q_gamma_ = gamma("q_norm", l.query_rank);
    W_q_b_ = parameters.make("W_q_b", {l.query_rank, wide}, s.init);
  }
  W_kv_a_ = parameters.make("W_kv_a", {s.model, l.rank + l.rope}, s.init);
  b_kv_a_ = bias("b_kv_a", l.rank + l.rope);
  kv_gamma_ = gamma("kv_norm", l.rank);
  W_kv_b_ = parameters.make("W_kv_b", {l.rank, s.heads * (plain() + l.value)}, s.init);
}

Tensor LatentProjections::queries(const Tensor& x, const RowsAt& at, const SitePath& place, const Tap& tap) const {
  Tensor rows;
  if (W_q_.defined()) {
    rows = linear(x, W_q_);
  } else {
    const Tensor c = tap(place, "q_latent", rms_norm(linear(x, W_q_a_, b_q_a_), q_gamma_, kLatentEpsilon));
    rows = linear(c, W_q_b_);
  }
  const Tensor q = tap(place, "head.q", split_heads(rows, heads_), [&] {
    return SiteWords{W_q_.defined() ? "q_i = x W_q, the columns of head i" : "q_i = c_q W_qb, the columns of head i"};
  });
  return tap(place, "head.q_rotated",
             concat(columns(q, 0, plain()), turned_rows(columns(q, plain(), latent_.rope), rotary_, at)),
             [&] { return SiteWords{"[first columns of q; its others turned by its position]"}; });
}

std::pair<Tensor, Tensor> LatentProjections::keys_values(const Tensor& x, const RowsAt& at, const SitePath& place,
                                                         const Tap& tap) const {
  const Tensor both = linear(x, W_kv_a_, b_kv_a_);
  const Tensor latent = tap(place, "latent", rms_norm(columns(both, 0, latent_.rank), kv_gamma_, kLatentEpsilon));
  const Tensor rope = tap(place, "latent_rope", turned_rows(columns(both, latent_.rank, latent_.rope), rotary_, at));
  const Tensor heads = split_heads(linear(latent, W_kv_b_), heads_);
  const Tensor k = tap(place, "head.k", columns(heads, 0, plain()),
                       [&] { return SiteWords{"k_i = c W_kvb, the first columns of head i"}; });
  const Tensor keys = tap(place, "head.k_rotated", concat(k, repeat_heads(rope, heads_)),
                          [&] { return SiteWords{"[k; what all heads share, turned by its position]"}; });
  const Tensor v = tap(place, "head.v", columns(heads, plain(), latent_.value),
                       [&] { return SiteWords{"v_i = c W_kvb, the last columns of head i"}; });
  return {keys, v};
}

}  // namespace headlight
