#include "model/io/formats/families/weight_parts.h"

#include <algorithm>
#include <cstring>

#include "model/core/parallel.h"
#include "model/core/slices.h"
#include "model/core/system.h"
#include "model/io/tensor_values.h"

namespace headlight::families {

namespace {

constexpr Index kLargeMatrix = 1 << 16;    // numbers
constexpr Index kNumbersAtOnce = 1 << 18;  // that a thread reads before it puts them where they belong

// The numbers of one tensor, from its file or, where that cannot give a part of them, from memory.
class Numbers {
 public:
  Numbers(const TensorFile& file, std::size_t i, const std::string& where)
      : file_(file), i_(i), where_(where + ": tensor \"" + entry().name + "\"") {
    if (!file.reads_parts(i)) all_ = file.bytes(i);
  }
  const TensorEntry& entry() const { return file_.tensors()[i_]; }

  void read(Index first, Index count, std::uint16_t* to) const { bytes(first, count, sizeof(*to), to); }
  void read(Index first, Index count, Scalar* to) const {
    const std::string& type = entry().dtype;
    const std::size_t size = type == "F64" ? 8 : type == "F32" ? 4 : 2;
    if (type == "F32" && sizeof(Scalar) == size) return bytes(first, count, size, to);
    const WholeSlice whole_slice;
    thread_local std::string raw;
    raw.resize(static_cast<std::size_t>(count) * size);
    bytes(first, count, size, raw.data());
    read_numbers(type, raw, 0, static_cast<std::uint64_t>(count), to, where_);
  }

 private:
  void bytes(Index first, Index count, std::size_t size, void* to) const {
    const std::size_t offset = static_cast<std::size_t>(first) * size, length = static_cast<std::size_t>(count) * size;
    if (file_.reads_parts(i_)) return file_.read(i_, offset, to, length);
    if (offset > all_.size() || length > all_.size() - offset) throw FormatError(where_ + ": it ends early");
    std::memcpy(to, all_.data() + offset, length);
  }

  const TensorFile& file_;
  std::size_t i_;
  std::string where_, all_;
};

constexpr Index kTile = 8;

// A square of numbers in registers: shuffling row i with row i + 4 three times turns rows into columns.
template <class Number>
void transpose_tile(const Number* from, Index from_step, Number* to, Index to_step) {
  typedef Number Row __attribute__((vector_size(kTile * sizeof(Number))));
  Row rows[kTile], next[kTile];
  for (Index i = 0; i < kTile; ++i) std::memcpy(&rows[i], from + i * from_step, sizeof(Row));
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < kTile / 2; ++i) {
      next[2 * i] = __builtin_shufflevector(rows[i], rows[i + kTile / 2], 0, 8, 1, 9, 2, 10, 3, 11);
      next[2 * i + 1] = __builtin_shufflevector(rows[i], rows[i + kTile / 2], 4, 12, 5, 13, 6, 14, 7, 15);
    }
    std::copy_n(next, kTile, rows);
  }
  for (Index i = 0; i < kTile; ++i) std::memcpy(to + i * to_step, &rows[i], sizeof(Row));
}

// from [rows x columns] -> the columns of `to` [columns x to_step] from `to` on.
template <class Number>
void transpose(const Number* from, Index rows, Index columns, Number* to, Index to_step) {
  const Index whole_rows = rows / kTile * kTile, whole_columns = columns / kTile * kTile;
  for (Index c = 0; c < whole_columns; c += kTile)
    for (Index r = 0; r < whole_rows; r += kTile)
      transpose_tile(from + r * columns + c, columns, to + c * to_step + r, to_step);
  for (Index r = 0; r < rows; ++r)
    for (Index c = r < whole_rows ? whole_columns : 0; c < columns; ++c) to[c * to_step + r] = from[r * columns + c];
}

struct Piece {
  Index first, count, to;  // of their rows, and which of our columns the first becomes (transposed)
};

template <class Number>
void gather(const Numbers& numbers, const Part& part, Number* to, const CancelToken& cancel) {
  const Index columns = part.theirs.last(), rows = columns == 0 ? 0 : part.theirs.size() / columns;
  const bool whole = !part.transposed && part.runs.size() == 1 && part.runs[0].second == columns;
  const Index rows_at_once = std::max<Index>(1, kNumbersAtOnce / std::max<Index>(1, columns));
  std::vector<Piece> pieces;
  Index ours = 0;
  const auto add = [&](Index first, Index count, Index place) {
    for (Index r = 0; r < count; r += rows_at_once)
      pieces.push_back({first + r, std::min(rows_at_once, count - r), place + r});
  };
  for (const auto& [first, count] : part.runs) {
    if (part.transposed) add(first, count, ours);
    ours += count;
  }
  if (!part.transposed) add(0, rows, 0);
  parallel_for(static_cast<Index>(pieces.size()), 1, [&](Index begin, Index end) {
    thread_local std::vector<Number> memory;
    for (Index p = begin; p < end; ++p) {
      cancel.check();
      const auto& [first, count, place] = pieces[static_cast<std::size_t>(p)];
      if (whole) {
        numbers.read(first * columns, count * columns, to + first * columns);
        continue;
      }
      memory.resize(static_cast<std::size_t>(count * columns));
      numbers.read(first * columns, count * columns, memory.data());
      if (part.transposed) {
        transpose(memory.data(), count, columns, to + place, ours);
        continue;
      }
      Number* next = to + first * ours;
      for (Index r = 0; r < count; ++r)
        for (const auto& [from, width] : part.runs) {
          std::copy_n(memory.data() + r * columns + from, width, next);
          next += width;
        }
    }
  });
}

using Runs = std::vector<std::pair<Index, Index>>;

// Of groups of `queries` heads, a key and a value. Empty: they do not fit.
Runs runs_of_heads(Index total, Index count, Index which, Index head_size) {
  const Index keys = which == 0 ? (total - count) / 2 : count, groups = head_size > 0 ? keys / head_size : 0;
  if (groups < 1 || keys != groups * head_size || (which == 0 && total != count + 2 * keys) || total % groups != 0)
    return {};
  const Index each = total / groups, size = which == 0 ? count / groups : head_size;
  Runs runs;
  for (Index g = 0; g < groups; ++g)
    runs.emplace_back(g * each + (which == 0 ? 0 : each - (3 - which) * head_size), size);
  return each < 3 * head_size || size * groups != count ? Runs{} : runs;
}

Runs runs_of_blocks(Index total, Index count, Index which) {
  if (total != 3 * count || count % kBlocks != 0) return {};
  Runs runs;
  for (Index b = 0; b < kBlocks; ++b) runs.emplace_back((3 * b + which) * count / kBlocks, count / kBlocks);
  return runs;
}

}  // namespace

namespace {

bool is_of_rows(How how) {
  return is_cut(how) && how >= How::first_rows && how != How::even_columns && how != How::odd_columns;
}

}  // namespace

Part part_of(const Shape& given, How how, const Shape& wanted, Index head_size) {
  Shape theirs = given;
  if (how == How::top_rows && given.rank() == 2 && wanted.rank() == 2 && given[0] > wanted[0])
    theirs = Shape{wanted[0], given[1]};
  if (how == How::convolution && given.rank() == 3) theirs = Shape{given[0], given[1] * given[2]};
  const bool of_rows = how == How::transposed || how == How::convolution || is_of_rows(how);
  Part part{theirs, theirs, of_rows && theirs.rank() == 2, {}};
  if (part.transposed) part.shape = Shape{theirs[1], theirs[0]};
  const Index total = part.shape.last();
  part.runs = {{0, total}};
  if (how == How::flattened && theirs.size() == total) part.shape = Shape{total};
  if (!is_cut(how)) return part;
  const Index count = wanted.last();
  if (how >= How::even_columns) {
    if (total != 2 * count) return part;
    const Index first = how == How::odd_columns || how == How::odd_rows ? 1 : 0;
    part.runs.clear();
    for (Index i = 0; i < count; ++i) part.runs.emplace_back(2 * i + first, 1);
    part.shape = part.shape.with_last(count);
    return part;
  }
  const Index which = (static_cast<Index>(how) - static_cast<Index>(How::first)) % 3;  // first, middle or last
  if (how >= How::first_of_heads) {
    const std::vector<std::pair<Index, Index>> runs = how >= How::first_of_blocks
                                                          ? runs_of_blocks(total, count, which)
                                                          : runs_of_heads(total, count, which, head_size);
    if (runs.empty()) return part;
    part.runs = runs;
  } else {
    const Index begin = which == 0 ? 0 : total - (which == 1 ? 2 : 1) * count;
    if (count > total || begin < 0) return part;
    part.runs = {{begin, count}};
  }
  part.shape = part.shape.with_last(count);
  return part;
}

bool stays_half(const TensorEntry& entry, How how, const Shape& wanted) {
  return (entry.dtype == "F16" || entry.dtype == "BF16") && how != How::plus_one && how != How::convolution &&
         wanted.rank() == 2 && wanted.size() >= kLargeMatrix;
}

bool stays_packed(const TensorFile& file, std::size_t i, How how, const Shape& wanted) {
  return (how == How::copied || how == How::transposed || is_of_rows(how)) && wanted.rank() == 2 &&
         wanted.size() >= kLargeMatrix && file.block_form(i).has_value();
}

Tensor read_packed(const TensorFile& file, std::size_t i, const Part& part, const CancelToken& cancel) {
  std::vector<Index> rows;  // of the file
  if (part.transposed) {
    for (const auto& [first, count] : part.runs)
      for (Index r = first; r < first + count; ++r) rows.push_back(r);
  } else {
    for (Index r = 0; r < part.theirs[0]; ++r) rows.push_back(r);
  }
  const auto count = static_cast<Index>(rows.size());
  const auto packed = std::make_shared<Halves>(*file.block_form(i), count, part.theirs.last(), part.transposed);
  prefer_large_pages(packed->bits(), static_cast<std::size_t>(count * packed->row_bytes()));
  parallel_for(count, 64, [&](Index begin, Index end) {
    cancel.check();
    for (Index r = begin; r < end; ++r)
      file.read_row(i, static_cast<std::uint64_t>(rows[static_cast<std::size_t>(r)]), packed->row(r));
  });
  return Tensor::in_halves(part.shape, packed);
}

Tensor read_part(const TensorFile& file, std::size_t i, const Part& part, bool half, const std::string& where,
                 const CancelToken& cancel) {
  const Numbers numbers(file, i, where);
  if (half) {
    const auto kind = numbers.entry().dtype == "F16" ? Halves::Kind::float16 : Halves::Kind::bfloat16;
    const auto halves = std::make_shared<Halves>(kind, part.shape.size());
    prefer_large_pages(halves->bits(), static_cast<std::size_t>(part.shape.size()) * sizeof(std::uint16_t));
    gather(numbers, part, halves->bits(), cancel);
    return Tensor::in_halves(part.shape, halves);
  }
  Tensor tensor(part.shape);
  prefer_large_pages(tensor.data(), static_cast<std::size_t>(part.shape.size()) * sizeof(Scalar));
  gather(numbers, part, tensor.data(), cancel);
  return tensor;
}

bool is_of_columns(How how) {
  return (how >= How::first && how <= How::last) || how == How::even_columns || how == How::odd_columns;
}

std::string converted_text(const std::string& name, How how, const TensorEntry& entry, const Shape& wanted,
                           Index head_size) {
  const bool matrix = entry.shape.size() == 2;
  const std::string turned = matrix ? ".T" : "";
  switch (how) {
    case How::copied:
      return name;
    case How::transposed:
      return name + turned;
    case How::flattened:
      return name + ".reshape(-1)";
    case How::plus_one:
      return "1 + " + name;
    case How::top_rows:
      return name + "[:" + std::to_string(wanted[0]) + "]";
    case How::convolution:
      return name + ".transpose(2, 1, 0).reshape(-1, " + std::to_string(wanted[1]) + ")";
    default:
      break;
  }
  if (how >= How::even_columns) {
    const char* from = how == How::odd_columns || how == How::odd_rows ? "1::2]" : "0::2]";
    return name + (is_of_columns(how) && matrix ? "[:, " : "[") + from + (is_of_columns(how) ? "" : turned);
  }
  // Of three parts: the first, the middle or the last.
  const Index count = wanted.last(), which = (static_cast<Index>(how) - static_cast<Index>(How::first)) % 3;
  if (how >= How::first_of_heads) {
    const auto total = static_cast<Index>(entry.shape.front());
    const bool blocks = how >= How::first_of_blocks;
    const Index groups = blocks ? kBlocks : (which == 0 ? (total - count) / 2 : count) / head_size,
                each = total / groups, size = blocks ? count / groups : head_size;  // of a key, and of a value
    const std::string begin = std::to_string(blocks       ? which * size
                                             : which == 0 ? 0
                                                          : each - (3 - which) * size),
                      end = std::to_string(blocks ? (which + 1) * size : each - (2 - which) * size);
    return name + ".reshape(" + std::to_string(groups) + ", " + std::to_string(each) + ", -1)[:, " + begin + ":" + end +
           "].reshape(" + std::to_string(count) + ", -1)" + turned;
  }
  const bool of_rows = how >= How::first_rows;
  const auto total = static_cast<Index>(of_rows ? entry.shape.front() : entry.shape.back());
  const Index begin = which == 0 ? 0 : total - (which == 1 ? 2 : 1) * count;
  const std::string range = std::to_string(begin) + ":" + std::to_string(begin + count);
  return name + (matrix && !of_rows ? "[:, " : "[") + range + "]" + (of_rows ? turned : "");
}

}  // namespace headlight::families
