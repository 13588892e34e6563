#include "model/io/tensor_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "model/core/errors.h"
#include "model/core/slices.h"
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

template <class Stored, class Number>
void widen(const char* from, std::uint64_t count, Number* to) {
  for (std::uint64_t n = 0; n < count; ++n, from += sizeof(Stored))
    to[n] = static_cast<Number>(number_at<Stored>(from));
}
template <class Number, auto convert>
void widen_halves(const char* from, std::uint64_t count, Number* to) {
  for (std::uint64_t n = 0; n < count; ++n, from += 2)
    to[n] = static_cast<Number>(convert(number_at<std::uint16_t>(from)));
}
template <class Number>
void widen_truths(const char* from, std::uint64_t count, Number* to) {
  for (std::uint64_t n = 0; n < count; ++n) to[n] = from[n] == 0 ? Number(0) : Number(1);
}

template <class Number>
struct Type {
  const char* name;
  std::size_t size;
  void (*read)(const char* from, std::uint64_t count, Number* to);
};
template <class Number>
constexpr Type<Number> kNumberTypes[] = {{"F32", 4, widen<float, Number>},
                                         {"F64", 8, widen<double, Number>},
                                         {"F16", 2, widen_halves<Number, from_half>},
                                         {"BF16", 2, widen_halves<Number, from_bfloat16>},
                                         {"I64", 8, widen<std::int64_t, Number>},
                                         {"I32", 4, widen<std::int32_t, Number>},
                                         {"I16", 2, widen<std::int16_t, Number>},
                                         {"I8", 1, widen<std::int8_t, Number>},
                                         {"U64", 8, widen<std::uint64_t, Number>},
                                         {"U32", 4, widen<std::uint32_t, Number>},
                                         {"U16", 2, widen<std::uint16_t, Number>},
                                         {"U8", 1, widen<std::uint8_t, Number>},
                                         {"BOOL", 1, widen_truths<Number>}};

}  // namespace

bool has_fractions(const std::string& dtype) {
  return dtype == "F16" || dtype == "BF16" || dtype == "F32" || dtype == "F64";
}

bool has_whole_numbers(const TensorEntry& entry) {
  return entry.dtype == "BOOL" ||
         ((entry.dtype.starts_with('I') || entry.dtype.starts_with('U')) && has_numbers(entry));
}
bool has_numbers(const std::string& dtype) {
  return std::ranges::any_of(kNumberTypes<Scalar>, [&](const auto& type) { return dtype == type.name; });
}

template <class Number>
void read_numbers(const std::string& dtype, std::string_view bytes, std::uint64_t first, std::uint64_t count,
                  Number* to, const std::string& where) {
  for (const Type<Number>& type : kNumberTypes<Number>) {
    if (dtype != type.name) continue;
    if (first > bytes.size() / type.size || count > bytes.size() / type.size - first)
      throw FormatError(where + ": it ends early");
    return type.read(bytes.data() + first * type.size, count, to);
  }
  throw FormatError(where + ": expected numbers, found the type " + dtype);
}
template void read_numbers(const std::string&, std::string_view, std::uint64_t, std::uint64_t, float*,
                           const std::string&);
template void read_numbers(const std::string&, std::string_view, std::uint64_t, std::uint64_t, double*,
                           const std::string&);
template void read_numbers(const std::string&, std::string_view, std::uint64_t, std::uint64_t, long double*,
                           const std::string&);

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

bool equal_numbers(const TensorFile& file, std::size_t a, std::size_t b, const CancelToken& cancel) {
  constexpr std::uint64_t kPiece = 1u << 18;  // numbers
  const TensorEntry &first = file.tensors()[a], &second = file.tensors()[b];
  if (first.shape != second.shape) return false;
  if (!has_numbers(first) || !has_numbers(second)) return first.dtype == second.dtype && file.bytes(a) == file.bytes(b);
  const bool parts = file.reads_parts(a) && file.reads_parts(b);
  const std::string all_a = parts ? std::string() : file.bytes(a), all_b = parts ? std::string() : file.bytes(b);
  const std::uint64_t count = first.count();
  std::vector<long double> x(static_cast<std::size_t>(std::min(count, kPiece))), y(x.size());
  std::string piece_a, piece_b;
  const auto piece = [&](std::size_t i, const std::string& all, std::uint64_t at, std::uint64_t length,
                         std::string& to) -> std::string_view {
    const std::uint64_t size = file.tensors()[i].bytes / count;
    if (!parts) return std::string_view(all).substr(at * size, length * size);
    to.resize(static_cast<std::size_t>(length * size));
    file.read(i, at * size, to.data(), to.size());
    return to;
  };
  for (std::uint64_t at = 0; at < count; at += kPiece) {
    cancel.check();
    slice_point();
    const std::uint64_t length = std::min(kPiece, count - at);
    const std::string_view p = piece(a, all_a, at, length, piece_a), q = piece(b, all_b, at, length, piece_b);
    if (first.dtype == second.dtype && p == q) continue;
    read_numbers(first.dtype, p, 0, length, x.data(), first.name);
    read_numbers(second.dtype, q, 0, length, y.data(), second.name);
    for (std::uint64_t n = 0; n < length; ++n)
      if (x[n] != y[n] && !(std::isnan(x[n]) && std::isnan(y[n]))) return false;
  }
  return true;
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
