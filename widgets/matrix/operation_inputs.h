// What a step of the computation shows beside its result: where it came from, and the same value at earlier steps.
#pragma once

#include <string>
#include <vector>

#include "model/trace/trace.h"
#include "widgets/matrix/tensor_view.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

// Entries that `entry` was computed from, in the order of the arithmetic; parameters are left out.
std::vector<int> inputs_of(const Trace& trace, int entry);
// Names of the parameters that it was computed with.
std::vector<std::string> parameters_of(const Trace& trace, int entry);
// The earlier entry that has the same numbers under another name (the query is the hidden state), or -1.
int alias_of(const Trace& trace, int entry);
// What the entry was computed by; of an edited one, what had computed it before the edit. Null for inputs.
const Op* operation_before_edit(const Trace& trace, int entry);
// How many attention rows exist once `entry` was computed.
int attention_rows(const Trace& trace, int entry);

// A trace entry, ready to be shown.
TensorContent tensor_content(const Trace& trace, int entry, const TraceLabels& labels);

// The values of one kind of site at all steps as one matrix [steps x n].
struct SiteHistory {
  TensorContent content;
  std::vector<int> entries;  // by row
  bool empty() const { return entries.empty(); }
};
// Empty for sites that do not belong to a step or are no vectors.
SiteHistory site_history(const Trace& trace, int entry, const TraceLabels& labels);

}  // namespace headlight
