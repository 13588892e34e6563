// Texts in a small English for models of a language: going on with a text, and finding hidden words.
#pragma once

#include "model/training/task.h"

namespace headlight {

// The source is empty (its start sign alone), the target a text of two to four sentences with its end sign.
Task story_task();
// The source is a text of one or two sentences of which some words are hidden, the target the text; only the chosen
// places count (Devlin et al. 2019, section 3.1: 15 % of the words, 80 % of those [MASK], 10 % another word, 10 % as
// they are).
Task masked_task();

}  // namespace headlight
