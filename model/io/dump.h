// Traces as files for other programs.
#pragma once

#include <filesystem>

#include "model/core/json_library.h"
#include "model/trace/trace.h"

namespace headlight {

// Writes every site of the trace, in the order of computation, atomically. The ending chooses the format:
//   .safetensors  all values in float32 (float64 in a double build), `about` as metadata (what is no text as JSON)
//   .npz          the same for numpy.load; `about` is its entry about.json
//   .json         {"about": about, site: {"shape": [...], "axes": [...], "values": nested lists}}; NaN and infinities
//   as texts .csv          one row a number: site,i,j,k,value
// Throws FileError, and UsageError for another ending.
void dump_trace(const Trace& trace, const std::filesystem::path& path, const Json& about = Json::object());

}  // namespace headlight
