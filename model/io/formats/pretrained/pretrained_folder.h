// Folders as save_pretrained writes them and as the hub's cache holds them.
//
// Their models run as any other. A plan (pretrained_plan.h) checks configuration and tensors before weights are read;
// 'inspect' asks the same plan, so that it says what 'run' does. A folder becomes a ModelBundle: its tokenizer is an
// OtherTokenizer (pretrained_text.h), what stands on top of its states (classes, labels, answers) a Model around it
// (model_on_top.h), generation_config.json its NextToken; what it says of a text as a whole is of_text, and in_file
// tells the inspector which tensor of the file each parameter is. Two texts are read as one where the tokenizer takes
// pairs (RunInputs::second, type_ids). What the library ties is settled as the library does it (Weights::settle), and
// told (ModelBundle::warnings, Contents::notes).
#pragma once

#include "model/io/formats/format.h"

namespace headlight {

class PretrainedModel;

Format pretrained_format();

// What the program runs of such a model: with its tokenizer, which lies at the same path, or without.
std::shared_ptr<const ModelBundle> pretrained_bundle(const std::filesystem::path& path,
                                                     std::shared_ptr<const PretrainedModel> built,
                                                     const ShownSettings& settings, const Opening& opening);

// What a model is built from: its configurations, and its tensors under the names of the library. Throws Error: why
// there is nothing to build, too.
struct LibraryFiles {
  Json config, generation;
  std::shared_ptr<const TensorFile> tensors;
};
LibraryFiles library_files(const std::filesystem::path& path);

// Models in the hub's cache of this machine (HF_HUB_CACHE, HF_HOME, XDG_CACHE_HOME or the home folder says where), by
// their folders models--ORG--NAME, in the order of their names. Never throws.
std::vector<std::filesystem::path> models_in_hub_cache();
// "ORG/NAME" of such a folder; of any other its last part.
std::string model_name_of(const std::filesystem::path& path);

}  // namespace headlight
