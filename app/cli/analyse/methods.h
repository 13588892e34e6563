// The methods of 'headlight analyse': each fills in the result of a run.
#pragma once

#include "app/cli/analyse/analysis_run.h"

namespace headlight {

void analyse_summary(AnalysisRun& run);
void analyse_norm(AnalysisRun& run);
void analyse_rollout(AnalysisRun& run);
void analyse_flow(AnalysisRun& run);
void analyse_repeated(AnalysisRun& run);
void analyse_patterns(AnalysisRun& run);
void analyse_rank(AnalysisRun& run);
void analyse_neurons(AnalysisRun& run);
void analyse_similarity(AnalysisRun& run);
void analyse_effect(AnalysisRun& run);
void analyse_align(AnalysisRun& run);
void analyse_number(AnalysisRun& run);

// "5,14", the value of an option. Throws UsageError.
std::vector<Index> places_of_option(const std::string& text, const char* option);

}  // namespace headlight
