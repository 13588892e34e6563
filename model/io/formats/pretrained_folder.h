// Folders as save_pretrained writes them and as the hub's cache holds them.
#pragma once

#include "model/io/formats/format.h"

namespace headlight {

Format pretrained_format();

}  // namespace headlight
