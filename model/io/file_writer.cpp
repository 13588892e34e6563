// Writing: temporary files that nobody has to clean up, and locks that end with their process.

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "model/io/file.h"
#include "model/io/retried.h"
#include "model/io/unfinished.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

// What is locked belongs to somebody who lives: the lock goes with the last descriptor of a process, however it ends.
bool lock(int descriptor) {
  return retried([&] { return ::flock(descriptor, LOCK_EX | LOCK_NB); }) == 0;
}

// A new temporary file or folder, locked. `make` gets a path and gives a descriptor, or -1 with errno. The name is
// short, whatever the target is called, and hidden.
template <typename Make>
int new_temporary(const fs::path& folder, fs::path& path, Make make) {
  static std::atomic<unsigned> serial{0};
  for (int attempt = 0; attempt < 1000; ++attempt) {
    path = folder / (kUnfinishedStart + std::to_string(::getpid()) + "-" + std::to_string(serial++) + kUnfinishedEnd);
    remember_unfinished(path);
    const int descriptor = make(path);
    const int problem = errno;
    if (descriptor < 0) forget_unfinished(path);
    errno = problem;
    if (descriptor < 0 && errno == EEXIST) continue;
    if (descriptor < 0) break;
    // Between the two calls somebody who cleans up may have been faster. Where locks do not exist, nobody cleans up.
    struct stat info {};
    const bool lost = !lock(descriptor) && errno == EWOULDBLOCK;
    if (!lost && ::fstat(descriptor, &info) == 0 && info.st_nlink > 0) return descriptor;
    ::close(descriptor);
    forget_unfinished(path);
    errno = EEXIST;
  }
  path.clear();
  return -1;
}

// Once for each folder: a training writes many files into one.
void remove_unfinished_once(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<fs::path> done;
  const std::lock_guard guard(mutex);
  if (done.insert(folder).second) remove_unfinished(folder);
}

void sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);  // the file is complete either way; only its name may be lost in a power cut
  ::close(descriptor);
}

// The number of a link that stands for an open file of this process: /dev/stdout, /dev/fd/3.
std::optional<int> descriptor_behind(const fs::path& link) {
  std::error_code error;
  const fs::path own = fs::weakly_canonical("/proc/self/fd", error);
  if (error || fs::weakly_canonical(folder_of(link), error) != own) return {};
  return std::atoi(link.filename().c_str());
}

}  // namespace

void FileWriter::fail(int error) const { throw WriteError(shown_, plain_reason(error)); }

FileWriter::FileWriter(const fs::path& path) : shown_(path), target_(path) {
  if (!path.has_filename()) throw WriteError(path, "the name of the file is missing");
  std::error_code error;
  for (int links = 0; fs::is_symlink(target_, error); ++links) {
    if (const std::optional<int> open = descriptor_behind(target_)) {
      descriptor_ = ::fcntl(*open, F_DUPFD_CLOEXEC, 3);
      if (descriptor_ < 0) fail(errno);
      return;
    }
    if (links == 40) fail(ELOOP);
    // What a stranger has laid under a name that is written leads to a file of yours that nobody meant.
    struct stat link {};
    if (::lstat(target_.c_str(), &link) == 0 && link.st_uid != ::geteuid() && link.st_uid != 0)
      throw WriteError(shown_, "it is a symbolic link that somebody else made");
    target_ = folder_of(target_) / fs::read_symlink(target_, error);
  }
  struct stat info {};
  const bool exists = ::stat(target_.c_str(), &info) == 0;
  if (exists && !S_ISREG(info.st_mode))
    open_special(info);
  else
    open_temporary(exists ? &info : nullptr);
}

void FileWriter::open_special(const struct stat& info) {
  if (S_ISDIR(info.st_mode)) fail(EISDIR);
  if (S_ISBLK(info.st_mode)) throw WriteError(shown_, "it is a whole disk, not a file");
  // O_NONBLOCK: a pipe without a reader must not hang the program; one that is read slowly is waited for.
  descriptor_ = retried([&] { return ::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); });
  if (descriptor_ < 0) fail(errno);
  ::fcntl(descriptor_, F_SETFL, ::fcntl(descriptor_, F_GETFL) & ~O_NONBLOCK);
}

void FileWriter::open_temporary(const struct stat* old) {
  // A rename asks for no permission to change the old file.
  if (old && ::faccessat(AT_FDCWD, target_.c_str(), W_OK, AT_EACCESS) != 0) fail(errno);
  const fs::path folder = folder_of(target_);
  remove_unfinished_once(folder);
  descriptor_ = new_temporary(folder, temporary_, [](const fs::path& path) {
    return retried([&] { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
  });
  if (descriptor_ < 0) fail(errno);
  if (!old) return;
  // The superuser can give it back to its owner; for others it is theirs already, or becomes theirs.
  if (::fchown(descriptor_, old->st_uid, old->st_gid) != 0) errno = 0;
  ::fchmod(descriptor_, old->st_mode & 07777);
}

FileWriter::~FileWriter() {
  if (!temporary_.empty()) {
    ::unlink(temporary_.c_str());
    forget_unfinished(temporary_);
  }
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FileWriter::write(const void* bytes, std::size_t count) {
  buffer_.append(static_cast<const char*>(bytes), count);
  position_ += count;
  if (buffer_.size() >= ChunkReader::kChunk) flush();
}

void FileWriter::flush() {
  const char* at = buffer_.data();
  std::size_t left = buffer_.size();
  while (left > 0) {
    const ssize_t put = retried([&] { return ::write(descriptor_, at, left); });
    if (put < 0) fail(errno);
    at += put;
    left -= static_cast<std::size_t>(put);
  }
  buffer_.clear();
}

void FileWriter::commit() {
  flush();
  if (temporary_.empty()) {
    if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) fail(errno);
    return;
  }
  // Some disks say only now that they are full. The lock, and with it the descriptor, is kept until the file has its
  // name.
  if (retried([&] { return ::fsync(descriptor_); }) != 0) fail(errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  forget_unfinished(temporary_);
  temporary_.clear();
  sync_folder(folder_of(target_));
}

void write_file_atomically(const fs::path& path, const std::function<void(FileWriter&)>& write) {
  FileWriter writer(path);
  write(writer);
  writer.commit();
}

void write_file_atomically(const fs::path& path, std::string_view bytes) {
  write_file_atomically(path, [bytes](FileWriter& writer) { writer.write(bytes); });
}

StagingFolder::StagingFolder(const fs::path& parent) {
  remove_unfinished_once(parent);
  descriptor_ = new_temporary(parent, path_, [](const fs::path& path) {
    return ::mkdir(path.c_str(), 0777) == 0 ? ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  });
  if (descriptor_ < 0) throw WriteError(parent, plain_reason(errno));
}

StagingFolder::~StagingFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  forget_unfinished(path_);
  ::close(descriptor_);
}

void remove_unfinished(const fs::path& folder) {
  for (const fs::path& path : entries_of(folder)) {
    const std::string name = path.filename().string();
    if (!name.starts_with(kUnfinishedStart) || !name.ends_with(kUnfinishedEnd)) continue;
    std::error_code ignored;
    const int access =
        fs::is_directory(path, ignored) ? O_RDONLY : O_RDWR;  // network disks lock only what may be written
    const int descriptor = ::open(path.c_str(), access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    if (lock(descriptor)) fs::remove_all(path, ignored);
    ::close(descriptor);
  }
}

FolderLock::FolderLock(const fs::path& folder) {
  descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) throw FileError("cannot open the folder " + folder.string() + ": " + plain_reason(errno));
  held_by_another_ = !lock(descriptor_) && errno == EWOULDBLOCK;  // a disk without locks has none
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), held_by_another_(other.held_by_another_) {}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace headlight
