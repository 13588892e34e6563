// What the generators of examples share.
#pragma once

#include <string>
#include <utility>
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

// Of texts made of words, where the vocabulary says what was learned.
inline Learned learned_sentences(Learned::Kind kind, std::vector<std::string> examples, std::string beyond) {
  Learned learned;
  learned.kind = kind;
  learned.tries = [examples = std::move(examples)](const std::string&) {
    std::vector<Learned::Text> texts;
    for (const std::string& each : examples)
      if (!each.empty()) texts.push_back({each, {}});
    return texts;
  };
  learned.beyond = [beyond = std::move(beyond)](const std::string&) { return Learned::Text{beyond, {}}; };
  return learned;
}

}  // namespace headlight
