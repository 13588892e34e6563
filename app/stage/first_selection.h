// What is selected where the user has not chosen, and what stays selected from one run to the next.
#pragma once

#include "widgets/base/selection.h"

namespace headlight {

struct Result;

// A number to show in every panel: the strongest weight in the middle of the output is a good start. Nothing where
// nothing was recorded or written.
SelectionState first_selection(const Result& result);
// Without what does not exist in this run, which may have a shorter text.
SelectionState fitted(SelectionState state, const Result& result);

}  // namespace headlight
