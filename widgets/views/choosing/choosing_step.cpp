#include "widgets/views/choosing/choosing_step.h"

#include <algorithm>
#include <unordered_map>

#include "model/core/json_library.h"
#include "model/decode/token_chooser.h"

namespace headlight {

namespace {

constexpr std::size_t kTold = 400;  // of each stage, so that what a stage brings up is found in the one before

// By stage, the probabilities of these tokens.
class StageShares {
 public:
  explicit StageShares(const TokenChoice& choice) {
    for (const ChoiceStage& stage : choice.stages) {
      auto& of_stage = shares_.emplace_back();
      for (std::size_t i = 0; i < stage.ids.size(); ++i) of_stage.emplace(stage.ids[i], stage.probabilities[i]);
    }
  }
  double at(std::size_t stage, TokenId id) const {
    const auto found = shares_[stage].find(id);
    return found == shares_[stage].end() ? -1 : found->second;
  }

 private:
  std::vector<std::unordered_map<TokenId, double>> shares_;
};

// The most probable tokens at first and at last, and the one that was written.
std::vector<TokenId> ids_to_show(const TokenChoice& choice) {
  std::vector<TokenId> ids;
  const auto add = [&](TokenId id) {
    if (std::ranges::count(ids, id) == 0) ids.push_back(id);
  };
  for (const ChoiceStage* stage : {&choice.stages.front(), &choice.stages.back()})
    for (std::size_t i = 0; i < std::min(ChosenStep::kRows, stage->ids.size()); ++i) add(stage->ids[i]);
  add(choice.chosen);
  return ids;
}

}  // namespace

int forced_steps(const Result& result) {
  if (!result.target) return 0;
  if (!result.prefix) return static_cast<int>(result.steps.size());
  return static_cast<int>(result.model->text.target.split(*result.target).size());
}

Json keys_asked(const DecodeSettings& decode) {
  if (decode.generation) return **decode.generation;
  const bool draws = decode.kind == DecodeSettings::Kind::sample && decode.sampling.temperature > 0;
  const bool searches = decode.kind == DecodeSettings::Kind::beam;
  Json keys = {{"do_sample", draws}, {"num_beams", searches ? decode.beam.width : 1}};
  if (draws) {
    keys["temperature"] = decode.sampling.temperature;
    keys["top_k"] = decode.sampling.top_k;
    keys["top_p"] = decode.sampling.top_p;
  }
  if (searches) {
    keys["length_penalty"] = decode.beam.length_norm == LengthNorm::none ? 0 : decode.beam.alpha;
    keys["early_stopping"] = decode.beam.stop == BeamStop::first_b;
  }
  return keys;
}

Json keys_in_force(const ModelBundle& model, const DecodeSettings& decode) {
  const bool own_way = !decode.generation && decode.kind != DecodeSettings::Kind::greedy;
  return own_way ? keys_asked(decode) : generation_of(model, decode);
}

std::shared_ptr<const ChosenStep> ChosenStep::of(const std::shared_ptr<const Result>& result, int step) {
  std::optional<TokenChoice> choice = result ? told_choice(*result, step, kTold) : std::nullopt;
  if (!choice || choice->stages.back().ids.empty()) return nullptr;
  auto made = std::make_shared<ChosenStep>();
  made->result = result;
  made->step = step;
  made->choice = std::move(*choice);
  made->forced = step < forced_steps(*result);
  made->said = keys_in_force(*result->model, result->decode);
  const StageShares shares(made->choice);
  const auto stages = made->choice.stages.size();
  for (const TokenId id : ids_to_show(made->choice)) {
    Row row{id, result->model->target_vocabulary().text(id), made->choice.fell[static_cast<std::size_t>(id)], {}};
    for (std::size_t s = 0; s < stages; ++s) row.shares.push_back(shares.at(s, id));
    made->rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(made->rows, std::greater(), [](const Row& row) { return row.shares.front(); });
  for (std::size_t s = 0; s < stages; ++s) {
    Index count = made->choice.stages[s].left;
    double rest = 1;
    for (const Row& row : made->rows) {
      if (row.shares[s] < 0) continue;
      --count;
      rest -= row.shares[s];
    }
    made->others.push_back(std::max<Index>(0, count));
    made->of_them.push_back(count > 0 ? std::max(0.0, rest) : 0);
  }
  return made;
}

int ChosenStep::row_of(TokenId id) const {
  const auto found = std::ranges::find(rows, id, &Row::id);
  return found == rows.end() ? -1 : static_cast<int>(found - rows.begin());
}

double ChosenStep::largest_share() const {
  double largest = 0;
  for (const Row& row : rows)
    for (const double share : row.shares) largest = std::max(largest, share);
  return largest;
}

}  // namespace headlight
