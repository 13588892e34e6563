// What every file with the numbers of a run says about it.
#pragma once

#include "model/core/json.h"
#include "model/decode/run.h"

namespace headlight {

// model, source, second, output, and the texts of the tokens: `tokens` that were read, `written` ones.
Json about_run(const Result& result);

}  // namespace headlight
