// A run that was kept under a name, to be compared with later: the model with its settings, and all that the run
// depends on.
#pragma once

#include <QString>
#include <memory>

#include "model/decode/run.h"

namespace headlight {

struct CompareVariant {
  QString name;
  std::shared_ptr<const ModelBundle> model;  // as it ran
  RunInputs inputs;
};

}  // namespace headlight
