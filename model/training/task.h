// Tasks: generators of examples, with the vocabulary and the shape of their texts. Deterministic, nothing is
// downloaded.
#pragma once

#include <string>
#include <vector>

#include "model/core/random.h"
#include "model/text/vocabulary.h"

namespace headlight {

struct Example {
  std::string source, target;
};

// No source stands in both parts, and none stands twice.
struct TaskData {
  std::vector<Example> train, test;
};

// A row of the registry: what `headlight train NAME` means.
struct Task {
  const char* name;
  const char* title;
  const char* description;          // what the model learns, for a newcomer
  std::vector<std::string> tokens;  // vocabulary of both sides
  Index source_width;               // sources are padded with spaces to this many tokens
  Index target_length;              // every target has this many tokens (padded with spaces)
  const char* bos;                  // starts every target
  std::vector<std::string> examples;
  Example (*draw)(Random& random);
};

const std::vector<Task>& tasks();
const Task& find_task(const std::string& name);  // throws UsageError

inline constexpr std::uint64_t kDataSeed = 1;

// Draws distinct examples until both parts are full; the same seed gives the same data, and the same test part whatever
// the size of the training part. Throws UsageError when the task
// has fewer distinct examples than asked for.
TaskData generate(const Task& task, Index train_size, Index test_size, std::uint64_t seed = kDataSeed);

}  // namespace headlight
