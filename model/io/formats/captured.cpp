#include "model/io/formats/captured.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <regex>
#include <system_error>

#include "model/core/budget.h"
#include "model/core/clock.h"
#include "model/decode/run.h"
#include "model/io/file.h"
#include "model/io/formats/pretrained_text.h"
#include "model/io/json_file.h"
#include "model/io/tensor_values.h"
#include "model/models/registry.h"
#include "model/text/message_line.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr Index kMostTokens = 16'384, kMostHeads = 1024, kMostLayers = 512;
constexpr std::size_t kMostShards = 100'000;
constexpr Index kMostListed = 100'000;  // texts; the number of any other one can be typed
constexpr const char* kWhyNot = "stored attention has no weights: nothing is computed";

// Whose attention a list of maps is.
enum class Kind { self, encoder, decoder, cross };

// Where the maps of one kind lie in a file: in one tensor, or a tensor a layer.
struct Maps {
  std::vector<std::size_t> tensors;  // by layer; one: all layers
  bool by_layer = false;
  bool batched = false;  // the first axis counts texts
  std::uint64_t texts = 1, layers = 1, heads = 1, queries = 0, keys = 0;
};

using MapsByKind = std::map<Kind, Maps>;

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
  if (std::regex_match(name, match, alone)) return Named{Kind::self, std::stol(match[1])};
  return {};
}

[[noreturn]] void fail(const std::string& where, const std::string& what) { throw FormatError(where + ": " + what); }

// The sizes that a shape says; nothing when it is none of attention.
std::optional<Maps> sizes_of(const std::vector<std::uint64_t>& shape, bool one_layer) {
  Maps maps;
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
                    maps.layers <= kMostLayers && maps.texts <= 1'000'000'000;
  return fits ? std::optional(maps) : std::nullopt;
}

// Which tensors of a file hold attention; empty when none do. Throws FormatError "WHERE: ..." for layers that do not
// fit each other.
MapsByKind maps_of(const TensorFile& file, const std::string& where) {
  MapsByKind all;
  std::map<Kind, std::map<std::int64_t, std::size_t>> layers;
  for (std::size_t i = 0; i < file.tensors().size(); ++i) {
    const TensorEntry& entry = file.tensors()[i];
    const auto name = named(entry.name);
    if (!name || !has_fractions(entry)) continue;
    // numpy.savez(path, array): all layers of one text, as under the name "attentions".
    const bool whole = entry.name == "arr_0" && entry.shape.size() > 3 && entry.shape.front() > 1;
    if (name->layer >= 0 && !whole) {
      layers[name->kind][name->layer] = i;
    } else if (auto sizes = sizes_of(entry.shape, false)) {
      sizes->tensors = {i};
      all[name->kind] = *sizes;
    }
  }
  for (const auto& [kind, by_number] : layers) {
    if (all.count(kind)) continue;
    std::optional<Maps> maps;
    std::int64_t next = 0;
    for (const auto& [layer, i] : by_number) {
      const TensorEntry& entry = file.tensors()[i];
      const auto sizes = sizes_of(entry.shape, true);
      if (!sizes) break;
      if (layer != next++)
        fail(where,
             "the attention of layer " + std::to_string(next - 1) + " is missing in front of \"" + entry.name + "\"");
      if (!maps) {
        maps = *sizes;
      } else if (entry.shape != file.tensors()[maps->tensors.front()].shape) {
        fail(where, "tensor \"" + entry.name + "\": expected " +
                        shape_text(file.tensors()[maps->tensors.front()].shape) + ", as the layers before it, found " +
                        shape_text(entry.shape));
      }
      maps->tensors.push_back(i);
    }
    if (!maps || maps->tensors.size() != by_number.size()) continue;
    maps->by_layer = true;
    maps->layers = maps->tensors.size();
    all[kind] = *maps;
  }
  return all;
}

// One file: its directory, and its tensors as they are asked for; those of the last text stay at hand.
class Shard {
 public:
  explicit Shard(fs::path path) : path_(std::move(path)), where_(path_.string()) {
    const std::string ending = path_.extension().string();
    file_ = ending == ".npz"           ? open_npz(path_)
            : ending == ".npy"         ? open_npy(path_)
            : ending == ".safetensors" ? open_safetensors(path_)
                                       : open_torch(path_);
    maps = maps_of(*file_, where_);
    if (maps.empty() && ending == ".npy")
      if (auto sizes = sizes_of(file_->tensors().front().shape, false);
          sizes && has_fractions(file_->tensors().front())) {
        sizes->tensors = {0};
        maps[Kind::self] = *sizes;
      }
    for (const auto& [kind, one] : maps) {
      if (texts > 0 && one.texts != texts)
        fail(where_, "the kinds of attention are of " + std::to_string(texts) + " and of " + std::to_string(one.texts) +
                         " texts");
      texts = one.texts;
    }
  }

  MapsByKind maps;
  std::uint64_t texts = 0;
  const std::string& where() const { return where_; }

  // Whether its names could be those of anything.
  bool says_little() const {
    return std::all_of(maps.begin(), maps.end(), [&](const auto& row) {
      const std::string& name = file_->tensors()[row.second.tensors.front()].name;
      return !named(name) || name.find_first_not_of("0123456789") == name.npos;
    });
  }

  // The maps of one layer of a text [H x Q x K].
  Tensor layer(Kind kind, std::uint64_t text, std::uint64_t layer) const {
    const Maps& at = maps.at(kind);
    const std::size_t i = at.by_layer ? at.tensors[layer] : at.tensors.front();
    const std::uint64_t size = at.heads * at.queries * at.keys;
    std::uint64_t first = at.by_layer ? 0 : layer * size;
    if (at.batched) first += text * size * (at.by_layer ? 1 : at.layers);
    const std::string part = part_of(i, first, size);  // as many as the shape says, before memory is taken for them
    Tensor tensor({static_cast<Index>(at.heads), static_cast<Index>(at.queries), static_cast<Index>(at.keys)});
    const TensorEntry& entry = file_->tensors()[i];
    read_numbers(entry.dtype, part, 0, size, tensor.data(), where_ + ": tensor \"" + entry.name + "\"");
    return tensor;
  }

  // The tokens of a text under one of these names; empty when there are none.
  std::vector<std::string> tokens(std::initializer_list<const char*> names, std::uint64_t text) const {
    for (const char* name : names) {
      if (const auto i = find(name)) {
        TensorEntry row = file_->tensors()[*i];
        if (row.shape.size() != 2 || row.shape[1] == 0) return texts_of(row, *bytes_of(*i), where_);
        if (text >= row.shape[0]) fail(where_, std::string(name) + ": there are none of text " + std::to_string(text));
        const std::string part = part_of(*i, text * row.shape[1], row.shape[1]);
        row.shape.erase(row.shape.begin());
        row.bytes = part.size();
        return texts_of(row, part, where_);
      }
      if (auto listed = from_values(name, text); !listed.empty()) return listed;
    }
    return {};
  }

  // A row of numbers of a text; empty when the file has none.
  std::vector<Scalar> numbers(const char* name, std::uint64_t text) const {
    const auto i = find(name);
    if (!i) return {};
    const TensorEntry& entry = file_->tensors()[*i];
    const std::uint64_t length = entry.shape.empty() ? 1 : entry.shape.back();
    if (length > entry.bytes || (entry.shape.size() == 2 && text >= entry.shape[0]))
      fail(where_, std::string(name) + ": there is none of text " + std::to_string(text));
    std::vector<Scalar> row(static_cast<std::size_t>(length));
    const std::string part = part_of(*i, entry.shape.size() == 2 ? text * length : 0, length);
    read_numbers(entry.dtype, part, 0, length, row.data(), where_ + ": tensor \"" + entry.name + "\"");
    return row;
  }

 private:
  std::optional<std::size_t> find(const std::string& name) const {
    for (std::size_t i = 0; i < file_->tensors().size(); ++i)
      if (file_->tensors()[i].name == name) return i;
    return {};
  }

  // The bytes of `count` numbers or texts from `first` on, straight from the file where that can be.
  std::string part_of(std::size_t i, std::uint64_t first, std::uint64_t count) const {
    const TensorEntry& entry = file_->tensors()[i];
    std::uint64_t all = 1;
    for (const std::uint64_t dimension : entry.shape) all *= dimension;
    const std::uint64_t item = all == 0 ? 0 : entry.bytes / all;
    within_budget(static_cast<double>(count * item), budget::kTrace, where_, "store each text in a file of its own");
    if (!file_->reads_parts(i)) return bytes_of(i)->substr(first * item, count * item);
    std::string part(static_cast<std::size_t>(count * item), '\0');
    file_->read(i, first * item, part.data(), part.size());
    return part;
  }

  std::shared_ptr<const std::string> bytes_of(std::size_t i) const {
    const std::lock_guard lock(mutex_);
    if (const auto known = known_.find(i); known != known_.end()) return known->second;
    within_budget(static_cast<double>(file_->tensors()[i].bytes), budget::kTrace, where_,
                  "store fewer texts in a file, and several files as shards");
    return known_[i] = std::make_shared<const std::string>(file_->bytes(i));
  }

  // Of safetensors JSON in the metadata, of pickles a list.
  std::vector<std::string> from_values(const std::string& name, std::uint64_t text) const {
    std::vector<std::string> list;
    for (const auto& [key, value] : file_->values()) {
      if (key == "__metadata__." + name) {
        const Json json = parse_json(value, where_ + ": metadata \"" + name + "\"");
        const Json& row =
            json.is_array() && !json.empty() && json.front().is_array() && text < json.size() ? json[text] : json;
        if (!row.is_array()) fail(where_, "metadata \"" + name + "\": expected a list of tokens");
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

  fs::path path_;
  std::string where_;
  std::shared_ptr<const TensorFile> file_;
  mutable std::mutex mutex_;
  mutable std::map<std::size_t, std::shared_ptr<const std::string>> known_;
};

// "batch-00000-of-00002.npz": the name in front, how many there are, and the ending. Nothing for a file of its own.
struct ShardName {
  std::string front, ending;
  std::uint64_t count = 0;
  std::size_t digits = 5;
  std::string file(std::uint64_t i) const {
    const auto padded = [&](std::uint64_t n) {
      std::string text = std::to_string(n);
      return std::string(text.size() < digits ? digits - text.size() : 0, '0') + text;
    };
    return front + padded(i) + "-of-" + padded(count) + ending;
  }
};
std::optional<ShardName> shard_name(const fs::path& path) {
  static const std::regex pattern(R"((.*?)(\d{5,9})-of-(\d{5,9})(\.\w+))");
  const std::string name = path.filename().string();
  std::smatch match;
  if (name.size() > 255 || !std::regex_match(name, match, pattern)) return {};
  ShardName shards{match[1], match[4], std::stoull(match[3]), static_cast<std::size_t>(match[3].length())};
  if (shards.count == 0 || shards.count > kMostShards) return {};
  return shards;
}

struct Tokens {
  std::vector<std::string> source, target;
};

// Texts of one file or of a set of shards. A shard is opened for its first text.
class Captured : public StoredRuns, public std::enable_shared_from_this<Captured> {
 public:
  explicit Captured(const fs::path& path, const Opening& opening) {
    std::vector<fs::path> paths{path};
    if (const auto shards = shard_name(path)) {
      paths.clear();
      for (std::uint64_t i = 0; i < shards->count; ++i) {
        paths.push_back(path.parent_path() / shards->file(i));
        std::error_code none;
        if (!fs::exists(paths.back(), none))
          throw FileError(path.string() + ": the shard " + paths.back().filename().string() + " is missing");
      }
    }
    for (std::size_t i = 0; i < paths.size(); ++i) {
      opening.report(static_cast<double>(i) / static_cast<double>(paths.size()));
      const auto shard = std::make_shared<const Shard>(paths[i]);
      if (shard->maps.empty()) fail(paths[i].string(), "there is no attention in it");
      if (!shards_.empty()) check_alike(*shards_.front().shard, *shard);
      // The others are opened when a text of theirs is wanted.
      shards_.push_back({paths[i], i == 0 ? shard : nullptr, static_cast<Index>(count_)});
      count_ += shard->texts;
    }
    kind_ = kind_of(*shards_.front().shard);
  }

  Index count() const override { return static_cast<Index>(count_); }
  ModelTraits::Kind kind() const { return kind_; }
  const Shard& first() const { return *shards_.front().shard; }

  // Tokens as they are shown, without those that only fill up a batch.
  Tokens tokens(Index text) const {
    const auto [shard, local] = at(text);
    return read_tokens(*shard, local);
  }

  std::optional<Index> second_sentence(Index text) const {
    const auto [shard, local] = at(text);
    const auto row = shard->numbers("sentence_b_start", local);
    if (row.empty()) return {};
    const std::uint64_t length = shard->maps.begin()->second.keys;
    if (!(row.front() >= 0 && row.front() < static_cast<Scalar>(length)))
      fail(shard->where(), "sentence_b_start: expected a token from 0 to " + std::to_string(length - 1) + ", found " +
                               Json(row.front()).dump());
    return static_cast<Index>(row.front());
  }

  Result run(const Request& request) const override;

 private:
  struct Place {
    fs::path path;
    std::shared_ptr<const Shard> shard;
    Index first = 0;  // of all texts
  };

  static void check_alike(const Shard& a, const Shard& b) {
    for (const auto& [kind, maps] : a.maps)
      if (const auto found = b.maps.find(kind);
          found == b.maps.end() || found->second.layers != maps.layers || found->second.heads != maps.heads)
        fail(b.where(), "expected attention of " + std::to_string(maps.layers) + " layers and " +
                            std::to_string(maps.heads) + " heads, as in " + a.where());
  }

  // A text that looks at itself from left to right only is that of a decoder.
  static ModelTraits::Kind kind_of(const Shard& shard) {
    if (!shard.maps.count(Kind::self)) return ModelTraits::Kind::encoder_decoder;
    const Tensor weights = shard.layer(Kind::self, 0, 0);
    const Index t_count = weights.dim(1);
    if (t_count != weights.dim(2) || t_count < 2) return ModelTraits::Kind::encoder_only;
    for (Index h = 0; h < weights.dim(0); ++h)
      for (Index q = 0; q < t_count; ++q)
        for (Index k = q + 1; k < t_count; ++k)
          if (weights[(h * t_count + q) * t_count + k] != 0) return ModelTraits::Kind::encoder_only;
    return ModelTraits::Kind::decoder_only;
  }

  std::pair<std::shared_ptr<const Shard>, std::uint64_t> at(Index text) const {
    if (text < 0 || text >= count())
      throw UsageError("there is no text " + std::to_string(text) + ": expected a number from 0 to " +
                       std::to_string(count() - 1));
    const auto behind = std::upper_bound(shards_.begin(), shards_.end(), text,
                                         [](Index t, const Place& place) { return t < place.first; });
    const Place& place = *std::prev(behind);
    const std::lock_guard lock(mutex_);
    // The numbers of one shard are kept, not those of all.
    if (open_ != &place) open_shard_ = std::make_shared<const Shard>(place.path);
    open_ = &place;
    return {open_shard_, static_cast<std::uint64_t>(text - place.first)};
  }

  static std::vector<std::string> checked(const Shard& shard, std::vector<std::string> tokens, std::uint64_t count,
                                          const char* what) {
    if (tokens.empty())
      for (std::uint64_t i = 0; i < count; ++i) tokens.push_back(std::to_string(i));
    if (tokens.size() != count)
      fail(shard.where(), std::string(what) + ": expected " + std::to_string(count) +
                              " tokens, as many as the attention is of, found " + std::to_string(tokens.size()));
    return readable_tokens(tokens);
  }

  Tokens read_tokens(const Shard& shard, std::uint64_t text) const {
    Tokens tokens;
    const auto count = [&](Kind kind, bool keys) -> std::uint64_t {
      const auto found = shard.maps.find(kind);
      return found == shard.maps.end() ? 0 : keys ? found->second.keys : found->second.queries;
    };
    if (kind_ != ModelTraits::Kind::encoder_decoder) {
      const std::uint64_t length = count(Kind::self, true);
      tokens.source = checked(shard, shard.tokens({"tokens", "encoder_tokens"}, text), length, "tokens");
      keep(shard, "attention_mask", text, tokens.source);
      return tokens;
    }
    const std::uint64_t read = std::max(count(Kind::encoder, true), count(Kind::cross, true)),
                        written = std::max(count(Kind::decoder, true), count(Kind::cross, false));
    tokens.source =
        checked(shard, shard.tokens({"encoder_tokens", "source_tokens", "tokens"}, text), read, "encoder_tokens");
    tokens.target = checked(shard, shard.tokens({"decoder_tokens", "target_tokens"}, text), written, "decoder_tokens");
    keep(shard, "attention_mask", text, tokens.source);
    keep(shard, "decoder_attention_mask", text, tokens.target);
    return tokens;
  }

  // Only padding at the end is left out: the places of the others stay.
  static void keep(const Shard& shard, const char* name, std::uint64_t text, std::vector<std::string>& tokens) {
    const std::vector<Scalar> mask = shard.numbers(name, text);
    if (mask.empty()) return;
    if (mask.size() != tokens.size())
      fail(shard.where(), std::string(name) + ": expected " + std::to_string(tokens.size()) +
                              " numbers, one for each token, found " + std::to_string(mask.size()));
    std::size_t count = tokens.size();
    while (count > 1 && mask[count - 1] == 0) --count;
    tokens.resize(count);
  }

  std::vector<Place> shards_;
  std::uint64_t count_ = 0;
  ModelTraits::Kind kind_ = ModelTraits::Kind::encoder_only;
  mutable std::mutex mutex_;
  mutable const Place* open_ = nullptr;
  mutable std::shared_ptr<const Shard> open_shard_;
};

// [H x rows x columns] of the beginning of each map.
Tensor corner(const Tensor& maps, Index first_row, Index rows, Index columns) {
  Tensor part({maps.dim(0), rows, columns});
  for (Index h = 0; h < maps.dim(0); ++h)
    for (Index r = 0; r < rows; ++r)
      std::copy_n(maps.data() + (h * maps.dim(1) + first_row + r) * maps.dim(2), columns,
                  part.data() + (h * rows + r) * columns);
  return part;
}

std::optional<Index> number_in(const std::string& text) {
  Index number = 0;
  const std::size_t begin = text.find_first_not_of(" #"), end = text.find_last_not_of(' ');
  if (begin == text.npos) return {};
  const char *from = text.data() + begin, *to = text.data() + end + 1;
  const auto [after, error] = std::from_chars(from, to, number);
  return error == std::errc() && after == to ? std::optional(number) : std::nullopt;
}

Result Captured::run(const Request& request) const {
  const double start = run_clock.load()();
  const auto wanted = number_in(request.source);
  if (!wanted)
    throw UsageError("stored attention: expected the number of a text, from 0 to " + std::to_string(count() - 1) +
                     ", found '" + request.source.substr(0, 60) + "'");
  if (request.target) throw UsageError("stored attention: there is no model that could score another output");
  if (!request.interventions.empty()) throw UsageError("stored attention: there is nothing that an edit could change");
  const auto here = at(*wanted);
  const std::shared_ptr<const Shard>& shard = here.first;
  const std::uint64_t text = here.second;
  const Tokens tokens = read_tokens(*shard, text);
  const std::optional<Index> second = second_sentence(*wanted);
  Result result;
  result.id = request.id;
  result.model = request.model;
  result.inputs() = request.inputs();
  for (std::size_t i = 0; i < tokens.source.size(); ++i) {
    result.tokens.push_back({tokens.source[i], 0, 0, static_cast<TokenId>(i)});
    if (second && static_cast<Index>(i) >= *second) result.tokens.back().sentence = result.tokens.back().type = 1;
    result.position_of_token.push_back(static_cast<int>(i));
    result.token_of_position.push_back(static_cast<int>(i));
  }
  const auto source_count = static_cast<Index>(tokens.source.size()), steps = static_cast<Index>(tokens.target.size());
  if (kind_ == ModelTraits::Kind::decoder_only) result.prompt = static_cast<int>(source_count);
  for (std::size_t t = 0; t < tokens.target.size(); ++t) {
    OutputStep step;
    step.id = static_cast<TokenId>(t);
    step.text = t + 1 < tokens.target.size() ? tokens.target[t + 1] : std::string("?");
    step.probability = std::nan("");
    result.steps.push_back(std::move(step));
    result.fed.push_back(tokens.target[t]);
    if (t > 0) result.output += tokens.target[t];
  }
  Recorder recorder(Capture{request.capture.sites, false}, {}, request.cancel);
  const Tap tap = recorder.tap();
  const auto each_layer = [&](Kind kind, const auto& take) {
    const auto found = shard->maps.find(kind);
    if (found == shard->maps.end()) return;
    for (std::uint64_t l = 0; l < found->second.layers; ++l) {
      request.cancel.check();
      take(static_cast<Index>(l), shard->layer(kind, text, l));
    }
  };
  const SitePath encoder("encoder"), decoder("decoder");
  const auto whole = [&](const SitePath& side, Index layer, const Tensor& maps) {
    const SitePath place(side, "layer", layer), attention(place, "self_attn");
    tap(attention, "head.weights", corner(maps, 0, source_count, source_count));
  };
  const bool causal = kind_ == ModelTraits::Kind::decoder_only;
  each_layer(Kind::self, [&](Index l, const Tensor& maps) { whole(causal ? decoder : encoder, l, maps); });
  each_layer(Kind::encoder, [&](Index l, const Tensor& maps) { whole(encoder, l, maps); });
  const auto by_step = [&](const char* attention, const auto& keys) {
    return [&, attention, keys](Index l, const Tensor& maps) {
      for (Index t = 0; t < steps; ++t) {
        const SitePath step(decoder, "step", t), place(step, "layer", l), of(place, attention);
        tap(of, "head.weights", corner(maps, t, 1, keys(t)));
      }
    };
  };
  each_layer(Kind::decoder, by_step("self_attn", [](Index t) { return t + 1; }));
  each_layer(Kind::cross, by_step("cross_attn", [source_count](Index) { return source_count; }));
  result.captured = request.capture.sites;
  if (request.trace) result.trace = recorder.finish({});
  result.seconds = run_clock.load()() - start;
  return result;
}

// The shape of the model that the attention is of.
class CapturedModel : public Model {
 public:
  explicit CapturedModel(const Json& config) : Model(config) {}
  std::unique_ptr<Decoding> begin(const Source&, const Pass&) const override { throw UsageError(kWhyNot); }
};

Json config_of(const Captured& captured) {
  Json settings;
  const auto of = [&](Kind kind) -> const Maps* {
    const auto found = captured.first().maps.find(kind);
    return found == captured.first().maps.end() ? nullptr : &found->second;
  };
  const Maps& any = captured.first().maps.begin()->second;
  settings["heads"] = any.heads;
  settings["model_size"] = any.heads * 2;
  settings["ff_size"] = 1;
  settings["source_vocabulary_size"] = settings["target_vocabulary_size"] = 1;
  settings["positions"] = "none";
  if (captured.kind() == ModelTraits::Kind::encoder_decoder) {
    settings["model_type"] = "transformer";
    const Maps* read = of(Kind::encoder);
    const Maps* written = of(Kind::decoder) ? of(Kind::decoder) : of(Kind::cross);
    settings["encoder_layers"] = read ? read->layers : 1;
    settings["decoder_layers"] = written ? written->layers : 1;
  } else {
    const bool causal = captured.kind() == ModelTraits::Kind::decoder_only;
    settings["model_type"] = causal ? "decoder_only" : "encoder_only";
    settings[causal ? "decoder_layers" : "encoder_layers"] = any.layers;
  }
  return make_model(settings, {InitialValues::Kind::none})->config();
}

// The number of a text stands for its tokens.
class CapturedTexts : public OtherTokenizer {
 public:
  explicit CapturedTexts(std::shared_ptr<const Captured> captured) : captured_(std::move(captured)) {}
  std::vector<TextToken> split(std::string_view text) const override {
    std::vector<TextToken> tokens;
    const auto number = number_in(std::string(text));
    if (!number || *number < 0 || *number >= captured_->count()) {
      if (!text.empty()) tokens.push_back({std::string(text), 0, text.size(), std::nullopt, false, true});
      return tokens;
    }
    for (const std::string& token : captured_->tokens(*number).source)
      tokens.push_back({token, 0, 0, static_cast<TokenId>(tokens.size())});
    return tokens;
  }
  std::string join(const std::vector<TokenId>&) const override { return {}; }

 private:
  std::shared_ptr<const Captured> captured_;
};

bool recognise(const fs::path& path) {
  try {
    const std::string ending = path.extension().string();
    if (ending != ".npz" && ending != ".npy" && ending != ".safetensors" && ending != ".pt" && ending != ".pth" &&
        ending != ".pkl" && ending != ".pickle")
      return false;
    const Shard shard(path);
    if (shard.maps.empty()) return false;
    if (!shard.says_little()) return true;
    // Names such as "0" and a bare array: rows of attention add up to 1.
    const Tensor weights = shard.layer(Kind::self, 0, 0);
    Scalar sum = 0;
    for (Index k = 0; k < weights.dim(2); ++k) {
      if (!(weights[k] >= 0 && weights[k] <= Scalar(1.001))) return false;
      sum += weights[k];
    }
    return std::abs(sum - 1) < Scalar(0.02);
  } catch (const Error&) {
    return false;
  }
}

Contents contents(const fs::path& path) {
  const std::string ending = path.extension().string();
  const auto file = ending == ".npz"           ? open_npz(path)
                    : ending == ".npy"         ? open_npy(path)
                    : ending == ".safetensors" ? open_safetensors(path)
                                               : open_torch(path);
  return {file, false, kWhyNot, {}};
}

std::shared_ptr<const ModelBundle> open(const fs::path& path, const Opening& opening) {
  const auto captured = std::make_shared<const Captured>(path, opening);
  auto bundle = std::make_shared<ModelBundle>();
  bundle->folder = path;
  bundle->name = escaped_line(last_part(path));
  bundle->title = bundle->name;
  bundle->stored = captured;
  bundle->model = std::make_shared<const CapturedModel>(config_of(*captured));
  const auto texts = std::make_shared<const CapturedTexts>(captured);
  bundle->text.source = Tokenizer(texts, Vocabulary::shown({"?"}));
  bundle->text.target = Tokenizer(texts, Vocabulary::shown({"?"}));
  bundle->text.writes = captured->kind() == ModelTraits::Kind::encoder_decoder;
  const Maps& any = captured->first().maps.begin()->second;
  bundle->description = "stored attention of " + std::to_string(captured->count()) +
                        (captured->count() == 1 ? " text" : " texts") + ": " + std::to_string(any.layers) +
                        " layers, " + std::to_string(any.heads) + " heads; the text is its number, from 0";
  if (const auto second = captured->second_sentence(0))
    bundle->description += "; the second sentence begins at token " + std::to_string(*second);
  for (Index i = 0; i < std::min(captured->count(), kMostListed); ++i) bundle->examples.push_back(std::to_string(i));
  return bundle;
}

ModelDescription describe(const fs::path& path) {
  auto bundle = std::make_shared<ModelBundle>(*open(path, {}));
  const ModelTraits traits = bundle->model->traits();
  bundle->model = nullptr;
  return {std::move(bundle), traits};
}
ModelCard card(const fs::path&) { return {}; }
std::vector<fs::path> files(const fs::path& path) {
  std::vector<fs::path> all{path};
  if (const auto shards = shard_name(path)) {
    all.clear();
    for (std::uint64_t i = 0; i < shards->count; ++i) all.push_back(path.parent_path() / shards->file(i));
  }
  return all;
}

// Whether the letters of a name say that it is attention.
bool speaks_of_attention(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name.find("att") != name.npos && !name.ends_with("weight") && !name.ends_with("bias");
}

}  // namespace

std::string why_no_attention(const TensorFile& file) {
  try {
    if (!maps_of(file, "").empty()) return {};
  } catch (const FormatError& error) {
    return std::string(error.what()).substr(2);  // without the place, which is empty
  }
  for (const TensorEntry& entry : file.tensors()) {
    const auto name = named(entry.name);
    if (!name || entry.name.find_first_not_of("0123456789") == entry.name.npos) continue;
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

Format captured_format() {
  return {"captured",
          "stored attention",
          "an array of attention with its tokens",
          false,
          true,
          "*.npz *.npy *.safetensors *.pt *.pth *.pkl *.pickle",
          recognise,
          contents,
          open,
          describe,
          card,
          files};
}

}  // namespace headlight
