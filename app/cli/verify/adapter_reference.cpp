#include "app/cli/verify/adapter_reference.h"

#include "model/io/file.h"
#include "model/io/formats/adapters/adapter.h"
#include "model/io/formats/format.h"
#include "model/io/json_file.h"
#include "model/io/tensor_values.h"

namespace headlight {

AdapterReference::AdapterReference(const VerifyCommand& command, const std::filesystem::path& reference) {
  constexpr std::uint64_t kMost = 1u << 20;
  if (command.has("--adapter-scale")) only_ = command.adapter_scale;
  where_ = command.model;
  tensors_ = format_of(command.model)->contents(command.model).tensors;
  const std::filesystem::path cases = reference.parent_path() / "cases.json";
  if (!is_there(cases)) return;
  const Json json = read_json(cases, kMost);
  const auto list = json.is_object() ? json.find("cases") : json.end();
  if (list == json.end() || !list->is_array()) return;
  for (const Json& one : *list)
    if (one.is_object() && one.contains("scale") && one["scale"].is_number() && !text_at(one, "case").empty())
      strengths_[text_at(one, "case")] = one["scale"].get<double>();
}

std::optional<double> AdapterReference::strength(const std::string& run) const {
  const auto said = strengths_.find(run);
  if (said == strengths_.end()) return only_.value_or(1);
  return !only_ || *only_ == said->second ? std::optional(said->second) : std::nullopt;
}

// A base may leave out what stands in front of all its names.
std::optional<Tensor> AdapterReference::weights(const std::string& kind, const std::string& tensor) const {
  const std::string front = kind == "delta" ? "delta." : "";
  for (std::size_t i = 0; i < tensors_->tensors().size(); ++i) {
    const std::string& name = tensors_->tensors()[i].name;
    if (!name.starts_with(front) || (front.empty() && name.starts_with("delta."))) continue;
    const std::string own = name.substr(front.size());
    if (own == tensor || tensor.ends_with("." + own) || own.ends_with("." + tensor))
      return numbers_of(*tensors_, i, where_);
  }
  return {};
}

}  // namespace headlight
