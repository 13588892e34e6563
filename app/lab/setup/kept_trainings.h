// Trainings on the disk while they run: a folder each in the person's data, locked while its window lives. One that did
// not end is offered when the lab is opened again.
#pragma once

#include <QObject>
#include <QString>
#include <chrono>
#include <memory>
#include <vector>

#include "app/jobs/latest.h"
#include "model/io/file.h"
#include "model/recording/live_training.h"

namespace headlight {

struct KeptNote {
  TrainingSettings settings;
  std::vector<Probe> probes;
  std::vector<std::string> starts;
  Index read = 0;     // examples so far
  bool done = false;  // it ended, or somebody stopped it: nothing to go on with
};

class KeptTraining : public QObject {
  Q_OBJECT
 public:
  static constexpr int kMost = 5;            // trainings; the oldest go
  static constexpr double kMostBytes = 1e9;  // of all of them
  static QString default_folder();

  // A new folder. Throws FileError where it cannot be made: the training then runs in memory alone.
  static std::unique_ptr<KeptTraining> begin(const QString& root, const KeptNote& note, const std::string& text);
  // One that was interrupted; null where another window has taken it by now.
  static std::unique_ptr<KeptTraining> take(const std::filesystem::path& folder);

  struct Interrupted {
    std::filesystem::path folder;
    KeptNote note;
  };
  // The newest first. What cannot be read is passed over.
  static std::vector<Interrupted> interrupted(const QString& root);
  static void discard(const std::filesystem::path& folder);
  // Those on texts of people, but not those that a living window has.
  static void forget_of_people(const QString& root);

  // The text that a training in this place has kept and that these settings read; empty: they read something else.
  static std::string kept_text(const QString& root, const TrainingSettings& settings);
  // The same, reading this file.
  static TrainingSettings reading(const TrainingSettings& settings, const std::filesystem::path& file);

  const std::filesystem::path& folder() const { return folder_; }
  const KeptNote& note() const { return note_; }
  std::filesystem::path text_file() const;  // of own sentences and texts
  // What the training itself writes: LiveOptions::folder.
  std::filesystem::path state_folder() const { return folder_ / "state"; }

  void set_settings(const TrainingSettings& settings);
  void tell_read(Index read);  // written now and then, off the window's thread
  void set_done(bool done);

 private:
  KeptTraining(std::filesystem::path folder, FolderLock lock, KeptNote note);
  void write();

  std::filesystem::path folder_;
  FolderLock lock_;
  KeptNote note_;
  std::chrono::steady_clock::time_point written_{};
  Latest<bool> writer_;
};

}  // namespace headlight
