#include <system_error>

#include "model/io/file.h"
#include "model/io/formats/adapters/adapter_format.h"
#include "model/io/formats/captured/captured.h"
#include "model/io/formats/format.h"
#include "model/io/formats/gguf/gguf_format.h"
#include "model/io/formats/headlight_folder.h"
#include "model/io/formats/mapping/mapping.h"
#include "model/io/formats/pretrained/pretrained_folder.h"
#include "model/io/formats/weight_files.h"

namespace headlight {

namespace fs = std::filesystem;

const std::vector<Format>& formats() {
  static const std::vector<Format> rows = {
      headlight_format(), adapter_format(), adapted_format(),     pretrained_format(), mapping_format(),
      captured_format(),  gguf_format(),    torch_format(),       npz_format(),        npy_format(),
      pickle_format(),    other_format(),   safetensors_format(),
  };
  return rows;
}

const Format* format_of(const fs::path& path) {
  std::error_code none;
  const bool is_folder = fs::is_directory(path, none);
  for (const Format& format : formats())
    if (format.is_folder == is_folder && format.recognise(path)) return &format;
  return nullptr;
}

bool looks_like_a_part(const fs::path& path) { return path.extension() == ".json"; }

std::optional<fs::path> opened_by(const fs::path& path) {
  std::error_code none;
  if (!is_there(path)) return {};
  // A folder that only holds weights, beside whatever lies there, is not meant by a file in it.
  const fs::path folder = path.parent_path();
  const bool says_what_it_is = is_there(folder / "config.json") || is_there(folder / "adapter_config.json");
  if (!fs::is_directory(path, none) && says_what_it_is && format_of(folder)) return folder;
  if (format_of(path)) return path;
  return {};
}

ModelDescription described_opened(const ModelBundle& opened) {
  auto bundle = std::make_shared<ModelBundle>(opened);
  bundle->model = nullptr;
  bundle->on_top = nullptr;
  return {std::move(bundle), opened.model->traits()};
}

std::shared_ptr<const ModelBundle> open_path(const fs::path& path, const Opening& opening) {
  const Format* format = format_of(path);
  return (format ? *format : formats().front()).open(path, opening);
}

}  // namespace headlight
