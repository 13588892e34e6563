// Budgets: what one request may ask of the machine. The sizes are computed first, so that a number that somebody
// mistyped, or a file that was made to hurt, is refused before memory and minutes are spent on it.
#pragma once

#include <string>

#include "model/core/errors.h"

namespace headlight {

// Bytes. Each is several times what the largest everyday request takes.
namespace budget {
inline constexpr double kDrawnWeights = 1e9;  // new weights; training keeps four numbers for each
inline constexpr double kWeights = 32e9;      // weights that are read from a file
inline constexpr double kOnTop = 1e9;         // weights of what stands on top of a model
inline constexpr double kBeam = 0.5e9;        // what a beam search keeps of its hypotheses
inline constexpr double kTold = 1e9;          // what a run tells of choosing its tokens
inline constexpr double kTrace = 4e9;         // the values of one run
inline constexpr double kPairs = 0.5e9;       // the texts of a training
inline constexpr double kUnpacked = 0.25e9;   // what a small packed file may become
}  // namespace budget

struct BudgetError : UsageError {
  using UsageError::UsageError;
};

// "850 kB", "4.2 GB"
std::string memory_text(double bytes);

// Throws BudgetError, "WHAT takes 4.2 GB of memory, at most 1.0 GB are taken: INSTEAD", when `bytes` are more than
// `most`.
void within_budget(double bytes, double most, const std::string& what, const std::string& instead);

}  // namespace headlight
