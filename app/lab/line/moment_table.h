// A training as a table: a row for each moment.
#pragma once

#include <memory>
#include <vector>

#include "model/recording/recording.h"
#include "widgets/tables/table.h"

namespace headlight {

// Columns that nothing was measured for are left out; the last has what the model makes of the probe.
std::vector<ColumnTable::Column> moment_columns(const std::shared_ptr<const Recording>& run, int probe);

}  // namespace headlight
