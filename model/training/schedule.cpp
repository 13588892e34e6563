#include "model/training/schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/text/nearest.h"

namespace headlight {

namespace {

// Rises in equal steps to 1 at update `warmup`.
double ramp(const ScheduleSettings& s, const ScheduleMoment& now) {
  return s.warmup > 0 ? std::min(1.0, static_cast<double>(now.update) / s.warmup) : 1;
}

double constant(const ScheduleSettings& s, const ScheduleMoment& now) { return s.learning_rate * ramp(s, now); }

double noam(const ScheduleSettings& s, const ScheduleMoment& now) {
  const double step = static_cast<double>(now.update), warmup = s.warmup > 0 ? s.warmup : 4000;
  return s.learning_rate / std::sqrt(s.width) * std::min(1 / std::sqrt(step), step * std::pow(warmup, -1.5));
}

double halve_after(const ScheduleSettings& s, const ScheduleMoment& now) {
  return s.learning_rate * ramp(s, now) *
         std::pow(0.5, static_cast<double>(std::max<Index>(0, now.epoch - s.halve_after)));
}

double plateau(const ScheduleSettings& s, const ScheduleMoment& now) {
  double rate = s.learning_rate, best = std::numeric_limits<double>::infinity();
  for (const double loss : now.held_out) {
    if (loss < best) {
      best = loss;
    } else {
      rate /= s.plateau_divide;
    }
  }
  // A rate that was asked for below the floor stays as it is.
  return std::max(rate, std::min(s.plateau_floor, s.learning_rate)) * ramp(s, now);
}

}  // namespace

const std::vector<ScheduleRow>& schedules() {
  static const std::vector<ScheduleRow> rows = {
      {"constant", "lr · min(1, step/warmup)", "", 0, constant},
      {"noam", "lr · d^−½ · min(step^−½, step · warmup^−3/2)", "Vaswani et al. 2017, eq. 3", 1, noam},
      {"halve_after", "lr · ½^max(0, epoch − halve_after)", "Luong et al. 2015, section 4.1", 0, halve_after},
      {"plateau", "lr / plateau_divide for every epoch without a lower held-out loss, at least plateau_floor",
       "Gehring et al. 2017, section 4.2", 0, plateau}};
  return rows;
}

const ScheduleRow& find_schedule(const std::string& name) { return row_named(schedules(), name, "schedule"); }

}  // namespace headlight
