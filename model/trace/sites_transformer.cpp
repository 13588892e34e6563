// Sites of Transformers. A layer's rows stand in three places: in the encoder, in what a decoder reads at once (its
// prompt), and in the step of a decoder, where the axis of the rows is gone.

#include <string>

#include "model/trace/site_rows.h"

namespace headlight {

namespace {

constexpr const char* kVaswani = "Vaswani et al. 2017, section 3.1";
constexpr const char* kHeads = "Vaswani et al. 2017, section 3.2.2";
constexpr const char* kScaled = "Vaswani et al. 2017, eq. 1";
constexpr const char* kFeedForward = "Vaswani et al. 2017, eq. 2";
constexpr const char* kEmbedding = "Vaswani et al. 2017, section 3.4";
constexpr const char* kPosition = "Vaswani et al. 2017, section 3.5";
constexpr const char* kNorm = "Ba et al. 2016, eq. 4";
constexpr const char* kExperts = "Shazeer et al. 2017, section 2";
constexpr const char* kShared = "Dai et al. 2024, section 3.2";
constexpr const char* kLatent = "DeepSeek-AI 2024, section 2.1";
constexpr const char* kClipped = "Groeneveld et al. 2024, section 2";
constexpr const char* kHead = "Devlin et al. 2019, section 3.1";

// What a row looks like in every place: `rows` and `keys` stand for the axes that depend on the place.
enum class Part { row, row_keys, heads, heads_keys, head_rows, statistic, slots, slot_rows };
struct LayerSite {
  const char* leaf;
  Part part;
  const char* title;
  const char* formula;
  const char* paper;
  const char* help;
  bool derived = false;
};

const std::vector<LayerSite>& attention_rows() {
  static const std::vector<LayerSite> rows = {
      {"head.q", Part::heads, "queries", "q_i, the columns of head i", kHeads,
       "The question of each token, one for each head: what it is looking for in the others."},
      {"head.q_normed", Part::heads, "normalised queries", "q / rms(q) ⊙ γ", "Zhang & Sennrich 2019, eq. 4",
       "The questions, all made about equally large."},
      {"head.q_clipped", Part::heads, "clipped queries", "min(max(q, −c), c)", kClipped,
       "The questions; what lies beyond a bound is brought back to it."},
      {"head.q_rotated", Part::heads, "rotated queries", "q turned by its position", "Su et al. 2021, eq. 34",
       "The questions, turned by an angle that grows with the position: so distances enter the scores."},
      {"head.k", Part::heads, "keys", "k_i, the columns of head i", kHeads,
       "How each token describes itself to the questions, one description for each head."},
      {"head.k_normed", Part::heads, "normalised keys", "k / rms(k) ⊙ γ", "Zhang & Sennrich 2019, eq. 4",
       "The descriptions, all made about equally large."},
      {"head.k_clipped", Part::heads, "clipped keys", "min(max(k, −c), c)", kClipped,
       "The descriptions; what lies beyond a bound is brought back to it."},
      {"head.k_rotated", Part::heads, "rotated keys", "k turned by its position", "Su et al. 2021, eq. 34",
       "The descriptions, turned by an angle that grows with the position: so distances enter the scores."},
      {"head.v", Part::heads, "values", "v_i, the columns of head i", kHeads,
       "What each token hands over to those that look at it, one parcel for each head."},
      {"head.v_clipped", Part::heads, "clipped values", "min(max(v, −c), c)", kClipped,
       "What is handed over; what lies beyond a bound is brought back to it."},
      {"head.scores_raw", Part::heads_keys, "raw scores", "q · k_j", kScaled,
       "Query times key, for every pair: how well they fit, before anything is scaled."},
      {"head.c2p", Part::heads_keys, "content to position", "q · K_{δ(t−j)}", "He et al. 2021, eq. 4",
       "How well the question of a token fits the distance to each other one, whatever stands there."},
      {"head.p2c", Part::heads_keys, "position to content", "k_j · Q_{δ(t−j)}", "He et al. 2021, eq. 4",
       "How well the description of each token fits the distance from which it is looked at."},
      {"head.bias", Part::heads_keys, "position bias", "b_{j−t}, learned for each distance",
       "Raffel et al. 2020, section 2.1", "What is added to a score for the distance between the two tokens alone."},
      {"head.scores", Part::heads_keys, "attention scores", "s_j", kScaled,
       "How well each token fits the question: larger is better, not yet shares of a whole."},
      {"head.scores_capped", Part::heads_keys, "capped scores", "c tanh(s_j / c)", "Gemma Team 2024, section 2",
       "The scores, pressed softly below a largest value, so that no token takes all of the attention."},
      {"keep", Part::row_keys, "mask", "1 where a token may be looked at", "Vaswani et al. 2017, section 3.2.3",
       "Which tokens may be looked at: not what is still to be written, and not what only fills up a line."},
      {"head.scores_masked", Part::heads_keys, "masked scores", "s_j, −∞ where the mask is 0",
       "Vaswani et al. 2017, section 3.2.3", "The scores once more; masked positions get −∞."},
      {"head.weights", Part::heads_keys, "attention weights", "a_j = exp(s_j) / Σ_k exp(s_k)", kScaled,
       "The scores turned into shares that add up to 1: where each head looks."},
      {"head.sink", Part::head_rows, "share of the sink", "exp(s_h) / (exp(s_h) + Σ_k exp(s_k))",
       "Xiao et al. 2024, section 3.3",
       "What each head gives to nothing at all: its weights add up to 1 less this share.", true},
      {"q_latent", Part::row, "latent of the queries", "c_q = x W_qa / rms(x W_qa) ⊙ γ", kLatent,
       "One short row for each token, from which the questions of all heads are computed."},
      {"latent", Part::row, "latent", "c = x W_kva / rms(x W_kva) ⊙ γ", kLatent,
       "One short row for each token, from which the keys and values of all heads are computed: it is all that has to "
       "be kept, beside the part that turns."},
      {"latent_rope", Part::row, "rotated part of the keys", "x W_kr turned by its position", kLatent,
       "What the keys of all heads have in common: the part that turns with the position, kept beside the latent."},
      {"head.out", Part::heads, "head output", "Σ_j a_j v_j", kScaled,
       "The weighted average of the values: what each head brings back."},
      {"concat", Part::row, "joined heads", "[head 1; …; head h]", kHeads,
       "What all heads brought back, side by side."},
      {"out", Part::row, "attention output", "[head 1; …; head h] W_o", kHeads,
       "What the heads found, mixed into one row as wide as the model."}};
  return rows;
}

const std::vector<LayerSite>& layer_rows() {
  static const std::vector<LayerSite> rows = {
      {"residual1", Part::row, "after self-attention", "x + attention", kVaswani,
       "What the tokens told each other, added to what was known before."},
      {"residual2", Part::row, "second residual sum", "x + sublayer", kVaswani,
       "What this part of the layer found, added to what was known before."},
      {"residual3", Part::row, "after the feed-forward network", "x + ffn", kVaswani,
       "What the small network made of each row, added to what was known before."},
      {"ffn.gate", Part::row, "gate input", "x W_gate", "Shazeer 2020, eq. 5",
       "What decides how much of the hidden layer gets through."},
      {"ffn.pre", Part::row, "hidden layer", "x W_1", kFeedForward,
       "Each row alone, spread out over more numbers: the first half of a small network."},
      {"ffn.act", Part::row, "neurons after the activation", "h", kFeedForward,
       "The hidden layer after its activation: most numbers are off, few are on."},
      {"ffn.router.logits", Part::slots, "router logits", "z = x W", kExperts,
       "How well each expert fits the token: a number for each of them, before the largest are chosen."},
      {"ffn.router.experts", Part::slots, "chosen experts", "top-k_e z_e", kExperts,
       "The numbers of the few experts that work on this token, counted from 0; the one with the largest share first."},
      {"ffn.router.shares", Part::slots, "shares of the experts", "g_e", kExperts,
       "What the output of each chosen expert is multiplied by."},
      {"ffn.router.shared_gate", Part::statistic, "share of the shared expert", "σ(x w)", "Qwen Team 2024",
       "What the output of the expert that works on every token is multiplied by."},
      {"ffn.expert.out", Part::slot_rows, "outputs of the experts", "f_e(x)", kExperts,
       "What each chosen expert makes of the token, before the shares."},
      {"ffn.shared.gate", Part::row, "gate input of the shared expert", "x W_gate", "Shazeer 2020, eq. 5",
       "What decides how much of the shared expert's hidden layer gets through."},
      {"ffn.shared.pre", Part::row, "hidden layer of the shared expert", "x W_1", kShared,
       "Each row alone, spread out over more numbers, in the expert that works on every token."},
      {"ffn.shared.act", Part::row, "neurons of the shared expert", "h", kShared,
       "The shared expert's hidden layer after its activation."},
      {"ffn.shared.out", Part::row, "output of the shared expert", "h W_2", kShared,
       "What the expert that works on every token adds."},
      {"ffn.out", Part::row, "feed-forward output", "h W_2", kFeedForward,
       "What the small network adds to each row alone, without looking at other tokens."}};
  return rows;
}

const std::vector<LayerSite>& norm_rows() {
  static const std::vector<LayerSite> rows = {
      {"mean", Part::statistic, "mean", "μ = Σ x / d", kNorm, "The average of the numbers of each row.", true},
      {"rstd", Part::statistic, "1/σ", "1 / σ", kNorm,
       "What each row is multiplied by, so that its numbers are about 1 in size.", true},
      {"out", Part::row, "normalised", "y", kNorm,
       "Each row, brought to a common size: so that no layer drowns the others."}};
  return rows;
}

const std::vector<LayerSite>& input_rows() {
  static const std::vector<LayerSite> rows = {
      {"embed.token", Part::row, "token embedding", "E[id]", kEmbedding,
       "The numbers that stand for each token: they are learned, and do not depend on where it stands."},
      {"embed.position", Part::row, "position", "p", kPosition,
       "The numbers that stand for each place in the text: without them the order would be lost."},
      {"embed.type", Part::row, "kind of sentence", "T[k]", "Devlin et al. 2019, section 3",
       "The numbers that stand for the sentence that a token is of: the first or the second of two."},
      {"embed.projected", Part::row, "projected embedding", "x W + b", "Lan et al. 2020, section 3.1",
       "The embedding, brought to the width of the model."},
      {"embed.out", Part::row, "embedding", "x", kPosition,
       "The token and its place together: what the first layer reads."}};
  return rows;
}

// Where rows stand, and what their axes are there.
struct Where {
  const char* prefix;
  std::vector<Axis> rows;  // empty in a step
  Axis own, source;        // keys of its own text, of the source
};

std::vector<Axis> axes_of(Part part, const Where& where, Axis keys) {
  std::vector<Axis> axes = where.rows;
  if (part == Part::row) axes.push_back(Axis::unit);
  if (part == Part::row_keys || part == Part::heads_keys) axes.push_back(keys);
  if (part == Part::heads) axes.push_back(Axis::unit);
  if (part == Part::slots || part == Part::slot_rows) axes.push_back(Axis::slot);
  if (part == Part::slot_rows) axes.push_back(Axis::unit);
  if (part == Part::heads || part == Part::heads_keys || part == Part::head_rows) axes.insert(axes.begin(), Axis::head);
  if (part == Part::statistic && axes.empty()) axes.push_back(Axis::single);
  return axes;
}

// The names live as long as the program.
class Rows {
 public:
  void add(const Where& where, const std::string& place, const std::vector<LayerSite>& rows, Axis keys) {
    for (const LayerSite& row : rows)
      all.push_back({kept(std::string(where.prefix) + "." + place + row.leaf), axes_of(row.part, where, keys),
                     row.title, row.formula, row.paper, row.help, row.derived});
  }
  std::vector<SiteKind> all;
};

}  // namespace

std::vector<SiteKind> transformer_sites() {
  using enum Axis;
  const Where encoder{"encoder", {source}, source, source}, prompt{"decoder", {source}, source, source},
      step{"decoder.step", {}, key, source};
  Rows rows;
  for (const Where& where : {encoder, prompt, step}) {
    std::vector<LayerSite> inputs = input_rows();
    // Encoders and steps of other models have an embedding, too: its row is theirs.
    if (std::string(where.prefix) != prompt.prefix) inputs.pop_back();
    rows.add(where, "", inputs, where.own);
    rows.add(where, "embed.", {norm_rows()[0], norm_rows()[1]}, where.own);
    rows.add(where, "embed.token_norm.", norm_rows(), where.own);
    rows.add(where, "layer.", layer_rows(), where.own);
    rows.add(where, "layer.self_attn.", attention_rows(), where.own);
    for (const char* norm : {"layer.norm1.", "layer.norm2.", "layer.norm3.", "layer.post_norm1.", "layer.post_norm2.",
                             "layer.post_norm3.", "final_norm."})
      rows.add(where, norm, norm_rows(), where.own);
    rows.add(where, "project.",
             {{"out", Part::row, "projected output", "x W", "Zhang et al. 2022",
               "The last rows, brought to the width of the embeddings, with which they are compared."}},
             where.own);
  }
  rows.add(encoder, "convolution.",
           {{"pre", Part::row, "convolution of neighbours", "[x_{t−(k−1)/2}; …; x_{t+(k−1)/2}] W + b",
             "He et al. 2021, section 5.1", "What each token and its neighbours say together, in front of all layers."},
            {"act", Part::row, "neighbours after the activation", "f(x)", "He et al. 2021, section 5.1",
             "The same after its activation."},
            {"residual", Part::row, "after the convolution", "x + f(x)", "He et al. 2021, section 5.1",
             "What the neighbours say, added to what the first layer found."}},
           source);
  rows.add(encoder, "convolution.norm.", norm_rows(), source);
  for (const Where& where : {prompt, step}) rows.add(where, "layer.cross_attn.", attention_rows(), source);
  for (const Where& where : {encoder, step}) {
    rows.add(where, "head.norm.", norm_rows(), where.own);
    rows.add(where, "head.",
             {{"pre", Part::row, "guess, first half", "x W + b", kHead,
               where.rows.empty() ? "The token's row on its way to the guess of the next word."
                                  : "Each token's row on its way to the guess of the word that stood there."},
              {"act", Part::row, "guess, active", "f(x)", kHead, "The same after its activation."}},
             where.own);
  }
  add_rows(rows.all, "encoder.", {},
           {{"pooled", unit, "pooled vector", "tanh(x_0 W + b)", kHead,
             "What stands for the whole text: the first token's row, through one small layer."},
            {"sentence", unit, "sentence embedding", "x", "Reimers & Gurevych 2019, section 3",
             "One row of numbers for the whole text: two texts that mean the same have rows that point the same way."},
            {"score", unit, "score", "z = x W + b", kHead, "The score that the model gives the text, or the pair."},
            {"follows", unit, "next sentence", "z = x W + b", "Devlin et al. 2019, section 3.1",
             "Whether the second sentence goes on with the first: one number for yes, one for no."}});
  return rows.all;
}

}  // namespace headlight
