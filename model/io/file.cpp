#include "model/io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "model/io/retried.h"

namespace headlight {

namespace fs = std::filesystem;

std::string plain_reason(int error) {
  static const std::unordered_map<int, const char*> known = {
      {ENOENT, "there is no such file or folder"},
      {ENOTDIR, "a part of the path is a file, not a folder"},
      {EISDIR, "it is a folder, not a file"},
      {EACCES, "permission denied"},
      {EPERM, "permission denied"},
      {EROFS, "the disk is read-only"},
      {ENOSPC, "no space left on the disk"},
      {EDQUOT, "the disk quota is used up"},
      {EFBIG, "the file would be larger than this system allows"},
      {EIO, "the disk reported an error"},
      {ENAMETOOLONG, "the name is too long"},
      {ELOOP, "too many symbolic links"},
      {ENXIO, "nobody reads from it"},
      {EPIPE, "whoever read from it has gone"}};
  const auto found = known.find(error);
  return found == known.end() ? std::generic_category().message(error) : found->second;
}

namespace {

[[noreturn]] void fail(const fs::path& path, int error) {
  throw FileError("cannot read " + path.string() + ": " + plain_reason(error));
}

}  // namespace

FileReader::FileReader(const fs::path& path) : path_(path) {
  // O_NONBLOCK: a pipe without a writer must not hang the program; regular files do not care.
  descriptor_ = retried([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); });
  if (descriptor_ < 0) fail(path, errno);
  struct stat info {};
  const int error = ::fstat(descriptor_, &info) != 0 ? errno : S_ISDIR(info.st_mode) ? EISDIR : 0;
  if (error != 0 || !S_ISREG(info.st_mode)) {
    ::close(descriptor_);
    if (error != 0) fail(path, error);
    throw FileError("cannot read " + path.string() + ": it is not a regular file");
  }
  size_ = static_cast<std::uint64_t>(info.st_size);
}

FileReader::~FileReader() { ::close(descriptor_); }

void FileReader::read(std::uint64_t offset, void* to, std::size_t count) const {
  auto* at = static_cast<char*>(to);
  while (count > 0) {
    const std::size_t piece = std::min(count, ChunkReader::kChunk);
    const ssize_t got = retried([&] { return ::pread(descriptor_, at, piece, static_cast<off_t>(offset)); });
    if (got < 0) fail(path_, errno);
    if (got == 0)
      throw FileError("cannot read " + path_.string() + ": the file ends " + bytes_text(count) +
                      " too early; was it changed while it was read?");
    at += got;
    offset += static_cast<std::uint64_t>(got);
    count -= static_cast<std::size_t>(got);
  }
}

std::string FileReader::beginning(std::uint64_t most) const {
  std::string bytes(static_cast<std::size_t>(std::min(size_, most)), '\0');
  read(0, bytes.data(), bytes.size());
  return bytes;
}

ChunkReader::ChunkReader(Source source, std::uint64_t begin, std::uint64_t end)
    : source_(std::move(source)), at_(begin), end_(end) {}

std::string_view ChunkReader::next() {
  const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, end_ - at_));
  buffer_.resize(count);
  if (count > 0) source_(at_, buffer_.data(), count);
  at_ += count;
  return buffer_;
}

bool is_there(const fs::path& path) {
  std::error_code none;
  return fs::exists(path, none);
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    entries.push_back(at->path());
  return entries;
}

std::string read_file(const fs::path& path, std::uint64_t limit) {
  const FileReader file(path);
  if (file.size() > limit)
    throw FileError("cannot read " + path.string() + ": it has " + bytes_text(file.size()) + ", at most " +
                    bytes_text(limit) + " are expected here");
  return file.beginning(limit);
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && !fs::is_directory(folder)) error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    throw FileError("cannot make the folder " + folder.string() + ": " +
                    (error.value() == EEXIST ? plain_reason(ENOTDIR) : plain_reason(error.value())));
}

std::string last_part(const fs::path& path) {
  std::error_code error;
  const fs::path whole =
      fs::weakly_canonical(path, error);  // "models/date/" has an empty last part, "." none of its own
  const fs::path& known = error ? path : whole;
  return (known.has_filename() ? known : known.parent_path()).filename().string();
}

std::string bytes_text(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits + (count == 1 ? " byte" : " bytes");
}

}  // namespace headlight
