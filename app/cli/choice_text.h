// How tokens were chosen, as 'headlight choose' and 'headlight run --choose' print it.
#pragma once

#include "model/core/json.h"
#include "model/decode/writing.h"

namespace headlight {

// {"name", "ids", "probabilities"}: the tokens that are left, the most probable first.
Json stage_json(const ChoiceStage& stage);
// A line with the first of them; `all` tokens there are.
void print_stage(const ChoiceStage& stage, Index all);

// {"sequences", "steps", "beam"}
Json written_json(const WrittenTexts& written);
void print_written(const WrittenTexts& written);

}  // namespace headlight
