#include "model/training/tasks/own/sentences.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "model/core/ascii.h"
#include "model/core/errors.h"
#include "model/io/text_file.h"
#include "model/text/message_line.h"
#include "model/text/utf8.h"
#include "model/training/tasks/own/pair_files.h"
#include "model/training/tasks/own/pairs.h"

namespace headlight {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // stands for broken bytes since they were read

bool has_control_characters(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = code_point_length(text, at);
    if (length > 0 && is_harmful(code_point(text.substr(at, length)))) return true;
    at += std::max<std::size_t>(length, 1);
  }
  return false;
}

SentenceStatus fault_of(const CutSentence& cut, const FileOptions& options) {
  const std::string &source = cut.line.source, &target = cut.line.target;
  if (source.size() + 1 + target.size() > kMostLineBytes) return SentenceStatus::too_many_bytes;
  for (const std::string* text : {&source, &target}) {
    if (!is_utf8(*text) || text->find(kReplacement) != std::string::npos) return SentenceStatus::broken_text;
    if (has_control_characters(*text)) return SentenceStatus::control_characters;
  }
  if (is_blank_text(source) || cut.source.empty()) return SentenceStatus::no_source;
  if (is_blank_text(target) || cut.target.empty()) return SentenceStatus::no_target;
  const std::size_t longest = std::max(cut.source.size(), cut.target.size());
  return longest > static_cast<std::size_t>(options.max_tokens) ? SentenceStatus::too_long : SentenceStatus::used;
}

std::string whole(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + ' ';
  return text;
}

// A line of a CSV file; quotes that are not closed end with it, so that one bad line takes no other with it.
std::vector<std::string> csv_fields(std::string_view line, char separator) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += c;
      ++i;
    } else if (c == '"' && (quoted || trimmed(fields.back()).empty())) {
      quoted = !quoted;
    } else if (c == separator && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

// What stands first between two fields of the line.
char csv_separator(std::string_view line) {
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == ',' || c == ';' || c == '\t')) return c;
  }
  return ',';
}

SentenceLine plain_line(std::string_view line) {
  constexpr std::string_view kEquals = " = ";
  std::size_t at = line.find('\t'), wide = 1;
  if (at == std::string_view::npos) {
    at = line.find(kEquals);
    wide = kEquals.size();
  }
  if (at == std::string_view::npos) return {trimmed(line), {}};
  const std::string_view rest = line.substr(at + wide);
  return {trimmed(line.substr(0, at)), trimmed(rest.substr(0, rest.find('\t')))};
}

SentenceLine csv_line(std::string_view line, char separator) {
  const std::vector<std::string> fields = csv_fields(line, separator);
  return {trimmed(fields[0]), fields.size() > 1 ? trimmed(fields[1]) : std::string()};
}

void refuse_no_text(std::string_view text, const std::string& name) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    throw FormatError(name +
                      ": expected UTF-8, found UTF-16: save it once more with the encoding UTF-8 (in Excel "
                      "\"CSV UTF-8\")");
  const std::string_view beginning = text.substr(0, 1'024);
  refuse_other_content(beginning, name);
  if (beginning.find('\0') != std::string_view::npos)
    throw FormatError(name + ": expected lines of text, found a zero byte: this is no text");
}

}  // namespace

SentencesRead read_sentences(std::string_view text, SentenceFormat format, const std::string& name) {
  refuse_no_text(text, name);
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  SentencesRead read;
  std::optional<char> separator;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    // Of a line that is too long the beginning is kept: enough to see which one it is.
    const std::string line = valid_utf8(text.substr(0, std::min(end, kMostLineBytes + 1)));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (trimmed(line).empty()) continue;
    if (read.lines.size() == kMostSentences) {
      ++read.left_out;
      continue;
    }
    if (!separator) separator = csv_separator(line);
    read.lines.push_back(format == SentenceFormat::csv ? csv_line(line, *separator) : plain_line(line));
    read.numbers.push_back(number);
  }
  return read;
}

CutSentence cut_sentence(SentenceLine line, const FileOptions& options) {
  CutSentence cut{std::move(line), {}, {}};
  if (cut.line.source.size() + cut.line.target.size() < kMostLineBytes) {
    cut.source = pair_pieces(cut.line.source, options);
    cut.target = pair_pieces(cut.line.target, options);
  }
  cut.fault = fault_of(cut, options);
  return cut;
}

std::vector<CutSentence> cut_sentences(std::vector<SentenceLine> lines, const FileOptions& options) {
  std::vector<CutSentence> cut;
  cut.reserve(lines.size());
  for (SentenceLine& line : lines) cut.push_back(cut_sentence(std::move(line), options));
  return cut;
}

std::vector<SentenceLine> SentenceList::lines() const {
  std::vector<SentenceLine> lines;
  for (const Entry& entry : entries_) lines.push_back(entry.line);
  return lines;
}

SentenceList::Entry SentenceList::entry_of(const CutSentence& cut) {
  const auto key = [this](const std::vector<std::string>& words) {
    return keys_.emplace(whole(words), static_cast<int>(keys_.size())).first->second;
  };
  // A word of one language is another one than the same letters in the other.
  const auto numbered = [this](const std::vector<std::string>& words, char side) {
    std::vector<int> numbers;
    for (const std::string& word : words) {
      const auto [at, is_new] = numbers_.emplace(side + word, static_cast<int>(words_.size()));
      if (is_new) words_.push_back(word);
      numbers.push_back(at->second);
    }
    return numbers;
  };
  return {cut.line, numbered(cut.source, 's'), numbered(cut.target, 't'), key(cut.source), key(cut.target), cut.fault};
}

void SentenceList::insert(std::size_t at, const std::vector<CutSentence>& lines) {
  std::vector<Entry> added;
  added.reserve(lines.size());
  for (const CutSentence& line : lines) added.push_back(entry_of(line));
  const auto place = entries_.begin() + static_cast<std::ptrdiff_t>(std::min(at, entries_.size()));
  entries_.insert(place, std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
  judge();
}

void SentenceList::erase(std::size_t at, std::size_t count) {
  const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(std::min(at, entries_.size()));
  entries_.erase(begin, begin + std::min(static_cast<std::ptrdiff_t>(count), entries_.end() - begin));
  judge();
}

void SentenceList::replace(std::size_t at, const CutSentence& line) {
  entries_.at(at) = entry_of(line);
  judge();
}

void SentenceList::set_probe(const std::string& source) {
  const std::vector<std::string> words = pair_pieces(source, options_);
  probe_ = words.empty() ? std::string() : source;
  probe_key_ = words.empty() ? -1 : keys_.emplace(whole(words), static_cast<int>(keys_.size())).first->second;
  judge();
}

bool SentenceList::has_source(const std::vector<std::string>& words) const {
  const auto found = keys_.find(whole(words));
  return found != keys_.end() && (found->second == probe_key_ || stands_[static_cast<std::size_t>(found->second)]);
}

void SentenceList::judge() {
  verdicts_.assign(entries_.size(), {});
  stands_.assign(keys_.size(), false);
  std::vector<int> first(keys_.size(), -1);  // the first line that is used with this source
  std::unordered_map<std::uint64_t, int> pairs;
  pairs.reserve(entries_.size());
  used_ = sources_ = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    SentenceVerdict& verdict = verdicts_[i];
    const int line = static_cast<int>(i);
    const auto source = static_cast<std::size_t>(entry.source_key);
    stands_[source] = !entry.source.empty() || stands_[source];
    verdict.status = entry.fault;
    if (verdict.status > SentenceStatus::too_long) continue;
    const std::uint64_t both = (std::uint64_t{source} << 32) | static_cast<std::uint32_t>(entry.target_key);
    const auto [same, is_new] = pairs.emplace(both, line);
    if (entry.source_key == probe_key_) {
      verdict.status = SentenceStatus::probe;
    } else if (!is_new) {
      verdict = {SentenceStatus::repeated, same->second};
    } else if (verdict.used()) {
      ++used_;
      if (first[source] >= 0) {
        verdict = {SentenceStatus::other_target, first[source]};
      } else {
        first[source] = line;
        ++sources_;
      }
    }
  }
  find_lone_words();
}

// Words that stand in one sentence only.
void SentenceList::find_lone_words() {
  std::vector<int> sentences(words_.size(), 0), last(words_.size(), -1);
  const auto each_word = [this](std::size_t line, const auto& visit) {
    if (!verdicts_[line].used()) return;
    for (const auto* side : {&entries_[line].source, &entries_[line].target})
      for (const int word : *side) visit(static_cast<std::size_t>(word), static_cast<int>(line));
  };
  for (std::size_t i = 0; i < entries_.size(); ++i)
    each_word(i, [&](std::size_t word, int line) {
      if (std::exchange(last[word], line) != line) ++sentences[word];
    });
  std::fill(last.begin(), last.end(), -1);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::vector<std::string> lone;
    each_word(i, [&](std::size_t word, int line) {
      if (sentences[word] == 1 && std::exchange(last[word], line) != line) lone.push_back(words_[word]);
    });
    if (!lone.empty()) verdicts_[i] = {SentenceStatus::lone_words, -1, std::move(lone)};
  }
}

std::string SentenceList::tsv() const {
  std::string text;
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (verdicts_[i].readable()) text += entries_[i].line.source + '\t' + entries_[i].line.target + '\n';
  return text;
}

FileOptions SentenceList::pairs() const {
  FileOptions options = options_;
  options.files.clear();
  options.text = tsv();
  return options;
}

}  // namespace headlight
