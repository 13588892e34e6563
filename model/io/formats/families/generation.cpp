#include "model/io/formats/families/generation.h"

#include <algorithm>
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

// Of sampling and beams, and how much is written: they act where somebody asks for all of it (Generation::writing).
const std::vector<std::string>& silent() {
  static const std::vector<std::string> keys = words_in(
      "max_length max_new_tokens do_sample temperature top_h top_k top_p min_p typical_p epsilon_cutoff eta_cutoff "
      "frequency_penalty presence_penalty num_beams num_beam_groups diversity_penalty length_penalty early_stopping "
      "num_return_sequences "
      "renormalize_logits remove_invalid_values output_scores return_dict_in_generate");
  return keys;
}

std::vector<TokenId> tokens(const Json& value, const std::string& key) {
  std::vector<TokenId> all;
  if (value.is_null()) return all;
  for (const Json& id : value.is_array() ? value : Json::array({value})) {
    if (id == -1) continue;  // none, in some files
    if (!id.is_number_integer() || id.get<std::int64_t>() < 0 || id.get<std::int64_t>() > 10'000'000)
      wrong(key, "numbers of tokens", value);
    all.push_back(static_cast<TokenId>(id.get<std::int64_t>()));
  }
  return all;
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
  std::vector<TokenId> forced;
  try {
    const auto first_of = [&](const char* key) {
      for (const Json* json : {&rules, &config})
        if (given(*json, key)) return tokens(json->at(key), key);
      return std::vector<TokenId>();
    };
    std::vector<TokenId> start = first_of("decoder_start_token_id");
    if (start.empty()) start = first_of("bos_token_id");
    if (!start.empty()) start_ = start.front();
    // What BART's first files say instead.
    if (!given(rules, "forced_bos_token_id") && yes(rules, "force_bos_token_to_be_generated", false))
      forced = first_of("bos_token_id");
  } catch (const FormatError& error) {
    throw FormatError(file + ": " + error.what());
  }
  // What does not act is not read either: old files say much of it.
  Json acting = Json::object();
  for (const std::string& key : obeyed())
    if (given(rules, key.c_str())) acting[key] = rules.at(key);
  const std::vector<TokenId> ends = ChoosingSettings::from_json(acting, file).eos_token_id;
  // A generation_config.json without an end mark has none, whatever config.json says.
  ends_.insert(ends.begin(), ends.end());
  for (const auto& [key, harmless] : not_implemented())
    if (given(rules, key.c_str()) && std::find(harmless.begin(), harmless.end(), rules.at(key)) == harmless.end() &&
        problem_.empty())
      problem_ = file + ": " + key + " is not implemented";
  Json said = acting;
  for (const std::string& key : silent())
    if (given(rules, key.c_str())) said[key] = rules.at(key);
  for (const auto& [key, harmless] : not_implemented())
    if (given(rules, key.c_str())) said[key] = rules.at(key);
  if (start_ >= 0) said["decoder_start_token_id"] = start_;
  if (!forced.empty()) said["forced_bos_token_id"] = forced;
  said_ = said;
  file_ = file;
}

Generation Generation::with(const Json& settings, const std::string& where) const {
  // Whose fault it is.
  ChoosingSettings::from_json(settings, where);
  WritingSettings::from_json(settings, where);
  if (const std::string why = Generation(Json::object(), settings).problem_; !why.empty())
    throw FormatError(where + why.substr(why.find(':')));
  Json said = *said_;
  said.update(settings);
  Generation made(Json::object(), said);
  made.file_ = file_;
  return made;
}

WritingSettings Generation::writing() const { return WritingSettings::from_json(*said_, file_); }

}  // namespace headlight::families
