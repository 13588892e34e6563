#include "model/models/transformer_settings.h"

#include <algorithm>
#include <cmath>

#include "model/models/expert_settings.h"
#include "model/models/settings.h"

namespace headlight {

namespace {

constexpr Index kLargest = 65'536;

// "auto", "yes" or "no".
bool decided(const Json& config, const char* key, bool automatic) {
  const std::size_t chosen = read_choice(config, key, {"auto", "yes", "no"});
  return chosen == 0 ? automatic : chosen == 1;
}

[[noreturn]] void refuse(const std::string& what) { throw FormatError(what); }

NormSettings read_norm(const Json& config) {
  const NormSettings norm = {static_cast<NormKind>(read_choice(config, "norm", kNormNames)),
                             read_number(config, "norm_epsilon", 1e-12, 1), read_flag(config, "norm_bias"),
                             read_flag(config, "norm_scale")};
  if (!norm.scale && norm.kind == NormKind::batch) refuse("\"norm_scale\" false does not go with \"norm\" \"batch\"");
  return norm;
}

// A list of whole numbers, one for each of so many layers, or none.
std::vector<Index> for_layers(const Json& config, const char* key, Index layers, Index high) {
  const Json& list = config.at(key);
  if (!list.empty() && list.size() != static_cast<std::size_t>(layers))
    refuse(std::string("\"") + key + "\" must have a number for each of the " + std::to_string(layers) +
           " layers, found " + std::to_string(list.size()));
  std::vector<Index> all;
  for (const Json& value : list) all.push_back(read_index({{key, value}}, key, 0, high));
  return all;
}

std::vector<double> factors_of(const Json& config, const char* key, Index pairs, double least = 1e-6) {
  const Json& list = config.at(key);
  if (!list.is_array() || list.size() != static_cast<std::size_t>(pairs))
    refuse(std::string("\"") + key + "\" must be a list of " + std::to_string(pairs) +
           " numbers, one for each pair that is turned, found " + list.dump().substr(0, 60));
  std::vector<double> all;
  for (const Json& value : list) all.push_back(read_number({{key, value}}, key, least, 1e6));
  return all;
}

RotaryScaling read_scaling(const Json& given, Index size) {
  using Kind = RotaryScaling::Kind;
  const Json config = object_with("rotary_scaling", given,
                                  {{"type", "none"},
                                   {"factor", 1},
                                   {"original", 1},
                                   {"low", 1},
                                   {"high", 4},
                                   {"slow", 1},
                                   {"fast", 32},
                                   {"truncate", true},
                                   {"attention", 1},
                                   {"long_attention", 0},
                                   {"short_factors", Json::array()},
                                   {"long_factors", Json::array()},
                                   {"frequencies", Json::array()}});
  RotaryScaling s;
  s.kind = static_cast<Kind>(read_choice(config, "type", kRotaryScalingNames));
  s.factor = read_number(config, "factor", 1e-3, 1e6);
  s.original = read_index(config, "original", 1, 100'000'000);
  s.low = read_number(config, "low", 1e-6, 1e6);
  s.high = read_number(config, "high", 1e-6, 1e6);
  s.slow = read_number(config, "slow", 1e-6, 1e6);
  s.fast = read_number(config, "fast", 1e-6, 1e6);
  s.truncate = read_flag(config, "truncate");
  s.attention = read_number(config, "attention", 1e-6, 1e6);
  s.long_attention = read_number(config, "long_attention", 0, 1e6);
  if (s.kind == Kind::llama3 && s.low >= s.high)
    refuse("\"low\" of \"rotary_scaling\" must be less than \"high\", found " + config["low"].dump() + " and " +
           config["high"].dump());
  if (s.kind == Kind::longrope) {
    s.short_factors = factors_of(config, "short_factors", size / 2);
    s.long_factors = factors_of(config, "long_factors", size / 2);
  }
  if (s.kind == Kind::listed) s.frequencies = factors_of(config, "frequencies", size / 2, 0);
  return s;
}

Rotary read_rotary(const Json& config, double theta, const Json& scaling, Index head_size) {
  Rotary rotary;
  rotary.theta = theta;
  const std::size_t pairs = read_choice(config, "rotary_pairs", {"halves", "neighbours", "neighbours_apart"});
  rotary.neighbours = pairs > 0;
  rotary.apart = pairs == 2;
  rotary.size = read_index(config, "rotary_size", 0, head_size);
  if (rotary.size == 0) rotary.size = head_size;
  if (rotary.size % 2 != 0) refuse("rotary positions need an even head size, found " + std::to_string(rotary.size));
  rotary.scaling = read_scaling(scaling, rotary.size);
  if (rotary.scaling.kind == RotaryScaling::Kind::dynamic && rotary.size <= 2)
    refuse("\"rotary_scaling\" of type \"dynamic\" needs more than one pair that is turned");
  if (rotary.scaling.kind == RotaryScaling::Kind::yarn && theta <= 1)
    refuse("\"rotary_scaling\" of type \"yarn\" needs a \"rotary_theta\" above 1");
  return rotary;
}

// Of encoders: scores of content with position.
std::optional<Disentangled> read_distances(const Json& config) {
  const Json given = config.value("disentangled", Json::object());
  if (given.empty()) return {};
  const Json s = object_with("disentangled", given,
                             {{"c2p", true},
                              {"p2c", true},
                              {"span", 256},
                              {"buckets", 0},
                              {"longest", 512},
                              {"shared", false},
                              {"norm", false}});
  Disentangled d;
  d.c2p = read_flag(s, "c2p");
  d.p2c = read_flag(s, "p2c");
  d.rows = {read_index(s, "span", 1, kLargest / 2), read_index(s, "buckets", 0, kLargest),
            read_index(s, "longest", 1, 1'000'000)};
  d.shared = read_flag(s, "shared");
  d.norm = read_flag(s, "norm");
  if (d.rows.buckets == 1 || (d.rows.buckets > 0 && d.rows.longest - 1 <= d.rows.buckets / 2))
    refuse("\"buckets\" of \"disentangled\" must be 0, or at least 2 and less than twice \"longest\" − 1, found " +
           std::to_string(d.rows.buckets) + " and " + std::to_string(d.rows.longest));
  return d;
}

MultiHeadSettings read_attention(const Json& config, const NormSettings& norm, const char* heads) {
  MultiHeadSettings s;
  s.model = read_index(config, "model_size", 1, kLargest);
  s.heads = read_index(config, heads, 1, 1024);
  s.key_value_heads = read_index(config, "key_value_heads", 0, s.heads);
  if (s.key_value_heads == 0) s.key_value_heads = s.heads;
  if (s.heads % s.key_value_heads != 0)
    refuse("\"key_value_heads\" " + std::to_string(s.key_value_heads) + " must divide \"heads\" " +
           std::to_string(s.heads));
  s.head_size = read_index(config, "head_size", 0, kLargest);
  if (s.head_size == 0) {
    if (s.model % s.heads != 0)
      refuse("\"heads\" " + std::to_string(s.heads) + " must divide \"model_size\" " + std::to_string(s.model) +
             ", or \"head_size\" must be given");
    s.head_size = s.model / s.heads;
  }
  s.bias = read_flag(config, "attention_bias");
  s.out_bias = read_flag(config, "projection_bias");
  s.identity = read_flag(config, "identity_projections");
  if (s.identity && (s.key_value_heads != s.heads || s.heads * s.head_size != s.model))
    refuse("\"identity_projections\" needs heads · head_size = model_size, and as many key_value_heads as heads");
  const QueryKeyNorm qk_norm = {
      {static_cast<NormKind>(read_choice(config, "qk_norm_kind", {"layer", "rms"})), norm.epsilon,
       read_flag(config, "qk_norm_bias")},
      static_cast<QueryKeyNorm::Span>(read_choice(config, "qk_norm_span", kQueryKeyNormSpans))};
  if (qk_norm.norm.bias && qk_norm.span == QueryKeyNorm::Span::each_head)
    refuse("\"qk_norm_bias\" does not go with \"qk_norm_span\" \"each_head\"");
  if (read_flag(config, "qk_norm")) s.qk_norm = qk_norm;
  s.clip = read_number(config, "clip_qkv", 0, 1e6);
  s.sink = read_flag(config, "attention_sinks");
  s.latent = read_latent(config, s.head_size);
  if (s.latent && (s.key_value_heads != s.heads || s.identity || s.qk_norm))
    refuse(
        "\"latent\" goes with as many \"key_value_heads\" as \"heads\", and not with \"identity_projections\" and "
        "\"qk_norm\"");
  s.dropout = read_number(config, "attention_dropout", 0, 0.95);
  const double given = read_number(config, "score_scale", 0, 1e6);
  const double usual = 1 / std::sqrt(static_cast<double>(s.head_size));
  s.scale = !read_flag(config, "scale_scores") ? 1 : given > 0 ? given : usual;
  s.cap = read_number(config, "score_cap", 0, 1e6);
  s.distances = read_distances(config);
  if (s.distances && (s.key_value_heads != s.heads || s.identity))
    refuse("\"disentangled\" does not go with \"key_value_heads\" and \"identity_projections\"");
  return s;
}

TokenInputSettings read_input(const Json& config, const NormSettings& norm, Init init) {
  TokenInputSettings s;
  s.model = read_index(config, "model_size", 1, kLargest);
  s.positions = static_cast<Positions>(read_choice(config, "positions", kPositionNames));
  s.max_positions = read_index(config, "max_positions", 1, 1'000'000);
  s.offset = read_index(config, "position_offset", 0, 1'000'000);
  if (s.positions == Positions::learned && s.offset >= s.max_positions)
    refuse("\"position_offset\" " + std::to_string(s.offset) + " must be less than \"max_positions\" " +
           std::to_string(s.max_positions));
  s.padding = read_index(config, "position_padding", -1, 10'000'000);
  if (s.padding >= 0 && (s.positions > Positions::learned || s.offset == 0))
    refuse(
        "\"position_padding\" needs \"learned\" positions or sinusoids and a \"position_offset\": the row in front is "
        "its "
        "own");
  s.position_size = read_index(config, "position_size", 0, kLargest);
  s.position_scale = read_number(config, "position_scale", 0, 1e6);
  s.scale_embeddings = read_flag(config, "scale_embeddings");
  s.embedding_scale = read_number(config, "embedding_scale", 0, 1e6);
  s.token_types = read_index(config, "token_types", 0, 1024);
  s.dropped = config.contains("dropped_token") ? read_index(config, "dropped_token", -1, 10'000'000) : -1;
  s.dropout = read_number(config, "dropout", 0, 0.95);
  if (read_flag(config, "embedding_norm")) s.norm = norm;
  s.norm_of_tokens = read_flag(config, "norm_of_tokens");
  s.projection = static_cast<TokenInputSettings::Projection>(
      read_choice(config, "embedding_projection", {"none", "sum", "tokens"}));
  s.embedding_size = read_index(config, "embedding_size", 0, kLargest);
  if (s.embedding_size == 0) s.embedding_size = s.model;
  s.projection_bias = read_flag(config, "embedding_bias");
  if (s.projection == TokenInputSettings::Projection::none && s.embedding_size != s.model)
    refuse("\"embedding_size\" " + std::to_string(s.embedding_size) +
           " needs an \"embedding_projection\" to model_size " + std::to_string(s.model));
  if (s.projection != TokenInputSettings::Projection::none && s.positions == Positions::concat)
    refuse("\"positions\" \"concat\" does not go with an \"embedding_projection\"");
  const bool glorot = init.kind == Init::Kind::glorot;
  s.table_init = glorot ? Init::normal(1 / std::sqrt(static_cast<double>(s.model))) : init;
  s.position_init = glorot ? Init::normal(0.1) : init;
  const bool sinusoids = s.positions <= Positions::sinusoid_t2t;
  if (sinusoids && s.model % 2 != 0) refuse("sinusoids need an even \"model_size\", found " + std::to_string(s.model));
  if (sinusoids && s.width() % 2 != 0)
    refuse("sinusoids need an even \"embedding_size\", found " + std::to_string(s.width()));
  if (s.positions == Positions::concat &&
      (s.position_size < 2 || s.position_size % 2 != 0 || s.position_size >= s.model))
    refuse("\"positions\" \"concat\" needs an even \"position_size\" from 2 to less than model_size " +
           std::to_string(s.model) + ", found " + std::to_string(s.position_size));
  return s;
}

// A setting that the decoder may have of its own: 0 is that of both.
const char* of_decoder(const Json& config, const char* own, const char* both) {
  return config.contains(own) && read_index(config, own, 0, 4 * kLargest) != 0 ? own : both;
}

// What both sides share.
TransformerStackSettings read_stack(const Json& config, const TransformerSettings& s, bool decoder) {
  TransformerStackSettings stack;
  const NormSettings norm = read_norm(config);
  TransformerLayerSettings& layer = stack.layer;
  layer.norm = norm;
  layer.place = static_cast<NormPlace>(read_choice(config, "norm_place", kNormPlaceNames));
  layer.parallel = read_flag(config, "parallel_sublayers");
  layer.shared_norm = read_flag(config, "shared_norm");
  layer.sum_of_normed = read_flag(config, "sum_of_normed");
  layer.residual_scale = read_number(config, "residual_scale", -1e6, 1e6);
  stack.first_norm = read_flag(config, "first_norm");
  if (layer.place == NormPlace::post && (layer.parallel || !stack.first_norm))
    refuse("\"norm_place\" \"post\" does not go with \"parallel_sublayers\", and needs its \"first_norm\"");
  if (layer.shared_norm && (!layer.parallel || layer.place != NormPlace::pre))
    refuse("\"shared_norm\" needs \"parallel_sublayers\" and \"norm_place\" \"pre\"");
  if (layer.sum_of_normed && (layer.parallel || !reads_normed(layer.place)))
    refuse("\"sum_of_normed\" does not go with \"parallel_sublayers\", and needs \"norm_place\" \"pre\" or \"both\"");
  layer.dropout = read_number(config, "dropout", 0, 0.95);
  layer.attention = read_attention(config, norm, decoder ? of_decoder(config, "decoder_heads", "heads") : "heads");
  layer.attention.init = s.init;
  FeedForwardSettings& ff = layer.feed_forward;
  ff.model = layer.attention.model;
  ff.hidden =
      read_index(config, decoder ? of_decoder(config, "decoder_ff_size", "ff_size") : "ff_size", 1, 4 * kLargest);
  ff.activation = static_cast<Activation>(read_choice(config, "activation", kActivationNames));
  ff.gated = read_flag(config, "gated");
  ff.bias = read_flag(config, "ffn_bias");
  ff.dropout = read_number(config, "activation_dropout", 0, 0.95);
  ff.init = s.init;
  layer.cross_attention = layer.attention;  // before positions enter
  stack.final_norm = decided(config, "final_norm", layer.place != NormPlace::post);
  stack.scale_by_layer = read_flag(config, "score_scale_by_layer");
  stack.layers = read_index(config, decoder ? "decoder_layers" : "encoder_layers", 1, 512);
  layer.experts = read_experts(config, ff, stack.layers);
  stack.dense = for_layers(config, "dense_layers", stack.layers, 1);
  if (!layer.experts && !stack.dense.empty()) refuse("\"dense_layers\" needs \"experts\"");
  if (layer.attention.latent && (s.input.positions != Positions::rotary || s.shape != TransformerShape::decoder_only))
    refuse("\"latent\" needs \"positions\" \"rotary\", and is of decoders only");
  stack.window = read_index(config, "window", 0, 1'000'000);
  stack.windows = for_layers(config, "layer_windows", stack.layers, 1'000'000);
  stack.shared = for_layers(config, "shared_layers", stack.layers, stack.layers - 1);
  for (std::size_t l = 0; l < stack.shared.size(); ++l)
    if (const Index from = stack.shared[l];
        from > static_cast<Index>(l) || stack.shared[static_cast<std::size_t>(from)] != from)
      refuse("\"shared_layers\": layer " + std::to_string(l) +
             " must have its own parameters or those of an earlier layer that has its own, found " +
             std::to_string(from));
  const Json& local = config.at("local_rotary");
  if (!stack.shared.empty() && (stack.scale_by_layer || !stack.first_norm || !local.empty()))
    refuse("\"shared_layers\" does not go with \"score_scale_by_layer\", \"local_rotary\" and without \"first_norm\"");
  stack.turned = for_layers(config, "layer_rotary", stack.layers, 1);
  if (!stack.turned.empty() && (s.input.positions != Positions::rotary || !stack.shared.empty()))
    refuse("\"layer_rotary\" needs \"positions\" \"rotary\", and does not go with \"shared_layers\"");
  if (s.input.positions == Positions::alibi)
    stack.slopes = SlopedPositions{read_flag(config, "alibi_rounded"),
                                   read_flag(config, "alibi_scaled") ? layer.attention.scale : 1};
  if (s.input.positions == Positions::rotary) {
    const Index size = layer.attention.head_size;
    layer.attention.rotary =
        read_rotary(config, read_number(config, "rotary_theta", 1, 1e12), config.at("rotary_scaling"), size);
    if (!local.empty()) {
      if (stack.windows.empty()) refuse("\"local_rotary\" needs \"layer_windows\"");
      const Json own = object_with("local_rotary", local, {{"theta", 10000}, {"scaling", Json::object()}});
      stack.local_rotary = read_rotary(config, read_number(own, "theta", 1, 1e12), own.at("scaling"), size);
    }
  }
  if (const Json own = config.value("convolution", Json::object()); !own.empty()) {
    const Json c = object_with("convolution", own, {{"kernel", 3}, {"activation", "tanh"}});
    stack.convolution = ConvolutionSettings{read_index(c, "kernel", 1, 255),
                                            static_cast<Activation>(read_choice(c, "activation", kActivationNames))};
    if (stack.convolution->kernel % 2 == 0)
      refuse("\"kernel\" of \"convolution\" must be odd, found " + c["kernel"].dump());
  }
  if (s.input.positions == Positions::relative || read_flag(config, "relative_bias")) {
    stack.relative = RelativePositions{read_index(config, "relative_buckets", 2, 4096),
                                       read_index(config, "relative_distance", 2, 1'000'000), true};
    if (stack.relative->buckets % 2 != 0 || stack.relative->distance <= stack.relative->buckets / 2)
      refuse("\"relative_buckets\" must be even and less than twice \"relative_distance\", found " +
             std::to_string(stack.relative->buckets) + " and " + std::to_string(stack.relative->distance));
  }
  return stack;
}

// What "decoder" says of that side alone, over what both have.
Json of_decoder_alone(Json config) {
  Json both;
  for (const char* key :
       {"model_size", "heads", "key_value_heads", "head_size", "ff_size", "activation", "norm_epsilon",
        "attention_bias", "projection_bias", "scale_embeddings", "norm_of_tokens", "embedding_size", "score_scale",
        "score_cap", "rotary_theta", "rotary_size", "rotary_scaling", "layer_windows"})
    both[key] = config.at(key);
  config.update(object_with("decoder", config.at("decoder"), both));
  return config;
}

}  // namespace

TransformerSettings read_transformer_settings(const Json& config, TransformerShape shape) {
  TransformerSettings s;
  s.shape = shape;
  s.source_vocabulary = read_index(config, "source_vocabulary_size", 1, 1'000'000);
  s.target_vocabulary = read_index(config, "target_vocabulary_size", 1, 1'000'000);
  const double deviation = read_number(config, "init_deviation", 1e-9, 10);
  s.init = read_choice(config, "init", {"glorot", "normal"}) == 0 ? Init::glorot() : Init::normal(deviation);
  s.activation = static_cast<Activation>(read_choice(config, "activation", kActivationNames));
  s.input = read_input(config, read_norm(config), s.init);
  s.tie = static_cast<TransformerSettings::Tie>(read_choice(config, "tie", {"none", "decoder", "all"}));
  // One text has one table: what is written is what is read.
  if (shape != TransformerShape::both && s.tie == TransformerSettings::Tie::decoder)
    s.tie = TransformerSettings::Tie::all;
  const bool one_table = s.tie == TransformerSettings::Tie::all || shape == TransformerShape::decoder_only;
  if (one_table && s.source_vocabulary != s.target_vocabulary)
    refuse("one embedding table for both sides needs vocabularies of one size, found " +
           std::to_string(s.source_vocabulary) + " and " + std::to_string(s.target_vocabulary) +
           (shape == TransformerShape::both ? ": set \"tie\" to \"decoder\" or \"none\"" : ""));
  if (s.tie != TransformerSettings::Tie::none && s.input.positions == Positions::concat)
    refuse("\"positions\" \"concat\" makes embeddings narrower than the model: set \"tie\" to \"none\"");
  s.output_bias = decided(config, "output_bias", s.tie == TransformerSettings::Tie::none);
  s.output_scale = read_number(config, "output_scale", 1e-9, 1e6);
  s.random_offset = read_index(config, "random_offset", 0, 1'000'000);
  s.logit_cap = read_number(config, "logit_cap", 0, 1e6);
  s.mask_padding = read_flag(config, "mask_padding");
  s.reverse_source = read_flag(config, "reverse_source");
  if (shape != TransformerShape::decoder_only) s.encoder = read_stack(config, s, false);
  if (shape != TransformerShape::encoder_only) {
    const Json own = shape == TransformerShape::both ? of_decoder_alone(config) : config;
    s.decoder_input = read_input(own, read_norm(own), s.init);
    s.decoder = read_stack(own, s, true);
    if (shape == TransformerShape::both) s.decoder.layer.cross_attention.memory = s.input.model;
    s.decoder.causal = read_flag(config, "causal");
    s.decoder.layer.cross = shape == TransformerShape::both;
    if (s.decoder.layer.cross && s.decoder.layer.parallel)
      refuse("\"parallel_sublayers\" does not go with attention to a source");
    if (read_flag(config, "output_projection")) s.decoder.out_size = s.decoder_input.embedding_size;
    if (s.decoder.relative) s.decoder.relative->both_directions = false;
  }
  if (shape == TransformerShape::decoder_only)
    s.continues = read_choice(config, "prompt", {"separate", "continue"}) == 1;
  if (shape != TransformerShape::both) {
    s.head_transform = read_flag(config, "head_transform");
    s.head_bias = read_flag(config, "head_bias");
    std::vector<std::string> names = kActivationNames;
    names.insert(names.begin(), "auto");
    const std::size_t chosen = read_choice(config, "head_activation", names);
    s.head_activation = chosen == 0 ? s.activation : static_cast<Activation>(chosen - 1);
  }
  const bool narrowed = s.head_transform || s.decoder.out_size > 0;
  const TokenInputSettings& last = shape == TransformerShape::encoder_only ? s.input : s.decoder_input;
  s.output_size = narrowed ? last.embedding_size : last.model;
  if (s.tie == TransformerSettings::Tie::all && s.input.embedding_size != last.embedding_size)
    refuse("one embedding table for both sides needs one width, found " + std::to_string(s.input.embedding_size) +
           " and " + std::to_string(last.embedding_size) + ": set \"tie\" to \"decoder\" or \"none\"");
  if (s.tie != TransformerSettings::Tie::none && s.output_size != last.embedding_size) {
    if (shape != TransformerShape::encoder_only)
      refuse("an output layer tied to embeddings of another width needs \"output_projection\"");
    s.has_output = false;  // nothing to compare the rows with: an encoder alone
  }
  return s;
}

Json transformer_defaults(TransformerShape shape) {
  Json all = {{"source_vocabulary_size", 0},
              {"target_vocabulary_size", 0},
              {"model_size", 64},
              {"heads", 4},
              {"key_value_heads", 0},
              {"head_size", 0},
              {"ff_size", 128}};
  if (shape != TransformerShape::decoder_only) all["encoder_layers"] = 2;
  if (shape != TransformerShape::encoder_only) all["decoder_layers"] = 2;
  const Json rest = {{"norm", "layer"},
                     {"norm_place", "pre"},
                     {"final_norm", "auto"},
                     {"embedding_norm", false},
                     {"norm_of_tokens", false},
                     {"norm_bias", true},
                     {"norm_scale", true},
                     {"norm_epsilon", 1e-5},
                     {"activation", "relu"},
                     {"gated", false},
                     {"attention_bias", true},
                     {"projection_bias", true},
                     {"ffn_bias", true},
                     {"output_bias", "auto"},
                     {"positions", "sinusoid"},
                     {"max_positions", 512},
                     {"position_offset", 0},
                     {"position_padding", -1},
                     {"position_size", 0},
                     {"position_scale", 1},
                     {"random_offset", 0},
                     {"rotary_theta", 10000},
                     {"rotary_pairs", "halves"},
                     {"relative_bias", false},
                     {"relative_buckets", 32},
                     {"relative_distance", 128},
                     {"tie", "decoder"},
                     {"scale_embeddings", true},
                     {"output_scale", 1},
                     {"scale_scores", true},
                     {"score_scale", 0},
                     {"score_scale_by_layer", false},
                     {"qk_norm", false},
                     {"qk_norm_kind", "rms"},
                     {"qk_norm_span", "head"},
                     {"qk_norm_bias", false},
                     {"clip_qkv", 0},
                     {"embedding_scale", 0},
                     {"residual_scale", 1},
                     {"shared_norm", false},
                     {"sum_of_normed", false},
                     {"layer_rotary", Json::array()},
                     {"alibi_rounded", false},
                     {"alibi_scaled", false},
                     {"window", 0},
                     {"mask_padding", true},
                     {"identity_projections", false},
                     {"dropout", 0.1},
                     {"attention_dropout", 0},
                     {"activation_dropout", 0},
                     {"token_types", 0},
                     {"init", "glorot"},
                     {"init_deviation", 0.02},
                     {"reverse_source", false},
                     {"embedding_size", 0},
                     {"embedding_bias", true},
                     {"embedding_projection", "none"},
                     {"first_norm", true},
                     {"parallel_sublayers", false},
                     {"rotary_size", 0},
                     {"rotary_scaling", Json::object()},
                     {"score_cap", 0},
                     {"local_rotary", Json::object()},
                     {"logit_cap", 0},
                     {"layer_windows", Json::array()},
                     {"shared_layers", Json::array()},
                     {"experts", Json::object()},
                     {"dense_layers", Json::array()},
                     {"latent", Json::object()},
                     {"attention_sinks", false}};
  all.update(rest);
  if (shape == TransformerShape::encoder_only)
    all.update({{"disentangled", Json::object()}, {"convolution", Json::object()}, {"dropped_token", -1}});
  if (shape != TransformerShape::encoder_only) {
    all["causal"] = true;
    all["output_projection"] = false;
  }
  if (shape == TransformerShape::both) {
    all["decoder_heads"] = 0;
    all["decoder_ff_size"] = 0;
    all["decoder"] = Json::object();
  }
  if (shape != TransformerShape::both) {
    all["head_transform"] = shape == TransformerShape::encoder_only;
    all["head_bias"] = true;
    all["head_activation"] = "auto";
  }
  if (shape == TransformerShape::decoder_only) all["prompt"] = "separate";
  return all;
}

}  // namespace headlight
