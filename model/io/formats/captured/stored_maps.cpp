#include "model/io/formats/captured/stored_maps.h"

#include <algorithm>
#include <optional>
#include <regex>

#include "model/core/ascii.h"
#include "model/core/errors.h"
#include "model/io/tensor_values.h"

namespace headlight {

namespace {

using Kind = StoredMaps::Kind;

constexpr std::uint64_t kMostTokens = 16'384, kMostHeads = 1024, kMostLayers = 512, kMostTexts = 1'000'000'000;

std::optional<Kind> kind_named(const std::string& name) {
  for (const char* word : {"attentions", "attention", "attn"})
    for (const auto& [prefix, kind] :
         {std::pair("", Kind::self), {"encoder_", Kind::encoder}, {"decoder_", Kind::decoder}, {"cross_", Kind::cross}})
      if (name == std::string(prefix) + word) return kind;
  return {};
}

// "attentions.3" or "blocks.3.attn.hook_pattern": which kind, which layer (-1: all of them). Lists have no names:
// pickles number their tensors, numpy.savez(path, *list) calls them "arr_0" and on.
struct Named {
  Kind kind = Kind::self;
  std::int64_t layer = -1;
  bool listed = false;  // by its number alone
};
std::optional<Named> named(const std::string& name) {
  if (const auto kind = kind_named(name)) return Named{*kind, -1};
  static const std::regex hook(R"(blocks\.(\d{1,4})\.attn\.hook_pattern)"), indexed(R"((\w+?)[._](\d{1,4}))"),
      alone(R"((?:arr_)?(\d{1,4}))");
  std::smatch match;
  if (name.size() > 100) return {};  // such matching is recursive
  if (std::regex_match(name, match, hook)) return Named{Kind::self, std::stol(match[1])};
  if (std::regex_match(name, match, indexed))
    if (const auto kind = kind_named(match[1])) return Named{*kind, std::stol(match[2])};
  if (std::regex_match(name, match, alone)) return Named{Kind::self, std::stol(match[1]), true};
  return {};
}

// The sizes that a shape says; nothing when it is none of attention.
std::optional<StoredMaps> sizes_of(const std::vector<std::uint64_t>& shape, bool one_layer) {
  StoredMaps maps;
  const std::size_t rank = shape.size();
  if (rank < 2 || rank > (one_layer ? 4u : 5u)) return {};
  maps.queries = shape[rank - 2];
  maps.keys = shape[rank - 1];
  if (rank >= 3) maps.heads = shape[rank - 3];
  if (rank >= 4) (one_layer ? maps.texts : maps.layers) = shape[rank - 4];
  if (rank == 5) maps.texts = shape[0];
  maps.batched = one_layer ? rank == 4 : rank == 5;
  const bool fits = maps.queries > 0 && maps.keys > 0 && maps.heads > 0 && maps.layers > 0 && maps.texts > 0 &&
                    maps.queries <= kMostTokens && maps.keys <= kMostTokens && maps.heads <= kMostHeads &&
                    maps.layers <= kMostLayers && maps.texts <= kMostTexts;
  return fits ? std::optional(maps) : std::nullopt;
}

// A text that looks at itself has as many rows as columns. A model that writes has one row a step: that of the last.
bool looks_at_itself(const StoredMaps& maps) { return maps.queries == maps.keys || maps.queries == 1; }

class Finder {
 public:
  Finder(const TensorFile& file, const std::string& where) : file_(file), where_(where) {}

  MapsByKind find() {
    std::map<Kind, std::map<std::int64_t, std::size_t>> layers;
    for (std::size_t i = 0; i < file_.tensors().size(); ++i) {
      const TensorEntry& entry = file_.tensors()[i];
      const auto name = named(entry.name);
      if (!name || !has_fractions(entry)) continue;
      // numpy.savez(path, array): all layers of one text, as under the name "attentions".
      const bool whole = entry.name == "arr_0" && entry.shape.size() > 3 && entry.shape.front() > 1;
      if (name->layer >= 0 && !whole) {
        layers[name->kind][name->layer] = i;
      } else if (auto sizes = sizes_of(entry.shape, false)) {
        sizes->tensors = {i};
        all_[name->kind] = *sizes;
      }
    }
    for (const auto& [kind, by_number] : layers)
      if (!all_.count(kind)) add_layers(kind, by_number);
    check();
    return std::move(all_);
  }

 private:
  const TensorEntry& entry(const StoredMaps& maps) const { return file_.tensors()[maps.tensors.front()]; }
  std::string shown(const StoredMaps& maps) const {
    return "\"" + entry(maps).name + "\" " + shape_text(entry(maps).shape);
  }
  const StoredMaps* of(Kind kind) const { return maps_of(all_, kind); }

  void add_layers(Kind kind, const std::map<std::int64_t, std::size_t>& by_number) {
    std::optional<StoredMaps> maps;
    std::int64_t next = 0;
    for (const auto& [layer, i] : by_number) {
      const TensorEntry& entry = file_.tensors()[i];
      const auto sizes = sizes_of(entry.shape, true);
      if (!sizes) return;
      if (layer != next++)
        unreadable(where_, "the attention of layer " + std::to_string(next - 1) + " is missing in front of \"" +
                               entry.name + "\"");
      if (!maps) {
        maps = *sizes;
      } else if (entry.shape != file_.tensors()[maps->tensors.front()].shape) {
        unreadable(where_, "tensor \"" + entry.name + "\": expected " +
                               shape_text(file_.tensors()[maps->tensors.front()].shape) +
                               ", as the layers before it, found " + shape_text(entry.shape));
      }
      maps->tensors.push_back(i);
    }
    maps->by_layer = true;
    maps->layers = maps->tensors.size();
    all_[kind] = *maps;
  }

  // Whose attention it is, and whether the arrays are of the same tokens.
  void check() {
    // What is only numbered may be anything: it is attention where its shape is.
    if (const StoredMaps* self = of(Kind::self); self && !looks_at_itself(*self) && named(entry(*self).name)->listed)
      all_.erase(Kind::self);
    const auto becomes = [&](Kind from, Kind to) { all_[to] = all_.extract(from).mapped(); };
    if (of(Kind::self) && of(Kind::cross) && !of(Kind::decoder)) becomes(Kind::self, Kind::decoder);
    if (all_.size() == 1 && !of(Kind::cross) && !of(Kind::self)) becomes(all_.begin()->first, Kind::self);
    if (of(Kind::self) && all_.size() > 1)
      unreadable(where_, shown(*of(Kind::self)) + " beside " + shown(std::next(all_.begin())->second) +
                             ": expected \"encoder_attentions\", \"decoder_attentions\" and \"cross_attentions\", or "
                             "\"attentions\" alone");
    for (const auto& [kind, maps] : all_)
      if (kind != Kind::cross && !looks_at_itself(maps))
        unreadable(where_, shown(maps) + ": expected as many queries as keys, T x T, or one query, 1 x T, found " +
                               std::to_string(maps.queries) + " x " + std::to_string(maps.keys) +
                               "; vectors of heads, and windows of T x (w + 1), are not read as attention");
    const StoredMaps *encoder = of(Kind::encoder), *decoder = of(Kind::decoder), *cross = of(Kind::cross);
    for (const StoredMaps* side : {encoder, decoder})
      if (side && side->queries != side->keys)
        unreadable(where_, shown(*side) + ": of an encoder and a decoder, expected as many queries as keys, T x T");
    if (cross && decoder && cross->queries != decoder->keys)
      unreadable(where_, "expected as many rows in " + shown(*cross) + " as tokens in " + shown(*decoder) + ": found " +
                             std::to_string(cross->queries) + " and " + std::to_string(decoder->keys));
    if (cross && encoder && cross->keys != encoder->keys)
      unreadable(where_, "expected as many columns in " + shown(*cross) + " as tokens in " + shown(*encoder) +
                             ": found " + std::to_string(cross->keys) + " and " + std::to_string(encoder->keys));
    for (const auto& [kind, maps] : all_)
      if (const StoredMaps& first = all_.begin()->second; maps.texts != first.texts)
        unreadable(where_, "expected as many texts in " + shown(maps) + " as in " + shown(first) + ": found " +
                               std::to_string(maps.texts) + " and " + std::to_string(first.texts));
  }

  const TensorFile& file_;
  const std::string& where_;
  MapsByKind all_;
};

// Whether the letters of a name say that it is attention.
bool speaks_of_attention(std::string name) {
  name = lower_ascii(std::move(name));
  return name.find("att") != name.npos && !name.ends_with("weight") && !name.ends_with("bias");
}

}  // namespace

const StoredMaps* maps_of(const MapsByKind& maps, StoredMaps::Kind kind) {
  const auto found = maps.find(kind);
  return found == maps.end() ? nullptr : &found->second;
}

MapsByKind stored_maps(const TensorFile& file, const std::string& where) { return Finder(file, where).find(); }

MapsByKind bare_maps(const TensorFile& file) {
  auto sizes = sizes_of(file.tensors().front().shape, false);
  if (!sizes || !looks_at_itself(*sizes) || !has_fractions(file.tensors().front())) return {};
  sizes->tensors = {0};
  return {{Kind::self, *sizes}};
}

bool names_say_little(const TensorFile& file, const MapsByKind& maps) {
  return std::ranges::all_of(maps, [&](const auto& row) {
    const std::string& name = file.tensors()[row.second.tensors.front()].name;
    return !named(name) || name.find_first_not_of("0123456789") == name.npos;
  });
}

std::string why_no_attention(const TensorFile& file) {
  try {
    if (!stored_maps(file, "").empty()) return {};
  } catch (const FormatError& error) {
    return std::string(error.what()).substr(2);  // without the place, which is empty
  }
  for (const TensorEntry& entry : file.tensors()) {
    const auto name = named(entry.name);
    if (!name || name->listed) continue;
    const std::string at = "\"" + entry.name + "\" is named as attention is, ";
    if (!has_fractions(entry)) return at + "but its numbers are " + entry.dtype + ": expected F16, BF16, F32 or F64";
    return at + "but its shape is " + shape_text(entry.shape) + ": expected " +
           (name->layer < 0 ? "layers x heads x queries x keys" : "heads x queries x keys") +
           ", or texts in front of them";
  }
  for (const TensorEntry& entry : file.tensors()) {
    const std::size_t rank = entry.shape.size();
    if (rank >= 3 && rank <= 5 && has_fractions(entry) && entry.shape[rank - 1] > 1 && entry.shape[rank - 2] > 0 &&
        speaks_of_attention(entry.name))
      return "\"" + entry.name + "\" " + shape_text(entry.shape) +
             " could be attention: it has to be called \"attentions\", \"encoder_attentions\", "
             "\"decoder_attentions\", \"cross_attentions\" or \"blocks.0.attn.hook_pattern\"";
  }
  return {};
}

}  // namespace headlight
