#include "model/analysis/cost/cost.h"

#include <algorithm>
#include <cmath>

#include "model/core/json_library.h"
#include "model/decode/run.h"
#include "model/models/recurrent_settings.h"
#include "model/models/transformer_settings.h"

namespace headlight {

namespace {

using CostRows = CostTerm::Rows;
using CostKeys = CostTerm::Keys;

// A row for each CostedLayer, in their order: n positions of width d.
struct LayerCost {
  const char* name;
  double (*multiply_adds)(double n, double d);
};
constexpr LayerCost kLayerCosts[] = {
    {"self-attention", [](double n, double d) { return 2 * n * n * d; }},
    {"its projections", [](double n, double d) { return 4 * n * d * d; }},
    {"feed-forward", [](double n, double d) { return 2 * n * d * kCostedFeedForward * d; }},
    {"recurrent", [](double n, double d) { return 2 * n * d * d; }},
    {"convolution", [](double n, double d) { return kCostedKernel * n * d * d; }}};

// In the order of CostPart.
constexpr const char* kPartNames[] = {"projections", "scores",      "mixing", "feed-forward",
                                      "recurrence",  "convolution", "output", "other"};

double area(Index a, Index b) { return static_cast<double>(a) * static_cast<double>(b); }

// --- Transformers: from the configuration, as layers may share their parameters.

struct HeadsCost {
  Index model, memory, heads, wide, narrow;  // d, width of what has keys, H, columns of the queries and of the keys
  bool identity;
  std::optional<LatentSettings> latent;
};

HeadsCost heads_cost(const MultiHeadSettings& attention, Index heads) {
  const Index wide = attention.heads * attention.head_size, count = heads > 0 ? heads : attention.heads;
  return {attention.model,        attention.memory > 0 ? attention.memory : attention.model, count,
          count * (wide / count), attention.key_value_heads * attention.head_size,           attention.identity,
          attention.latent};
}

// Keys and values of all heads out of one row of each token.
void add_latent_attention(std::vector<CostTerm>& terms, const HeadsCost& heads, CostRows rows, CostKeys keys,
                          Index window) {
  const LatentSettings& latent = *heads.latent;
  const Index values = heads.heads * latent.value, plain = heads.wide - heads.heads * latent.rope;
  const double query = latent.query_rank == 0
                           ? area(heads.model, heads.wide)
                           : area(heads.model, latent.query_rank) + area(latent.query_rank, heads.wide);
  terms.push_back({CostPart::projections, rows,
                   query + area(heads.model, latent.rank + latent.rope) + area(latent.rank, plain + values) +
                       area(values, heads.model)});
  terms.push_back({CostPart::scores, rows, static_cast<double>(heads.wide), keys, window, heads.heads});
  terms.push_back({CostPart::mixing, rows, static_cast<double>(values), keys, window});
}

// One attention of a layer: `rows` ask, `asked` have keys.
void add_attention(std::vector<CostTerm>& terms, const HeadsCost& heads, CostRows rows, CostRows asked, CostKeys keys,
                   Index window) {
  if (heads.latent) return add_latent_attention(terms, heads, rows, keys, window);
  const double query = area(heads.model, heads.wide), joined = area(heads.wide, heads.model);
  terms.push_back({CostPart::projections, rows, (heads.identity ? 0 : query) + joined});
  if (!heads.identity) terms.push_back({CostPart::projections, asked, 2 * area(heads.memory, heads.narrow)});
  terms.push_back({CostPart::scores, rows, static_cast<double>(heads.wide), keys, window, heads.heads});
  terms.push_back({CostPart::mixing, rows, static_cast<double>(heads.wide), keys, window});
}

// Of the network of a layer: of experts those that are chosen, and what chooses them.
double network_cost(const TransformerStackSettings& stack, Index layer) {
  const bool dense = !stack.dense.empty() && stack.dense[static_cast<std::size_t>(layer)] != 0;
  const std::optional<ExpertSettings>& experts = stack.layer.experts;
  const auto network = [](const FeedForwardSettings& ff, Index hidden) {
    return area(ff.model, hidden) * (ff.gated ? 3 : 2);
  };
  if (!experts || dense) return network(stack.layer.feed_forward, stack.layer.feed_forward.hidden);
  return area(experts->each.model, experts->count + (experts->shared_gate ? 1 : 0)) +
         static_cast<double>(experts->choice.count) * network(experts->each, experts->each.hidden) +
         network(experts->each, experts->shared);
}

void add_stack(std::vector<CostTerm>& terms, const TransformerStackSettings& stack, CostRows rows, CostKeys keys,
               Index heads) {
  const TransformerLayerSettings& layer = stack.layer;
  for (Index l = 0; l < stack.layers; ++l) {
    const Index window = stack.windows.empty() ? stack.window : stack.windows[static_cast<std::size_t>(l)];
    add_attention(terms, heads_cost(layer.attention, heads), rows, rows, keys, window);
    if (layer.cross)
      add_attention(terms, heads_cost(layer.cross_attention, heads), rows, CostRows::source, CostKeys::source, 0);
    terms.push_back({CostPart::feed_forward, rows, network_cost(stack, l)});
  }
  if (stack.out_size > 0) terms.push_back({CostPart::other, rows, area(layer.attention.model, stack.out_size)});
}

ModelCost transformer_cost(const Json& config, TransformerShape shape, Index heads) {
  const TransformerSettings s = read_transformer_settings(config, shape);
  const bool encodes = shape != TransformerShape::decoder_only, writes = shape != TransformerShape::encoder_only;
  ModelCost cost;
  cost.width = s.input.model;
  const MultiHeadSettings& attention = (encodes ? s.encoder : s.decoder).layer.attention;
  cost.heads = heads > 0 ? heads : attention.heads;
  cost.columns = attention.heads * attention.head_size;
  for (const auto& [is_there, rows] : {std::pair{encodes, CostRows::source}, std::pair{writes, CostRows::text}})
    if (is_there && s.input.projection != TokenInputSettings::Projection::none)
      cost.terms.push_back({CostPart::other, rows, area(s.input.embedding_size, s.input.model)});
  if (encodes) add_stack(cost.terms, s.encoder, CostRows::source, CostKeys::source, heads);
  if (writes) add_stack(cost.terms, s.decoder, CostRows::text, CostKeys::own, heads);
  if (s.head_transform)
    cost.terms.push_back(
        {CostPart::other, writes ? CostRows::steps : CostRows::source, area(s.input.model, s.output_size)});
  if (s.has_output) cost.terms.push_back({CostPart::output, CostRows::steps, area(s.output_size, s.target_vocabulary)});
  return cost;
}

// --- All others: each matrix is used once for each row of its side.

struct MatrixUse {
  const char* part_of_name;
  CostPart part;
  CostRows rows;
};
// The first that stands in the name of a parameter.
constexpr MatrixUse kUses[] = {{"memory.head", CostPart::projections, CostRows::machine},
                               {"controller.", CostPart::recurrence, CostRows::machine},
                               {"output.", CostPart::output, CostRows::steps},
                               {"affine.", CostPart::output, CostRows::steps},
                               {"readout.", CostPart::output, CostRows::steps},
                               {"decoder.init.", CostPart::other, CostRows::once},
                               {"attention.U_a", CostPart::projections, CostRows::source},
                               {"attention.w_k", CostPart::projections, CostRows::source},
                               {"attention.W_loc", CostPart::scores, CostRows::steps},
                               {"attention.", CostPart::projections, CostRows::steps},
                               {".attn.", CostPart::projections, CostRows::steps},
                               {"encoder.bridge", CostPart::other, CostRows::once}};
constexpr MatrixUse kUsesOfSides[] = {{".conv.", CostPart::convolution, CostRows::source},
                                      {"lstm.", CostPart::recurrence, CostRows::source},
                                      {"gru.", CostPart::recurrence, CostRows::source},
                                      {"rnn.", CostPart::recurrence, CostRows::source},
                                      {"decoder.context.", CostPart::recurrence, CostRows::source}};

bool is_looked_up(const std::string& name) {
  return name.ends_with("embed.W") || name.ends_with("pos.W") || name == "memory.init";
}

CostTerm use_of(const Parameter& matrix) {
  const auto stands_in = [&](const MatrixUse& use) { return matrix.name.find(use.part_of_name) != std::string::npos; };
  const auto each = static_cast<double>(matrix.value.size());
  if (const auto* use = std::ranges::find_if(kUses, stands_in); use != std::end(kUses))
    return {use->part, use->rows, each};
  const CostRows side = matrix.name.starts_with("encoder.") ? CostRows::source : CostRows::steps;
  const auto* use = std::ranges::find_if(kUsesOfSides, stands_in);
  const CostPart part = use == std::end(kUsesOfSides) ? CostPart::other : use->part;
  // A decoder alone goes through the text that it continues as well; behind an encoder there is none.
  return {part, part == CostPart::recurrence && side == CostRows::steps ? CostRows::text : side, each};
}

// How a recurrent decoder reads the states of its encoder.
void add_reading(std::vector<CostTerm>& terms, const Model& model) {
  const Json& config = model.config();
  const EncoderSettings encoder = recurrent_settings(config).encoder;
  const AttentionSettings attention = attention_settings(config);
  const bool both =
      encoder.directions == Directions::all || (encoder.directions == Directions::first && encoder.layers == 1);
  const bool wide = both && encoder.merge == Merge::concat && !encoder.bridge;
  const auto state = static_cast<double>(wide ? 2 * encoder.hidden : encoder.hidden);
  double score = state;
  if (const Tensor* v = model.parameters().find("attention.v_a")) score = static_cast<double>(v->size());
  if (attention.score == Score::location || attention.score == Score::linear_concat) score = 0;
  const Index window = attention.reach == Reach::global ? 0 : 2 * attention.half_width + 1;
  terms.push_back({CostPart::scores, CostRows::steps, score, CostKeys::source, window, 1});
  terms.push_back({CostPart::mixing, CostRows::steps, state, CostKeys::source, window});
}

// Each head compares its key with all slots; reading takes one product for each number, writing two.
void add_memory(std::vector<CostTerm>& terms, const Json& config) {
  const auto slots = config.at("memory.slots").get<Index>(), pairs = config.at("memory.heads").get<Index>();
  const double numbers = area(slots, config.at("memory.width").get<Index>()) * static_cast<double>(pairs);
  terms.push_back({CostPart::scores, CostRows::machine, 2 * numbers, CostKeys::none, 0, 2 * pairs * slots});
  terms.push_back({CostPart::mixing, CostRows::machine, 3 * numbers});
}

ModelCost cost_by_matrices(const Model& model) {
  const Json& config = model.config();
  ModelCost cost;
  cost.width = model.traits().width;
  for (const Parameter& parameter : model.parameters().all()) {
    if (parameter.value.rank() != 2 || is_looked_up(parameter.name)) continue;
    cost.terms.push_back(use_of(parameter));
    if (parameter.name.find(".attn.in_proj.") == std::string::npos) continue;
    const auto size = static_cast<double>(parameter.value.dim(1));
    cost.terms.push_back({CostPart::scores, CostRows::steps, size, CostKeys::source, 0, 1});
    cost.terms.push_back({CostPart::mixing, CostRows::steps, size, CostKeys::source});
  }
  // The table of embeddings is looked up, and the output layer as well.
  if (config.value("tie", false))
    cost.terms.push_back(
        {CostPart::output, CostRows::steps, static_cast<double>(model.parameters().find("decoder.embed.W")->size())});
  if (config.contains("attention.score")) add_reading(cost.terms, model);
  if (config.contains("memory.slots")) add_memory(cost.terms, config);
  // A bridge that all states pass is used for each of them.
  if (config.value("bridge", false))
    for (CostTerm& term : cost.terms)
      if (term.part == CostPart::other && term.rows == CostRows::once) term.rows = CostRows::source;
  return cost;
}

// --- Lengths.

double rows_of(CostRows rows, const RunLengths& lengths) {
  switch (rows) {
    case CostRows::once:
      return 1;
    case CostRows::source:
      return static_cast<double>(lengths.source);
    case CostRows::text:
      return static_cast<double>(lengths.prompt + lengths.steps);
    case CostRows::steps:
      return static_cast<double>(lengths.steps);
    case CostRows::machine:
      return static_cast<double>(lengths.source + 1 + lengths.steps);
  }
  return 0;
}

// CostRows, or pairs of a row and a key.
double uses_of(const CostTerm& term, const RunLengths& lengths, Pace pace) {
  const double rows = rows_of(term.rows, lengths);
  const auto seen = [&](Index keys) {
    return static_cast<double>(term.window > 0 ? std::min(term.window, keys) : keys);
  };
  if (term.keys == CostKeys::none) return rows;
  if (term.keys == CostKeys::source) return rows * seen(lengths.source);
  if (pace == Pace::learns) return rows * seen(lengths.prompt + lengths.steps);
  // The prompt is read at once; then each token sees what stands before it.
  double pairs = static_cast<double>(lengths.prompt) * seen(lengths.prompt);
  for (Index t = 0; t < lengths.steps; ++t) pairs += seen(lengths.prompt + t + 1);
  return pairs;
}

}  // namespace

const char* name_of(CostedLayer layer) { return kLayerCosts[static_cast<int>(layer)].name; }

double multiply_adds(CostedLayer layer, Index n, Index d) {
  return kLayerCosts[static_cast<int>(layer)].multiply_adds(static_cast<double>(n), static_cast<double>(d));
}

double crossing(CostedLayer a, const std::vector<CostedLayer>& b, Index d) {
  double others = 0;
  for (const CostedLayer layer : b) others += multiply_adds(layer, 1, d);
  return others / multiply_adds(a, 1, d);
}

const char* name_of(CostPart part) { return kPartNames[static_cast<int>(part)]; }

std::optional<CostPart> cost_part(std::string_view name) {
  for (const CostPart part : kCostParts)
    if (name == name_of(part)) return part;
  return {};
}

std::optional<Pace> pace_named(std::string_view name) {
  if (name == "learns") return Pace::learns;
  return name == "writes" ? std::optional(Pace::writes) : std::nullopt;
}

Index RunLengths::longest() const { return source > 0 ? source : prompt + steps; }

RunLengths RunLengths::of(Index n) const {
  const Index whole = std::max<Index>(1, longest());
  const double share = static_cast<double>(steps) / static_cast<double>(whole);
  const Index written = std::max<Index>(1, std::llround(share * static_cast<double>(n)));
  if (source > 0) return {n, 0, written};
  return {0, n - std::min(n, written), std::min(n, written)};
}

RunLengths run_lengths(const Result& result) {
  const auto steps = static_cast<Index>(result.steps.size());
  const bool alone =
      result.model && result.model->model && result.model->model->traits().kind == ModelTraits::Kind::decoder_only;
  if (alone) return {0, result.prompt, steps};
  return {static_cast<Index>(result.token_of_position.size()), 0, steps};
}

double ModelCost::multiplications(CostPart part, const RunLengths& lengths, Pace pace) const {
  double sum = 0;
  for (const CostTerm& term : terms)
    if (term.part == part) sum += term.each * uses_of(term, lengths, pace);
  return sum;
}

double ModelCost::multiplications(const RunLengths& lengths, Pace pace) const {
  double sum = 0;
  for (const CostPart part : kCostParts) sum += multiplications(part, lengths, pace);
  return sum;
}

double ModelCost::exponentials(const RunLengths& lengths, Pace pace) const {
  double sum = 0;
  for (const CostTerm& term : terms) sum += static_cast<double>(term.heads) * uses_of(term, lengths, pace);
  return sum;
}

Index ModelCost::crossing(const RunLengths& lengths) const {
  const auto is_dearer = [&](Index n) {
    const RunLengths at = lengths.of(n);
    const auto cost = [&](CostPart part) { return multiplications(part, at, Pace::learns); };
    return cost(CostPart::scores) + cost(CostPart::mixing) >
           cost(CostPart::projections) + cost(CostPart::feed_forward) + cost(CostPart::recurrence) +
               cost(CostPart::convolution);
  };
  Index below = 0, above = 1'000'000;
  if (!is_dearer(above)) return 0;
  while (above - below > 1) (is_dearer((above + below) / 2) ? above : below) = (above + below) / 2;
  return above;
}

std::optional<ModelCost> model_cost(const Model& model, Index heads) {
  const std::string& type = model.traits().architecture;
  if (type == "transformer") return transformer_cost(model.config(), TransformerShape::both, heads);
  if (type == "encoder_only") return transformer_cost(model.config(), TransformerShape::encoder_only, heads);
  if (type == "decoder_only") return transformer_cost(model.config(), TransformerShape::decoder_only, heads);
  return cost_by_matrices(model);
}

std::optional<ModelCost> model_cost(const Result& result, Index heads) {
  if (!result.model || !result.model->model || result.model->stored) return {};
  return model_cost(*result.model->model, heads);
}

std::vector<Index> possible_heads(const Model& model) {
  std::vector<Index> possible;
  const std::optional<ModelCost> cost = model_cost(model);
  if (!cost || cost->heads == 0) return possible;
  for (Index heads = 1; heads <= cost->columns; ++heads)
    if (cost->columns % heads == 0) possible.push_back(heads);
  return possible;
}

}  // namespace headlight
