#include "model/training/tasks/task.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "model/core/errors.h"
#include "model/text/nearest.h"
#include "model/training/tasks/own/pairs.h"
#include "model/training/tasks/own/text_task.h"

namespace headlight {

// The rows of the table below, each in a file of its own.
Task date_task(), wide_date_task(), addition_task(), copy_task(), reverse_task(), sort_task(), toy_mt_task(),
    grammar_task(), bank_task(), glimpse_task(), bits_copy_task(), bits_copy_8_task(), repeat_copy_task(),
    assoc_recall_task(), story_task(), masked_task(), class_task();

namespace {

// A task of somebody's own files, and what it takes where nothing is said.
struct FileTask {
  const char* name;
  std::shared_ptr<const Task> (*make)(const FileOptions& options);
  TokenizerKind tokenizer;
  bool lower_case;
};
constexpr FileTask kFileTasks[] = {{"pairs", pairs_task, TokenizerKind::words, true},
                                   {"text", text_task, TokenizerKind::characters, false}};

const FileTask* file_task(const std::string& name) {
  const auto* row = std::find_if(std::begin(kFileTasks), std::end(kFileTasks),
                                 [&](const FileTask& each) { return name == each.name; });
  return row == std::end(kFileTasks) ? nullptr : row;
}

// What two examples may not share.
const std::string& identity(const Task& task, const Example& example) {
  return task.distinct_targets ? example.target : example.source;
}

// Distinct examples that are drawn until there are `size`, or until hardly anything new comes.
TestSet outside_set(const Task& task, const OutsideRange& range, Index size, Random& random,
                    const std::unordered_set<std::string>& trained) {
  TestSet set{range.name, {}};
  std::unordered_set<std::string> seen;
  for (Index repeats = 0; static_cast<Index>(set.examples.size()) < size && repeats < 10 * size;) {
    Example example = range.draw(random);
    if (!trained.count(identity(task, example)) && seen.insert(identity(task, example)).second) {
      set.examples.push_back(std::move(example));
    } else {
      ++repeats;
    }
  }
  return set;
}

TaskData fixed_data(const TaskData& all, Index train_size, Index test_size) {
  const auto first = [](const std::vector<Example>& part, Index size) {
    return std::vector<Example>(part.begin(), part.begin() + std::min(size, static_cast<Index>(part.size())));
  };
  return {first(all.train, train_size), first(all.test, test_size), all.outside};
}

}  // namespace

const std::vector<Task>& tasks() {
  static const std::vector<Task> rows = {
      date_task(),        wide_date_task(),    addition_task(), copy_task(),    reverse_task(),   sort_task(),
      toy_mt_task(),      grammar_task(),      bank_task(),     glimpse_task(), bits_copy_task(), bits_copy_8_task(),
      repeat_copy_task(), assoc_recall_task(), story_task(),    masked_task(),  class_task()};
  return rows;
}

const Learned& learned_by(const std::string& task) {
  static const Learned nothing, pairs = [] {
    Learned learned;
    learned.kind = Learned::Kind::pairs;
    return learned;
  }();
  if (task == "pairs") return pairs;
  const auto row = std::find_if(tasks().begin(), tasks().end(), [&](const Task& each) { return each.name == task; });
  return row == tasks().end() ? nothing : row->learned;
}

const Task& find_task(const std::string& name) {
  std::vector<std::string> known;
  for (const Task& row : tasks()) {
    if (row.name == name) return row;
    known.push_back(row.name);
  }
  for (const FileTask& row : kFileTasks) {
    if (name == row.name) throw UsageError("the task '" + name + "' needs its files");
    known.emplace_back(row.name);
  }
  throw UsageError("there is no task '" + name + "'" + did_you_mean_or("known: ", name, known));
}

bool reads_files(const std::string& task) { return file_task(task) != nullptr; }

FileOptions FileOptions::resolved(const std::string& task) const {
  const FileTask* row = file_task(task);
  FileOptions full = *this;
  if (!row) return full;
  const auto check = [&](const char* what, Index value, Index least, Index most) {
    if (value < least || value > most)
      throw UsageError("the task '" + task + "': " + what + ": expected a whole number from " + std::to_string(least) +
                       " to " + std::to_string(most) + ", got " + std::to_string(value));
  };
  check("min_frequency", min_frequency, 1, 1'000'000);
  check("max_tokens", max_tokens, 1, 1'000);
  check("context", context, 2, 512);
  check("bpe_merges", bpe_merges, 0, 100'000);
  if (full.tokenizer.empty()) full.tokenizer = kTokenizerNames[static_cast<int>(row->tokenizer)];
  if (!full.lower_case) full.lower_case = row->lower_case;
  return full;
}

std::shared_ptr<const Task> find_task(const std::string& name, const FileOptions& options) {
  if (const FileTask* row = file_task(name)) return row->make(options);
  return {std::shared_ptr<const Task>(), &find_task(name)};  // rows live for ever
}

TaskData generate(const Task& task, Index train_size, Index test_size, std::uint64_t seed, Index outside_size) {
  if (task.fixed) return fixed_data(*task.fixed, train_size, test_size);
  Random random(seed, Random::Stream::data, 0xda7a);  // apart from the shuffles of the epochs
  std::unordered_set<std::string> seen;
  TaskData data;
  const Index wanted = train_size + test_size;
  const auto full = [](const std::vector<Example>& part, Index size) {
    return static_cast<Index>(part.size()) >= size;
  };
  for (Index repeats = 0; !full(data.train, train_size) || !full(data.test, test_size);) {
    Example example = task.draw(random);
    if (!seen.insert(identity(task, example)).second) {
      if (++repeats > 50 * wanted)
        throw UsageError("the task '" + task.name + "' has only about " + std::to_string(seen.size()) +
                         " distinct examples; ask for fewer than " + std::to_string(wanted));
      continue;
    }
    // Every tenth distinct input is held out, for ever: whatever the sizes, no test input was trained on. Spread like
    // this, the rare short inputs, which run out early, are in both parts.
    const bool held_out = seen.size() % 10 == 0;
    std::vector<Example>& part = held_out ? data.test : data.train;
    if (!full(part, held_out ? test_size : train_size)) part.push_back(std::move(example));
  }
  Random other(seed, Random::Stream::data, 0x0d15);
  for (const OutsideRange& range : task.outside)
    data.outside.push_back(outside_set(task, range, outside_size, other, seen));
  return data;
}

}  // namespace headlight
