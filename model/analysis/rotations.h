// How a model with rotary positions turns its queries and keys (Su et al. 2021): of one head, every row before and
// after.
#pragma once

#include <string>
#include <vector>

#include "model/decode/run.h"

namespace headlight {

// A self-attention whose queries and keys are turned.
struct RotaryLayer {
  bool decoder = false;
  Index layer = 0, heads = 1;
  bool operator==(const RotaryLayer&) const = default;
};

// One head of it. T rows in the order of the run, each k numbers.
struct RotaryHead {
  Tensor queries, rotated_queries, keys, rotated_keys;  // [T x k]
  std::vector<double> positions;                        // of each row
  std::vector<std::string> tokens;                      // that stand there
  std::vector<double> turns;  // of each pair, as the run computed them: how far it turns from one position to the next
  double factor = 1;          // in front of cosines and sines
  bool neighbours = false;    // pair i is the numbers 2i and 2i + 1, else i and i + the number of pairs
  bool causal = false;        // a query looks at no later key

  Index rows() const { return queries.dim(0); }
  Index size() const { return queries.dim(1); }
  Index pairs() const { return static_cast<Index>(turns.size()); }  // what stands behind them is not turned
  Index first(Index pair) const { return neighbours ? 2 * pair : pair; }
  Index second(Index pair) const { return neighbours ? 2 * pair + 1 : pair + pairs(); }
  struct Pair {
    double a = 0, b = 0;
  };
  Pair pair(const Tensor& rows, Index row, Index pair) const;  // of one of the four above
  // In radians; θ_i = θ^(−2i/k) where nothing is scaled (Su et al. 2021, eq. 15).
  double turn(Index pair) const { return turns[static_cast<std::size_t>(pair)]; }
  // What a pair adds to the dot product of a query and a key that stands `distance` positions after it (eq. 12: the
  // real part of q k* turned by the distance alone).
  double part(Index query, Index key, double distance, Index pair) const;
  double rest(Index query, Index key) const;  // of the numbers that are not turned
  // The whole product, both turned by the positions where they are put (eq. 16).
  double product(Index query, double query_position, Index key, double key_position) const;
  // The same of the rows as the run turned them: the raw score.
  double product(Index query, Index key) const;
};

// How far a pair is turned at each position of a text that ends there: as the model does it, and if nothing were scaled
// for long texts.
struct RotaryAngles {
  Index trained = 0;             // positions that it learned from before it was scaled; 0: not known
  std::string scaling = "none";  // of kRotaryScalingNames
  double factor = 1;             // how much longer texts become; 0: by a factor for each pair
  std::vector<double> positions, plain, scaled;
};
// At so many positions, from 0 to four times the trained ones, or to `last` if that is farther.
RotaryAngles rotary_angles(const Result& result, const RotaryLayer& layer, Index pair, Index last, Index points);

// Whether the model turns queries and keys; cheap.
bool is_rotary(const Result& result);
// Empty where there are none, or the run did not record them.
std::vector<RotaryLayer> rotary_layers(const Result& result);
// Without rows where the run did not record them.
RotaryHead rotary_head(const Result& result, const RotaryLayer& layer, Index head);

}  // namespace headlight
