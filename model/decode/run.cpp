#include "model/decode/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "model/ops/softmax.h"

namespace headlight {

namespace {

// The source as tokens, what is run of it, and what has to be said about it.
void read_source(const Request& request, Result& result) {
  const ModelBundle& bundle = *request.model;
  result.tokens = bundle.source_vocabulary.split_characters(request.source);
  if (result.tokens.size() > static_cast<std::size_t>(kMaxSourceTokens)) {
    result.notes.push_back({RunNote::Kind::cut, kMaxSourceTokens, static_cast<Index>(result.tokens.size())});
    result.tokens.resize(kMaxSourceTokens);
  }
  const auto unknown =
      std::count_if(result.tokens.begin(), result.tokens.end(), [](const TextToken& t) { return !t.id; });
  if (unknown > 0) result.notes.push_back({RunNote::Kind::unknown, static_cast<Index>(unknown)});
  const auto known = static_cast<Index>(result.tokens.size()) - unknown;
  if (known == 0) result.notes.push_back({RunNote::Kind::nothing});
  if (known > bundle.source_width && bundle.source_width > 0)
    result.notes.push_back({RunNote::Kind::longer_than_trained, known, bundle.source_width});
  const auto space = bundle.source_vocabulary.find(" ");
  for (Index width = known; space && width < std::max<Index>(bundle.source_width, 1); ++width)
    result.tokens.push_back({" ", request.source.size(), request.source.size(), space, true});
}

TokenId best_of(const Tensor& logits) {
  // The first of equals; a NaN never wins.
  TokenId best = 0;
  for (Index v = 1; v < logits.size(); ++v)
    if (logits[v] > logits[best] || (std::isnan(logits[best]) && !std::isnan(logits[v])))
      best = static_cast<TokenId>(v);
  return best;
}

OutputStep describe(TokenId id, const Tensor& probabilities, const Vocabulary& vocabulary) {
  OutputStep step{id, vocabulary.text(id), static_cast<double>(probabilities[id]), {}};
  std::vector<TokenId> order(static_cast<std::size_t>(probabilities.size()));
  std::iota(order.begin(), order.end(), 0);
  const auto better = [&](TokenId a, TokenId b) {
    const Scalar pa = probabilities[a], pb = probabilities[b];
    if (std::isnan(pa) || std::isnan(pb)) return !std::isnan(pa) || (std::isnan(pb) && a < b);
    return pa != pb ? pa > pb : a < b;
  };
  const std::size_t count = std::min<std::size_t>(5, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(), better);
  for (std::size_t i = 0; i < count; ++i)
    step.top.push_back({order[i], vocabulary.text(order[i]), static_cast<double>(probabilities[order[i]])});
  return step;
}

std::vector<TokenId> forced_tokens(const std::string& target, const Vocabulary& vocabulary, Index limit) {
  std::vector<TokenId> ids;
  for (const TextToken& token : vocabulary.split_characters(target)) {
    if (!token.id) throw UsageError("'" + token.text + "' in the target is not in this model's vocabulary");
    ids.push_back(*token.id);
  }
  if (ids.empty()) throw UsageError("the target is empty: leave it out to let the model choose");
  if (static_cast<Index>(ids.size()) > limit)
    throw UsageError("the target has " + std::to_string(ids.size()) + " tokens, at most " + std::to_string(limit) +
                     " are decoded");
  return ids;
}

}  // namespace

std::string note_text(const RunNote& note) {
  const std::string count = std::to_string(note.count), of = std::to_string(note.of);
  switch (note.kind) {
    case RunNote::Kind::cut:
      return "Only the first " + count + " of " + of + " characters are run.";
    case RunNote::Kind::unknown:
      return count + (note.count == 1 ? " character is" : " characters are") +
             " not in this model's vocabulary and left out.";
    case RunNote::Kind::longer_than_trained:
      return "The model was trained on at most " + of + " characters; this text has " + count + ".";
    case RunNote::Kind::nothing:
      break;
  }
  return "There is nothing to read: the model sees padding only.";
}

Result run(const Request& request) {
  const auto start = std::chrono::steady_clock::now();
  const ModelBundle& bundle = *request.model;
  Result result;
  result.id = request.id;
  result.model = request.model;
  result.source = request.source;
  read_source(request, result);

  const Index limit = bundle.target_length > 0 ? bundle.target_length : 2 * kMaxSourceTokens;
  std::vector<TokenId> forced;
  if (request.target) forced = forced_tokens(*request.target, bundle.target_vocabulary, limit);

  std::vector<TokenId> ids;
  for (const TextToken& token : result.tokens)
    if (token.id) ids.push_back(*token.id);
  if (ids.empty()) throw UsageError("there is nothing to run: type a text that this model's vocabulary can spell");

  std::optional<Recorder> recorder;
  if (request.trace) {
    recorder.emplace(request.capture, request.interventions, request.cancel);
  } else if (!request.interventions.empty()) {
    recorder.emplace(Capture{{"input.src.ids"}, false}, request.interventions, request.cancel);
  }
  const Tap tap = recorder ? recorder->tap() : Tap();

  const Tensor source = Tensor::ids(ids);
  const auto s_count = static_cast<Index>(ids.size());
  std::unique_ptr<Decoding> decoding = bundle.model->begin(source.view(0, {s_count, 1}), tap);

  const bool reversed = bundle.model->config().value("reverse_source", false);
  result.token_of_position.resize(ids.size());
  int read = 0;
  for (std::size_t i = 0; i < result.tokens.size(); ++i) {
    const int at = reversed ? static_cast<int>(s_count) - 1 - read : read;
    result.position_of_token.push_back(result.tokens[i].id ? at : -1);
    if (!result.tokens[i].id) continue;
    result.token_of_position[static_cast<std::size_t>(at)] = static_cast<int>(i);
    ++read;
  }

  const Index t_count = forced.empty() ? limit : static_cast<Index>(forced.size());
  TokenId last = bundle.bos;
  for (Index t = 0; t < t_count; ++t) {
    request.cancel.check();
    if (request.progress) request.progress(static_cast<double>(t) / static_cast<double>(t_count));
    const Tensor logits = decoding->advance(Tensor::full({1, 1}, static_cast<Scalar>(last)), tap);  // [1 x 1 x V]
    last = forced.empty() ? best_of(logits) : forced[static_cast<std::size_t>(t)];
    const Graph::Scope unrecorded(nullptr);
    result.steps.push_back(describe(last, softmax(logits), bundle.target_vocabulary));
    if (forced.empty() && bundle.eos && last == *bundle.eos) break;
    result.output += result.steps.back().text;
  }
  if (recorder) {
    std::vector<NamedTensor> parameters;
    for (const Parameter& p : bundle.model->parameters().all()) parameters.push_back({p.name, p.value});
    auto trace = recorder->finish(std::move(parameters));
    if (request.trace) result.trace = std::move(trace);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace headlight
