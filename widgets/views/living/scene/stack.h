// How the parts of a state lie on the bed of its lane. The positive ones fill it: what comes from other lanes on top,
// in the order of the text, then what is carried on, at the bottom what the step writes itself.
#pragma once

#include "model/analysis/living/map.h"

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
  template <class F>
  void each(int station, Index row, F&& piece) const {
    const LivingStation& state = nth(map_->stations, station);
    const double scale = nth(nth(scale_, station), row);
    double top = 0;
    for (const int part : nth(order_, station)) {
      const LivingPart& of = nth(state.parts, part);
      const Scalar* values = row_of(station, part, row);
      const Index columns = of.dense() ? of.columns : 1;
      for (Index k = 0; values && k < columns; ++k) {
        const double size = scale * static_cast<double>(values[k]);
        if (size <= 0) continue;
        const int from = of.dense()             ? of.first_column + static_cast<int>(k)
                         : of.from_lane.empty() ? -1
                                                : nth(of.from_lane, row);
        piece(StackPiece{part, of.dense() ? k : -1, from, top, size});
        top += size;
      }
    }
  }
  StackPiece piece(int station, Index row, int part, Index column) const;
  bool plain() const { return plain_; }

 private:
  const Scalar* row_of(int station, int part, Index row) const;  // null: nothing
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
