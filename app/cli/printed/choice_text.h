// How tokens were chosen, as 'headlight choose' and 'headlight run --choose' print it; what they spell, and in which
// language.
#pragma once

#include <string>
#include <vector>

#include "model/core/json_library.h"
#include "model/decode/writing.h"
#include "model/io/formats/pretrained/pretrained_models.h"

namespace headlight {

// {"name", "ids", "probabilities"}: the tokens that are left, the most probable first.
Json stage_json(const ChoiceStage& stage);
// A line with the first of them; `all` tokens there are.
void print_stage(const ChoiceStage& stage, Index all);

// {"sequences", "steps", "beam"}
Json written_json(const WrittenTexts& written);
void print_written(const WrittenTexts& written);

// What numbers spell, without special tokens; null where nothing can say that.
Json output_text(const std::string& folder, const std::vector<TokenId>& written);

// What generation_config.json would have to say for this language, by its code: the token that the output begins with,
// or that stands in front of it; null for an empty one. Throws UsageError where the tokenizer does not have it.
Json rules_of_language(const std::string& path, const std::string& language, const PretrainedModel& model,
                       const std::vector<TokenId>& ids);

}  // namespace headlight
