#include "app/jobs/model_loader.h"

#include <utility>

#include "widgets/base/utf8_text.h"

namespace headlight {

std::shared_ptr<const ModelBundle> ModelLoader::open(const std::string& name_or_folder, const CancelToken& cancel) {
  return load_model(name_or_folder, {{}, cancel});
}

ModelLoader::ModelLoader(Loader loader, QObject* parent)
    : QObject(parent),
      loader_(std::move(loader)),
      latest_([this](const std::shared_ptr<const ModelBundle>& model) { emit loaded(model); },
              [this](const QString& message, bool) { emit failed(message); }) {}

void ModelLoader::load(const QString& name_or_folder) {
  latest_.start(
      [name = bytes_of(name_or_folder), loader = loader_](const CancelToken& cancel) { return loader(name, cancel); });
}

}  // namespace headlight
