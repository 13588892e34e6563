// Reading and writing files so that a bad disk, a full one, or a file that changes under us is one clear FileError.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "model/core/errors.h"

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

// The whole file. Throws FileError, also for a file of more than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::uint64_t limit);

// Where the contents of a new file go.
class FileWriter {
 public:
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(const void* bytes, std::size_t count);
  void write(std::string_view bytes) { write(bytes.data(), bytes.size()); }
  std::uint64_t position() const { return position_; }

 private:
  friend void write_file_atomically(const std::filesystem::path&, const std::function<void(FileWriter&)>&);
  FileWriter(std::filesystem::path shown, int descriptor);
  void flush();
  void close(bool sync);

  std::filesystem::path shown_;  // the path that errors name: the one that was asked for
  int descriptor_;
  std::uint64_t position_ = 0;
  std::string buffer_;
};

// Writes beside `path` and renames at the end: whoever looks sees the old file or the whole new one. When anything
// fails the old file stays as it was, nothing is left beside it, and a FileError names the path and the reason. What is
// no regular file (a pipe, a terminal) is written directly.
void write_file_atomically(const std::filesystem::path& path, const std::function<void(FileWriter&)>& write);
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// Makes a folder and its parents. Throws FileError.
void make_folder(const std::filesystem::path& folder);

// "1 byte", "1,234 bytes".
std::string bytes_text(std::uint64_t count);

}  // namespace headlight
