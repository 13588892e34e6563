// Formats of models and weights: one row each, in the order in which they are asked. Nothing outside this folder knows
// the names of files.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/core/cancel.h"
#include "model/io/formats/shown_settings.h"
#include "model/io/tensor_file.h"
#include "model/models/bundle.h"
#include "model/models/description.h"

namespace headlight {

// What goes on while something is opened. `progress` is called on the opening thread with the share that is done, 0 to
// 1; a raised `cancel` ends the opening with Cancelled.
struct Opening {
  std::function<void(double share)> progress;
  CancelToken cancel;
  void report(double share) const {
    cancel.check();
    if (progress) progress(share);
  }
};

// A model in a list, without its weights.
struct ModelCard {
  std::string title, description;  // empty: none is given
  std::int64_t order = 0;
};

// What lies at a path, whether it runs or not.
struct Contents {
  std::shared_ptr<const TensorFile> tensors;
  bool runs = false;
  std::string reason{};      // why it does not run: one line, without the path
  std::string model_type{};  // as its configuration has it; empty: it says none
  ShownSettings shown{};     // what does not act
  std::vector<std::string>
      notes{};  // what else a person has to know: what was taken otherwise than expected, or is missing
};

struct Format {
  const char* id;       // "headlight"
  const char* title;    // "Headlight model folder"
  const char* expects;  // "a folder with ...": for messages
  bool is_folder;
  bool runs;             // whether what it holds can be run at all
  const char* patterns;  // names of its files for a file dialog, "*.pt *.pth"; empty for folders
  // Whether this path is of the format, by content where that tells and else by names. Never throws.
  bool (*recognise)(const std::filesystem::path& path);
  // Its tensors, listed without reading them, and whether it runs. Throws Error when they cannot be listed.
  Contents (*contents)(const std::filesystem::path& path);
  // Opens a model that runs. Throws Error: what is wrong with it, or why it does not run.
  std::shared_ptr<const ModelBundle> (*open)(const std::filesystem::path& path, const Opening& opening);
  // Everything but the weights. Throws like open.
  ModelDescription (*describe)(const std::filesystem::path& path);
  // Throws Error when it cannot be read.
  ModelCard (*card)(const std::filesystem::path& path);
  // The files that make it the model that it is, for its hash.
  std::vector<std::filesystem::path> (*files)(const std::filesystem::path& path);
};

const std::vector<Format>& formats();

// The format of this file or folder; null when it is of none.
const Format* format_of(const std::filesystem::path& path);
// Whether a file of this name could be one of those in a model's folder; for messages.
bool looks_like_a_part(const std::filesystem::path& path);

// What to open when this path is dropped: a file in the folder of a model means the folder. Nothing when no format has
// it.
std::optional<std::filesystem::path> opened_by(const std::filesystem::path& path);

// Opens what lies at this path. Throws Error; a path of no format is refused as a folder of ours would be.
std::shared_ptr<const ModelBundle> open_path(const std::filesystem::path& path, const Opening& opening = {});

// Of a model that had to be opened for it.
ModelDescription described_opened(const ModelBundle& opened);

}  // namespace headlight
