#include "model/decode/choice.h"

#include <algorithm>
#include <cmath>

#include "model/core/budget.h"

namespace headlight {

namespace {

bool is_gone(Scalar score) { return std::isinf(score) && score < 0; }

// Which stage took what away; one that forces a token brings it back.
void mark_fallen(const Tensor& scores, std::vector<std::int8_t>& fell, std::size_t stage) {
  for (Index id = 0; id < scores.size(); ++id) {
    std::int8_t& by = fell[static_cast<std::size_t>(id)];
    if (!is_gone(scores[id]))
      by = -1;
    else if (by < 0)
      by = static_cast<std::int8_t>(stage);
  }
}

}  // namespace

void TokenChoice::check_budget(double count) const {
  double bytes = static_cast<double>(fell.size());
  for (const ChoiceStage& stage : stages)
    bytes += static_cast<double>(stage.ids.size()) * (sizeof(TokenId) + sizeof(double));
  within_budget(bytes * count, budget::kTold,
                "what the stages of " + std::to_string(static_cast<long long>(count)) + " choices leave",
                "ask for a smaller max_new_tokens");
}

const ChoiceStage* TokenChoice::taken_by(TokenId id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= fell.size() || fell[static_cast<std::size_t>(id)] < 0) return nullptr;
  return &stages[static_cast<std::size_t>(fell[static_cast<std::size_t>(id)])];
}

ChoiceStage stage_of(std::string name, const Tensor& scores, std::size_t most) {
  ChoiceStage stage;
  stage.name = std::move(name);
  stage.ids.reserve(static_cast<std::size_t>(scores.size()));
  for (TokenId id = 0; id < scores.size(); ++id)
    if (!is_gone(scores[id])) stage.ids.push_back(id);
  stage.left = static_cast<Index>(stage.ids.size());
  // By falling score, what is no number last, lower ids first among equals.
  const auto before = [&](TokenId a, TokenId b) {
    const Scalar x = scores[a], y = scores[b];
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) == std::isnan(y) ? a < b : std::isnan(y);
    return x != y ? x > y : a < b;
  };
  const auto kept = static_cast<std::ptrdiff_t>(std::min(most, stage.ids.size()));
  std::partial_sort(stage.ids.begin(), stage.ids.begin() + kept, stage.ids.end(), before);
  stage.ids.resize(static_cast<std::size_t>(kept));
  stage.ids.shrink_to_fit();
  const std::vector<double> shares = shares_of(scores);
  for (const TokenId id : stage.ids) stage.probabilities.push_back(shares[static_cast<std::size_t>(id)]);
  return stage;
}

TokenChoice choose_and_tell(Tensor& scores, const ChoosingPlace& place, const ChoosingSettings& settings,
                            std::size_t most) {
  TokenChoice choice;
  choice.fell.assign(static_cast<std::size_t>(scores.size()), -1);
  const auto tell = [&](const char* name, const Tensor& now) {
    mark_fallen(now, choice.fell, choice.stages.size());
    choice.stages.push_back(stage_of(name, now, most));
  };
  tell("logits", scores);
  choose(scores, place, settings, tell);
  choice.chosen = largest_of(scores);
  return choice;
}

}  // namespace headlight
