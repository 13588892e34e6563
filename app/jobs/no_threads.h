// headlight --no-threads: what else has a thread runs on that of the window (model/core/slices.h).
#pragma once

namespace headlight {

// From here on, for good; with an application, before it has a window.
void compute_without_threads();

}  // namespace headlight
