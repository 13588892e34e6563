// Folders of adapters, which do not run alone, and models with an adapter over them, which do.
#pragma once

#include "model/io/formats/format.h"

namespace headlight {

Format adapter_format();  // of the folder
Format adapted_format();  // of a path "BASE + /ADAPTER"

// Whether a folder is one of an adapter. Never throws.
bool is_adapter(const std::filesystem::path& path);

}  // namespace headlight
