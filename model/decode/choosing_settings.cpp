// generation_config.json as settings of choosing and of writing on.

#include <algorithm>

#include "model/core/errors.h"
#include "model/core/json_library.h"
#include "model/decode/choosing.h"
#include "model/decode/writing.h"

namespace headlight {

namespace {

constexpr std::int64_t kLargestId = 10'000'000;

// Reads one key after the other; null is as if it were not there.
class ChoosingReader {
 public:
  ChoosingReader(const Json& json, std::string where) : json_(json), where_(std::move(where)) {}

  const Json* at(const char* key) const {
    const auto found = json_.find(key);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
  }
  [[noreturn]] void wrong(const char* key, const std::string& expected) const {
    throw FormatError(where_ + ": " + key + ": expected " + expected + ", found " +
                      json_[key].dump(-1, ' ', true).substr(0, 60));
  }
  double real(const char* key, double otherwise, double low, double high, const char* expected) const {
    const Json* found = at(key);
    if (!found) return otherwise;
    if (!found->is_number() || !(found->get<double>() >= low && found->get<double>() <= high)) wrong(key, expected);
    return found->get<double>();
  }
  std::optional<double> share(const char* key) const {
    return at(key) ? std::optional(real(key, 0, 0, 1, "a number from 0 to 1")) : std::nullopt;
  }
  Index whole(const char* key) const {
    const Json* found = at(key);
    if (!found) return 0;
    if (!found->is_number_integer() || found->get<std::int64_t>() < 0 || found->get<std::int64_t>() > kLargestId)
      wrong(key, "a whole number of at least 0");
    return found->get<Index>();
  }
  bool flag(const char* key) const {
    const Json* found = at(key);
    if (found && !found->is_boolean()) wrong(key, "true or false");
    return found && found->get<bool>();
  }
  std::vector<TokenId> ids(const Json& value, const char* key) const {
    std::vector<TokenId> all;
    for (const Json& id : value.is_array() ? value : Json::array({value})) {
      if (id == -1) continue;  // none, in some files
      if (!id.is_number_integer() || id.get<std::int64_t>() < 0 || id.get<std::int64_t>() > kLargestId)
        wrong(key, "numbers of tokens");
      all.push_back(static_cast<TokenId>(id.get<std::int64_t>()));
    }
    return all;
  }
  std::vector<TokenId> list(const char* key) const { return at(key) ? ids(*at(key), key) : std::vector<TokenId>(); }
  std::optional<std::vector<TokenId>> open_list(const char* key) const {
    return at(key) ? std::optional(ids(*at(key), key)) : std::nullopt;
  }

 private:
  const Json& json_;
  std::string where_;
};

void read_words(const ChoosingReader& reader, ChoosingSettings& s) {
  if (const Json* words = reader.at("bad_words_ids")) {
    if (!words->is_array()) reader.wrong("bad_words_ids", "a list of lists of tokens");
    for (const Json& word : *words) {
      if (!word.is_array()) reader.wrong("bad_words_ids", "a list of lists of tokens");
      if (std::vector<TokenId> ids = reader.ids(word, "bad_words_ids"); !ids.empty())
        s.bad_words_ids.push_back(std::move(ids));
    }
  }
  if (const Json* biases = reader.at("sequence_bias")) {
    if (!biases->is_array()) reader.wrong("sequence_bias", "a list of tokens with a number each");
    for (const Json& bias : *biases) {
      if (!bias.is_array() || bias.size() != 2 || !bias[1].is_number())
        reader.wrong("sequence_bias", "tokens and a number");
      if (std::vector<TokenId> ids = reader.ids(bias[0], "sequence_bias"); !ids.empty())
        s.sequence_bias.emplace_back(std::move(ids), bias[1].get<double>());
    }
  }
  if (const Json* pair = reader.at("exponential_decay_length_penalty")) {
    if (!pair->is_array() || pair->size() != 2 || !(*pair)[0].is_number_unsigned() || !(*pair)[1].is_number())
      reader.wrong("exponential_decay_length_penalty", "a length and a factor");
    s.exponential_decay_length_penalty = {
        static_cast<Index>(std::min<std::uint64_t>((*pair)[0].get<std::uint64_t>(), kLargestId)),
        (*pair)[1].get<double>()};
  }
}

}  // namespace

ChoosingSettings ChoosingSettings::from_json(const Json& json, const std::string& where) {
  if (!json.is_object()) throw FormatError(where + ": expected an object of settings");
  const ChoosingReader reader(json, where);
  constexpr double kMany = 1e6;
  const auto above_0 = [&](const char* key) { return reader.real(key, 1, 1e-6, kMany, "a number above 0"); };
  const auto penalty = [&](const char* key) { return reader.real(key, 0, -kMany, kMany, "a number"); };
  ChoosingSettings s;
  s.encoder_repetition_penalty = above_0("encoder_repetition_penalty");
  s.repetition_penalty = above_0("repetition_penalty");
  s.frequency_penalty = penalty("frequency_penalty");
  s.presence_penalty = penalty("presence_penalty");
  s.no_repeat_ngram_size = reader.whole("no_repeat_ngram_size");
  s.encoder_no_repeat_ngram_size = reader.whole("encoder_no_repeat_ngram_size");
  s.min_length = reader.whole("min_length");
  if (reader.at("min_new_tokens")) s.min_new_tokens = reader.whole("min_new_tokens");
  s.eos_token_id = reader.list("eos_token_id");
  s.forced_bos_token_id = reader.list("forced_bos_token_id");
  s.forced_eos_token_id = reader.list("forced_eos_token_id");
  s.remove_invalid_values = reader.flag("remove_invalid_values");
  s.suppress_tokens = reader.open_list("suppress_tokens");
  s.begin_suppress_tokens = reader.open_list("begin_suppress_tokens");
  s.do_sample = reader.flag("do_sample");
  s.temperature = above_0("temperature");
  s.top_h = reader.share("top_h");
  s.top_k = reader.whole("top_k");
  s.top_p = reader.share("top_p").value_or(1);
  s.min_p = reader.share("min_p");
  s.typical_p = reader.share("typical_p").value_or(1);
  s.epsilon_cutoff = reader.share("epsilon_cutoff").value_or(0);
  s.eta_cutoff = reader.share("eta_cutoff").value_or(0);
  s.renormalize_logits = reader.flag("renormalize_logits");
  read_words(reader, s);
  return s;
}

const std::vector<const char*>& WritingSettings::keys_of_search() {
  static const std::vector<const char*> keys = {"do_sample",         "num_beams",      "num_return_sequences",
                                                "max_length",        "max_new_tokens", "num_beam_groups",
                                                "diversity_penalty", "length_penalty", "early_stopping"};
  return keys;
}

WritingSettings WritingSettings::from_json(const Json& json, const std::string& where) {
  if (!json.is_object()) throw FormatError(where + ": expected an object of settings");
  WritingSettings s;
  Json acting = json;
  // Files say a temperature of 0 and the like for models that do not draw.
  if (!json.contains("do_sample") || json["do_sample"] == false)
    for (const char* key :
         {"temperature", "top_h", "top_k", "top_p", "min_p", "typical_p", "epsilon_cutoff", "eta_cutoff"})
      acting.erase(key);
  s.choosing = ChoosingSettings::from_json(acting, where);
  const ChoosingReader reader(json, where);
  const auto count = [&](const char* key) {
    const Json* found = reader.at(key);
    if (found &&
        (!found->is_number_integer() || found->get<std::int64_t>() < 1 || found->get<std::int64_t>() > kMostBeams))
      reader.wrong(key, "a whole number from 1 to " + std::to_string(kMostBeams));
    return found ? found->get<Index>() : 1;
  };
  for (const auto& [key, none] : {std::pair("num_beam_groups", 1), {"diversity_penalty", 0}})
    if (const Json* found = reader.at(key); found && *found != none)
      throw FormatError(where + ": " + key + ": groups of beams are not implemented");
  s.num_beams = count("num_beams");
  s.num_return_sequences = count("num_return_sequences");
  s.length_penalty = reader.real("length_penalty", 1, -100, 100, "a number from -100 to 100");
  if (const Json* early = reader.at("early_stopping")) {
    if (!early->is_boolean() && *early != "never") reader.wrong("early_stopping", "true, false or \"never\"");
    s.early_stopping = *early == "never"    ? EarlyStopping::never
                       : early->get<bool>() ? EarlyStopping::yes
                                            : EarlyStopping::no;
  }
  if (reader.at("max_new_tokens")) s.max_new_tokens = static_cast<std::size_t>(reader.whole("max_new_tokens"));
  if (reader.at("max_length")) s.max_length = static_cast<std::size_t>(reader.whole("max_length"));
  return s;
}

}  // namespace headlight
