// What two runs beside each other differ in, in words. Everything follows from their numbers and settings; one run of
// each setting never proves anything about a setting: seeds of one model differ as much (lab/README.md).
#pragma once

#include <QString>
#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "app/lab/lab_shown.h"
#include "model/recording/story.h"

namespace headlight {

// What stands beside each other.
struct RunsCompared {
  std::array<LabShown::Run, 2> runs;
  std::array<int, 2> moments = {};
  // What was asked, and what each made of it at its moment; null: nothing, or it is not known yet.
  std::array<const Probe*, 2> probes = {};
  std::array<const ProbeRun*, 2> tried = {};
  int map = 0;
  LabShown::Together together = LabShown::Together::same_moment;
  bool one_run = false;             // two moments of the same
  std::vector<LabShown::Run> thin;  // others of the same settings, with other seeds

  const Recording& run(int side) const { return *runs[static_cast<std::size_t>(side)]; }
  const Moment& now(int side) const { return run(side).at(moments[static_cast<std::size_t>(side)]); }
  const ProbeRun* shown(int side) const { return tried[static_cast<std::size_t>(side)]; }
  bool same_sentence() const;  // both were asked it
};

inline constexpr double kSquareDiffers = 0.25, kSameScore = 0.95;
inline constexpr int kSeedsNeeded =
    3;  // of each setting: by chance, all of the one lie above all of the other in 1 of 20 cases

struct TwoRunsSaid {
  QString text;             // one or more sentences
  QString most;             // the part of it that names the squares that differ most
  bool more_seeds = false;  // one run each says nothing about what differs; more are offered
};

ProbeDifference squares_between(const RunsCompared& compared);
TwoRunsSaid two_runs_said(const RunsCompared& compared, const ProbeDifference& difference);
// The seeds with which the setting of a side was trained to its end, and measured: its own run and thin ones.
std::set<std::uint64_t> whole_seeds(const RunsCompared& compared, int side);
// Of a square: "gesehen", "saw".
QString row_word(const RunsCompared& compared, int row);
QString column_word(const RunsCompared& compared, int column);

struct SideHeading {
  QString name;   // what differs first: "Seed 1"
  QString what;   // "additive score, Bahdanau 2015", "the same in everything else"
  QString state;  // "97 % right after 10,560"
};
SideHeading side_heading(const RunsCompared& compared, int side);

}  // namespace headlight
