#include "model/layers/multi_head.h"

#include <algorithm>
#include <cmath>

#include "model/layers/feed_forward.h"
#include "model/ops/activations.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/heads.h"
#include "model/ops/normalise.h"
#include "model/ops/positions.h"
#include "model/ops/softmax.h"
#include "model/trace/site_sentences.h"

namespace headlight {

MultiHeadAttention::MultiHeadAttention(const ParameterBuilder& parameters, const MultiHeadSettings& s) : settings_(s) {
  const auto bias = [&](const char* name, Index size, bool wanted) {
    return wanted ? parameters.make(name, {size}, Init::zeros()) : Tensor();
  };
  const Index wide = s.heads * s.head_size, narrow = s.key_value_heads * s.head_size;
  const Index memory = s.memory > 0 ? s.memory : s.model;
  if (s.latent) {
    latent_.emplace(parameters, s);
  } else if (!s.identity) {
    W_q_ = parameters.make("W_q", {s.model, wide}, s.init);
    b_q_ = bias("b_q", wide, s.bias);
    W_k_ = parameters.make("W_k", {memory, narrow}, s.init);
    b_k_ = bias("b_k", narrow, s.bias);
    W_v_ = parameters.make("W_v", {memory, narrow}, s.init);
    b_v_ = bias("b_v", narrow, s.bias);
  }
  W_o_ = parameters.make("W_o", {s.latent ? s.heads * s.latent->value : wide, s.model}, s.init);
  b_o_ = bias("b_o", s.model, s.out_bias);
  if (s.sink) sinks_ = parameters.make("sinks", {s.heads}, Init::zeros());
  if (s.distances && !s.distances->shared) {
    if (s.distances->c2p) W_kd_ = parameters.make("W_kd", {s.model, wide}, s.init), b_kd_ = bias("b_kd", wide, true);
    if (s.distances->p2c) W_qd_ = parameters.make("W_qd", {s.model, wide}, s.init), b_qd_ = bias("b_qd", wide, true);
  }
  if (!s.qk_norm) return;
  const auto shape = [&](Index heads) {
    return s.qk_norm->span == QueryKeyNorm::Span::head        ? Shape{s.head_size}
           : s.qk_norm->span == QueryKeyNorm::Span::each_head ? Shape{heads, s.head_size}
                                                              : Shape{heads * s.head_size};
  };
  q_gamma_ = (parameters / "q_norm").make("gamma", shape(s.heads), Init::constant(1));
  k_gamma_ = (parameters / "k_norm").make("gamma", shape(s.key_value_heads), Init::constant(1));
  if (!s.qk_norm->norm.bias || s.qk_norm->norm.kind == NormKind::rms) return;
  q_beta_ = (parameters / "q_norm").make("beta", shape(s.heads), Init::zeros());
  k_beta_ = (parameters / "k_norm").make("beta", shape(s.key_value_heads), Init::zeros());
}

Index MultiHeadAttention::KeysValues::columns_after(Index count, bool room) const {
  constexpr Index kRoom = 64;
  const Index needed = length + count;
  if (!room) return needed;
  return needed <= keys.dim(1) ? keys.dim(1) : (needed + kRoom - 1) / kRoom * kRoom;
}

namespace {

// Rows x [B x T x k] at `length` of all [B x C x k], which moves to `columns` rows if it has fewer.
void write_behind(Tensor& all, Index length, Index columns, const Tensor& x) {
  const Index slices = all.dim(0), width = all.dim(2), count = x.dim(1);
  if (all.dim(1) < columns) {
    Tensor roomy = Tensor::zeros({slices, columns, width});
    for (Index b = 0; b < slices; ++b)
      std::copy_n(all.data() + b * all.dim(1) * width, length * width, roomy.data() + b * columns * width);
    all = std::move(roomy);
  }
  for (Index b = 0; b < slices; ++b)
    std::copy_n(x.data() + b * count * width, count * width, all.data() + (b * all.dim(1) + length) * width);
}

}  // namespace

void MultiHeadAttention::KeysValues::append(const KeysValues& more, bool room) {
  const Index columns = columns_after(more.keys.dim(1), room);
  if (room) {
    write_behind(keys, length, columns, more.keys);
    write_behind(values, length, columns, more.values);
  } else {
    keys = append_rows(keys, more.keys);
    values = append_rows(values, more.values);
  }
  length += more.keys.dim(1);
}

void MultiHeadAttention::KeysValues::select(const std::vector<Index>& rows, Index batch) {
  for (Tensor* part : {&keys, &values}) {
    if (!part->defined()) continue;
    const Index groups = part->dim(0) / batch, rows_each = part->dim(1), size = part->dim(2);
    const Tensor by_sentence = index_select(reshape(*part, {batch, groups * rows_each * size}), rows);
    *part = reshape(by_sentence, {by_sentence.dim(0) * groups, rows_each, size});
  }
}

Tensor MultiHeadAttention::projected(const Tensor& x, const Tensor& weight, const Tensor& bias, Index heads) const {
  return split_heads(settings_.identity ? x : linear(x, weight, bias), heads);
}

Tensor turned_rows(const Tensor& x, const Rotary& turn, const RowsAt& at) {
  return rotary(x, at.positions, turn.frequencies(at.length), turn.neighbours, turn.scaling.factor_for(at.length),
                turn.apart);
}

// A base that has grown with the text is named.
SiteWords MultiHeadAttention::rotated_words(const std::string& name, const At& at) const {
  const double base = settings_.rotary->base(at.length);
  std::string text = name + " turned by its position";
  if (base != settings_.rotary->theta) {
    char theta[64];
    std::snprintf(theta, sizeof theta, ", θ = %.6g for ", base);
    text += theta + std::to_string(at.length) + " tokens";
  }
  return {text};
}

SiteWords MultiHeadAttention::projection_words(const std::string& name) const {
  return {name + "_i = x" + (settings_.identity ? "" : " W_" + name + (settings_.bias ? " + b" : "")) +
          ", the columns of head i"};
}

// The scale as it stands in the papers where it is that one.
SiteWords MultiHeadAttention::score_words(const Reach& reach) const {
  const double root = std::sqrt(static_cast<double>(settings_.head_size));
  const bool usual = std::abs(settings_.scale * root - 1) < 1e-9;
  char factor[32];
  std::snprintf(factor, sizeof factor, " · %.4g", settings_.scale);
  std::string products = "q · k_j";
  if (reach.distances.defined() && settings_.distances) {
    for (const char* part : {settings_.distances->c2p ? " + c2p" : "", settings_.distances->p2c ? " + p2c" : ""})
      products += part;
    if (settings_.scale != 1) products = "(" + products + ")";
  }
  return {"s_j = " + products +
              (settings_.scale == 1 ? ""
               : usual              ? " / √d_k"
                                    : factor) +
              (!reach.bias.defined() ? ""
               : reach.slopes        ? " + b_j"
                                     : " + b_{j−t}"),
          usual ? sentences::kScaledByRoot : nullptr, usual ? nullptr : "Vaswani et al. 2017, section 3.2.1"};
}

SiteWords MultiHeadAttention::norm_words(const std::string& name) const {
  const bool centred = settings_.qk_norm->norm.kind == NormKind::layer,
             whole = settings_.qk_norm->span == QueryKeyNorm::Span::whole;
  return {(centred ? "(" + name + " − μ) / σ ⊙ γ" : name + " / rms(" + name + ") ⊙ γ") +
              (q_beta_.defined() ? " + β" : "") + (whole ? ", of all heads as one row" : ""),
          nullptr, centred ? "Ba et al. 2016, eq. 4" : nullptr};
}

Tensor MultiHeadAttention::normed(const Tensor& x, const Tensor& gamma, const Tensor& beta, Index heads) const {
  const NormSettings& norm = settings_.qk_norm->norm;
  const bool whole = settings_.qk_norm->span == QueryKeyNorm::Span::whole;
  const Tensor rows = whole ? join_heads(x, x.dim(0) / heads) : x;
  const Tensor y =
      norm.kind == NormKind::rms ? rms_norm(rows, gamma, norm.epsilon) : layer_norm(rows, gamma, beta, norm.epsilon);
  return whole ? split_heads(y, heads) : y;
}

Tensor MultiHeadAttention::clipped_to(const Tensor& x, const std::string& name, const SitePath& place,
                                      const Tap& tap) const {
  if (settings_.clip <= 0) return x;
  return tap(place, ("head." + name + "_clipped").c_str(), clipped(x, static_cast<Scalar>(settings_.clip)));
}

Tensor MultiHeadAttention::prepared(Tensor x, const std::string& name, const At& at, const SitePath& place,
                                    const Tap& tap) const {
  const bool asks = name == "q";
  if (settings_.qk_norm)
    x = tap(place, asks ? "head.q_normed" : "head.k_normed",
            normed(x, asks ? q_gamma_ : k_gamma_, asks ? q_beta_ : k_beta_,
                   asks ? settings_.heads : settings_.key_value_heads),
            [&] { return norm_words(name); });
  x = clipped_to(x, name, place, tap);
  if (settings_.rotary)
    x = tap(place, asks ? "head.q_rotated" : "head.k_rotated", rotated(x, at), [&] { return rotated_words(name, at); });
  return x;
}

Tensor MultiHeadAttention::queries(const Tensor& x, const At& at, const SitePath& place, const Tap& tap) const {
  if (latent_) return latent_->queries(x, at, place, tap);
  return prepared(
      tap(place, "head.q", projected(x, W_q_, b_q_, settings_.heads), [&] { return projection_words("q"); }), "q", at,
      place, tap);
}

MultiHeadAttention::KeysValues MultiHeadAttention::keys_values(const Tensor& x, const At& at, const SitePath& place,
                                                               const Tap& tap) const {
  if (latent_) {
    auto [keys, values] = latent_->keys_values(x, at, place, tap);
    return {keys, values, keys.dim(1)};
  }
  const Tensor k = prepared(
      tap(place, "head.k", projected(x, W_k_, b_k_, settings_.key_value_heads), [&] { return projection_words("k"); }),
      "k", at, place, tap);
  const Tensor v = clipped_to(
      tap(place, "head.v", projected(x, W_v_, b_v_, settings_.key_value_heads), [&] { return projection_words("v"); }),
      "v", place, tap);
  return {k, v, k.dim(1)};
}

// c2p: what each query says of the distance to a key; p2c: what each key says of it.
Tensor MultiHeadAttention::with_distances(Tensor scores, const Tensor& queries, const Tensor& keys,
                                          const Tensor& distances, const SitePath& place, const Tap& tap) const {
  if (!distances.defined()) return scores;
  const Disentangled& kinds = *settings_.distances;
  const bool shared = kinds.shared;
  if (kinds.c2p) {
    const Tensor K = projected(distances, shared ? W_k_ : W_kd_, shared ? b_k_ : b_kd_, settings_.heads);
    scores = add(scores, tap(place, "head.c2p", by_distance(dot_scores(queries, K), kinds.rows, false)));
  }
  if (kinds.p2c) {
    const Tensor Q = projected(distances, shared ? W_q_ : W_qd_, shared ? b_q_ : b_qd_, settings_.heads);
    scores = add(scores, tap(place, "head.p2c", by_distance(dot_scores(keys, Q), kinds.rows, true)));
  }
  return scores;
}

// Step by step, for whoever looks.
Tensor MultiHeadAttention::weights_in_parts(const Tensor& queries, const Tensor& keys, const Reach& reach,
                                            const SitePath& place, const Tap& tap) const {
  const Tensor raw = tap(place, "head.scores_raw", dot_scores(queries, keys));
  Tensor scores = with_distances(raw, queries, keys, reach.distances, place, tap);
  if (settings_.scale != 1) scores = scale(scores, static_cast<Scalar>(settings_.scale));
  if (reach.bias.defined())
    scores = add_bias(scores, tap(place, "head.bias", reach.bias, [&] {
                        return reach.slopes ? SiteWords{"b_j = m_h · j", sentences::kFallsWithDistance,
                                                        "Press et al. 2022, section 3"}
                                            : SiteWords{"b_{j−t}, learned for each distance"};
                      }));
  scores = tap(place, "head.scores", scores, [&] { return score_words(reach); });
  if (const auto cap = static_cast<Scalar>(settings_.cap); cap > 0)
    scores = tap(place, "head.scores_capped", scale(tanh(scale(scores, 1 / cap)), cap));
  Tensor keep = reach.keep;
  if (!keep.defined()) keep = Tensor::full({1, queries.dim(1), keys.dim(1)}, 1);
  scores = tap(place, "head.scores_masked", mask_scores(scores, tap(place, "keep", keep)));
  if (!sinks_.defined()) return softmax(scores);
  const Tensor all = softmax(with_sinks(scores));
  tap(place, "head.sink", columns(all, scores.columns(), 1));
  return columns(all, 0, scores.columns());
}

// A column behind the scores: what each head's sink scores, the same for all rows.
Tensor MultiHeadAttention::with_sinks(const Tensor& scores) const {
  const Index heads = settings_.heads, rows = scores.dim(1), batch = scores.dim(0) / heads;
  const Tensor column = transpose01(reshape(repeated(sinks_, rows), {rows, heads, 1}));
  return concat(scores, reshape(repeated(column, batch), {batch * heads, rows, 1}));
}

MultiHeadAttention::Read MultiHeadAttention::read(const Tensor& queries, const KeysValues& memory, const Reach& reach,
                                                  const SitePath& place, const Pass& pass) const {
  const Tap& tap = pass.tap;
  const Index batch = queries.dim(0) / settings_.heads;
  const Tensor &keys = memory.keys, &values = memory.values;
  bool in_parts = settings_.cap > 0 || sinks_.defined() || reach.distances.defined();
  for (const char* leaf : {"head.scores_raw", "head.bias", "head.scores", "keep", "head.scores_masked"})
    in_parts = in_parts || tap.wants(place, leaf);
  Tensor weights = in_parts
                       ? weights_in_parts(queries, keys, reach, place, tap)
                       : attention_weights(queries, keys, static_cast<Scalar>(settings_.scale), reach.keep, reach.bias);
  const auto with_sink = [] { return SiteWords{"a_j = exp(s_j) / (exp(s_h) + Σ_k exp(s_k))", sentences::kBesideSink}; };
  weights = sinks_.defined() ? tap(place, "head.weights", weights, with_sink) : tap(place, "head.weights", weights);
  const Tensor out =
      tap(place, "head.out", weighted_sum(dropped(weights, settings_.dropout, pass), values));  // [(N·H) x T x k]
  const Tensor joined = tap(place, "concat", join_heads(out, batch));
  const auto words = [&] { return SiteWords{std::string("[head 1; …; head h] W_o") + (b_o_.defined() ? " + b" : "")}; };
  return {tap(place, "out", linear(joined, W_o_, b_o_), words), weights};
}

Tensor mean_over_heads(const Tensor& weights, Index batch) {
  const Index heads = weights.dim(0) / batch, size = weights.dim(1) * weights.dim(2);
  Tensor mean({batch, weights.dim(1), weights.dim(2)});
  for (Index n = 0; n < batch; ++n)
    mean.view(n * size, {size}).array() =
        ConstMatrixMap(weights.data() + n * heads * size, heads, size).colwise().mean().transpose().array();
  return mean;
}

}  // namespace headlight
