// English sentences and their French translations, from a grammar of our own.
#pragma once

#include "model/training/task.h"

namespace headlight {

// Order and agreement of adjectives, elision, negation, pronouns before the verb, the passive, dates: what makes
// alignments cross, as in "the european economic area" -> "la zone économique européenne" (Bahdanau et al. 2015, figure
// 3). The right alignment is known.
Task grammar_task();

}  // namespace headlight
