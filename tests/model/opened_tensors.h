// Files of tensors as they are opened by their endings, and what comes of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "model/core/errors.h"
#include "model/io/tensor_file.h"

namespace headlight::tensor_files {

namespace fs = std::filesystem;

using Opened = std::shared_ptr<const TensorFile>;
using Opener = Opened (*)(const fs::path&);

inline fs::path data(const std::string& name) { return fs::path(HEADLIGHT_TEST_DATA) / "pytorch" / name; }

inline Opener opener_for(const std::string& name) {
  if (name.ends_with(".npz")) return open_npz;
  if (name.ends_with(".npy")) return open_npy;
  if (name.ends_with(".pkl")) return open_pickle;
  return open_torch_zip;
}

inline std::string number(std::uint64_t value, int bytes) {
  return std::string(reinterpret_cast<const char*>(&value), static_cast<std::size_t>(bytes));
}

// "" when every tensor can be read, else what the error says. Anything else than an Error is a defect.
inline std::string outcome(const fs::path& path, Opener open) {
  try {
    const Opened file = open(path);
    for (std::size_t i = 0; i < file->tensors().size(); ++i)
      if (file->bytes(i).size() != file->tensors()[i].bytes) return "wrong size of " + file->tensors()[i].name;
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace headlight::tensor_files
