// Lines of text in a column, each as near to its place as the others allow.
#pragma once

#include <algorithm>
#include <vector>

namespace headlight {

// The middles of lines of this height between top and bottom, in the order in which they are wanted (which rises): they
// do not lie on each other, and the sum of weight * (place - wanted)^2 is the least. Where there are too many for the
// room they go on below it.
inline std::vector<double> spread_lines(const std::vector<double>& wanted, const std::vector<double>& weight,
                                        double line, double top, double bottom) {
  // Without their heights the places must not fall: neighbours that would are joined at their mean.
  struct Block {
    double sum, weight;
    std::size_t count;
    double mean() const { return sum / weight; }
  };
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Block last{weight[i] * (wanted[i] - line * static_cast<double>(i)), weight[i], 1};
    while (!blocks.empty() && blocks.back().mean() >= last.mean()) {
      last = {last.sum + blocks.back().sum, last.weight + blocks.back().weight, last.count + blocks.back().count};
      blocks.pop_back();
    }
    blocks.push_back(last);
  }
  const double least = top + line / 2,
               most = std::max(
                   least, bottom - line / 2 - line * static_cast<double>(std::max<std::size_t>(1, wanted.size()) - 1));
  std::vector<double> places;
  for (const Block& block : blocks)
    for (std::size_t i = 0; i < block.count; ++i)
      places.push_back(std::clamp(block.mean(), least, most) + line * static_cast<double>(places.size()));
  return places;
}

}  // namespace headlight
