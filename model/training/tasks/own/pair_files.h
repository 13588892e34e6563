// Reading sentence pairs from files or from memory: strangers' text, line by line.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/training/tasks/task.h"

namespace headlight {

inline constexpr std::size_t kMostLineBytes = 16 << 10;

struct PairLines {
  std::vector<std::pair<std::string, std::string>> pairs;
  Index skipped = 0;          // bad lines
  std::string first_skipped;  // "FILE:17: expected a tab between source and target, found none"
};

// One file with "source TAB target" lines (further columns are ignored, and so are empty lines), or two files whose
// lines belong together; packed ones (.gz) as well. A line that has no tab, an empty side, broken UTF-8 or more than 16
// KiB is a FormatError with file and line, or is counted and left out.
PairLines read_pairs(const std::vector<std::filesystem::path>& files, bool skip_bad_lines);
// The same of a text in memory; `name` stands for the file in messages.
PairLines read_pair_text(const std::string& text, const std::string& name, bool skip_bad_lines);

// Nothing but spaces: no text of a pair.
bool is_blank_text(std::string_view text);

}  // namespace headlight
