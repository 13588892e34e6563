// Explanations in words and in NumPy.
#pragma once

#include <QString>

#include "model/trace/trace.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

// The last line of the arithmetic: "σ(1.234) = 0.7746", "exp(−0.2) / 1.234 = 0.6634", "0.5 × 0.3 + 0.1 = 0.25".
QString result_line(const Explanation& explanation);
// One Python expression that computes the number from its factors; `np` is NumPy.
QString numpy_expression(const Explanation& explanation);

// Where a number comes from, as short as it can be told: "o · scores[1]", "step 4 · h[17]", "lstm.Wx[5, 17]". Names of
// tokens where they are known; without the parts of the site that say what the number is for. Of a text that the model
// reads in another order, its place in the text in stead of its index: "o, place 2 · scores".
QString short_place(const Location& at, const Trace& trace, const TraceLabels& labels);
// Whether the term is exactly the product of its two cells.
bool is_product(const Term& term);

}  // namespace headlight
