// A training that runs, on the disk: its moments in files of their own, each whole or not there, and the newest state
// of the trainer. After a kill at any moment it goes on from the state that was written last.
//   moments-000000000040.training  a recording of the moments from update 40 on that were kept since the write before
//   stopped.training            the moment at which it was stopped, between two that are kept anyway
//   state.safetensors           a checkpoint (checkpoint.cpp), written after the moments in front of it
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/io/file.h"
#include "model/recording/recording.h"
#include "model/training/trainer.h"

namespace headlight {

class LiveFolder {
 public:
  // Makes the folder, or takes one that holds a training. Throws FileError, UsageError where another process trains in
  // it, and FormatError where it holds anything else.
  explicit LiveFolder(const std::filesystem::path& folder);

  struct Restored {
    std::vector<std::shared_ptr<const Moment>> moments;  // rising, up to the state
    std::shared_ptr<const Moment> stopped;               // null: it was not stopped between two of them
    std::string recorded_at;
    std::map<std::string, std::string> notes;  // as given to save()
  };
  // Puts the state into the trainer. Nothing where the folder holds none. Throws FormatError for a damaged one and for
  // that of other settings.
  std::optional<Restored> restore(Trainer& trainer);
  // Writes the moments that are not there yet, and the state. `stopped`: the last moment is one at which it was
  // stopped.
  void save(const Recording& recording, bool stopped, const Trainer& trainer,
            const std::map<std::string, std::string>& notes);

 private:
  std::filesystem::path state_file() const { return folder_ / "state.safetensors"; }
  std::filesystem::path stopped_file() const { return folder_ / "stopped.training"; }
  std::vector<std::filesystem::path> moment_files() const;  // in the order of their updates

  std::filesystem::path folder_;
  FolderLock lock_;
  Index written_ = -1;  // the last update of a moment in a file
};

}  // namespace headlight
