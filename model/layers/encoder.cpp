#include "model/layers/encoder.h"

#include "model/layers/source_ids.h"
#include "model/ops/activations.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"

namespace headlight {

struct Encoder::Layer {
  std::unique_ptr<RecurrentCell> forward, backward;  // backward may be null
  bool residual = false;
};

Encoder::~Encoder() = default;

const RecurrentCell& Encoder::cell(Index layer) const { return *layers_[static_cast<std::size_t>(layer)].forward; }
bool Encoder::has_residual(Index layer) const { return layers_[static_cast<std::size_t>(layer)].residual; }

Encoder::Encoder(const ParameterBuilder& parameters, const EncoderSettings& settings)
    : settings_(settings),
      embedding_((parameters / "embed").make("W", {settings.vocabulary, settings.embedding}, settings.embed)) {
  Index width = settings.embedding;
  for (Index l = 0; l < settings.layers; ++l) {
    const ParameterBuilder build = settings.layers > 1 ? parameters / ("layer[" + std::to_string(l) + "]") : parameters;
    const bool both = settings.directions == Directions::all || (settings.directions == Directions::first && l == 0);
    Layer layer;
    layer.forward = make_cell(settings.cell, both ? build / "fwd" : build, width, settings.hidden, settings.cell_init);
    if (both) layer.backward = make_cell(settings.cell, build / "bwd", width, settings.hidden, settings.cell_init);
    const Index out = both && settings.merge == Merge::concat ? 2 * settings.hidden : settings.hidden;
    layer.residual = settings.residual && l >= settings.residual_from && out == width;
    width = out;
    layers_.push_back(std::move(layer));
  }
  const bool wide = width != settings.hidden;
  if (settings.bridge || (settings.bridge_start && wide && settings.layers == 1))
    bridge_ = (parameters / "bridge").make("W", {width, settings.hidden}, settings.matrix);
  state_size_ = settings.bridge ? settings.hidden : width;
  bottleneck_size_ = bridge_.rank() > 0 || settings.layers > 1 ? settings.hidden : width;
  if (settings.pooling != Pooling::last && settings.layers > 1)
    throw FormatError("\"bottleneck\": " + kPoolingNames[static_cast<std::size_t>(settings.pooling)] +
                      " pools the states of one layer, but \"layers\" is " + std::to_string(settings.layers) +
                      "; use last");
}

namespace {

// The state after a token; where the token is padding, the state before it. `keep_step` [N] or undefined.
CellState carried(const Tensor& keep_step, const CellState& next, const CellState& previous) {
  if (!keep_step.defined()) return next;
  CellState state{where(keep_step, next.h, previous.h), {}};
  if (next.c.defined()) state.c = where(keep_step, next.c, previous.c);
  return state;
}

// Column j of keep [N x S] as [N].
Tensor column(const Tensor& keep, Index j) {
  if (!keep.defined()) return {};
  Tensor out({keep.dim(0)});
  for (Index n = 0; n < out.size(); ++n) out[n] = keep[n * keep.dim(1) + j];
  return out;
}

// Unrolls a cell over projected inputs [S x N x P]; the hidden states stand in the order of the source.
std::vector<Tensor> unroll(const RecurrentCell& cell, const Tensor& projected, const Tensor& keep, bool backward,
                           const SitePath& place, const Tap& tap, CellState& last) {
  const Index s_count = projected.dim(0);
  std::vector<Tensor> hidden(static_cast<std::size_t>(s_count));
  last = cell.zero_state(projected.dim(1));
  for (Index i = 0; i < s_count; ++i) {
    const Index j = backward ? s_count - 1 - i : i;
    last = carried(column(keep, j), cell.step(row(projected, j), last, SitePath(place, "step", j), tap), last);
    hidden[static_cast<std::size_t>(j)] = last.h;
  }
  return hidden;
}

Tensor merged(const Tensor& forward, const Tensor& backward, Merge merge) {
  if (merge == Merge::concat) return concat(forward, backward);
  if (merge == Merge::sum) return add(forward, backward);
  return add(scale(forward, Scalar(0.5)), scale(backward, Scalar(0.5)));
}

}  // namespace

std::vector<Tensor> Encoder::run_layer(const Layer& layer, const Tensor& x, const Tensor& keep, const SitePath& place,
                                       const Pass& pass, Encoded& encoded) const {
  CellState& last = encoded.last.emplace_back();
  std::vector<Tensor> out;
  if (layer.backward) {
    const SitePath fwd(place, "fwd"), bwd(place, "bwd");
    CellState forward_last;
    out = unroll(*layer.forward, layer.forward->project(x), keep, false, fwd, pass.tap, forward_last);
    const std::vector<Tensor> back =
        unroll(*layer.backward, layer.backward->project(x), keep, true, bwd, pass.tap, last);
    encoded.forward_last = forward_last.h;
    for (std::size_t j = 0; j < out.size(); ++j)
      out[j] = pass.tap(
          SitePath(place, "step", static_cast<Index>(j)), "merged", merged(out[j], back[j], settings_.merge), [&] {
            const char* formulas[] = {"h_j = [h→_j ; h←_j]", "h_j = h→_j + h←_j", "h_j = (h→_j + h←_j) / 2"};
            return SiteWords{formulas[static_cast<int>(settings_.merge)]};
          });
  } else {
    out = unroll(*layer.forward, layer.forward->project(x), keep, false, place, pass.tap, last);
    encoded.forward_last = last.h;
  }
  if (layer.residual)
    for (std::size_t j = 0; j < out.size(); ++j)
      out[j] = pass.tap(SitePath(place, "step", static_cast<Index>(j)), "residual.out",
                        add(out[j], row(x, static_cast<Index>(j))));
  return out;
}

Tensor Encoder::bridged(const Tensor& x) const { return tanh(linear(x, bridge_)); }

// The bottleneck; states that have passed the bridge do not pass it again.
Tensor Encoder::pooled(const Encoded& encoded, const Tap& tap) const {
  if (settings_.layers > 1) return encoded.last.back().h;
  const bool last = settings_.pooling == Pooling::last;
  Tensor z = encoded.last.back().h;
  if (last && layers_.back().backward) z = merged(encoded.forward_last, z, settings_.merge);
  if (settings_.pooling == Pooling::mean) z = mean_rows(encoded.states, encoded.keep);
  if (settings_.pooling == Pooling::max) z = max_rows(encoded.states, encoded.keep);
  if (!passes_bridge()) return z;
  return bridged(tap(SitePath("encoder"), "bottleneck.pre", z, [&] { return SiteWords{pooled_formula()}; }));
}

std::string Encoder::last_formula(const char* symbol, std::size_t layer) const {
  return std::string(symbol) + (layers_[layer].backward ? "←_0" : "_{S−1}");
}

std::string Encoder::pooled_formula() const {
  const bool one = settings_.layers == 1;
  if (one && settings_.pooling == Pooling::mean) return "Σ_j h_j / S";
  if (one && settings_.pooling == Pooling::max) return "max_j h_j";
  if (!one || !layers_.back().backward) return last_formula("h", layers_.size() - 1);
  switch (settings_.merge) {
    case Merge::concat:
      return "[h→_{S−1} ; h←_0]";
    case Merge::sum:
      return "h→_{S−1} + h←_0";
    case Merge::mean:
      return "(h→_{S−1} + h←_0) / 2";
  }
  return {};
}

std::string Encoder::bottleneck_formula() const {
  const std::string z = pooled_formula();
  return settings_.layers == 1 && passes_bridge() ? "tanh(" + z + " W)" : z;
}

Encoded Encoder::run(const Tensor& ids, const Tensor& keep, const Pass& pass) const {
  return read(read_source(ids, keep, settings_.reverse, pass.tap), keep, pass);
}

Encoded Encoder::read(const Tensor& ids, const Tensor& keep, const Pass& pass) const {
  const Tap& tap = pass.tap;
  const SitePath encoder("encoder");
  const auto dropped = [&](const Tensor& x) {
    return pass.training && settings_.dropout > 0 ? dropout(x, settings_.dropout, *pass.random) : x;
  };
  Encoded encoded;
  encoded.keep = keep;
  Tensor x = dropped(
      tap(encoder, "embed.out", embedding(ids, embedding_), [] { return SiteWords{"x_j = E[id_j]"}; }));  // [S x N x D]
  std::vector<Tensor> out;
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    if (l > 0) x = dropped(stack0(out));
    const SitePath place = layers_.size() > 1 ? SitePath(encoder, "layer", static_cast<Index>(l)) : encoder;
    out = run_layer(layers_[l], x, keep, place, pass, encoded);
  }
  Tensor states = stack(out);  // [N x S x A]
  if (settings_.bridge) states = bridged(states);
  encoded.states = tap(encoder, "states", states, [&] {
    return SiteWords{settings_.bridge ? "hs = tanh([h_0; …; h_{S−1}] W)" : "hs = [h_0; …; h_{S−1}]"};
  });
  encoded.bottleneck = pooled(encoded, tap);
  return encoded;
}

}  // namespace headlight
