// The catalogue of sites: one row for each kind of intermediate value. A new layer adds its rows here.

#include "model/trace/site.h"

namespace headlight {

namespace {
constexpr const char* kLstm = "Hochreiter & Schmidhuber 1997; forget gate: Gers et al. 2000";
constexpr const char* kSutskever = "Sutskever et al. 2014, section 2";
constexpr const char* kLuongDot = "Luong et al. 2015, eq. 8 (dot)";
constexpr const char* kLuongAlign = "Luong et al. 2015, eq. 7";
constexpr const char* kBahdanauContext = "Bahdanau et al. 2015, eq. 5";
}  // namespace

const std::vector<SiteKind>& site_catalogue() {
  using enum Axis;
  static const std::vector<SiteKind> rows = {
      {"input.src.ids", {source}, "source token ids", "", "",
       "Each character of the source as a number: its row in the embedding table, in the order in which the encoder reads."},
      {"input.src.display_index", {source}, "display index", "", "",
       "Where each token that the encoder reads stands in the typed text: pictures use it to undo the reversal.", true},
      {"encoder.embed.out", {source, unit}, "source embeddings", "x_j = E[id_j]", "",
       "Each token becomes a short list of learned numbers, its embedding."},
      {"encoder.step.lstm.pre", {unit}, "LSTM pre-activation", "A = x Wx + h′ Wh + b", kLstm,
       "The input and the previous hidden state, each weighted and added up, before the gates squash them."},
      {"encoder.step.lstm.gate.f", {unit}, "forget gate", "f = σ(A[0:H])", kLstm,
       "How much of the old memory each cell keeps: 0 forgets, 1 keeps."},
      {"encoder.step.lstm.cand.g", {unit}, "candidate", "g = tanh(A[H:2H])", kLstm,
       "The new content that could be written into the memory."},
      {"encoder.step.lstm.gate.i", {unit}, "input gate", "i = σ(A[2H:3H])", kLstm,
       "How much of the new content is written into each cell."},
      {"encoder.step.lstm.gate.o", {unit}, "output gate", "o = σ(A[3H:4H])", kLstm,
       "How much of each cell is shown to the outside."},
      {"encoder.step.lstm.c", {unit}, "cell state", "c = f ⊙ c′ + g ⊙ i", kLstm,
       "The long-term memory after this token."},
      {"encoder.step.lstm.h", {unit}, "hidden state", "h = o ⊙ tanh(c)", kLstm,
       "What the encoder knows after reading this token: the annotation of the token."},
      {"encoder.states", {source, unit}, "encoder states", "hs = [h_0; …; h_{S−1}]", "Bahdanau et al. 2015, section 3.2",
       "All hidden states of the encoder, one row for each token: what attention looks at."},
      {"encoder.bottleneck", {unit}, "bottleneck", "z = h_{S−1}", kSutskever,
       "The single vector into which the whole source has to fit when there is no attention."},
      {"decoder.init.h", {unit}, "initial hidden state", "h_{−1} = h_{S−1} of the encoder", kSutskever,
       "The decoder starts from the last hidden state of the encoder."},
      {"decoder.init.c", {unit}, "initial cell state", "c_{−1} = 0", "",
       "The decoder starts with an empty memory cell."},
      {"decoder.step.input.id", {single}, "input token", "y_{t−1}", "",
       "The token that the decoder wrote last (or the start sign)."},
      {"decoder.step.embed.out", {unit}, "input embedding", "x_t = E[y_{t−1}]", "",
       "The last written token as its learned list of numbers."},
      {"decoder.step.lstm.input", {unit}, "LSTM input", "x = [z ; E[y_{t−1}]]", "Cho et al. 2014, section 2.2",
       "The bottleneck vector, shown again at every step, in front of the embedding."},
      {"decoder.step.lstm.pre", {unit}, "LSTM pre-activation", "A = x Wx + h′ Wh + b", kLstm,
       "The input and the previous hidden state, each weighted and added up, before the gates squash them."},
      {"decoder.step.lstm.gate.f", {unit}, "forget gate", "f = σ(A[0:H])", kLstm,
       "How much of the old memory each cell keeps: 0 forgets, 1 keeps."},
      {"decoder.step.lstm.cand.g", {unit}, "candidate", "g = tanh(A[H:2H])", kLstm,
       "The new content that could be written into the memory."},
      {"decoder.step.lstm.gate.i", {unit}, "input gate", "i = σ(A[2H:3H])", kLstm,
       "How much of the new content is written into each cell."},
      {"decoder.step.lstm.gate.o", {unit}, "output gate", "o = σ(A[3H:4H])", kLstm,
       "How much of each cell is shown to the outside."},
      {"decoder.step.lstm.c", {unit}, "cell state", "c = f ⊙ c′ + g ⊙ i", kLstm,
       "The decoder's long-term memory after this step."},
      {"decoder.step.lstm.h", {unit}, "hidden state", "h_t = o ⊙ tanh(c)", kLstm,
       "What the decoder knows at this step; with attention it is also the question that it asks the source."},
      {"decoder.step.attention.query", {unit}, "query", "q = h_t", kLuongAlign,
       "The question of this step: which source tokens do I need now?"},
      {"decoder.step.attention.scores", {source}, "attention scores", "s_j = q · k_j", kLuongDot,
       "How well each source token fits the question: larger is better, not yet shares of a whole."},
      {"decoder.step.attention.weights", {source}, "attention weights", "a_j = exp(s_j) / Σ_k exp(s_k)", kLuongAlign,
       "The scores turned into shares that add up to 1: where the decoder looks while it writes this token."},
      {"decoder.step.attention.weighted", {source, unit}, "weighted values", "a_j v_j", kBahdanauContext,
       "Each source token's value, scaled by its share.", true},
      {"decoder.step.attention.context", {unit}, "context", "c_t = Σ_j a_j v_j", kBahdanauContext,
       "The weighted average of the values: what attention brings back from the source."},
      {"decoder.step.readout", {unit}, "readout", "r = [c_t ; h_t]", "Luong et al. 2015, eq. 5",
       "What the output is computed from: what was looked up (or the bottleneck) beside what the decoder knows."},
      {"decoder.step.output.logits", {vocabulary}, "logits", "z = r W + b", "",
       "One score for each token that could be written next."},
      {"decoder.step.output.probs", {vocabulary}, "output probabilities", "p = softmax(z)", "",
       "The scores as probabilities: the most probable token is written.", true},
  };
  return rows;
}

}  // namespace headlight
