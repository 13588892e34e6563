#include "model/io/text_file.h"

#include <algorithm>
#include <sstream>

#include "model/core/ascii.h"
#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/text/utf8.h"

namespace headlight {

namespace {

constexpr std::string_view kWhite = " \t\r\n", kByteOrderMark = "\xef\xbb\xbf";

struct Packed {
  std::string_view start;
  const char* name;
};
constexpr Packed kPacked[] = {{"\x1f\x8b", "gzip"},        {"PK\x03\x04", "zip"},        {"BZh", "bzip2"},
                              {"\xfd\x37zXZ", "xz"},       {"\x28\xb5\x2f\xfd", "zstd"}, {"7z\xbc\xaf\x27\x1c", "7z"},
                              {"\x04\x22\x4d\x18", "lz4"}, {"Rar!\x1a\x07", "rar"},      {"\x1f\x9d", "compress"}};
// What servers send in place of a file that they do not have, or do not give.
constexpr std::string_view kRefusals[] = {"Entry not found",      "Not Found",
                                          "404: Not Found",       "404 page not found",
                                          "Repository not found", "Invalid username or password",
                                          "Invalid credentials",  "Access to model"};

std::string_view without_front(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  text.remove_prefix(std::min(text.find_first_not_of(kWhite), text.size()));
  return text;
}

bool is_web_page(std::string_view text) {
  constexpr std::size_t kLongestTag = 20;
  const std::string start = lower_ascii(std::string(text.substr(0, kLongestTag)));
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"<!doctype", "<html", "<head", "<body", "<?xml", "<error>"},
      [&](std::string_view tag) { return start.starts_with(tag); });
}

// The line, counted from 1, with the first mark of a merge; 0: there is none.
std::size_t conflict_line(std::string_view text, bool lone_separators) {
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number;
    for (const std::string_view mark : {"<<<<<<< ", "||||||| ", ">>>>>>> "})
      if (line.starts_with(mark) && line.size() > mark.size()) return number;
    if (lone_separators && (line == "=======" || line == "<<<<<<<" || line == ">>>>>>>")) return number;
    at = end + 1;
  }
  return 0;
}

std::string conflict_at(std::size_t line) {
  return "this file has merge conflict marks (line " + std::to_string(line) +
         "): two versions of it were merged and nobody chose; choose one, or fetch the file again";
}

}  // namespace

std::string what_else(std::string_view beginning) {
  const std::string_view text = without_front(beginning);
  if (text.empty()) return "this file is empty; fetch it again";
  if (text.starts_with("version https://git-lfs") || text.starts_with("version https://hawser"))
    return "this is a Git LFS pointer, not the file itself; fetch it with 'git lfs pull'";
  for (const Packed& packed : kPacked)
    if (beginning.starts_with(packed.start))
      return std::string("this file is compressed (") + packed.name + "); unpack it first";
  if (is_web_page(text)) return "this is a web page (HTML), not the file itself; the download went wrong";
  constexpr std::size_t kLongestRefusal = 300;
  if (text.size() <= kLongestRefusal)
    for (const std::string_view refusal : kRefusals)
      if (text.starts_with(refusal))
        return "this is the answer of a server (\"" + std::string(refusal) +
               "\"), not the file itself; the download went wrong";
  if (beginning.starts_with("\xff\xfe") || beginning.starts_with("\xfe\xff"))
    return "this is a text in UTF-16; save it as UTF-8";
  if (beginning.starts_with("<<<<<<< ")) return conflict_at(1);
  return {};
}

void refuse_other_content(std::string_view beginning, const std::string& name) {
  if (const std::string found = what_else(beginning); !found.empty()) throw FormatError(name + ": " + found);
}

std::string what_else_in_text(std::string_view text, bool lone_separators) {
  std::string found = what_else(text);
  const std::size_t line = found.empty() ? conflict_line(text, lone_separators) : 0;
  return line > 0 ? conflict_at(line) : found;
}

std::string read_text_file(const std::filesystem::path& path, std::uint64_t limit) {
  std::string text = read_file(path, limit);
  const std::string name = path.string();
  if (const std::string found = what_else_in_text(text); !found.empty()) throw FormatError(name + ": " + found);
  if (!is_utf8(text)) throw FormatError(name + ": expected a text in UTF-8");
  return text;
}

std::vector<std::string> read_lines(const std::filesystem::path& path, std::uint64_t limit) {
  std::vector<std::string> lines;
  std::istringstream stream(read_text_file(path, limit));
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace headlight
