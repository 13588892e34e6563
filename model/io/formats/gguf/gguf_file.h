// GGUF, versions 2 and 3, little-endian: metadata, a list of tensors, and their numbers, in one file or several.
//
// Only the front is read when a file is opened; arrays of the metadata (a vocabulary) are walked over and read when
// somebody asks for them. Every count, length, offset and shape is checked against the size of the file before memory
// is taken. Quantised tensors are given as float32 (TensorEntry::dtype), a block at a time; stored() says what the file
// has.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/core/json_library.h"
#include "model/io/file.h"
#include "model/io/formats/gguf/gguf_types.h"
#include "model/io/tensor_file.h"

namespace headlight {

namespace gguf {
class Front;
}

class GgufFile : public TensorFile {
 public:
  // The first part stands for all; any part leads to them. Throws FileError, and FormatError with the file, what was
  // expected and what was found.
  explicit GgufFile(const std::filesystem::path& path);

  std::string bytes(std::size_t i) const override;
  void read(std::size_t i, std::uint64_t offset, void* to, std::size_t count) const override;
  bool reads_parts(std::size_t) const override { return true; }
  Stored stored(std::size_t i) const override;
  std::optional<BlockForm> block_form(std::size_t i) const override;
  void read_row(std::size_t i, std::uint64_t row, void* to) const override;
  std::pair<std::string, std::string> typed_value(std::size_t i) const override;

  const std::string& where() const { return where_; }
  const std::vector<std::filesystem::path>& paths() const { return paths_; }
  std::optional<std::size_t> find_tensor(const std::string& name) const;

  // Metadata. Each throws FormatError "FILE: KEY: expected ..., found ..." for a value of another kind.
  bool has(const std::string& key) const { return keys_.contains(key); }
  std::optional<std::string> text(const std::string& key) const;
  std::optional<std::uint64_t> whole(const std::string& key) const;
  std::optional<double> real(const std::string& key) const;
  std::optional<bool> truth(const std::string& key) const;
  // Whole arrays; without the key nothing. A single number is an array of one.
  std::vector<std::string> texts(const std::string& key) const;
  std::vector<double> numbers(const std::string& key) const;
  bool is_array(const std::string& key) const;
  [[noreturn]] void fail(const std::string& key, const std::string& what) const;
  // The first tensor of a type whose values lie in tables that are not here, as "NAME is of type IQ2_XS".
  std::string of_tables() const;

 private:
  struct Value {
    std::uint32_t type = 0, element = 0;  // element: of an array
    std::uint64_t count = 1, offset = 0;  // where the first of them begins
  };
  struct Place {
    std::size_t part;
    std::uint64_t offset;  // in its file
    const gguf::BlockType* type;
  };
  void read_front(const std::filesystem::path& path, bool first);
  void read_keys(gguf::Front& front, std::uint64_t count, std::map<std::string, Value>& keys,
                 std::vector<std::string>& order) const;
  void read_tensors(gguf::Front& front, std::uint64_t count, std::uint64_t alignment);
  // `count` values from `first` on, as a list.
  static Json json_of(const FileReader& file, const Value& value, std::uint64_t first, std::uint64_t count);
  Json json_of(const Value& value) const { return json_of(*parts_.front(), value, 0, 1)[0]; }
  const Value* find(const std::string& key) const;
  void show_values();
  void check_split(std::size_t part, const std::map<std::string, Value>& keys) const;

  std::string where_;
  std::vector<std::filesystem::path> paths_;
  std::vector<std::unique_ptr<FileReader>> parts_;
  std::map<std::string, Value> keys_;
  std::vector<std::string> order_;  // of the keys in the file
  std::vector<Place> places_;
  std::map<std::string, std::size_t> by_name_;
};

// By the first four bytes, or by the ending where there are none.
bool is_gguf(const std::filesystem::path& path);

}  // namespace headlight
