#include "model/analysis/switches.h"

#include <algorithm>

#include "model/models/registry.h"
#include "model/models/variant.h"

namespace headlight {

namespace {

using SwitchKind = Switch::Kind;

bool is(const Json& config, const char* key, const char* value) { return config.value(key, "") == value; }
bool always(const Json&) { return true; }

struct Row {
  Switch base;
  bool (*applies)(const Json& config) = always;  // besides having the setting at all
  bool (*matters)(const Json& config) = always;
};

const std::vector<SwitchChoice>& scores() {
  static const std::vector<SwitchChoice> rows = {
      {"dot", "dot", "q · k: large when question and description point the same way, and are long.", {}},
      {"scaled_dot", "scaled dot", "q · k / √d: the dot product, made independent of how many numbers there are.", {}},
      {"general", "general", "q W k: a learned matrix says which parts of question and description go together.", {}},
      {"additive", "additive", "v · tanh(W q + U k): a small network compares the two.", {}},
      {"mlp", "two layers", "v · relu(W q + U k + b): a small network, with another activation.", {}},
      {"cosine", "cosine", "β cos(q, k): only the direction counts, not the length.", {}},
      {"location", "location", "W q: the question alone says where to look, whatever stands there.", {}},
      {"linear_concat", "linear", "w q + u k: no product of the two, so every step prefers the same tokens.", {}}};
  return rows;
}

const std::vector<SwitchChoice>& positions() {
  static const std::vector<SwitchChoice> rows = {
      {"sinusoid", "sinusoids", "Waves of many lengths are added to the tokens.", {}},
      {"sinusoid_halves", "sinusoids, in halves", "The same waves, all sines before all cosines.", {}},
      {"sinusoid_t2t", "sinusoids, slower", "The same waves with lengths spread in another way.", {}},
      {"learned", "learned table", "A learned row for each position is added to the tokens.", {}},
      {"rotary", "rotary", "Questions and descriptions are turned by their position, so that distances count.", {}},
      {"relative", "relative", "A learned number for each distance is added to the scores.", {}},
      {"alibi", "slopes", "What stands farther back gets a lower score, in each head by a slope of its own.", {}},
      {"concat", "beside the token", "The waves stand beside the token's numbers instead of being added.", {}},
      {"none", "none", "The model is not told where a token stands: a text is a bag of tokens.", {}}};
  return rows;
}

// Choices of `attention_layers` are made for each model: it depends on how many layers there are.
std::vector<SwitchChoice> attending_layers(const Json& config) {
  std::vector<SwitchChoice> rows = {{"all", "all layers", "Every layer of the decoder looks at the source.", {}}};
  static constexpr const char* kNames[] = {"only layer 1", "only layer 2", "only layer 3", "only layer 4",
                                           "only layer 5", "only layer 6", "only layer 7", "only layer 8"};
  const auto layers = std::min<std::size_t>(config.at("decoder_layers").get<std::size_t>(), std::size(kNames));
  for (std::size_t l = 0; layers > 1 && l < layers; ++l)
    rows.push_back({Json::array({l}), kNames[l], "One layer alone looks at the source; the others go without.", {}});
  const Json& now = config.at("attention_layers");
  const auto known = [&](const SwitchChoice& choice) { return choice.value == now; };
  if (std::ranges::none_of(rows, known)) rows.push_back({now, "some layers", "As the configuration lists them.", {}});
  return rows;
}

const std::vector<Row>& table() {
  static const std::vector<Row> rows = {
      {{kStrengthSwitch, SwitchKind::number, "Strength of the adapter",
        "How much of the adapter's change the weights have: 0 is the base alone, 1 the adapter as it was trained."}},
      {{"attention.score", SwitchKind::choice, "Score",
        "How well a source token fits what the decoder asks for: the formula that compares the two.", scores()}},
      {{"scale_scores", SwitchKind::flag, "Divide scores by √d",
        "Divide the scores by the root of the head's size. Without it large scores make the softmax choose one token "
        "alone."}},
      {{"score_scale",
        SwitchKind::number,
        "Scale of the scores",
        "What the scores are multiplied by. Smaller: the weights spread out; larger: each head looks at one token.",
        {},
        0,
        2,
        false,
        "1/√d, as usual"},
       always,
       [](const Json& c) { return c.value("scale_scores", true); }},
      {{"attention.beta",
        SwitchKind::number,
        "Sharpness β",
        "What the cosine is multiplied by: cosines lie between −1 and 1, too close together for a sharp choice.",
        {},
        0.1,
        100,
        true},
       always,
       [](const Json& c) { return is(c, "attention.score", "cosine") && !c.value("attention.learn_beta", false); }},
      {{"attention.temperature",
        SwitchKind::number,
        "Temperature",
        "The scores are divided by it. Low: all weight on the best token; high: every token gets the same.",
        {},
        0.1,
        10,
        true}},
      {{"attention.selection",
        SwitchKind::choice,
        "Selection",
        "What is done with the weights: every token is read by its share, or one token alone.",
        {{"soft", "soft: all tokens, by their shares", "The context is the weighted mean of all source tokens.", {}},
         {"hard_argmax", "hard: the heaviest token", "Only the token with the largest weight is read.", {}},
         {"hard_sample", "hard: one is drawn", "One token is drawn, each as likely as its weight says.", {}}}}},
      {{"attention.reach",
        SwitchKind::choice,
        "How far it may look",
        "Where the decoder may look: everywhere, or only near a place in the source.",
        {{"global", "global: everywhere", "Every source token may be read at every step.", {}},
         {"local_m",
          "local: near the diagonal",
          "Step t reads around source token t, as if both sides went in step.",
          {}},
         {"local_p",
          "local: near a guessed place",
          "The model guesses a place for each step and reads around it.",
          {}}}}},
      {{"attention.half_width",
        SwitchKind::whole,
        "Half width D of the window",
        "How many tokens left and right of its place a step may read.",
        {},
        0,
        20},
       always,
       [](const Json& c) { return !is(c, "attention.reach", "global"); }},
      {{"attention.sigma",
        SwitchKind::number,
        "Width σ of the bell",
        "Weights are multiplied by a bell around the guessed place; σ says how wide it is.",
        {},
        0,
        10,
        false,
        "D/2"},
       always,
       [](const Json& c) { return is(c, "attention.reach", "local_p"); }},
      {{"attention_layers", SwitchKind::choice, "Layers that look",
        "Which layers of the decoder have an attention of their own."}},
      {{"attention_step",
        SwitchKind::choice,
        "Context of",
        "Whether the layers above read what was looked up at this step, or what was looked up a step before.",
        {{"fresh", "this step", "The layers above read the context of this step.", {}},
         {"past", "the step before", "The layers above read the context of the step before.", {}}}},
       [](const Json& c) { return !is(c, "context_use", "to_affine") && c.value("layers", 1) > 1; }},
      {{"window",
        SwitchKind::whole,
        "Window",
        "In self-attention each token sees only tokens closer than this: 1 is itself alone, 2 its neighbours, too.",
        {},
        0,
        32,
        false,
        "everything"},
       [](const Json& c) { return c.value("layer_windows", Json::array()).empty(); }},
      {{"causal", SwitchKind::flag, "Causal mask",
        "A token of the text sees only itself and what stands before it. Without it the prompt looks ahead, which the "
        "model has never been trained to do."},
       [](const Json& c) { return is(c, "model_type", "decoder_only"); }},
      {{"positions", SwitchKind::choice, "Positions", "How the model is told where each token stands.", positions()}},
      {{"reverse_source", SwitchKind::flag, "Reversed input",
        "The encoder reads the source from its end to its beginning. Recurrent models then have the first words fresh "
        "in memory when they begin to write."},
       [](const Json& c) { return !is(c, "model_type", "decoder_only") && !is(c, "model_type", "encoder_only"); }},
  };
  return rows;
}

}  // namespace

std::string refusal(const ModelBundle& bundle, const std::string& key, const Json& value) {
  Json config = bundle.model->config();
  config[key] = value;
  const ParameterTable& weights = as_trained(bundle).model->parameters();
  try {
    // Shapes alone, no memory: the same rule as in variant().
    const std::unique_ptr<Model> model = make_model(config, {InitialValues::Kind::none, 0});
    for (const Parameter& parameter : model->parameters().all())
      if (const Tensor* loaded = weights.find(parameter.name);
          loaded && loaded->shape() != parameter.value.shape() && !parameter.name.starts_with("attention."))
        return parameter.name + " would have to be " + parameter.value.shape().text() + ", it is " +
               loaded->shape().text();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

bool has_switches(const ModelBundle& bundle) {
  if (!bundle.model) return false;
  const Json& config = bundle.model->config();
  return std::ranges::any_of(table(),
                             [&](const Row& row) { return config.contains(row.base.key) && row.applies(config); });
}

std::vector<Switch> switches_of(const ModelBundle& bundle) {
  if (!bundle.model) return {};
  const Json& config = bundle.model->config();
  std::vector<Switch> found;
  for (const Row& row : table()) {
    if (!config.contains(row.base.key) || !row.applies(config)) continue;
    Switch one = row.base;
    if (std::string(one.key) == "attention_layers") one.choices = attending_layers(config);
    one.matters = row.matters(config);
    for (SwitchChoice& choice : one.choices)
      if (choice.value != config.at(one.key)) choice.refused = refusal(bundle, one.key, choice.value);
    if (one.kind == SwitchKind::choice && one.choices.size() < 2) continue;
    found.push_back(std::move(one));
  }
  return found;
}

Json changed_settings(const ModelBundle& bundle) {
  Json changed = Json::object();
  if (!bundle.model) return changed;
  const Json& trained = as_trained(bundle).model->config();
  for (const auto& [key, value] : bundle.model->config().items())
    if (!trained.contains(key) || trained.at(key) != value) changed[key] = value;
  return changed;
}

}  // namespace headlight
