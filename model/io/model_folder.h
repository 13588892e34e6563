// Model folders: config.json, model.safetensors, vocabulary.json, README.md (model card), verify.safetensors.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "model/io/safetensors.h"
#include "model/models/bundle.h"
#include "model/models/description.h"

namespace headlight {

// Opens a folder, or a bundled model by its name. Throws FileError or FormatError; the text names file, expected,
// found.
std::shared_ptr<const ModelBundle> load_model(const std::string& name_or_folder);

// config.json and vocabulary.json. Throws like load_model, for all but the weights.
ModelDescription describe_model(const std::filesystem::path& folder);

// Writes config.json, model.safetensors, vocabulary.json and, unless `card` is empty, README.md into the folder, which
// is made if need be. Each file is whole or as it was; config.json comes last, so that a folder that was interrupted
// does not look like a model. Throws FileError.
void save_model(const std::filesystem::path& folder, const ModelBundle& bundle, const std::string& card,
                StorageType type);

// Folders of the bundled models, in the order of the lesson (plain, peeky, attention, addition).
std::vector<std::filesystem::path> bundled_models();

// vocabulary.json: {"source": [...], "target": [...]}, of byte-pair encoding also "source_merges" and "target_merges":
// ["t h", "th e</w>", ...].
struct VocabularyPair {
  Vocabulary source, target;
  Merges source_merges, target_merges;
};
VocabularyPair load_vocabularies(const std::filesystem::path& path);
void save_vocabularies(const std::filesystem::path& path, const Tokenizer& source, const Tokenizer& target);

}  // namespace headlight
