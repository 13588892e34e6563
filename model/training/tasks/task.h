// Tasks: examples with the rules of their texts. Deterministic, nothing is downloaded.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/core/random.h"
#include "model/text/text_rules.h"
#include "model/training/tasks/learned.h"

namespace headlight {

// This token of the target translates, copies or depends on this token of the source (as split by the tokenizers,
// before anything is added or reversed).
struct Link {
  Index source = 0, target = 0;
  bool operator==(const Link&) const = default;
};

// A part of the target that one span of the source tells: the month of a date. In tokens, as links count them.
struct TextField {
  std::string name;  // "month"
  Index source = 0, source_count = 0, target = 0, target_count = 0;
  bool operator==(const TextField&) const = default;
};

struct Example {
  std::string source, target;
  std::vector<Link> alignment = {};  // known by construction; empty: not known
  int group = 0;                     // what figures may be grouped by: the length, the distance (see Task::grouped_by)
  // For each token of the target, whether it counts in losses and figures (an end sign always does); empty: all do.
  std::vector<bool> counted = {};
  std::vector<std::string> also = {};  // other targets that are right, too (of texts that people translated twice)
  std::vector<TextField> fields = {};  // of dates, in the order of the source
};

// Examples that are only tested, from outside the range that is trained on.
struct TestSet {
  std::string name;  // "length-11"
  std::vector<Example> examples;
};

// No source stands in two parts, and none stands twice; of Task::distinct_targets no target.
struct TaskData {
  std::vector<Example> train, test;
  std::vector<TestSet> outside;
};

// Examples outside the training range: what they are called and how they are drawn.
struct OutsideRange {
  std::string name;
  std::function<Example(Random& random)> draw;
};

// A row of the registry: what `headlight train NAME` means.
struct Task {
  std::string name;
  std::string title;
  std::string description;  // what the model learns, for a newcomer
  TextRules text;
  std::vector<std::string> examples;
  std::function<Example(Random& random)> draw;
  std::vector<OutsideRange> outside = {};
  std::string grouped_by = {};                      // what Example::group is: "length", "distance"; empty: nothing
  std::shared_ptr<const TaskData> fixed = nullptr;  // of `pairs` and `text`: what was read instead of drawn
  Index repeated = 0;                               // pairs of files that are another one, too, and left out
  std::string report = {};                          // what has to be said about them, one line: what was skipped
  bool distinct_targets = false;  // what no two examples share is the target, not the source: models of a language
  bool open_ended = false;        // there is no one right output: the perplexity says something, exact match does not
  Learned learned = {};           // what its examples are like, for whoever types a text
  Index most_numbers = 0;         // that a model of it may have; 0: any
};

// What the tasks of somebody's own files read: `pairs` and `text`; packed files (.gz), too.
struct FileOptions {
  // pairs: one TSV of "source TAB target" lines, or two files of lines. text: any number.
  std::vector<std::filesystem::path> files;
  std::string tokenizer;           // of kTokenizerNames; empty: words of pairs, characters of a text
  Index min_frequency = 2;         // words and characters that are rarer are unknown
  Index max_tokens = 40;           // of pairs: longer ones are left out
  Index context = 64;              // of a text: tokens of a window
  Index bpe_merges = 4'000;        // of pairs for both sides together
  std::optional<bool> lower_case;  // not said: pairs are, a text stays as it is
  bool skip_bad_lines = false;     // of pairs: count and report them instead of refusing the file
  // Of pairs: lines of "source TAB target" that are read instead of files, with the same numbers; empty: files are read.
  std::string text = {};
  // Which words of a pair belong together, where that is known (of the tokenizer "words"): it changes no number of a
  // training.
  std::function<std::vector<Link>(const std::string& source, const std::string& target)> links = nullptr;

  // With what is not said filled in. Throws UsageError for a number out of bounds.
  FileOptions resolved(const std::string& task) const;
};
bool reads_files(const std::string& task);

const std::vector<Task>& tasks();                // all but those of files
const Task& find_task(const std::string& name);  // throws UsageError
// The same, and those of files with theirs. Throws UsageError, FileError, and FormatError with file and line.
std::shared_ptr<const Task> find_task(const std::string& name, const FileOptions& options);

inline constexpr std::uint64_t kDataSeed = 1;

// Draws distinct examples until both parts are full; the same seed gives the same data, and the same test part whatever
// the size of the training part. A task that was read from files gives at most what it has. Sets outside the range have
// `outside_size` examples each, or as many as there are. Throws UsageError when the task has fewer distinct examples
// than asked for.
TaskData generate(const Task& task, Index train_size, Index test_size, std::uint64_t seed = kDataSeed,
                  Index outside_size = 200);

}  // namespace headlight
