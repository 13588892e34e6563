#include "model/io/formats/gguf/gguf_keys.h"

#include <algorithm>

#include "model/io/formats/gguf/gguf_architecture.h"

namespace headlight::gguf {

namespace {

// One number, or one for each layer, which have to be the same.
std::uint64_t whole_of_layers(const GgufFile& file, const char* key, std::optional<std::uint64_t> fallback = {}) {
  const std::string full = key_of(file, key);
  if (!file.is_array(full)) return whole(file, key, fallback);
  const std::vector<double> all = file.numbers(full);
  if (all.empty() || all.front() < 0 || all.front() > static_cast<double>(kMost))
    file.fail(full, "expected a number for each layer");
  if (std::ranges::any_of(all, [&](double each) { return each != all.front(); }))
    file.fail(full, "layers of different numbers are not implemented");
  return static_cast<std::uint64_t>(all.front());
}
Json factors(const GgufFile& file, const char* name) {
  const std::size_t i = *file.find_tensor(name);
  const TensorEntry& entry = file.tensors()[i];
  if (entry.dtype != "F32" || entry.count() > 4096)
    throw FormatError(file.where() + ": tensor \"" + name + "\": expected factors of type F32, found " + entry.dtype +
                      " " + shape_text(entry.shape));
  std::vector<float> values(static_cast<std::size_t>(entry.count()));
  file.read(i, 0, values.data(), values.size() * sizeof(float));
  return values;
}

}  // namespace

std::uint64_t whole(const GgufFile& file, const char* key, std::optional<std::uint64_t> fallback) {
  const std::string full = key_of(file, key);
  const auto found = file.whole(full);
  if (!found && !fallback) file.fail(full, "missing");
  if (found.value_or(0) > kMost)
    file.fail(full, "expected at most " + std::to_string(kMost) + ", found " + std::to_string(*found));
  return found ? *found : *fallback;
}
std::optional<double> real(const GgufFile& file, const char* key) { return file.real(key_of(file, key)); }

const TensorEntry* tensor(const GgufFile& file, const std::string& name) {
  const auto found = file.find_tensor(name);
  return found ? &file.tensors()[*found] : nullptr;
}
bool has(const GgufFile& file, const char* name) { return tensor(file, name) != nullptr; }
std::uint64_t rows(const GgufFile& file, const std::string& name) {
  const TensorEntry* entry = tensor(file, name);
  if (!entry || entry->shape.size() != 2)
    throw FormatError(file.where() + ": the tensor \"" + name + "\" is missing, or no matrix");
  return entry->shape.front();
}
std::uint64_t heads(const GgufFile& file) {
  const std::uint64_t count = whole_of_layers(file, "attention.head_count");
  if (count == 0) file.fail(key_of(file, "attention.head_count"), "expected at least 1, found 0");
  return count;
}
std::uint64_t head_size(const GgufFile& file) {
  const std::uint64_t width = whole(file, "embedding_length"), count = heads(file);
  if (!file.has(key_of(file, "attention.key_length")) && width % count != 0)
    file.fail(key_of(file, "attention.head_count"),
              std::to_string(count) + " heads do not divide the width " + std::to_string(width));
  const std::uint64_t size = whole(file, "attention.key_length", width / count);
  if (file.has(key_of(file, "attention.kv_lora_rank"))) return size;  // of latents; heads have sizes of their own
  if (const std::uint64_t values = whole(file, "attention.value_length", size); values != size)
    file.fail(key_of(file, "attention.value_length"),
              "expected " + std::to_string(size) + ", as keys have, found " + std::to_string(values));
  return size;
}

// Frequencies that are divided, as rope_scaling says it.
Json rope_scaling(const GgufFile& file, std::uint64_t context) {
  const auto original = [&] { return whole(file, "rope.scaling.original_context_length", context); };
  if (has(file, "rope_freqs.weight")) {  // llama3: the same factors for texts of every length
    const Json all = factors(file, "rope_freqs.weight");
    return {{"rope_type", "longrope"},
            {"short_factor", all},
            {"long_factor", all},
            {"attention_factor", 1.0},
            {"original_max_position_embeddings", context}};
  }
  if (has(file, "rope_factors_long.weight") && has(file, "rope_factors_short.weight"))
    return {{"rope_type", "longrope"},
            {"short_factor", factors(file, "rope_factors_short.weight")},
            {"long_factor", factors(file, "rope_factors_long.weight")},
            {"attention_factor", real(file, "rope.scaling.attn_factor").value_or(1)},
            {"original_max_position_embeddings", original()}};
  const std::string key = key_of(file, "rope.scaling.type"), type = file.text(key).value_or("none");
  if (type == "none") return nullptr;
  const double factor = real(file, "rope.scaling.factor").value_or(1);
  if (type == "linear") return {{"rope_type", "linear"}, {"factor", factor}};
  if (type != "yarn") file.fail(key, "the scaling \"" + type.substr(0, 60) + "\" is not implemented");
  return {{"rope_type", "yarn"},
          {"factor", factor},
          {"original_max_position_embeddings", original()},
          {"beta_fast", real(file, "rope.scaling.yarn_beta_fast").value_or(32)},
          {"beta_slow", real(file, "rope.scaling.yarn_beta_slow").value_or(1)}};
}

// With the share of each head that is turned, under the key of the family.
void add_rope(const GgufFile& file, Json& c, const char* share) {
  c["rope_theta"] = real(file, "rope.freq_base").value_or(10'000);
  const std::uint64_t size = head_size(file), turned = whole(file, "rope.dimension_count", size);
  if (turned > size)
    file.fail(key_of(file, "rope.dimension_count"),
              "expected at most " + std::to_string(size) + " of a head, found " + std::to_string(turned));
  c[share] = static_cast<double>(turned) / static_cast<double>(size);
  if (Json scaling = rope_scaling(file, whole(file, "context_length", 2048)); !scaling.is_null())
    c["rope_scaling"] = std::move(scaling);
}

// Names of keys as most of the library's configurations have them.
Json base_config(const GgufFile& file, const char* type) {
  const std::uint64_t count = heads(file), width = whole(file, "embedding_length"), size = head_size(file);
  Json c{{"model_type", type},
         {"vocab_size", rows(file, "token_embd.weight")},
         {"hidden_size", width},
         {"num_attention_heads", count},
         {"num_hidden_layers", whole(file, "block_count")},
         {"intermediate_size", whole_of_layers(file, "feed_forward_length")},
         {"max_position_embeddings", whole(file, "context_length", 2048)},
         {"tie_word_embeddings", !has(file, "output.weight")}};
  const std::uint64_t of_keys = whole_of_layers(file, "attention.head_count_kv", count);
  if (of_keys == 0 || count % of_keys != 0)
    file.fail(key_of(file, "attention.head_count_kv"),
              "expected a number that divides " + std::to_string(count) + " heads, found " + std::to_string(of_keys));
  if (of_keys != count) c["num_key_value_heads"] = of_keys;
  if (size * count != width) c["head_dim"] = size;
  return c;
}
void add_rms(const GgufFile& file, Json& c) {
  c["rms_norm_eps"] = real(file, "attention.layer_norm_rms_epsilon").value_or(1e-6);
}
void add_layer_norm(const GgufFile& file, Json& c, const char* key) {
  c[key] = real(file, "attention.layer_norm_epsilon").value_or(1e-5);
}
void add_biases(const GgufFile& file, Json& c) {
  c["attention_bias"] = has(file, "blk.0.attn_q.bias");
  c["mlp_bias"] = has(file, "blk.0.ffn_up.bias");
}
// Where the family has others than as many as heads, and than the width allows, if a configuration leaves them out.
void add_heads(const GgufFile& file, Json& c) {
  c["num_key_value_heads"] = c.value("num_key_value_heads", heads(file));
  c["head_dim"] = head_size(file);
}

std::string key_of(const GgufFile& file, const char* key) {
  return file.text("general.architecture").value_or(std::string()) + "." + key;
}

}  // namespace headlight::gguf
