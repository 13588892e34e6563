// The values of a computation map as a table: for screen readers, copying, and files.
#pragma once

#include <memory>

#include "model/analysis/flow.h"
#include "widgets/tables/table.h"

namespace headlight {

class MapTable : public ColumnTable {
  Q_OBJECT
 public:
  // One row for each value that the map shows, in the order of computation.
  void set_flow(const std::shared_ptr<const Trace>& trace, const Flow& flow);
};

}  // namespace headlight
