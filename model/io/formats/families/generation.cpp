#include "model/io/formats/families/generation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "model/core/ascii.h"
#include "model/core/errors.h"
#include "model/io/formats/families/config.h"

namespace headlight::families {

namespace {

// Rules that would change what is written, and the values with which they do not.
const std::map<std::string, std::vector<Json>>& not_implemented() {
  static const std::map<std::string, std::vector<Json>> keys = {
      {"forced_decoder_ids", {}}, {"guidance_scale", {1, 1.0}}, {"penalty_alpha", {0, 0.0}}, {"constraints", {}},
      {"force_words_ids", {}},    {"dola_layers", {}},          {"watermarking_config", {}}, {"stop_strings", {}},
  };
  return keys;
}

// Obeyed here.
const std::vector<std::string>& obeyed() {
  static const std::vector<std::string> keys = words_in(
      "decoder_start_token_id eos_token_id repetition_penalty encoder_repetition_penalty no_repeat_ngram_size "
      "encoder_no_repeat_ngram_size min_length min_new_tokens bad_words_ids sequence_bias "
      "exponential_decay_length_penalty suppress_tokens begin_suppress_tokens forced_bos_token_id "
      "forced_eos_token_id");
  return keys;
}

// Of sampling and beams, and how much is written unless the user says so: they do not act.
const std::vector<std::string>& silent() {
  static const std::vector<std::string> keys = words_in(
      "max_length max_new_tokens do_sample temperature top_k top_p min_p typical_p epsilon_cutoff eta_cutoff "
      "num_beams num_beam_groups diversity_penalty length_penalty early_stopping num_return_sequences "
      "renormalize_logits remove_invalid_values output_scores return_dict_in_generate");
  return keys;
}

std::vector<TokenId> tokens(const Json& value, const std::string& key) {
  std::vector<TokenId> all;
  if (value.is_null()) return all;
  for (const Json& id : value.is_array() ? value : Json::array({value})) {
    if (id == -1) continue;  // none, in some files
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() > 10'000'000) wrong(key, "numbers of tokens", value);
    all.push_back(static_cast<TokenId>(id.get<std::uint64_t>()));
  }
  return all;
}

// Whether the last token of `word` would complete it behind `ids`.
bool would_end(const std::vector<TokenId>& word, const std::vector<TokenId>& ids) {
  return word.size() == 1 ||
         (!word.empty() && word.size() <= ids.size() &&
          std::equal(word.begin(), word.end() - 1, ids.end() - static_cast<std::ptrdiff_t>(word.size() - 1)));
}

// The tokens that came behind the last n − 1 tokens of `ids` somewhere in `text`.
std::set<TokenId> repeated(const std::vector<TokenId>& ids, const std::vector<TokenId>& text, std::size_t n) {
  std::set<TokenId> found;
  if (n == 0 || ids.size() + 1 < n || text.size() < n) return found;
  for (std::size_t at = 0; at + n <= text.size(); ++at)
    if (std::equal(ids.end() - static_cast<std::ptrdiff_t>(n - 1), ids.end(),
                   text.begin() + static_cast<std::ptrdiff_t>(at)))
      found.insert(text[at + n - 1]);
  return found;
}

}  // namespace

bool is_of_generation(const std::string& key) {
  return std::ranges::count(obeyed(), key) > 0 || std::ranges::count(silent(), key) > 0 ||
         not_implemented().count(key) > 0;
}

Generation::Generation(const Json& config, const Json& own) {
  const bool has_own = !own.is_null();
  if (has_own && !own.is_object()) throw FormatError("generation_config.json: expected an object, found " + shown(own));
  const Json& rules = has_own ? own : config;
  const std::string file = has_own ? "generation_config.json" : "config.json";
  try {
    const auto list = [&](const char* key) {
      return given(rules, key) ? tokens(rules.at(key), key) : std::vector<TokenId>();
    };
    const auto first_of = [&](const char* key) {
      for (const Json* json : {&rules, &config})
        if (given(*json, key)) return tokens(json->at(key), key);
      return std::vector<TokenId>();
    };
    // A generation_config.json without an end mark has none, whatever config.json says.
    for (const TokenId id : list("eos_token_id")) ends_.insert(id);
    std::vector<TokenId> start = first_of("decoder_start_token_id");
    if (start.empty()) start = first_of("bos_token_id");
    if (!start.empty()) start_ = start.front();
    repetition_penalty_ = real(rules, "repetition_penalty", 1);
    encoder_repetition_penalty_ = real(rules, "encoder_repetition_penalty", 1);
    ngram_ = static_cast<std::size_t>(whole(rules, "no_repeat_ngram_size", 0));
    encoder_ngram_ = static_cast<std::size_t>(whole(rules, "encoder_no_repeat_ngram_size", 0));
    least_new_ = static_cast<std::size_t>(whole(rules, "min_new_tokens", 0));
    // Of both, the new tokens count.
    if (!given(rules, "min_new_tokens")) least_length_ = static_cast<std::size_t>(whole(rules, "min_length", 0));
    suppressed_ = list("suppress_tokens");
    suppressed_first_ = list("begin_suppress_tokens");
    forced_first_ = list("forced_bos_token_id");
    forced_last_ = list("forced_eos_token_id");
    // What BART's first files say instead.
    if (forced_first_.empty() && yes(rules, "force_bos_token_to_be_generated", false))
      forced_first_ = first_of("bos_token_id");
    if (given(rules, "exponential_decay_length_penalty")) {
      const Json& pair = rules.at("exponential_decay_length_penalty");
      if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number_unsigned() || !pair[1].is_number())
        wrong("exponential_decay_length_penalty", "a length and a factor", pair);
      decay_begins_ = pair[0].get<std::size_t>();
      decay_ = pair[1].get<double>();
    }
    if (given(rules, "sequence_bias")) {
      const Json& biases = rules.at("sequence_bias");
      if (!biases.is_array()) wrong("sequence_bias", "a list of tokens with a number each", biases);
      for (const Json& bias : biases) {
        if (!bias.is_array() || bias.size() != 2 || !bias[1].is_number())
          wrong("sequence_bias", "tokens and a number", bias);
        biases_.push_back({tokens(bias[0], "sequence_bias"), bias[1].get<double>()});
      }
    }
    if (given(rules, "bad_words_ids")) {
      const Json& words = rules.at("bad_words_ids");
      if (!words.is_array()) wrong("bad_words_ids", "a list of lists", words);
      for (const Json& word : words) {
        std::vector<TokenId> ids = tokens(word, "bad_words_ids");
        // The end mark is never forbidden in this way.
        if (!ids.empty() && !(ids.size() == 1 && ends_.count(ids[0]))) bad_words_.push_back(std::move(ids));
      }
    }
  } catch (const FormatError& error) {
    throw FormatError(file + ": " + error.what());
  }
  if (!(repetition_penalty_ > 0) || !(encoder_repetition_penalty_ > 0))
    throw FormatError(file + ": repetition_penalty: expected a number above 0");
  for (const auto& [key, harmless] : not_implemented())
    if (given(rules, key.c_str()) && std::find(harmless.begin(), harmless.end(), rules.at(key)) == harmless.end() &&
        problem_.empty())
      problem_ = file + ": " + key + " is not implemented";
}

TokenId Generation::next(Tensor logits, const std::vector<TokenId>& ids, std::size_t prompt,
                         const std::vector<TokenId>& source, std::size_t count) const {
  constexpr Scalar kNever = -std::numeric_limits<Scalar>::infinity();
  const auto forbid = [&](TokenId id) {
    if (id >= 0 && id < logits.size()) logits[id] = kNever;
  };
  const auto force = [&](const std::vector<TokenId>& only) {
    logits.array().setConstant(kNever);
    for (const TokenId id : only)
      if (id < logits.size()) logits[id] = 0;
  };
  // What has been there is made less probable.
  const auto discourage = [&](const std::vector<TokenId>& seen, double penalty) {
    if (penalty == 1) return;
    for (const TokenId id : std::set<TokenId>(seen.begin(), seen.end()))
      if (id >= 0 && id < logits.size()) {
        const auto x = static_cast<double>(logits[id]);
        logits[id] = static_cast<Scalar>(x < 0 ? x * penalty : x / penalty);
      }
  };
  const std::size_t written = ids.size() - prompt;
  // 1.
  for (const auto& [word, bias] : biases_)
    if (would_end(word, ids) && word.back() < logits.size()) logits[word.back()] += static_cast<Scalar>(bias);
  // 2.
  if (!source.empty()) discourage(source, 1 / encoder_repetition_penalty_);
  // 3.
  discourage(ids, repetition_penalty_);
  // 4.
  for (const TokenId id : repeated(ids, ids, ngram_)) forbid(id);
  // 5.
  for (const TokenId id : repeated(ids, source, encoder_ngram_)) forbid(id);
  // 6.
  for (const std::vector<TokenId>& word : bad_words_)
    if (would_end(word, ids)) forbid(word.back());
  // 7.
  if (ids.size() < least_length_ || written < least_new_)
    for (const TokenId end : ends_) forbid(end);
  // 8.
  if (!forced_first_.empty() && ids.size() == 1) force(forced_first_);
  // 9.
  if (!forced_last_.empty() && written + 1 == count) force(forced_last_);
  // 10.
  if (decay_ != 1 && written > decay_begins_) {
    const double factor = std::pow(decay_, static_cast<double>(written - decay_begins_)) - 1;
    for (const TokenId end : ends_)
      if (end < logits.size() && std::isfinite(logits[end]))
        logits[end] += static_cast<Scalar>(std::abs(logits[end]) * factor);
  }
  // 11.
  for (const TokenId id : suppressed_) forbid(id);
  // 12.
  const std::size_t begins = prompt > 1 || forced_first_.empty() ? 0 : 1;
  if (written == begins)
    for (const TokenId id : suppressed_first_) forbid(id);
  // 13.
  Index best = 0;
  for (Index i = 1; i < logits.size(); ++i)
    if (logits[i] > logits[best]) best = i;
  return static_cast<TokenId>(best);
}

}  // namespace headlight::families
