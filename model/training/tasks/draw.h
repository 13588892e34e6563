// What the generators of examples share.
#pragma once

#include <vector>

#include "model/core/random.h"
#include "model/training/tasks/task.h"

namespace headlight {

template <class T>
const T& pick(const std::vector<T>& items, Random& random) {
  return items[random.below(static_cast<std::uint32_t>(items.size()))];
}

// True in this share of the draws.
inline bool chance(double share, Random& random) { return random.uniform() < share; }

// Examples that are only tested: a set for each of these lengths, distances, ... by which the task is grouped.
template <class Draw>
void test_outside(Task& task, const std::vector<int>& sizes, Draw draw) {
  for (const int size : sizes)
    task.outside.push_back(
        {task.grouped_by + "-" + std::to_string(size), [draw, size](Random& random) { return draw(random, size); }});
}

}  // namespace headlight
