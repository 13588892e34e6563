#include "model/training/test_data.h"

#include "model/core/errors.h"
#include "model/text/message_line.h"
#include "model/training/tasks/own/text_task.h"
#include "model/training/training_settings.h"

namespace headlight {

namespace {

void require_same_tokens(const ModelBundle& bundle, const Task& task) {
  const auto tokens = [](const TextRules& rules) {
    return std::pair(rules.source.vocabulary().tokens(), rules.target.vocabulary().tokens());
  };
  if (tokens(bundle.text) == tokens(task.text)) return;
  throw UsageError(bundle.folder.string() + ": expected the vocabulary of the task '" + task.name + "' (" +
                   std::to_string(task.text.source.vocabulary().size()) + " tokens), found another one (" +
                   std::to_string(bundle.source_vocabulary().size()) + " tokens); choose another --task");
}

// Pairs that are longer than any that the model has seen are left out, as in its training.
Index leave_out_long(std::vector<Example>& examples, const TextRules& rules) {
  const auto too_long = [&](const Example& example) {
    const auto longer = [&](const Tokenizer& side, const std::string& text) {
      return static_cast<Index>(side.split(text).size()) > rules.longest_source;
    };
    return longer(rules.source, example.source) || longer(rules.target, example.target);
  };
  return rules.longest_source == 0 ? 0 : static_cast<Index>(std::erase_if(examples, too_long));
}

// A text, cut by the rules of the model. Examples are counted in windows.
TestData data_of_text(const ModelBundle& bundle, const TestRequest& request) {
  if (request.files.empty()) throw UsageError("the task 'text' needs its files");
  if (!bundle.text.source_bos || bundle.text.target_length == 0)
    throw UsageError(bundle.folder.string() + ": expected a model of the task 'text', found one of other texts");
  auto task = std::make_shared<Task>();
  task->name = "text";
  task->text = bundle.text;
  task->distinct_targets = task->open_ended = true;
  TaskData windows = text_windows({request.files.begin(), request.files.end()}, bundle.text);
  TestData data;
  data.task = std::move(task);
  data.examples = std::move(windows.test);
  data.trained = std::move(windows.train);
  if (request.limit > 0 && static_cast<std::size_t>(request.limit) < data.examples.size())
    data.examples.resize(static_cast<std::size_t>(request.limit));
  if (data.examples.empty() || data.trained.empty())
    throw FormatError(escaped_line(request.files.front()) + ": expected a longer text, found less than two windows");
  return data;
}

}  // namespace

TestData test_data(const ModelBundle& bundle, const TestRequest& request) {
  // Files are of the kind that the model was trained on; those of a model of generated data are pairs.
  const bool of_pairs = request.task.empty() && !request.files.empty() && !reads_files(bundle.task);
  const std::string name = of_pairs ? "pairs" : request.task.empty() ? bundle.task : request.task;
  if (name.empty())
    throw UsageError(bundle.folder.string() + ": config.json does not say the task; name one with --task");
  if (!reads_files(name) && !request.files.empty())
    throw UsageError("--files belongs to the tasks 'pairs' and 'text'; the task '" + name + "' makes its own examples");
  if (name == "text") return data_of_text(bundle, request);
  FileOptions pairs;
  pairs.files.assign(request.files.begin(), request.files.end());
  pairs.skip_bad_lines = request.skip_bad_lines;
  // What is the same text to the model is one pair, and only that.
  pairs.lower_case = bundle.text.source.lower_case();
  pairs.tokenizer = kTokenizerNames[bundle.text.source.kind() == TokenizerKind::characters ? 0 : 1];
  pairs.min_frequency = 1;  // the model brings its own rules: only the texts are wanted here
  pairs.max_tokens = 1'000;
  TestData data;
  data.task = find_task(name, pairs);
  const TrainingSettings defaults;
  TaskData made = generate(*data.task, defaults.train_size, defaults.test_size);
  data.examples = std::move(made.test);
  data.outside = std::move(made.outside);
  if (name == "pairs") {
    if (!request.held_out_only) data.examples.insert(data.examples.end(), made.train.begin(), made.train.end());
    data.repeated = data.task->repeated;
    data.too_long = leave_out_long(data.examples, bundle.text);
  } else {
    require_same_tokens(bundle, *data.task);
  }
  if (request.limit > 0 && static_cast<std::size_t>(request.limit) < data.examples.size())
    data.examples.resize(static_cast<std::size_t>(request.limit));
  return data;
}

std::optional<TextQuality> text_quality(const ModelBundle& bundle, const TestData& data, const CancelToken& cancel) {
  if (data.task->name != "text") return {};
  return TextQuality{perplexity_per_character(*bundle.model, bundle.text, data.examples, cancel),
                     ngram_perplexities(bundle.text, {data.trained, data.examples, {}}, 6, cancel)};
}

std::string group_name(const TestData& data) {
  return data.task->grouped_by.empty() ? "length" : data.task->grouped_by;
}

std::vector<GroupQuality> quality_by_group(const ModelBundle& bundle, const TestData& data, const CancelToken& cancel) {
  std::vector<Example> all = data.examples;
  for (const TestSet& set : data.outside) all.insert(all.end(), set.examples.begin(), set.examples.end());
  if (data.task->grouped_by.empty())
    for (Example& example : all) example.group = static_cast<int>(bundle.text.source.split(example.source).size());
  const Dataset dataset(bundle.text, all, bundle.model->traits().writes_reversed);
  return by_group(evaluate(*bundle.model, dataset, cancel).right, dataset.groups());
}

}  // namespace headlight
