// Reading and writing files so that a bad disk, a full one, or a file that changes under us is one clear FileError.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/core/errors.h"

struct stat;

namespace headlight {

// A regular file opened for reading at any place. Nothing is mapped: a file that somebody cuts off while it is read
// gives a FileError, not a signal.
class FileReader {
 public:
  explicit FileReader(const std::filesystem::path& path);  // throws FileError
  ~FileReader();
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size() const { return size_; }  // when it was opened
  // Reads exactly `count` bytes from `offset` on. Throws FileError when the file has become shorter.
  void read(std::uint64_t offset, void* to, std::size_t count) const;
  // The first `most` bytes, or all where there are fewer.
  std::string beginning(std::uint64_t most) const;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

// Reads a range in pieces of at most 1 MiB, so that memory stays small however large the file is.
class ChunkReader {
 public:
  static constexpr std::size_t kChunk = std::size_t{1} << 20;
  using Source = std::function<void(std::uint64_t offset, void* to, std::size_t count)>;

  ChunkReader(Source source, std::uint64_t begin, std::uint64_t end);
  // The next piece, valid until the next call; empty at the end.
  std::string_view next();

 private:
  Source source_;
  std::uint64_t at_, end_;
  std::string buffer_;
};

bool is_there(const std::filesystem::path& path);  // false also where nobody may look

// What lies in a folder, in no order; nothing where nobody may look.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder);

// The whole file. Throws FileError, also for a file of more than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::uint64_t limit);

// What an error number of the system means, in plain words: "no space left on the disk".
std::string plain_reason(int error);

// A file that cannot be written: "cannot write PATH: REASON".
struct WriteError : FileError {
  WriteError(const std::filesystem::path& path, std::string why)
      : FileError("cannot write " + path.string() + ": " + why), reason(std::move(why)) {}
  std::string reason;
};

// The one way in which this program writes a file. What is written goes into a temporary file beside `path`, which gets
// that name in commit(): whoever looks sees the old file or the whole new one. When anything fails the old file stays
// as it was, nothing is left beside it, and a WriteError names the path and the reason. The temporary file of a program
// that was killed is removed by the next one that writes into its folder. Behind a symbolic link, what it points at is
// written, unless somebody else made the link. What is no regular file (a pipe, a terminal, /dev/null) and what is open
// already (/dev/stdout, /dev/fd/3) is written directly; a pipe that nobody reads and a disk are refused.
class FileWriter {
 public:
  explicit FileWriter(const std::filesystem::path& path);  // says at once when nothing can be written there
  ~FileWriter();                                           // without commit() nothing has happened
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(const void* bytes, std::size_t count);
  void write(std::string_view bytes) { write(bytes.data(), bytes.size()); }
  std::uint64_t position() const { return position_; }
  void commit();

 private:
  void open_temporary(const struct stat* old);
  void open_special(const struct stat& info);
  void flush();
  [[noreturn]] void fail(int error) const;

  std::filesystem::path shown_;  // the path that errors name: the one that was asked for
  std::filesystem::path target_, temporary_;
  int descriptor_ = -1;
  std::uint64_t position_ = 0;
  std::string buffer_;
};

void write_file_atomically(const std::filesystem::path& path, const std::function<void(FileWriter&)>& write);
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// Makes a folder and its parents. Throws FileError.
void make_folder(const std::filesystem::path& folder);

// A hidden folder in `parent`, for files that are to appear together. It goes with this object, or, when the program
// was killed, with the next file that is written into `parent`.
class StagingFolder {
 public:
  explicit StagingFolder(const std::filesystem::path& parent);  // throws WriteError
  ~StagingFolder();
  StagingFolder(const StagingFolder&) = delete;
  StagingFolder& operator=(const StagingFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

// Removes the temporary files and folders of programs that were killed; those of the living are locked and stay.
void remove_unfinished(const std::filesystem::path& folder);

// A folder that is used by one process at a time. The lock goes with this object or with the process, however it ends.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);  // throws FileError for what is no folder
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  bool held_by_another() const { return held_by_another_; }

 private:
  int descriptor_ = -1;
  bool held_by_another_ = false;
};

// "date" of "models/date", "models/date/" and of "." in that folder.
std::string last_part(const std::filesystem::path& path);

// "1 byte", "1,234 bytes".
std::string bytes_text(std::uint64_t count);

}  // namespace headlight
