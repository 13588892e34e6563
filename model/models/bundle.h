// A model with all that it takes to run it on a text.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/models/model.h"
#include "model/text/text_rules.h"

namespace headlight {

class StoredRuns;  // model/decode/run.h

// How a model chooses what it writes where that is not simply the most probable token (generation_config.json of other
// libraries). Immutable.
class NextToken {
 public:
  virtual ~NextToken() = default;
  // Among logits [V], behind `fed`: all that the decoder has read, `prompt` of it given. `source` is what an encoder
  // read (empty: none), `count` the tokens that are written at most.
  virtual TokenId choose(const Tensor& logits, const std::vector<TokenId>& fed, std::size_t prompt,
                         const std::vector<TokenId>& source, std::size_t count) const = 0;
  virtual bool ends(TokenId id) const = 0;
};

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
  std::shared_ptr<const NextToken> next_token;  // null: the most probable one
  // Runs that somebody else made and stored: `model` has no weights then, and says only what shape they are of.
  std::shared_ptr<const StoredRuns> stored;
  // What stands on top of a model of another library, put on a variant of it too; empty: nothing does.
  std::function<std::shared_ptr<const Model>(std::shared_ptr<const Model>)> on_top;

  const Vocabulary& source_vocabulary() const { return text.source.vocabulary(); }
  const Vocabulary& target_vocabulary() const { return text.target.vocabulary(); }
};

}  // namespace headlight
