// What the inspector says of a number: the question that it answers, a sentence that follows from its arithmetic, and
// where it goes.
#pragma once

#include <QString>
#include <vector>

#include "model/trace/trace.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

// "How much ‘1’ looks at ‘o’" of a weight between two tokens, "How well ‘o’ fits what ‘1’ asks for" of its score; of
// another number what it is, with a capital letter.
QString question_of(const Trace& trace, int entry, Index cell, const TraceLabels& labels);

// Of a share, by its own term and those of the others: whether its score is the highest, and what that brings it. Empty
// for other arithmetic, and where no number can be compared.
QString share_sentence(const Explanation& explanation);

// Of a number of heads that share keys and values: which ones do. Empty for others.
QString group_sentence(const Trace& trace, int entry, Index cell);

// The values that are computed from an entry, the nearest first; at most `most`.
std::vector<int> consumers_of(const Trace& trace, int entry, std::size_t most = 2);

}  // namespace headlight
