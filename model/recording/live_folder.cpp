#include "model/recording/live_folder.h"

#include <algorithm>
#include <cstdio>

#include "model/core/errors.h"
#include "model/io/safetensors.h"
#include "model/recording/recording_file.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;

constexpr const char *kMoments = "moments-", *kNote = "live.";

fs::path locked_folder(const fs::path& folder) {
  make_folder(folder);
  return folder;
}

// Some of the moments, with all that is said of the whole.
Recording part_of_recording(const Recording& recording, std::vector<std::shared_ptr<const Moment>> moments) {
  Recording part = recording;
  part.moments = std::move(moments);
  return part;
}

}  // namespace

LiveFolder::LiveFolder(const fs::path& folder) : folder_(locked_folder(folder)), lock_(folder_) {
  if (lock_.held_by_another())
    throw UsageError(folder_.string() + ": another training keeps its moments in this folder");
  remove_unfinished(folder_);
  for (const fs::path& entry : entries_of(folder_)) {
    const std::string name = entry.filename().string();
    if (!name.starts_with('.') && name != state_file().filename() && name != stopped_file().filename() &&
        !(name.starts_with(kMoments) && name.ends_with(kRecordingExtension)))
      throw FormatError(folder_.string() + ": expected a new folder or that of a training, found " + name + " in it");
  }
}

std::vector<fs::path> LiveFolder::moment_files() const {
  std::vector<fs::path> files;
  for (const fs::path& entry : entries_of(folder_))
    if (entry.filename().string().starts_with(kMoments)) files.push_back(entry);
  std::sort(files.begin(), files.end());  // their numbers have one length
  return files;
}

std::optional<LiveFolder::Restored> LiveFolder::restore(Trainer& trainer) {
  std::error_code ignored;
  if (!is_there(state_file())) {  // killed before the first state: nothing is lost
    for (const fs::path& file : moment_files()) fs::remove(file, ignored);
    fs::remove(stopped_file(), ignored);
    return {};
  }
  trainer.load_checkpoint(state_file());
  Restored restored;
  const SafetensorsFile state(state_file());
  for (const auto& [key, value] : state.metadata())
    if (key.starts_with(kNote)) restored.notes[key.substr(std::string_view(kNote).size())] = value;
  const auto settings = trainer.settings().to_json();
  const auto read = [&](const fs::path& file) {
    const auto recording = load_recording(file);
    if (nlohmann::json(recording->settings.to_json()) != nlohmann::json(settings))
      throw FormatError(file.string() + ": expected moments of the training in " + state_file().string() +
                        ", found those of other settings");
    return recording;
  };
  for (const fs::path& file : moment_files()) {
    const auto recording = read(file);
    if (recording->moments.empty() || recording->at(0).update > trainer.updates()) {
      fs::remove(file, ignored);  // written just before it was killed: they are made again
      continue;
    }
    if (restored.recorded_at.empty()) restored.recorded_at = recording->recorded_at;
    for (const auto& moment : recording->moments) {
      if (moment->update <= written_ || moment->update > trainer.updates())
        throw FormatError(file.string() + ": expected moments from update " + std::to_string(written_ + 1) + " to " +
                          std::to_string(trainer.updates()) + ", found update " + std::to_string(moment->update));
      written_ = moment->update;
      restored.moments.push_back(moment);
    }
  }
  if (is_there(stopped_file())) {
    const auto recording = read(stopped_file());
    if (recording->count() == 1 && recording->at(0).update == trainer.updates() && trainer.updates() > written_)
      restored.stopped = recording->moments.front();
  }
  return restored;
}

void LiveFolder::save(const Recording& recording, bool stopped, const Trainer& trainer,
                      const std::map<std::string, std::string>& notes) {
  std::vector<std::shared_ptr<const Moment>> moments = recording.moments;
  if (stopped) {
    save_recording(stopped_file(), part_of_recording(recording, {moments.back()}));
    moments.pop_back();
  }
  std::erase_if(moments, [&](const auto& moment) { return moment->update <= written_; });
  if (!moments.empty()) {
    char name[64];
    std::snprintf(name, sizeof name, "%s%012lld%s", kMoments, static_cast<long long>(moments.front()->update),
                  kRecordingExtension);
    save_recording(folder_ / name, part_of_recording(recording, moments));
  }
  std::map<std::string, std::string> kept;
  for (const auto& [key, value] : notes) kept[kNote + key] = value;
  trainer.save_checkpoint(state_file(), kept);
  if (!moments.empty()) written_ = moments.back()->update;
  std::error_code ignored;
  if (!stopped) fs::remove(stopped_file(), ignored);
}

}  // namespace headlight
