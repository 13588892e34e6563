// Named arrays of a file, whatever its format: listed without reading their numbers, then read one at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/core/cancel.h"
#include "model/core/halves.h"

namespace headlight {

// How many numbers an array of this shape has; of one that was checked it fits.
std::uint64_t number_count(const std::vector<std::uint64_t>& shape);

struct TensorEntry {
  std::string name;
  std::string dtype;  // as safetensors calls it: "F32", "BF16", "I64"; of other arrays as NumPy does: "<U16"
  std::vector<std::uint64_t> shape;
  std::uint64_t bytes = 0;    // of its numbers one after another
  std::string shares_with{};  // the first tensor of the file that has the same storage; empty: none before it

  std::uint64_t count() const { return number_count(shape); }
};

class TensorFile {
 public:
  virtual ~TensorFile() = default;
  const std::vector<TensorEntry>& tensors() const { return tensors_; }
  // What else the file holds, as name and text: numbers, texts, the names of classes. Shown, never run.
  const std::vector<std::pair<std::string, std::string>>& values() const { return values_; }
  // What else could be a tensor and is none that is read, as name and reason: "an array of Python objects".
  const std::vector<std::pair<std::string, std::string>>& unread() const { return unread_; }
  // The numbers of tensors()[i]: little-endian, row-major, as many bytes as its entry says. Throws Error.
  virtual std::string bytes(std::size_t i) const = 0;
  // Some of these bytes: `count` from `offset` on, straight to where they are wanted where the file has them so. Any
  // thread.
  virtual void read(std::size_t i, std::uint64_t offset, void* to, std::size_t count) const;
  // Whether read() costs as much as what it reads, rather than as much as the tensor.
  virtual bool reads_parts(std::size_t i) const;
  // How the file itself has tensors()[i], where these numbers are made of it: "Q4_K", and its bytes there.
  struct Stored {
    std::string type;
    std::uint64_t bytes = 0;
  };
  virtual Stored stored(std::size_t i) const { return {tensors_[i].dtype, tensors_[i].bytes}; }
  // The type of values()[i] and what it is as JSON; empty where the file knows texts only.
  virtual std::pair<std::string, std::string> typed_value(std::size_t) const { return {}; }
  // Where it has a matrix in rows of quantised blocks: their form, and a row as it lies there.
  virtual std::optional<BlockForm> block_form(std::size_t) const { return {}; }
  virtual void read_row(std::size_t, std::uint64_t, void*) const {}

 protected:
  std::vector<TensorEntry> tensors_;
  std::vector<std::pair<std::string, std::string>> values_, unread_;
};

// A part of a buffer of numbers: [shape] with strides. All counts are of numbers, not bytes.
struct StridedView {
  std::size_t item = 4;  // bytes of one number; of a complex one or a text, of one of its parts
  std::size_t parts = 1;
  bool swap = false;  // big-endian
  std::uint64_t offset = 0;
  std::vector<std::uint64_t> shape, strides;

  std::uint64_t count() const { return number_count(shape); }
  // Throws FormatError "WHERE: ..." unless every number lies within `available` numbers; counts cannot overflow then.
  void check(std::uint64_t available, const std::string& where) const;
  // The numbers one after another, little-endian. `check` has passed. Throws BudgetError for a view that is much larger
  // than what it is of (a stride of 0 makes any number of a single one).
  std::string gather(std::string_view buffer, const std::string& where) const;
};
// Row-major, or with the first index running fastest.
std::vector<std::uint64_t> dense_strides(const std::vector<std::uint64_t>& shape, bool columns_first);

// "[4 x 7]"
std::string shape_text(const std::vector<std::uint64_t>& shape);

// Every tensor as an entry of an npz, in the file's own type; BF16, which NumPy lacks, as float32. One tensor at a time
// is in memory. Returns those that are left out, for NumPy has no such type: name and type. Throws Error.
std::vector<std::pair<std::string, std::string>> write_npz(const std::filesystem::path& path, const TensorFile& file,
                                                           const CancelToken& cancel = {});

// safetensors, NumPy's npy and npz, PyTorch's zip checkpoints, pickles. Each reads the directory of its file only.
// Throw FileError and FormatError with the path in front.
std::shared_ptr<const TensorFile> open_safetensors(const std::filesystem::path& path);
std::shared_ptr<const TensorFile> open_npy(const std::filesystem::path& path);
std::shared_ptr<const TensorFile> open_npz(const std::filesystem::path& path);
std::shared_ptr<const TensorFile> open_torch_zip(const std::filesystem::path& path);
std::shared_ptr<const TensorFile> open_pickle(const std::filesystem::path& path);
// Either of them, by its first byte: files of both have the endings .pt, .pth and .bin.
std::shared_ptr<const TensorFile> open_torch(const std::filesystem::path& path);

// Several files as one. Throws FormatError where two of them have a tensor of the same name.
std::shared_ptr<const TensorFile> joined(std::vector<std::shared_ptr<const TensorFile>> files,
                                         const std::string& where);

}  // namespace headlight
