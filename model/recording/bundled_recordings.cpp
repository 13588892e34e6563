// Recordings that come with the program.
#include <algorithm>
#include <cstdlib>

#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/recording/recording_file.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;

// The first of these folders that exists.
fs::path recordings_folder() {
  std::vector<fs::path> candidates;
  if (const char* chosen = std::getenv("HEADLIGHT_RECORDINGS"); chosen && *chosen) candidates.emplace_back(chosen);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) candidates.push_back(program.parent_path().parent_path() / "share/headlight/recordings");
  candidates.emplace_back(HEADLIGHT_SOURCE_RECORDINGS);
  for (const fs::path& candidate : candidates)
    if (fs::is_directory(candidate, error)) return candidate;
  return {};
}

}  // namespace

std::vector<BundledRecording> bundled_recordings() {
  std::vector<BundledRecording> found;
  if (recordings_folder().empty()) return found;
  std::vector<fs::path> files = entries_of(recordings_folder());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files)
    if (file.extension() == kRecordingExtension) found.push_back({file.stem().string(), recording_title(file), file});
  return found;
}

std::shared_ptr<const Recording> find_recording(const std::string& name_or_path) {
  const fs::path bundled = recordings_folder() / (name_or_path + kRecordingExtension);
  if (name_or_path.find('/') != std::string::npos || recordings_folder().empty() || !is_there(bundled))
    return load_recording(name_or_path);
  auto recording = std::make_shared<Recording>(*load_recording(bundled));
  recording->bundled = true;
  return recording;
}

}  // namespace headlight
