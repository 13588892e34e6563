// Model folders: config.json, model.safetensors, vocabulary.json, README.md (model card), verify.safetensors.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/io/safetensors.h"
#include "model/models/model.h"
#include "model/text/vocabulary.h"

namespace headlight {

// Everything that running a model needs. Immutable once loaded; shared by jobs.
struct ModelBundle {
  std::string name;                // of the folder
  std::filesystem::path folder;
  std::shared_ptr<const Model> model;
  Vocabulary source_vocabulary, target_vocabulary;
  std::string title;               // one line for the picker: "Dates, attention"
  std::string description;         // what it does, for a newcomer
  std::string task;                // what it was trained on: "date"; empty when unknown
  int order = 0;                   // place among the bundled models
  std::vector<std::string> examples;  // sources to start from; the first one is shown at start
  // How texts become tokens (config.json "text"): sources shorter than `source_width` are padded with spaces; targets
  // start with `bos` and end after `target_length` tokens (or with `eos`, if the vocabulary has one).
  Index source_width = 0;
  Index target_length = 0;
  TokenId bos = 0;
  std::optional<TokenId> eos;
  std::vector<std::string> warnings;  // for example "decoder.affine.W contains 3 NaN values; ..."
};

// Opens a folder, or a bundled model by its name. Throws FileError or FormatError; the text names file, expected, found.
std::shared_ptr<const ModelBundle> load_model(const std::string& name_or_folder);

// Writes config.json, model.safetensors, vocabulary.json and, unless `card` is empty, README.md into the folder, which is
// made if need be. Each file is whole or as it was; config.json comes last, so that a folder that was interrupted does not
// look like a model. Throws FileError.
void save_model(const std::filesystem::path& folder, const ModelBundle& bundle, const std::string& card,
                StorageType type);

// Folders of the bundled models, in the order of the lesson (plain, peeky, attention, addition).
std::vector<std::filesystem::path> bundled_models();

// vocabulary.json: {"source": [...], "target": [...]}.
struct VocabularyPair {
  Vocabulary source, target;
};
VocabularyPair load_vocabularies(const std::filesystem::path& path);
void save_vocabularies(const std::filesystem::path& path, const Vocabulary& source, const Vocabulary& target);

}  // namespace headlight
