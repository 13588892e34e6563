#include "model/io/safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <new>
#include <unordered_set>

#include "model/core/json_library.h"
#include "model/io/file.h"
#include "model/io/half.h"
#include "model/io/safetensors_header.h"
#include "model/io/tensor_values.h"

namespace headlight {

namespace {

static_assert(std::endian::native == std::endian::little, "weights are read as they lie in the file");

constexpr std::uint64_t kMaxHeader = 100'000'000;
constexpr std::size_t kLengthBytes = 8;

}  // namespace

std::uint64_t TensorInfo::count() const { return number_count(shape); }
bool TensorInfo::has_fractions() const { return headlight::has_fractions(dtype); }
std::string TensorInfo::shape_text() const { return headlight::shape_text(shape); }

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) {
  auto file = std::make_shared<const FileReader>(path);
  open(path.string(), file->size(),
       [file](std::uint64_t offset, void* to, std::size_t count) { file->read(offset, to, count); });
}

SafetensorsFile SafetensorsFile::from_bytes(std::string bytes, std::string name) {
  SafetensorsFile file;
  auto shared = std::make_shared<const std::string>(std::move(bytes));
  file.open(std::move(name), shared->size(), [shared](std::uint64_t offset, void* to, std::size_t count) {
    if (count > 0) std::memcpy(to, shared->data() + offset, count);
  });
  return file;
}

void SafetensorsFile::open(std::string name, std::uint64_t size, Source source) {
  name_ = std::move(name);
  source_ = std::move(source);
  std::string start(static_cast<std::size_t>(std::min<std::uint64_t>(size, 64)), '\0');
  source_(0, start.data(), start.size());
  refuse_known_others(start, name_);
  if (size < kLengthBytes)
    throw FormatError(name_ + ": the file is cut off: it has " + bytes_text(size) +
                      ", a safetensors file starts with the 8 bytes of its header's length");
  std::uint64_t length = 0;
  std::memcpy(&length, start.data(), kLengthBytes);
  if (length > kMaxHeader)
    throw FormatError(name_ + ": not a safetensors file: it announces a header of " + bytes_text(length) +
                      ", at most " + bytes_text(kMaxHeader) + " are allowed");
  if (length > size - kLengthBytes)
    throw FormatError(name_ + ": the file is cut off (an interrupted download?); missing of its header of " +
                      bytes_text(length) + ": " + bytes_text(length - (size - kLengthBytes)));
  buffer_begin_ = kLengthBytes + length;
  std::string json(static_cast<std::size_t>(length), '\0');
  source_(kLengthBytes, json.data(), json.size());
  SafetensorsHeader header = parse_safetensors_header(json, size - buffer_begin_, name_);
  tensors_ = std::move(header.tensors);
  metadata_ = std::move(header.metadata);
  for (std::size_t i = 0; i < tensors_.size(); ++i) by_name_.emplace(tensors_[i].name, i);
}

const TensorInfo* SafetensorsFile::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &tensors_[found->second];
}

Tensor SafetensorsFile::load(const std::string& name) const {
  const TensorInfo* info = find(name);
  if (!info) throw UsageError(name_ + ": there is no tensor \"" + name + "\"");
  const std::string where = name_ + ": tensor \"" + name + "\"";
  if (!has_numbers(info->dtype))
    throw FormatError(where + ": numbers of type " + info->dtype + " cannot be computed with");
  if (info->shape.size() > Shape::kMaxRank)
    throw FormatError(where + ": it has " + std::to_string(info->shape.size()) + " dimensions, at most " +
                      std::to_string(Shape::kMaxRank) + " are supported");
  try {
    Tensor tensor(Shape(std::vector<Index>(info->shape.begin(), info->shape.end())));
    ChunkReader chunks(source_, buffer_begin_ + info->begin, buffer_begin_ + info->end);
    // Pieces are whole numbers: every size of a number divides the size of a piece.
    const std::size_t bytes = static_cast<std::size_t>(dtype_bits(info->dtype)) / 8;
    Scalar* to = tensor.data();
    for (std::string_view piece = chunks.next(); !piece.empty(); piece = chunks.next()) {
      read_numbers(info->dtype, piece, 0, piece.size() / bytes, to, where);
      to += piece.size() / bytes;
    }
    return tensor;
  } catch (const std::bad_alloc&) {
    throw FileError(where + ": there is not enough memory for its " + std::to_string(info->count()) + " numbers");
  }
}

std::string SafetensorsFile::bytes(const TensorInfo& info) const {
  std::string bytes(static_cast<std::size_t>(info.end - info.begin), '\0');
  read(info, 0, bytes.data(), bytes.size());
  return bytes;
}

void SafetensorsFile::read(const TensorInfo& info, std::uint64_t offset, void* to, std::size_t count) const {
  if (offset > info.end - info.begin || count > info.end - info.begin - offset)
    throw FormatError(name_ + ": tensor \"" + info.name + "\": it ends early");
  if (count > 0) source_(buffer_begin_ + info.begin + offset, to, count);
}

namespace {

std::size_t stored_bytes(StorageType type) { return type == StorageType::f16 ? 2 : type == StorageType::f32 ? 4 : 8; }

const char* dtype_name(StorageType type) {
  return type == StorageType::f16 ? "F16" : type == StorageType::f32 ? "F32" : "F64";
}

std::string json_string(const std::string& text, const std::filesystem::path& path) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::type_error&) {
    throw UsageError("cannot write " + path.string() + ": a name or text is not valid UTF-8");
  }
}

std::string header_text(const std::filesystem::path& path, const std::vector<NamedTensor>& tensors,
                        const std::map<std::string, std::string>& metadata, StorageType type) {
  const auto refuse = [&](const std::string& what) { throw UsageError("cannot write " + path.string() + ": " + what); };
  std::string text;
  for (const auto& [key, value] : metadata)
    text += (text.empty() ? "\"__metadata__\":{" : ",") + json_string(key, path) + ":" + json_string(value, path);
  if (!text.empty()) text += "}";
  std::unordered_set<std::string> names;
  std::uint64_t at = 0;
  for (const NamedTensor& tensor : tensors) {
    if (tensor.name == "__metadata__") refuse("the name \"__metadata__\" is reserved");
    if (!names.insert(tensor.name).second) refuse("the name \"" + tensor.name + "\" is there twice");
    if (!tensor.value.defined()) refuse("the tensor \"" + tensor.name + "\" has no value");
    text += text.empty() ? "" : ",";
    text += json_string(tensor.name, path) + ":{\"dtype\":\"" + dtype_name(type) + "\",\"shape\":[";
    for (int i = 0; i < tensor.value.rank(); ++i) text += (i ? "," : "") + std::to_string(tensor.value.dim(i));
    const std::uint64_t end = at + static_cast<std::uint64_t>(tensor.value.size()) * stored_bytes(type);
    text += "],\"data_offsets\":[" + std::to_string(at) + "," + std::to_string(end) + "]}";
    at = end;
  }
  text = "{" + text + "}";
  return text + std::string((8 - text.size() % 8) % 8, ' ');
}

}  // namespace

void write_safetensors(const std::filesystem::path& path, const std::vector<NamedTensor>& tensors,
                       const std::map<std::string, std::string>& metadata, StorageType type) {
  const std::string header = header_text(path, tensors, metadata, type);
  write_file_atomically(path, [&](FileWriter& writer) {
    const std::uint64_t length = header.size();
    writer.write(&length, sizeof(length));
    writer.write(header);
    const auto write = [&](const void* bytes, std::size_t count) { writer.write(bytes, count); };
    for (const NamedTensor& tensor : tensors) {
      if (type == StorageType::f32)
        in_pieces<float>(
            tensor.value, [](Scalar x) { return static_cast<float>(x); }, write);
      else if (type == StorageType::f64)
        in_pieces<double>(
            tensor.value, [](Scalar x) { return static_cast<double>(x); }, write);
      else
        in_pieces<std::uint16_t>(
            tensor.value, [](Scalar x) { return to_half(static_cast<double>(x)); }, write);
    }
  });
}

NonFinite count_non_finite(const Tensor& tensor) {
  NonFinite count;
  for (Index i = 0; i < tensor.size(); ++i) {
    if (std::isnan(tensor[i])) ++count.nan;
    if (std::isinf(tensor[i])) ++count.infinite;
  }
  return count;
}

}  // namespace headlight
