#include "model/io/formats/families/split_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "model/core/errors.h"

namespace headlight::families {

namespace {

constexpr std::uint64_t kMostParts = 4096;
constexpr std::size_t kBlockBytes = 16, kBlockValues = 32;

// A scale 2^(e − 127), then sixteen bytes of two numbers each, the first in the low half.
void widen_mxfp4(const unsigned char* from, std::size_t blocks, float* to) {
  constexpr float kNumbers[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6, -0.0f, -0.5f, -1, -1.5f, -2, -3, -4, -6};
  for (std::size_t b = 0; b < blocks; ++b, from += kBlockBytes + 1, to += kBlockValues) {
    const float scale = std::ldexp(1.0f, from[0] - 127);
    for (std::size_t i = 0; i < kBlockBytes; ++i) {
      to[2 * i] = kNumbers[from[1 + i] & 15] * scale;
      to[2 * i + 1] = kNumbers[from[1 + i] >> 4] * scale;
    }
  }
}

class SplitFile : public TensorFile {
 public:
  SplitFile(const TensorFile& file, const std::vector<std::string>& tails, const std::string& where);
  bool has_parts() const { return has_parts_; }

  std::string bytes(std::size_t i) const override {
    const Place& place = places_[i];
    if (place.whole) return file_.bytes(place.of);
    if (place.scales) return widened(i);
    std::string all(tensors_[i].bytes, '\0');
    file_.read(place.of, place.part * all.size(), all.data(), all.size());
    return all;
  }
  void read(std::size_t i, std::uint64_t offset, void* to, std::size_t count) const override {
    if (places_[i].scales) return TensorFile::read(i, offset, to, count);
    file_.read(places_[i].of, (places_[i].whole ? 0 : places_[i].part * tensors_[i].bytes) + offset, to, count);
  }
  bool reads_parts(std::size_t i) const override { return !places_[i].scales && file_.reads_parts(places_[i].of); }
  Stored stored(std::size_t i) const override {
    const Place& place = places_[i];
    if (place.scales) return {"MXFP4", number_count(tensors_[i].shape) / kBlockValues * (kBlockBytes + 1)};
    const Stored stored = file_.stored(place.of);
    return place.whole ? stored : Stored{stored.type, stored.bytes / file_.tensors()[place.of].shape[0]};
  }
  std::optional<BlockForm> block_form(std::size_t i) const override {
    if (places_[i].scales) return BlockForm{kBlockValues, kBlockBytes + 1, widen_mxfp4};
    return file_.block_form(places_[i].of);
  }
  void read_row(std::size_t i, std::uint64_t row, void* to) const override;

 private:
  struct Place {
    std::size_t of = 0;  // in the file
    bool whole = true;
    std::uint64_t part = 0;
    std::optional<std::size_t> scales{};
  };
  void add_parts(std::size_t i);
  void add_quantised(std::size_t i, std::size_t scales, const std::string& where);
  std::string widened(std::size_t i) const;

  const TensorFile& file_;
  std::vector<Place> places_;
  bool has_parts_ = false;
};

SplitFile::SplitFile(const TensorFile& file, const std::vector<std::string>& tails, const std::string& where)
    : file_(file) {
  constexpr std::string_view kBlocks = "_blocks", kScales = "_scales";
  std::unordered_map<std::string, std::size_t> by_name;
  for (std::size_t i = 0; i < file.tensors().size(); ++i) by_name.emplace(file.tensors()[i].name, i);
  const auto beside = [&](std::string name, std::string_view end, std::string_view other) {
    return by_name.find(name.replace(name.size() - end.size(), end.size(), other));
  };
  const auto is_split = [&](const std::string& name) {
    return std::ranges::any_of(tails, [&](const std::string& tail) { return name.ends_with(tail); });
  };
  for (std::size_t i = 0; i < file.tensors().size(); ++i) {
    const TensorEntry& entry = file.tensors()[i];
    const bool named = is_split(entry.name), scales = entry.name.ends_with(kScales) && entry.dtype == "U8";
    if (scales) {
      const auto blocks = beside(entry.name, kScales, kBlocks);
      if (blocks != by_name.end() && is_split(blocks->first)) continue;  // read with them
    }
    if (named && entry.dtype == "U8" && entry.name.ends_with(kBlocks)) {
      const auto found = beside(entry.name, kBlocks, kScales);
      if (found == by_name.end())
        throw FormatError(where + ": the tensor \"" + entry.name + "\" has no \"_scales\" beside it");
      add_quantised(i, found->second, where);
    } else if (named && entry.shape.size() >= 2 && entry.shape[0] > 0 && entry.shape[0] <= kMostParts) {
      add_parts(i);
    } else {
      tensors_.push_back(entry);
      places_.push_back({i});
    }
  }
}

void SplitFile::add_parts(std::size_t i) {
  const TensorEntry& entry = file_.tensors()[i];
  has_parts_ = true;
  for (std::uint64_t part = 0; part < entry.shape[0]; ++part) {
    tensors_.push_back({entry.name + "[" + std::to_string(part) + "]",
                        entry.dtype,
                        {entry.shape.begin() + 1, entry.shape.end()},
                        entry.bytes / entry.shape[0]});
    places_.push_back({i, false, part});
  }
}

void SplitFile::add_quantised(std::size_t i, std::size_t scales, const std::string& where) {
  const TensorEntry &blocks = file_.tensors()[i], &powers = file_.tensors()[scales];
  std::vector<std::uint64_t> expected = blocks.shape;
  const bool usable = blocks.shape.size() == 4 && blocks.shape[3] == kBlockBytes && number_count(blocks.shape) > 0 &&
                      blocks.shape[0] <= kMostParts;
  if (usable) expected.pop_back();
  if (!usable || powers.dtype != "U8" || powers.shape != expected)
    throw FormatError(where + ": tensor \"" + blocks.name + "\": expected [experts x rows x blocks x 16] of type U8 " +
                      "with [experts x rows x blocks] beside it, found " + shape_text(blocks.shape) + " and " +
                      powers.dtype + " " + shape_text(powers.shape));
  has_parts_ = true;
  const std::uint64_t rows = blocks.shape[1], columns = blocks.shape[2] * kBlockValues;
  for (std::uint64_t part = 0; part < blocks.shape[0]; ++part) {
    tensors_.push_back(
        {blocks.name + "[" + std::to_string(part) + "]", "F32", {rows, columns}, rows * columns * sizeof(float)});
    places_.push_back({i, false, part, scales});
  }
}

void SplitFile::read_row(std::size_t i, std::uint64_t row, void* to) const {
  const Place& place = places_[i];
  if (!place.scales) return file_.read_row(place.of, place.part * tensors_[i].shape[0] + row, to);
  const std::uint64_t rows = tensors_[i].shape[0], count = tensors_[i].shape[1] / kBlockValues;
  const std::uint64_t first = (place.part * rows + row) * count;
  std::string scales(count, '\0'), blocks(count * kBlockBytes, '\0');
  file_.read(*place.scales, first, scales.data(), scales.size());
  file_.read(place.of, first * kBlockBytes, blocks.data(), blocks.size());
  auto* out = static_cast<char*>(to);
  for (std::uint64_t b = 0; b < count; ++b, out += kBlockBytes + 1) {
    out[0] = scales[b];
    std::memcpy(out + 1, blocks.data() + b * kBlockBytes, kBlockBytes);
  }
}

std::string SplitFile::widened(std::size_t i) const {
  const std::uint64_t rows = tensors_[i].shape[0], columns = tensors_[i].shape[1], count = columns / kBlockValues;
  std::string all(tensors_[i].bytes, '\0');
  std::vector<unsigned char> row(count * (kBlockBytes + 1));
  std::vector<float> wide(columns);
  for (std::uint64_t r = 0; r < rows; ++r) {
    read_row(i, r, row.data());
    widen_mxfp4(row.data(), count, wide.data());
    std::memcpy(all.data() + r * columns * sizeof(float), wide.data(), columns * sizeof(float));
  }
  return all;
}

}  // namespace

std::shared_ptr<const TensorFile> split_by_experts(const TensorFile& file, const Family& family,
                                                   const std::string& where) {
  constexpr std::string_view kEach = "[@]";
  std::vector<std::string> tails;
  for (const Name& name : family.names.all)
    if (name.theirs.ends_with(kEach)) {
      const std::string whole = name.theirs.substr(0, name.theirs.size() - kEach.size());
      tails.push_back(whole.substr(whole.rfind('#') + 1));
    }
  if (tails.empty()) return nullptr;
  auto split = std::make_shared<SplitFile>(file, tails, where);
  return split->has_parts() ? split : nullptr;
}

}  // namespace headlight::families
