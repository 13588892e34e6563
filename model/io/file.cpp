#include "model/io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

namespace headlight {

namespace fs = std::filesystem;

namespace {

std::string plain_reason(int error) {
  switch (error) {
    case ENOENT:
      return "there is no such file or folder";
    case ENOTDIR:
      return "a part of the path is a file, not a folder";
    case EISDIR:
      return "it is a folder, not a file";
    case EACCES:
    case EPERM:
      return "permission denied";
    case EROFS:
      return "the disk is read-only";
    case ENOSPC:
      return "the disk is full";
    case EDQUOT:
      return "the disk quota is used up";
    case EFBIG:
      return "the file would be larger than this system allows";
    case EIO:
      return "the disk reported an error";
    case ENAMETOOLONG:
      return "the name is too long";
    case ELOOP:
      return "too many symbolic links";
    default:
      return std::generic_category().message(error);
  }
}

[[noreturn]] void fail(const char* what, const fs::path& path, int error) {
  throw FileError(std::string("cannot ") + what + " " + path.string() + ": " + plain_reason(error));
}

template <typename Call>
auto retried(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

// Removes the file again unless it was kept.
struct Temporary {
  fs::path path;
  bool keep = false;
  ~Temporary() {
    if (!keep && !path.empty()) ::unlink(path.c_str());
  }
};

// Opens a new file in the folder of `target`. Its name is short, whatever the target is called, and hidden.
int open_temporary(const fs::path& target, const fs::path& shown, Temporary& temporary) {
  static std::atomic<unsigned> serial{0};
  for (int attempt = 0; attempt < 1000; ++attempt) {
    fs::path path =
        target.parent_path() / (".headlight-" + std::to_string(::getpid()) + "-" + std::to_string(serial++) + ".tmp");
    const int descriptor = retried([&] { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
    if (descriptor >= 0) {
      temporary.path = std::move(path);
      return descriptor;
    }
    if (errno != EEXIST) fail("write", shown, errno);
  }
  fail("write", shown, EEXIST);
}

// A rename would replace a symbolic link by a file; what it points at is meant.
fs::path behind_links(const fs::path& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  const fs::path real = fs::weakly_canonical(path, error);
  return error ? path : real;
}

void sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);  // the file is complete either way; only its name may be lost in a power cut
  ::close(descriptor);
}

}  // namespace

FileReader::FileReader(const fs::path& path) : path_(path) {
  // O_NONBLOCK: a pipe without a writer must not hang the program; regular files do not care.
  descriptor_ = retried([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); });
  if (descriptor_ < 0) fail("read", path, errno);
  struct stat info {};
  const int error = ::fstat(descriptor_, &info) != 0 ? errno : S_ISDIR(info.st_mode) ? EISDIR : 0;
  if (error != 0 || !S_ISREG(info.st_mode)) {
    ::close(descriptor_);
    if (error != 0) fail("read", path, error);
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
    if (got < 0) fail("read", path_, errno);
    if (got == 0)
      throw FileError("cannot read " + path_.string() + ": the file ends " + bytes_text(count) +
                      " too early; was it changed while it was read?");
    at += got;
    offset += static_cast<std::uint64_t>(got);
    count -= static_cast<std::size_t>(got);
  }
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

std::string read_file(const fs::path& path, std::uint64_t limit) {
  const FileReader file(path);
  if (file.size() > limit)
    throw FileError("cannot read " + path.string() + ": it has " + bytes_text(file.size()) + ", at most " +
                    bytes_text(limit) + " are expected here");
  std::string bytes(static_cast<std::size_t>(file.size()), '\0');
  file.read(0, bytes.data(), bytes.size());
  return bytes;
}

FileWriter::FileWriter(fs::path shown, int descriptor) : shown_(std::move(shown)), descriptor_(descriptor) {}

FileWriter::~FileWriter() {
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
    if (put < 0) fail("write", shown_, errno);
    at += put;
    left -= static_cast<std::size_t>(put);
  }
  buffer_.clear();
}

void FileWriter::close(bool sync) {
  flush();
  if (sync && retried([&] { return ::fsync(descriptor_); }) != 0) fail("write", shown_, errno);
  const int result = ::close(std::exchange(descriptor_, -1));
  if (result != 0 && errno != EINTR) fail("write", shown_, errno);
}

void write_file_atomically(const fs::path& path, const std::function<void(FileWriter&)>& write) {
  const fs::path target = behind_links(path);
  struct stat info {};
  const bool exists = ::stat(target.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) fail("write", path, EISDIR);
  if (target.filename().empty()) fail("write", path, ENOENT);
  if (exists && !S_ISREG(info.st_mode)) {
    const int descriptor = retried([&] { return ::open(target.c_str(), O_WRONLY | O_CLOEXEC); });
    if (descriptor < 0) fail("write", path, errno);
    FileWriter writer(path, descriptor);
    write(writer);
    writer.close(false);
    return;
  }
  Temporary temporary;
  FileWriter writer(path, open_temporary(target, path, temporary));
  if (exists) ::fchmod(writer.descriptor_, info.st_mode & 07777);
  write(writer);
  writer.close(true);
  if (::rename(temporary.path.c_str(), target.c_str()) != 0) fail("write", path, errno);
  temporary.keep = true;
  sync_folder(target.parent_path());
}

void write_file_atomically(const fs::path& path, std::string_view bytes) {
  write_file_atomically(path, [bytes](FileWriter& writer) { writer.write(bytes); });
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && !fs::is_directory(folder)) error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    throw FileError("cannot make the folder " + folder.string() + ": " +
                    (error.value() == EEXIST ? plain_reason(ENOTDIR) : plain_reason(error.value())));
}

std::string bytes_text(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits + (count == 1 ? " byte" : " bytes");
}

}  // namespace headlight
