// "What am I looking at?": two or three sentences about the model and the panel in front, with their own tokens in it.
// Each sentence follows from the run.
#pragma once

#include <QStringList>

#include "app/window/view_table.h"
#include "widgets/base/selection.h"

namespace headlight {

// Of a run without a trace, or of a panel that is not known: what can be said without. `row`: of the output, whose
// largest weight is told; nothing: the row with the largest of all.
QStringList help_text(const QString& panel, const AnalysedRun* run, std::optional<int> row = std::nullopt);
// "The model ‘Dates, attention’ reads ‘5/3/99’ and writes ‘1999-05-03’."
QString model_sentence(const Result& result);
// "When it wrote ‘1’ (output 6), most of its attention, .98 of 1, went to ‘o’."; empty without attention.
QString weight_sentence(const AnalysedRun& run, std::optional<int> row);

}  // namespace headlight
