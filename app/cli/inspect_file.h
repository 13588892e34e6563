// 'headlight inspect' of what does not run: a file of weights, or the folder of a model that was trained elsewhere.
#pragma once

#include "app/cli/command_line.h"
#include "model/core/json.h"
#include "model/io/formats/format.h"

namespace headlight {

// The format of what is to be inspected when it is none of ours; null for names, folders of ours, and what is of no
// format.
const Format* format_to_inspect(const std::string& path);

// [{"name", "shape", "count", "dtype", "bytes"}], with "shares_with" where a storage is shared.
Json tensors_json(const TensorFile& file);

// Prints the tensors and why it does not run, and writes the dump. Throws Error.
int inspect_contents(const Format& format, const InspectCommand& command);

// Writes every tensor to an npz. Throws Error, also for another ending.
void dump_tensors(const TensorFile& file, const std::string& path);

}  // namespace headlight
