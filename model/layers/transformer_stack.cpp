#include "model/layers/transformer_stack.h"

#include <algorithm>
#include <map>

#include "model/ops/basic.h"
#include "model/ops/convolution.h"
#include "model/ops/heads.h"
#include "model/ops/positions.h"

namespace headlight {

TransformerStack::TransformerStack(const ParameterBuilder& side, const TransformerStackSettings& s) : settings_(s) {
  if (s.relative)
    relative_ = (side / "relative").make("W", {s.relative->buckets, s.layer.attention.heads}, Init::normal(0.1));
  const Index d = s.layer.attention.model;
  if (const auto& distances = s.layer.attention.distances) {
    distance_ = (side / "distance").make("W", {2 * distances->rows.span, d}, Init::normal(0.1));
    if (distances->norm) distance_norm_.emplace(side / "distance" / "norm", s.layer.norm, d);
  }
  if (s.convolution) {
    const ParameterBuilder place = side / "convolution";
    W_convolution_ = place.make("W", {s.convolution->kernel * d, d}, s.layer.attention.init);
    b_convolution_ = place.make("b", {d}, Init::zeros());
    convolution_norm_.emplace(place / "norm", s.layer.norm, d);
  }
  for (Index l = 0; l < s.layers; ++l) {
    if (!s.shared.empty() && s.shared[static_cast<std::size_t>(l)] < l) {
      layers_.push_back(layers_[static_cast<std::size_t>(s.shared[static_cast<std::size_t>(l)])]);
      continue;
    }
    TransformerLayerSettings layer = s.layer;
    layer.first_norm = l > 0 || s.first_norm;
    if (!s.dense.empty() && s.dense[static_cast<std::size_t>(l)] != 0) layer.experts.reset();
    if (s.local_rotary && s.windows[static_cast<std::size_t>(l)] > 0) layer.attention.rotary = s.local_rotary;
    if (!s.turned.empty() && s.turned[static_cast<std::size_t>(l)] == 0) layer.attention.rotary.reset();
    for (MultiHeadSettings* attention : {&layer.attention, &layer.cross_attention})
      if (s.scale_by_layer) attention->scale /= static_cast<double>(l + 1);
    layers_.emplace_back(side / ("layer[" + std::to_string(l) + "]"), layer);
  }
  if (s.final_norm) final_norm_.emplace(side / "final_norm", s.layer.norm, d);
  if (s.out_size > 0) project_ = (side / "project").make("W", {d, s.out_size}, s.layer.attention.init);
}

void TransformerStack::State::select(const std::vector<Index>& rows, Index batch) {
  for (auto* caches : {&text, &source})
    for (KeysValues& cache : *caches) cache.select(rows, batch);
  keep = index_select(keep, rows);
  source_keep = index_select(source_keep, rows);
  if (!weights.defined()) return;
  const Index heads = weights.dim(0) / batch, t_count = weights.dim(1), s_count = weights.dim(2);
  const Tensor by_sentence = index_select(reshape(weights, {batch, heads * t_count * s_count}), rows);
  weights = reshape(by_sentence, {by_sentence.dim(0) * heads, t_count, s_count});
}

TransformerStack::State TransformerStack::start() const {
  State state;
  state.text.resize(layers_.size());
  return state;
}

void TransformerStack::read_source(const Tensor& states, const Tensor& keep, State& state, const SitePath& side,
                                   const Tap& tap) const {
  for (std::size_t l = 0; l < layers_.size(); ++l)
    state.source.push_back(layers_[l].source(states, SitePath(side, "layer", static_cast<Index>(l)), tap));
  state.source_keep = keep;
}

namespace {

// Tokens of the text [N x length] with `more` [N x count] behind them; undefined when all are tokens.
Tensor joined_keep(const Tensor& before, Index length, const Tensor& more, Index batch, Index count) {
  if (!before.defined() && !more.defined()) return {};
  Tensor all = Tensor::full({batch, length + count}, 1);
  if (before.defined()) all.matrix().leftCols(length) = before.matrix();
  if (more.defined()) all.matrix().rightCols(count) = more.matrix();
  return all;
}

}  // namespace

// The embeddings of the distances of a text of `count` tokens, the same for each sentence.
Tensor TransformerStack::distances_of(Index batch, Index count) const {
  const DistanceRows& rows = settings_.layer.attention.distances->rows;
  Tensor ids({batch, rows.count(count)});
  for (Index i = 0; i < ids.size(); ++i) ids[i] = static_cast<Scalar>(rows.first(count) + i % ids.dim(1));
  const Tensor table = embedding(ids, distance_);
  return distance_norm_ ? (*distance_norm_)(table, {}, SitePath("distance"), Pass()) : table;
}

Tensor TransformerStack::convolved(const Tensor& read, const Tensor& x, const Tensor& keep, const SitePath& side,
                                   const Pass& pass) const {
  const auto& [kernel, activation] = *settings_.convolution;
  const SitePath place(side, "convolution");
  const Tensor seen = windows(keep.defined() ? mask_rows(read, keep) : read, kernel, kernel / 2);
  const Tensor pre = pass.tap(place, "pre", linear(seen, W_convolution_, b_convolution_));
  const Tensor act = pass.tap(place, "act", activated(pre, activation),
                              [&] { return SiteWords{activation_name(activation) + std::string("(x)")}; });
  const Tensor sum = pass.tap(place, "residual", add(x, dropped(act, settings_.layer.dropout, pass)));
  return (*convolution_norm_)(sum, keep, SitePath(place, "norm"), pass);
}

Tensor TransformerStack::run(Tensor x, const Tensor& positions, const Tensor& keep, State& state, const SitePath& place,
                             const Pass& pass) const {
  const Index batch = x.dim(0), count = x.dim(1), first = state.length;
  state.keep = joined_keep(state.keep, first, keep, batch, count);
  state.length += count;
  // A causal mask takes away what is not there yet, so there may be room for it.
  const bool room = first > 0 && settings_.causal && !pass.tap.active() && !Graph::current();
  const Index columns = state.text[0].columns_after(count, room);
  TransformerLayer::Input input{x, positions, std::max(state.length, state.known), keep, {}, {}, room};
  const Tensor tokens = joined_keep(state.keep, state.length, {}, batch, columns - state.length);
  std::map<Index, Tensor> keeps;  // by window
  if (!state.source.empty())
    input.cross.keep = attention_keep(count, state.source[0].keys.dim(1), 0, false, 0, state.source_keep);
  if (const auto& relative = settings_.relative)
    input.own.bias = relative_bias(relative_, first, count, columns, relative->both_directions, relative->distance);
  if (const auto& slopes = settings_.slopes) {
    input.own.slopes = true;
    input.own.bias = alibi(settings_.layer.attention.heads, count, columns, slopes->rounded);
    if (slopes->scale != 1) input.own.bias = scale(input.own.bias, static_cast<Scalar>(slopes->scale));
  }
  if (distance_.defined()) input.own.distances = distances_of(batch, count);
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Index window = settings_.windows.empty() ? settings_.window : settings_.windows[l];
    if (!keeps.count(window)) keeps[window] = attention_keep(count, columns, first, settings_.causal, window, tokens);
    input.own.keep = keeps[window];
    TransformerLayer::Output output =
        layers_[l](input, state.text[l], state.source.empty() ? nullptr : &state.source[l],
                   SitePath(place, "layer", static_cast<Index>(l)), pass);
    input.x = convolution_norm_ && l == 0 ? convolved(x, output.x, keep, place, pass) : std::move(output.x);
    state.weights = std::move(state.source.empty() ? output.own : output.cross);
  }
  return finish(input.x, keep, place, pass);
}

Tensor TransformerStack::finish(const Tensor& x, const Tensor& keep, const SitePath& place, const Pass& pass) const {
  const Tensor out = final_norm_ ? (*final_norm_)(x, keep, SitePath(place, "final_norm"), pass) : x;
  return project_.defined() ? pass.tap(place, "project.out", linear(out, project_)) : out;
}

}  // namespace headlight
