// 'headlight compare' of two models of other libraries on one text: two quantisations of one model, say.
#pragma once

#include "app/cli/command_line.h"

namespace headlight {

// Prints which tensors differ and, where the command names a text, how far the two go apart on it: as text or JSON.
// Throws Error.
void print_difference(const CompareCommand& command);

}  // namespace headlight
