// npy and npz, the array files of NumPy: written for numpy.load, read for references that NumPy made.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/tensor.h"
#include "model/trace/trace.h"

namespace headlight {

enum class NpyType { f4, f8 };

// One npz entry "NAME.npy" for each tensor, stored without compression; atomic (see file.h). What has to be said about
// them, where there is something, is the entry kNpzAbout, whose bytes numpy.load gives as they are. Throws FileError,
// and UsageError for a repeated name.
inline constexpr const char* kNpzAbout = "about.json";
void write_npz(const std::filesystem::path& path, const std::vector<NamedTensor>& tensors, NpyType type,
               const std::string& about = {});

// All arrays of an npz in the order of its directory, names without ".npy". Throws FileError and FormatError; nothing
// is believed about sizes before it was checked.
std::vector<NamedTensor> read_npz(const std::filesystem::path& path);
// A single npy. The name is that of the file without its ending.
NamedTensor read_npy(const std::filesystem::path& path);

// From memory; `name` stands for the path in messages.
std::vector<NamedTensor> parse_npz(const std::string& bytes, const std::string& name);
Tensor parse_npy(std::string_view bytes, const std::string& name);

}  // namespace headlight
