// The two senses of a word, told apart by another word at a distance.
#pragma once

#include "model/training/task.h"

namespace headlight {

// models.md 8.1: "bank" with a cue at distance 1-12, tested outside on 13-16.
Task bank_task();

}  // namespace headlight
