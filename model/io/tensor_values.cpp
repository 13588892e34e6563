#include "model/io/tensor_values.h"

#include <cstring>

#include "model/core/errors.h"
#include "model/io/half.h"
#include "model/text/pretrained/unicode.h"

namespace headlight {

namespace {

template <class Number>
Number number_at(const char* from) {
  Number number{};
  std::memcpy(&number, from, sizeof(number));
  return number;
}

struct Type {
  const char* name;
  std::size_t size;
  double (*read)(const char* from);
};
const Type kTypes[] = {
    {"F32", 4, [](const char* from) { return static_cast<double>(number_at<float>(from)); }},
    {"F64", 8, [](const char* from) { return number_at<double>(from); }},
    {"F16", 2, [](const char* from) { return static_cast<double>(from_half(number_at<std::uint16_t>(from))); }},
    {"BF16", 2, [](const char* from) { return static_cast<double>(from_bfloat16(number_at<std::uint16_t>(from))); }},
    {"I64", 8, [](const char* from) { return static_cast<double>(number_at<std::int64_t>(from)); }},
    {"I32", 4, [](const char* from) { return static_cast<double>(number_at<std::int32_t>(from)); }},
    {"I16", 2, [](const char* from) { return static_cast<double>(number_at<std::int16_t>(from)); }},
    {"I8", 1, [](const char* from) { return static_cast<double>(number_at<std::int8_t>(from)); }},
    {"U64", 8, [](const char* from) { return static_cast<double>(number_at<std::uint64_t>(from)); }},
    {"U32", 4, [](const char* from) { return static_cast<double>(number_at<std::uint32_t>(from)); }},
    {"U16", 2, [](const char* from) { return static_cast<double>(number_at<std::uint16_t>(from)); }},
    {"U8", 1, [](const char* from) { return static_cast<double>(number_at<std::uint8_t>(from)); }},
    {"BOOL", 1, [](const char* from) { return *from == 0 ? 0.0 : 1.0; }}};

}  // namespace

bool has_fractions(const TensorEntry& entry) {
  return entry.dtype == "F16" || entry.dtype == "BF16" || entry.dtype == "F32" || entry.dtype == "F64";
}

void read_numbers(const std::string& dtype, std::string_view bytes, std::uint64_t first, std::uint64_t count,
                  Scalar* to, const std::string& where) {
  for (const Type& type : kTypes) {
    if (dtype != type.name) continue;
    if (first > bytes.size() / type.size || count > bytes.size() / type.size - first)
      throw FormatError(where + ": it ends early");
    const char* from = bytes.data() + first * type.size;
    if (dtype == "F32" && sizeof(Scalar) == 4) {
      std::memcpy(to, from, count * 4);
      return;
    }
    for (std::uint64_t n = 0; n < count; ++n, from += type.size) to[n] = static_cast<Scalar>(type.read(from));
    return;
  }
  throw FormatError(where + ": expected numbers, found the type " + dtype);
}

Tensor numbers_of(const TensorFile& file, std::size_t i, const std::string& where) {
  const TensorEntry& entry = file.tensors()[i];
  const std::string at = where + ": tensor \"" + entry.name + "\"";
  if (entry.shape.size() > Shape::kMaxRank)
    throw FormatError(at + ": expected at most 5 dimensions, found " + shape_text(entry.shape));
  const std::string bytes = file.bytes(i);
  Tensor tensor(Shape(std::vector<Index>(entry.shape.begin(), entry.shape.end())));
  read_numbers(entry.dtype, bytes, 0, static_cast<std::uint64_t>(tensor.size()), tensor.data(), at);
  return tensor;
}

std::vector<std::string> texts_of(const TensorEntry& entry, std::string_view bytes, const std::string& where) {
  const bool wide = entry.dtype.starts_with("<U"), narrow = entry.dtype.starts_with("|S");
  const std::size_t unit = wide ? 4 : 1;
  std::size_t length = 0;
  if (wide || narrow) length = static_cast<std::size_t>(std::strtoul(entry.dtype.c_str() + 2, nullptr, 10));
  if (length == 0 && !bytes.empty())
    throw FormatError(where + ": tensor \"" + entry.name + "\": expected texts, found the type " + entry.dtype);
  std::vector<std::string> texts;
  for (std::size_t at = 0; length > 0 && at + length * unit <= bytes.size(); at += length * unit) {
    std::string text;
    std::size_t used = length;
    const auto unit_at = [&](std::size_t i) {
      return wide ? number_at<std::uint32_t>(bytes.data() + at + 4 * i)
                  : static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i]));
    };
    while (used > 0 && unit_at(used - 1) == 0) --used;
    for (std::size_t i = 0; i < used; ++i) {
      const std::uint32_t c = unit_at(i);
      if (narrow)
        text += static_cast<char>(c);
      else
        pretrained::append(text, c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0xfffd : static_cast<char32_t>(c));
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace headlight
