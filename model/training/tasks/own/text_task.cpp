#include "model/training/tasks/own/text_task.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "model/core/errors.h"
#include "model/text/bpe.h"
#include "model/text/message_line.h"
#include "model/text/utf8.h"
#include "model/training/evaluate.h"
#include "model/training/tasks/own/file_vocabulary.h"
#include "model/training/tasks/own/text_files.h"

namespace headlight {

namespace {

bool is_blank_at(std::string_view text, std::size_t at) {
  return text[at] == ' ' || text[at] == '\n' || text[at] == '\t';
}

// The parts of a text that are trained on and held out: the last tenth, from the beginning of a word on where one is
// near.
std::pair<std::string_view, std::string_view> parted(std::string_view text) {
  constexpr std::size_t kNear = 64;
  std::size_t cut = text.size() / 10 * 9 + text.size() % 10 * 9 / 10;
  const std::size_t far = std::min(text.size(), cut + kNear);
  std::size_t word = cut;
  while (word < far && !is_blank_at(text, word)) ++word;
  if (word + 1 < far) {
    cut = word + 1;
  } else {
    while (cut < text.size() && code_point_length(text, cut) == 0) ++cut;  // within a character
  }
  return {text.substr(0, cut), text.substr(cut)};
}

// Words and line ends, in their order.
std::vector<Word> words_and_lines(std::string_view text) {
  std::vector<Word> units;
  std::size_t at = 0;
  const auto add_lines = [&](std::size_t end) {
    for (; at < end; ++at)
      if (text[at] == '\n') units.push_back({at, at + 1});
  };
  for (const Word& word : split_words(text)) {
    add_lines(word.begin);
    at = word.end;
    units.push_back(word);
  }
  add_lines(text.size());
  return units;
}

// A text of words cut into windows of at most so many tokens, at ends of words. A single word that has more is left
// out.
void cut_words(std::string_view text, const Tokenizer& tokenizer, std::size_t tokens, std::vector<Example>& windows) {
  const std::vector<Word> units = words_and_lines(text);
  for (std::size_t first = 0; first < units.size();) {
    std::size_t last = std::min(units.size(), first + tokens);  // behind it
    std::string window;
    for (;; --last) {  // of byte pairs a word may have several
      const std::size_t begin = units[first].begin;
      window = text.substr(begin, units[last - 1].end - begin);
      const std::size_t found = tokenizer.split(window).size();
      if (found <= tokens) break;
      if (last == first + 1) {
        window.clear();
        break;
      }
      last -= std::min(last - first - 2, (found - tokens) / 8);  // far too many: not word by word
    }
    if (!window.empty()) windows.push_back({"", std::move(window)});
    first = last;
  }
}

void cut_characters(std::string_view text, std::size_t tokens, std::vector<Example>& windows) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    for (std::size_t count = 0; count < tokens && end < text.size(); ++count) end += code_point_length(text, end);
    windows.push_back({"", std::string(text.substr(at, end - at))});
    at = end;
  }
}

TaskData windows_of(const std::vector<std::string>& texts, const TextRules& rules) {
  const auto tokens = static_cast<std::size_t>(rules.target_length);
  TaskData data;
  for (const std::string& text : texts) {
    const auto [train, test] = parted(text);
    for (const auto& [part, windows] : {std::pair(train, &data.train), std::pair(test, &data.test)}) {
      if (rules.target.kind() == TokenizerKind::characters) {
        cut_characters(part, tokens, *windows);
      } else {
        cut_words(part, rules.target, tokens, *windows);
      }
    }
  }
  return data;
}

// A long text in pieces of some ten thousand characters, cut between words.
template <class Work>
void for_pieces(std::string_view text, TokenizerKind kind, const Work& work) {
  constexpr std::size_t kPiece = 64u << 10;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.size(), at + kPiece);
    while (end < text.size() && !is_blank_at(text, end) &&
           (kind != TokenizerKind::characters || code_point_length(text, end) == 0))
      ++end;
    work(std::string(text.substr(at, end - at)));
    at = end;
  }
}

// One vocabulary for what is read and what is written: of the training parts alone.
TextRules rules_of_texts(const std::vector<std::string>& texts, const FileOptions& options) {
  const TokenizerKind kind = tokenizer_kind(options.tokenizer, "text");
  const bool lower = *options.lower_case;
  PieceCounts counts;
  bool has_lines = false;
  for (const std::string& text : texts) {
    const std::string_view train = parted(text).first;
    has_lines = has_lines || train.find('\n') != train.npos;
    for_pieces(train, kind, [&](const std::string& part) {
      for (std::string& piece : counted_pieces(part, kind, lower)) ++counts[std::move(piece)];
    });
  }
  std::vector<std::string> tokens = {kPadding, kStart, kUnknown};
  const auto add = [&](const std::vector<std::string>& more) { tokens.insert(tokens.end(), more.begin(), more.end()); };
  Merges merges;
  if (kind == TokenizerKind::bpe) {
    BpeModel model = learn_bpe({counts.begin(), counts.end()}, options.bpe_merges, options.min_frequency);
    add(model.tokens);
    merges = std::move(model.merges);
  } else {
    add(frequent_pieces(counts, options.min_frequency));
  }
  if (kind != TokenizerKind::characters && has_lines) tokens.emplace_back(kLineEnd);
  TextRules rules;
  rules.source = rules.target = Tokenizer(Vocabulary(std::move(tokens)), kind, lower, std::move(merges));
  rules.pad = rules.target.vocabulary().find(kPadding);
  rules.bos = *rules.target.vocabulary().find(kStart);
  rules.source_bos = true;
  rules.target_length = rules.longest_source = options.context;
  return rules;
}

// What a window begins with, to go on from: two words, none of them cut.
std::string beginning_of(std::string_view window, bool whole_words) {
  std::size_t begin = 0;
  if (!whole_words)
    while (begin < window.size() && !is_blank_at(window, begin)) ++begin;
  while (begin < window.size() && is_blank_at(window, begin)) ++begin;
  const std::size_t first = window.find(' ', begin);
  const std::size_t end =
      std::min(window.find('\n', begin), first == window.npos ? first : window.find(' ', first + 1));
  if (end == window.npos || first > end) return {};
  return std::string(window.substr(begin, end - begin)) + (whole_words ? "" : " ");
}

std::vector<std::string> beginnings(const std::vector<Example>& windows, TokenizerKind kind) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> texts;
  for (const Example& window : windows) {
    std::string text = beginning_of(window.target, kind != TokenizerKind::characters);
    if (text.size() > 2 && std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
    if (texts.size() == kMost) break;
  }
  texts.emplace_back();
  return texts;
}

Index characters_of(const std::string& text) {
  Index count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) at += std::max<std::size_t>(1, code_point_length(text, at));
  return count;
}

std::string report_of_text(const std::vector<std::string>& texts, const TaskData& data, const TextRules& rules) {
  Index characters = 0;
  for (const std::string& text : texts) characters += characters_of(text);
  const Index known = rules.target.vocabulary().size() - 3;
  return std::to_string(characters) + " characters in windows of at most " + std::to_string(rules.target_length) +
         " tokens: " + std::to_string(data.train.size()) + " for training, " + std::to_string(data.test.size()) +
         " held out, from the last tenth; " + std::to_string(known) + " different tokens are known";
}

// Letters and signs that the tokens of a vocabulary are written with.
Index letters_of(const Vocabulary& vocabulary) {
  std::vector<std::string> letters;
  for (const std::string& token : vocabulary.tokens()) {
    if (token == kPadding || token == kStart || token == kEnd || token == kUnknown) continue;
    for (const TextToken& letter : vocabulary.split_characters(token)) letters.push_back(letter.text);
  }
  std::sort(letters.begin(), letters.end());
  return std::unique(letters.begin(), letters.end()) - letters.begin();
}

}  // namespace

std::shared_ptr<const Task> text_task(const FileOptions& asked) {
  const FileOptions options = asked.resolved("text");
  tokenizer_kind(options.tokenizer, "text");
  const std::vector<std::string> texts = read_texts(options.files);
  auto task = std::make_shared<Task>();
  task->name = "text";
  task->title = "Text of " + escaped_line(options.files[0].filename().string());
  task->description = "Goes on with a text like the one that it was trained on.";
  task->text = rules_of_texts(texts, options);
  TaskData data = windows_of(texts, task->text);
  if (data.train.size() < 2 || data.test.empty())
    throw FormatError(escaped_line(options.files[0].string()) + ": expected a text of at least two windows of " +
                      std::to_string(options.context) + " tokens and one held out, found " +
                      std::to_string(data.train.size()) + " and " + std::to_string(data.test.size()) +
                      ": take a longer text, or a smaller context");
  task->examples = beginnings(data.test, task->text.target.kind());
  task->report = report_of_text(texts, data, task->text);
  task->distinct_targets = task->open_ended = true;
  task->most_numbers = kMostTextNumbers;
  task->fixed = std::make_shared<const TaskData>(std::move(data));
  return task;
}

TaskData text_windows(const std::vector<std::filesystem::path>& files, const TextRules& rules) {
  return windows_of(read_texts(files), rules);
}

std::string spelled(const TextRules& rules, const std::string& window) {
  const TokenizerKind kind = rules.target.kind();
  if (kind == TokenizerKind::characters) return window;
  std::string text;
  for (std::size_t at = 0; at <= window.size();) {
    const std::size_t end = std::min(window.find('\n', at), window.size());
    text += join_words(counted_pieces(window.substr(at, end - at), kind, rules.target.lower_case()));
    if (end < window.size()) text += kLineEnd;
    at = end + 1;
  }
  return text;
}

double perplexity_per_character(const Model& model, const TextRules& rules, const std::vector<Example>& windows,
                                const CancelToken& cancel) {
  const double letter = std::log(static_cast<double>(std::max<Index>(1, letters_of(rules.target.vocabulary()))));
  double nll = held_out_nll(model, Dataset(rules, windows, model.traits().writes_reversed), cancel);
  Index characters = 0;
  for (const Example& window : windows) {
    characters += characters_of(spelled(rules, window.target));
    if (rules.target.kind() == TokenizerKind::characters) continue;
    for (const TextToken& token : rules.target.split(window.target))
      if (token.unknown) nll += letter * static_cast<double>(characters_of(token.text));
  }
  return std::exp(nll / static_cast<double>(std::max<Index>(1, characters)));
}

}  // namespace headlight
