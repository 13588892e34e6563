// The words and numbers of a recording as JSON; attention and weights stand beside it (recording_file.h).
#pragma once

#include <string>

#include "model/core/json_library.h"
#include "model/recording/recording.h"

namespace headlight {

inline constexpr std::size_t kMostMoments = 4096, kMostProbes = 64, kMostMaps = 4096, kMostTokens = 4096;

Json recording_json(const Recording& recording);
// Probes, moments and maps without attention and weights. `name` stands for the file in messages. Throws FormatError.
Recording read_recording_json(const std::string& text, const std::string& name);

}  // namespace headlight
