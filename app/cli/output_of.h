// What a model of another library writes: its text, and the language that it is asked for.
#pragma once

#include <string>
#include <vector>

#include "model/core/json_library.h"
#include "model/io/formats/pretrained/pretrained_models.h"

namespace headlight {

// What numbers spell, without special tokens; null where nothing can say that.
Json output_text(const std::string& folder, const std::vector<TokenId>& written);

// What generation_config.json would have to say for this language, by its code: the token that the output begins with,
// or that stands in front of it; null for an empty one. Throws UsageError where the tokenizer does not have it.
Json rules_of_language(const std::string& path, const std::string& language, const PretrainedModel& model,
                       const std::vector<TokenId>& ids);

}  // namespace headlight
