// In what the living maps of two runs of one model differ: states, outputs, and what states are made of.
#pragma once

#include "model/analysis/living/map.h"

namespace headlight {

struct LivingDifference {
  std::vector<int> lane_before;  // by lane: the same one of the run before; -1: it had none
  // By station and row: the distance between both states over the length of the longer one, 0 .. 2; NaN: the run before
  // had no such state.
  std::vector<std::vector<double>> states;
  // By lane, of what a step wrote: what the step of the run before wrote, and how sure it was; empty, NaN: it had none.
  struct Output {
    std::string text;
    double probability = 0;
    bool other = false;  // another word, or one point of a hundred more or less sure
  };
  std::vector<Output> outputs;
  // Ribbons, and what steps write, whose share is another one, the largest change first.
  struct Share {
    LivingShare share;
    double before = 0, now = 0;
  };
  std::vector<Share> shares;

  static constexpr double kSame = 1e-3;     // states: what lies below is rounding
  static constexpr double kPoints = 0.03;   // shares
  static constexpr std::size_t kMost = 24;  // shares
  bool state(int station, Index row) const {
    return !states.empty() && states[static_cast<std::size_t>(station)][static_cast<std::size_t>(row)] > kSame;
  }
  bool empty() const;  // nothing is another
};

// Empty lists where the two have not the same stations (another architecture). Of two models that were trained apart
// states are nothing that can be compared: `states` is empty. Lanes are the same where the texts begin or end alike.
LivingDifference living_difference(const LivingMap& now, const LivingMap& before);

}  // namespace headlight
