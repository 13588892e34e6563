// A grid of symbols and a place: which symbol stands there?
#pragma once

#include "model/training/task.h"

namespace headlight {

Task glimpse_task();  // models.md 8.1: 4 x 4 cells, for hard attention

}  // namespace headlight
