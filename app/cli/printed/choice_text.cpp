#include "app/cli/printed/choice_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/cli/printed/result_json.h"
#include "app/messages.h"
#include "model/core/errors.h"
#include "model/core/json_library.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/text/pretrained/languages.h"

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

Json output_text(const std::string& folder, const std::vector<TokenId>& written) {
  try {
    // Of models with two tokenizers, the other one.
    return open_tokenizer(folder, true)->decode({written.begin(), written.end()});
  } catch (const FileError&) {
    return nullptr;  // a folder without a tokenizer: the numbers are all that there is
  } catch (const Error& error) {
    warn_line(std::string("the output as numbers only: ") + error.what());
    return nullptr;
  }
}

Json rules_of_language(const std::string& path, const std::string& language, const PretrainedModel& model,
                       const std::vector<TokenId>& ids) {
  if (language.empty()) return nullptr;
  const auto tokenizer = open_tokenizer(path, true);
  const std::vector<std::string> codes =
      pretrained::language_codes(*tokenizer, static_cast<TokenId>(model.vocabulary()));
  if (!std::ranges::count(codes, language)) {
    constexpr std::size_t kNamed = 8;
    std::string known;
    for (std::size_t i = 0; i < std::min(kNamed, codes.size()); ++i) known += (i > 0 ? ", " : "") + codes[i];
    if (codes.size() > kNamed) known += " ...";
    throw UsageError("--target-language: " +
                     (codes.empty() ? std::string("this model's tokenizer has no codes of languages")
                                    : "expected a code like " + known) +
                     ", found '" + language + "'");
  }
  const auto code = static_cast<TokenId>(*tokenizer->find(language));
  const std::string* start = tokenizer->text(model.beginning(ids).front());
  const bool starts = start && pretrained::is_language_code(*start);
  return {{starts ? "decoder_start_token_id" : "forced_bos_token_id", code}};
}

}  // namespace headlight
