// Running a model on a text: request in, result with its trace out. The window, the command line and the tests all come
// through here.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/core/cancel.h"
#include "model/decode/beam.h"
#include "model/decode/choice.h"
#include "model/decode/sampling.h"
#include "model/models/bundle.h"
#include "model/trace/trace.h"
#include "model/trace/trace_growth.h"

namespace headlight {

// How the output is chosen when no target is forced. In the words of generate() of transformers 5.24: greedy is
// num_beams 1 without do_sample, by the rules of generation_config.json where a model brings some
// (families/generation.h); sample is do_sample (sampling.h); beam is num_beams above 1 without do_sample (beam.h). All
// of generation_config.json acts where `generation` is there.
struct DecodeSettings {
  enum class Kind { greedy, sample, beam };
  Kind kind = Kind::greedy;
  SamplingSettings sampling;  // its seed is RunInputs::seed
  BeamSettings beam;          // its max_len is that of the model's texts
  // Keys of generation_config.json, over those that the model brings: by them the output is chosen, as the library
  // would (writing.h), instead of by what stands above; `kind` is then which search they ask for (kind_of). {}: by the
  // model's own.
  std::optional<SharedJson> generation;
  bool operator==(const DecodeSettings&) const = default;
};

// What a run depends on besides its model and settings; the same for the document, a session file, a request and its
// result. Two runs of a model answer the same question when theirs are equal.
struct RunInputs {
  std::string source;                 // UTF-8, as typed
  std::optional<std::string> target;  // forced decoding: score this output instead of the model's own choice
  bool prefix = false;                // the target is how the output begins: the model goes on by itself
  DecodeSettings decode;
  std::uint64_t seed = 1;                   // of everything that is drawn: sampled tokens, positions of hard attention
  std::vector<Intervention> interventions;  // of a beam search: of every hypothesis
  std::string second;             // the second text of a pair, for models that take pairs; empty: there is none
  std::vector<TokenId> type_ids;  // the kind of sentence of each token; tokens behind them have the tokenizer's
  // Messages (text/chat.h) that are read instead of the source, of models with a chat template. Of a result `source` is
  // the text that the template made of them.
  std::optional<SharedJson> chat;

  RunInputs& inputs() { return *this; }
  const RunInputs& inputs() const { return *this; }
  bool operator==(const RunInputs&) const = default;
};

struct Candidate {
  TokenId id = 0;
  std::string text;
  double probability = 0;
};

struct OutputStep {
  TokenId id = 0;  // what was written (greedy) or forced
  std::string text;
  double probability = 0;      // of that token
  std::vector<Candidate> top;  // the ten most probable tokens, best first; ties: lower id first
  // Sampling only: the uniform number that was drawn, and how many tokens it could have chosen.
  double u = 0;
  Index kept = 0;
};

struct Request : RunInputs {
  std::uint64_t id = 0;  // only grows; the newest is the only one that is shown
  std::shared_ptr<const ModelBundle> model;
  Capture capture;
  // What is kept instead where `capture` is likely to keep more than `most_bytes`: what is looked at, and not more. How
  // much that is, the run before tells, or one of a few tokens (trace_growth.h).
  std::optional<Capture> shown;
  double most_bytes = 300e6;
  bool trace = true;  // false: only the output
  // An earlier run with the same model. Where source and capture are the same and no edit changes anything before step
  // 0, only the steps are computed; of a prompt with the same beginning that is read from left to right, the products
  // of its rows are taken over (ops/known_rows.h). Result and trace, explanations included, are those of a run from
  // nothing, in the second case but for the rounding of sums (1e-5). Without explanations such rows are left out
  // altogether (models/prefix_cache.h). Tests: test_prefix.cpp, test_reuse.cpp.
  std::shared_ptr<const struct Result> previous;
  CancelToken cancel;
  std::function<void(double fraction)> progress;  // called from the running thread, now and then
  // Called from the running thread with each step of the output as soon as it is written (or forced), from step 0 on.
  std::function<void(const OutputStep& step)> wrote;
  std::vector<TokenId> ids;  // the source as numbers, instead of its text; empty: the text
  // Asks for what each stage of choosing did to the tokens (Result::choices), so many of each stage.
  std::optional<std::size_t> choosing;
};

// What has to be said about an input; the window says it in the user's language.
struct RunNote {
  enum class Kind {
    cut,
    unknown,
    read_as_unknown,
    nothing,
    longer_than_trained,
    edits_not_reached,
    not_finite,
    // Of stored attention: rows that are no shares of 1, and masks that say in another way what a token is.
    rows_not_numbers,
    rows_negative,
    rows_percent,
    rows_on_their_side,
    rows_other_sum,
    mask_leaves_nothing,
    mask_is_added,
    mask_has_other_values,
    mask_hides_attention
  };
  Kind kind = Kind::nothing;
  // Tokens that are run (cut), left out (unknown), read as <unk>, or that the text has (longer_than_trained); edits of
  // steps or tokens that this run lacks; steps whose probabilities are NaN or infinite; rows; of mask_hides_attention
  // the share in percent
  Index count = 0;
  // Tokens that were typed (cut), or that the model was trained on (longer_than_trained); steps in all (not_finite);
  // rows in all
  Index of = 0;
};
std::string note_text(const RunNote& note);  // a plain English sentence

struct Result : RunInputs {
  std::uint64_t id = 0;
  std::shared_ptr<const ModelBundle> model;
  std::vector<int>
      not_reached;  // of the interventions, those of steps or tokens that this run lacks: they wait for a longer one
  std::vector<TextToken> tokens;       // of the source in reading order: typed ones (also unknown ones), then padding
  std::vector<int> position_of_token;  // token -> source position of the run (the order of encoder steps), -1: left out
  std::vector<int> token_of_position;  // source position of the run -> token
  // Models whose decoder reads the source as the beginning of its own text (decoder_only): how many source positions
  // stand in front of step 0; else 0.
  int prompt = 0;
  std::vector<TextVector> vectors;  // what the model says of the text as a whole
  std::vector<OutputStep> steps;
  std::vector<std::string> fed;              // the token that the decoder was given at each step
  std::string output;                        // the text that the steps spell, without the end sign
  std::shared_ptr<const Trace> trace;        // null when the request wanted none; of beam search: the winner's, forced
  std::shared_ptr<const BeamTree> beam;      // of beam search: all that was tried
  std::vector<RunNote> notes;                // about the input: what was left out and why
  std::shared_ptr<const PrefixCache> cache;  // for a later run (Request::previous)
  std::shared_ptr<const struct BegunRun> begun;  // the same; null where an edit has changed it
  std::vector<std::string> captured;             // Capture::sites of the trace
  bool only_shown = false;                       // Request::shown was kept
  std::optional<TraceGrowth> growth;             // of what Request::capture keeps; only where Request::shown was given
  Index reused = 0;                              // positions of the source that were taken over from an earlier run
  double seconds = 0;
  std::vector<TokenChoice> choices;           // of each step, where the request asks for them
  std::shared_ptr<const ChatText> chat_text;  // what was made of RunInputs::chat

  // The text that a token stands in.
  const std::string& text_of(const TextToken& token) const { return token.sentence == 1 ? second : source; }
};

// Of a run whose steps are where an answer begins and ends (TextRules::answers): its first and last token. Nothing
// where there is no answer between them.
std::optional<std::pair<int, int>> answer_tokens(const Result& result);

// Sources longer than this are cut, with a note.
inline constexpr int kMaxSourceTokens = 512;

// Throws Error (see errors.h) and Cancelled.
Result run(const Request& request);

// Runs that were stored rather than computed. The source of a request is the number of a text, from 0.
class StoredRuns {
 public:
  virtual ~StoredRuns() = default;
  virtual Index count() const = 0;
  // Throws Error: UsageError for a text that there is none of.
  virtual Result run(const Request& request) const = 0;
};

}  // namespace headlight
