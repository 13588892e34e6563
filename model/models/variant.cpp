#include "model/models/variant.h"

#include "model/models/registry.h"
#include "model/text/nearest.h"

namespace headlight {

std::shared_ptr<const ModelBundle> variant(std::shared_ptr<const ModelBundle> bundle, const Json& settings) {
  if (bundle->trained) bundle = bundle->trained;
  const Json& trained = bundle->model->config();
  Json config = trained;
  for (const auto& [key, value] : settings.items()) {
    if (!config.contains(key)) {
      std::vector<std::string> known;
      for (const auto& item : config.items()) known.push_back(item.key());
      throw UsageError("this model has no setting '" + key + "'" + did_you_mean_or("it has ", key, known));
    }
    config[key] = value;
  }
  if (config == trained) return bundle;
  if (bundle->stored) throw UsageError("this attention was stored: nothing is computed that a setting could change");
  const ParameterTable& weights = bundle->model->parameters();
  auto changed = std::make_shared<ModelBundle>(*bundle);
  std::shared_ptr<Model> model = make_model(config, {InitialValues::Kind::drawn, 1, &weights});
  for (const Parameter& parameter : model->parameters().all()) {
    const Tensor* loaded = weights.find(parameter.name);
    if (loaded && loaded->shape() == parameter.value.shape()) continue;
    // Another mechanism may use the same name for a matrix of another shape.
    if (loaded && !parameter.name.starts_with("attention."))
      throw FormatError("with these settings the model needs " + parameter.name + " " + parameter.value.shape().text() +
                        ", but the file has " + loaded->shape().text());
    changed->untrained.push_back(parameter.name + " " + parameter.value.shape().text());
  }
  changed->model = std::move(model);
  if (bundle->on_top) changed->model = bundle->on_top(changed->model);
  changed->trained = std::move(bundle);
  return changed;
}

}  // namespace headlight
