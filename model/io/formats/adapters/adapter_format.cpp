#include "model/io/formats/adapters/adapter_format.h"

#include "model/core/effort.h"
#include "model/io/file.h"
#include "model/io/formats/adapters/adapted_file.h"
#include "model/io/formats/pretrained/pretrained_folder.h"
#include "model/io/formats/pretrained/pretrained_models.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/io/formats/weight_files.h"
#include "model/io/json_file.h"
#include "model/models/registry.h"
#include "model/models/variant.h"
#include "model/text/message_line.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

std::string why_not_alone(const fs::path& folder) {
  const Json config = read_python_json(snapshot_of(folder) / kAdapterConfig, 16u << 20);
  const std::string base = config.is_object() ? text_at(config, "base_model_name_or_path") : std::string();
  return std::string(kAdapterConfig) + ": this is an adapter" + (base.empty() ? "" : " of " + base) +
         ", not a whole model: open the model that it lies over, with --adapter and this folder";
}

[[noreturn]] void refuse_alone(const fs::path& folder) {
  throw FormatError(folder.string() + ": " + why_not_alone(folder));
}

// What keeps it from being opened does not keep anybody from looking at its tensors.
Contents contents(const fs::path& folder) {
  Contents found{nullptr, false, why_not_alone(folder)};
  try {
    const auto adapter = std::make_shared<const Adapter>(folder);
    found.tensors = with_changes(adapter);
    for (const std::string& key : adapter->config().unknown())
      found.notes.push_back("the setting \"" + key + "\" of " + kAdapterConfig + " is not known, and not used");
  } catch (const FormatError& error) {
    found.notes.emplace_back(error.what());
    found.tensors = open_weight_file(Adapter::files(folder).back());
  }
  return found;
}

std::shared_ptr<const ModelBundle> open_alone(const fs::path& folder, const Opening&) { refuse_alone(folder); }
ModelDescription describe_alone(const fs::path& folder) { refuse_alone(folder); }
ModelCard card(const fs::path&) { return {}; }

// The base has to be there, and of a format that adapters are made for.
const Format& format_of_base(const AdaptedPlace& place) {
  std::error_code none;
  const Format* format = format_of(place.base);
  if (!format && !fs::exists(place.base, none)) throw FileError("there is no model folder " + place.base.string());
  const std::string id = format ? format->id : "";
  if (id == "adapter") refuse_alone(place.base);
  if (id != "pretrained" && id != "gguf")
    throw FormatError(place.base.string() +
                      ": no adapter can lie over it: expected a folder of save_pretrained, or a GGUF file");
  return *format;
}

bool is_adapted(const fs::path& path) { return adapted_place(path).has_value(); }

Contents contents_over(const fs::path& path) {
  const AdaptedPlace place = *adapted_place(path);
  Contents found = format_of_base(place).contents(place.base);
  const auto adapter = std::make_shared<const Adapter>(place.adapter);
  if (!found.runs) return found;
  // The file that is looked at lives as long as what it is made of.
  struct Parts {
    LibraryFiles base;
    std::shared_ptr<const Adapter> adapter;
    AdaptedFile adapted;
  };
  LibraryFiles base = library_files(place.base);
  AdaptedFile file = over(*base.tensors, base.config, *adapter, place.base.string());
  const auto parts = std::make_shared<const Parts>(Parts{std::move(base), adapter, std::move(file)});
  const std::shared_ptr<const AdaptedFile> adapted(parts, &parts->adapted);
  found.tensors = with_changes(adapted, adapter->config());
  found.notes.insert(found.notes.end(), adapted->notes().begin(), adapted->notes().end());
  for (const std::string& key : adapter->config().unknown())
    found.notes.push_back("the setting \"" + key + "\" of " + kAdapterConfig + " is not known, and not used");
  return found;
}

std::shared_ptr<const ModelBundle> open_over(const fs::path& path, const Opening& opening) {
  const AdaptedPlace place = *adapted_place(path);
  format_of_base(place);
  opening.report(0);
  const std::string full = over_base(place.base, place.adapter);
  auto bundle =
      std::make_shared<ModelBundle>(*pretrained_bundle(place.base, open_pretrained(full, opening.cancel), {}, opening));
  bundle->folder = full;
  bundle->name = bundle->title = bundle->name + " + " + escaped_line(last_part(place.adapter));
  return variant(std::move(bundle), Json{{kAdapterStrength, place.strength}});
}

ModelDescription describe_over(const fs::path& path) { return described_opened(*open_over(path, {})); }

std::vector<fs::path> files_over(const fs::path& path) {
  const AdaptedPlace place = *adapted_place(path);
  std::vector<fs::path> files = format_of_base(place).files(place.base);
  for (const fs::path& file : Adapter::files(place.adapter)) files.push_back(file);
  return files;
}

}  // namespace

bool is_adapter(const fs::path& path) {
  try {
    return is_there(snapshot_of(path) / kAdapterConfig);
  } catch (const Error&) {
    return false;
  }
}

Format adapter_format() {
  return {"adapter",      "adapter", "a folder with adapter_config.json and adapter_model.safetensors",
          true,           false,     "",
          is_adapter,     contents,  open_alone,
          describe_alone, card,      Adapter::files};
}

Format adapted_format() {
  return {"adapted",
          "model with an adapter",
          "a model and the folder of an adapter",
          false,
          true,
          "",
          is_adapted,
          contents_over,
          open_over,
          describe_over,
          card,
          files_over};
}

}  // namespace headlight
