// The choice of one token, ready to be drawn: the most probable tokens and all that are of interest, with what each
// stage left of them.
#pragma once

#include <memory>
#include <vector>

#include "model/core/json.h"
#include "model/decode/run.h"

namespace headlight {

struct ChosenStep {
  static constexpr std::size_t kRows = 24;

  struct Row {
    TokenId id = 0;
    std::string text;
    int fell = -1;               // the stage that took it away; −1: it was left
    std::vector<double> shares;  // by stage; negative: it is not there any more
  };
  std::shared_ptr<const Result> result;
  int step = 0;
  TokenChoice choice;
  std::vector<Row> rows;        // by falling probability of the model itself
  std::vector<Index> others;    // by stage: tokens that are left and have no row
  std::vector<double> of_them;  // their probability, together
  SharedJson said;              // the keys of generation_config.json that acted
  bool forced = false;          // it was said what comes here

  // Nothing where the run has no such step, or its logits are not recorded.
  static std::shared_ptr<const ChosenStep> of(const std::shared_ptr<const Result>& result, int step);

  int stages() const { return static_cast<int>(choice.stages.size()); }
  const ChoiceStage& stage(int at) const { return choice.stages[static_cast<std::size_t>(at)]; }
  int row_of(TokenId id) const;  // -1: none
  int chosen_row() const { return row_of(choice.chosen); }
  double largest_share() const;                                               // of all rows and stages
  TokenId most_probable() const { return choice.stages.back().ids.front(); }  // of what is left
};

// How many tokens of a run were said beforehand.
int forced_steps(const Result& result);
// What a model chooses by, in the keys of generation_config.json, and what is asked of it in them: of a way of decoding
// that says it otherwise, the same.
Json keys_in_force(const ModelBundle& model, const DecodeSettings& decode);
Json keys_asked(const DecodeSettings& decode);

}  // namespace headlight
