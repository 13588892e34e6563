// The options of an adapter, and what they make of a MODEL.
#pragma once

#include <string>
#include <vector>

#include "app/cli/command_line.h"
#include "app/cli/command_line_options.h"

namespace headlight {

void adapter_options(CLI::App* command, AdapterOptions& options);
// The model becomes the path of both (model/io/formats/adapters/adapter.h). Throws UsageError.
void lay_adapter(std::string& model, const AdapterOptions& options);
// Of two that are compared the second; a single one is compared with itself under the adapter.
void lay_adapter(std::vector<std::string>& models, const AdapterOptions& options);

}  // namespace headlight
