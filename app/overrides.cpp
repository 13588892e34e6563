// Makes a second model from the changed configuration and lets it share the weights of the first.

#include "app/overrides.h"

namespace headlight {

std::pair<std::string, Json> parse_setting(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) throw UsageError("--set: expected KEY=VALUE, found '" + text + "'");
  const std::string value = text.substr(equals + 1);
  Json json = Json::parse(value, nullptr, false);
  if (json.is_discarded()) json = value;
  return {text.substr(0, equals), std::move(json)};
}

std::shared_ptr<const ModelBundle> with_settings(std::shared_ptr<const ModelBundle> bundle,
                                                 const std::vector<std::string>& settings) {
  if (settings.empty()) return bundle;
  std::vector<std::string> notes;
  Json config = bundle->model->config();
  for (const std::string& text : settings) {
    auto [key, value] = parse_setting(text);
    if (!config.contains(key)) {
      std::string known;
      for (const auto& item : config.items()) known += (known.empty() ? "" : ", ") + item.key();
      throw UsageError("--set: this model has no setting '" + key + "'; it has " + known);
    }
    if (config[key] != value)
      notes.push_back("--set: the weights were trained with " + key + "=" + config[key].dump() + ", this run uses " +
                      value.dump() + "; expect other outputs");
    config[key] = std::move(value);
  }
  std::shared_ptr<Model> model = make_model(config, {InitialValues::Kind::drawn, 1});
  for (Parameter& parameter : model->parameters().all()) {
    const Tensor* loaded = bundle->model->parameters().find(parameter.name);
    // Another mechanism may use the same name for a matrix of another shape.
    const bool other = loaded && loaded->shape() != parameter.value.shape() && parameter.name.starts_with("attention.");
    if (!loaded || other) {
      notes.push_back("--set: this run needs " + parameter.name + " " + parameter.value.shape().text() +
                      ", which was never trained: it holds random numbers");
      continue;
    }
    if (loaded->shape() != parameter.value.shape())
      throw FormatError("--set: with these settings the model needs " + parameter.name + " " +
                        parameter.value.shape().text() + ", but the file has " + loaded->shape().text());
    parameter.value.array() = loaded->array();
  }
  auto changed = std::make_shared<ModelBundle>(*bundle);
  changed->model = std::move(model);
  changed->warnings.insert(changed->warnings.end(), notes.begin(), notes.end());
  return changed;
}

}  // namespace headlight
