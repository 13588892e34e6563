// Trainings that visibly learn within a minute on two cores: what the lab offers to begin with, one row each.
#pragma once

#include <string>
#include <vector>

#include "model/recording/live_training.h"

namespace headlight {

struct Preset {
  const char* name;       // "class-dot": `headlight train --preset NAME`
  const char* title;      // "Attention, dot score"
  const char* line;       // one sentence for a newcomer
  double seconds;         // measured on two cores; docs/lessons.md says with which command
  const char* recording;  // the bundled one that shows the same; empty: there is none
  TrainingSettings (*settings)();
  Probe (*probe)();
};
const std::vector<Preset>& presets();
const Preset& find_preset(const std::string& name);  // throws UsageError

}  // namespace headlight
