#include "model/decode/run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "model/core/clock.h"
#include "model/core/effort.h"
#include "model/decode/run_beams.h"
#include "model/decode/text_read.h"
#include "model/decode/token_chooser.h"
#include "model/models/prefix_cache.h"
#include "model/ops/basic.h"
#include "model/ops/known_rows.h"
#include "model/ops/softmax.h"
#include "model/text/pretrained/languages.h"

namespace headlight {

// A run in front of its first step.
struct BegunRun {
  std::unique_ptr<const Decoding> decoding;
  std::vector<Scalar> ids;  // of the source, in reading order
  std::vector<Scalar> types;
  Recorder::Mark mark;  // of its trace
  bool traced = false, explained = false;
  KnownRows products;  // that it made
};

namespace {

std::vector<Scalar> values_of(const Tensor& tensor) {
  return tensor.defined() ? tensor.values() : std::vector<Scalar>();
}

// Whether an edit changes anything before step 0.
bool edits_the_beginning(const std::vector<Intervention>& edits) {
  return std::ranges::any_of(edits, [](const Intervention& edit) { return !edit.site.starts_with("decoder.step["); });
}

// The beginning of an earlier run, where it is that of this one.
std::shared_ptr<const BegunRun> same_beginning(const Request& request, const Tensor& ids, const Tensor& types) {
  const Result* before = request.previous.get();
  if (!before || !before->begun || before->model != request.model || edits_the_beginning(request.interventions))
    return {};
  const BegunRun& begun = *before->begun;
  const bool same = begun.ids == ids.values() && begun.types == values_of(types) && begun.traced == request.trace &&
                    (!request.trace || (before->trace && begun.explained == request.capture.explain &&
                                        before->captured == request.capture.sites));
  return same ? before->begun : nullptr;
}

OutputStep describe(TokenId id, const Tensor& probabilities, const Vocabulary& vocabulary) {
  OutputStep step{id, vocabulary.text(id), static_cast<double>(probabilities[id]), {}};
  const auto better = [&](TokenId a, TokenId b) {
    const Scalar pa = probabilities[a], pb = probabilities[b];
    if (std::isnan(pa) || std::isnan(pb)) return !std::isnan(pa) || (std::isnan(pb) && a < b);
    return pa != pb ? pa > pb : a < b;
  };
  constexpr std::size_t kTop = 10;
  std::vector<TokenId> top;
  for (TokenId v = 0; v < probabilities.size(); ++v) {
    if (top.size() == kTop && probabilities[v] <= probabilities[top.back()]) continue;
    top.insert(std::ranges::upper_bound(top, v, better), v);
    if (top.size() > kTop) top.pop_back();
  }
  for (const TokenId v : top) step.top.push_back({v, vocabulary.text(v), static_cast<double>(probabilities[v])});
  return step;
}

// The tokens to score, in the order in which the model writes them; `whole`: the end sign follows them.
std::vector<TokenId> forced_tokens(const std::string& target, const TextRules& rules, Index limit, bool reversed,
                                   bool whole) {
  std::vector<TokenId> ids;
  for (const TextToken& token : rules.target.split(target)) {
    if (token.unknown) throw UsageError("'" + token.text + "' in the target is not in this model's vocabulary");
    ids.push_back(*token.id);
  }
  if (ids.empty()) throw UsageError("the target is empty: leave it out to let the model choose");
  if (static_cast<Index>(ids.size()) > limit)
    throw UsageError("the target has " + std::to_string(ids.size()) + " tokens, at most " + std::to_string(limit) +
                     " are decoded");
  if (reversed) std::reverse(ids.begin(), ids.end());
  if (rules.eos && whole) ids.push_back(*rules.eos);
  return ids;
}

// What was written, in reading order, without the end sign.
std::string output_text(const std::vector<OutputStep>& steps, const TextRules& rules, bool reversed) {
  std::vector<TokenId> ids;
  for (const OutputStep& step : steps)
    if (step.id != rules.eos) ids.push_back(step.id);
  if (reversed) std::reverse(ids.begin(), ids.end());
  return rules.target.join(ids);
}

// Places of the source are shown as the tokens that stand there, and the output is what stands between them.
void read_answer(Result& result) {
  const auto token_at = [&](TokenId position) -> const TextToken* {
    const auto at = static_cast<std::size_t>(position);
    return at < result.token_of_position.size() ? &result.tokens[static_cast<std::size_t>(result.token_of_position[at])]
                                                : nullptr;
  };
  for (OutputStep& step : result.steps) {
    if (const TextToken* token = token_at(step.id)) step.text = token->text;
    for (Candidate& candidate : step.top)
      if (const TextToken* token = token_at(candidate.id)) candidate.text = token->text;
    // What lies behind the text is impossible.
    std::erase_if(step.top, [&](const Candidate& candidate) { return !token_at(candidate.id); });
  }
  result.output.clear();
  if (result.steps.size() == 2) result.fed[1] = result.steps[0].text;
  if (const auto span = answer_tokens(result)) {
    const TextToken &first = result.tokens[static_cast<std::size_t>(span->first)],
                    &last = result.tokens[static_cast<std::size_t>(span->second)];
    result.output = result.text_of(first).substr(first.begin, last.end - first.begin);
  }
}

// The source's ids in reading order [S x 1].
Tensor source_ids(const Result& result) {
  std::vector<TokenId> ids;
  for (const TextToken& token : result.tokens)
    if (token.id) ids.push_back(*token.id);
  if (ids.empty()) throw UsageError("there is nothing to run: type a text that this model's vocabulary can spell");
  return Tensor::ids(ids).view(0, {static_cast<Index>(ids.size()), 1});
}

// The kinds of sentences in reading order [S x 1]; undefined where the model is not told of them, or all are the first.
Tensor source_types(const Result& result) {
  const Index kinds = result.model->text.token_types;
  std::vector<TokenId> types;
  bool any = false;
  for (const TextToken& token : result.tokens) {
    if (!token.id) continue;
    if (kinds > 0 && (token.type < 0 || token.type >= kinds))
      throw UsageError("the types of the tokens: expected numbers from 0 to " + std::to_string(kinds - 1) + ", found " +
                       std::to_string(token.type));
    types.push_back(token.type);
    any = any || token.type != 0;
  }
  if (kinds == 0 || !any) return {};
  return Tensor::ids(types).view(0, {static_cast<Index>(types.size()), 1});
}

// What the model is asked to write, step by step.
struct Plan {
  std::vector<TokenId> forced;  // the first steps, or all of them; empty: the model chooses
  bool goes_on = true;          // after the forced ones the model chooses
  // Of models that guess hidden words: what is not hidden stays as it is; empty: nothing is given.
  std::vector<std::optional<TokenId>> given;
  std::vector<TokenId> never;
  Index steps = 0;  // at most
};

// Whether the output is that of a beam search.
bool searches(const Request& request, const Result& result, const Plan& plan) {
  if (!request.decode.generation) return request.decode.kind == DecodeSettings::Kind::beam;
  return TokenChooser(request, result, plan.never, plan.steps).settings()->num_beams > 1;
}

// An output that begins with the code of another language than the start sign is: it is the start sign, and taken off.
TokenId start_sign(const ModelBundle& bundle, std::vector<TokenId>& forced) {
  const Vocabulary& written = bundle.target_vocabulary();
  if (forced.empty() || !pretrained::is_language_code(written.text(bundle.text.bos)) ||
      !pretrained::is_language_code(written.text(forced.front())))
    return bundle.text.bos;
  const TokenId code = forced.front();
  forced.erase(forced.begin());
  return code;
}

// Runs the decoder and describes every step.
void write_output(const Request& request, const Plan& plan, Decoding& decoding, const Pass& pass, Result& result) {
  const ModelBundle& bundle = *request.model;
  TokenChooser chooser(request, result, plan.never, plan.steps);
  std::vector<TokenId> forced = plan.forced;
  TokenId last = start_sign(bundle, forced);
  const Index steps = plan.goes_on ? std::min(plan.steps, chooser.most()) : static_cast<Index>(forced.size());
  // A text that is continued needs no start sign: step 0 reads its last token. What stands on top of states is given
  // nothing.
  std::string fed = bundle.on_top ? std::string() : bundle.target_vocabulary().text(last);
  if (bundle.model->traits().continues_source)
    fed = result.tokens[static_cast<std::size_t>(result.token_of_position.back())].text;
  for (Index t = 0; t < steps; ++t) {
    request.cancel.check();
    if (request.progress) request.progress(static_cast<double>(t) / static_cast<double>(steps));
    const Tensor logits = decoding.advance(Tensor::full({1, 1}, static_cast<Scalar>(last)), pass);  // [1 x 1 x V]
    const Graph::Scope unrecorded(nullptr);
    const auto at = static_cast<std::size_t>(t);
    // What is given wins, then what is forced (by a target, a prefix, or a beam search that is over), then the choice.
    const TokenChooser::Chosen chosen =
        chooser.choose(logits, at < forced.size() ? std::optional(forced[at]) : std::nullopt,
                       at < plan.given.size() ? plan.given[at] : std::nullopt);
    last = chosen.id;
    OutputStep& step = result.steps.emplace_back(describe(last, softmax(logits), bundle.target_vocabulary()));
    step.u = chosen.u;
    step.kept = chosen.kept;
    result.fed.push_back(std::exchange(fed, step.text));
    if (request.wrote) request.wrote(step);
    if (plan.goes_on && chooser.ends(last)) break;
  }
  result.choices = chooser.take_choices();
}

// How many rows of the text a run can take over from the one before: the same tokens in front of a decoder that looks
// at nothing behind them.
Index rows_in_common(const Request& request, const Result& now, const Tensor& ids, const Tensor& types) {
  const Result* before = request.previous.get();
  if (!before || !before->begun || before->model != request.model || edits_the_beginning(request.interventions))
    return 0;
  const ModelTraits& model = request.model->model->traits();
  if (!model.causal || model.reads_reversed) return 0;
  const std::vector<Scalar>& known = before->begun->ids;
  const auto most = static_cast<Index>(std::min(now.prompt, before->prompt));
  Index same = 0;
  const auto kind_of = [](const std::vector<Scalar>& kinds, Index i) {
    return kinds.empty() ? Scalar(0) : kinds[static_cast<std::size_t>(i)];
  };
  const std::vector<Scalar> types_now = values_of(types);
  while (same < most && ids[same] == known[static_cast<std::size_t>(same)] &&
         kind_of(types_now, same) == kind_of(before->begun->types, same))
    ++same;
  return same;
}

// Whether the rows themselves can be left out: only a trace of values, without those of masked pairs.
bool leaves_rows_out(const Request& request, const Result& before) {
  return !request.trace ||
         (Recorder::can_resume(request.capture) && before.trace && before.captured == request.capture.sites);
}

// Reads the source, and keeps what a later run may go on from: nothing that an edit has changed.
std::unique_ptr<Decoding> begin(const Request& request, const Tensor& ids, const Tensor& types, const Pass& pass,
                                Recorder* recorder, Result& result) {
  Source source(ids);
  source.types = types;
  result.reused = rows_in_common(request, result, ids, types);
  const Result* before = result.reused > 0 ? request.previous.get() : nullptr;
  // What is said of the text as a whole is said of all of its rows.
  const bool left_out = before && before->cache && before->cache->serves(ids.dim(0)) && request.interventions.empty() &&
                        !request.model->of_text && leaves_rows_out(request, *before);
  if (left_out) {
    result.reused = std::min<Index>(result.reused, result.prompt - 1);  // so that every site is published
    source.cache = before->cache.get();
    source.cached_rows = result.reused;
    if (request.trace && result.reused > 0) recorder->resume_from(before->trace, result.reused);
  }
  KnownRows products;
  std::unique_ptr<Decoding> decoding;
  {
    const bool kept = result.prompt > 0 && !left_out && !result.only_shown;
    const KnownRows::Scope scope(kept ? &products : nullptr, kept && before ? &before->begun->products : nullptr,
                                 result.reused);
    decoding = request.model->model->begin(source, pass);
  }
  if (request.interventions.empty()) result.cache = decoding->prefix_cache();
  if (edits_the_beginning(request.interventions) || (recorder && !request.trace)) return decoding;
  if (std::unique_ptr<const Decoding> copy = decoding->clone())
    result.begun = std::make_shared<const BegunRun>(
        BegunRun{std::move(copy), ids.values(), values_of(types), recorder ? recorder->mark() : Recorder::Mark{},
                 request.trace, request.capture.explain, std::move(products)});
  return decoding;
}

// What Request::capture would keep of a text of this model: as the run before tells, else as a few tokens do.
TraceGrowth growth_for(const Request& request, const Tensor& ids) {
  const Result* before = request.previous.get();
  if (before && before->model == request.model && before->growth) return *before->growth;
  constexpr Index kFew = 8;
  const Index count = std::min(kFew, ids.size());
  Capture capture = request.capture;
  capture.explain = false;
  Recorder recorder(capture, {}, request.cancel);
  Random random(request.seed, Random::Stream::hard_attention);
  request.model->model->begin(Source(ids.view(0, {count, 1})), Pass(recorder.tap(), &random));
  return growth_of(*recorder.finish({}), count, request.capture.explain);
}

}  // namespace

std::optional<std::pair<int, int>> answer_tokens(const Result& result) {
  if (!result.model || !result.model->text.answers || result.steps.size() != 2) return {};
  std::array<int, 2> ends{};
  for (std::size_t end = 0; end < 2; ++end) {
    const auto at = static_cast<std::size_t>(result.steps[end].id);
    if (at >= result.token_of_position.size()) return {};
    ends[end] = result.token_of_position[at];
  }
  const TextToken &first = result.tokens[static_cast<std::size_t>(ends[0])],
                  &last = result.tokens[static_cast<std::size_t>(ends[1])];
  if (ends[1] < ends[0] || first.sentence != last.sentence || first.begin >= last.end) return {};
  return std::pair(ends[0], ends[1]);
}

std::string note_text(const RunNote& note) {
  const std::string count = std::to_string(note.count), of = std::to_string(note.of);
  switch (note.kind) {
    case RunNote::Kind::cut:
      return "Only the first " + count + " of " + of + " tokens are run.";
    case RunNote::Kind::unknown:
      return count + (note.count == 1 ? " character is" : " characters are") +
             " not in this model's vocabulary and left out.";
    case RunNote::Kind::read_as_unknown:
      return count + (note.count == 1 ? " token is" : " tokens are") +
             " not in this model's vocabulary and read as <unk>.";
    case RunNote::Kind::longer_than_trained:
      return "The model was trained on at most " + of + " tokens; this text has " + count + ".";
    case RunNote::Kind::edits_not_reached:
      return count + (note.count == 1 ? " edit is" : " edits are") + " of a step or token that this run does not have.";
    case RunNote::Kind::not_finite:
      return "The probabilities of " + count + " of " + of +
             " output steps are not numbers: the model's values became " + "infinite or NaN.";
    case RunNote::Kind::rows_not_numbers:
      return count + " of " + of + " rows of attention hold values that are not numbers.";
    case RunNote::Kind::rows_negative:
      return count + " of " + of + " rows of attention have negative values: scores, perhaps, but no weights.";
    case RunNote::Kind::rows_percent:
      return "The rows of attention add up to 100: they are percentages, not shares of 1.";
    case RunNote::Kind::rows_on_their_side:
      return "The columns of attention add up to 1, not its rows: queries and keys seem to be swapped.";
    case RunNote::Kind::rows_other_sum:
      return count + " of " + of + " rows of attention do not add up to 1: they are not what a softmax gives.";
    case RunNote::Kind::mask_leaves_nothing:
      return "The stored mask leaves out every token: it is not applied.";
    case RunNote::Kind::mask_is_added:
      return "The stored mask is one that is added to scores: 0 is read as a token, what is below as padding.";
    case RunNote::Kind::mask_has_other_values:
      return "The stored mask holds values other than 0 and 1: what is above 0 is read as a token.";
    case RunNote::Kind::mask_hides_attention:
      return "The stored mask leaves out tokens that get " + count +
             " % of the attention (is 1 its sign for padding?): it is not applied.";
    case RunNote::Kind::nothing:
      break;
  }
  return "There is nothing to read: the model sees padding only.";
}

Result run(const Request& asked) {
  const double start = run_clock.load()();
  const ModelBundle& bundle = *asked.model;
  if (bundle.stored) return bundle.stored->run(asked);
  Request request = asked;
  const Effort effort(request.cancel);  // of the tokenizer, whose parts a file brings
  const ModelTraits& traits = bundle.model->traits();
  Result result = read_text(request);
  const Tensor ids = source_ids(result), types = source_types(result);
  if (request.trace && request.shown) {
    result.growth = growth_for(request, ids);
    result.only_shown = result.growth->at(ids.size()) > request.most_bytes;
    if (result.only_shown) request.capture = *request.shown;
  }

  const Index limit = most_written(result);
  Plan plan{{}, true, {}, bundle.text.never_written(), most_steps(result)};
  if (const auto& hidden = bundle.text.mask; hidden && !request.target)
    for (Index t = 0; t < ids.dim(0); ++t) {
      const auto id = static_cast<TokenId>(ids[t]);
      plan.given.push_back(id == *hidden ? std::nullopt : std::optional(id));
    }
  if (request.target) {
    plan.goes_on = request.prefix && !bundle.text.mask;
    plan.forced = forced_tokens(*request.target, bundle.text, limit, traits.writes_reversed, !plan.goes_on);
  }
  if (plan.goes_on && searches(request, result, plan)) {
    Source source(ids);
    source.types = types;
    GivenBeginning given{bundle.text.bos, plan.forced};
    given.start = start_sign(bundle, given.tokens);
    const bool replaced = given.tokens.size() != plan.forced.size();
    std::vector<TokenId> winner = beam_winner(request, source, given, plan.never, plan.steps, result);
    if (replaced) winner.insert(winner.begin(), given.start);
    plan.forced = std::move(winner);
    plan.goes_on = false;
  }
  if (request.decode.kind == DecodeSettings::Kind::sample && plan.goes_on) check(request.decode.sampling);

  std::optional<Recorder> recorder;
  if (request.trace) {
    recorder.emplace(request.capture, request.interventions, request.cancel);
  } else if (!request.interventions.empty()) {
    recorder.emplace(Capture{{"input.src.ids"}, false}, request.interventions, request.cancel);
  }
  Random random(request.seed, Random::Stream::hard_attention);
  const Pass pass(recorder ? recorder->tap() : Tap(), &random);
  std::unique_ptr<Decoding> decoding;
  result.begun = same_beginning(request, ids, types);
  if (result.begun) {
    if (request.trace) recorder->begin_with(*request.previous->trace, result.begun->mark);
    decoding = result.begun->decoding->clone();
    result.cache = request.previous->cache;
    result.reused = ids.dim(0);
  } else {
    decoding = begin(request, ids, types, pass, recorder ? &*recorder : nullptr, result);
  }
  if (bundle.of_text) {
    std::vector<TokenId> read;
    for (Index i = 0; i < ids.size(); ++i) read.push_back(static_cast<TokenId>(ids[i]));
    const Tensor states = decoding->read_states();
    result.vectors = bundle.of_text(reshape(states, {ids.dim(0), states.columns()}), read, pass);
  }
  result.captured = request.capture.sites;
  write_output(request, plan, *decoding, pass, result);
  result.output = output_text(result.steps, bundle.text, traits.writes_reversed);
  if (bundle.text.answers) read_answer(result);
  // Of classes, those that a step cannot choose.
  if (bundle.on_top)
    for (OutputStep& step : result.steps)
      std::erase_if(step.top, [](const Candidate& candidate) { return candidate.probability == 0; });
  const auto broken =
      std::ranges::count_if(result.steps, [](const OutputStep& s) { return !std::isfinite(s.probability); });
  if (broken > 0) result.notes.push_back({RunNote::Kind::not_finite, broken, static_cast<Index>(result.steps.size())});
  if (recorder) {
    std::vector<NamedTensor> parameters;
    for (const Parameter& p : bundle.model->parameters().all()) parameters.push_back({p.name, p.value});
    parameters.insert(parameters.end(), bundle.text_parameters.begin(), bundle.text_parameters.end());
    result.not_reached = recorder->not_reached();
    if (!result.not_reached.empty())
      result.notes.push_back({RunNote::Kind::edits_not_reached, static_cast<Index>(result.not_reached.size())});
    auto trace = recorder->finish(std::move(parameters));
    if (request.trace) result.trace = std::move(trace);
    if (result.growth && !result.only_shown)
      result.growth = growth_of(*result.trace, ids.size(), request.capture.explain);
  }
  result.seconds = run_clock.load()() - start;
  return result;
}

}  // namespace headlight
