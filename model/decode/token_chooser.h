// Which token a run writes next: what is forced, drawn or the most probable one, by the rules that a model brings
// (ModelBundle::next_token) or those of the request, and what each stage of that did.
#pragma once

#include <optional>
#include <vector>

#include "model/core/random.h"
#include "model/decode/run.h"
#include "model/decode/writing.h"

namespace headlight {

// The keys of generation_config.json by which a model chooses its output: its own, and those that are asked for over
// them. Where none are asked for, only those of its rules of what may come.
Json generation_of(const ModelBundle& bundle, const DecodeSettings& decode);
// The search that such keys ask for. Throws FormatError.
DecodeSettings::Kind kind_of(const Json& generation);
// How many tokens are written at most for what was read, and with the end sign.
Index most_written(const Result& result);
Index most_steps(const Result& result);

// What the stages did at a step of a run, made again from the logits in its trace: what Result::choices has where it is
// asked for. Nothing where the trace lacks them. Throws what the run would.
std::optional<TokenChoice> told_choice(const Result& result, int step, std::size_t most);

class TokenChooser {
 public:
  struct Chosen {
    TokenId id = 0;
    double u = 0;    // that was drawn
    Index kept = 0;  // how many could be drawn
  };

  // `result` has the source that is read. `never` are ids that a model of ours does not write, `steps` how many there
  // are at most.
  TokenChooser(const Request& request, const Result& result, const std::vector<TokenId>& never, Index steps);

  // Of one row of logits. `forced` is what has to come; `given` stands there already, whatever would have been chosen.
  Chosen choose(const Tensor& logits, std::optional<TokenId> forced, std::optional<TokenId> given);
  bool ends(TokenId id) const;
  // The same of a step that was written: what the stages did there.
  TokenChoice told(const Tensor& logits, const std::vector<OutputStep>& steps, std::size_t at);
  std::vector<TokenChoice> take_choices() { return std::move(choices_); }

  // Generation settings, where some act.
  const std::optional<WritingSettings>& settings() const { return settings_; }
  // How many tokens are written at most.
  Index most() const { return static_cast<Index>(longest_ - prompt_); }
  // What the decoder has read, and what an encoder has, or a decoder as its prompt.
  const std::vector<TokenId>& text() const { return text_; }
  const std::vector<TokenId>& read() const { return read_; }

 private:
  Chosen by_settings(const Tensor& logits, std::optional<TokenId> forced);

  const Request& request_;
  const std::vector<TokenId>& never_;
  std::optional<WritingSettings> settings_;
  Random random_;
  std::vector<TokenId> text_, read_;
  std::size_t prompt_ = 0, longest_ = 0;
  std::vector<TokenChoice> choices_;
};

}  // namespace headlight
