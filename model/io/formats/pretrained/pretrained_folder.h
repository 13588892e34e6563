// Folders as save_pretrained writes them and as the hub's cache holds them.
#pragma once

#include "model/io/formats/format.h"

namespace headlight {

Format pretrained_format();

// Models in the hub's cache of this machine (HF_HUB_CACHE, HF_HOME, XDG_CACHE_HOME or the home folder says where), by
// their folders models--ORG--NAME, in the order of their names. Never throws.
std::vector<std::filesystem::path> models_in_hub_cache();
// "ORG/NAME" of such a folder; of any other its last part.
std::string model_name_of(const std::filesystem::path& path);

}  // namespace headlight
