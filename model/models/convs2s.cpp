// Convolutional sequence to sequence learning (Gehring et al. 2017; models.md 4.11). All positions of a layer are
// computed at once; every decoder layer has an attention of its own ("multi-step attention").

#include "model/models/convs2s.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "model/layers/convolution.h"
#include "model/layers/source_ids.h"
#include "model/models/settings.h"
#include "model/ops/activations.h"
#include "model/ops/basic.h"
#include "model/ops/convolution.h"
#include "model/ops/softmax.h"
#include "model/trace/site_sentences.h"

namespace headlight {

namespace {

struct Sizes {
  Index source_vocabulary, target_vocabulary, embedding, hidden, encoder_layers, decoder_layers, kernel, out, positions;
  double dropout;
  double padding;  // what stands in front of the decoder's first token, in every number of a layer
  bool weight_norm, gradient_scale, reverse, scale_context;
  std::vector<bool> attends;  // for each decoder layer
};

// Of an embedding, for tap().
auto embedding_words(const char* formula) {
  return [formula] { return SiteWords{formula, sentences::kTokenAndPlace, "Gehring et al. 2017, section 3.1"}; };
}

double deviation(double variance) { return std::sqrt(variance); }

// Embeddings of tokens and of positions, and the way from them into the layers. A row of padding needs no special
// value: nothing that is padding reaches anything else.
struct Entrance {
  Tensor words, positions;
  NormalisedLinear in_proj;

  Entrance(const ParameterBuilder& side, Index vocabulary, const Sizes& s)
      : words((side / "embed").make("W", {vocabulary, s.embedding}, Init::normal(0.1))),
        positions((side / "pos").make("W", {s.positions, s.embedding}, Init::normal(0.1))),
        in_proj(side / "in_proj", s.embedding, s.hidden, deviation((1 - s.dropout) / static_cast<double>(s.embedding)),
                s.weight_norm) {}

  // E[id] + P[first + position] (Gehring et al. 2017, section 3.1): ids [L x N] -> [N x L x f].
  Tensor embed(const Tensor& ids, Index first) const { return embedding_at(by_sentence(ids), words, positions, first); }
};

NormalisedLinear make_convolution(const ParameterBuilder& layer, const Sizes& s) {
  const Index in = s.kernel * s.hidden;
  return {layer / "conv", in, 2 * s.hidden, deviation(4 * (1 - s.dropout) / static_cast<double>(in)), s.weight_norm};
}

// N(0, 1/in).
NormalisedLinear make_projection(const ParameterBuilder& place, Index in, Index out, const Sizes& s) {
  return {place, in, out, deviation(1 / static_cast<double>(in)), s.weight_norm};
}

struct DecoderLayer {
  NormalisedLinear convolution;
  std::optional<NormalisedLinear> in_proj, out_proj;  // of the attention, where the layer has one
};

class ConvS2S : public Model {
 public:
  ConvS2S(const Json& config, const Sizes& sizes, InitialValues values);
  std::unique_ptr<Decoding> begin(const Source& source, const Pass& pass) const override;
  Tensor lens(const Tensor& states) const override { return output_->map()(decoder_out_->map()(states)); }

 private:
  class Steps;
  Tensor dropped(const Tensor& x, const Pass& pass) const {
    return pass.training && pass.random ? dropout(x, sizes_.dropout, *pass.random) : x;
  }
  // Positions have learned rows, so there is an end to them.
  void require_positions(const char* what, Index count) const {
    if (count > sizes_.positions)
      throw UsageError(std::string(what) + " has " + std::to_string(count) + " tokens; this model knows " +
                       std::to_string(sizes_.positions) + " positions (max_positions)");
  }
  Tensor encode(const Tensor& embedded, const Tensor& keep, const Pass& pass) const;

  Sizes sizes_;
  std::optional<Entrance> source_, target_;
  std::vector<NormalisedLinear> encoder_;
  std::vector<DecoderLayer> decoder_;
  std::optional<NormalisedLinear> encoder_out_, decoder_out_, output_;
};

ConvS2S::ConvS2S(const Json& config, const Sizes& s, InitialValues values) : Model(config), sizes_(s) {
  Random random(values.seed, Random::Stream::init);
  const ParameterBuilder build(parameters_, values, random), encoder = build / "encoder", decoder = build / "decoder";
  const auto layer = [](const ParameterBuilder& side, Index l) { return side / ("layer[" + std::to_string(l) + "]"); };
  source_.emplace(encoder, s.source_vocabulary, s);
  for (Index l = 0; l < s.encoder_layers; ++l) encoder_.push_back(make_convolution(layer(encoder, l), s));
  encoder_out_ = make_projection(encoder / "out_proj", s.hidden, s.embedding, s);
  target_.emplace(decoder, s.target_vocabulary, s);
  for (Index l = 0; l < s.decoder_layers; ++l) {
    const ParameterBuilder place = layer(decoder, l), attention = place / "attn";
    DecoderLayer& row = decoder_.emplace_back(DecoderLayer{make_convolution(place, s), {}, {}});
    if (!s.attends[static_cast<std::size_t>(l)]) continue;
    row.in_proj = make_projection(attention / "in_proj", s.hidden, s.embedding, s);
    row.out_proj = make_projection(attention / "out_proj", s.embedding, s.hidden, s);
  }
  decoder_out_ = make_projection(decoder / "out_proj", s.hidden, s.out, s);
  output_.emplace(decoder / "output", s.out, s.target_vocabulary,
                  deviation((1 - s.dropout) / static_cast<double>(s.out)), s.weight_norm);
}

class ConvS2S::Steps : public Decoding {
 public:
  Steps(const ConvS2S& model, ConvMemory memory);
  Tensor advance(const Tensor& ids, const Pass& pass) override;
  std::unique_ptr<Decoding> clone() const override { return std::make_unique<Steps>(*this); }
  void select(const std::vector<Index>& rows) override;
  Tensor attention() const override { return attended_.empty() ? Tensor() : mean_of(attended_); }

 private:
  struct Layer {
    LinearMap convolution;
    std::optional<ConvAttention> attention;
    Tensor seen;  // windows [N x T x (k·d)] of the last advance; the last one holds what the next step looks back on
  };
  // The k − 1 inputs in front of the next step, [N x (k−1) x d]; undefined at the start.
  Tensor looked_back(const Tensor& seen) const;

  const ConvS2S& model_;
  ConvMemory memory_;
  LinearMap in_proj_, out_proj_, output_;
  std::vector<Layer> layers_;
  std::vector<Tensor> attended_;  // weights of the last advance [N x T x S], one for each attention
  Index step_ = 0;
};

// m sqrt(1/m) for each sentence, m its number of tokens.
Tensor length_factors(const Tensor& keep, Index batch, Index length) {
  Tensor factors({batch});
  for (Index n = 0; n < batch; ++n) {
    const Scalar m = keep.defined() ? keep.matrix().row(n).sum() : static_cast<Scalar>(length);
    factors[n] = m > 0 ? m * std::sqrt(1 / m) : 0;
  }
  return factors;
}

Tensor masked(const Tensor& x, const Tensor& keep) { return keep.defined() ? mask_rows(x, keep) : x; }

std::unique_ptr<Decoding> ConvS2S::begin(const Source& source, const Pass& pass) const {
  const Tap& tap = pass.tap;
  const Index length = source.ids.dim(0), batch = source.ids.dim(1);
  require_positions("the source", length);
  const SitePath encoder("encoder");
  const Tensor ids = read_source(source.ids, source.keep, sizes_.reverse, tap);  // [S x N]
  const Tensor embedded = tap(encoder, "embed.out", dropped(source_->embed(ids, 0), pass),
                              embedding_words("e_j = E[id_j] + P[j]"));  // [N x S x f]
  const Tensor coded = encode(embedded, source.keep, pass);
  // Every attention sends a gradient back, so each is made smaller.
  const auto attentions = std::count(sizes_.attends.begin(), sizes_.attends.end(), true);
  const Scalar shrink = sizes_.gradient_scale ? Scalar(1) / static_cast<Scalar>(2 * attentions) : Scalar(1);
  ConvMemory memory{tap(encoder, "keys", gradient_scale(coded, shrink)),
                    {},
                    source.keep,
                    sizes_.scale_context ? length_factors(source.keep, batch, length) : Tensor::full({batch}, 1)};
  memory.values = tap(encoder, "values", scaled_sum(memory.keys, embedded, kHalfVariance));
  return std::make_unique<Steps>(*this, std::move(memory));
}

// Embeddings [N x S x f] -> [N x S x f].
Tensor ConvS2S::encode(const Tensor& embedded, const Tensor& keep, const Pass& pass) const {
  const SitePath encoder("encoder");
  Tensor x = pass.tap(encoder, "in_proj.out", source_->in_proj.map()(embedded));
  for (std::size_t l = 0; l < encoder_.size(); ++l) {
    const SitePath layer(encoder, "layer", static_cast<Index>(l));
    const Tensor seen = windows(dropped(masked(x, keep), pass), sizes_.kernel, (sizes_.kernel - 1) / 2);
    const Tensor gated = gated_convolution(encoder_[l].map(), seen, layer, pass.tap);
    x = pass.tap(layer, "out", scaled_sum(gated, x, kHalfVariance));
  }
  return masked(encoder_out_->map()(x), keep);
}

ConvS2S::Steps::Steps(const ConvS2S& model, ConvMemory memory)
    : model_(model),
      memory_(std::move(memory)),
      in_proj_(model.target_->in_proj.map()),
      out_proj_(model.decoder_out_->map()),
      output_(model.output_->map()) {
  for (const DecoderLayer& layer : model.decoder_) {
    layers_.push_back({layer.convolution.map(), {}, {}});
    if (layer.in_proj) layers_.back().attention = ConvAttention{layer.in_proj->map(), layer.out_proj->map()};
  }
}

Tensor ConvS2S::Steps::looked_back(const Tensor& seen) const {
  const Index k = model_.sizes_.kernel, d = model_.sizes_.hidden;
  if (k == 1) return {};
  if (!seen.defined())
    return model_.sizes_.padding == 0
               ? Tensor()
               : Tensor::full({memory_.keys.dim(0), k - 1, d}, static_cast<Scalar>(model_.sizes_.padding));
  const Index batch = seen.dim(0), size = seen.dim(1) * k * d;
  return reshape(columns(reshape(seen, {batch, size}), size - (k - 1) * d, (k - 1) * d), {batch, k - 1, d});
}

Tensor ConvS2S::Steps::advance(const Tensor& ids, const Pass& pass) {
  const Tap& tap = pass.tap;
  const Index t_count = ids.dim(0), k = model_.sizes_.kernel;
  require_shape(!tap.active() || t_count == 1, "decoder", "one step at a time while a tap listens", ids.shape());
  model_.require_positions("the target", step_ + t_count);
  const SitePath decoder("decoder"), step(decoder, "step", step_);
  const Tensor fed = tap(step, "input.id", ids);
  const Tensor embedded = tap(step, "embed.out", model_.dropped(model_.target_->embed(fed, step_), pass),
                              embedding_words("g_t = E[y_{t−1}] + P[t]"));  // [N x T x f]
  Tensor x = tap(step, "in_proj.out", in_proj_(embedded));
  attended_.clear();
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    Layer& layer = layers_[l];
    const SitePath place(step, "layer", static_cast<Index>(l));
    layer.seen = windows(model_.dropped(x, pass), k, k - 1, looked_back(layer.seen));
    Tensor h = gated_convolution(layer.convolution, layer.seen, place, tap);
    if (layer.attention) {
      ConvAttention::Read read = (*layer.attention)(h, embedded, memory_, place, tap);
      h = std::move(read.out);
      attended_.push_back(std::move(read.weights));
    }
    x = tap(place, "out", scaled_sum(h, x, kHalfVariance));
  }
  if (tap.active()) tap(step, "attn_mean", mean_of(attended_), [] { return SiteWords{"Σ_l a_{lj} / L"}; });
  step_ += t_count;
  const Tensor last = tap(step, "out_proj.out", out_proj_(x));  // [N x T x f_out]
  const Tensor logits =
      tap(step, "output.logits", output_(model_.dropped(last, pass)), [] { return SiteWords{"z = r W + b"}; });
  if (tap.active()) tap(step, "output.probs", softmax(logits));
  return logits;
}

void ConvS2S::Steps::select(const std::vector<Index>& rows) {
  for (Layer& layer : layers_) layer.seen = index_select(layer.seen, rows);
  for (Tensor& weights : attended_) weights = index_select(weights, rows);
  for (Tensor* part : {&memory_.keys, &memory_.values, &memory_.keep, &memory_.factors})
    *part = index_select(*part, rows);
}

// "all", or a list of decoder layers.
std::vector<bool> attending_layers(const Json& config, Index layers) {
  const Json& value = config.at("attention_layers");
  const auto refuse = [&] {
    throw FormatError("\"attention_layers\" must be \"all\" or a list of decoder layers from 0 to " +
                      std::to_string(layers - 1) + ", found " + value.dump());
  };
  if (value.is_string() && value.get<std::string>() == "all")
    return std::vector<bool>(static_cast<std::size_t>(layers), true);
  std::vector<bool> attends(static_cast<std::size_t>(layers), false);
  if (!value.is_array() || value.empty()) refuse();
  for (const Json& layer : value) {
    if (!layer.is_number_integer() || layer.get<std::int64_t>() < 0 || layer.get<std::int64_t>() >= layers) refuse();
    attends[layer.get<std::size_t>()] = true;
  }
  return attends;
}

std::unique_ptr<Model> make_convs2s(const Json& config, InitialValues values) {
  Sizes s{};
  s.source_vocabulary = read_index(config, "source_vocabulary_size", 1, 1'000'000);
  s.target_vocabulary = read_index(config, "target_vocabulary_size", 1, 1'000'000);
  s.embedding = read_index(config, "embedding_size", 1, 16'384);
  s.hidden = read_index(config, "hidden_size", 1, 16'384);
  s.out = read_index(config, "out_size", 1, 16'384);
  s.encoder_layers = read_index(config, "encoder_layers", 1, 64);
  s.decoder_layers = read_index(config, "decoder_layers", 1, 64);
  s.kernel = read_index(config, "kernel_size", 1, 63);
  s.positions = read_index(config, "max_positions", 1, 65'536);
  s.dropout = read_number(config, "dropout", 0, 0.95);
  s.weight_norm = read_flag(config, "weight_norm");
  s.gradient_scale = read_flag(config, "gradient_scale");
  s.reverse = read_flag(config, "reverse_source");
  s.padding = read_number(config, "padding_value", -1e6, 1e6);
  s.scale_context = read_flag(config, "scale_context");
  s.attends = attending_layers(config, s.decoder_layers);
  return std::make_unique<ConvS2S>(config, s, values);
}

}  // namespace

Architecture convs2s_architecture() {
  return {"convs2s",
          "convolutions",
          "Convolutional encoder-decoder with an attention in every decoder layer",
          "Gehring et al. 2017",
          {2017, 5, "Gehring et al."},
          {"alignment", "heads", "ribbons", "map", "positions"},
          {{"source_vocabulary_size", 0},
           {"target_vocabulary_size", 0},
           {"embedding_size", 64},
           {"hidden_size", 64},
           {"out_size", 64},
           {"encoder_layers", 4},
           {"decoder_layers", 4},
           {"kernel_size", 3},
           {"max_positions", 256},
           {"attention_layers", "all"},
           {"dropout", 0.1},
           {"weight_norm", true},
           {"gradient_scale", true},
           {"scale_context", true},
           {"padding_value", 0.0},
           {"reverse_source", false}},
          make_convs2s};
}

}  // namespace headlight
