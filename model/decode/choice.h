// What became of the tokens when one was chosen: who was left behind each stage, who fell where, and how probable the
// rest was then. What a picture of choosing shows, and what 'run --choose' and 'choose' print.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "model/decode/choosing.h"

namespace headlight {

struct ChoiceStage {
  std::string name;                   // "logits", then those of choosing_stages() that act
  Index left = 0;                     // tokens
  std::vector<TokenId> ids;           // of these, the most probable first; as many as were asked for
  std::vector<double> probabilities;  // theirs, of all that are left
};

struct TokenChoice {
  std::vector<ChoiceStage> stages;
  std::vector<std::int8_t> fell;  // [V] the stage that took the token away, −1: it was left; 0: it had no logit
  TokenId chosen = 0;
  double u = -1;  // the number that was drawn; −1: none was

  // Throws BudgetError where so many like this one would take too much memory.
  void check_budget(double count) const;
  // The stage that took a token away; null where none did.
  const ChoiceStage* taken_by(TokenId id) const;
};

// Everything that is left.
inline constexpr std::size_t kAllLeft = std::numeric_limits<std::size_t>::max();

// What is left of these scores, at most so many in `ids`.
ChoiceStage stage_of(std::string name, const Tensor& scores, std::size_t most = kAllLeft);
// choose(), and what it did. `chosen` is the most probable token.
TokenChoice choose_and_tell(Tensor& scores, const ChoosingPlace& place, const ChoosingSettings& settings,
                            std::size_t most = kAllLeft);

}  // namespace headlight
