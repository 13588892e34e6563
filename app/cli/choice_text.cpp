#include "app/cli/choice_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/cli/result_json.h"
#include "model/core/json_library.h"

namespace headlight {

Json stage_json(const ChoiceStage& stage) {
  return {{"name", stage.name}, {"ids", stage.ids}, {"probabilities", stage.probabilities}};
}

void print_stage(const ChoiceStage& stage, Index all) {
  constexpr std::size_t kShown = 8;
  const std::size_t shown = std::min(stage.ids.size(), kShown);
  std::printf("%-34s %6lld of %lld:", stage.name.c_str(), static_cast<long long>(stage.left),
              static_cast<long long>(all));
  for (std::size_t i = 0; i < shown; ++i)
    std::printf(" %lld %.4f%s", static_cast<long long>(stage.ids[i]), stage.probabilities[i], i + 1 < shown ? "," : "");
  std::printf("%s\n", stage.left > static_cast<Index>(shown) ? ", …" : "");
}

Json written_json(const WrittenTexts& written) {
  Json json{{"sequences", Json::array()}, {"steps", Json::array()}};
  for (const WrittenTexts::Sequence& sequence : written.sequences)
    json["sequences"].push_back(
        {{"ids", sequence.ids}, {"score", sequence.score ? Json(*sequence.score) : Json(nullptr)}});
  for (const TokenChoice& choice : written.choices) {
    Json step{{"chosen", choice.chosen}};
    if (choice.u >= 0) step["u"] = choice.u;
    step["stages"] = Json::array();
    for (const ChoiceStage& stage : choice.stages) step["stages"].push_back(stage_json(stage));
    json["steps"].push_back(std::move(step));
  }
  if (written.beams) json["beam"] = beam_json(*written.beams, nullptr);
  return json;
}

void print_written(const WrittenTexts& written) {
  for (const WrittenTexts::Sequence& sequence : written.sequences) {
    std::printf("\nsequence");
    for (const TokenId id : sequence.ids) std::printf(" %lld", static_cast<long long>(id));
    if (sequence.score) std::printf(", score %.6f", *sequence.score);
  }
  std::printf("\n");
  for (std::size_t t = 0; t < written.choices.size(); ++t) {
    const TokenChoice& choice = written.choices[t];
    std::printf("\nstep %zu: %lld\n", t + 1, static_cast<long long>(choice.chosen));
    for (const ChoiceStage& stage : choice.stages) print_stage(stage, static_cast<Index>(choice.fell.size()));
  }
}

}  // namespace headlight
