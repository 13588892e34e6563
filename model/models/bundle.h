// A model with all that it takes to run it on a text.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "model/models/model.h"
#include "model/text/text_rules.h"

namespace headlight {

// Everything that running a model needs. Immutable once loaded; shared by jobs.
struct ModelBundle {
  std::string name;  // of the folder
  std::filesystem::path folder;
  std::shared_ptr<const Model> model;
  TextRules text;                     // how texts become tokens (config.json "text", vocabulary.json)
  std::string title;                  // one line for the picker: "Dates, attention"
  std::string description;            // what it does, for a newcomer
  std::string task;                   // what it was trained on: "date"; empty when unknown
  int order = 0;                      // place among the bundled models
  std::vector<std::string> examples;  // sources to start from; the first one is shown at start
  std::vector<std::string> warnings;  // for example "decoder.affine.W contains 3 NaN values; ..."
  // Of a model whose settings were changed after its training (models/variant.h): as it was trained, and the parameters
  // that only the change asks for, which hold random numbers.
  std::shared_ptr<const ModelBundle> trained;
  std::vector<std::string> untrained;

  const Vocabulary& source_vocabulary() const { return text.source.vocabulary(); }
  const Vocabulary& target_vocabulary() const { return text.target.vocabulary(); }
};

}  // namespace headlight
