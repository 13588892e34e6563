#include "model/training/tasks/own/text_files.h"

#include <algorithm>
#include <string_view>

#include "model/core/budget.h"
#include "model/text/message_line.h"
#include "model/text/utf8.h"
#include "model/training/tasks/own/packed_file.h"
#include "model/training/tasks/own/text_task.h"

namespace headlight {

namespace {

// All bytes of a file, at most `room` of them.
std::string bytes_within(const std::filesystem::path& path, std::size_t room) {
  PackedFile file(path);
  std::string text;
  for (std::string_view piece = file.next(); !piece.empty(); piece = file.next()) {
    if (piece.size() > room - text.size())
      throw BudgetError(escaped_line(path.string()) + ": expected at most " + memory_text(kMostTextBytes) +
                        " of text in all files, found more: train on a part of them");
    text += piece;
  }
  return text;
}

// Throws FormatError where a character is broken or is none that texts have.
void check_text(const std::filesystem::path& path, std::string_view text) {
  std::size_t line = 1, begin = 0;
  const auto refuse = [&](const std::string& problem) {
    throw FormatError(escaped_line(path.string()) + ":" + std::to_string(line) + ": " + problem);
  };
  const auto place = [&](std::size_t at) { return " at byte " + std::to_string(at - begin + 1); };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = code_point_length(text, at);
    if (length == 0) refuse("expected UTF-8, found another encoding" + place(at));
    if (text[at] == '\0') refuse("expected a text, found a NUL" + place(at) + " (a file of another kind, or UTF-16?)");
    if (text[at] == '\n') {
      ++line;
      begin = at + 1;
    }
    at += length;
  }
}

// Line ends of all systems as one sign.
std::string with_plain_lines(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    plain += text[i] == '\r' ? '\n' : text[i];
  }
  return plain;
}

}  // namespace

std::vector<std::string> read_texts(const std::vector<std::filesystem::path>& files) {
  if (files.empty()) throw UsageError("the task 'text' needs its files");
  std::vector<std::string> texts;
  std::size_t taken = 0;
  for (const std::filesystem::path& path : files) {
    const std::string bytes = bytes_within(path, kMostTextBytes - taken);
    taken += bytes.size();
    check_text(path, bytes);
    texts.push_back(with_plain_lines(bytes));
    if (texts.back().empty()) throw FormatError(escaped_line(path.string()) + ": expected a text, found an empty file");
  }
  return texts;
}

}  // namespace headlight
