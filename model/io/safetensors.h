// safetensors: named tensors with a JSON header. A strict reader (files come from strangers) and an atomic writer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/core/tensor.h"
#include "model/trace/trace.h"

namespace headlight {

// What a header says about one tensor. Any rank can be listed; loading takes up to Shape::kMaxRank dimensions.
struct TensorInfo {
  std::string name;
  std::string dtype;  // as in the file: "F32", "BF16", "F8_E4M3"
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0, end = 0;  // bytes, relative to the buffer behind the header

  std::uint64_t count() const;     // numbers; never overflows in a file that was accepted
  std::string shape_text() const;  // "[4 x 7]"
  bool has_fractions() const;      // F16, BF16, F32 or F64: what weights are made of
};

// Checked whole when it is opened: nothing is read of the numbers, and no memory is taken beyond the header's size.
class SafetensorsFile {
 public:
  // Throws FileError, or FormatError with the path, what was expected and what was found.
  explicit SafetensorsFile(const std::filesystem::path& path);
  // From memory; `name` stands for the path in messages.
  static SafetensorsFile from_bytes(std::string bytes, std::string name);

  const std::string& name() const { return name_; }
  const std::vector<TensorInfo>& tensors() const { return tensors_; }  // in the order of the header
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const TensorInfo* find(const std::string& name) const;
  // Converted to Scalar. Throws UsageError for an unknown name and FormatError for a dtype that cannot be computed with
  // or too many dimensions.
  Tensor load(const std::string& name) const;
  // The numbers of one of tensors() as they lie in the file. Throws FileError.
  std::string bytes(const TensorInfo& info) const;
  // Some of them: `count` from byte `offset` of the tensor on. Throws FileError. Any thread.
  void read(const TensorInfo& info, std::uint64_t offset, void* to, std::size_t count) const;

 private:
  using Source = std::function<void(std::uint64_t offset, void* to, std::size_t count)>;
  SafetensorsFile() = default;
  void open(std::string name, std::uint64_t size, Source source);

  std::string name_;
  Source source_;
  std::uint64_t buffer_begin_ = 0;
  std::vector<TensorInfo> tensors_;
  std::map<std::string, std::string> metadata_;
  std::unordered_map<std::string, std::size_t> by_name_;
};

// How numbers are stored.
enum class StorageType { f32, f16, f64 };

// Atomic (see file.h); the header is padded with spaces so that the buffer starts at a multiple of 8. Throws FileError,
// and UsageError for a repeated, reserved or broken name.
void write_safetensors(const std::filesystem::path& path, const std::vector<NamedTensor>& tensors,
                       const std::map<std::string, std::string>& metadata, StorageType type);

// Numbers that are none.
struct NonFinite {
  Index nan = 0;
  Index infinite = 0;
  explicit operator bool() const { return nan > 0 || infinite > 0; }
};
NonFinite count_non_finite(const Tensor& tensor);

}  // namespace headlight
