// Sites of convolutional sequence-to-sequence models.

#include "model/trace/site_rows.h"

namespace headlight {

namespace {

using enum Axis;

constexpr const char* kBlock = "Gehring et al. 2017, section 3.2";
constexpr const char* kAttention = "Gehring et al. 2017, section 3.3";
constexpr const char* kScaling = "Gehring et al. 2017, section 3.5";
constexpr const char* kGate = "Dauphin et al. 2017, eq. 1";

// How a layer decides what of its convolution gets through.
std::vector<SiteRow> gate_rows() {
  return {{"a", unit, "content", "A = the first half of the convolution", kGate,
           "What the window has to say, before it is decided how much of it gets through."},
          {"b", unit, "gate input", "B = the second half of the convolution", kGate,
           "What decides about the content: large numbers will open the gate, negative ones will close it."},
          {"gate", unit, "gate", "σ(B)", kGate,
           "How much of the content gets through: 0 holds it back, 1 lets all of it pass."}};
}

}  // namespace

std::vector<SiteKind> conv_sites() {
  std::vector<SiteKind> sites;
  add_rows(sites, "encoder.", {source},
           {{"in_proj.out", unit, "encoder input", "x = e W + b", kBlock,
             "Each token's embedding, turned into as many numbers as the layers work with."},
            {"layer.conv.pre", unit, "convolution", "[A B]_j = [x_{j−(k−1)/2}; …; x_{j+(k−1)/2}] W + b", kBlock,
             "At every token one small window is weighed: the token itself and its neighbours on both sides, with the "
             "same weights everywhere."}});
  add_rows(sites, "encoder.layer.glu.", {source}, gate_rows());
  add_rows(
      sites, "encoder.", {source},
      {{"layer.glu.out", unit, "gated output", "A ⊙ σ(B)", kGate, "The content that came through the gate."},
       {"layer.out", unit, "layer output", "y = (A ⊙ σ(B) + x) √½", kScaling,
        "What the layer found, added to what it was given: each layer sees two neighbours more on its way down (with "
        "windows of three)."},
       {"keys", unit, "keys", "z = y W + b", "Gehring et al. 2017, eq. 1",
        "How each source token describes itself to the decoder, its neighbours taken into account: questions are "
        "compared with this."},
       {"values", unit, "values", "v = (z + e) √½", "Gehring et al. 2017, eq. 2 and section 3.5",
        "What each source token hands over when the decoder looks at it: its description and its own embedding."}});
  add_rows(sites, "decoder.step.", {},
           {{"in_proj.out", unit, "decoder input", "x_t = g_t W + b", kBlock,
             "The embedding of the last written token, turned into as many numbers as the layers work with."},
            {"layer.conv.pre", unit, "convolution", "[A B]_t = [x_{t−k+1}; …; x_t] W + b", kBlock,
             "A small window is weighed: this position and the ones before it, never what is still to be written."}});
  add_rows(sites, "decoder.step.layer.glu.", {}, gate_rows());
  add_rows(
      sites, "decoder.step.", {},
      {{"layer.glu.out", unit, "gated output", "h = A ⊙ σ(B)", kGate,
        "The content that came through the gate: what this layer knows about the text so far."},
       {"layer.attn.query", unit, "query", "d = (h W + b + g) √½", "Gehring et al. 2017, eq. 1 and section 3.5",
        "The question of this layer: what it knows so far, together with the last written token."},
       {"layer.attn.scores", source, "attention scores", "s_j = d · z_j", kAttention,
        "How well each source token fits the question: larger is better, not yet shares of a whole."},
       {"layer.attn.weights", source, "attention weights", "a_j = exp(s_j) / Σ_k exp(s_k)", kAttention,
        "The scores turned into shares that add up to 1: where this layer looks while this token is written."},
       {"layer.attn.context", unit, "context", "c = m √(1/m) Σ_j a_j v_j", "Gehring et al. 2017, eq. 2 and section 3.5",
        "The weighted average of the values, made larger for longer sources (m is the number of source tokens): what "
        "this layer brings back."},
       {"layer.attn.out", unit, "attended output", "(c W + b + h) √½", kScaling,
        "What was looked up, added to what the layer knew before it asked."},
       {"layer.out", unit, "layer output", "y = (h′ + x) √½, h′ with what was looked up", kScaling,
        "The result of the layer, added to what it was given: the next layer goes on from here, and asks again."},
       {"attn_mean", source, "mean attention", "Σ_l a_{lj} / L", "",
        "The attention weights of several layers or heads, averaged: one picture of where the decoder looks.", true},
       {"out_proj.out", unit, "readout", "r = y W + b", kAttention,
        "What the output is computed from: the result of the last layer."}});
  return sites;
}

}  // namespace headlight
