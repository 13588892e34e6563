#include "model/layers/transformer_layer.h"

#include <array>

#include "model/ops/basic.h"

namespace headlight {

namespace {
constexpr std::array<const char*, 3> kNorms = {"norm1", "norm2", "norm3"};
constexpr std::array<const char*, 3> kResiduals = {"residual1", "residual2", "residual3"};
}  // namespace

TransformerLayer::TransformerLayer(const ParameterBuilder& parameters, const TransformerLayerSettings& s)
    : settings_(s), own_(parameters / "self_attn", s.attention), feed_forward_(parameters / "ffn", s.feed_forward) {
  if (s.cross) cross_.emplace(parameters / "cross_attn", s.cross_attention);
  for (std::size_t i = 0; i < (s.cross ? 3u : 2u); ++i)
    norms_.emplace_back(parameters / kNorms[i], s.norm, s.attention.model);
}

TransformerLayer::KeysValues TransformerLayer::source(const Tensor& states, const SitePath& place,
                                                      const Tap& tap) const {
  return cross_->keys_values(states, {}, SitePath(place, "cross_attn"), tap);
}

// norm(x + f(x)), or x + f(norm(x)).
template <class Sublayer>
Tensor TransformerLayer::around(std::size_t i, const Tensor& x, const Tensor& keep, const SitePath& place,
                                const Pass& pass, const Sublayer& sublayer) const {
  const auto normalised = [&](const Tensor& rows) { return norms_[i](rows, keep, SitePath(place, kNorms[i]), pass); };
  const Tensor given = sublayer(settings_.pre ? normalised(x) : x);
  const Tensor sum = pass.tap(place, kResiduals[i], add(x, dropped(given, settings_.dropout, pass)));
  return settings_.pre ? sum : normalised(sum);
}

TransformerLayer::Output TransformerLayer::operator()(const Input& input, KeysValues& text, const KeysValues* source,
                                                      const SitePath& place, const Pass& pass) const {
  const SitePath own(place, "self_attn"), cross(place, "cross_attn");
  Output output;
  std::size_t i = 0;
  Tensor x = around(i++, input.x, input.keep, place, pass, [&](const Tensor& rows) {
    const Tensor queries = own_.queries(rows, input.positions, own, pass.tap);
    text.append(own_.keys_values(rows, input.positions, own, pass.tap), input.room);
    MultiHeadAttention::Read read = own_.read(queries, text, input.own, own, pass);
    output.own = std::move(read.weights);
    return read.out;
  });
  if (cross_)
    x = around(i++, x, input.keep, place, pass, [&](const Tensor& rows) {
      MultiHeadAttention::Read read =
          cross_->read(cross_->queries(rows, {}, cross, pass.tap), *source, input.cross, cross, pass);
      output.cross = std::move(read.weights);
      return read.out;
    });
  output.x =
      around(i, x, input.keep, place, pass, [&](const Tensor& rows) { return feed_forward_(rows, place, pass); });
  return output;
}

}  // namespace headlight
