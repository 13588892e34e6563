#include "model/io/formats/tokenizers/tokenizer_config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <unordered_map>

#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"

namespace headlight {

namespace fs = std::filesystem;
using pretrained::AddedToken;
using pretrained::TokenNumber;

namespace {

constexpr std::uint64_t kMaxConfig = 16u << 20;
constexpr JsonLimits kTokenLimits{2, 1'000'000, 1'000'001};
// In the order in which the library adds those that the vocabulary lacks.
constexpr std::array kNamed = {"bos_token", "eos_token", "unk_token", "sep_token",
                               "pad_token", "cls_token", "mask_token"};

Json object_in(const fs::path& path) {
  Json json = is_there(path) ? read_python_json(path, kMaxConfig) : Json::object();
  return json.is_object() ? json : Json::object();
}
const std::string kExpectedNumber = "expected a number of a token from 0 to " + std::to_string(kMaxTokenNumber);

bool is_token(const Json& value) { return value.is_string() || (value.is_object() && value.contains("content")); }

// A text, or an object with its settings; `special` where it does not say so.
AddedToken token_of(const Json& value, const std::string& where, bool special) {
  AddedToken token;
  token.special = special;
  token.normalized = !special;
  if (value.is_string()) {
    token.content = value.get<std::string>();
    return token;
  }
  if (!value.is_object() || !value.contains("content") || !value.at("content").is_string())
    throw FormatError(where + ": expected a token: a text, or an object with its \"content\"");
  token.content = value.at("content").get<std::string>();
  const auto flag = [&](const char* key, bool fallback) {
    const auto found = value.find(key);
    return found != value.end() && found->is_boolean() ? found->get<bool>() : fallback;
  };
  token.special = special || flag("special", false);
  token.normalized = flag("normalized", !token.special);
  token.single_word = flag("single_word", false);
  token.lstrip = flag("lstrip", false);
  token.rstrip = flag("rstrip", false);
  return token;
}

}  // namespace

TokenNumber token_number(const Json& value, const std::string& where) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > static_cast<std::uint64_t>(kMaxTokenNumber))
    throw FormatError(where + ": " + kExpectedNumber + ", found " + value.dump(-1, ' ', true).substr(0, 40));
  return value.get<TokenNumber>();
}

NamedTokens named_tokens(std::initializer_list<std::pair<const char*, std::string>> tokens, bool lstrip) {
  NamedTokens named;
  for (const auto& [key, content] : tokens) {
    AddedToken& token = named[key];
    token.content = content;
    token.lstrip = lstrip && key == std::string_view("mask_token");
  }
  return named;
}

TokenizerConfig::TokenizerConfig(const fs::path& folder)
    : file_((folder / "tokenizer_config.json").string()),
      json_(object_in(folder / "tokenizer_config.json")),
      config_(object_in(folder / "config.json")) {
  const auto decoder = json_.find("added_tokens_decoder");
  const bool lists_all = decoder != json_.end() && decoder->is_object();
  if (lists_all) {
    for (const auto& [number, token] : decoder->items()) {
      const std::string where = "added_tokens_decoder." + number.substr(0, 60);
      TokenNumber id = -1;
      const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), id);
      if (error != std::errc() || end != number.data() + number.size() || id < 0 || id > kMaxTokenNumber)
        throw FormatError(file_ + ": " + where + ": " + kExpectedNumber);
      added_[id] = token_of(token, file_ + ": " + where, false);
    }
  } else {  // older folders
    read_special_tokens_map(folder / "special_tokens_map.json");
  }
  read_named(json_);
  // One list under two names; the newer one counts, unless it gives its tokens names.
  for (const char* key : {"extra_special_tokens", "additional_special_tokens"}) {
    const auto list = json_.find(key);
    if (list == json_.end()) continue;
    if (list->is_object()) read_named(*list);
    if (list->is_array() && further_.empty())
      for (const Json& value : *list)
        if (is_token(value)) further_.push_back(token_of(value, file_ + ": " + key, true));
  }
  if (!lists_all) read_added_tokens(folder);
  // The list of what was added knows best.
  std::unordered_map<std::string, const AddedToken*> listed;
  for (auto& [id, token] : added_) listed[token.content] = &token;
  for (auto& [key, token] : named_)
    if (const auto known = listed.find(token.content); known != listed.end())
      token = *known->second;
    else if (const auto said = json_.find(key); said != json_.end() && said->is_string())
      plain_.insert(key);
}

// {"pad_token": "<pad>", ...}; what is none of the library's seven has a name of its own.
void TokenizerConfig::read_named(const Json& tokens) {
  const bool all = &tokens != &json_;
  for (const auto& [key, value] : tokens.items()) {
    if (!(all || key.ends_with("_token")) || !(is_token(value) || value.is_null())) continue;
    if (!named_.contains(key)) order_.push_back(key);
    named_[key] = value.is_null() ? AddedToken() : token_of(value, file_ + ": " + key, true);
  }
}

// It says the same as tokenizer_config.json, and wins; a list goes on.
void TokenizerConfig::read_special_tokens_map(const fs::path& path) {
  const Json map = object_in(path);
  for (const auto& [key, value] : map.items()) {
    const bool both = key == "extra_special_tokens" && value.is_array() && json_.contains(key) && json_[key].is_array();
    if (both)
      json_[key].insert(json_[key].end(), value.begin(), value.end());
    else if (key.ends_with("_token") || key.ends_with("_tokens"))
      json_[key] = value;
    map_lists_further_ |= key == "additional_special_tokens" && !json_.contains("extra_special_tokens");
  }
}

// {"[E1]": 700}
void TokenizerConfig::read_added_tokens(const fs::path& folder) {
  const fs::path path = folder / "added_tokens.json";
  if (!is_there(path)) return;
  const Json json = read_python_json(path, kMaxConfig, kTokenLimits);
  if (!json.is_object()) throw FormatError(path.string() + ": expected an object of tokens and their numbers");
  std::set<std::string> special;
  for (const char* key : kNamed) special.insert(token(key, ""));
  // As the library does: those that only special_tokens_map.json lists are no signs here.
  if (!map_lists_further_)
    for (const AddedToken& token : further_) special.insert(token.content);
  for (const auto& [content, id] : json.items()) {
    const bool sign = special.contains(content);
    added_[token_number(id, path.string())] = {content, false, false, false, !sign, sign};
  }
}

std::string TokenizerConfig::family() const {
  std::string name = text_at(json_, "tokenizer_class");
  for (const char* ending : {"Fast", "Tokenizer"})
    if (name.ends_with(ending)) name.resize(name.size() - std::string_view(ending).size());
  if (!name.empty() && name != "PreTrained" && name != "TokenizersBackend") return name;
  static const std::unordered_map<std::string, const char*> by_type = {{"roberta", "Roberta"},
                                                                       {"bart", "Bart"},
                                                                       {"qwen2", "Qwen2"},
                                                                       {"qwen3", "Qwen2"},
                                                                       {"t5", "T5"},
                                                                       {"mt5", "T5"},
                                                                       {"xlm-roberta", "XLMRoberta"},
                                                                       {"albert", "Albert"},
                                                                       {"llama", "Llama"},
                                                                       {"mistral", "Llama"},
                                                                       {"phi3", "Llama"},
                                                                       {"gemma", "Gemma"},
                                                                       {"gemma2", "Gemma"},
                                                                       {"gemma3_text", "Gemma"},
                                                                       {"marian", "Marian"},
                                                                       {"gpt2", "GPT2"},
                                                                       {"opt", "OPT"},
                                                                       {"esm", "Esm"},
                                                                       {"mpnet", "MPNet"},
                                                                       {"camembert", "Camembert"},
                                                                       {"deberta-v2", "DebertaV2"},
                                                                       {"pegasus", "Pegasus"},
                                                                       {"mbart", "MBart"},
                                                                       {"m2m_100", "M2M100"},
                                                                       {"blenderbot-small", "BlenderbotSmall"}};
  const auto found = by_type.find(text_at(config_, "model_type"));
  return found == by_type.end() ? std::string() : found->second;
}

std::optional<bool> TokenizerConfig::optional_flag(const char* key) const {
  const auto found = json_.find(key);
  return found != json_.end() && found->is_boolean() ? std::optional(found->get<bool>()) : std::nullopt;
}
std::int64_t TokenizerConfig::number(const char* key, std::int64_t fallback, std::int64_t most) const {
  const auto found = json_.find(key);
  if (found == json_.end() || !found->is_number_unsigned()) return fallback;
  return static_cast<std::int64_t>(std::min(found->get<std::uint64_t>(), static_cast<std::uint64_t>(most)));
}
std::string TokenizerConfig::text(const char* key, const std::string& fallback) const {
  const std::string said = text_at(json_, key);
  return said.empty() ? fallback : said;
}
bool TokenizerConfig::has_languages() const {
  const std::string name = family();
  return name == "MBart" || name == "MBart50" || name == "Nllb";
}
std::vector<std::string> TokenizerConfig::further() const {
  std::vector<std::string> contents;
  for (const AddedToken& token : further_) contents.push_back(token.content);
  return contents;
}
std::string TokenizerConfig::token(const char* key, const std::string& fallback) const {
  const auto found = named_.find(key);
  return found == named_.end() ? fallback : found->second.content;
}

void TokenizerConfig::add_tokens(pretrained::Tokenizer::Parts& parts, const NamedTokens& own, bool as_numbered) const {
  NamedTokens named = own;
  for (const auto& [key, token] : named_)
    if (plain_.contains(key))
      named[key].content = token.content;  // with the settings of the class
    else
      named[key] = token;
  std::set<std::string> signs;
  for (auto& [key, token] : named) {
    token.special = true;
    signs.insert(token.content);
  }
  for (const auto& [id, listed] : added_) {
    AddedToken token = listed;
    token.special |= signs.contains(token.content);
    token.normalized &= !as_numbered;
    parts.added.add(std::move(token), *parts.model, as_numbered ? std::optional(id) : std::nullopt);
  }
  const auto add = [&](AddedToken token) {
    token.normalized &= !as_numbered;
    if (!parts.added.find(token.content)) parts.added.add(std::move(token), *parts.model);
  };
  for (const char* key : kNamed)
    if (const auto found = named.find(key); found != named.end()) {
      // A whole file says by itself whether the sign for what is unknown is looked for.
      const bool said = own.empty() && key == std::string_view("unk_token") && parts.model->find(found->second.content);
      if (!said) add(found->second);
    }
  for (const std::string& key : order_)
    if (std::find(kNamed.begin(), kNamed.end(), key) == kNamed.end()) add(named.at(key));
  for (AddedToken token : further_) {
    token.special = true;
    add(std::move(token));
  }
  if (flag("split_special_tokens", false)) parts.added.split_special();
}

}  // namespace headlight
