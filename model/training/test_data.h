// What a model is measured on: the held-out examples of its task, or of files of pairs. Shared by the commands and by
// charts of lessons.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/models/bundle.h"
#include "model/training/evaluate.h"
#include "model/training/ngram.h"
#include "model/training/tasks/task.h"

namespace headlight {

struct TestRequest {
  std::string task;                // empty: the one that the model was trained on
  std::vector<std::string> files;  // of pairs, or texts
  bool held_out_only = false;      // of the files, only what training leaves out
  bool skip_bad_lines = false;
  int limit = 0;  // examples; 0: all
};

struct TestData {
  std::shared_ptr<const Task> task;
  std::vector<Example> examples;  // inside the range that is trained on
  std::vector<TestSet> outside;
  std::vector<Example> trained;  // of the task `text`: the windows that are not held out
  Index too_long = 0;            // pairs that were left out
  Index repeated = 0;            // pairs that another one is to the model, too: they count once
};

// Throws UsageError when the model does not know the tokens of the task.
TestData test_data(const ModelBundle& bundle, const TestRequest& request);

// What the groups of a task are: "length", "distance"; the number of source tokens where a task says nothing.
std::string group_name(const TestData& data);

// Of the task `text`: a character's perplexity of the model, and of counting the same text.
struct TextQuality {
  double perplexity = 0;
  std::vector<NgramPerplexity> counted;  // orders 1 .. 6
};
// None for other tasks. Throws Cancelled.
std::optional<TextQuality> text_quality(const ModelBundle& bundle, const TestData& data, const CancelToken& cancel);

// Exact match by group, inside and outside the range that was trained on. Throws Cancelled.
std::vector<GroupQuality> quality_by_group(const ModelBundle& bundle, const TestData& data, const CancelToken& cancel);

}  // namespace headlight
