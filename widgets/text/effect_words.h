// What a change made of a run, in a sentence that follows from both: of its output and how sure it is, of its
// embedding, of its score, or of the states of its words.
#pragma once

#include <QString>

#include "model/decode/run.h"

namespace headlight {

// "The output stays the same, 99.8 % → 60.1 % sure."; `before` read the same text without the change.
QString effect_words(const Result& before, const Result& now);

}  // namespace headlight
