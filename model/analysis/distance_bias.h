// What is added to the scores of each head by the distance of a key alone: learned (Raffel et al. 2020), or straight
// lines of slopes (Press et al. 2022).
#pragma once

#include <vector>

#include "model/decode/run.h"

namespace headlight {

struct DistanceBias {
  bool decoder = false;
  bool slopes = false;            // straight lines, of which only differences count: 0 at the own token
  std::vector<double> distances;  // of a key from the token that looks, ascending
  Tensor values;                  // [H x distances]

  Index heads() const { return values.dim(0); }
  double at(Index head, std::size_t distance) const {
    return static_cast<double>(values[head * values.columns() + static_cast<Index>(distance)]);
  }
};

// Of the encoder and of the decoder, from the first layer that has one; empty where nothing is added, or the run did
// not record it.
std::vector<DistanceBias> distance_biases(const Result& result);

}  // namespace headlight
