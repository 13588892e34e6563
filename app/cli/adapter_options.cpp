#include "app/cli/adapter_options.h"

#include "model/core/errors.h"
#include "model/io/formats/adapters/adapter.h"

namespace headlight {

void adapter_options(CLI::App* command, AdapterOptions& options) {
  constexpr double kMost = 10;
  path_option(command, "--adapter", PathKind::folder, options.adapter,
              "folder of an adapter (LoRA) that lies over the model, one of another library");
  number_option(command, "--adapter-scale", options.adapter_scale, -kMost, kMost,
                "how much of the adapter: 0 none, 1 all of it");
}

void lay_adapter(std::string& model, const AdapterOptions& options) {
  if (options.adapter.empty()) return;
  if (model.empty()) throw UsageError("--adapter: expected a MODEL that it lies over");
  model = over_base(model, options.adapter, options.adapter_scale);
}

void lay_adapter(std::vector<std::string>& models, const AdapterOptions& options) {
  if (options.adapter.empty()) return;
  if (models.size() > 2)
    throw UsageError("--adapter: expected one model, or two, the second of them with it, found " +
                     std::to_string(models.size()));
  models.resize(2, models.front());
  lay_adapter(models.back(), options);
}

}  // namespace headlight
