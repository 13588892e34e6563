// Recorded trainings at a moment of each: what the expressions of trainings speak of.
#pragma once

#include <memory>
#include <vector>

#include "model/recording/recording.h"

namespace headlight {

struct ShownTraining {
  std::vector<std::shared_ptr<const Recording>> runs, thin;
  std::vector<int> moments;  // one for each of the runs
  int probe = 0;
  int side = 0;  // of the runs: the one that is asked

  const Recording& run() const { return *runs[static_cast<std::size_t>(side)]; }
  int moment() const { return moments[static_cast<std::size_t>(side)]; }
  const Moment& now() const { return run().at(moment()); }
};

}  // namespace headlight
