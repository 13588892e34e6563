#include "model/models/recurrent_settings.h"

namespace headlight {

namespace {

// fan_in: Saito, "Deep Learning from Scratch 2", chapter 7. uniform: Luong et al. 2015, section 4.1. bahdanau: Bahdanau
// et al. 2015, appendix B.1 (attention starts exactly uniform). normal: N(0, 0.01²) throughout.
InitScheme init_scheme(const Json& config) {
  const Init small = Init::normal(0.01), tiny = Init::normal(0.001), tenth = Init::uniform(0.1);
  switch (read_choice(config, "init", {"fan_in", "uniform", "bahdanau", "normal"})) {
    case 1:
      return {tenth, tenth, {tenth, tenth}, {tenth, tenth}};
    case 2:
      return {small, small, {small, Init::orthogonal()}, {tiny, Init::zeros()}};
    case 3:
      return {small, small, {small, small}, {small, small}};
    default:
      return {small, Init::fan_in(), {}, {}};
  }
}

}  // namespace

Json recurrent_defaults() {
  return {{"source_vocabulary_size", 0},
          {"target_vocabulary_size", 0},
          {"embedding_size", 16},
          {"hidden_size", 128},
          {"cell", "lstm"},
          {"layers", 1},
          {"bidirectional", "none"},
          {"merge", "concat"},
          {"bridge", false},
          {"bottleneck", "last"},
          {"pass_cell", false},
          {"residual", false},
          {"residual_from", 1},
          {"dropout", 0.0},
          {"reverse_source", false},
          {"reverse_target", false},
          {"init", "fan_in"},
          {"forget_bias", 0.0}};
}

Json attention_defaults() {
  return {{"attention.score", "dot"},       {"attention.selection", "soft"},
          {"attention.reach", "global"},    {"attention.hidden_size", 32},
          {"attention.longest_source", 64}, {"attention.half_width", 4},
          {"attention.sigma", 0.0},         {"attention.beta", 5.0},
          {"attention.learn_beta", false},  {"attention.temperature", 1.0},
          {"attention.semi_sampling", 0.0}, {"attention.reinforce", 1.0},
          {"attention.entropy", 0.0},       {"attention.doubly_stochastic", 0.0},
          {"attention.bias", "none"}};
}

RecurrentSettings recurrent_settings(const Json& config) {
  RecurrentSettings settings;
  settings.target_vocabulary = read_index(config, "target_vocabulary_size", 1, 1'000'000);
  settings.init = init_scheme(config);
  read_flag(config, "reverse_target");
  EncoderSettings& e = settings.encoder;
  e.vocabulary = read_index(config, "source_vocabulary_size", 1, 1'000'000);
  e.embedding = read_index(config, "embedding_size", 1, 16'384);
  e.hidden = read_index(config, "hidden_size", 1, 16'384);
  e.cell = static_cast<CellKind>(read_choice(config, "cell", kCellNames));
  e.layers = read_index(config, "layers", 1, 64);
  e.directions = static_cast<Directions>(read_choice(config, "bidirectional", kDirectionNames));
  e.merge = static_cast<Merge>(read_choice(config, "merge", kMergeNames));
  e.bridge = read_flag(config, "bridge");
  e.pooling = static_cast<Pooling>(read_choice(config, "bottleneck", kPoolingNames));
  e.residual = read_flag(config, "residual");
  e.residual_from = read_index(config, "residual_from", 0, 64);
  e.dropout = read_number(config, "dropout", 0, 0.95);
  e.reverse = read_flag(config, "reverse_source");
  e.embed = settings.init.embed;
  e.matrix = settings.init.matrix;
  settings.init.cell.forget_bias = read_number(config, "forget_bias", -100, 100);
  e.cell_init = settings.init.cell;
  return settings;
}

AttentionSettings attention_settings(const Json& config) {
  AttentionSettings a;
  a.score = static_cast<Score>(read_choice(config, "attention.score", kScoreNames));
  a.selection = static_cast<ReadSelection>(read_choice(config, "attention.selection", kSelectionNames));
  a.reach = static_cast<Reach>(read_choice(config, "attention.reach", kReachNames));
  a.reversed = read_flag(config, "reverse_source");
  a.bias = static_cast<ScoreBias>(read_choice(config, "attention.bias", kScoreBiasNames));
  a.hidden = read_index(config, "attention.hidden_size", 1, 16'384);
  a.longest_source = read_index(config, "attention.longest_source", 1, 65'536);
  a.half_width = read_index(config, "attention.half_width", 0, 65'536);
  a.sigma = read_number(config, "attention.sigma", 0, 65'536);
  a.beta = read_number(config, "attention.beta", 1e-3, 1000);
  a.learn_beta = read_flag(config, "attention.learn_beta");
  a.temperature = read_number(config, "attention.temperature", 1e-3, 1000);
  a.semi_sampling = read_number(config, "attention.semi_sampling", 0, 1);
  return a;
}

AttentionLosses attention_losses(const Json& config) {
  return {read_number(config, "attention.reinforce", 0, 1000), read_number(config, "attention.entropy", 0, 1000),
          read_number(config, "attention.doubly_stochastic", 0, 1000)};
}

}  // namespace headlight
