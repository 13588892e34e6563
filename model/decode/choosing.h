// Choosing the next token, stage by stage, as generate() of transformers 5.24 does it: each stage changes scores or
// takes tokens away (−∞). The order is the library's (_get_logits_processor), with OpenAI's frequency_penalty and
// presence_penalty, which it lacks, behind repetition_penalty. Held against the library by test_choosing.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/core/json.h"
#include "model/core/tensor.h"

namespace headlight {

// In the words of generation_config.json. What is left out does not act.
struct ChoosingSettings {
  std::vector<std::pair<std::vector<TokenId>, double>> sequence_bias;  // added to the last token where the others stand
  double encoder_repetition_penalty = 1, repetition_penalty = 1;
  double frequency_penalty = 0, presence_penalty = 0;  // of new tokens alone
  Index no_repeat_ngram_size = 0, encoder_no_repeat_ngram_size = 0;
  std::vector<std::vector<TokenId>> bad_words_ids;
  Index min_length = 0;  // counts the prompt; does not act where min_new_tokens is given
  std::optional<Index> min_new_tokens;
  std::vector<TokenId> eos_token_id, forced_bos_token_id, forced_eos_token_id;
  bool remove_invalid_values = false;
  std::optional<std::pair<Index, double>> exponential_decay_length_penalty;  // from so many new tokens on, its factor
  std::optional<std::vector<TokenId>> suppress_tokens, begin_suppress_tokens;
  bool do_sample = false;  // the following act only then
  double temperature = 1;  // 0: the largest alone (sampling.h; no file says it)
  std::optional<double> top_h;
  Index top_k = 0;
  bool ties_stay = true;  // of top_k; false: of equals at its end the lower ids stay, until there are k (sampling.h)
  double top_p = 1;
  std::optional<double> min_p;
  double typical_p = 1, epsilon_cutoff = 0, eta_cutoff = 0;
  bool renormalize_logits = false;  // always

  // Reads these keys, and takes the others for somebody else's. Throws FormatError "WHERE: KEY: expected …".
  static ChoosingSettings from_json(const Json& json, const std::string& where);
};

// Where a token is chosen.
struct ChoosingPlace {
  const std::vector<TokenId>& ids;        // all so far
  std::size_t prompt = 0;                 // of them, those that were given
  const std::vector<TokenId>& encoder;    // what an encoder read, of decoders the prompt; may be empty
  std::optional<std::size_t> max_length;  // of all, the prompt counted
};

// Changes scores [V] stage by stage; `after` is told the name of each stage that acts, and the scores behind it.
void choose(Tensor& scores, const ChoosingPlace& place, const ChoosingSettings& settings,
            const std::function<void(const char* stage, const Tensor& scores)>& after = {});
// The names in their order, as `after` gets them.
const std::vector<const char*>& choosing_stages();

// softmax in double; −∞ has no share. +∞ leaves no number.
std::vector<double> shares_of(const Tensor& scores);
// The largest, the lowest id of equals; NaN is never the largest.
TokenId largest_of(const Tensor& scores);

}  // namespace headlight
