#include "model/models/transformer.h"

#include <cmath>
#include <utility>

#include "model/layers/source_ids.h"
#include "model/models/prefix_cache.h"
#include "model/models/transformer_settings.h"
#include "model/ops/activations.h"
#include "model/ops/basic.h"
#include "model/ops/convolution.h"
#include "model/ops/softmax.h"

namespace headlight {

namespace {

using Tie = TransformerSettings::Tie;
using State = TransformerStack::State;

// An encoder or a decoder with what stands in front of it.
struct Side {
  TokenInput input;
  TransformerStack stack;
};

// From rows [N x L x d or e] to logits [N x L x V]: the embeddings again (Press & Wolf 2017), or a matrix of their own.
struct ReadoutWeights {
  Tensor table, W, b;
  double scale = 1, cap = 0;
  bool there = true;
  Tensor operator()(const Tensor& x) const {
    if (!there) throw UsageError("this model has no output layer: it only encodes");
    const Tensor rows = scale == 1 ? x : headlight::scale(x, static_cast<Scalar>(scale));
    const Tensor logits = table.defined() ? linear_transposed(rows, table, b) : linear(rows, W, b);
    const auto c = static_cast<Scalar>(cap);
    return cap > 0 ? headlight::scale(tanh(headlight::scale(logits, 1 / c)), c) : logits;
  }
  SiteWords words() const {
    const std::string logits =
        std::string(scale == 1 ? "" : "α ") + (table.defined() ? "x Eᵀ" : "x W") + (b.defined() ? " + b" : "");
    return {"z = " + (cap > 0 ? "c tanh((" + logits + ") / c)" : logits)};
  }
};

// Of attn_mean.
SiteWords mean_words() { return {"Σ_h a_{hj} / H"}; }

// The layer in front of the logits of masked words (Devlin et al. 2019).
struct Head {
  Tensor W, b;
  Norm norm;
};

// The sum of two shifts [N], each of which may be undefined (0).
Tensor both(const Tensor& a, const Tensor& b) {
  if (!a.defined() || !b.defined()) return a.defined() ? a : b;
  Tensor sum = a.clone();
  sum.array() += b.array();
  return sum;
}

// The first rows of a prompt.
std::vector<TransformerStack::KeysValues> beginning_of(const PrefixCache& prompt, Index count) {
  const auto first = [&](const Tensor& all) {
    Tensor part({all.dim(0), count, all.dim(2)});
    const Index size = count * all.dim(2);
    for (Index g = 0; g < all.dim(0); ++g)
      part.view(g * size, {size}).array() = all.view(g * all.dim(1) * all.dim(2), {size}).array();
    return part;
  };
  std::vector<TransformerStack::KeysValues> text;
  for (const auto& layer : prompt.layers) text.push_back({first(layer.keys), first(layer.values), count});
  return text;
}

class Transformer : public Model {
 public:
  Transformer(const Json& config, const TransformerSettings& settings, InitialValues values);
  std::unique_ptr<Decoding> begin(const Source& source, const Pass& pass) const override;
  Tensor lens(const Tensor& states) const override;

  class CausalDecoding;

 private:
  class MaskedDecoding;
  struct Encoded {
    Tensor states;   // [N x S x d]
    Tensor weights;  // of the last layer [(N·H) x S x S]
  };
  Encoded encode(const Source& source, const Pass& pass) const;
  // The position of a text's first token, drawn in training.
  Index first_position(const Pass& pass) const {
    if (!pass.training || !pass.random || settings_.random_offset == 0) return 0;
    return pass.random->below(static_cast<std::uint32_t>(settings_.random_offset + 1));
  }
  std::unique_ptr<Decoding> begin_after_prompt(const Source& source, const Pass& pass) const;
  // States through the layer in front of the logits, where there is one. `side`: the encoder, or a decoder's step.
  Tensor guessed(const Tensor& states, const Tensor& keep, const SitePath& side, const Pass& pass) const;

  TransformerSettings settings_;
  std::optional<Side> encoder_, decoder_;
  std::optional<Head> head_;
  ReadoutWeights readout_;
};

Transformer::Transformer(const Json& config, const TransformerSettings& s, InitialValues values)
    : Model(config), settings_(s) {
  Random random(values.seed, Random::Stream::init);
  const ParameterBuilder build(parameters_, values, random);
  const auto table = [&](const ParameterBuilder& place, const TokenInputSettings& input, Index vocabulary) {
    return (place / "embed").make("W", TokenInput::table_shape(input, vocabulary), input.table_init);
  };
  const auto side = [&](const char* name, const TransformerStackSettings& stack, const TokenInputSettings& of_side,
                        const Tensor& embeddings) {
    const ParameterBuilder place = build / name;
    TokenInput input(place, of_side, embeddings);
    return Side{std::move(input), TransformerStack(place, stack)};
  };
  Tensor shared;
  if (s.tie == Tie::all) shared = table(build, s.input, s.target_vocabulary);
  Tensor written = shared;  // the table of what is written
  if (s.shape != TransformerShape::decoder_only) {
    if (s.tie != Tie::all) written = table(build / "encoder", s.input, s.source_vocabulary);
    encoder_ = side("encoder", s.encoder, s.input, written);
  }
  if (s.shape != TransformerShape::encoder_only) {
    if (s.tie != Tie::all) written = table(build / "decoder", s.decoder_input, s.target_vocabulary);
    decoder_ = side("decoder", s.decoder, s.decoder_input, written);
  }
  const Index d = s.input.model;
  if (s.head_transform) {
    const ParameterBuilder place = build / "head";
    const Tensor W = place.make("W", {d, s.output_size}, s.init),
                 b = s.head_bias ? place.make("b", {s.output_size}, Init::zeros()) : Tensor();
    head_ = Head{W, b, Norm(place / "norm", (encoder_ ? s.encoder : s.decoder).layer.norm, s.output_size)};
  }
  readout_.scale = s.output_scale;
  readout_.cap = s.logit_cap;
  readout_.there = s.has_output;
  if (s.tie == Tie::none) {
    readout_.W = (build / "output").make("W", {s.output_size, s.target_vocabulary}, s.init);
  } else {
    readout_.table = written;
  }
  if (s.output_bias) readout_.b = (build / "output").make("b", {s.target_vocabulary}, Init::zeros());
}

// The mean of the heads of weights [H x T x S] in row t, for the eye [1 x S]: all that the row could look at.
Tensor mean_of_heads(const Tensor& weights, Index t) {
  std::vector<Tensor> heads;
  for (Index h = 0; h < weights.dim(0); ++h) heads.push_back(rows(row(weights, h), t, 1));
  return mean_of(heads);
}

Transformer::Encoded Transformer::encode(const Source& source, const Pass& pass) const {
  const SitePath encoder("encoder");
  const Tensor ids = by_sentence(read_source(source.ids, source.keep, settings_.reverse_source, pass.tap));
  const Tensor keep = settings_.mask_padding ? source.keep : Tensor();
  const Tensor positions = encoder_->input.positions_of(ids, first_position(pass), {});
  Tensor types = source.types;
  if (types.defined()) types = by_sentence(settings_.reverse_source ? reversed(types, source.keep) : types);
  const Tensor x = encoder_->input(ids, positions, keep, encoder, pass, types);
  State state = encoder_->stack.start();
  const Tensor states = encoder_->stack.run(x, positions, keep, state, encoder, pass);
  return {states, state.weights};
}

// Writes token by token, after an encoder or after a prompt.
class Transformer::CausalDecoding : public Decoding {
 public:
  CausalDecoding(const Transformer& model, State state, Index first_position)
      : model_(model), state_(std::move(state)), first_position_(first_position) {}

  Tensor advance(const Tensor& ids, const Pass& pass) override;
  Tensor read(const Tensor& ids, const Pass& pass);
  std::unique_ptr<Decoding> clone() const override { return std::make_unique<CausalDecoding>(*this); }
  void select(const std::vector<Index>& rows) override;
  Tensor attention() const override;
  std::shared_ptr<const PrefixCache> prefix_cache() const override { return cache; }
  Tensor read_states() const override { return states; }
  Tensor read_logits() const { return model_.readout_(model_.guessed(states, {}, SitePath("decoder"), Pass())); }

  State& state() { return state_; }
  // Embeddings of the next rows [N x L x d], and their positions.
  Tensor enter(const Tensor& ids, const Tensor& types, const Tensor& keep, const SitePath& place, const Pass& pass,
               Tensor& positions);

  // Of a prompt only.
  Index prompt = 0;  // source tokens
  Tensor padding;    // [N]: how many columns in front of each prompt are no tokens; undefined: none
  Scalar kind = 0;   // of sentence, of what is written: that of the last token
  Tensor skipped;    // [N]: how many tokens so far have no place of their own; undefined: none
  std::shared_ptr<const PrefixCache> cache;
  Tensor states;  // of the prompt
  Tensor start;   // [N]: what is fed at step 0 instead of the start sign; undefined: nothing

 private:
  const Transformer& model_;
  State state_;
  Index first_position_, step_ = 0;
};

Tensor Transformer::CausalDecoding::enter(const Tensor& ids, const Tensor& types, const Tensor& keep,
                                          const SitePath& place, const Pass& pass, Tensor& positions) {
  const TokenInput& input = model_.decoder_->input;
  positions = input.positions_of(ids, first_position_ + state_.length, both(padding, skipped));
  skipped = both(skipped, input.not_counted(ids));
  return input(ids, positions, keep, place, pass, types);
}

Tensor Transformer::CausalDecoding::advance(const Tensor& ids, const Pass& pass) {
  const Tap& tap = pass.tap;
  const Index t_count = ids.dim(0), batch = ids.dim(1);
  Tensor positions;
  require_shape(!tap.active() || t_count == 1, "decoder", "one step at a time while a tap listens", ids.shape());
  const SitePath decoder("decoder"), step(decoder, "step", step_);
  Tensor fed = ids;
  if (step_ == 0 && start.defined()) {
    fed = ids.clone();
    fed.view(0, {batch}).array() = std::exchange(start, {}).array();
  }
  fed = by_sentence(tap(step, "input.id", fed));
  const Tensor types = kind == 0 ? Tensor() : Tensor::full(fed.shape(), kind);
  const Tensor x = enter(fed, types, {}, step, pass, positions);
  const Tensor last = model_.decoder_->stack.run(x, positions, {}, state_, step, pass);
  if (tap.active()) tap(step, "attn_mean", mean_of_heads(state_.weights, 0), mean_words);
  step_ += t_count;
  const Tensor logits = tap(step, "output.logits", model_.readout_(model_.guessed(last, {}, step, pass)),
                            [&] { return model_.readout_.words(); });
  if (tap.active()) tap(step, "output.probs", softmax(logits));
  return logits;
}

Tensor Transformer::CausalDecoding::read(const Tensor& ids, const Pass& pass) {
  const SitePath decoder("decoder");
  Tensor positions;
  const Tensor x = enter(by_sentence(ids), {}, {}, decoder, pass, positions);
  return states = model_.decoder_->stack.run(x, positions, {}, state_, decoder, pass);
}

void Transformer::CausalDecoding::select(const std::vector<Index>& rows) {
  const Index batch = state_.text[0].keys.dim(0) / model_.settings_.decoder.layer.attention.key_value_heads;
  state_.select(rows, batch);
  padding = index_select(padding, rows);
  skipped = index_select(skipped, rows);
  start = index_select(start, rows);
}

Tensor Transformer::CausalDecoding::attention() const {
  if (!state_.weights.defined()) return {};
  const Index batch = state_.weights.dim(0) / model_.settings_.decoder.layer.attention.heads;
  const Tensor mean = mean_over_heads(state_.weights, batch);
  if (prompt == 0) return mean;
  Tensor on_source = Tensor::zeros({batch, mean.dim(1), prompt});
  for (Index n = 0; n < batch; ++n) {
    const Index in_front = padding.defined() ? static_cast<Index>(padding[n]) : 0;
    for (Index t = 0; t < mean.dim(1); ++t)
      for (Index j = in_front; j < prompt; ++j)
        on_source[(n * mean.dim(1) + t) * prompt + j - in_front] = mean[(n * mean.dim(1) + t) * mean.dim(2) + j];
  }
  return on_source;
}

// A prompt is read at once, its padding in front, so that what is written stands right behind it.
std::unique_ptr<Decoding> Transformer::begin_after_prompt(const Source& source, const Pass& pass) const {
  Tensor ids = by_sentence(read_source(source.ids, source.keep, settings_.reverse_source, pass.tap));
  const Index batch = ids.dim(0), length = ids.dim(1);
  const Index first = first_position(pass);
  auto writing = std::make_unique<CausalDecoding>(*this, decoder_->stack.start(), first);
  writing->prompt = length;
  Tensor keep;
  if (source.keep.defined()) {
    const Tensor as_given = ids;
    ids = as_given.clone();
    keep = source.keep.clone();
    writing->padding = Tensor({batch});
    for (Index n = 0; n < batch; ++n) {
      const auto count = static_cast<Index>(source.keep.matrix().row(n).sum());
      writing->padding[n] = static_cast<Scalar>(length - count);
      for (Index j = 0; j < length; ++j) {
        const Index from = j - (length - count);
        ids[n * length + j] = as_given[n * length + (from < 0 ? count + j : from)];
        keep[n * length + j] = from < 0 ? 0 : 1;
      }
    }
  }
  Tensor types = source.types.defined() ? by_sentence(source.types) : Tensor();
  if (types.defined()) writing->kind = types[types.size() - 1];
  Index read = length;
  if (settings_.continues) {
    --read;
    writing->start = Tensor({batch});
    writing->start.array() = ids.matrix().col(read).array();
    if (read == 0) return writing;
  }
  if (read < length) {
    ids = columns(ids, 0, read);
    if (keep.defined()) keep = columns(keep, 0, read);
    if (types.defined()) types = columns(types, 0, read);
  }
  auto cache = std::make_shared<PrefixCache>();
  cache->length = length;
  const TransformerStackSettings& stack = settings_.decoder;
  for (const std::optional<Rotary>& turn : {stack.layer.attention.rotary, stack.local_rotary})
    if (const Index usual = turn ? turn->longest_usual() : 0; usual > 0)
      cache->longest_usual = cache->longest_usual == 0 ? usual : std::min(cache->longest_usual, usual);
  for (Index j = 0; j < read; ++j) cache->ids.push_back(static_cast<TokenId>(ids[j]));
  State& state = writing->state();
  state.known = length;
  if (source.cache && batch == 1) {
    state.length = std::min({source.cached_rows, read - 1, static_cast<Index>(source.cache->ids.size())});
    if (state.length > 0) {
      state.text = beginning_of(*source.cache, state.length);
      writing->skipped = decoder_->input.not_counted(columns(ids, 0, state.length));
    }
    ids = columns(ids, state.length, read - state.length);
    if (types.defined()) types = columns(types, state.length, read - state.length);
  }
  const SitePath decoder("decoder");
  Tensor positions;
  const Tensor x = writing->enter(ids, types, keep, decoder, pass, positions);
  writing->states = decoder_->stack.run(x, positions, settings_.mask_padding ? keep : Tensor(), state, decoder, pass);
  if (batch == 1) {
    cache->layers = state.text;
    writing->cache = std::move(cache);
  }
  return writing;
}

// Guesses the token at each source position.
class Transformer::MaskedDecoding : public Decoding {
 public:
  // States in front of the head and behind it [N x S x d], weights of the last layer [(N·H) x S x S].
  MaskedDecoding(const Transformer& model, Tensor read, Tensor states, Tensor weights)
      : model_(model), read_(std::move(read)), states_(std::move(states)), weights_(std::move(weights)) {}

  Tensor advance(const Tensor& ids, const Pass& pass) override {
    const Tap& tap = pass.tap;
    const Index t_count = ids.dim(0), batch = states_.dim(0), length = states_.dim(1), d = states_.dim(2);
    require_shape(step_ + t_count <= length, "masked words",
                  "at most " + std::to_string(length) + " positions, as in the source", ids.shape());
    const SitePath decoder("decoder"), step(decoder, "step", step_);
    Tensor rows = states_;
    if (t_count < length)
      rows = reshape(columns(reshape(states_, {batch, length * d}), step_ * d, t_count * d), {batch, t_count, d});
    if (tap.active()) tap(step, "attn_mean", mean_of_heads(weights_, step_), mean_words);
    step_ += t_count;
    const Tensor logits = tap(step, "output.logits", model_.readout_(rows), [&] { return model_.readout_.words(); });
    if (tap.active()) tap(step, "output.probs", softmax(logits));
    return logits;
  }
  std::unique_ptr<Decoding> clone() const override { return std::make_unique<MaskedDecoding>(*this); }
  Tensor read_states() const override { return read_; }
  void select(const std::vector<Index>& rows) override { states_ = index_select(states_, rows); }

 private:
  const Transformer& model_;
  Tensor read_, states_, weights_;
  Index step_ = 0;
};

std::unique_ptr<Decoding> Transformer::begin(const Source& source, const Pass& pass) const {
  if (settings_.shape == TransformerShape::decoder_only) return begin_after_prompt(source, pass);
  const auto [states, weights] = encode(source, pass);
  if (settings_.shape == TransformerShape::both) {
    State state = decoder_->stack.start();
    decoder_->stack.read_source(states, settings_.mask_padding ? source.keep : Tensor(), state, SitePath("decoder"),
                                pass.tap);
    return std::make_unique<CausalDecoding>(*this, std::move(state), first_position(pass));
  }
  return std::make_unique<MaskedDecoding>(*this, states, guessed(states, source.keep, SitePath("encoder"), pass),
                                          weights);
}

Tensor Transformer::guessed(const Tensor& states, const Tensor& keep, const SitePath& side, const Pass& pass) const {
  if (!head_) return states;
  const SitePath place(side, "head");
  const Tensor pre = pass.tap(place, "pre", linear(states, head_->W, head_->b));
  const Tensor act = pass.tap(place, "act", activated(pre, settings_.head_activation), [&] {
    return SiteWords{activation_name(settings_.head_activation) + std::string("(x)")};
  });
  return head_->norm(act, keep, SitePath(place, "norm"), pass);
}

Tensor Transformer::lens(const Tensor& states) const {
  if (!readout_.there) return {};
  const Pass pass{};
  const SitePath side(decoder_ ? "decoder" : "encoder");
  const Tensor rows = (decoder_ ? *decoder_ : *encoder_).stack.finish(states, {}, side, pass);
  return readout_(guessed(rows, {}, side, pass));
}

template <TransformerShape shape>
std::unique_ptr<Model> make_transformer(const Json& config, InitialValues values) {
  return std::make_unique<Transformer>(config, read_transformer_settings(config, shape), values);
}

}  // namespace

Tensor logits_of_read(const Decoding& decoding) {
  return dynamic_cast<const Transformer::CausalDecoding&>(decoding).read_logits();
}

Tensor read_at_once(Decoding& decoding, const Tensor& ids, const Pass& pass) {
  return dynamic_cast<Transformer::CausalDecoding&>(decoding).read(ids, pass);
}

Architecture transformer_architecture() {
  return {"transformer",
          "Transformer",
          "Encoder and decoder of self-attention",
          "Vaswani et al. 2017",
          {2017, 6, "Vaswani et al."},
          {"alignment", "heads", "ribbons", "map"},
          transformer_defaults(TransformerShape::both),
          make_transformer<TransformerShape::both>};
}

Architecture encoder_only_architecture() {
  return {"encoder_only",
          "masked words",
          "Encoder of self-attention that guesses masked words",
          "Devlin et al. 2019",
          {2018, 10, "Devlin et al."},
          {"heads", "map", "ribbons", "positions"},
          transformer_defaults(TransformerShape::encoder_only),
          make_transformer<TransformerShape::encoder_only>};
}

Architecture decoder_only_architecture() {
  return {"decoder_only",
          "language model",
          "Decoder of self-attention that continues a text",
          "Radford et al. 2018",
          {2018, 6, "Radford et al."},
          {"heads", "map", "ribbons", "positions"},
          transformer_defaults(TransformerShape::decoder_only),
          make_transformer<TransformerShape::decoder_only>};
}

}  // namespace headlight
