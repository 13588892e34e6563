// A recording in a file: safetensors whose header has the words and whose tensors are attention and weights, so that
// Python reads it too (docs/formats.md). Strict where it reads: files come from strangers.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "model/recording/recording.h"

namespace headlight {

inline constexpr const char* kRecordingExtension = ".training";

// Atomic. `weights`: with those of the moments that have some; else the last moment's alone, if it has some and
// `last_weights`. Throws FileError.
struct RecordingParts {
  bool weights = true, last_weights = true;
};
void save_recording(const std::filesystem::path& file, const Recording& recording, const RecordingParts& parts = {});
// Throws FileError, and FormatError with file, what was expected and what was found; nothing is believed: sizes are
// checked before memory is taken.
std::shared_ptr<const Recording> load_recording(const std::filesystem::path& file);
bool is_recording(const std::filesystem::path& file);
std::string recording_title(const std::filesystem::path& file);  // without reading all of it; empty for no recording

// Bundled ones: name -> file, in resources/recordings (or HEADLIGHT_RECORDINGS); "class-dot-1" and so on.
struct BundledRecording {
  std::string name, title;
  std::filesystem::path file;
};
std::vector<BundledRecording> bundled_recordings();
std::shared_ptr<const Recording> find_recording(const std::string& name_or_path);

}  // namespace headlight
