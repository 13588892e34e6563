// "What am I looking at?": two or three sentences about the model and the panel in front, with their own tokens in it.
// Each sentence follows from the run.
#pragma once

#include <QStringList>
#include <optional>

#include "app/stage/view_table.h"
#include "widgets/canvas/captioned.h"

namespace headlight {

// Of a run without a trace, or of a panel that is not known: what can be said without. `shown`: the panel itself; null:
// what it shows is not known. `step`: of the output, whose largest weight is told; nothing: the row with the largest.
QStringList help_text(const QString& panel, const AnalysedRun* run, const Captioned* shown = nullptr,
                      std::optional<int> step = std::nullopt);
// "The model ‘Dates, attention’ reads ‘5/3/99’ and writes ‘1999-05-03’."
QString model_sentence(const Result& result);
// "When it wrote ‘1’ (output 6), ‘o’ got 0.98 of its attention (layer 2 · head 1)."; empty where nothing is shared out.
QString weight_sentence(const ShownAttention& shown, std::optional<int> step);

}  // namespace headlight
