#include "model/layers/attention.h"

#include <cmath>
#include <limits>

#include "model/ops/activations.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/softmax.h"
#include "model/trace/site_sentences.h"

namespace headlight {

namespace {

// Where a learned β starts: softplus(raw) = β.
double inverse_softplus(double beta) { return std::log(std::expm1(beta)); }

// [N x T x n] zeros or ones, which no graph knows.
Tensor constant(const Tensor& like, Index n, Scalar value) {
  return Tensor::full({like.dim(0), like.dim(1), n}, value);
}

}  // namespace

Attention::Attention(const ParameterBuilder& parameters, const AttentionSettings& settings, Index query_size,
                     Index key_size, const AttentionInit& init)
    : settings_(settings) {
  const Score score = settings.score;
  const bool product = score == Score::dot || score == Score::scaled_dot || score == Score::cosine;
  if (product && query_size != key_size)
    throw FormatError("\"attention.score\": " + kScoreNames[static_cast<std::size_t>(score)] +
                      " compares queries and keys number by number, but queries have " + std::to_string(query_size) +
                      " and keys " + std::to_string(key_size) + "; use general or additive, or merge the directions " +
                      "of the encoder by sum, mean or a bridge");
  const Index n = settings.hidden;
  if (score == Score::general) W_a_ = parameters.make("W_a", {query_size, key_size}, init.matrix);
  if (score == Score::additive || score == Score::mlp) {
    W_a_ = parameters.make("W_a", {query_size, n}, init.matrix);
    U_a_ = parameters.make("U_a", {key_size, n}, init.matrix);
    const bool mlp = score == Score::mlp;
    if (mlp || settings.bias != ScoreBias::none) b_a_ = parameters.make("b_a", {n}, Init::zeros());
    v_a_ = parameters.make("v_a", {n}, init.vector);
    if (mlp || settings.bias == ScoreBias::both) b_v_ = parameters.make("b_v", {1}, Init::zeros());
  }
  if (score == Score::linear_concat) {
    W_a_ = parameters.make("w_q", {query_size, 1}, init.matrix);
    U_a_ = parameters.make("w_k", {key_size, 1}, init.matrix);
  }
  if (score == Score::location) W_a_ = parameters.make("W_loc", {query_size, settings.longest_source}, init.matrix);
  if (score == Score::cosine && settings.learn_beta)
    beta_raw_ = parameters.make("beta_raw", {1}, Init::constant(inverse_softplus(settings.beta)));
  if (settings.reach == Reach::local_p) {
    W_p_ = parameters.make("W_p", {query_size, query_size}, init.matrix);
    v_p_ = parameters.make("v_p", {query_size, 1}, init.matrix);
  }
}

Attention::Memory Attention::Memory::select(const std::vector<Index>& rows) const {
  return {index_select(keys, rows),      index_select(values, rows),  index_select(keep, rows),
          index_select(projected, rows), index_select(lengths, rows), index_select(sampled, rows)};
}

Attention::Memory Attention::prepare(const Tensor& keys, const Tensor& values, const Tensor& keep,
                                     const SitePath& place, const Pass& pass) const {
  Memory memory{keys, values, keep, {}, Tensor::full({keys.dim(0)}, static_cast<Scalar>(keys.dim(1))), {}};
  if (keep.defined())
    for (Index n = 0; n < keep.dim(0); ++n) memory.lengths[n] = keep.matrix().row(n).sum();
  if (U_a_.defined())
    memory.projected = pass.tap(place, "attention.keys_proj", linear(keys, U_a_), [&] {
      return SiteWords{settings_.score == Score::linear_concat ? "k_j w_k" : "k_j U_a"};
    });
  if (settings_.selection == ReadSelection::hard_sample && settings_.semi_sampling > 0 && pass.training &&
      pass.random) {
    memory.sampled = Tensor(memory.lengths.shape());
    for (Index n = 0; n < memory.sampled.size(); ++n)
      memory.sampled[n] = pass.random->uniform() < settings_.semi_sampling ? 0 : 1;
  }
  return memory;
}

Tensor Attention::location_scores(const Tensor& queries, Index s_count) const {
  const Tensor all = linear(queries, W_a_);
  const Index longest = settings_.longest_source;
  // Words beyond the longest source get no score, so no weight.
  constexpr Scalar kNone = -std::numeric_limits<Scalar>::infinity();
  return s_count <= longest ? columns(all, 0, s_count) : concat(all, constant(queries, s_count - longest, kNone));
}

Tensor Attention::scores(const Tensor& queries, const Memory& memory, const SitePath& place, const Tap& tap) const {
  const Index s_count = memory.keys.dim(1);
  const auto projected = [&] {
    return tap(place, "attention.query_proj", linear(queries, W_a_, b_a_), [&] {
      return SiteWords{settings_.score == Score::linear_concat ? "q w_q"
                       : b_a_.defined()                        ? "q W_a + b_a"
                                                               : "q W_a",
                       nullptr, score_words().paper};
    });
  };
  switch (settings_.score) {
    case Score::dot:
      return dot_scores(queries, memory.keys);
    case Score::scaled_dot:
      return scale(tap(place, "attention.products", dot_scores(queries, memory.keys)),
                   static_cast<Scalar>(1 / std::sqrt(static_cast<double>(queries.columns()))));
    case Score::general:
      return dot_scores(projected(), memory.keys);
    case Score::additive:
      return additive_scores(projected(), memory.projected, v_a_, b_v_);
    case Score::mlp:
      return additive_scores(projected(), memory.projected, v_a_, b_v_, Squash::relu);
    case Score::linear_concat:
      return additive_scores(projected(), memory.projected, Tensor::full({1}, 1), {}, Squash::none);
    case Score::location:
      return location_scores(queries, s_count);
    case Score::cosine:
      break;
  }
  const Tensor beta = beta_raw_.defined() ? tap(place, "attention.beta", softplus(beta_raw_))
                                          : Tensor::full({1}, static_cast<Scalar>(settings_.beta));
  return cosine_scores(queries, memory.keys, beta);
}

SiteWords Attention::score_words() const {
  using namespace sentences;
  constexpr const char *kLuong = "Luong et al. 2015, section 3.1", *kBahdanau = "Bahdanau et al. 2015, appendix A.1.2";
  switch (settings_.score) {
    case Score::dot:
      return {"s_j = q · k_j", nullptr, kLuong};
    case Score::scaled_dot:
      return {"s_j = q · k_j / √d_k", nullptr, "Vaswani et al. 2017, eq. 1"};
    case Score::general:
      return {"s_j = q W_a · k_j", nullptr, kLuong};
    case Score::additive:
      return {std::string("s_j = v_a · tanh(q W_a + k_j U_a") + (b_a_.defined() ? " + b_a)" : ")") +
                  (b_v_.defined() ? " + b_v" : ""),
              nullptr, settings_.bias == ScoreBias::both ? "Xu et al. 2015, eq. 4" : kBahdanau};
    case Score::mlp:
      return {"s_j = v_a · relu(q W_a + k_j U_a + b_a) + b_v", nullptr, ""};
    case Score::linear_concat:
      return {"s_j = q w_q + k_j w_k", nullptr, ""};
    case Score::location:
      return {"s_j = (q W_loc)_j, j < S_max", kByPlace, "Luong et al. 2015, eq. 8"};
    case Score::cosine:
      return {"s_j = β q · k_j / (‖q‖ ‖k_j‖)", nullptr, "Graves et al. 2014, eq. 5 and 6"};
  }
  return {};
}

// Who makes shares of such scores by a softmax, which most of the papers number by itself.
const char* Attention::shares_paper() const {
  switch (settings_.score) {
    case Score::additive:
      return settings_.bias == ScoreBias::both ? "Xu et al. 2015, eq. 5" : "Bahdanau et al. 2015, eq. 6";
    case Score::scaled_dot:
      return "Vaswani et al. 2017, eq. 1";
    case Score::cosine:
      return "Graves et al. 2014, eq. 5";
    case Score::location:
      return "Luong et al. 2015, eq. 8";
    case Score::dot:
    case Score::general:
      return "Luong et al. 2015, eq. 7";
    case Score::mlp:
    case Score::linear_concat:
      break;
  }
  return "";
}

const char* Attention::context_paper() const {
  switch (settings_.score) {
    case Score::additive:
      return settings_.bias == ScoreBias::both ? "Xu et al. 2015, section 4.2" : "Bahdanau et al. 2015, eq. 5";
    case Score::scaled_dot:
      return "Vaswani et al. 2017, eq. 1";
    case Score::dot:
    case Score::general:
    case Score::location:
      return "Luong et al. 2015, section 3.1";
    case Score::cosine:
      return "Graves et al. 2014, eq. 2";
    case Score::mlp:
    case Score::linear_concat:
      break;
  }
  return "";
}

// p_t [N x T x 1], positions from 0 in the order of reading (Luong et al. 2015, section 3.2 and eq. 9). local-m stands
// at token t of the text, which is read last but t where the source is reversed.
Tensor Attention::positions(const Tensor& queries, Index first_step, const Memory& memory, const SitePath& place,
                            const Tap& tap) const {
  Tensor last(memory.lengths.shape());
  for (Index n = 0; n < last.size(); ++n) last[n] = std::max<Scalar>(0, memory.lengths[n] - 1);
  if (settings_.reach == Reach::local_p) {
    const Tensor hidden = tap(place, "attention.position.hidden", tanh(linear(queries, W_p_)));
    return scale_rows(tap(place, "attention.position.share", sigmoid(linear(hidden, v_p_))), last);
  }
  Tensor p = constant(queries, 1, 0);
  for (Index n = 0; n < p.dim(0); ++n)
    for (Index t = 0; t < p.dim(1); ++t) {
      const Scalar token = std::min<Scalar>(static_cast<Scalar>(first_step + t), last[n]);
      p[n * p.dim(1) + t] = settings_.reversed ? last[n] - token : token;
    }
  return p;
}

Tensor Attention::normalised(const Tensor& scores, const Tensor& queries, Index first_step, const Memory& memory,
                             const SitePath& place, const Tap& tap) const {
  const Index s_count = scores.dim(2);
  const Tensor& keep = memory.keep;
  const bool tempered = settings_.temperature != 1, local_m = settings_.reach == Reach::local_m;
  const std::string shares = tempered ? "a_j = exp(s_j / τ) / Σ_k exp(s_k / τ)" : "a_j = exp(s_j) / Σ_k exp(s_k)";
  if (settings_.reach == Reach::global)
    return tap(place, "attention.weights", softmax(scores, keep), [&] {
      return SiteWords{shares, sentences::kAddUpToOne, shares_paper()};
    });
  const auto in_window = [&] { return SiteWords{shares + ", k in the window"}; };
  const Tensor p = tap(place, "attention.position", positions(queries, first_step, memory, place, tap), [&] {
    return local_m ? SiteWords{settings_.reversed ? "p_t = S − 1 − min(t, S − 1)" : "p_t = min(t, S − 1)",
                               sentences::kWindowByStep, "Luong et al. 2015, section 3.2"}
                   : SiteWords{"p_t = (S − 1) σ(tanh(q W_p) v_p)"};
  });
  const Tensor window = tap(place, "attention.keep", window_mask(p, settings_.half_width, s_count, keep));
  const Tensor align = tap(place, "attention.align", softmax(scores, window), in_window);
  if (local_m)
    return tap(place, "attention.weights", align, [&] {
      return SiteWords{in_window().formula, sentences::kAddUpToOne, "Luong et al. 2015, section 3.2"};
    });
  const double sigma =
      settings_.sigma > 0 ? settings_.sigma : std::max(0.5, static_cast<double>(settings_.half_width) / 2);
  const Tensor gauss = tap(place, "attention.gauss", gaussian_window(p, s_count, sigma));
  return tap(place, "attention.weights", multiply(align, gauss), [&] {
    return SiteWords{shares + " · exp(−(j − p_t)² / 2σ²), k in the window", sentences::kAddUpToLess,
                     "Luong et al. 2015, eq. 10"};
  });
}

// The weights that the values are summed with, after a hard selection.
Tensor Attention::selected(Read& read, const Memory& memory, const SitePath& place, const Pass& pass) const {
  if (settings_.selection == ReadSelection::soft) return read.weights;
  const Index batch = read.weights.dim(0), t_count = read.weights.dim(1);
  if (settings_.selection == ReadSelection::hard_sample && pass.random) {
    Tensor u({batch, t_count});
    for (Index i = 0; i < u.size(); ++i) u[i] = static_cast<Scalar>(pass.random->uniform());
    read.sampled = memory.sampled.defined() ? memory.sampled : Tensor::full({batch}, 1);
    read.indices = sample_rows(read.weights, pass.tap(place, "attention.sample.u", u));
  } else {
    read.indices = argmax_rows(read.weights);
  }
  read.indices = pass.tap(place, "attention.sample.index", read.indices, [&] {
    return SiteWords{read.sampled.defined() ? "min { j : a_0 + … + a_j > u }" : "argmax_j a_j"};
  });
  const Tensor choice = pass.tap(place, "attention.sample.onehot", hard_choice(read.weights, read.indices));
  return memory.sampled.defined() ? where(memory.sampled, choice, read.weights) : choice;
}

Attention::Read Attention::read(const Tensor& queries, Index first_step, const Memory& memory, const SitePath& place,
                                const Pass& pass) const {
  const Tap& tap = pass.tap;
  const Tensor query = tap(place, "attention.query", queries, [&] {
    return SiteWords{std::string("q = ") + settings_.query, nullptr, score_words().paper};
  });
  Tensor score = tap(place, "attention.scores", scores(query, memory, place, tap), [&] { return score_words(); });
  if (settings_.temperature != 1)
    score = tap(place, "attention.scaled", scale(score, static_cast<Scalar>(1 / settings_.temperature)));
  Read read;
  read.keep = memory.keep;
  read.weights = normalised(score, query, first_step, memory, place, tap);
  const Tensor shares = selected(read, memory, place, pass);
  if (tap.active()) tap(place, "attention.weighted", weighted_rows(shares, memory.values));
  read.context = tap(place, "attention.context", weighted_sum(shares, memory.values), [&] {
    return settings_.selection == ReadSelection::soft
               ? SiteWords{"c_t = Σ_j a_j v_j", sentences::kMean, context_paper()}
               : SiteWords{"c_t = v_j, j the chosen position", sentences::kChosen, "Xu et al. 2015, section 4.1"};
  });
  return read;
}

}  // namespace headlight
