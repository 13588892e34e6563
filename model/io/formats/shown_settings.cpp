#include "model/io/formats/shown_settings.h"

#include "model/core/errors.h"
#include "model/io/text_file.h"
#include "model/text/message_line.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxFile = 16u << 20;

bool is_file(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none);
}

Json json_or_null(const fs::path& path) {
  if (!is_file(path)) return {};
  try {
    return read_python_json(path, kMaxFile);
  } catch (const Error&) {
    return {};
  }
}

// One template, or a list of them with names: the default one, else the first.
std::string template_in(const Json& json) {
  if (!json.is_object()) return {};
  const auto found = json.find("chat_template");
  if (found == json.end()) return {};
  if (found->is_string()) return found->get<std::string>();
  std::string first;
  if (found->is_array())
    for (const Json& each : *found) {
      if (!each.is_object() || !each.contains("template") || !each.at("template").is_string()) continue;
      if (first.empty() || each.value("name", Json()) == "default") first = each.at("template").get<std::string>();
    }
  return first;
}

std::string template_of(const fs::path& folder) {
  const fs::path file = folder / "chat_template.jinja";
  try {
    if (is_file(file)) return read_text_file(file, kMaxFile);
  } catch (const Error&) {
    return {};
  }
  for (const char* name : {"chat_template.json", "tokenizer_config.json"})
    if (std::string found = template_in(json_or_null(folder / name)); !found.empty()) return found;
  return {};
}

}  // namespace

ShownSettings shown_settings(const fs::path& folder, const Json& config) {
  ShownSettings shown;
  const fs::path file = folder / "generation_config.json";
  const Json own = json_or_null(file);
  const Json& rules = is_file(file) ? own : config;
  for (const char* key :
       {"do_sample", "temperature", "top_k", "top_p", "min_p", "typical_p", "epsilon_cutoff", "eta_cutoff", "num_beams",
        "num_beam_groups", "diversity_penalty", "length_penalty", "early_stopping", "num_return_sequences"}) {
    if (!rules.is_object() || !rules.contains(key)) continue;
    const Json& value = rules.at(key);
    if (!value.is_null() && value != false && value != 1)
      shown.sampling.emplace_back(key, value.dump(-1, ' ', true).substr(0, 60));
  }
  shown.chat_template = template_of(folder);
  return shown;
}

std::string shown_text(const ShownSettings& settings) {
  constexpr std::size_t kMost = 100;  // of a template
  std::string text;
  for (const auto& [key, value] : settings.sampling) text += (text.empty() ? "" : ", ") + key + " " + value;
  if (!settings.chat_template.empty()) {
    const std::string line = message_line(settings.chat_template);
    std::size_t end = std::min(line.size(), kMost);
    while (end < line.size() && end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;
    text +=
        (text.empty() ? "" : ", ") + ("chat_template \"" + line.substr(0, end)) + (end < line.size() ? "…\"" : "\"");
  }
  return text.empty() ? text : " (" + text + ")";
}

}  // namespace headlight
