#include "model/io/npz.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "model/core/budget.h"
#include "model/io/file.h"
#include "model/io/npy_header.h"
#include "model/io/tensor_values.h"
#include "model/io/zip.h"

namespace headlight {

namespace {

constexpr std::uint64_t kMaxNpy = std::uint64_t{16} << 30;

template <typename Take>
void in_pieces(const Tensor& tensor, NpyType type, Take take) {
  if (type == NpyType::f4)
    in_pieces<float>(
        tensor, [](Scalar x) { return static_cast<float>(x); }, take);
  else
    in_pieces<double>(
        tensor, [](Scalar x) { return static_cast<double>(x); }, take);
}

std::vector<std::uint64_t> dimensions_of(const Shape& shape) {
  const std::vector<Index> dimensions = shape.vector();
  return {dimensions.begin(), dimensions.end()};
}

void add_entry(ZipWriter& zip, const NamedTensor& tensor, NpyType type) {
  const std::string header = npy_header_text(dimensions_of(tensor.value.shape()), type == NpyType::f4 ? "<f4" : "<f8");
  const auto sum = [](uLong crc, const void* bytes, std::size_t count) {
    return crc32_z(crc, static_cast<const Bytef*>(bytes), count);
  };
  uLong crc = sum(0, header.data(), header.size());
  in_pieces(tensor.value, type, [&](const void* bytes, std::size_t count) { crc = sum(crc, bytes, count); });
  const std::uint64_t size =
      header.size() + static_cast<std::uint64_t>(tensor.value.size()) * (type == NpyType::f4 ? 4 : 8);
  zip.add(tensor.name + ".npy", size, static_cast<std::uint32_t>(crc), [&](FileWriter& file) {
    file.write(header);
    in_pieces(tensor.value, type, [&](const void* bytes, std::size_t count) { file.write(bytes, count); });
  });
}

std::vector<NamedTensor> read_entries(const ZipReader& zip, const std::string& name) {
  std::vector<NamedTensor> tensors;
  double packed = 0, unpacked = 0;
  for (const ZipEntry& entry : zip.entries()) {
    packed += static_cast<double>(entry.packed);
    unpacked += static_cast<double>(entry.size);
  }
  within_budget(unpacked, std::max(budget::kUnpacked, 8 * packed), name + ": unpacked, it",
                "write it without compression");
  for (const ZipEntry& entry : zip.entries()) {
    if (entry.name == kNpzAbout) continue;
    if (!entry.name.ends_with(".npy"))
      throw FormatError(name + ": the entry \"" + entry.name + "\" is no array (.npy)");
    tensors.push_back(
        {entry.name.substr(0, entry.name.size() - 4), parse_npy(zip.unpack(entry), name + ": " + entry.name)});
  }
  return tensors;
}

}  // namespace

Tensor parse_npy(std::string_view bytes, const std::string& name) {
  const NpyHeader header = parse_npy_header(bytes, name);
  if (!header.unread.empty()) throw FormatError(name + ": " + header.unread);
  const std::string_view data = bytes.substr(header.data_begin);
  if (!has_numbers(header.dtype()))
    throw FormatError(name + ": arrays of type '" + header.descr + "' are not supported");
  std::uint64_t size = header.item_bytes;
  for (const std::uint64_t dimension : header.shape)
    if (__builtin_mul_overflow(size, dimension, &size)) throw FormatError(name + ": the shape is too large");
  if (size > data.size())
    throw FormatError(name + ": the array is cut off; missing: " + bytes_text(size - data.size()));
  if (size < data.size()) throw FormatError(name + ": the array is followed by " + bytes_text(data.size() - size));
  if (header.shape.size() > Shape::kMaxRank)
    throw FormatError(name + ": it has " + std::to_string(header.shape.size()) + " dimensions, at most " +
                      std::to_string(Shape::kMaxRank) + " are supported");
  Tensor tensor(Shape(std::vector<Index>(header.shape.begin(), header.shape.end())));
  const std::string numbers = header.view().gather(data, name);
  read_numbers(header.dtype(), numbers, 0, static_cast<std::uint64_t>(tensor.size()), tensor.data(), name);
  return tensor;
}

void write_npz(const std::filesystem::path& path, const std::vector<NamedTensor>& tensors, NpyType type,
               const std::string& about) {
  std::unordered_set<std::string> names;
  for (const NamedTensor& tensor : tensors) {
    const std::string start = "cannot write " + path.string() + ": ";
    if (!names.insert(tensor.name).second) throw UsageError(start + "the name \"" + tensor.name + "\" is there twice");
    if (!tensor.value.defined()) throw UsageError(start + "the tensor \"" + tensor.name + "\" has no value");
    if (tensor.name.size() > 60000) throw UsageError(start + "the name of a tensor is too long");
  }
  write_file_atomically(path, [&](FileWriter& file) {
    ZipWriter zip(file);
    for (const NamedTensor& tensor : tensors) add_entry(zip, tensor, type);
    const uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(about.data()), about.size());
    if (!about.empty())
      zip.add(kNpzAbout, about.size(), static_cast<std::uint32_t>(crc), [&](FileWriter& entry) { entry.write(about); });
    zip.finish();
  });
}

std::vector<NamedTensor> read_npz(const std::filesystem::path& path) {
  return read_entries(open_zip(path), path.string());
}

std::vector<NamedTensor> parse_npz(const std::string& bytes, const std::string& name) {
  const ZipReader zip(
      [&](std::uint64_t offset, void* to, std::size_t count) { std::memcpy(to, bytes.data() + offset, count); },
      bytes.size(), name);
  return read_entries(zip, name);
}

NamedTensor read_npy(const std::filesystem::path& path) {
  return {path.stem().string(), parse_npy(read_file(path, kMaxNpy), path.string())};
}

}  // namespace headlight
