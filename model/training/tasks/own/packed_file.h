// Files of texts, plain or packed (.gz), told apart by what they hold.
#pragma once

#include <zlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "model/io/file.h"

namespace headlight {

// The bytes of a file in pieces, unpacked where they are packed: memory stays small however much comes out of it.
class PackedFile {
 public:
  explicit PackedFile(const std::filesystem::path& path);  // throws FileError
  // Valid until the next call; empty at the end. Throws FileError, and FormatError for a packed file that is damaged.
  std::string_view next();

 private:
  std::string_view unpacked();

  FileReader file_;
  ChunkReader packed_;
  std::string_view piece_;  // what is still to be given, or unpacked
  bool fresh_ = true;
  z_stream stream_{};
  std::unique_ptr<z_stream, int (*)(z_stream*)> inflate_;
  int state_ = Z_OK;
  std::string buffer_;
};

}  // namespace headlight
