// What every file with the numbers of a run says about it.
#pragma once

#include "model/core/json.h"
#include "model/decode/run.h"
#include "widgets/canvas/figure.h"

namespace headlight {

// model and its hash, seed, source, second, output, and the texts of the tokens: `tokens` that were read, `written`
// ones.
Json about_run(const Result& result);
// The same in the numbers of a view, where the file `path` will say it: a plain table of a run as CSV does not.
Figure with_about(Figure figure, const Result& result, const QString& path);

}  // namespace headlight
