// What stands on the computation map: plain names of groups and values, shapes, and the words of tooltips.
#pragma once

#include <QString>

#include "model/analysis/flow.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

// "Encoder", "Self-attention", "Step 3 (reads 'M') of 29", "attention weights"; the whole model: its own name.
QString map_title(const Trace& trace, const Flow& flow, int node, const TraceLabels& labels, const QString& model);
// "4 × 29 × 29"; of one number "1".
QString shape_words(const Shape& shape);
// What leaves a group: the last of its values that something else needs, else the last that is not for the eye only.
int result_of(const Trace& trace, const Flow& flow, int group);
// Title, site, shape, formula and help of a value; or what a group is, with its size. Plain text.
QString map_help(const Trace& trace, const Flow& flow, int node, const TraceLabels& labels, const QString& model);
// Which of the numbers of a value: "0, 'M'", by tokens where there are any.
QString cell_place(const TraceEntry& entry, Index cell, const TraceLabels& labels);
// A cell's place in words by the axes of its kind, with tokens where there are any, and its number.
QString cell_words(const Trace& trace, int entry, Index cell, const TraceLabels& labels);

}  // namespace headlight
