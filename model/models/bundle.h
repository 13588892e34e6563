// A model with all that it takes to run it on a text.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/models/model.h"
#include "model/text/vocabulary.h"

namespace headlight {

// Everything that running a model needs. Immutable once loaded; shared by jobs.
struct ModelBundle {
  std::string name;  // of the folder
  std::filesystem::path folder;
  std::shared_ptr<const Model> model;
  Vocabulary source_vocabulary, target_vocabulary;
  std::string title;                  // one line for the picker: "Dates, attention"
  std::string description;            // what it does, for a newcomer
  std::string task;                   // what it was trained on: "date"; empty when unknown
  int order = 0;                      // place among the bundled models
  std::vector<std::string> examples;  // sources to start from; the first one is shown at start
  // How texts become tokens (config.json "text"): sources shorter than `source_width` are padded with spaces; targets
  // start with `bos` and end after `target_length` tokens (or with `eos`, if the vocabulary has one).
  Index source_width = 0;
  Index target_length = 0;
  TokenId bos = 0;
  std::optional<TokenId> eos;
  std::vector<std::string> warnings;  // for example "decoder.affine.W contains 3 NaN values; ..."
};

}  // namespace headlight
