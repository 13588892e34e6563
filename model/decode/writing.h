// Writing on as generate() of transformers 5.24 does, by the keys of generation_config.json: the most probable token,
// drawn ones, or beams, each through the stages of choosing.h. Held against the library by test_writing.cpp.
//
// Beams differ from those of beam.h, which are our own: scores are log softmax first, then the stages; of the best
// (1 + end marks, at least 2) · num_beams candidates the best num_beams that do not end go on, and what ends (or has
// reached the length) among the first num_beams is finished, with log P / (new tokens)^length_penalty. num_beams
// finished ones are kept. The search is over when there are so many and early_stopping is true, or when what goes on
// cannot become better than the last of them: for its length so far, and for "never" with a positive penalty for the
// longest.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/core/cancel.h"
#include "model/decode/beam.h"
#include "model/decode/choice.h"

namespace headlight {

struct WritingSettings {
  static constexpr Index kMostBeams = 256;
  enum class EarlyStopping { no, yes, never };

  ChoosingSettings choosing;
  Index num_beams = 1, num_return_sequences = 1;
  double length_penalty = 1;
  EarlyStopping early_stopping = EarlyStopping::no;
  std::optional<std::size_t> max_new_tokens, max_length;  // the latter counts the prompt; 20 new ones if none is said

  // Reads these keys, and takes the others for somebody else's. Throws FormatError "WHERE: KEY: expected …".
  static WritingSettings from_json(const Json& json, const std::string& where);
  // The keys that say how much is written, and by which search: without them it is the most probable token, again and
  // again.
  static const std::vector<const char*>& keys_of_search();
  // How long a text may become, the prompt counted. Throws UsageError where max_length leaves no place for a token.
  std::size_t longest(std::size_t prompt) const;
};

// Where logits come from.
class Following {
 public:
  virtual ~Following() = default;
  // What follows each of these texts, [K x V] numbers. Text k is one of those of the call before, from[k], and one
  // token more; at first all are the prompt.
  virtual Tensor after(const std::vector<std::vector<TokenId>>& texts, const std::vector<Index>& from) = 0;
};

struct WritingTask {
  std::vector<TokenId> prompt;   // what is given: a text, or the start of what a decoder writes
  std::vector<TokenId> encoder;  // what an encoder read; of decoders the prompt
  std::size_t most = std::numeric_limits<std::size_t>::max();  // tokens that the model has places for
  std::uint64_t seed = 1;                                      // of Random(seed, Random::Stream::sample)
  std::optional<std::size_t> told;                             // asks for the choices, with so many tokens a stage
  CancelToken cancel{};
};

struct WrittenTexts {
  struct Sequence {
    std::vector<TokenId> ids;     // the new ones, with the end mark
    std::optional<double> score;  // of beams: the sum of its scores / length^length_penalty
  };
  std::vector<Sequence> sequences;  // best first
  // Of the first sequence, where they were asked for. Of beams they tell what the stages do to the logits; what was
  // added up is in the tree.
  std::vector<TokenChoice> choices;
  std::shared_ptr<const BeamTree> beams;  // all that was tried
  bool not_numbers = false;               // it ends where logits are NaN or infinite: the largest of them means nothing
};

// Throws UsageError for settings that do not go together.
void check(const WritingSettings& settings);
// Throws that too, for what longest() refuses, and where nothing is left to draw from.
WrittenTexts write_on(Following& model, const WritingTask& task, const WritingSettings& settings);
// The same with num_beams above 1 (writing_beams.cpp).
WrittenTexts write_beams(Following& model, const WritingTask& task, const WritingSettings& settings);

// Whether logits can be chosen from.
bool are_numbers(const Tensor& logits, const ChoosingSettings& settings);

}  // namespace headlight
