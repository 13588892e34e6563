#include "model/layers/transformer_layer.h"

#include <array>
#include <cstdio>

#include "model/ops/basic.h"

namespace headlight {

namespace {
constexpr std::array<const char*, 3> kNorms = {"norm1", "norm2", "norm3"};
constexpr std::array<const char*, 3> kPostNorms = {"post_norm1", "post_norm2", "post_norm3"};
constexpr std::array<const char*, 3> kResiduals = {"residual1", "residual2", "residual3"};
}  // namespace

TransformerLayer::TransformerLayer(const ParameterBuilder& parameters, const TransformerLayerSettings& s)
    : settings_(s), own_(parameters / "self_attn", s.attention) {
  if (s.experts) {
    experts_.emplace(parameters / "ffn", *s.experts);
  } else {
    feed_forward_.emplace(parameters / "ffn", s.feed_forward);
  }
  if (s.cross) cross_.emplace(parameters / "cross_attn", s.cross_attention);
  for (std::size_t i = 0; i < (s.cross ? 3u : 2u); ++i) {
    norms_.emplace_back();
    const bool has_norm = s.place != NormPlace::output && (i > 0 ? !s.shared_norm : s.first_norm);
    if (has_norm) norms_.back().emplace(parameters / kNorms[i], s.norm, s.attention.model);
    if (gives_normed(s.place)) post_norms_.emplace_back(parameters / kPostNorms[i], s.norm, s.attention.model);
  }
}

TransformerLayer::KeysValues TransformerLayer::source(const Tensor& states, const SitePath& place,
                                                      const Tap& tap) const {
  return cross_->keys_values(states, {}, SitePath(place, "cross_attn"), tap);
}

// norm(x + f(x)), x + f(norm(x)), x + norm(f(norm(x))) or x + norm(f(x)); f may read something else than x.
template <class Sublayer>
Tensor TransformerLayer::around(std::size_t i, const char* name, const Tensor& x, const Tensor& read,
                                const Tensor& keep, const SitePath& place, const Pass& pass,
                                const Sublayer& sublayer) const {
  const bool post = settings_.place == NormPlace::post;
  const auto normalised = [&](const Tensor& rows) {
    return norms_[i] ? (*norms_[i])(rows, keep, SitePath(place, kNorms[i]), pass) : rows;
  };
  const Tensor rows = post ? read : normalised(read);
  Tensor given = sublayer(rows);
  if (!post_norms_.empty()) given = post_norms_[i](given, keep, SitePath(place, kPostNorms[i]), pass);
  if (settings_.residual_scale != 1) given = scale(given, static_cast<Scalar>(settings_.residual_scale));
  const auto words = [&] {
    const bool normed = !post && (norms_[i] || (settings_.shared_norm && norms_[0]));
    std::string of = std::string(name) + (normed ? "(norm(x))" : "(x)");
    if (!post_norms_.empty()) of = "norm(" + of + ")";
    char factor[32] = "";
    if (settings_.residual_scale != 1) std::snprintf(factor, sizeof factor, "%.4g · ", settings_.residual_scale);
    return SiteWords{(settings_.sum_of_normed ? "norm(x) + " : "x + ") + (factor + of), nullptr,
                     post                                   ? nullptr
                     : settings_.place == NormPlace::output ? "Liu et al. 2022, figure 1"
                                                            : "Xiong et al. 2020, figure 1"};
  };
  const Tensor& start = settings_.sum_of_normed ? rows : x;
  const Tensor sum = pass.tap(place, kResiduals[i], add(start, dropped(given, settings_.dropout, pass)), words);
  return post ? normalised(sum) : sum;
}

TransformerLayer::Output TransformerLayer::operator()(const Input& input, KeysValues& text, const KeysValues* source,
                                                      const SitePath& place, const Pass& pass) const {
  const SitePath own(place, "self_attn"), cross(place, "cross_attn"), ffn(place, "ffn");
  Output output;
  std::size_t i = 0;
  const MultiHeadAttention::At at{input.positions, input.length};
  Tensor beside = input.x;  // what a network beside the attention reads
  Tensor x = around(i++, "attention", input.x, input.x, input.keep, place, pass, [&](const Tensor& rows) {
    if (settings_.shared_norm) beside = rows;
    const Tensor queries = own_.queries(rows, at, own, pass.tap);
    text.append(own_.keys_values(rows, at, own, pass.tap), input.room);
    MultiHeadAttention::Read read = own_.read(queries, text, input.own, own, pass);
    output.own = std::move(read.weights);
    return read.out;
  });
  if (cross_)
    x = around(i++, "cross-attention", x, x, input.keep, place, pass, [&](const Tensor& rows) {
      MultiHeadAttention::Read read =
          cross_->read(cross_->queries(rows, {}, cross, pass.tap), *source, input.cross, cross, pass);
      output.cross = std::move(read.weights);
      return read.out;
    });
  output.x = around(i, "ffn", x, settings_.parallel ? beside : x, input.keep, place, pass, [&](const Tensor& rows) {
    return experts_ ? (*experts_)(rows, ffn, pass) : (*feed_forward_)(rows, ffn, pass);
  });
  return output;
}

}  // namespace headlight
