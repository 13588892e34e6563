#include "model/models/variant.h"

#include <cmath>

#include "model/models/registry.h"
#include "model/text/nearest.h"

namespace headlight {

namespace {

double strength_in(const Json& config) {
  constexpr double kMost = 10;
  const auto found = config.find(kAdapterStrength);
  if (found == config.end()) return 1;
  if (!found->is_number() || !(std::abs(found->get<double>()) <= kMost))
    throw FormatError(std::string(kAdapterStrength) + ": expected a number from -10 to 10, found " + found->dump());
  return found->get<double>();
}

}  // namespace

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
  const double strength = strength_in(config);
  const bool weaker = bundle->at_strength && strength != strength_in(trained);
  auto changed = weaker ? bundle->at_strength(*bundle, strength) : std::make_shared<ModelBundle>(*bundle);
  if (weaker && changed->model->config() == config) {
    changed->trained = std::move(bundle);
    return changed;
  }
  const ParameterTable weights = changed->model->parameters();
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
  if (changed->on_top) changed->model = changed->on_top(changed->model);
  changed->trained = std::move(bundle);
  return changed;
}

}  // namespace headlight
