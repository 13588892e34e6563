#include "model/io/formats/families/family.h"

#include <algorithm>

#include "model/core/errors.h"
#include "model/io/formats/families/generation.h"
#include "model/io/formats/families/other_keys.h"
#include "model/models/registry.h"

namespace headlight::families {

Names& Names::one(std::string ours, std::string theirs, How how) {
  all.push_back({std::move(ours), std::move(theirs), how});
  return *this;
}

Names& Names::linear(const std::string& place, const std::string& part, const std::string& theirs) {
  return one(place + ".W" + part, theirs + ".weight", How::transposed).one(place + ".b" + part, theirs + ".bias");
}

Names& Names::norm(const std::string& ours, const std::string& theirs, How gamma) {
  return one(ours + ".gamma", theirs + ".weight", gamma).one(ours + ".beta", theirs + ".bias");
}

Names& Names::attention(const std::string& ours, const std::string& theirs, const std::vector<const char*>& qkvo) {
  const char* parts[] = {"_q", "_k", "_v", "_o"};
  for (std::size_t i = 0; i < 4; ++i) linear(ours, parts[i], theirs + "." + qkvo[i]);
  return *this;
}

Names& Names::fused(const std::string& ours, const std::string& theirs, How first) {
  for (int i = 0; i < 3; ++i) {
    const std::string part = std::string("_") + "qkv"[i];
    const auto how = static_cast<How>(static_cast<int>(first) + i);
    one(ours + ".W" + part, theirs + ".weight", how).one(ours + ".b" + part, theirs + ".bias", how);
  }
  return *this;
}

Names& Names::halves(const std::string& place, const std::string& first, const std::string& second,
                     const std::string& theirs) {
  for (const auto& [part, how] : {std::pair(first, How::first_rows), {second, How::last_rows}})
    one(place + ".W" + part, theirs + ".weight", how).one(place + ".b" + part, theirs + ".bias", how);
  return *this;
}

const std::string& Names::first(const std::string& ours) const {
  static const std::string none;
  const auto found = std::ranges::find(all, ours, &Name::ours);
  return found == all.end() ? none : found->theirs;
}

Names& Names::tied(const std::vector<std::string>& theirs) {
  for (const std::string& name : theirs) one("embed.W", name);
  return *this;
}

namespace {

const std::vector<Family>& families() {
  static const std::vector<Family> rows = [] {
    std::vector<Family> all;
    for (auto part : {bert_families(), encoder_families(), gpt_families(), llama_families(), decoders_before_llama(),
                      decoders_after_llama(), decoders_with_experts(), seq2seq_families()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return rows;
}

// Keys that every configuration of the library may have; a family may say otherwise.
const std::vector<Fixed>& fixed_for_all() {
  static const std::vector<Fixed> rows = {
      {"is_decoder", {false}}, {"add_cross_attention", {false}}, {"position_embedding_type", {"absolute"}}};
  return rows;
}

const Fixed* fixed_of(const Family& family, const std::string& key) {
  for (const std::vector<Fixed>* rows : {&family.fixed, &fixed_for_all()})
    for (const Fixed& row : *rows)
      if (key == row.key) return &row;
  return nullptr;
}

bool has(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool is_read(const Family& family, const std::string& key) {
  return has(family.keys, key) || is_read_elsewhere(key) || is_of_generation(key);
}

// Other names of a key, where the library takes them too.
struct Alias {
  const char *key, *own;
};
const std::vector<Alias>& aliases() {
  static const std::vector<Alias> rows = [] {
    std::vector<Alias> all = {{"max_position_embeddings", "n_positions"}, {"head_dim", "d_kv"}};
    for (const char* own : {"n_embd", "n_embed", "dim", "d_model"}) all.push_back({"hidden_size", own});
    for (const char* own : {"n_head", "n_heads", "num_heads", "encoder_attention_heads"})
      all.push_back({"num_attention_heads", own});
    for (const char* own : {"n_layer", "n_layers", "num_layers"}) all.push_back({"num_hidden_layers", own});
    return all;
  }();
  return rows;
}

}  // namespace

const Family* family_of(const Json& config) {
  const std::string type = text_at(config, "model_type");
  for (const Family& family : families())
    if (has(family.types, type)) return &family;
  return nullptr;
}

std::string architecture_of(const Json& config) {
  const auto list = config.find("architectures");
  return list != config.end() && list->is_array() && !list->empty() && list->front().is_string()
             ? list->front().get<std::string>()
             : std::string();
}

Json in_own_words(Json config) {
  const Family* family = family_of(config);
  if (!family || !config.is_object()) return config;
  for (const Alias& alias : aliases()) {
    const bool meant = config.contains(alias.key) && !has(family->keys, alias.key);
    if (!meant || !has(family->keys, alias.own)) continue;
    if (!given(config, alias.own)) config[alias.own] = config[alias.key];
    if (config[alias.own] == config[alias.key] || config[alias.key].is_null()) config.erase(alias.key);
  }
  return config;
}

std::string why_not(const Json& given_config) {
  const std::string named = "models of model_type \"" + text_at(given_config, "model_type") + "\"";
  const Family* family = family_of(given_config);
  if (!family) return named + " do not run here";
  const Json config = in_own_words(given_config);
  for (const auto& [key, value] : config.items()) {
    if (key == "pruned_heads" && !value.empty())
      return named + " with pruned_heads " + shown(value) + " do not run here";
    if (const Fixed* fixed = fixed_of(*family, key)) {
      if (!value.is_null() && std::find(fixed->values.begin(), fixed->values.end(), value) == fixed->values.end())
        return named + " with " + key + " " + shown(value) + " do not run here";
    } else if (!is_read(*family, key) && !changes_nothing(key) && !says_nothing(key, value)) {
      return named + " with the setting \"" + key + "\" " + shown(value) +
             " do not run here: it is not known, and may change what is computed";
    }
  }
  try {
    // Shapes alone, no memory.
    make_model(family->settings(config), {InitialValues::Kind::none});
  } catch (const Error& error) {
    return named + " do not run with this configuration: " + in_their_words(error.what(), family->keys);
  }
  return {};
}

std::vector<std::string> ignored_keys(const Json& config) {
  std::vector<std::string> ignored;
  const Family* family = family_of(config);
  if (!family) return ignored;
  const Json own = in_own_words(config);
  for (const auto& [key, value] : config.items())
    if (!is_read(*family, key) && !fixed_of(*family, key) && own.contains(key)) ignored.push_back(key);
  return ignored;
}

}  // namespace headlight::families
