// Names of models: folders, and the bundled ones.

#include "model/io/model_folder.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "model/io/bundled.h"
#include "model/io/file.h"
#include "model/text/nearest.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

// A model that cannot be read still has a place, the last one: opening it says what is wrong with it.
std::int64_t order_of(const Format& format, const fs::path& path) {
  try {
    return format.card(path).order;
  } catch (const Error&) {
    return INT64_MAX;
  }
}

}  // namespace

ModelDescription describe_model(const fs::path& path) {
  const Format* format = format_of(path);
  return (format ? *format : formats().front()).describe(path);
}

std::shared_ptr<const ModelBundle> load_model(const std::string& name_or_path, const Opening& opening) {
  std::error_code error;
  if (fs::is_directory(name_or_path, error) || format_of(name_or_path)) return open_path(name_or_path, opening);
  const bool is_path = name_or_path.find('/') != std::string::npos;
  std::vector<std::string> known;
  for (const fs::path& folder : bundled_models()) {
    if (!is_path && folder.filename() == name_or_path) return open_path(folder, opening);
    known.push_back(folder.filename().string());
  }
  if (fs::exists(name_or_path, error))
    throw FileError("cannot open the model " + name_or_path + ": it is a file; expected " + formats().front().expects);
  throw FileError(
      "there is no model folder " + name_or_path +
      (known.empty() ? ", and no model is bundled" : did_you_mean_or("bundled models: ", name_or_path, known)));
}

std::vector<fs::path> bundled_models() {
  std::vector<std::pair<std::int64_t, fs::path>> found;
  std::error_code error;
  const fs::path root = bundled_folder(Bundled::models);
  if (root.empty()) return {};
  for (const fs::path& path : entries_of(root)) {
    if (!fs::is_directory(path, error)) continue;
    if (const Format* format = format_of(path)) found.emplace_back(order_of(*format, path), path);
  }
  std::sort(found.begin(), found.end());
  std::vector<fs::path> folders;
  for (auto& [order, folder] : found) folders.push_back(std::move(folder));
  return folders;
}

}  // namespace headlight
