#include "model/decode/token_chooser.h"

#include <algorithm>
#include <limits>

#include "model/core/json_library.h"
#include "model/models/greedy.h"

namespace headlight {

namespace {

// The settings that act, where some do. Without those of the request only the model's rules of what may come act, for
// the most probable token.
std::optional<WritingSettings> settings_of(const Request& request, const std::vector<TokenId>& never) {
  const ModelBundle& bundle = *request.model;
  const bool asked = request.decode.generation.has_value();
  const bool greedy = request.decode.kind == DecodeSettings::Kind::greedy;
  if (!asked && !(greedy && (bundle.next_token || request.choosing))) return std::nullopt;
  WritingSettings settings = WritingSettings::from_json(generation_of(bundle, request.decode), "how tokens are chosen");
  if (!bundle.next_token && !never.empty()) {
    std::vector<TokenId>& out =
        settings.choosing.suppress_tokens.emplace(settings.choosing.suppress_tokens.value_or(std::vector<TokenId>()));
    out.insert(out.end(), never.begin(), never.end());
  }
  if (asked) check(settings);
  return settings;
}

// How many steps a decoder has places for: what it reads takes one of its positions, and so does what it writes.
Index steps_left(const Result& result) {
  using Kind = ModelTraits::Kind;
  const Kind kind = result.model->model->traits().kind;
  const Index places = result.model->text.most_source;
  if (places == 0 || kind == Kind::encoder_only) return std::numeric_limits<Index>::max();
  return std::max<Index>(1, kind == Kind::decoder_only ? places - result.prompt : places);
}

}  // namespace

Index most_written(const Result& result) {
  return std::min(result.model->text.target_limit(static_cast<Index>(result.token_of_position.size())),
                  steps_left(result));
}

Index most_steps(const Result& result) {
  return std::min(most_written(result) + (result.model->text.eos ? 1 : 0), steps_left(result));
}

Json generation_of(const ModelBundle& bundle, const DecodeSettings& decode) {
  Json said = Json::object();
  if (bundle.next_token)
    said = *bundle.next_token->settings();
  else if (bundle.text.eos)
    said["eos_token_id"] = *bundle.text.eos;
  if (decode.generation)
    said.update(**decode.generation);
  else
    for (const char* key : WritingSettings::keys_of_search()) said.erase(key);
  return said;
}

DecodeSettings::Kind kind_of(const Json& generation) {
  const WritingSettings settings = WritingSettings::from_json(generation, "how tokens are chosen");
  return settings.num_beams > 1        ? DecodeSettings::Kind::beam
         : settings.choosing.do_sample ? DecodeSettings::Kind::sample
                                       : DecodeSettings::Kind::greedy;
}

TokenChooser::TokenChooser(const Request& request, const Result& result, const std::vector<TokenId>& never, Index steps)
    : request_(request),
      never_(never),
      settings_(settings_of(request, never)),
      random_(request.seed, Random::Stream::sample) {
  for (const TextToken& token : result.tokens)
    if (token.id) read_.push_back(*token.id);
  const bool decodes_only = request.model->model->traits().kind == ModelTraits::Kind::decoder_only;
  text_ = decodes_only ? read_ : std::vector{request.model->text.bos};
  prompt_ = text_.size();
  longest_ = prompt_ + static_cast<std::size_t>(steps);
  if (settings_ && request.decode.generation) longest_ = std::clamp(settings_->longest(prompt_), prompt_, longest_);
}

TokenChooser::Chosen TokenChooser::choose(const Tensor& logits, std::optional<TokenId> forced,
                                          std::optional<TokenId> given) {
  Chosen chosen;
  const std::optional<std::size_t> told = request_.choosing;
  if (settings_) {
    chosen = by_settings(logits, forced);
  } else if (!forced && request_.decode.kind == DecodeSettings::Kind::sample) {
    SampledToken draw = sample_token(logits, request_.decode.sampling, random_.uniform(), never_, told);
    chosen = {draw.id, draw.u, static_cast<Index>(draw.kept.size())};
    if (told) choices_.push_back(std::move(draw.choice));
  } else {
    chosen.id = forced ? *forced : static_cast<TokenId>(greedy_choice(logits, never_)[0]);
    if (told) {
      Tensor scores = logits.view(0, {logits.size()}).clone();
      choices_.push_back(choose_and_tell(scores, {text_, prompt_, read_, longest_}, ChoosingSettings(), *told));
    }
  }
  if (given) chosen.id = *given;
  if (told) choices_.back().chosen = chosen.id;
  text_.push_back(chosen.id);
  return chosen;
}

TokenChooser::Chosen TokenChooser::by_settings(const Tensor& logits, std::optional<TokenId> forced) {
  Tensor scores = logits.view(0, {logits.size()}).clone();
  const ChoosingPlace place{text_, prompt_, read_, longest_};
  TokenChoice choice;
  if (request_.choosing)
    choice = choose_and_tell(scores, place, settings_->choosing, *request_.choosing);
  else if (!forced)
    headlight::choose(scores, place, settings_->choosing);
  Chosen chosen;
  if (forced) {
    chosen.id = *forced;
  } else if (settings_->choosing.do_sample) {
    choice.u = chosen.u = random_.uniform();
    chosen.id = drawn(shares_of(scores), chosen.u);
    chosen.kept = stage_of("", scores, 0).left;
  } else {
    chosen.id = largest_of(scores);
  }
  if (request_.choosing) choices_.push_back(std::move(choice));
  return chosen;
}

std::optional<TokenChoice> told_choice(const Result& result, int step, std::size_t most) {
  const auto at = static_cast<std::size_t>(step);
  if (!result.trace || step < 0 || at >= result.steps.size()) return std::nullopt;
  const int entry = result.trace->find("decoder.step[" + std::to_string(step) + "].output.logits");
  if (entry < 0) return std::nullopt;
  Request request;
  request.inputs() = result.inputs();
  request.model = result.model;
  request.choosing = most;
  const std::vector<TokenId> never = result.model->text.never_written();
  TokenChooser chooser(request, result, never, most_steps(result));
  return chooser.told((*result.trace)[entry].value, result.steps, at);
}

TokenChoice TokenChooser::told(const Tensor& logits, const std::vector<OutputStep>& steps, std::size_t at) {
  for (std::size_t t = 0; t < at; ++t) text_.push_back(steps[t].id);
  const bool draws = settings_ ? settings_->choosing.do_sample : request_.decode.kind == DecodeSettings::Kind::sample;
  if (settings_ || !draws) {
    choose(logits, steps[at].id, std::nullopt);
  } else {
    choices_.push_back(sample_token(logits, request_.decode.sampling, steps[at].u, never_, request_.choosing).choice);
  }
  TokenChoice choice = std::move(choices_.back());
  choice.chosen = steps[at].id;
  choice.u = draws && steps[at].kept > 0 ? steps[at].u : -1;
  return choice;
}

bool TokenChooser::ends(TokenId id) const {
  const ModelBundle& bundle = *request_.model;
  if (settings_) return std::ranges::count(settings_->choosing.eos_token_id, id) > 0;
  return id == bundle.text.eos || (bundle.next_token && bundle.next_token->ends(id));
}

}  // namespace headlight
