// How a model writes on greedily, by generation_config.json: which tokens may not come, which have to. The order is
// that of transformers 5.24 (_get_logits_processor):
//   1. sequence_bias
//   2. encoder_repetition_penalty
//   3. repetition_penalty
//   4. no_repeat_ngram_size
//   5. encoder_no_repeat_ngram_size
//   6. bad_words_ids
//   7. min_length, min_new_tokens
//   8. forced_bos_token_id
//   9. forced_eos_token_id
//   10. exponential_decay_length_penalty
//   11. suppress_tokens
//   12. begin_suppress_tokens
//   13. the largest logit, the first of equals
// The library has guidance_scale in front of 1 (refused here), remove_invalid_values behind 9 (does not act here), and
// sampling behind 12 (decode/sampling.h).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/core/tensor.h"
#include "model/io/json_file.h"

namespace headlight::families {

// Whether this key of a configuration is about writing: keys of generation_config.json may stand in config.json too.
bool is_of_generation(const std::string& key);

class Generation {
 public:
  Generation() = default;
  // `own` is generation_config.json, or null: then `config`, config.json, may have its keys.
  Generation(const Json& config, const Json& own);

  // Why it cannot be obeyed: "generation_config.json: KEY is not implemented"; empty: it can.
  const std::string& problem() const { return problem_; }
  // The token in front of what an encoder-decoder writes; −1: none is given.
  TokenId start() const { return start_; }
  bool is_end(TokenId id) const { return ends_.count(id) > 0; }
  // The first of the end marks; none where the model has none.
  std::optional<TokenId> end() const { return ends_.empty() ? std::nullopt : std::optional(*ends_.begin()); }

  // The choice among logits [V]: the most probable token that the rules allow. `ids` is all that stands in front of it,
  // `prompt` of them were given, `source` is what an encoder read (empty: none), `count` tokens are written at most.
  TokenId next(Tensor logits, const std::vector<TokenId>& ids, std::size_t prompt, const std::vector<TokenId>& source,
               std::size_t count) const;

 private:
  TokenId start_ = -1;
  std::set<TokenId> ends_;
  double repetition_penalty_ = 1, encoder_repetition_penalty_ = 1;
  std::size_t ngram_ = 0, encoder_ngram_ = 0, least_length_ = 0, least_new_ = 0;
  std::vector<std::vector<TokenId>> bad_words_;
  std::vector<std::pair<std::vector<TokenId>, double>> biases_;  // of the last token of each
  double decay_ = 1;  // each token more makes the end mark this much likelier
  std::size_t decay_begins_ = 0;
  std::vector<TokenId> suppressed_, suppressed_first_, forced_first_, forced_last_;
  std::string problem_;
};

}  // namespace headlight::families
