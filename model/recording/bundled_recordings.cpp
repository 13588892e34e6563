// Recordings that come with the program.
#include <algorithm>

#include "model/core/errors.h"
#include "model/io/bundled.h"
#include "model/io/file.h"
#include "model/recording/recording_file.h"

namespace headlight {

namespace fs = std::filesystem;

std::vector<BundledRecording> bundled_recordings() {
  std::vector<BundledRecording> found;
  const fs::path folder = bundled_folder(Bundled::recordings);
  if (folder.empty()) return found;
  std::vector<fs::path> files = entries_of(folder);
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files)
    if (file.extension() == kRecordingExtension) found.push_back({file.stem().string(), recording_title(file), file});
  return found;
}

std::shared_ptr<const Recording> find_recording(const std::string& name_or_path) {
  const fs::path folder = bundled_folder(Bundled::recordings), bundled = folder / (name_or_path + kRecordingExtension);
  if (name_or_path.find('/') != std::string::npos || folder.empty() || !is_there(bundled))
    return load_recording(name_or_path);
  auto recording = std::make_shared<Recording>(*load_recording(bundled));
  recording->bundled = true;
  return recording;
}

}  // namespace headlight
