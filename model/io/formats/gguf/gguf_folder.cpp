#include "model/io/formats/gguf/gguf_folder.h"

#include <algorithm>
#include <cstring>

#include "model/io/tensor_values.h"

namespace headlight::gguf {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "blk.12.attn_q" -> "blk.#.attn_q" and "12"; the number stands between points.
struct Numbered {
  std::string pattern, number;
};
Numbered numbered(const std::string& name) {
  for (std::size_t at = name.find('.'); at != name.npos; at = name.find('.', at + 1)) {
    std::size_t end = at + 1;
    while (end < name.size() && is_digit(name[end])) ++end;
    if (end > at + 1 && end < name.size() && name[end] == '.')
      return {name.substr(0, at + 1) + "#" + name.substr(end), name.substr(at + 1, end - at - 1)};
  }
  return {name, {}};
}
std::string with_number(std::string pattern, const std::string& number) {
  if (const std::size_t at = pattern.find('#'); at != pattern.npos) pattern.replace(at, 1, number);
  return pattern;
}
// ".weight" or ".bias" at the end of a name; empty: neither.
std::string ending(const std::string& name) {
  for (const char* end : {".weight", ".bias"})
    if (name.ends_with(end)) return end;
  return {};
}
std::string without(const std::string& name, const std::string& end) {
  return name.substr(0, name.size() - end.size());
}

// Keys of config.json, and what they are made of.
constexpr std::pair<const char*, const char*> kKeys[] = {{"num_hidden_layers", "block_count"},
                                                         {"n_layer", "block_count"},
                                                         {"num_layers", "block_count"},
                                                         {"num_decoder_layers", "decoder_block_count"},
                                                         {"num_attention_heads", "attention.head_count"},
                                                         {"n_head", "attention.head_count"},
                                                         {"num_heads", "attention.head_count"},
                                                         {"num_key_value_heads", "attention.head_count_kv"},
                                                         {"hidden_size", "embedding_length"},
                                                         {"n_embd", "embedding_length"},
                                                         {"d_model", "embedding_length"},
                                                         {"intermediate_size", "feed_forward_length"},
                                                         {"d_ff", "feed_forward_length"},
                                                         {"num_local_experts", "expert_count"},
                                                         {"num_experts", "expert_count"},
                                                         {"num_experts_per_tok", "expert_used_count"},
                                                         {"moe_intermediate_size", "expert_feed_forward_length"},
                                                         {"head_dim", "attention.key_length"},
                                                         {"d_kv", "attention.key_length"},
                                                         {"max_position_embeddings", "context_length"},
                                                         {"rms_norm_eps", "attention.layer_norm_rms_epsilon"},
                                                         {"layer_norm_eps", "attention.layer_norm_epsilon"},
                                                         {"layer_norm_epsilon", "attention.layer_norm_epsilon"},
                                                         {"partial_rotary_factor", "rope.dimension_count"},
                                                         {"rotary_pct", "rope.dimension_count"},
                                                         {"rope_scaling", "rope.scaling"},
                                                         {"rope_theta", "rope.freq_base"},
                                                         {"sliding_window", "attention.sliding_window"}};

// Tensors that are settings: config_of has read them.
bool is_setting(const std::string& name) {
  return name.starts_with("rope_freqs.") || name.starts_with("rope_factors_");
}

}  // namespace

FolderView::FolderView(std::shared_ptr<const GgufFile> file, const Architecture& architecture, const Json& config)
    : file_(std::move(file)), names_(architecture.names(*file_)) {
  const auto number = [&](std::initializer_list<const char*> keys, std::uint64_t fallback) {
    for (const char* key : keys)
      if (const auto found = config.find(key); found != config.end() && found->is_number_unsigned())
        return found->get<std::uint64_t>();
    return fallback;
  };
  heads_ = number({"num_attention_heads", "n_head", "num_heads"}, 1);
  key_heads_ = number({"num_key_value_heads", "num_kv_heads"}, heads_);
  for (std::size_t i = 0; i < file_->tensors().size(); ++i)
    if (!is_setting(file_->tensors()[i].name)) place(i);
  unread_ = file_->unread();
}

std::string FolderView::there(const std::string& name, Undo& undo) const {
  const std::string end = ending(name);
  const auto [pattern, layer] = numbered(without(name, end));
  for (const TensorName& row : names_) {
    if (row.here != pattern) continue;
    undo = row.undo;
    return with_number(row.there, layer) + (undo == Undo::no_ending ? std::string() : end);
  }
  return name;
}

std::string FolderView::here(const std::string& name) const {
  const std::string end = ending(name);
  const auto [pattern, layer] = numbered(without(name, end));
  const auto is = [&](const std::string& full) {  // with what stands in front of all names, or without it
    return full == pattern || (full.ends_with(pattern) && full[full.size() - pattern.size() - 1] == '.' &&
                               full.find('.') == full.size() - pattern.size() - 1);
  };
  // Without its "model.", "layers.0.mlp" has its number behind the first point too.
  for (const TensorName& row : names_)
    if (!end.empty() && is(row.there)) return with_number(row.here, layer) + end;
  return {};
}

void FolderView::place(std::size_t tensor) {
  TensorEntry entry = file_->tensors()[tensor];
  Place place;
  place.tensor = tensor;
  entry.name = there(entry.name, place.undo);
  if (place.undo == Undo::in_another || (place.undo == Undo::heads_apart && !join_heads(entry, place))) return;
  const std::uint64_t rows = entry.shape.empty() ? 0 : entry.shape.front();
  const std::uint64_t parts = heads_ + 2 * key_heads_;
  if (place.undo == Undo::transposed && entry.shape.size() == 2) {
    std::swap(entry.shape[0], entry.shape[1]);
  } else if (place.undo == Undo::transposed) {
    place.undo = Undo::nothing;  // a bias
  }
  if (place.undo == Undo::plus_one && entry.name.ends_with(".bias")) place.undo = Undo::nothing;
  if (place.undo == Undo::plus_one) {
    place.plain = true;
    entry.dtype = "F32";
    entry.bytes = entry.count() * sizeof(float);
  }
  if (place.undo == Undo::row && entry.shape.size() == 1) entry.shape.insert(entry.shape.begin(), 1);
  const bool of_keys = place.undo == Undo::pairs_of_keys;
  if (place.undo == Undo::pairs || of_keys) {
    const std::uint64_t heads = of_keys ? key_heads_ : heads_;
    // Another shape is refused later, by name.
    if (const std::uint64_t size = heads == 0 ? 0 : rows / heads; size > 0 && size % 2 == 0 && rows % heads == 0)
      place.row = [size](std::uint64_t row) {
        const std::uint64_t j = row % size;
        return row - j + (j < size / 2 ? 2 * j : 2 * (j - size / 2) + 1);
      };
  }
  if (place.undo == Undo::parts_of_heads && parts > 0 && key_heads_ > 0 && heads_ % key_heads_ == 0 &&
      rows % parts == 0)
    place.row = [size = std::max<std::uint64_t>(1, rows / parts), heads = heads_,
                 groups = key_heads_](std::uint64_t row) {
      const std::uint64_t each = heads / groups, group = row / size / (each + 2), part = row / size % (each + 2);
      const std::uint64_t head = part < each ? group * each + part : heads + (part - each) * groups + group;
      return head * size + row % size;
    };
  if (place.row && entry.shape.size() == 1) place.plain = true;
  tensors_.push_back(std::move(entry));
  places_.push_back(std::move(place));
}

std::vector<float> FolderView::numbers(std::size_t tensor) const {
  const TensorEntry& entry = file_->tensors()[tensor];
  std::vector<float> all(static_cast<std::size_t>(entry.count()));
  read_numbers(entry.dtype, file_->bytes(tensor), 0, entry.count(), all.data(), file_->where());
  return all;
}

bool FolderView::join_heads(TensorEntry& entry, Place& place) const {
  std::string name = file_->tensors()[place.tensor].name;
  name.replace(name.find("k_b"), 1, "v");
  const auto values = file_->find_tensor(name);
  if (!values) return false;  // then a tensor is missing, and named
  const auto &k = entry.shape, &v = file_->tensors()[*values].shape;
  if (k.size() != 3 || v.size() != 3 || k[0] != v[0] || k[1] != v[2])
    throw FormatError(file_->where() + ": tensor \"" + name + "\": values " + shape_text(v) + " do not go with keys " +
                      shape_text(k));
  entry.shape = {k[0] * (k[2] + v[1]), k[1]};
  entry.dtype = "F32";
  entry.bytes = entry.count() * sizeof(float);
  place.values = *values;
  place.plain = true;
  return true;
}

// Each head's rows of keys, which are stored transposed, and then those of its values.
std::string FolderView::joined_heads(const Place& place) const {
  const std::vector<float> k = numbers(place.tensor), v = numbers(place.values);
  const auto &of_k = file_->tensors()[place.tensor].shape, &of_v = file_->tensors()[place.values].shape;
  const std::uint64_t latent = of_k[1], keys = of_k[2], values = of_v[1];
  std::vector<float> all;
  all.reserve(k.size() + v.size());
  for (std::uint64_t head = 0; head < of_k[0]; ++head) {
    for (std::uint64_t row = 0; row < keys; ++row)
      for (std::uint64_t i = 0; i < latent; ++i) all.push_back(nth(k, (head * latent + i) * keys + row));
    const auto begin = v.begin() + static_cast<std::ptrdiff_t>(head * values * latent);
    all.insert(all.end(), begin, begin + static_cast<std::ptrdiff_t>(values * latent));
  }
  return {reinterpret_cast<const char*>(all.data()), all.size() * sizeof(float)};
}

std::string FolderView::bytes(std::size_t i) const {
  const Place& place = places_[i];
  const TensorEntry& entry = tensors_[i];
  if (place.undo == Undo::heads_apart) return joined_heads(place);
  if (place.undo == Undo::plus_one) {
    std::vector<float> all = numbers(place.tensor);
    for (float& number : all) number -= 1;
    return {reinterpret_cast<const char*>(all.data()), all.size() * sizeof(float)};
  }
  if (!place.row && place.undo != Undo::transposed) return file_->bytes(place.tensor);
  std::string all(static_cast<std::size_t>(entry.bytes), '\0');
  if (!place.plain && place.undo != Undo::transposed) {
    read(i, 0, all.data(), all.size());
    return all;
  }
  const std::string stored = file_->bytes(place.tensor);
  const std::uint64_t count = entry.count(), size = count == 0 ? 0 : entry.bytes / count;
  const std::uint64_t columns = place.undo == Undo::transposed ? entry.shape[1] : 1;
  for (std::uint64_t n = 0; n < count; ++n) {
    const std::uint64_t from =
        place.undo == Undo::transposed ? n % columns * entry.shape[0] + n / columns : place.row(n);
    std::memcpy(all.data() + n * size, stored.data() + from * size, size);
  }
  return all;
}

void FolderView::read(std::size_t i, std::uint64_t offset, void* to, std::size_t count) const {
  const Place& place = places_[i];
  if (!reads_parts(i)) return TensorFile::read(i, offset, to, count);
  if (!place.row) return file_->read(place.tensor, offset, to, count);
  // A row is read where it lies.
  const std::uint64_t rows = tensors_[i].shape.front(), size = rows == 0 ? 0 : tensors_[i].bytes / rows;
  char* next = static_cast<char*>(to);
  while (count > 0 && size > 0) {
    const std::uint64_t row = offset / size, within = offset % size;
    const std::size_t here = std::min<std::size_t>(count, static_cast<std::size_t>(size - within));
    file_->read(place.tensor, place.row(row) * size + within, next, here);
    next += here;
    offset += here;
    count -= here;
  }
}

std::string FolderView::in_words_of_file(std::string message) const {
  for (std::size_t begin = message.find('"'); begin != message.npos;) {
    const std::size_t end = message.find('"', begin + 1);
    if (end == message.npos) break;
    const std::string name = here(message.substr(begin + 1, end - begin - 1));
    if (!name.empty()) message.replace(begin + 1, end - begin - 1, name);
    begin = message.find('"', name.empty() ? end + 1 : begin + name.size() + 2);
  }
  if (const std::size_t at = message.find("config.json: "); at != message.npos) message.erase(at, 13);
  for (const auto& [theirs, ours] : kKeys) {
    const std::size_t at = message.find(theirs), end = at + std::string(theirs).size();
    const auto is_letter = [&](std::size_t place) {
      return place < message.size() && (std::isalnum(static_cast<unsigned char>(message[place])) ||
                                        message[place] == '_' || message[place] == '.');
    };
    if (at != message.npos && !(at > 0 && is_letter(at - 1)) && !is_letter(end))
      message.replace(at, end - at, key_of(*file_, ours));
  }
  return message;
}

std::string FolderView::in_file(const std::string& formula) const {
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const std::string& name = tensors_[i].name;
    const std::size_t at = formula.find(name);
    if (at == formula.npos || (at + name.size() < formula.size() && formula[at + name.size()] == '_')) continue;
    const std::string& stored = file_->tensors()[places_[i].tensor].name;
    switch (places_[i].undo) {
      case Undo::plus_one:
        return stored;
      case Undo::heads_apart:
        return stored + " and " + file_->tensors()[places_[i].values].name;
      case Undo::transposed:
        return formula.substr(0, at) + stored + ".T" + formula.substr(at + name.size());
      case Undo::pairs:
      case Undo::pairs_of_keys:
      case Undo::parts_of_heads:
        return formula.substr(0, at) + stored + "[rows as in the folder]" + formula.substr(at + name.size());
      default:
        return formula.substr(0, at) + stored + formula.substr(at + name.size());
    }
  }
  return formula;
}

}  // namespace headlight::gguf
