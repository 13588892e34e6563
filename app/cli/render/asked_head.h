// --layer, --head, --token and --side: which head a picture shows, and whose row of it is chosen.
#pragma once

#include "app/cli/command_line.h"
#include "widgets/base/selection.h"
#include "widgets/canvas/result_view.h"

namespace headlight {

bool asks_head(const RenderCommand& command);
// As if a person had chosen it there, before the view takes the run. Throws UsageError for a head or token that the run
// does not have.
void choose_asked_head(const RenderCommand& command, const AnalysedRun& run, Selection& selection, ResultView& view);

}  // namespace headlight
