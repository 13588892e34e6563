// The scalar type of the core, and the integer types at its borders.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headlight {

// The shipped core computes in float32. The same sources build once more with HEADLIGHT_DOUBLE for gradient checks and
// for parity with references in double precision.
// Tests whose file names end in _double.cpp link that one.
#ifdef HEADLIGHT_DOUBLE
using Scalar = double;
#else
using Scalar = float;
#endif

using Index = std::ptrdiff_t;  // sizes and positions, as in Eigen
using TokenId = std::int32_t;

}  // namespace headlight
