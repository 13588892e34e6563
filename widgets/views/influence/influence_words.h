// Names of the layers of a run, as the influence views have them.
#pragma once

#include <QString>

#include "model/analysis/living/map.h"

namespace headlight {

QString layer_of_states(const LivingStation& station);  // "MLP 2", "cell 1 →"
QString layer_of_states_help(const LivingStation& station);

}  // namespace headlight
