// Which model it is: SHA-256 over the bytes of its files.
#pragma once

#include <QByteArray>
#include <QString>
#include <filesystem>
#include <optional>

namespace headlight {

// 32 bytes over the files that make the model (Format::files), each with its name and size in front. Takes a second
// for half a gigabyte, so not on the GUI thread; what was read before is not read again unless size or time of a
// file changed. May be called from any thread. Throws FileError.
QByteArray model_hash(const QString& folder);

// SHA-256 of the bytes of one file. Throws FileError.
QByteArray file_hash(const std::filesystem::path& file);

// What model_hash() found last for this folder, without looking at the disk: the model that was opened, even if its
// files have changed since.
std::optional<QByteArray> known_model_hash(const QString& folder);

}  // namespace headlight
