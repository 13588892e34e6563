// Hashing in pieces, and a memory of what was hashed.

#include "app/model_hash.h"

#include <QCryptographicHash>
#include <QDir>
#include <QHash>
#include <array>
#include <filesystem>
#include <mutex>

#include "model/io/file.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr std::array kFiles = {"config.json", "model.safetensors", "vocabulary.json"};

// Sizes and times of the files: what tells that they are as they were.
using Look = std::array<std::pair<std::uintmax_t, std::filesystem::file_time_type>, kFiles.size()>;

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

Look look_at(const std::filesystem::path& folder) {
  Look look;
  std::error_code missing;  // reading the file says it better
  for (std::size_t i = 0; i < kFiles.size(); ++i)
    look[i] = {std::filesystem::file_size(folder / kFiles[i], missing),
               std::filesystem::last_write_time(folder / kFiles[i], missing)};
  return look;
}

void add_file(QCryptographicHash& hash, const std::filesystem::path& path) {
  const FileReader file(path);
  hash.addData(QByteArray::fromStdString(path.filename().string() + '\0' + std::to_string(file.size()) + '\0'));
  ChunkReader chunks([&file](std::uint64_t at, void* to, std::size_t count) { file.read(at, to, count); }, 0,
                     file.size());
  for (std::string_view piece = chunks.next(); !piece.empty(); piece = chunks.next())
    hash.addData(QByteArrayView(piece.data(), static_cast<qsizetype>(piece.size())));
}

}  // namespace

QByteArray model_hash(const QString& folder) {
  const QString key = key_of(folder);
  const std::filesystem::path path = bytes_of(key);
  const Look look = look_at(path);
  {
    const std::lock_guard lock(memory().mutex);
    const auto known = memory().folders.constFind(key);
    if (known != memory().folders.constEnd() && known->look == look) return known->hash;
  }
  QCryptographicHash hash(QCryptographicHash::Sha256);
  for (const char* name : kFiles) add_file(hash, path / name);
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
