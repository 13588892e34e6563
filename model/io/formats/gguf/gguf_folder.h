// A GGUF file as the folder that it was made from: its tensors under the names and in the layout that they had there,
// so that the families of models from elsewhere read it like any other.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/io/formats/gguf/gguf_architecture.h"
#include "model/io/formats/gguf/gguf_file.h"

namespace headlight::gguf {

class FolderView : public TensorFile {
 public:
  // `config` is config_of(file).
  FolderView(std::shared_ptr<const GgufFile> file, const Architecture& architecture, const Json& config);

  std::string bytes(std::size_t i) const override;
  void read(std::size_t i, std::uint64_t offset, void* to, std::size_t count) const override;
  bool reads_parts(std::size_t i) const override { return places_[i].undo != Undo::transposed && !places_[i].plain; }
  Stored stored(std::size_t i) const override { return file_->stored(places_[i].tensor); }
  std::optional<BlockForm> block_form(std::size_t i) const override {
    return reads_parts(i) ? file_->block_form(places_[i].tensor) : std::nullopt;
  }
  void read_row(std::size_t i, std::uint64_t row, void* to) const override {
    file_->read_row(places_[i].tensor, places_[i].row ? places_[i].row(row) : row, to);
  }

  // A message about the folder, as one about the file: names of tensors and of keys.
  std::string in_words_of_file(std::string message) const;
  // What NumPy would do with the tensors of the folder, as it does with those of the file.
  std::string in_file(const std::string& formula) const;

 private:
  struct Place {
    std::size_t tensor = 0;  // of the file
    Undo undo = Undo::nothing;
    std::function<std::uint64_t(std::uint64_t row)> row;  // of the file; empty: the same
    bool plain = false;                                   // one number a row: read whole
    std::size_t values = 0;                               // of heads_apart: the tensor of the file that has them
  };
  std::string there(const std::string& name, Undo& undo) const;
  std::string here(const std::string& name) const;
  void place(std::size_t tensor);
  // Keys and values of all heads in one matrix, as the folder has them; false: they do not belong together.
  bool join_heads(TensorEntry& entry, Place& place) const;
  std::string joined_heads(const Place& place) const;
  std::vector<float> numbers(std::size_t tensor) const;

  std::shared_ptr<const GgufFile> file_;
  std::vector<TensorName> names_;
  std::vector<Place> places_;
  std::uint64_t heads_ = 1, key_heads_ = 1;
};

}  // namespace headlight::gguf
