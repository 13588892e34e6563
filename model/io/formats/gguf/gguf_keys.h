// What the metadata of a GGUF file says, with the name of its key in every message, and what decoders have in common.
// Keys without their architecture in front: "block_count".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "model/core/json_library.h"
#include "model/io/formats/gguf/gguf_file.h"

namespace headlight::gguf {

constexpr std::uint64_t kMost = 10'000'000;  // of anything that is counted

// All throw FormatError. A number that is missing is the fallback, or an error.
std::uint64_t whole(const GgufFile& file, const char* key, std::optional<std::uint64_t> fallback = {});
std::optional<double> real(const GgufFile& file, const char* key);

// Null: there is none of this name.
const TensorEntry* tensor(const GgufFile& file, const std::string& name);
bool has(const GgufFile& file, const char* name);
// Of a matrix that has to be there.
std::uint64_t rows(const GgufFile& file, const std::string& name);

std::uint64_t heads(const GgufFile& file);
// Of latent attention that of the latents.
std::uint64_t head_size(const GgufFile& file);

// --- settings of config.json

// Frequencies that are divided, as rope_scaling says it; null: they are not.
Json rope_scaling(const GgufFile& file, std::uint64_t context);
// With the share of each head that is turned, under the key of the family.
void add_rope(const GgufFile& file, Json& c, const char* share = "partial_rotary_factor");
// Names of keys as most of the library's configurations have them.
Json base_config(const GgufFile& file, const char* type);
void add_rms(const GgufFile& file, Json& c);
void add_layer_norm(const GgufFile& file, Json& c, const char* key = "layer_norm_eps");
void add_biases(const GgufFile& file, Json& c);
// Where the family has others than as many as heads, and than the width allows, if a configuration leaves them out.
void add_heads(const GgufFile& file, Json& c);
void add_granite(const GgufFile& file, Json& c);
// Of a mixture, under the names of its family.
void add_experts(const GgufFile& file, Json& c, const char* count);

// What an architecture has beside them.
struct Configure {
  const char* architecture;
  void (*add)(const GgufFile& file, Json& config);
};
std::span<const Configure> configures_of_experts();

}  // namespace headlight::gguf
