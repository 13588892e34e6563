// Models by name or path, and the folders that this program writes.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "model/io/formats/format.h"
#include "model/io/safetensors.h"

namespace headlight {

// Opens what is at a path (model/io/formats), or a bundled model by its name. Throws FileError or FormatError; the text
// names file, expected, found.
std::shared_ptr<const ModelBundle> load_model(const std::string& name_or_path, const Opening& opening = {});

// Everything but the weights. Throws like load_model.
ModelDescription describe_model(const std::filesystem::path& path);

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
