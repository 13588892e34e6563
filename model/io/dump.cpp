#include "model/io/dump.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <string>

#include "model/core/json_library.h"
#include "model/io/file.h"
#include "model/io/npz.h"
#include "model/io/safetensors.h"
#include "model/text/csv.h"

namespace headlight {

namespace {

constexpr bool kDouble = sizeof(Scalar) == sizeof(double);

// In the order of Axis.
constexpr const char* kAxisNames[] = {"source", "target", "unit", "vocabulary", "query",
                                      "key",    "head",   "slot", "single"};

// The shortest text that reads back as the same number.
std::string number_text(Scalar value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  std::array<char, 40> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::vector<NamedTensor> tensors_of(const Trace& trace) {
  std::vector<NamedTensor> tensors;
  for (const TraceEntry& entry : trace.entries()) tensors.push_back({entry.site.text, entry.value});
  return tensors;
}

void write_json_values(FileWriter& file, const Tensor& tensor, int axis, Index& at) {
  if (axis == tensor.rank()) {
    const Scalar value = tensor[at++];
    file.write(std::isfinite(value) ? number_text(value) : '"' + number_text(value) + '"');
    return;
  }
  file.write("[");
  for (Index i = 0; i < tensor.dim(axis); ++i) {
    if (i > 0) file.write(", ");
    write_json_values(file, tensor, axis + 1, at);
  }
  file.write("]");
}

std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

void write_json(FileWriter& file, const Trace& trace, const std::string& about) {
  file.write(about.empty() ? "{" : "{\n  \"about\": " + about + (trace.size() > 0 ? "," : ""));
  for (int i = 0; i < trace.size(); ++i) {
    const TraceEntry& entry = trace[i];
    nlohmann::json axes = nlohmann::json::array();
    if (entry.site.kind)
      for (const Axis axis : entry.site.kind->axes) axes.push_back(kAxisNames[static_cast<int>(axis)]);
    file.write(std::string(i > 0 ? ",\n" : "\n") + "  " + nlohmann::json(entry.site.text).dump() + ": {\"shape\": " +
               nlohmann::json(entry.value.shape().vector()).dump() + ", \"axes\": " + axes.dump() + ", \"values\": ");
    Index at = 0;
    write_json_values(file, entry.value, 0, at);
    file.write("}");
  }
  file.write("\n}\n");
}

void write_csv(FileWriter& file, const Trace& trace) {
  int columns = 3;
  for (const TraceEntry& entry : trace.entries()) columns = std::max(columns, entry.value.rank());
  std::string header = "site";
  for (int i = 0; i < columns; ++i) header += std::string(",") + static_cast<char>('i' + i);
  file.write(header + ",value\r\n");
  for (const TraceEntry& entry : trace.entries()) {
    const Shape& shape = entry.value.shape();
    std::vector<Index> at(static_cast<std::size_t>(shape.rank()), 0);
    for (Index cell = 0; cell < entry.value.size(); ++cell) {
      std::string row = csv_cell(entry.site.text);
      for (const Index i : at) row += "," + std::to_string(i);
      row += std::string(static_cast<std::size_t>(columns - shape.rank()), ',');  // axes that it does not have
      file.write(row + "," + number_text(entry.value[cell]) + "\r\n");
      for (int axis = shape.rank() - 1; axis >= 0 && ++at[static_cast<std::size_t>(axis)] == shape[axis]; --axis)
        at[static_cast<std::size_t>(axis)] = 0;
    }
  }
}

}  // namespace

void dump_trace(const Trace& trace, const std::filesystem::path& path, const Json& about) {
  const std::string ending = path.extension().string();
  const std::string text = about.empty() ? std::string() : line_of(about);
  if (ending == ".safetensors") {
    std::map<std::string, std::string> metadata;
    for (const auto& [key, value] : about.items())
      metadata[key] = value.is_string() ? value.get<std::string>() : line_of(value);
    write_safetensors(path, tensors_of(trace), metadata, kDouble ? StorageType::f64 : StorageType::f32);
  } else if (ending == ".npz")
    write_npz(path, tensors_of(trace), kDouble ? NpyType::f8 : NpyType::f4, text);
  else if (ending == ".json")
    write_file_atomically(path, [&](FileWriter& file) { write_json(file, trace, text); });
  else if (ending == ".csv")
    write_file_atomically(path, [&](FileWriter& file) { write_csv(file, trace); });
  else
    throw UsageError("cannot write " + path.string() + ": the name must end in .safetensors, .npz, .json or .csv");
}

}  // namespace headlight
