// One file of stored attention: its directory, and its numbers as they are asked for.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>

#include "model/core/tensor.h"
#include "model/io/formats/captured/stored_maps.h"

namespace headlight {

// Throws FileError and FormatError, for numbers that the file lacks too.
class StoredShard {
 public:
  explicit StoredShard(const std::filesystem::path& path);

  MapsByKind maps;
  std::uint64_t texts = 0;
  const std::string& where() const { return where_; }

  // Whether its names could be those of anything.
  bool says_little() const { return names_say_little(*file_, maps); }

  // The maps of one layer of a text [H x Q x K].
  Tensor layer(StoredMaps::Kind kind, std::uint64_t text, std::uint64_t layer) const;
  // The tokens of a text under the first of these names that is there; empty when there are none.
  std::vector<std::string> tokens(std::initializer_list<const char*> names, std::uint64_t text) const;
  // `length` numbers of a text, stored once for all or for each; empty when the file has none of this name.
  std::vector<Scalar> numbers(const char* name, std::uint64_t text, std::uint64_t length) const;

 private:
  std::optional<std::size_t> find(const std::string& name) const;
  std::string part_of(std::size_t i, std::uint64_t first, std::uint64_t count) const;
  void read_into(std::size_t i, std::uint64_t first, std::uint64_t count, Scalar* to) const;
  std::shared_ptr<const std::string> bytes_of(std::size_t i) const;
  std::vector<std::string> from_values(const std::string& name, std::uint64_t text) const;

  std::string where_;
  std::shared_ptr<const TensorFile> file_;
  mutable std::mutex mutex_;
  mutable std::map<std::size_t, std::shared_ptr<const std::string>> known_;  // those of the last text stay at hand
};

// The tensors of an .npz, .npy, .safetensors, .pkl, or archive of PyTorch.
std::shared_ptr<const TensorFile> open_arrays(const std::filesystem::path& path);

}  // namespace headlight
