// What an analysis found, with all that has to be said of it, and the files of it.
#pragma once

#include <string>
#include <vector>

#include "model/analysis/bench/numbers.h"
#include "model/core/json_library.h"
#include "model/experiments/experiment.h"

namespace headlight {

struct AnalysisResult {
  Json about = Json::object();      // method, options, target, texts, model, model_hash, seed
  std::vector<NumberArray> arrays;  // every number
  ExperimentTable table;            // what a person reads
  std::vector<std::string> notes;   // a sentence each
};

// The ending chooses: .json (about, arrays as nested lists, table), .npz (arrays; about.json beside them), .csv (the
// table, behind one line "# {about}"). Throws FileError, and UsageError for another ending.
void check_result_ending(const std::string& path);
void write_result(const AnalysisResult& result, const std::string& path);
Json analysis_json(const AnalysisResult& result);
std::vector<NamedTensor> as_tensors(const std::vector<NumberArray>& arrays);

}  // namespace headlight
