// What the tests of files share: folders that vanish, and hostile files made on the spot.
#pragma once

#include <QTemporaryDir>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/file_size_limit.h"
#include "tests/model/helpers.h"

namespace headlight::testing {

namespace fs = std::filesystem;

class Folder {
 public:
  fs::path operator/(const std::string& name) const { return path() / name; }
  fs::path path() const { return dir_.path().toStdString(); }
  // Names of everything in it, also hidden files.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path())) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  QTemporaryDir dir_;
};

inline void put_file(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string get_file(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// The bytes of a safetensors file, whatever the header says.
inline std::string safetensors_bytes(const std::string& header, const std::string& buffer) {
  std::string bytes(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + buffer;
}

template <typename Number>
std::string bytes_of(std::initializer_list<Number> numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  std::memcpy(bytes.data(), numbers.begin(), bytes.size());
  return bytes;
}

}  // namespace headlight::testing
