#include "app/document/about_run.h"

#include "model/core/json_library.h"

namespace headlight {

Json about_run(const Result& result) {
  Json about{{"model", result.model->name}, {"source", result.source}, {"output", result.output}};
  if (!result.second.empty()) about["second"] = result.second;
  about["tokens"] = about["written"] = Json::array();
  for (const TextToken& token : result.tokens) about["tokens"].push_back(token.text);
  for (const OutputStep& step : result.steps) about["written"].push_back(step.text);
  return about;
}

}  // namespace headlight
