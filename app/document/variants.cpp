#include "app/document/variants.h"

#include "app/document/session_file.h"
#include "model/core/json_library.h"
#include "model/io/model_folder.h"
#include "model/models/variant.h"
#include "widgets/base/utf8_text.h"
#include "widgets/views/compare/compare_view.h"

namespace headlight {

namespace {

// The settings that are not as trained.
Json settings_of_variant(const ModelBundle& model) {
  Json changed = Json::object();
  if (!model.trained) return changed;
  const Json& trained = model.trained->model->config();
  for (const auto& [key, value] : model.model->config().items())
    if (!trained.contains(key) || trained.at(key) != value) changed[key] = value;
  return changed;
}

}  // namespace

QVariantList written_variants(const std::vector<CompareVariant>& variants) {
  QVariantList written;
  for (const CompareVariant& variant : variants) {
    const ModelBundle& model = as_trained(*variant.model);
    SessionState state;
    state.model = {QString::fromStdString(model.name), path_text(model.folder), {}, {}};
    state.inputs() = variant.inputs;
    if (variant.model->model) state.settings = settings_of_variant(*variant.model);
    written << QVariantMap{{QStringLiteral("name"), variant.name},
                           {QStringLiteral("run"), QString::fromUtf8(write_session(state, path_text(model.folder)))}};
  }
  return written;
}

std::vector<CompareVariant> read_variants(const QVariantList& written, const std::shared_ptr<const ModelBundle>& open) {
  std::vector<CompareVariant> variants;
  for (const QVariant& each : written) {
    if (variants.size() == CompareView::kMostVariants) break;
    const QVariantMap map = each.toMap();
    try {
      const SessionState state = read_session(map.value(QStringLiteral("run")).toString().toUtf8(), {});
      const std::string folder = bytes_of(state.model.folder);
      std::shared_ptr<const ModelBundle> model = open->folder == folder ? open : load_model(folder);
      variants.push_back(
          {map.value(QStringLiteral("name")).toString().left(80), variant(model, *state.settings), state.inputs()});
    } catch (const Error&) {
      // Its model is gone, or somebody wrote something else there.
    }
  }
  return variants;
}

}  // namespace headlight
