// What-if edits in plain words: "step 3 may not look at ‘cat’".
#pragma once

#include <QString>

#include "model/decode/run.h"

namespace headlight {

// Tokens and steps are named by the result, where it has them; null: by their numbers.
QString edit_in_words(const Intervention& edit, const Result* result);

}  // namespace headlight
