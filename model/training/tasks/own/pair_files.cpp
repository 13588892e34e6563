#include "model/training/tasks/own/pair_files.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "model/core/budget.h"
#include "model/text/message_line.h"
#include "model/text/utf8.h"
#include "model/training/tasks/own/packed_file.h"

namespace headlight {

namespace {


// The lines of a file or of a text, one after the other.
class Lines {
 public:
  explicit Lines(const std::filesystem::path& path)
      : name_(escaped_line(path.string())), pieces_([file = std::make_shared<PackedFile>(path)] { return file->next(); }) {}
  // The text has to outlive it.
  Lines(std::string_view text, const std::string& name)
      : name_(escaped_line(name)), pieces_([text]() mutable { return std::exchange(text, {}); }) {}
  // Of a line that is too long only the beginning, longer than allowed, is given.
  bool next(std::string_view& line) {
    line_.clear();
    bool found = false;
    for (;;) {
      if (piece_.empty()) piece_ = pieces_();
      if (piece_.empty()) break;
      found = true;
      const std::size_t end = piece_.find('\n');
      line_ += piece_.substr(0, std::min(end, kMostLineBytes + 2 - std::min(line_.size(), kMostLineBytes + 1)));
      piece_.remove_prefix(std::min(piece_.size(), end == piece_.npos ? end : end + 1));
      if (end != piece_.npos) break;
    }
    line = line_;
    if (!found) return false;
    if (number_++ == 0 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);  // a mark of the byte order
    if (line.ends_with('\r')) line.remove_suffix(1);
    return true;
  }
  std::string place() const { return name_ + ":" + std::to_string(number_) + ": "; }
  const std::string& name() const { return name_; }
  Index number() const { return number_; }  // lines given so far

 private:
  std::string name_, line_;
  std::function<std::string_view()> pieces_;  // the next bytes; none: it is at its end
  std::string_view piece_;
  Index number_ = 0;
};

// What is wrong with a line, empty: nothing.
std::string fault(std::string_view line) {
  if (line.size() > kMostLineBytes) return "expected at most " + std::to_string(kMostLineBytes) + " bytes, found more";
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t length = code_point_length(line, at);
    if (length == 0) return "expected UTF-8, found another encoding at byte " + std::to_string(at + 1);
    at += length;
  }
  return {};
}

class Reader {
 public:
  explicit Reader(bool skip) : skip_(skip) {}

  PairLines one_text(Lines lines) {
    for (std::string_view line; lines.next(line);) {
      if (line.empty()) continue;
      std::string problem = fault(line);
      const std::size_t tab = line.find('\t');
      if (problem.empty() && tab == std::string_view::npos)
        problem = "expected a tab between source and target, found none";
      if (refuse(problem, lines)) continue;
      const std::string_view rest = line.substr(tab + 1);
      add(line.substr(0, tab), rest.substr(0, rest.find('\t')), lines, lines);
    }
    return std::move(read_);
  }

  PairLines two_files(const std::filesystem::path& source, const std::filesystem::path& target) {
    Lines sources(source), targets(target);
    for (std::string_view a, b;;) {
      const bool more = sources.next(a), too = targets.next(b);
      if (more != too) {
        const Lines &longer = more ? sources : targets, &shorter = more ? targets : sources;
        throw FormatError(shorter.name() + ": expected as many lines as " + longer.name() + " has, found only " +
                          std::to_string(shorter.number()));
      }
      if (!more) return std::move(read_);
      if (refuse(fault(a), sources) || refuse(fault(b), targets)) continue;
      add(a, b, sources, targets);
    }
  }

 private:
  bool refuse(const std::string& problem, const Lines& lines) {
    if (problem.empty()) return false;
    if (!skip_) throw FormatError(lines.place() + problem);
    if (read_.skipped++ == 0) read_.first_skipped = lines.place() + problem;
    return true;
  }
  void add(std::string_view source, std::string_view target, const Lines& sources, const Lines& targets) {
    if (is_blank_text(source) && refuse("expected a source, found an empty text", sources)) return;
    if (is_blank_text(target) && refuse("expected a target, found an empty text", targets)) return;
    read_.pairs.emplace_back(source, target);
    bytes_ += static_cast<double>(sizeof(read_.pairs.back()) + source.size() + target.size());
    if (bytes_ > budget::kPairs)
      throw BudgetError(sources.name() + ": expected at most " + memory_text(budget::kPairs) +
                        " of pairs, found more: train on a part of them");
  }

  bool skip_;
  PairLines read_;
  double bytes_ = 0;
};

}  // namespace

PairLines read_pairs(const std::vector<std::filesystem::path>& files, bool skip_bad_lines) {
  Reader reader(skip_bad_lines);
  if (files.size() == 1) return reader.one_text(Lines(files[0]));
  if (files.size() == 2) return reader.two_files(files[0], files[1]);
  throw UsageError(
      "the task 'pairs' reads one file of \"source TAB target\" lines, or two files whose lines belong "
      "together; got " +
      std::to_string(files.size()) + " files");
}

PairLines read_pair_text(const std::string& text, const std::string& name, bool skip_bad_lines) {
  return Reader(skip_bad_lines).one_text(Lines(text, name));
}

bool is_blank_text(std::string_view text) { return text.find_first_not_of(" \t") == std::string_view::npos; }

}  // namespace headlight
