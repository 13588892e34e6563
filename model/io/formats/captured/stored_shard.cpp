#include "model/io/formats/captured/stored_shard.h"

#include "model/core/budget.h"
#include "model/core/slices.h"
#include "model/io/json_file.h"
#include "model/io/tensor_values.h"

namespace headlight {

std::shared_ptr<const TensorFile> open_arrays(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".npz"           ? open_npz(path)
         : ending == ".npy"         ? open_npy(path)
         : ending == ".safetensors" ? open_safetensors(path)
                                    : open_torch(path);
}

StoredShard::StoredShard(const std::filesystem::path& path) : where_(path.string()), file_(open_arrays(path)) {
  maps = stored_maps(*file_, where_);
  if (maps.empty() && path.extension() == ".npy") maps = bare_maps(*file_);
  if (!maps.empty()) texts = maps.begin()->second.texts;
}

Tensor StoredShard::layer(StoredMaps::Kind kind, std::uint64_t text, std::uint64_t layer) const {
  const StoredMaps& at = maps.at(kind);
  const std::size_t i = at.by_layer ? at.tensors[layer] : at.tensors.front();
  const std::uint64_t size = at.heads * at.queries * at.keys;
  std::uint64_t first = at.by_layer ? 0 : layer * size;
  if (at.batched) first += text * size * (at.by_layer ? 1 : at.layers);
  within_budget(static_cast<double>(size * sizeof(Scalar)), budget::kTrace, where_,
                "store each layer in a file of its own");
  Tensor tensor({static_cast<Index>(at.heads), static_cast<Index>(at.queries), static_cast<Index>(at.keys)});
  read_into(i, first, size, tensor.data());
  return tensor;
}

std::vector<std::string> StoredShard::tokens(std::initializer_list<const char*> names, std::uint64_t text) const {
  for (const char* name : names) {
    if (const auto i = find(name)) {
      TensorEntry row = file_->tensors()[*i];
      if (row.shape.size() != 2 || row.shape[1] == 0) return texts_of(row, *bytes_of(*i), where_);
      if (row.shape[0] != texts)
        unreadable(where_, std::string(name) + ": expected the tokens of " + std::to_string(texts) +
                               (texts == 1 ? " text, found " : " texts, found ") + shape_text(row.shape));
      const std::string part = part_of(*i, text * row.shape[1], row.shape[1]);
      row.shape.erase(row.shape.begin());
      row.bytes = part.size();
      return texts_of(row, part, where_);
    }
    if (auto listed = from_values(name, text); !listed.empty()) return listed;
  }
  return {};
}

std::vector<Scalar> StoredShard::numbers(const char* name, std::uint64_t text, std::uint64_t length) const {
  const auto i = find(name);
  if (!i) return {};
  const TensorEntry& entry = file_->tensors()[*i];
  const std::uint64_t all = entry.count(), last = entry.shape.empty() ? 1 : entry.shape.back();
  const bool for_each = all == length * texts;
  if ((all != length && !for_each) || (length > 1 && last != length))
    unreadable(where_, std::string(name) + ": expected " + std::to_string(length) +
                           (length == 1 ? " number" : " numbers, one for each token") +
                           (texts > 1 ? ", or as many for each of " + std::to_string(texts) + " texts" : "") +
                           ", found " + shape_text(entry.shape));
  std::vector<Scalar> row(static_cast<std::size_t>(length));
  read_into(*i, for_each ? text * length : 0, length, row.data());
  return row;
}

std::optional<std::size_t> StoredShard::find(const std::string& name) const {
  for (std::size_t i = 0; i < file_->tensors().size(); ++i)
    if (file_->tensors()[i].name == name) return i;
  return {};
}

// The bytes of `count` numbers or texts from `first` on, straight from the file where that can be.
std::string StoredShard::part_of(std::size_t i, std::uint64_t first, std::uint64_t count) const {
  const TensorEntry& entry = file_->tensors()[i];
  const std::uint64_t all = entry.count(), item = all == 0 ? 0 : entry.bytes / all;
  within_budget(static_cast<double>(count * item), budget::kTrace, where_, "store each text in a file of its own");
  if (!file_->reads_parts(i)) return bytes_of(i)->substr(first * item, count * item);
  std::string part(static_cast<std::size_t>(count * item), '\0');
  file_->read(i, first * item, part.data(), part.size());
  return part;
}

// The same as numbers.
void StoredShard::read_into(std::size_t i, std::uint64_t first, std::uint64_t count, Scalar* to) const {
  const TensorEntry& entry = file_->tensors()[i];
  const std::string where = where_ + ": tensor \"" + entry.name + "\"";
  if (file_->reads_parts(i))
    read_numbers(entry.dtype, part_of(i, first, count), 0, count, to, where);
  else
    read_numbers(entry.dtype, *bytes_of(i), first, count, to, where);
}

std::shared_ptr<const std::string> StoredShard::bytes_of(std::size_t i) const {
  const WholeSlice whole;
  const std::lock_guard lock(mutex_);
  if (const auto known = known_.find(i); known != known_.end()) return known->second;
  within_budget(static_cast<double>(file_->tensors()[i].bytes), budget::kTrace, where_,
                "store fewer texts in a file, and several files as shards");
  return known_[i] = std::make_shared<const std::string>(file_->bytes(i));
}

// Of safetensors JSON in the metadata, of pickles a list.
std::vector<std::string> StoredShard::from_values(const std::string& name, std::uint64_t text) const {
  std::vector<std::string> list;
  for (const auto& [key, value] : file_->values()) {
    if (key == "__metadata__." + name) {
      const Json json = parse_json(value, where_ + ": metadata \"" + name + "\"");
      const Json& row =
          json.is_array() && !json.empty() && json.front().is_array() && text < json.size() ? json[text] : json;
      if (!row.is_array()) unreadable(where_, "metadata \"" + name + "\": expected a list of tokens");
      for (const Json& token : row) list.push_back(token.is_string() ? token.get<std::string>() : token.dump());
      return list;
    }
    const std::string batched = name + "." + std::to_string(text) + ".";
    const bool in_text = key.starts_with(batched);
    if (!in_text && !key.starts_with(name + ".")) continue;
    const std::string rest = key.substr(in_text ? batched.size() : name.size() + 1);
    if (rest.find_first_not_of("0123456789") == rest.npos) list.push_back(value);
  }
  return list;
}

}  // namespace headlight
