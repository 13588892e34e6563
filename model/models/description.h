// A model as its folder describes it; its weights are not read.
#pragma once

#include <memory>

#include "model/models/bundle.h"

namespace headlight {

struct ModelDescription {
  std::shared_ptr<const ModelBundle> bundle;  // without a model
  ModelTraits traits;
};

}  // namespace headlight
