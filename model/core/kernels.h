// Which kernels OpenBLAS multiplies with. On a processor that it does not know it takes those of the oldest one,
// without vector instructions of today: products then take three to ten times as long.
#pragma once

#include <string>

namespace headlight {

// What the processor can, of what kernels of OpenBLAS need.
struct VectorInstructions {
  bool avx2 = false;    // with FMA
  bool avx512 = false;  // F, DQ, BW and VL
};
VectorInstructions vector_instructions();

// The kernels that OpenBLAS uses, by its own name for them: "Haswell", "Prescott". Without it (HEADLIGHT_OPENBLAS=OFF)
// all products are those of this core and of Eigen, as compiled.
std::string product_kernels();

// The bytes of a register that products of this core are compiled for.
int register_bytes();

// Those to ask for in their place, by what the library says of itself and by the processor's flags; empty: they are
// right.
std::string better_kernels(const std::string& used, const VectorInstructions& processor);

// Where the library has chosen such kernels, begins the program again with better ones: it chooses once, when it is
// loaded, and reads OPENBLAS_CORETYPE then. Does nothing where that is set already: somebody wants it so, or this is
// the second time. (With HEADLIGHT_CHOOSE_KERNELS it is taken for what the library chose: a test pretends to be such a
// machine.) To be called first in main().
void use_better_kernels(char** arguments);

}  // namespace headlight
