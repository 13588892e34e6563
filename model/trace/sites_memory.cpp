// Sites of models with an external memory.

#include "model/trace/site_rows.h"

namespace headlight {

namespace {

using enum Axis;

constexpr const char* kContent = "Graves et al. 2014, eq. 5";
constexpr const char* kController = "Graves et al. 2014, section 3.4";
constexpr const char* kMemoryHeads = "Graves et al. 2014, section 3.3";

// What both kinds of heads publish at one step.
std::vector<SiteRow> addressing_rows() {
  return {
      {"pre", unit, "what the head is told", "h W + b", kMemoryHeads,
       "The numbers that the controller sends to this head; squashed one by one they become its key, strength, gate, "
       "shift and sharpness."},
      {"key", unit, "key", "k", kContent, "What the head is looking for: slots that hold something like it."},
      {"beta", single, "key strength", "β = softplus(h W_β + b_β)", kContent,
       "How strict the search by content is: the larger, the more the best slot wins over the others."},
      {"gate", single, "interpolation gate", "g = σ(h W_g + b_g)", "Graves et al. 2014, eq. 7",
       "Whether to search anew: 1 goes by content, 0 starts from the place where the head was at the last step."},
      {"shift", unit, "shift weights", "s = softmax(h W_s + b_s)", "Graves et al. 2014, eq. 8",
       "Three shares: how much the head moves one slot back, stays, or moves one slot on."},
      {"gamma", single, "sharpening", "γ = 1 + softplus(h W_γ + b_γ)", "Graves et al. 2014, eq. 9",
       "How much the place is sharpened after the shift, which blurs it: 1 leaves it as it is."},
      {"similarity", slot, "similarity", "K_i = k · M(i) / (‖k‖ ‖M(i)‖)", "Graves et al. 2014, eq. 6",
       "How well each slot of the memory agrees with the key: 1 is the same direction, −1 the opposite."},
      {"w_content", slot, "weighting by content", "w_c = softmax(β K)", kContent,
       "Where the head would look by content alone: shares of the slots that add up to 1."},
      {"w_gated", slot, "gated weighting", "w_g = g w_c + (1 − g) w′", "Graves et al. 2014, eq. 7",
       "The mixture of what was found by content and where the head was before."},
      {"w_shifted", slot, "shifted weighting", "w̃(i) = s(−1) w_g(i+1) + s(0) w_g(i) + s(+1) w_g(i−1)",
       "Graves et al. 2014, eq. 8", "The mixture, moved along the slots; the last slot is followed by the first."},
      {"w", slot, "weighting", "w(i) = w̃(i)^γ / Σ_k w̃(k)^γ", "Graves et al. 2014, eq. 9",
       "Where the head is at this step: how much it reads from, or writes to, each slot."},
  };
}

std::vector<SiteRow> reading_rows() {
  return {{"vector", unit, "read vector", "r = Σ_i w(i) M(i)", "Graves et al. 2014, eq. 2",
           "What the head brings back: the slots, averaged with its weighting."}};
}

std::vector<SiteRow> writing_rows() {
  return {
      {"erase", unit, "erase vector", "e = σ(h W_e + b_e)", "Graves et al. 2014, eq. 3",
       "Which numbers of a slot are wiped out before something new is added: 1 wipes, 0 keeps."},
      {"add", unit, "add vector", "a", "Graves et al. 2014, eq. 4",
       "What is written: it is added to each slot as far as the weighting points there."},
  };
}

std::vector<SiteRow> memory_rows() {
  return {{"M", unit, "memory", "M(i) = M′(i) ⊙ (1 − w(i) e) + w(i) a", "Graves et al. 2014, eq. 3 and 4",
           "The whole memory after this write, one row for each slot."}};
}

std::vector<SiteRow> controller_rows() {
  return {
      {"controller.input", unit, "controller input", "[x_t ; r_{t−1}]", kController,
       "What the controller is given: the bits of the token, the delimiter's channel, and what was read last."},
      {"controller.h", unit, "controller state", "h = tanh([x_t ; r_{t−1}] W + b)", kController,
       "What the controller makes of its input; it remembers nothing itself, so all it knows of earlier steps is in "
       "the memory."},
  };
}

}  // namespace

std::vector<SiteKind> memory_sites() {
  std::vector<SiteKind> all;
  add_rows(
      all, "encoder.", {source},
      {{"channels", unit, "input bits", "x_j = [bits of id_j ; 0]", "Graves et al. 2014, section 4.1",
        "Each token as the bits of its number; the last channel is 1 only at the delimiter that ends the source."}});
  add_rows(all, "memory.head.", {},
           {{"read.w_start", slot, "first reading weighting", "w_0", kMemoryHeads,
             "Where the reading head stands before the first step."},
            {"write.w_start", slot, "first writing weighting", "w_0", kMemoryHeads,
             "Where the writing head stands before the first step."}});
  add_rows(
      all, "decoder.step.", {},
      {{"memory.origin", source, "origin of the read",
        "‖r_j‖ / Σ_k ‖r_k‖, r_j = Σ_i w(i) w_j(i) a_j Π_{k>j} (1 − w_k(i) e_k), k over all steps and the first content",
        "",
        "How much of what the first head read was written while the machine was at each source token; the rest was "
        "there before, or was written later. Many machines read one step ahead: what is read now is the next token.",
        true},
       {"output.readout", unit, "readout", "[h_t ; r_t]", kController,
        "What the output is computed from: the controller's state beside what the heads read at this step."},
       {"output.bits", unit, "bit scores", "z = [h_t ; r_t] W + b", "Graves et al. 2014, section 4.1",
        "One score for each bit of the token to write: above 0 the bit is more likely 1 than 0."},
       {"output.bit_probs", unit, "bit probabilities", "σ(z)", "Graves et al. 2014, section 4.1",
        "How likely each bit is 1; a token's probability is the product over its bits.", true}});
  for (const std::string phase : {"encoder.step.", "decoder.step."}) {
    const std::string read = phase + "memory.head.read.", write = phase + "memory.head.write.";
    add_rows(all, phase, {}, controller_rows());
    add_rows(all, read, {}, addressing_rows());
    add_rows(all, write, {}, addressing_rows());
    add_rows(all, read, {}, reading_rows());
    add_rows(all, write, {}, writing_rows());
    add_rows(all, write, {slot}, memory_rows());
  }
  return all;
}

}  // namespace headlight
