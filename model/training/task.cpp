#include "model/training/task.h"

#include <unordered_set>

#include "model/core/errors.h"
#include "model/training/addition.h"
#include "model/training/dates.h"

namespace headlight {

const std::vector<Task>& tasks() {
  static const std::vector<Task> rows = {date_task(), wide_date_task(), addition_task()};
  return rows;
}

const Task& find_task(const std::string& name) {
  std::string known;
  for (const Task& row : tasks()) {
    if (row.name == name) return row;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  throw UsageError("there is no task '" + name + "'; known: " + known);
}

TaskData generate(const Task& task, Index train_size, Index test_size, std::uint64_t seed) {
  Random random(seed, Random::Stream::data, 0xda7a);  // apart from the shuffles of the epochs
  std::unordered_set<std::string> seen;
  TaskData data;
  const Index wanted = train_size + test_size;
  const auto full = [](const std::vector<Example>& part, Index size) {
    return static_cast<Index>(part.size()) >= size;
  };
  for (Index repeats = 0; !full(data.train, train_size) || !full(data.test, test_size);) {
    Example example = task.draw(random);
    if (!seen.insert(example.source).second) {
      if (++repeats > 50 * wanted)
        throw UsageError("the task '" + std::string(task.name) + "' has only about " + std::to_string(seen.size()) +
                         " distinct examples; ask for fewer than " + std::to_string(wanted));
      continue;
    }
    // Every tenth distinct input is held out, for ever: whatever the sizes, no test input was trained on. Spread like
    // this, the rare short inputs, which run out early, are in both parts.
    const bool held_out = seen.size() % 10 == 0;
    std::vector<Example>& part = held_out ? data.test : data.train;
    if (!full(part, held_out ? test_size : train_size)) part.push_back(std::move(example));
  }
  return data;
}

}  // namespace headlight
