#include "model/io/formats/adapters/adapter.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "model/core/errors.h"
#include "model/core/numbers.h"
#include "model/io/file.h"
#include "model/io/formats/weight_files.h"
#include "model/io/tensor_values.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kOver = " + ", kTimes = " * ";

// The best first, as the library chooses.
constexpr const char* kAdapterWeights[] = {"adapter_model.safetensors", "adapter_model.bin"};

fs::path weights_in(const fs::path& folder) {
  for (const char* name : kAdapterWeights)
    if (is_there(folder / name)) return folder / name;
  throw FileError(folder.string() + ": there are no weights: expected " + kAdapterWeights[0] + " or " +
                  kAdapterWeights[1]);
}

std::vector<std::string> words_of(const std::string& key) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= key.size();) {
    const std::size_t end = std::min(key.find('.', at), key.size());
    words.push_back(key.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::string joined_words(const std::vector<std::string>& words, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ".") + words[i];
  return text;
}

// What a key is: a part of a pair, a whole tensor, or nothing that numbers depend on.
struct Key {
  enum class Kind { a, b, bias, magnitude, whole, other, unknown } kind = Kind::other;
  bool embedding = false, copy = false;
  std::string name;     // of the module, or of the whole tensor
  std::string adapter;  // "default", where the key says it
};

Key::Kind kind_of(const std::string& word, bool& embedding) {
  using Kind = Key::Kind;
  static const std::map<std::string, std::pair<Kind, bool>> kinds = {
      {"lora_A", {Kind::a, false}},
      {"lora_B", {Kind::b, false}},
      {"lora_embedding_A", {Kind::a, true}},
      {"lora_embedding_B", {Kind::b, true}},
      {"lora_magnitude_vector", {Kind::magnitude, false}}};
  const auto found = kinds.find(word);
  if (found == kinds.end()) return Kind::unknown;
  embedding = found->second.second;
  return found->second.first;
}

Key read_key(std::string key) {
  constexpr std::string_view kFront = "base_model.model.";
  if (key.starts_with(kFront)) key.erase(0, kFront.size());
  std::vector<std::string> words = words_of(key);
  Key read;
  const auto part = std::ranges::find_if(words, [](const std::string& word) { return word.starts_with("lora_"); });
  if (part != words.end()) {
    read.kind = kind_of(*part, read.embedding);
    read.name = joined_words(words, static_cast<std::size_t>(part - words.begin()));
    std::vector<std::string> behind(part + 1, words.end());
    if (!behind.empty() && (behind.back() == "weight" || behind.back() == "bias")) {
      if (behind.back() == "bias") read.kind = read.kind == Key::Kind::b ? Key::Kind::bias : Key::Kind::unknown;
      behind.pop_back();
    }
    if (behind.size() > 1) read.kind = Key::Kind::unknown;
    if (!behind.empty()) read.adapter = behind.front();
    return read;
  }
  if (words.back() != "weight" && words.back() != "bias") return read;
  read.kind = Key::Kind::whole;
  if (const auto copy = std::ranges::find(words, "modules_to_save"); copy != words.end()) {
    read.copy = true;
    const auto behind = words.erase(copy);
    if (behind + 1 != words.end() && words.end() - behind == 2) {
      read.adapter = *behind;
      words.erase(behind);
    }
  }
  std::erase(words, "base_layer");
  read.name = joined_words(words, words.size());
  return read;
}

}  // namespace

std::string over_base(const std::string& base, const std::string& adapter, double strength) {
  fs::path folder = fs::absolute(adapter).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  std::error_code none;
  if (fs::is_regular_file(folder, none)) folder = folder.parent_path();
  std::string share;
  if (strength != 1) {
    char number[32] = {};
    share = std::string(number, std::to_chars(number, number + sizeof(number), strength).ptr).append(kTimes);
  }
  return base + std::string(kOver) + share + folder.string();
}

std::optional<AdaptedPlace> adapted_place(const fs::path& path) {
  const std::string& text = path.native();
  for (std::size_t at = text.rfind(kOver); at != text.npos && at > 0; at = text.rfind(kOver, at - 1)) {
    AdaptedPlace place{text.substr(0, at), {}, 1};
    std::string_view behind = std::string_view(text).substr(at + kOver.size());
    const char* last = behind.data() + behind.size();
    const auto [end, problem] = parse_number(behind.data(), last, place.strength);
    if (problem == std::errc() && std::string_view(end, last).starts_with(kTimes))
      behind = std::string_view(end + kTimes.size(), last);
    else
      place.strength = 1;
    if (!behind.starts_with('/')) continue;
    if (is_there(path)) return {};
    place.adapter = behind;
    return place;
  }
  return {};
}

fs::path base_of(const fs::path& path) {
  const auto place = adapted_place(path);
  return place ? place->base : path;
}

Adapter::Adapter(const fs::path& folder) : folder_(folder), config_(folder) {
  const fs::path weights = weights_in(folder);
  where_ = weights.string();
  file_ = weights.extension() == ".safetensors" ? open_safetensors(weights) : open_weight_file(weights);
  sort_tensors();
  for (Pair& pair : pairs_) check_pair(pair);
  if (pairs_.empty() && wholes_.empty()) throw FormatError(where_ + ": there is no tensor of an adapter in it");
}

void Adapter::fail(std::size_t tensor, const std::string& what) const {
  throw FormatError(where_ + ": " + quoted(tensor) + ": " + what);
}

void Adapter::sort_tensors() {
  struct Found {
    std::optional<std::size_t> a, b, bias, magnitude;
    bool embedding = false;
  };
  std::map<std::string, Found> modules;
  std::map<std::string, std::size_t> wholes;
  std::string adapter;
  for (std::size_t i = 0; i < file_->tensors().size(); ++i) {
    const Key key = read_key(file_->tensors()[i].name);
    if (key.kind == Key::Kind::other) continue;
    if (key.kind == Key::Kind::unknown) fail(i, "it is of a part of an adapter that is not known");
    if (!key.adapter.empty() && !adapter.empty() && key.adapter != adapter)
      fail(i,
           "it is of the adapter \"" + key.adapter + "\", others are of \"" + adapter + "\": save one of them alone");
    if (!key.adapter.empty()) adapter = key.adapter;
    if (!has_fractions(file_->tensors()[i]))
      fail(i, "expected numbers of type F16, BF16, F32 or F64, found " + file_->tensors()[i].dtype);
    if (key.kind == Key::Kind::whole) {
      if (!wholes.emplace(key.name, i).second) fail(i, "it is there twice, as " + quoted(wholes[key.name]) + " too");
      wholes_.push_back({key.name, i, key.copy || config_.is_copy(key.name)});
      continue;
    }
    Found& found = modules[key.name];
    std::optional<std::size_t>& place = key.kind == Key::Kind::a      ? found.a
                                        : key.kind == Key::Kind::b    ? found.b
                                        : key.kind == Key::Kind::bias ? found.bias
                                                                      : found.magnitude;
    if (place) fail(i, "it is there twice, as " + quoted(*place) + " too");
    place = i;
    found.embedding = found.embedding || key.embedding;
  }
  for (const auto& [module, found] : modules) {
    const std::size_t one = found.a ? *found.a : found.b ? *found.b : found.bias ? *found.bias : *found.magnitude;
    if (!found.a || !found.b)
      fail(one, std::string("half a pair: there is no ") + (found.a ? "lora_B" : "lora_A") + " beside it");
    if (found.magnitude.has_value() != config_.uses_dora())
      fail(one, found.magnitude ? "it has a lora_magnitude_vector, which use_dora of adapter_config.json does not say"
                                : "there is no lora_magnitude_vector beside it, which use_dora asks for");
    pairs_.push_back({module, *found.a, *found.b, found.bias, found.magnitude, found.embedding});
  }
}

void Adapter::check_pair(Pair& pair) const {
  constexpr std::uint64_t kMostSide = 1u << 30;
  const auto matrix = [&](std::size_t i) {
    const std::vector<std::uint64_t>& shape = file_->tensors()[i].shape;
    if (shape.size() != 2 || shape[0] == 0 || shape[1] == 0 || shape[0] > kMostSide || shape[1] > kMostSide)
      fail(i, "expected a matrix, found " + shape_text(shape));
    return std::pair(static_cast<Index>(shape[0]), static_cast<Index>(shape[1]));
  };
  std::tie(pair.rank, pair.in) = matrix(pair.a);
  const auto [out, rank] = matrix(pair.b);
  pair.out = out;
  if (rank != pair.rank)
    fail(pair.b, "expected " + std::to_string(pair.rank) + " columns, as many as " + quoted(pair.a) +
                     " has rows, found " + shape_text(file_->tensors()[pair.b].shape));
  const double said = config_.rank_of(pair.module);
  if (said != static_cast<double>(pair.rank))
    fail(pair.a, "expected " + std::to_string(static_cast<long>(said)) +
                     " rows, the rank of adapter_config.json, found " + shape_text(file_->tensors()[pair.a].shape));
  for (const std::optional<std::size_t>& vector : {pair.bias, pair.magnitude})
    if (vector && file_->tensors()[*vector].count() != static_cast<std::uint64_t>(out))
      fail(*vector,
           "expected " + std::to_string(out) + " numbers, found " + shape_text(file_->tensors()[*vector].shape));
  pair.scale = config_.scale_of(pair.module, pair.rank);
}

Tensor Adapter::numbers(std::size_t tensor) const { return numbers_of(*file_, tensor, where_); }

Matrix Adapter::product(const Pair& pair, bool turned) const {
  const Tensor a = numbers(pair.a), b = numbers(pair.b);
  const auto scale = static_cast<Scalar>(pair.scale);
  Matrix product;
  if (turned)
    product.noalias() = a.matrix().transpose() * (scale * b.matrix().transpose());
  else
    product.noalias() = (scale * b.matrix()) * a.matrix();
  return product;
}

std::vector<fs::path> Adapter::files(const fs::path& folder) { return {folder / kAdapterConfig, weights_in(folder)}; }

}  // namespace headlight
