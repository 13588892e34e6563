#include "model/training/test_data.h"

#include "model/core/errors.h"
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

}  // namespace

TestData test_data(const ModelBundle& bundle, const TestRequest& request) {
  const std::string name = !request.task.empty() ? request.task : !request.files.empty() ? "pairs" : bundle.task;
  if (name.empty())
    throw UsageError(bundle.folder.string() + ": config.json does not say the task; name one with --task");
  if (name != "pairs" && !request.files.empty())
    throw UsageError("--files belongs to the task 'pairs'; the task '" + name + "' makes its own examples");
  PairsOptions pairs;
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
