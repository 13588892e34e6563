#include "model/io/formats/gguf/gguf_file.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "model/core/ascii.h"
#include "model/core/slices.h"
#include "model/io/formats/gguf/gguf_front.h"
#include "model/io/text_file.h"
#include "model/text/utf8.h"

namespace headlight {

namespace fs = std::filesystem;
using gguf::BlockType, gguf::Front, gguf::kArray, gguf::kLongestText, gguf::value_type;

namespace {

constexpr std::uint64_t kMostKeys = 1u << 16, kMostTensors = 1u << 18, kMostParts = 4096;
constexpr std::uint64_t kLongestName = 1024;
std::string bytes_as_text(std::string_view bytes) {
  std::string shown;
  for (const char c : bytes) shown += c >= ' ' && c < '\x7f' ? c : '?';
  return shown;
}

// NAME-00002-of-00003.gguf: what all parts have in front, and how many there are.
struct PartName {
  std::string front;
  std::uint64_t count = 0;
};
std::optional<PartName> part_name(const fs::path& path) {
  const std::string stem = path.stem().string();
  constexpr std::size_t kBehind = 15;  // "-00002-of-00003"
  if (lower_ascii(path.extension().string()) != ".gguf" || stem.size() <= kBehind) return {};
  const std::string end = stem.substr(stem.size() - kBehind);
  const auto digits = [&](std::size_t from) {
    return std::all_of(end.begin() + static_cast<std::ptrdiff_t>(from),
                       end.begin() + static_cast<std::ptrdiff_t>(from) + 5,
                       [](char c) { return c >= '0' && c <= '9'; });
  };
  if (end[0] != '-' || !digits(1) || end.substr(6, 4) != "-of-" || !digits(10)) return {};
  return PartName{stem.substr(0, stem.size() - kBehind), std::stoull(end.substr(10))};
}
fs::path part_path(const fs::path& any, const PartName& name, std::uint64_t number) {
  const auto five = [](std::uint64_t n) {
    const std::string digits = std::to_string(n);
    return std::string(5 - std::min<std::size_t>(5, digits.size()), '0') + digits;
  };
  return any.parent_path() / (name.front + "-" + five(number) + "-of-" + five(name.count) + any.extension().string());
}

}  // namespace

GgufFile::GgufFile(const fs::path& path) : where_(path.string()) {
  const auto name = part_name(path);
  if (!name || name->count < 2) {
    read_front(path, true);
  } else {
    if (name->count > kMostParts)
      throw FormatError(where_ + ": expected at most " + std::to_string(kMostParts) + " parts, found " +
                        std::to_string(name->count));
    for (std::uint64_t i = 1; i <= name->count; ++i)
      if (const fs::path part = part_path(path, *name, i); !is_there(part))
        throw FileError(where_ + ": it is one of " + std::to_string(name->count) + " parts, and " +
                        part.filename().string() + " is missing");
    for (std::uint64_t i = 1; i <= name->count; ++i) read_front(part_path(path, *name, i), i == 1);
  }
  const auto parts = whole("split.count").value_or(1);
  if (parts > 1 && parts != parts_.size())
    fail("split.count", "it is one of " + std::to_string(parts) + " parts, found " + std::to_string(parts_.size()) +
                            ": expected files named NAME-00001-of-" + std::to_string(parts) + ".gguf");
  if (const auto total = whole("split.tensors.count"); parts > 1 && total && *total != places_.size())
    fail("split.tensors.count",
         "expected " + std::to_string(*total) + " tensors in all parts, found " + std::to_string(places_.size()));
  show_values();
}

void GgufFile::read_front(const fs::path& path, bool first) {
  paths_.push_back(path);
  parts_.push_back(std::make_unique<FileReader>(path));
  Front front(*parts_.back(), 0);
  const std::string file = path.string();
  const std::string beginning = parts_.back()->beginning(512);
  if (!beginning.starts_with("GGUF")) {
    refuse_other_content(beginning, file);
    throw FormatError(file + ": expected a GGUF file, which begins with \"GGUF\", found \"" +
                      bytes_as_text(beginning.substr(0, 4)) + "\"");
  }
  front.number<std::uint32_t>("the header");
  const auto version = front.number<std::uint32_t>("the header");
  if ((version & 0xffff) == 0 && version != 0)
    throw FormatError(file + ": it is big-endian, the byte order of other machines, which is not read");
  if (version != 2 && version != 3)
    throw FormatError(file + ": expected version 2 or 3 of GGUF, found version " + std::to_string(version));
  const auto tensors = front.number<std::uint64_t>("the header"), keys = front.number<std::uint64_t>("the header");
  // What is announced has to be there: a key has at least 13 bytes, a tensor 24.
  if (keys > kMostKeys || keys > front.left() / 13)
    throw FormatError(file + ": its metadata has " + std::to_string(keys) + " keys, and the file " +
                      std::to_string(front.left()) + " more bytes");
  std::map<std::string, Value> found;
  std::vector<std::string> order;
  read_keys(front, keys, found, order);
  if (tensors > kMostTensors || tensors > front.left() / 24)
    throw FormatError(file + ": its list has " + std::to_string(tensors) + " tensors, and the file " +
                      std::to_string(front.left()) + " more bytes");
  if (first) {
    keys_ = found;
    order_ = std::move(order);
  }
  std::uint64_t alignment = 32;
  if (const auto given = found.find("general.alignment"); given != found.end()) {
    const Json said = json_of(*parts_.back(), given->second, 0, std::min<std::uint64_t>(1, given->second.count));
    alignment = given->second.type == 4 ? said[0].get<std::uint64_t>() : 0;
    if (!std::has_single_bit(alignment))
      throw FormatError(file + ": general.alignment: expected a power of two, found " +
                        (said.empty() ? said : said[0]).dump(-1, ' ', true).substr(0, 60));
  }
  if (parts_.size() > 1 || found.contains("split.count")) check_split(parts_.size() - 1, found);
  read_tensors(front, tensors, alignment);
}

// Each part says its number and how many there are.
void GgufFile::check_split(std::size_t part, const std::map<std::string, Value>& keys) const {
  const auto number = [&](const char* key) -> std::optional<std::uint64_t> {
    const auto found = keys.find(key);
    if (found == keys.end()) return {};
    const Json value = found->second.type == kArray ? Json() : json_of(*parts_.back(), found->second, 0, 1)[0];
    if (value.is_number_unsigned()) return value.get<std::uint64_t>();
    return value.is_number_integer() && value.get<std::int64_t>() >= 0
               ? std::optional(static_cast<std::uint64_t>(value.get<std::int64_t>()))
               : std::nullopt;
  };
  const auto said = number("split.no"), count = number("split.count"), all = whole("split.count");
  if (count.value_or(0) < 2 && part == 0) return;
  if (said != part || count != all)
    throw FormatError(paths_.back().string() + ": split.no, split.count: expected part " + std::to_string(part) +
                      " of " + std::to_string(all.value_or(0)) + ", found " +
                      (said ? std::to_string(*said) : "no number") + " of " +
                      (count ? std::to_string(*count) : "no number"));
}

void GgufFile::read_keys(Front& front, std::uint64_t count, std::map<std::string, Value>& keys,
                         std::vector<std::string>& order) const {
  const std::string file = paths_.back().string();
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::string number = "key " + std::to_string(k + 1) + " of " + std::to_string(count) + " of its metadata";
    const std::string key = valid_utf8(front.text(kLongestName, number)), what = "the metadata, key " + key;
    Value value;
    value.type = front.number<std::uint32_t>(what);
    const auto check_type = [&](std::uint32_t type) {
      if (!value_type(type))
        throw FormatError(file + ": " + key + ": the type " + std::to_string(type) + " of its value is not known");
    };
    check_type(value.type);
    value.element = value.type;
    if (value.type == kArray) {
      value.element = front.number<std::uint32_t>(what);
      check_type(value.element);
      value.count = front.number<std::uint64_t>(what);
      if (value.element == kArray) throw FormatError(file + ": " + key + ": arrays of arrays are not read");
    }
    value.offset = front.at();
    const std::size_t size = value_type(value.element)->size, least = size == 0 ? 8 : size;
    if (value.count > front.left() / least)
      throw FormatError(file + ": it ends within " + what + ": expected " + std::to_string(value.count) +
                        " values, and there are " + std::to_string(front.left()) + " more bytes");
    if (size > 0)
      front.skip(value.count * size);
    else
      for (std::uint64_t i = 0; i < value.count; ++i) front.skip_text(kLongestText, what);
    if (!keys.emplace(key, value).second) throw FormatError(file + ": " + key + ": the key is there twice");
    order.push_back(key);
  }
}

void GgufFile::read_tensors(Front& front, std::uint64_t count, std::uint64_t alignment) {
  const std::string file = paths_.back().string();
  struct Range {
    std::uint64_t begin, bytes;
    std::size_t tensor;
  };
  std::vector<Range> ranges;
  for (std::uint64_t t = 0; t < count; ++t) {
    const std::string number = "tensor " + std::to_string(t + 1) + " of " + std::to_string(count) + " of its list";
    TensorEntry entry;
    entry.name = valid_utf8(front.text(kLongestName, number));
    const std::string what = "tensor \"" + entry.name + "\"";
    const auto fail = [&](const std::string& said) { throw FormatError(file + ": " + what + ": " + said); };
    const auto rank = front.number<std::uint32_t>(what);
    if (rank > 4) fail("expected at most 4 dimensions, found " + std::to_string(rank));
    std::uint64_t values = 1;
    for (std::uint32_t d = 0; d < rank; ++d) {
      entry.shape.insert(entry.shape.begin(), front.number<std::uint64_t>(what));
      if (entry.shape.front() >> 48) fail("the dimension " + std::to_string(entry.shape.front()) + " is too large");
      if (__builtin_mul_overflow(values, entry.shape.front(), &values) || values >> 56)
        fail("the shape " + shape_text(entry.shape) + " is too large");
    }
    const auto type_number = front.number<std::uint32_t>(what);
    const auto offset = front.number<std::uint64_t>(what);
    if (!by_name_.emplace(entry.name, places_.size()).second) fail("it is in the list twice");
    const BlockType* type = gguf::block_type(type_number);
    if (!type) {
      unread_.emplace_back(entry.name, gguf::why_no_type(type_number));
      by_name_.erase(entry.name);
      continue;
    }
    const std::uint64_t row = rank == 0 ? 1 : entry.shape.back();
    if (row % type->values != 0)
      fail("its rows of " + std::to_string(row) + " are not whole blocks of " + std::to_string(type->values) +
           ", which the type " + type->name + " is made of");
    if (offset % alignment != 0)
      fail("its offset " + std::to_string(offset) + " is no multiple of the alignment " + std::to_string(alignment));
    entry.dtype = type->widen ? "F32" : type->name;
    const std::uint64_t bytes = values / type->values * type->bytes;
    entry.bytes = type->widen ? values * sizeof(float) : bytes;
    ranges.push_back({offset, bytes, places_.size()});
    places_.push_back({parts_.size() - 1, offset, type});
    tensors_.push_back(std::move(entry));
  }
  const std::uint64_t begin = (front.at() + alignment - 1) / alignment * alignment, size = parts_.back()->size();
  for (const Range& range : ranges) {
    std::uint64_t end = 0;
    if (__builtin_add_overflow(range.begin, begin, &end) || __builtin_add_overflow(end, range.bytes, &end) ||
        end > size)
      throw FormatError(file + ": tensor \"" + tensors_[range.tensor].name + "\": its offset " +
                        std::to_string(range.begin) + " and " + std::to_string(range.bytes) +
                        " bytes lie behind the end of the file, which has " + std::to_string(size));
    places_[range.tensor].offset = begin + range.begin;
  }
  std::erase_if(ranges, [](const Range& range) { return range.bytes == 0; });
  std::ranges::sort(ranges, {}, &Range::begin);
  for (std::size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i].begin < ranges[i - 1].begin + ranges[i - 1].bytes)
      throw FormatError(file + ": the tensors \"" + tensors_[ranges[i - 1].tensor].name + "\" and \"" +
                        tensors_[ranges[i].tensor].name + "\" overlap");
}

std::optional<std::size_t> GgufFile::find_tensor(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

TensorFile::Stored GgufFile::stored(std::size_t i) const {
  const BlockType& type = *places_[i].type;
  return {type.name, tensors_[i].count() / type.values * type.bytes};
}

std::optional<BlockForm> GgufFile::block_form(std::size_t i) const {
  const BlockType& type = *places_[i].type;
  if (!type.widen || tensors_[i].shape.size() < 2) return {};
  return BlockForm{type.values, type.bytes, type.widen, type.multiply};
}

void GgufFile::read_row(std::size_t i, std::uint64_t row, void* to) const {
  const Place& place = places_[i];
  const std::uint64_t size = tensors_[i].shape.back() / place.type->values * place.type->bytes;
  parts_[place.part]->read(place.offset + row * size, to, static_cast<std::size_t>(size));
}

std::string GgufFile::of_tables() const {
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (!places_[i].type->has_numbers())
      return "tensor \"" + tensors_[i].name + "\" is of type " + places_[i].type->name +
             ", whose values lie in tables that are not here";
  return unread_.empty() ? std::string() : "tensor \"" + unread_.front().first + "\" is of " + unread_.front().second;
}

std::string GgufFile::bytes(std::size_t i) const {
  std::string all(static_cast<std::size_t>(tensors_[i].bytes), '\0');
  read(i, 0, all.data(), all.size());
  return all;
}

void GgufFile::read(std::size_t i, std::uint64_t offset, void* to, std::size_t count) const {
  const Place& place = places_[i];
  const BlockType& type = *place.type;
  if (offset > tensors_[i].bytes || count > tensors_[i].bytes - offset)
    throw FormatError(where_ + ": tensor \"" + tensors_[i].name + "\": it ends early");
  if (!type.widen) return parts_[place.part]->read(place.offset + offset, to, count);
  // Whole blocks are widened into memory of ours, and what is asked for is copied out of it.
  constexpr std::uint64_t kNumbersAtOnce = 1u << 14;
  const std::uint64_t block = type.values * sizeof(float), at_once = kNumbersAtOnce / type.values;
  const WholeSlice whole;
  thread_local std::string raw;
  thread_local std::vector<float> wide;
  char* next = static_cast<char*>(to);
  while (count > 0) {
    const std::uint64_t first = offset / block, last = (offset + count + block - 1) / block,
                        blocks = std::min(last - first, at_once), within = offset - first * block;
    raw.resize(static_cast<std::size_t>(blocks * type.bytes));
    wide.resize(static_cast<std::size_t>(blocks * type.values));
    parts_[place.part]->read(place.offset + first * type.bytes, raw.data(), raw.size());
    type.widen(reinterpret_cast<const unsigned char*>(raw.data()), static_cast<std::size_t>(blocks), wide.data());
    const std::size_t here = std::min<std::size_t>(count, static_cast<std::size_t>(blocks * block - within));
    std::memcpy(next, reinterpret_cast<const char*>(wide.data()) + within, here);
    next += here;
    offset += here;
    count -= here;
  }
}

bool is_gguf(const fs::path& path) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return false;
  if (lower_ascii(path.extension().string()) == ".gguf") return true;
  try {
    return FileReader(path).beginning(4) == "GGUF";
  } catch (const Error&) {
    return false;
  }
}

}  // namespace headlight
