// What a configuration says about experts and about latent attention.
#pragma once

#include <optional>

#include "model/layers/experts.h"
#include "model/layers/multi_head_parts.h"
#include "model/models/settings.h"

namespace headlight {

// Of "experts", and of "latent" for heads of `head_size`; nothing where the object is empty. Throw FormatError that
// names the setting.
std::optional<ExpertSettings> read_experts(const Json& config, const FeedForwardSettings& plain, Index layers);
std::optional<LatentSettings> read_latent(const Json& config, Index head_size);

}  // namespace headlight
