// What a recording tells: marks, other changes, where a score was first reached, and how two moments differ.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/recording/recording.h"

namespace headlight {

// From this moment on a word of the probe's output stays as it ends.
struct Mark {
  int moment = 0;
  int token = 0;     // of the output of the last moment
  std::string word;  // "das"
  bool operator==(const Mark&) const = default;
};
// In the order of moments; several words of one moment are several marks. A word that never changes has none. Where the
// training is not yet whole: as the newest moment ends.
std::vector<Mark> marks(const Recording& recording, int probe);
// Moments whose output differs from the one before and that have no mark, rising.
std::vector<int> other_changes(const Recording& recording, int probe);
// The mark before (-1) or after (+1) a moment, as a moment; none: stays.
int next_mark(const Recording& recording, int probe, int moment, int direction);

// The first moment from which `right_unseen` is at least `share`; none: it never was.
std::optional<int> first_at(const Recording& recording, double share);
// The last moment with at most so many examples read.
int moment_at(const Recording& recording, Index read);

// How the pictures of a probe at two moments (of one recording, or of two) differ.
struct ProbeDifference {
  struct Cell {
    int row = 0, column = 0;
    double first = 0, second = 0;
  };
  std::vector<Cell> cells;   // that differ by more than the threshold, in reading order
  std::optional<Cell> most;  // of them
  std::vector<int> words;    // places of the output with other words; also those that one of the two lacks
};
// Rows and columns that one of the two lacks count as 0.
ProbeDifference difference(const ProbeRun& first, const ProbeRun& second, int map, double threshold = 0.25);

// Neither right on held-out examples nor falling in loss after a third of the training (lab/README.md, Errors).
bool does_not_learn(const Recording& recording);
// What differs between two settings, by key, as words of the command line: "seed 1, seed 2"; empty: nothing.
struct SettingDifference {
  std::string key, first, second;
};
std::vector<SettingDifference> setting_differences(const TrainingSettings& first, const TrainingSettings& second);

}  // namespace headlight
