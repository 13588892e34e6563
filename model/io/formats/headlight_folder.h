// Headlight's own folder: config.json, model.safetensors, vocabulary.json, README.md (model card), verify.safetensors.
#pragma once

#include "model/io/formats/format.h"

namespace headlight {

Format headlight_format();

}  // namespace headlight
