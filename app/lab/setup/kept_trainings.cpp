#include "app/lab/setup/kept_trainings.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QStandardPaths>
#include <algorithm>
#include <optional>
#include <utility>

#include "app/lab/setup/training_words.h"
#include "model/core/json_library.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;

constexpr const char* kNote = "training.json";
constexpr const char* kPrefix = "training-";
constexpr std::uint64_t kMostNote = 1 << 20, kMostText = 1 << 26;  // bytes
constexpr std::chrono::seconds kBetweenNotes{1};

Json json_of(const Probe& probe) {
  Json json{{"source", probe.source}, {"target", probe.target}, {"links", Json::array()}};
  for (const Link& link : probe.alignment) json["links"].push_back({link.source, link.target});
  return json;
}

Probe probe_of(const Json& json) {
  Probe probe;
  probe.source = json.at("source").get<std::string>();
  probe.target = json.at("target").get<std::string>();
  for (const Json& link : json.at("links"))
    probe.alignment.push_back({link.at(0).get<Index>(), link.at(1).get<Index>()});
  return probe;
}

std::string text_of(const KeptNote& note) {
  Json json{{"settings", note.settings.to_json()},
            {"probes", Json::array()},
            {"starts", note.starts},
            {"read", note.read},
            {"done", note.done}};
  for (const Probe& probe : note.probes) json["probes"].push_back(json_of(probe));
  return json.dump(1) + "\n";
}

// None where it is no note of ours, or of settings that are none any more.
std::optional<KeptNote> read_note(const fs::path& folder) {
  try {
    const Json json = Json::parse(read_file(folder / kNote, kMostNote));
    KeptNote note;
    note.settings = TrainingSettings::from_json(json.at("settings"));
    for (const Json& probe : json.at("probes")) note.probes.push_back(probe_of(probe));
    note.starts = json.at("starts").get<std::vector<std::string>>();
    note.read = json.at("read").get<Index>();
    note.done = json.at("done").get<bool>();
    return note;
  } catch (const Error&) {
    return {};
  } catch (const Json::exception&) {
    return {};
  }
}

// By name, which begins with the time: the newest first.
std::vector<fs::path> folders_in(const QString& root) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::path& each : entries_of(bytes_of(root)))
    if (each.filename().string().starts_with(kPrefix) && fs::is_directory(fs::symlink_status(each, error)))
      found.push_back(each);
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) { return b < a; });
  return found;
}

bool is_held(const fs::path& folder) {
  try {
    return FolderLock(folder).held_by_another();
  } catch (const Error&) {
    return true;
  }
}

double bytes_in(const fs::path& folder) {
  double bytes = 0;
  std::error_code error;
  for (auto each = fs::recursive_directory_iterator(folder, error); !error && each != fs::end(each);
       each.increment(error)) {
    const std::uintmax_t size = each->is_regular_file(error) ? each->file_size(error) : 0;
    if (!error) bytes += static_cast<double>(size);
    error.clear();
  }
  return bytes;
}

// Before another one is made.
void make_room(const QString& root) {
  double bytes = 0;
  int count = 1;
  for (const fs::path& each : folders_in(root)) {
    bytes += bytes_in(each);
    if ((++count > KeptTraining::kMost || bytes > KeptTraining::kMostBytes) && !is_held(each))
      KeptTraining::discard(each);
  }
}

}  // namespace

QString KeptTraining::default_folder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + QStringLiteral("/trainings");
}

KeptTraining::KeptTraining(fs::path folder, FolderLock lock, KeptNote note)
    : folder_(std::move(folder)), lock_(std::move(lock)), note_(std::move(note)), writer_([](bool) {}, nullptr) {}

std::unique_ptr<KeptTraining> KeptTraining::begin(const QString& root, const KeptNote& note, const std::string& text) {
  make_folder(bytes_of(root));
  make_room(root);
  const QString name = QString::fromUtf8(kPrefix) +
                       QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz-")) +
                       QString::number(QCoreApplication::applicationPid());
  const fs::path folder = fs::path(bytes_of(root)) / bytes_of(name);
  make_folder(folder);
  make_folder(folder / "state");
  std::unique_ptr<KeptTraining> made(new KeptTraining(folder, FolderLock(folder), note));
  if (!text.empty()) write_file_atomically(made->text_file(), text);
  write_file_atomically(folder / kNote, text_of(note));
  return made;
}

std::unique_ptr<KeptTraining> KeptTraining::take(const fs::path& folder) {
  try {
    FolderLock lock(folder);
    const std::optional<KeptNote> note = read_note(folder);
    if (lock.held_by_another() || !note) return nullptr;
    return std::unique_ptr<KeptTraining>(new KeptTraining(folder, std::move(lock), *note));
  } catch (const Error&) {
    return nullptr;
  }
}

std::vector<KeptTraining::Interrupted> KeptTraining::interrupted(const QString& root) {
  std::vector<Interrupted> found;
  for (const fs::path& each : folders_in(root)) {
    const std::optional<KeptNote> note = read_note(each);
    if (note && !note->done && !is_held(each)) found.push_back({each, *note});
  }
  return found;
}

void KeptTraining::discard(const fs::path& folder) {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

void KeptTraining::forget_of_people(const QString& root) {
  for (const fs::path& each : folders_in(root)) {
    const std::optional<KeptNote> note = read_note(each);
    if ((!note || is_of_people(note->settings)) && !is_held(each)) discard(each);
  }
}

std::string KeptTraining::kept_text(const QString& root, const TrainingSettings& settings) {
  const Json all = settings.to_json();
  if (!all.contains("files") || all.at("files").size() != 1) return {};
  const fs::path file = all.at("files").at(0).get<std::string>();
  if (file.parent_path().parent_path() != fs::path(bytes_of(root))) return {};
  return read_file(file, kMostText);
}

TrainingSettings KeptTraining::reading(const TrainingSettings& settings, const fs::path& file) {
  Json all = settings.to_json();
  all["files"] = {file.string()};
  return TrainingSettings::from_json(all);
}

fs::path KeptTraining::text_file() const {
  return folder_ / (note_.settings.task == "text" ? "text.txt" : "our-sentences.tsv");
}

void KeptTraining::set_settings(const TrainingSettings& settings) {
  note_.settings = settings;
  write();
}

void KeptTraining::tell_read(Index read) {
  note_.read = read;
  if (std::chrono::steady_clock::now() - written_ >= kBetweenNotes) write();
}

// At once: this object may go next.
void KeptTraining::set_done(bool done) {
  if (std::exchange(note_.done, done) == done) return;
  writer_.thread().stop();
  writer_.thread().finish();
  try {
    write_file_atomically(folder_ / kNote, text_of(note_));
  } catch (const Error&) {
    // It is offered once more, and can be discarded then.
  }
}

void KeptTraining::write() {
  written_ = std::chrono::steady_clock::now();
  writer_.start([file = folder_ / kNote, text = text_of(note_)](const CancelToken&) {
    write_file_atomically(file, text);
    return true;
  });
}

}  // namespace headlight
