// The keys of a file of golden values (analysis.md 10), computed by this program.
#pragma once

#include <string>

#include "model/core/cancel.h"

namespace headlight {

// Reads ids, target, rows, texts and what replaces tokens from `inputs` (the .json beside the golden .npz) and writes
// the arrays that it asks for to `dump`. Throws Error.
void dump_golden(const std::string& model, const std::string& inputs, const std::string& dump,
                 const CancelToken& cancel);

}  // namespace headlight
