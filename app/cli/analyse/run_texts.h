// 'headlight run --texts': a model on a list of texts, loaded once.
#pragma once

#include "app/cli/command_line.h"
#include "model/decode/run.h"

namespace headlight {

// Prints a line for each text, "text TAB output", or one JSON object; after an interruption those that were done.
int run_texts(const RunCommand& command, const DecodeSettings& decode);

}  // namespace headlight
