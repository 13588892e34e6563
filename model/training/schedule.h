// Learning rate schedules (models.md 7.3): the rate of an update as a function of what happened before it, so that a
// resumed training goes on with the same rates.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/core/scalar.h"

namespace headlight {

struct ScheduleSettings {
  double learning_rate = 1e-3;  // noam: the factor f
  double warmup = 0;            // updates during which the rate rises; noam: 0 means 4000
  Index halve_after = 5;        // halve_after: epochs before the first halving
  double plateau_divide = 10;   // plateau: what the rate is divided by
  double plateau_floor = 1e-4;  // plateau: the rate never falls below this
  double width = 1;             // noam: d, the width of the model
};

struct ScheduleMoment {
  std::int64_t update = 1;       // number of the update, from 1
  int epoch = 1;                 // number of its epoch, from 1
  std::vector<double> held_out;  // loss on held-out examples after each epoch before this one
};

// A row of the registry: what `--set schedule=NAME` means.
struct ScheduleRow {
  const char* name;
  const char* formula;
  const char* paper;
  double default_factor;  // learning_rate when nobody set it; 0: that of the optimiser
  double (*rate)(const ScheduleSettings&, const ScheduleMoment&);
};

const std::vector<ScheduleRow>& schedules();
const ScheduleRow& find_schedule(const std::string& name);  // throws UsageError

}  // namespace headlight
