#include "app/document/about_run.h"

#include "app/document/model_hash.h"
#include "model/core/errors.h"
#include "model/core/json_library.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

// Empty: of a model that no files make, or that went away meanwhile.
std::string hash_of(const ModelBundle& model) {
  if (model.folder.empty()) return {};
  const QString folder = path_text(model.folder);
  try {
    const auto known = known_model_hash(folder);
    return (known ? *known : model_hash(folder)).toHex().toStdString();
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

Json about_run(const Result& result) {
  Json about{{"model", result.model->name}, {"source", result.source}, {"output", result.output}};
  if (const std::string hash = hash_of(*result.model); !hash.empty()) about["model_hash"] = hash;
  about["seed"] = result.seed;
  if (!result.second.empty()) about["second"] = result.second;
  about["tokens"] = about["written"] = Json::array();
  for (const TextToken& token : result.tokens) about["tokens"].push_back(token.text);
  for (const OutputStep& step : result.steps) about["written"].push_back(step.text);
  return about;
}

Figure with_about(Figure figure, const Result& result, const QString& path) {
  const bool csv = path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive);
  if (!is_table_file(path) || (csv && figure.about.empty())) return figure;
  Json about = about_run(result);
  if (!figure.about.empty()) about.update(Json::parse(figure.about));
  figure.about = about.dump(-1, ' ', false, Json::error_handler_t::replace);
  return figure;
}

}  // namespace headlight
