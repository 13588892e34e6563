#include "app/jobs/model_loader.h"

#include "widgets/base/utf8_text.h"

namespace headlight {

ModelLoader::ModelLoader(QObject* parent)
    : QObject(parent),
      latest_([this](const std::shared_ptr<const ModelBundle>& model) { emit loaded(model); },
              [this](const QString& message, bool) { emit failed(message); }) {}

void ModelLoader::load(const QString& name_or_folder) {
  latest_.start([name = bytes_of(name_or_folder)](const CancelToken& cancel) {
    return load_model(name, {{}, cancel});
  });
}

}  // namespace headlight
