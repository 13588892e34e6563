// The windows of local attention (Luong et al. 2015, section 3.2), read from the trace of a run: where each step
// looked, which positions it could see, and what the Gaussian left of their weights.
#pragma once

#include <optional>
#include <vector>

#include "model/analysis/attention_maps.h"

namespace headlight {

// What the slider of a setting starts from and goes back to.
struct WindowSettings {
  Index half_width = 0;  // D
  double sigma = 0;      // of the Gaussian; 0: D / 2
  bool operator==(const WindowSettings&) const = default;
};

// One step. Lists are by position of the run, that is in the order in which the encoder reads.
struct LocalWindowStep {
  double centre = 0;             // p_t, from 0 (eq. 9)
  Index first = 0, last = -1;    // positions of the sentence that may be read, ⌊p_t⌋ − D to ⌊p_t⌋ + D
  std::vector<bool> inside;      // the window, without what is padding
  std::vector<double> before;    // softmax within the window
  std::vector<double> gaussian;  // eq. 10; empty where the reach has none
  std::vector<double> weights;   // before ⊙ gaussian: they add up to less than 1
  bool centre_edited = false;  // the window stands where a person put it
  int centre_entry = -1, before_entry = -1, gaussian_entry = -1, weights_entry = -1;

  double kept() const;  // how much of the weight the Gaussian left
};

struct LocalWindows {
  bool predicted = false;  // local-p: the model says where the window stands; else it moves on by one in each step
  WindowSettings settings, trained;
  double sigma = 0;                    // of the Gaussian, in positions; 0 without one
  std::vector<AttentionToken> tokens;  // by position of the run
  std::vector<AttentionToken> rows;    // by step
  std::vector<LocalWindowStep> steps;
};

// Nothing for a result without local attention or without its trace.
std::optional<LocalWindows> local_windows(const Result& result);

}  // namespace headlight
