// Reading config.json of other libraries: values with errors that name the key as it is written there.
#pragma once

#include <string>
#include <vector>

#include "model/core/tensor.h"
#include "model/io/json_file.h"

namespace headlight::families {

// Throw FormatError "KEY: expected ..., found ...". Missing keys and null give the fallback.
Index whole(const Json& config, const char* key, Index fallback = -1);  // without a fallback: throws "KEY: missing"
double real(const Json& config, const char* key, double fallback);
bool yes(const Json& config, const char* key, bool fallback);
std::string text(const Json& config, const char* key, const std::string& fallback);
bool given(const Json& config, const char* key);  // there, and not null
std::string shown(const Json& value);             // for messages: short, one line
// Throws FormatError "KEY: expected WHAT, found ...".
[[noreturn]] void wrong(const std::string& key, const std::string& what, const Json& found);

// A message about our settings, with the names that they have among these keys of config.json.
std::string in_their_words(std::string message, const std::vector<std::string>& keys);

// Our name of the activation that they name so.
std::string known_activation(const std::string& theirs, const char* key);
std::string activation(const Json& config, const char* key, const char* fallback);

// Our settings for the sizes, and what all families have in common.
Json of_size(Index vocabulary, Index width, Index heads, Index hidden, const char* shape, const char* layers,
             Index count);

// How queries and keys are turned.
struct Rope {
  double theta = 10'000;
  double share = 1;  // of each head
  Json scaling = Json::object();
};
// From rope_theta and rope_scaling, or from rope_parameters. `kind`: of the layers that have parameters of their own.
inline constexpr const char* kUsual = "full_attention";
Rope rope_of(const Json& config, Rope fallback, const char* kind = kUsual);
void set_rope(Json& settings, const Rope& rope, Index head_size);
void refuse_share(const Rope& rope);  // of families that turn all of each head

// Which layers have a window, from layer_types; without it, what `local` says.
std::vector<bool> local_layers(const Json& config, Index layers, bool (*local)(const Json& config, Index layer));
// Our layer_windows: `window` in those.
Json windows(const std::vector<bool>& local, Index window);

}  // namespace headlight::families
