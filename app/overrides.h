// A loaded model with some of its settings changed for one run ("--set KEY=VALUE").
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/io/model_folder.h"

namespace headlight {

// Splits "KEY=VALUE"; the value is JSON where it parses as JSON, else a string. Throws UsageError.
std::pair<std::string, Json> parse_setting(const std::string& text);

// The same weights under a changed configuration. What the change asks for and the file lacks (the matrix of another
// score function, say) starts at random; the warnings of the bundle say so. Throws UsageError for a setting that does
// not exist, and FormatError where the file has weights outside the attention in another shape.
std::shared_ptr<const ModelBundle> with_settings(std::shared_ptr<const ModelBundle> bundle,
                                                 const std::vector<std::string>& settings);

// What has to be said about a model before it is used, on standard error.
void warn(const ModelBundle& bundle);

}  // namespace headlight
