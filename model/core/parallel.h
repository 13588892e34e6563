// The threads of the process: one for each core, made at the first use, asleep when there is nothing to do.
//
// Two kinds of work share them. A training hands out the parts of a batch, and every op inside a part stays on its
// thread. A single large op (a product of a forward pass) hands out pieces of its own output.
#pragma once

#include <functional>

#include "model/core/scalar.h"

namespace headlight {

// From now on the calling thread, and whatever it hands out, takes the cores that nobody else wants: with a lower
// priority, and with threads of its own, so that a large op elsewhere has not to wait for a part of it. Of a training
// behind a window; it cannot be taken back.
void work_behind();

// How many threads there are, the calling one among them.
int thread_count();

// Calls work(part) for every part in [0, parts), each once, on all threads, and waits for all; waits for its turn when
// another caller has the threads. The first exception is thrown on.
void parallel_parts(int parts, const std::function<void(int part)>& work);

// Cuts [0, count) into pieces of `grain` (the last may be shorter) and calls work(begin, end) for each, on all threads.
// It is one call in this thread when that is as good or the only way: count <= grain, inside work that is parallel
// already, while another caller has the threads, or while other programs have the cores. So the cut must not change
// what is computed.
void parallel_pieces(Index count, Index grain, const std::function<void(Index begin, Index end)>& work);
template <class F>
void parallel_for(Index count, Index grain, const F& work) {
  if (count > grain) return parallel_pieces(count, grain, std::cref(work));
  if (count > 0) work(Index{0}, count);
}

// The grain for `count` items of `cost` each (numbers touched, or so): at most one piece for each thread, each worth
// handing over, in multiples of `step`.
Index grain_for(Index count, Index cost, Index step = 1);

}  // namespace headlight
