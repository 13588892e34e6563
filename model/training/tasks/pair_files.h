// Reading files of sentence pairs: strangers' text, line by line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/training/tasks/task.h"

namespace headlight {

struct PairLines {
  std::vector<std::pair<std::string, std::string>> pairs;
  Index skipped = 0;          // bad lines
  std::string first_skipped;  // "FILE:17: expected a tab between source and target, found none"
};

// One file with "source TAB target" lines (further columns are ignored, and so are empty lines), or two files whose
// lines belong together; packed ones (.gz) as well. A line that has no tab, an empty side, broken UTF-8 or more than 16
// KiB is a FormatError with file and line, or is counted and left out.
PairLines read_pairs(const std::vector<std::filesystem::path>& files, bool skip_bad_lines);

}  // namespace headlight
