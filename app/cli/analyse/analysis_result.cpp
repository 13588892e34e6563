#include "app/cli/analyse/analysis_result.h"

#include <cmath>
#include <filesystem>

#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/io/npz.h"

namespace headlight {

namespace {

Json nested(const NumberArray& array, std::size_t axis, std::size_t& at) {
  if (axis == array.shape.size()) {
    const double value = array.values[at++];
    return std::isfinite(value) ? Json(value) : Json(nullptr);
  }
  Json list = Json::array();
  for (Index i = 0; i < array.shape[axis]; ++i) list.push_back(nested(array, axis + 1, at));
  return list;
}

Json table_json(const ExperimentTable& table) {
  Json rows = Json::array();
  for (const std::vector<TableCell>& row : table.rows) {
    Json cells = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i)
      std::visit([&](const auto& cell) { cells[table.columns[i]] = cell; }, row[i]);
    rows.push_back(std::move(cells));
  }
  return rows;
}

std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::vector<NamedTensor> as_tensors(const std::vector<NumberArray>& arrays) {
  std::vector<NamedTensor> tensors;
  for (const NumberArray& array : arrays) {
    Tensor tensor{Shape(array.shape)};
    for (Index i = 0; i < tensor.size(); ++i)
      tensor[i] = static_cast<Scalar>(array.values[static_cast<std::size_t>(i)]);
    tensors.push_back({array.name, std::move(tensor)});
  }
  return tensors;
}

Json analysis_json(const AnalysisResult& result) {
  Json json = result.about;
  json["notes"] = result.notes;
  json["table"] = table_json(result.table);
  Json arrays = Json::object();
  for (const NumberArray& array : result.arrays) {
    std::size_t at = 0;
    arrays[array.name] = {{"shape", array.shape}, {"values", nested(array, 0, at)}};
  }
  json["arrays"] = std::move(arrays);
  return json;
}

void check_result_ending(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending != ".json" && ending != ".npz" && ending != ".csv")
    throw UsageError("cannot write " + path + ": the name must end in .json, .npz or .csv");
}

void write_result(const AnalysisResult& result, const std::string& path) {
  check_result_ending(path);
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".npz")
    write_npz(path, as_tensors(result.arrays), NpyType::f4, dumped(result.about, -1));
  else
    write_file_atomically(path, ending == ".json" ? dumped(analysis_json(result), 1) + "\n"
                                                  : "# " + dumped(result.about, -1) + "\r\n" + csv_text(result.table));
}

}  // namespace headlight
