// A small invented language to translate into.
#pragma once

#include "model/training/task.h"

namespace headlight {

// models.md 8.1: adjectives change places with their noun and agree with it, two words become one, and in clauses the
// verb moves from the end to the middle. The right alignment is known.
Task toy_mt_task();

}  // namespace headlight
