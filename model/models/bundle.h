// A model with all that it takes to run it on a text.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/models/model.h"
#include "model/text/chat.h"
#include "model/text/text_rules.h"
#include "model/trace/trace.h"

namespace headlight {

class StoredRuns;  // model/decode/run.h

// How a model chooses what it writes where that is not simply the most probable token (generation_config.json of other
// libraries). Immutable.
class NextToken {
 public:
  virtual ~NextToken() = default;
  // Keys of generation_config.json: the stages of decode/choosing.h.
  virtual SharedJson settings() const = 0;
  virtual bool ends(TokenId id) const = 0;
};

// What a model says of a text as a whole, beside what it writes.
struct TextVector {
  enum class Kind {
    pooled,    // the vector that a bare encoder makes of the first token
    sentence,  // the embedding of the text
    follows,   // two logits: the second sentence goes on with the first one, or it does not
    score      // one number, of models that give a text or a pair a mark and no class
  };
  Kind kind = Kind::pooled;
  Tensor value;  // [d], [2], or [1]
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
  std::shared_ptr<const ChatFormat> chat;       // null: it has no chat template
  // Runs that somebody else made and stored: `model` has no weights then, and says only what shape they are of.
  std::shared_ptr<const StoredRuns> stored;
  // What stands on top of a model of another library, put on a variant of it too; empty: nothing does.
  std::function<std::shared_ptr<const Model>(std::shared_ptr<const Model>)> on_top;
  // Of a model with an adapter over it, whose setting adapter_strength is 1: the same with so much of it. Empty: none
  // lies over it.
  std::function<std::shared_ptr<ModelBundle>(const ModelBundle& full, double strength)> at_strength;
  // Of its last states of a text [T x d], whose tokens these are; each value goes through the tap too. Empty: nothing.
  std::function<std::vector<TextVector>(const Tensor& states, const std::vector<TokenId>& ids, const Pass& pass)>
      of_text;
  std::vector<NamedTensor> text_parameters;  // its own, "top.pooler.dense.weight"
  // Of weights from a file of somebody else: which of its tensors each parameter is, and what was done with it, as
  // NumPy writes that: "encoder.layer[0].self_attn.W_q" is "bert.encoder.layer.0.attention.self.query.weight.T". Null:
  // ours.
  std::shared_ptr<const std::map<std::string, std::string>> in_file;
  // Of most numbers of that file: "bfloat16". Here all are computed in float32.
  std::string number_type = "float32";

  const Vocabulary& source_vocabulary() const { return text.source.vocabulary(); }
  const Vocabulary& target_vocabulary() const { return text.target.vocabulary(); }
};

}  // namespace headlight
