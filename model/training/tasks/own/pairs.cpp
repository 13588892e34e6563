#include "model/training/tasks/own/pairs.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "model/core/errors.h"
#include "model/text/bpe.h"
#include "model/text/message_line.h"
#include "model/training/tasks/own/file_vocabulary.h"
#include "model/training/tasks/own/pair_files.h"

namespace headlight {

namespace {

using Counted = std::vector<std::pair<std::string, Index>>;

struct Parts {
  TaskData data;
  Index too_long = 0, repeated = 0;
};

// Every tenth distinct source is held out, whatever the other options say: a longer limit makes no test input a
// training input.
Parts split(const PairLines& lines, const FileOptions& options, TokenizerKind kind) {
  const auto example_of = [&](const std::string& source, const std::string& target) {
    Example example{source, target};
    if (options.links && kind == TokenizerKind::words) example.alignment = options.links(source, target);
    return example;
  };
  Parts parts;
  const bool lower = *options.lower_case;
  std::unordered_map<std::string, std::size_t> numbers;  // of the sources, from 1
  std::unordered_set<std::string> pairs;
  std::unordered_map<std::string, std::size_t> tested;  // held-out sources, and where they stand
  for (const auto& [source, target] : lines.pairs) {
    std::string key, other;
    const auto a = counted_pieces(source, kind, lower), b = counted_pieces(target, kind, lower);
    for (const std::string& piece : a) key += piece + ' ';
    for (const std::string& piece : b) other += piece + ' ';
    const std::size_t number = numbers.emplace(key, numbers.size() + 1).first->second;
    if (!pairs.insert(key + '\t' + other).second) {
      ++parts.repeated;
      continue;
    }
    if (static_cast<Index>(std::max(a.size(), b.size())) > options.max_tokens || a.empty() || b.empty()) {
      ++parts.too_long;
    } else if (number % 10 != 0) {
      parts.data.train.push_back(example_of(source, target));
    } else if (const auto [at, is_new] = tested.emplace(key, parts.data.test.size()); is_new) {
      parts.data.test.push_back(example_of(source, target));
    } else {
      parts.data.test[at->second].also.push_back(target);
    }
  }
  return parts;
}

TextRules rules_of_pairs(const TaskData& data, const FileOptions& options, TokenizerKind kind) {
  const bool lower = *options.lower_case;
  PieceCounts sources, targets;
  for (const Example& example : data.train) {
    for (std::string& piece : counted_pieces(example.source, kind, lower)) ++sources[std::move(piece)];
    for (std::string& piece : counted_pieces(example.target, kind, lower)) ++targets[std::move(piece)];
  }
  TextRules rules;
  if (kind == TokenizerKind::bpe) {  // one vocabulary for both sides: names and numbers are spelled alike
    for (const auto& [word, count] : targets) sources[word] += count;
    BpeModel model = learn_bpe(Counted(sources.begin(), sources.end()), options.bpe_merges, options.min_frequency);
    rules = rules_with_end(kind, model.tokens, model.tokens, lower);
    rules.source = rules.target = Tokenizer(rules.target.vocabulary(), kind, lower, std::move(model.merges));
  } else {
    rules = rules_with_end(kind, frequent_pieces(sources, options.min_frequency),
                           frequent_pieces(targets, options.min_frequency), lower);
  }
  rules.source_eos = true;
  rules.longest_source = options.max_tokens;
  return rules;
}

// Of byte pairs it is known only now how many tokens a text has.
void leave_out_long(std::vector<Example>& part, const TextRules& rules, Parts& parts) {
  const Index most = rules.longest_source;
  parts.too_long += static_cast<Index>(std::erase_if(part, [&](const Example& example) {
    return static_cast<Index>(rules.source.split(example.source).size()) > most ||
           static_cast<Index>(rules.target.split(example.target).size()) > most;
  }));
}

// Files are often sorted by length: the first so many should be like the rest.
void shuffle(std::vector<Example>& part) {
  Random random(kDataSeed, Random::Stream::data, 0xda7a);
  for (std::size_t i = part.size(); i > 1; --i)
    std::swap(part[i - 1], part[random.below(static_cast<std::uint32_t>(i))]);
}

std::string report_of(const PairLines& lines, const Parts& parts, const FileOptions& options) {
  std::string report = std::to_string(parts.data.train.size()) + " pairs for training, " +
                       std::to_string(parts.data.test.size()) + " held out";
  if (parts.too_long > 0)
    report += "; left out as longer than " + std::to_string(options.max_tokens) +
              " tokens: " + std::to_string(parts.too_long);
  if (parts.repeated > 0) report += "; repeated pairs left out: " + std::to_string(parts.repeated);
  if (lines.skipped > 0)
    report += "; bad lines skipped: " + std::to_string(lines.skipped) + ", the first: " + lines.first_skipped;
  return report;
}

// The file, for messages and titles.
std::string name_of(const FileOptions& options) {
  return options.text.empty() ? options.files[0].string() : "our sentences";
}

}  // namespace

std::vector<std::string> pair_pieces(const std::string& text, const FileOptions& asked) {
  const FileOptions options = asked.resolved("pairs");
  return counted_pieces(text, tokenizer_kind(options.tokenizer, "pairs"), *options.lower_case);
}

std::shared_ptr<const Task> pairs_task(const FileOptions& asked) {
  const FileOptions options = asked.resolved("pairs");
  const TokenizerKind kind = tokenizer_kind(options.tokenizer, "pairs");
  const PairLines lines = options.text.empty() ? read_pairs(options.files, options.skip_bad_lines)
                                               : read_pair_text(options.text, name_of(options), options.skip_bad_lines);
  Parts parts = split(lines, options, kind);
  auto task = std::make_shared<Task>();
  task->name = "pairs";
  task->title = options.text.empty() ? "Pairs of " + escaped_line(options.files[0].filename().string())
                                     : std::string("Our sentences");
  task->description = "Translates like the pairs of sentences that it was trained on.";
  task->text = rules_of_pairs(parts.data, options, kind);
  if (kind == TokenizerKind::bpe)
    for (auto* part : {&parts.data.train, &parts.data.test}) leave_out_long(*part, task->text, parts);
  if (parts.data.train.empty() || parts.data.test.empty())
    throw FormatError(name_of(options) + ": expected at least 10 different sources of at most " +
                      std::to_string(options.max_tokens) + " tokens, found " +
                      std::to_string(parts.data.train.size() + parts.data.test.size()) + " of " +
                      std::to_string(lines.pairs.size()) + " pairs");
  for (auto* part : {&parts.data.train, &parts.data.test}) shuffle(*part);
  task->repeated = parts.repeated;
  task->report = report_of(lines, parts, options);
  for (std::size_t i = 0; i < std::min<std::size_t>(4, parts.data.test.size()); ++i)
    task->examples.push_back(parts.data.test[i].source);
  task->fixed = std::make_shared<const TaskData>(std::move(parts.data));
  return task;
}

}  // namespace headlight
