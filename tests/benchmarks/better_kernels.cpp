// Every benchmark measures what a person gets: the program begins again where OpenBLAS does not know the processor
// (model/core/kernels.h), and so does this, before main().
#include "model/core/kernels.h"

namespace {

__attribute__((constructor)) void begin_with_better_kernels(int, char** arguments) {
  headlight::use_better_kernels(arguments);
}

}  // namespace
