// What a newcomer sees selected.
#pragma once

#include "widgets/base/selection.h"

namespace headlight {

struct Result;

// A number to show in every panel: the strongest weight in the middle of the output is a good start. Nothing where
// nothing was recorded or written.
SelectionState first_selection(const Result& result);

}  // namespace headlight
