// Settings of the command line, and the warnings that belong to them.

#include "app/overrides.h"

#include "app/messages.h"
#include "model/models/variant.h"

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
  Json wanted = Json::object();
  for (const std::string& text : settings) {
    auto [key, value] = parse_setting(text);
    wanted[key] = std::move(value);
  }
  std::shared_ptr<const ModelBundle> changed;
  try {
    changed = variant(bundle, wanted);
  } catch (const UsageError& error) {
    throw UsageError(std::string("--set: ") + error.what());
  } catch (const FormatError& error) {
    throw FormatError(std::string("--set: ") + error.what());
  }
  if (!changed->trained) return changed;
  auto warned = std::make_shared<ModelBundle>(*changed);
  const Json& before = bundle->model->config();
  for (const auto& [key, value] : wanted.items())
    if (before[key] != value)
      warned->warnings.push_back("--set: the weights were trained with " + key + "=" + before[key].dump() +
                                 ", this run uses " + value.dump() + "; expect other outputs");
  for (const std::string& parameter : changed->untrained)
    warned->warnings.push_back("--set: this run needs " + parameter +
                               ", which was never trained: it holds random numbers");
  return warned;
}

void warn(const ModelBundle& bundle) {
  for (const std::string& warning : bundle.warnings) say("headlight: warning: " + warning);
}

}  // namespace headlight
