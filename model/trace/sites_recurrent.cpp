// Sites of recurrent encoders and decoders and of their attention.

#include "model/trace/site_rows.h"

namespace headlight {

namespace {

using enum Axis;

constexpr const char* kCellInput = "Cho et al. 2014, section 2.2; Luong et al. 2015, section 3.3";
constexpr const char* kLstm = "Hochreiter & Schmidhuber 1997; forget gate: Gers et al. 2000";
constexpr const char* kGru = "Cho et al. 2014, eq. 5 to 8; Bahdanau et al. 2015, appendix A.1.1";
constexpr const char* kSutskever = "Sutskever et al. 2014, section 2";
constexpr const char* kScore = "Bahdanau et al. 2015, section 3.1; Luong et al. 2015, section 3.1";
constexpr const char* kAlign = "Bahdanau et al. 2015, eq. 6; Luong et al. 2015, eq. 7";
constexpr const char* kLuongLocal = "Luong et al. 2015, section 3.2";
constexpr const char* kBahdanauContext = "Bahdanau et al. 2015, eq. 5";
constexpr const char* kXuHard = "Xu et al. 2015, section 4.1";

// What a cell of any kind reads.
SiteRow input_of(const char* leaf) {
  return {leaf,
          unit,
          "cell input",
          "x",
          kCellInput,
          "What this cell reads at this step: the embedding (or the layer below), and beside it what it is shown of "
          "the source."};
}

// What a cell publishes at one step, wherever the cell stands.
const std::vector<SiteRow>& cell_rows() {
  static const std::vector<SiteRow> rows = {
      input_of("lstm.input"),
      input_of("gru.input"),
      input_of("rnn.input"),
      {"lstm.pre", unit, "LSTM pre-activation", "A = x Wx + h′ Wh + b", kLstm,
       "The input and the previous hidden state, each weighted and added up, before the gates squash them."},
      {"lstm.gate.f", unit, "forget gate", "f = σ(A[0:H])", kLstm,
       "How much of the old memory each cell keeps: 0 forgets, 1 keeps."},
      {"lstm.cand.g", unit, "candidate", "g = tanh(A[H:2H])", kLstm,
       "The new content that could be written into the memory."},
      {"lstm.gate.i", unit, "input gate", "i = σ(A[2H:3H])", kLstm,
       "How much of the new content is written into each cell."},
      {"lstm.gate.o", unit, "output gate", "o = σ(A[3H:4H])", kLstm, "How much of each cell is shown to the outside."},
      {"lstm.c", unit, "cell state", "c = f ⊙ c′ + g ⊙ i", kLstm, "The long-term memory after this step."},
      {"lstm.h", unit, "hidden state", "h = o ⊙ tanh(c)", kLstm,
       "What the network knows after this step; in a decoder with attention it is also the question that it asks the "
       "source."},
      {"gru.gate.z", unit, "update gate", "z = σ(x Wz + h′ Uz + bz)", kGru,
       "How much of each number of the state is renewed: 0 keeps the old, 1 takes the new (in PyTorch's form of the "
       "GRU the other way round)."},
      {"gru.gate.r", unit, "reset gate", "r = σ(x Wr + h′ Ur + br)", kGru,
       "How much of the old state the new content may look at."},
      {"gru.recurrent", unit, "recurrent part", "h′ U + c", kGru,
       "The old state, weighted, before the reset gate (in PyTorch's form of the GRU)."},
      {"gru.reset", unit, "what the reset gate lets through", "r ⊙ h′", kGru,
       "The old state behind the reset gate: zeros mean a fresh start."},
      {"gru.cand", unit, "candidate", "h~ = tanh(x W + (r ⊙ h′) U + b)", kGru,
       "The new content that could replace the old state."},
      {"gru.h", unit, "hidden state", "h = (1 − z) ⊙ h′ + z ⊙ h~", kGru, "What the network knows after this step."},
      {"rnn.pre", unit, "RNN pre-activation", "A = x Wx + h′ Wh + b", "Elman 1990",
       "The input and the previous state, each weighted and added up."},
      {"rnn.h", unit, "hidden state", "h = tanh(A)", "Elman 1990", "What the network knows after this step."},
      {"residual.out", unit, "residual sum", "x^{l+1} = h^l + x^l", "Wu et al. 2016, section 3.1",
       "The layer's output plus its input: a short cut that keeps deep stacks trainable."},
      {"merged", unit, "both directions", "h_j = [h→_j ; h←_j]",
       "Schuster & Paliwal 1997; Bahdanau et al. 2015, section 3.2",
       "What was read up to this token beside what was read from the end back to it."},
  };
  return rows;
}

}  // namespace

std::vector<SiteKind> recurrent_sites() {
  std::vector<SiteKind> sites;
  add_rows(sites, "input.src.", {},
           {{"ids", source, "source token ids", "", "",
             "Each character of the source as a number: its row in the embedding table, in the order in which the "
             "encoder reads."},
            {"display_index", source, "display index", "", "",
             "Where each token that the encoder reads stands in the typed text: pictures use it to undo the reversal.",
             true}});
  add_rows(sites, "encoder.", {source},
           {{"embed.out", unit, "source embeddings", "x_j", "",
             "Each token becomes a short list of learned numbers, its embedding."},
            {"states", unit, "encoder states", "hs = [h_0; …; h_{S−1}]", "Bahdanau et al. 2015, section 3.2",
             "All hidden states of the encoder, one row for each token: what attention looks at."}});
  add_rows(sites, "encoder.", {},
           {{"bottleneck", unit, "bottleneck", "z", kSutskever,
             "The single vector into which the whole source has to fit when there is no attention."},
            {"bottleneck.pre", unit, "bottleneck before the bridge", "[h→_{S−1} ; h←_0]",
             "Bahdanau et al. 2015, appendix A.2.1",
             "What was read in both directions; the bridge makes it fit the decoder."}});
  add_rows(
      sites, "decoder.", {},
      {{"init.mean", unit, "mean of the encoder states", "m = Σ_j h_j / S", "Xu et al. 2015, section 3.1.2",
        "The average of everything that can be looked at; the decoder's first state is made from it."},
       {"init.h", unit, "initial hidden state", "h_{−1}", kSutskever, "What the decoder knows before its first step."},
       {"init.c", unit, "initial cell state", "c_{−1}", "",
        "What is in the memory of the decoder before its first step."},
       {"layer.init.h", unit, "initial hidden state", "h_{−1} of this layer", kSutskever,
        "Each layer of the decoder starts from the last state of the same layer of the encoder."},
       {"layer.init.c", unit, "initial cell state", "c_{−1} of this layer", "",
        "What is in the memory of this layer before the first step."}});
  add_rows(
      sites, "decoder.step.", {},
      {{"input.id", single, "input token", "y_{t−1}", "", "The token that the decoder wrote last (or the start sign)."},
       {"embed.out", unit, "input embedding", "x_t", "", "The last written token as its learned list of numbers."}});
  add_rows(sites, "decoder.attention.", {source},
           {{"keys_proj", unit, "projected keys", "k_j U", "Bahdanau et al. 2015, appendix A.1.2",
             "Each source token's key, weighted once for all steps, ready to be compared with the questions."}});
  add_rows(
      sites, "decoder.step.attention.", {},
      {{"query", unit, "query", "q", kScore, "The question of this step: which source tokens do I need now?"},
       {"query_proj", unit, "projected query", "q W", kScore,
        "The question, weighted so that it can be compared with the keys."},
       {"products", source, "products", "q · k_j", "Vaswani et al. 2017, section 3.2.1",
        "How well each source token fits the question, before the division by the square root of their length."},
       {"beta", single, "sharpness", "β = log(1 + e^b)", "Graves et al. 2014, eq. 5",
        "What the similarities are multiplied by: the larger, the more the attention prefers the best token."},
       {"scores", source, "attention scores", "s_j = score(q, k_j)", kScore,
        "How well each source token fits the question: larger is better, not yet shares of a whole."},
       {"scaled", source, "scores over temperature", "s_j / τ", "",
        "The scores divided by the temperature: above 1 the attention gets softer, below 1 sharper."},
       {"position.hidden", unit, "hidden layer of the centre", "tanh(q W_p)", "Luong et al. 2015, eq. 9",
        "A small network asks the decoder's state where to look."},
       {"position.share", single, "centre as a share", "σ(tanh(q W_p) v_p)", "Luong et al. 2015, eq. 9",
        "Where the window stands, from 0 = the first source token to 1 = the last."},
       {"position", single, "window centre", "p_t", "Luong et al. 2015, eq. 9",
        "Where in the source the decoder expects to look at this step, counted from 0."},
       {"keep", source, "window", "⌊p_t⌋ − D ≤ j ≤ ⌊p_t⌋ + D", kLuongLocal,
        "Which source tokens lie within the window around the centre: 1 may be read, 0 may not."},
       {"align", source, "weights within the window", "a_j = exp(s_j) / Σ_k exp(s_k), k in the window", kLuongLocal,
        "The scores turned into shares, among the tokens of the window only."},
       {"gauss", source, "Gaussian", "exp(−(j − p_t)² / 2σ²)", "Luong et al. 2015, eq. 10",
        "A bell around the centre that favours the tokens close to it."},
       {"weights", source, "attention weights", "a_j", kAlign,
        "The scores turned into shares: where the decoder looks while it writes this token."},
       {"sample.u", single, "draw", "u ~ U[0, 1)", kXuHard, "The random number that decides which token is chosen."},
       {"sample.index", single, "chosen position", "the chosen j", kXuHard,
        "The one source token that hard attention looks at in this step."},
       {"sample.onehot", source, "choice", "1 at the chosen position, else 0", kXuHard,
        "The choice as weights: everything on one token."}});
  add_rows(sites, "decoder.step.attention.", {source},
           {{"weighted", unit, "weighted values", "a_j v_j", kBahdanauContext,
             "Each source token's value, scaled by its share.", true}});
  add_rows(sites, "decoder.step.attention.", {},
           {{"context", unit, "context", "c_t", kBahdanauContext, "What attention brings back from the source."},
            {"gate", single, "selector", "β = σ(s′ w_β + b_β)", "Xu et al. 2015, section 4.2.1",
             "How much the decoder relies on the source at all in this step."},
            {"gated", unit, "gated context", "β c_t", "Xu et al. 2015, section 4.2.1",
             "The context, scaled by the selector."}});
  add_rows(sites, "decoder.step.", {},
           {{"readout", unit, "readout", "r", "Luong et al. 2015, eq. 5",
             "What the output is computed from: what was looked up (or the bottleneck) beside what the decoder knows."},
            {"attentional", unit, "attentional state", "h̃_t = tanh([c_t ; h_t] W_c)", "Luong et al. 2015, eq. 5",
             "What was looked up and what the decoder knows, mixed: the output is computed from it."},
            {"readout.pre", unit, "readout before its function", "x", "Bahdanau et al. 2015, appendix A.2.2",
             "The state, the last token and the context, each weighted and added up."},
            {"readout.maxout", unit, "maxout", "y_k = max(x_{2k}, x_{2k+1})",
             "Goodfellow et al. 2013; Bahdanau et al. 2015, appendix A.2.2",
             "Of each pair of numbers the larger one goes on."},
            {"output.logits", vocabulary, "logits", "z", "", "One score for each token that could be written next."},
            {"output.probs", vocabulary, "output probabilities", "p = softmax(z)", "",
             "The scores as probabilities: the most probable token is written.", true}});
  for (const std::string place :
       {"encoder.step.", "encoder.fwd.step.", "encoder.bwd.step.", "encoder.layer.step.", "encoder.layer.fwd.step.",
        "encoder.layer.bwd.step.", "decoder.step.", "decoder.step.layer."})
    add_rows(sites, place, {}, cell_rows());
  return sites;
}

}  // namespace headlight
