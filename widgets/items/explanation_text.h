// Explanations in words and in NumPy.
#pragma once

#include <QString>

#include "model/core/graph.h"

namespace headlight {

// The last line of the arithmetic: "σ(1.234) = 0.7746", "exp(−0.2) / 1.234 = 0.6634", "0.5 × 0.3 + 0.1 = 0.25".
QString result_line(const Explanation& explanation);
// One Python expression that computes the number from its factors; `np` is NumPy.
QString numpy_expression(const Explanation& explanation);

}  // namespace headlight
