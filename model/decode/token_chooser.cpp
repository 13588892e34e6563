#include "model/decode/token_chooser.h"

#include <algorithm>

#include "model/core/json_library.h"
#include "model/models/greedy.h"

namespace headlight {

namespace {

// What the model says of writing with what the request says over it. Without that only its rules of what may come act,
// for the most probable token.
std::optional<WritingSettings> settings_of(const Request& request, const std::vector<TokenId>& never) {
  const ModelBundle& bundle = *request.model;
  const bool asked = request.choosing && request.choosing->settings;
  const bool greedy = request.decode.kind == DecodeSettings::Kind::greedy;
  if (!asked && !(greedy && (bundle.next_token || request.choosing))) return std::nullopt;
  Json said = Json::object();
  if (bundle.next_token)
    said = *bundle.next_token->settings();
  else if (bundle.text.eos)
    said["eos_token_id"] = *bundle.text.eos;
  if (asked)
    said.update(**request.choosing->settings);
  else
    for (const char* key : WritingSettings::keys_of_search()) said.erase(key);
  WritingSettings settings = WritingSettings::from_json(said, "how tokens are chosen");
  if (!bundle.next_token && !never.empty()) {
    std::vector<TokenId>& out =
        settings.choosing.suppress_tokens.emplace(settings.choosing.suppress_tokens.value_or(std::vector<TokenId>()));
    out.insert(out.end(), never.begin(), never.end());
  }
  if (asked) check(settings);
  return settings;
}

}  // namespace

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
  if (settings_ && request.choosing && request.choosing->settings)
    longest_ = std::clamp(settings_->longest(prompt_), prompt_, longest_);
}

TokenChooser::Chosen TokenChooser::choose(const Tensor& logits, std::optional<TokenId> forced,
                                          std::optional<TokenId> given) {
  Chosen chosen;
  const std::optional<std::size_t> told = request_.choosing ? std::optional(request_.choosing->most) : std::nullopt;
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
    choice = choose_and_tell(scores, place, settings_->choosing, request_.choosing->most);
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

bool TokenChooser::ends(TokenId id) const {
  const ModelBundle& bundle = *request_.model;
  if (settings_) return std::ranges::count(settings_->choosing.eos_token_id, id) > 0;
  return id == bundle.text.eos || (bundle.next_token && bundle.next_token->ends(id));
}

}  // namespace headlight
