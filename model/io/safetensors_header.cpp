#include "model/io/safetensors_header.h"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_set>

#include "model/core/json.h"
#include "model/core/json_library.h"
#include "model/io/file.h"
#include "model/io/text_file.h"

namespace headlight {

namespace {

constexpr std::uint64_t kLargestDimension = std::uint64_t{1} << 48;
constexpr std::size_t kMaxEntries = 100'000, kMaxMetadata = 10'000;

struct Dtype {
  const char* name;
  int bits;
};
constexpr std::array kDtypes = {
    Dtype{"BOOL", 8},        Dtype{"U8", 8},          Dtype{"I8", 8},      Dtype{"I16", 16},    Dtype{"U16", 16},
    Dtype{"F16", 16},        Dtype{"BF16", 16},       Dtype{"I32", 32},    Dtype{"U32", 32},    Dtype{"F32", 32},
    Dtype{"F64", 64},        Dtype{"I64", 64},        Dtype{"U64", 64},    Dtype{"C64", 64},    Dtype{"F4", 4},
    Dtype{"F6_E2M3", 6},     Dtype{"F6_E3M2", 6},     Dtype{"F8_E5M2", 8}, Dtype{"F8_E4M3", 8}, Dtype{"F8_E8M0", 8},
    Dtype{"F8_E4M3FNUZ", 8}, Dtype{"F8_E5M2FNUZ", 8},
};

// Names come from the file and may hold anything: quoted, shortened, control characters escaped.
std::string in_quotes(const std::string& text) {
  constexpr std::size_t kLongest = 120;
  std::string shown = "\"";
  for (const char c : text.substr(0, kLongest)) {
    constexpr const char* kDigits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      shown += std::string("\\x") + kDigits[byte >> 4] + kDigits[byte & 15];
    else
      shown += c;
  }
  return shown + (text.size() > kLongest ? "…\"" : "\"");
}

// Takes the events of the JSON parser and accepts only what a header may hold. A tree of values would not do: it keeps
// the last of two equal keys, and that is how one file can mean two things to two readers.
class HeaderReader : public nlohmann::json_sax<Json> {
 public:
  explicit HeaderReader(std::string file) : file_(std::move(file)) {}
  SafetensorsHeader take() { return std::move(header_); }

  bool start_object(std::size_t) override {
    switch (at_) {
      case At::start:
        return go(At::top);
      case At::top_value:
        return go(key_ == "__metadata__" ? At::metadata : At::tensor, true);
      default:
        refuse("an object");
    }
  }
  bool end_object() override {
    if (at_ == At::top) return go(At::end);
    if (at_ == At::tensor) finish_tensor();
    return go(At::top);
  }
  bool start_array(std::size_t) override {
    if (at_ != At::tensor_value || field_ == "dtype") refuse("an array");
    return go(field_ == "shape" ? At::shape : At::offsets);
  }
  bool end_array() override { return go(At::tensor); }

  bool key(std::string& text) override {
    if (at_ == At::top) {
      if (!names_.insert(text).second) fail("the key " + in_quotes(text) + " is there twice");
      if (names_.size() > kMaxEntries) fail("expected at most " + std::to_string(kMaxEntries) + " tensors, found more");
      key_ = text;
      return go(At::top_value);
    }
    if (!fields_.insert(text).second)
      fail("in " + in_quotes(key_) + ": the key " + in_quotes(text) + " is there twice");
    if (at_ == At::tensor && text != "dtype" && text != "shape" && text != "data_offsets")
      bad("unknown key " + in_quotes(text));
    field_ = text;
    return go(at_ == At::metadata ? At::metadata_value : At::tensor_value);
  }
  bool string(std::string& text) override {
    if (at_ == At::metadata_value) {
      header_.metadata[field_] = text;
      if (header_.metadata.size() > kMaxMetadata)
        fail("__metadata__: expected at most " + std::to_string(kMaxMetadata) + " texts, found more");
      return go(At::metadata);
    }
    if (at_ != At::tensor_value || field_ != "dtype") refuse("a string");
    tensor_.dtype = text;
    return go(At::tensor);
  }
  bool number_unsigned(std::uint64_t number) override {
    if (at_ == At::shape) {
      if (number > kLargestDimension) bad("the dimension " + std::to_string(number) + " is larger than 2^48");
      tensor_.shape.push_back(number);
    } else if (at_ == At::offsets) {
      offsets_.push_back(number);
      if (offsets_.size() > 2) bad("data_offsets must have 2 numbers");
    } else {
      refuse("a number");
    }
    return true;
  }
  bool number_integer(std::int64_t number) override { refuse("the negative number " + std::to_string(number)); }
  bool number_float(double, const std::string& text) override { refuse("the number " + text.substr(0, 40)); }
  bool null() override { refuse("null"); }
  bool boolean(bool value) override { refuse(value ? "true" : "false"); }
  bool binary(Json::binary_t&) override { refuse("binary data"); }
  bool parse_error(std::size_t position, const std::string&, const Json::exception&) override {
    fail("the header is not valid JSON (byte " + std::to_string(position) + ")");
  }

 private:
  enum class At { start, top, top_value, metadata, metadata_value, tensor, tensor_value, shape, offsets, end };

  bool go(At at, bool fresh = false) {
    at_ = at;
    if (fresh) {
      fields_.clear();
      offsets_.clear();
      tensor_ = {};
      tensor_.name = key_;
    }
    return true;
  }
  [[noreturn]] void fail(const std::string& what) const { throw FormatError(file_ + ": " + what); }
  [[noreturn]] void bad(const std::string& what) const { fail("tensor " + in_quotes(key_) + ": " + what); }
  [[noreturn]] void refuse(const std::string& found) const {
    switch (at_) {
      case At::start:
      case At::end:
        fail("the header must be one JSON object, found " + found);
      case At::metadata_value:
        fail("__metadata__ may hold only strings: expected a string for " + in_quotes(field_) + ", found " + found);
      case At::shape:
        bad("shape must hold whole numbers from 0 on, found " + found);
      case At::offsets:
        bad("data_offsets must hold whole numbers from 0 on, found " + found);
      case At::tensor_value:
        bad(std::string("expected ") + (field_ == "dtype" ? "a string" : "an array") + " for " + in_quotes(field_) +
            ", found " + found);
      default:
        fail("expected an object for " + in_quotes(key_) + ", found " + found);
    }
  }
  void finish_tensor() {
    for (const char* field : {"dtype", "shape", "data_offsets"})
      if (!fields_.count(field)) bad(std::string(field) + " is missing");
    if (offsets_.size() != 2) bad("data_offsets must have 2 numbers");
    tensor_.begin = offsets_[0];
    tensor_.end = offsets_[1];
    header_.tensors.push_back(std::move(tensor_));
  }

  std::string file_;
  SafetensorsHeader header_;
  At at_ = At::start;
  std::string key_, field_;
  std::unordered_set<std::string> names_;
  std::set<std::string> fields_;
  TensorInfo tensor_;
  std::vector<std::uint64_t> offsets_;
};

// The size that shape and dtype promise must be the size that the offsets give.
void check_size(const TensorInfo& tensor, const std::string& file) {
  const auto fail = [&](const std::string& what) {
    throw FormatError(file + ": tensor " + in_quotes(tensor.name) + ": " + what);
  };
  const int bits = dtype_bits(tensor.dtype);
  if (tensor.begin > tensor.end)
    fail("its data ends (" + std::to_string(tensor.end) + ") before it begins (" + std::to_string(tensor.begin) + ")");
  if (bits == 0) return;  // newer than this program: it is named, and not read
  std::uint64_t size = 1;
  bool overflow = false;
  for (const std::uint64_t dimension : tensor.shape) overflow |= __builtin_mul_overflow(size, dimension, &size);
  overflow |= __builtin_mul_overflow(size, static_cast<std::uint64_t>(bits), &size);
  if (overflow) fail("the shape " + tensor.shape_text() + " is too large");
  if (size % 8 != 0) fail("the shape " + tensor.shape_text() + " of " + tensor.dtype + " does not fill whole bytes");
  if (size / 8 != tensor.end - tensor.begin)
    fail("the shape " + tensor.shape_text() + " of " + tensor.dtype + " needs " + bytes_text(size / 8) +
         ", data_offsets give " + bytes_text(tensor.end - tensor.begin));
}

// Tensors must cover the buffer one after another: what is hidden between them could be anything, and an overlap makes
// two names for the same bytes.
void check_cover(const SafetensorsHeader& header, std::uint64_t buffer_size, const std::string& file) {
  std::vector<const TensorInfo*> sorted(header.tensors.size());
  std::transform(header.tensors.begin(), header.tensors.end(), sorted.begin(), [](const TensorInfo& t) { return &t; });
  std::sort(sorted.begin(), sorted.end(), [](const TensorInfo* a, const TensorInfo* b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  std::uint64_t at = 0;
  for (const TensorInfo* tensor : sorted) {
    if (tensor->begin > at)
      throw FormatError(file + ": no tensor covers the " + bytes_text(tensor->begin - at) + " before tensor " +
                        in_quotes(tensor->name));
    if (tensor->begin < at)
      throw FormatError(file + ": tensor " + in_quotes(tensor->name) + " overlaps the one before it by " +
                        bytes_text(at - tensor->begin));
    at = tensor->end;
  }
  if (at > buffer_size)
    throw FormatError(
        file + ": the file is cut off (an interrupted download?); missing at the end: " + bytes_text(at - buffer_size));
  if (at < buffer_size)
    throw FormatError(file + ": no tensor covers the last " + bytes_text(buffer_size - at) + " of the file");
}

}  // namespace

int dtype_bits(const std::string& dtype) {
  const auto* found = std::find_if(kDtypes.begin(), kDtypes.end(), [&](const Dtype& d) { return dtype == d.name; });
  return found == kDtypes.end() ? 0 : found->bits;
}

SafetensorsHeader parse_safetensors_header(const std::string& json, std::uint64_t buffer_size,
                                           const std::string& name) {
  // The parser skips a byte order mark and takes a zero byte for the end of the text: neither may stand in a header.
  const std::size_t first = json.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || json[first] != '{')
    throw FormatError(name + ": not a safetensors file: the header must start with '{'");
  if (const std::size_t zero = json.find('\0'); zero != std::string::npos)
    throw FormatError(name + ": the header is not valid JSON (byte " + std::to_string(zero + 1) + ")");
  HeaderReader reader(name);
  Json::sax_parse(json, &reader);
  SafetensorsHeader header = reader.take();
  for (const TensorInfo& tensor : header.tensors) check_size(tensor, name);
  check_cover(header, buffer_size, name);
  return header;
}

void refuse_known_others(std::string_view start, const std::string& name) {
  if (start.starts_with("PK\x03\x04"))
    throw FormatError(name + ": this is a zip archive (a PyTorch checkpoint or an npz?), not a safetensors file");
  // The length may be any bytes; behind it the header begins.
  if (start.size() <= sizeof(std::uint64_t) || start[sizeof(std::uint64_t)] == '{') return;
  refuse_other_content(start, name);
}

}  // namespace headlight
