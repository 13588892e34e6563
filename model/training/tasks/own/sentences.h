// Our sentences: pairs that a class has typed, pasted or had made, line by line. Bad lines stand in the list with the
// reason why they are not used, and stop nothing.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/training/tasks/task.h"

namespace headlight {

struct SentenceLine {
  std::string source, target;
  bool made = false;  // by a word bank, not written by somebody
  bool operator==(const SentenceLine&) const = default;
};

// What is said of a line. Those up to `other_target` are used.
enum class SentenceStatus {
  used,
  lone_words,    // SentenceVerdict::words stand in no other sentence: they cannot be learned
  other_target,  // another line has another target for the same source; both are used
  repeated,      // the same stands in another line already, which is used
  probe,         // kept out of the training
  too_long,      // more tokens than FileOptions::max_tokens
  no_source,
  no_target,
  too_many_bytes,  // more than a line of a file may have
  broken_text,     // bytes that are no UTF-8
  control_characters
};

struct SentenceVerdict {
  SentenceStatus status = SentenceStatus::used;
  int line = -1;                        // of `other_target` and `repeated`: the other line, from 0
  std::vector<std::string> words = {};  // of `lone_words`: as the model reads them
  bool used() const { return status <= SentenceStatus::other_target; }
  // The task `pairs` reads the line and treats it as is said here; the others would be errors in a file.
  bool readable() const { return status <= SentenceStatus::too_long; }
  bool operator==(const SentenceVerdict&) const = default;
};

inline constexpr std::size_t kMostSentences = 20'000;

enum class SentenceFormat {
  plain,  // a tab between source and target, else " = "
  csv     // RFC 4180, separated by commas or semicolons
};
struct SentencesRead {
  std::vector<SentenceLine> lines;
  std::vector<int> numbers;  // of the lines in the text, from 1; empty ones are left out
  std::size_t left_out = 0;  // lines beyond kMostSentences
};
// Pasted, dropped or read. Throws FormatError for what is no text of sentences at all (UTF-16, a picture, ...).
SentencesRead read_sentences(std::string_view text, SentenceFormat format, const std::string& name);

// A line cut into the words that the task `pairs` compares; takes microseconds, so thousands are cut off the thread of
// the window.
struct CutSentence {
  SentenceLine line;
  std::vector<std::string> source, target;
  SentenceStatus fault = SentenceStatus::used;  // what is wrong with the line by itself
};
CutSentence cut_sentence(SentenceLine line, const FileOptions& options);
std::vector<CutSentence> cut_sentences(std::vector<SentenceLine> lines, const FileOptions& options);

// All lines with what is said of each; every change judges all anew (10,000 lines in a few milliseconds).
class SentenceList {
 public:
  explicit SentenceList(FileOptions options = {}) : options_(std::move(options)) {}

  const FileOptions& options() const { return options_; }
  std::size_t size() const { return entries_.size(); }
  const SentenceLine& line(std::size_t at) const { return entries_[at].line; }
  const SentenceVerdict& verdict(std::size_t at) const { return verdicts_[at]; }
  std::vector<SentenceLine> lines() const;
  std::size_t used() const { return used_; }
  std::size_t sources() const { return sources_; }  // distinct ones of the lines that are used

  void insert(std::size_t at, const std::vector<CutSentence>& lines);
  void erase(std::size_t at, std::size_t count);
  void replace(std::size_t at, const CutSentence& line);
  // The text that is kept out of the training, whatever its target; empty: none.
  void set_probe(const std::string& source);
  const std::string& probe() const { return probe_; }
  // Whether the source stands in a line, as the task reads it, or is the probe.
  bool has_source(const std::vector<std::string>& words) const;

  // "source TAB target" lines that the task `pairs` reads: what is trained on, and what *Save* writes.
  std::string tsv() const;
  // The options of the task on these lines: FileOptions::text.
  FileOptions pairs() const;

 private:
  struct Entry {
    SentenceLine line;
    std::vector<int> source, target;     // numbers of words
    int source_key = 0, target_key = 0;  // numbers of whole texts
    SentenceStatus fault = SentenceStatus::used;
  };
  Entry entry_of(const CutSentence& cut);
  void judge();
  void find_lone_words();

  FileOptions options_;
  std::vector<Entry> entries_;
  std::vector<SentenceVerdict> verdicts_;
  std::size_t used_ = 0, sources_ = 0;
  std::string probe_;
  int probe_key_ = -1;
  std::unordered_map<std::string, int> numbers_, keys_;  // of words of one side, and of whole texts; they only grow
  std::vector<std::string> words_;                       // by their numbers
  std::vector<bool> stands_;                             // whether a text is the source of a line
};

}  // namespace headlight
