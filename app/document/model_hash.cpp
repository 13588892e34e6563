// Hashing in pieces, and a memory of what was hashed.

#include "app/document/model_hash.h"

#include <QCryptographicHash>
#include <QDir>
#include <QHash>
#include <filesystem>
#include <mutex>
#include <vector>

#include "model/core/slices.h"
#include "model/io/file.h"
#include "model/io/formats/format.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

// Sizes and times of the files: what tells that they are as they were.
using Look = std::vector<std::pair<std::uintmax_t, std::filesystem::file_time_type>>;

struct Known {
  Look look;
  QByteArray hash;
};
struct Memory {
  std::mutex mutex;
  QHash<QString, Known> folders;
};
Memory& memory() {
  static Memory memory;
  return memory;
}

QString key_of(const QString& folder) { return QDir::cleanPath(QDir(folder).absolutePath()); }

using Files = std::vector<std::filesystem::path>;

Look look_at(const Files& files) {
  Look look;
  std::error_code missing;  // reading the file says it better
  for (const std::filesystem::path& file : files)
    look.emplace_back(std::filesystem::file_size(file, missing), std::filesystem::last_write_time(file, missing));
  return look;
}

Files files_of(const std::filesystem::path& path) {
  const Format* format = format_of(path);
  return (format ? *format : formats().front()).files(path);
}

void add_bytes(QCryptographicHash& hash, const FileReader& file) {
  ChunkReader chunks([&file](std::uint64_t at, void* to, std::size_t count) { file.read(at, to, count); }, 0,
                     file.size());
  for (std::string_view piece = chunks.next(); !piece.empty(); piece = chunks.next()) {
    hash.addData(QByteArrayView(piece.data(), static_cast<qsizetype>(piece.size())));
    slice_point();
  }
}

}  // namespace

QByteArray file_hash(const std::filesystem::path& file) {
  QCryptographicHash hash(QCryptographicHash::Sha256);
  add_bytes(hash, FileReader(file));
  return hash.result();
}

QByteArray model_hash(const QString& folder) {
  const QString key = key_of(folder);
  const std::filesystem::path path = bytes_of(key);
  const Files files = files_of(path);
  const Look look = look_at(files);
  {
    const std::lock_guard lock(memory().mutex);
    const auto known = memory().folders.constFind(key);
    if (known != memory().folders.constEnd() && known->look == look) return known->hash;
  }
  QCryptographicHash hash(QCryptographicHash::Sha256);
  for (const std::filesystem::path& each : files) {
    const FileReader file(each);
    hash.addData(QByteArray::fromStdString(each.filename().string() + '\0' + std::to_string(file.size()) + '\0'));
    add_bytes(hash, file);
  }
  const std::lock_guard lock(memory().mutex);
  memory().folders.insert(key, {look, hash.result()});
  return hash.result();
}

std::optional<QByteArray> known_model_hash(const QString& folder) {
  const std::lock_guard lock(memory().mutex);
  const auto known = memory().folders.constFind(key_of(folder));
  if (known == memory().folders.constEnd()) return {};
  return known->hash;
}

}  // namespace headlight
