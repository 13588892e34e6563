// How the parts of a state lie on the bed of its lane. The positive ones fill it: what comes from other lanes on top,
// in the order of the text, then what is carried on, at the bottom what the step writes itself.
#pragma once

#include <functional>

#include "model/analysis/living_map.h"

namespace headlight {

// One piece of a bed.
struct StackPiece {
  int part = -1;
  Index column = -1;         // of a dense part
  int from = -1;             // lane; -1: none
  double top = 0, size = 0;  // parts of the bed, 0 .. 1
};

class LivingStack {
 public:
  // `plain`: ribbons as wide as the weights are (the mean of the heads) instead of shares.
  explicit LivingStack(std::shared_ptr<const LivingMap> map, bool plain = false);

  // Of the state of `row`, from the top; pieces of nothing are left out.
  void each(int station, Index row, const std::function<void(const StackPiece&)>& piece) const;
  StackPiece piece(int station, Index row, int part, Index column) const;
  bool plain() const { return plain_; }

 private:
  double value(int station, int part, Index row, Index column) const;
  bool flows(const LivingPart& part) const;

  std::shared_ptr<const LivingMap> map_;
  bool plain_;
  std::vector<std::vector<int>> order_;       // by station: its parts from the top
  std::vector<std::vector<double>> scale_;    // by station and row
  std::vector<std::vector<Tensor>> weights_;  // plain: by station and part
  std::vector<bool> weighed_;                 // by station: it has such
};

// Whether a part brings something from other lanes.
bool crosses(const LivingMap& map, const LivingStation& station, const LivingPart& part);
// What is seen most of a flow: dense pieces and others that cross from lane to lane, the strongest first.
std::vector<LivingShare> strongest_ribbons(const LivingMap& map, const LivingFlow& flow, std::size_t most,
                                           double least);
// Of a piece, 0 .. 1 of the output.
double flow_of(const LivingFlow& flow, const LivingShare& share);
// Where a ribbon comes from and where it goes; -1: no lane.
struct RibbonEnds {
  int from = -1, to = -1;
};
RibbonEnds ribbon_ends(const LivingMap& map, const LivingShare& share);

}  // namespace headlight
