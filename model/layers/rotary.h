// How far the pairs of a head are turned (Su et al. 2021), and what a model that learned from short texts does with
// longer ones.
#pragma once

#include <string>
#include <vector>

#include "model/core/scalar.h"

namespace headlight {

struct RotaryScaling {
  enum class Kind {
    none,
    linear,    // all positions are pressed together (Chen et al. 2023, eq. 4)
    llama3,    // slow pairs are, quick ones are not (Llama 3.1)
    yarn,      // the same with a ramp between pairs (Peng et al. 2023, section 3.2), and sharper scores
    longrope,  // each pair by a factor of its own, another one for long texts (Ding et al. 2024)
    dynamic,   // a base that grows with the text (Peng et al. 2023, section 3.3), for texts that are longer only
    listed,    // frequencies that stand in the file (ESM-2)
  } kind = Kind::none;
  double factor = 1;           // how much longer texts become
  Index original = 0;          // positions that it learned from; longrope: longer texts take `long_factors`
  double low = 1, high = 4;    // llama3: pairs with fewer and more turns than these are slow and quick
  double slow = 1, fast = 32;  // yarn: turns at both ends of the ramp
  bool truncate = true;        // yarn: the ramp begins and ends at whole pairs
  double attention = 1;        // yarn, longrope: factor of sines and cosines
  double long_attention = 0;   // longrope: the same of longer texts; 0: no other
  std::vector<double> short_factors, long_factors;
  std::vector<double> frequencies;  // listed: of each pair
  double factor_for(Index length) const {
    return kind == Kind::longrope && long_attention > 0 && length > original ? long_attention : attention;
  }
};
inline const std::vector<std::string> kRotaryScalingNames = {"none",     "linear",  "llama3", "yarn",
                                                             "longrope", "dynamic", "listed"};

struct Rotary {
  double theta = 10'000;
  bool neighbours = false;  // turns pairs (2i, 2i+1) instead of (i, i + r/2)
  bool apart = false;       // these are written as (i, i + r/2)
  Index size = 0;           // r: the first numbers of each head that are turned, even
  RotaryScaling scaling;
  // θ in a text of `length` tokens.
  double base(Index length) const;
  // Longer texts have other angles; 0: none have.
  Index longest_usual() const {
    using Kind = RotaryScaling::Kind;
    return scaling.kind == Kind::longrope || scaling.kind == Kind::dynamic ? scaling.original : 0;
  }
  // The angle of one position for each of the r/2 pairs, in a text of `length` tokens.
  std::vector<double> frequencies(Index length) const;
};

}  // namespace headlight
