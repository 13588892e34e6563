// What the files beside the weights of another library say that is shown and does not act here: how texts are drawn by
// chance, and how conversations are written.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "model/io/json_file.h"

namespace headlight {

struct ShownSettings {
  std::vector<std::pair<std::string, std::string>> sampling;  // key and value: {"temperature", "0.6"}
  std::string chat_template;                                  // Jinja; empty: none
};

// `config` is config.json, which has the keys of sampling where there is no generation_config.json. Files that cannot
// be read show nothing: nothing depends on them.
ShownSettings shown_settings(const std::filesystem::path& folder, const Json& config);
// " (temperature 0.6, chat_template "{% for ...")", for a description; empty: there is nothing to show.
std::string shown_text(const ShownSettings& settings);

}  // namespace headlight
