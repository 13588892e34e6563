#include "app/lab/setup/setting_titles.h"

#include <QCoreApplication>
#include <algorithm>
#include <iterator>

#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

struct SettingTitle {
  const char *key, *title;
};
// As they are called in docs/terms.md where it has them.
constexpr SettingTitle kTitles[] = {
    {"train_size", QT_TRANSLATE_NOOP("SettingTitle", "Examples for training")},
    {"test_size", QT_TRANSLATE_NOOP("SettingTitle", "Examples kept back")},
    {"parts", QT_TRANSLATE_NOOP("SettingTitle", "Parts of a batch, side by side")},
    {"optimiser", QT_TRANSLATE_NOOP("SettingTitle", "Optimiser")},
    {"schedule", QT_TRANSLATE_NOOP("SettingTitle", "Step size over time")},
    {"momentum", QT_TRANSLATE_NOOP("SettingTitle", "Momentum")},
    {"beta1", QT_TRANSLATE_NOOP("SettingTitle", "Memory of the mean gradient")},
    {"beta2", QT_TRANSLATE_NOOP("SettingTitle", "Memory of the squared gradient")},
    {"epsilon", QT_TRANSLATE_NOOP("SettingTitle", "Added to the divisor")},
    {"warmup", QT_TRANSLATE_NOOP("SettingTitle", "Updates of warm-up")},
    {"halve_after", QT_TRANSLATE_NOOP("SettingTitle", "Epochs before the first halving")},
    {"plateau_divide", QT_TRANSLATE_NOOP("SettingTitle", "Divided at a plateau by")},
    {"plateau_floor", QT_TRANSLATE_NOOP("SettingTitle", "Smallest step size")},
    {"clip", QT_TRANSLATE_NOOP("SettingTitle", "Largest norm of the gradients")},
    {"clip_value", QT_TRANSLATE_NOOP("SettingTitle", "Largest number of the gradients")},
    {"label_smoothing", QT_TRANSLATE_NOOP("SettingTitle", "Label smoothing")},
    {"teacher_forcing", QT_TRANSLATE_NOOP("SettingTitle", "Teacher forcing")},
    {"teacher_forcing_decay", QT_TRANSLATE_NOOP("SettingTitle", "Teacher forcing, per epoch")},
    {"patience", QT_TRANSLATE_NOOP("SettingTitle", "Epochs without progress")},
    {"average", QT_TRANSLATE_NOOP("SettingTitle", "Epochs that are averaged")},
    {"tokenizer", QT_TRANSLATE_NOOP("SettingTitle", "What a token is")},
    {"min_frequency", QT_TRANSLATE_NOOP("SettingTitle", "Rarer words are unknown")},
    {"max_tokens", QT_TRANSLATE_NOOP("SettingTitle", "Longest pair, in tokens")},
    {"context", QT_TRANSLATE_NOOP("SettingTitle", "Tokens of a window of the text")},
    {"bpe_merges", QT_TRANSLATE_NOOP("SettingTitle", "Merges of byte-pair encoding")},
    {"lower_case", QT_TRANSLATE_NOOP("SettingTitle", "Capitals as small letters")},
    {"embedding_size", QT_TRANSLATE_NOOP("SettingTitle", "Size of an embedding")},
    {"hidden_size", QT_TRANSLATE_NOOP("SettingTitle", "Units")},
    {"cell", QT_TRANSLATE_NOOP("SettingTitle", "Cell")},
    {"layers", QT_TRANSLATE_NOOP("SettingTitle", "Layers")},
    {"bidirectional", QT_TRANSLATE_NOOP("SettingTitle", "Both directions")},
    {"merge", QT_TRANSLATE_NOOP("SettingTitle", "Directions are joined by")},
    {"bridge", QT_TRANSLATE_NOOP("SettingTitle", "Layer between encoder and decoder")},
    {"bottleneck", QT_TRANSLATE_NOOP("SettingTitle", "What the decoder begins with")},
    {"pass_cell", QT_TRANSLATE_NOOP("SettingTitle", "Memory is passed on too")},
    {"residual", QT_TRANSLATE_NOOP("SettingTitle", "Residual connections")},
    {"residual_from", QT_TRANSLATE_NOOP("SettingTitle", "Residual from layer")},
    {"dropout", QT_TRANSLATE_NOOP("SettingTitle", "Dropout")},
    {"reverse_source", QT_TRANSLATE_NOOP("SettingTitle", "Source read backwards")},
    {"reverse_target", QT_TRANSLATE_NOOP("SettingTitle", "Target written backwards")},
    {"init", QT_TRANSLATE_NOOP("SettingTitle", "First numbers")},
    {"forget_bias", QT_TRANSLATE_NOOP("SettingTitle", "Bias of the forget gate")},
    {"context_use", QT_TRANSLATE_NOOP("SettingTitle", "Where the context goes")},
    {"query_layer", QT_TRANSLATE_NOOP("SettingTitle", "Layer that asks")},
    {"input_feeding", QT_TRANSLATE_NOOP("SettingTitle", "Input feeding")},
    {"combine", QT_TRANSLATE_NOOP("SettingTitle", "Context joined with the state")},
    {"attention_step", QT_TRANSLATE_NOOP("SettingTitle", "State that asks")},
    {"attention", QT_TRANSLATE_NOOP("SettingTitle", "Attention")},
    {"memory", QT_TRANSLATE_NOOP("SettingTitle", "Memory")},
    {"controller", QT_TRANSLATE_NOOP("SettingTitle", "Controller")},
    {"start", QT_TRANSLATE_NOOP("SettingTitle", "First state")},
    {"selector", QT_TRANSLATE_NOOP("SettingTitle", "Selector gate")},
    {"readout", QT_TRANSLATE_NOOP("SettingTitle", "Readout")},
    {"readout_state", QT_TRANSLATE_NOOP("SettingTitle", "State that is read out")},
    {"maxout_size", QT_TRANSLATE_NOOP("SettingTitle", "Size of the maxout")},
    {"encoder_layers", QT_TRANSLATE_NOOP("SettingTitle", "Layers of the encoder")},
    {"decoder_layers", QT_TRANSLATE_NOOP("SettingTitle", "Layers of the decoder")},
    {"model_size", QT_TRANSLATE_NOOP("SettingTitle", "Model size")},
    {"heads", QT_TRANSLATE_NOOP("SettingTitle", "Heads")},
    {"head_size", QT_TRANSLATE_NOOP("SettingTitle", "Size of a head")},
    {"key_value_heads", QT_TRANSLATE_NOOP("SettingTitle", "Key and value heads")},
    {"ff_size", QT_TRANSLATE_NOOP("SettingTitle", "Size of the feed-forward layer")},
    {"activation", QT_TRANSLATE_NOOP("SettingTitle", "Activation")},
    {"gated", QT_TRANSLATE_NOOP("SettingTitle", "Gated feed-forward layer")},
    {"norm", QT_TRANSLATE_NOOP("SettingTitle", "Norm")},
    {"norm_place", QT_TRANSLATE_NOOP("SettingTitle", "Place of the norm")},
    {"norm_epsilon", QT_TRANSLATE_NOOP("SettingTitle", "Epsilon of the norm")},
    {"norm_bias", QT_TRANSLATE_NOOP("SettingTitle", "Bias of the norm")},
    {"final_norm", QT_TRANSLATE_NOOP("SettingTitle", "Norm at the end")},
    {"first_norm", QT_TRANSLATE_NOOP("SettingTitle", "Norm at the beginning")},
    {"embedding_norm", QT_TRANSLATE_NOOP("SettingTitle", "Norm of the embeddings")},
    {"positions", QT_TRANSLATE_NOOP("SettingTitle", "Position encoding")},
    {"position_size", QT_TRANSLATE_NOOP("SettingTitle", "Size of a position")},
    {"position_scale", QT_TRANSLATE_NOOP("SettingTitle", "Scale of the positions")},
    {"position_offset", QT_TRANSLATE_NOOP("SettingTitle", "First position")},
    {"max_positions", QT_TRANSLATE_NOOP("SettingTitle", "Longest text")},
    {"random_offset", QT_TRANSLATE_NOOP("SettingTitle", "Positions begin anywhere")},
    {"rotary_theta", QT_TRANSLATE_NOOP("SettingTitle", "Base of the rotation")},
    {"rotary_size", QT_TRANSLATE_NOOP("SettingTitle", "Rotated numbers of a head")},
    {"rotary_pairs", QT_TRANSLATE_NOOP("SettingTitle", "Pairs of the rotation")},
    {"relative_distance", QT_TRANSLATE_NOOP("SettingTitle", "Largest relative distance")},
    {"relative_buckets", QT_TRANSLATE_NOOP("SettingTitle", "Buckets of distances")},
    {"causal", QT_TRANSLATE_NOOP("SettingTitle", "Causal mask")},
    {"window", QT_TRANSLATE_NOOP("SettingTitle", "Attention window")},
    {"layer_windows", QT_TRANSLATE_NOOP("SettingTitle", "Windows by layer")},
    {"mask_padding", QT_TRANSLATE_NOOP("SettingTitle", "Padding is masked")},
    {"scale_scores", QT_TRANSLATE_NOOP("SettingTitle", "Scores divided by the root of the size")},
    {"score_scale", QT_TRANSLATE_NOOP("SettingTitle", "Scale of the scores")},
    {"score_scale_by_layer", QT_TRANSLATE_NOOP("SettingTitle", "Scale of the scores, by layer")},
    {"score_cap", QT_TRANSLATE_NOOP("SettingTitle", "Cap of the scores")},
    {"scale_embeddings", QT_TRANSLATE_NOOP("SettingTitle", "Embeddings are scaled")},
    {"tie", QT_TRANSLATE_NOOP("SettingTitle", "Output uses the embeddings")},
    {"attention_dropout", QT_TRANSLATE_NOOP("SettingTitle", "Dropout of the weights")},
    {"activation_dropout", QT_TRANSLATE_NOOP("SettingTitle", "Dropout of the activations")},
    {"attention_bias", QT_TRANSLATE_NOOP("SettingTitle", "Biases of the attention")},
    {"projection_bias", QT_TRANSLATE_NOOP("SettingTitle", "Bias of the projection")},
    {"ffn_bias", QT_TRANSLATE_NOOP("SettingTitle", "Biases of the feed-forward layer")},
    {"output_bias", QT_TRANSLATE_NOOP("SettingTitle", "Bias of the output")},
    {"output_scale", QT_TRANSLATE_NOOP("SettingTitle", "Scale of the output")},
    {"identity_projections", QT_TRANSLATE_NOOP("SettingTitle", "Queries, keys and values as they are")},
    {"qk_norm", QT_TRANSLATE_NOOP("SettingTitle", "Norm of queries and keys")},
    {"init_deviation", QT_TRANSLATE_NOOP("SettingTitle", "Spread of the first numbers")},
    {"token_types", QT_TRANSLATE_NOOP("SettingTitle", "Kinds of tokens")},
    {"parallel_sublayers", QT_TRANSLATE_NOOP("SettingTitle", "Sublayers side by side")},
    {"shared_layers", QT_TRANSLATE_NOOP("SettingTitle", "Layers share their numbers")},
    {"decoder_heads", QT_TRANSLATE_NOOP("SettingTitle", "Heads of the decoder")},
    {"decoder_ff_size", QT_TRANSLATE_NOOP("SettingTitle", "Feed-forward layer of the decoder")},
    {"logit_cap", QT_TRANSLATE_NOOP("SettingTitle", "Cap of the logits")},
    {"kernel_size", QT_TRANSLATE_NOOP("SettingTitle", "Width of the kernel")},
    {"weight_norm", QT_TRANSLATE_NOOP("SettingTitle", "Weight normalisation")},
    {"out_size", QT_TRANSLATE_NOOP("SettingTitle", "Size before the output")},
    {"gradient_scale", QT_TRANSLATE_NOOP("SettingTitle", "Scale of the encoder's gradients")},
    {"attention_layers", QT_TRANSLATE_NOOP("SettingTitle", "Layers with attention")},
};

}  // namespace

QString setting_title(const std::string& key) {
  const auto* found =
      std::find_if(std::begin(kTitles), std::end(kTitles), [&](const SettingTitle& each) { return key == each.key; });
  if (found != std::end(kTitles)) return QCoreApplication::translate("SettingTitle", found->title);
  return from_utf8(key).replace(u'_', u' ');
}

}  // namespace headlight
