#include "model/core/halves.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <vector>

#include "model/core/blocks.h"
#include "model/core/slices.h"

namespace headlight {

namespace {

template <class Number>
Number* allocate(Index count) {
  constexpr std::size_t kAlign = 64;
  const std::size_t bytes = std::max<std::size_t>(1, static_cast<std::size_t>(count)) * sizeof(Number);
  void* memory = std::aligned_alloc(kAlign, (bytes + kAlign - 1) / kAlign * kAlign);
  if (!memory) throw std::bad_alloc();
  return static_cast<Number*>(memory);
}

}  // namespace

void Halves::Free::operator()(void* memory) const { std::free(memory); }

Halves::Halves(Kind kind, Index count) : kind_(kind), count_(count), bits_(allocate<std::uint16_t>(count)) {}

Halves::Halves(const BlockForm& form, Index rows, Index columns, bool turned)
    : kind_(Kind::blocks),
      count_(rows * columns),
      bits_(allocate<std::uint16_t>((rows * (columns / form.values * form.bytes) + 1) / 2)),
      form_(form),
      columns_(columns),
      turned_(turned) {}

// As they lie in memory; the first is the first of a block.
void Halves::widen_blocks(Index first, Index count, Scalar* to) const {
  const auto* from = reinterpret_cast<const unsigned char*>(bits_.get()) + first * form_.bytes;
  if constexpr (sizeof(Scalar) == sizeof(float)) {
    form_.widen(from, static_cast<std::size_t>(count), reinterpret_cast<float*>(to));
  } else {
    std::vector<float> wide(static_cast<std::size_t>(count) * form_.values);
    form_.widen(from, static_cast<std::size_t>(count), wide.data());
    std::copy(wide.begin(), wide.end(), to);
  }
}

void Halves::widen_rows(Index first, Index count, Scalar* to) const {
  const Index of_row = columns_ / form_.values;
  widen_blocks(first * of_row, count * of_row, to);
}

float Halves::multiplied(Index r, const PackedFactor& x) const {
  const auto* from = reinterpret_cast<const unsigned char*>(bits_.get()) + r * row_bytes();
  return form_.multiply(from, static_cast<std::size_t>(columns_ / form_.values), x);
}

// Columns of what lies in memory: each row gives its part.
void Halves::read_turned(Index first, Index count, Scalar* to) const {
  const Index rows = count_ / columns_, values = form_.values, of_row = columns_ / values;
  const Index begin = first / rows / values, end = (first + count - 1) / rows / values + 1;
  std::vector<Scalar> wide(static_cast<std::size_t>((end - begin) * values));
  for (Index r = 0; r < rows; ++r) {
    widen_blocks(r * of_row + begin, end - begin, wide.data());
    for (Index c = begin * values; c < end * values; ++c)
      if (const Index i = c * rows + r - first; i >= 0 && i < count)
        to[i] = wide[static_cast<std::size_t>(c - begin * values)];
  }
}

Scalar Halves::at(Index i) const {
  if (kind_ == Kind::blocks) {
    const Index rows = count_ / columns_, values = form_.values, place = turned_ ? i % rows * columns_ + i / rows : i;
    std::vector<Scalar> wide(form_.values);
    widen_blocks(place / values, 1, wide.data());
    return wide[static_cast<std::size_t>(place % values)];
  }
  const std::uint16_t bits = bits_[static_cast<std::size_t>(i)];
  return static_cast<Scalar>(kind_ == Kind::float16 ? widened(Float16{bits}) : widened(BFloat16{bits}));
}

void Halves::read(Index first, Index count, Scalar* to) const {
  if (count == 0) return;
  if (kind_ == Kind::blocks) {
    if (turned_) return read_turned(first, count, to);
    const Index values = form_.values, begin = first / values, end = (first + count - 1) / values + 1;
    if (first % values == 0 && count % values == 0) return widen_blocks(begin, end - begin, to);
    std::vector<Scalar> wide(static_cast<std::size_t>((end - begin) * values));
    widen_blocks(begin, end - begin, wide.data());
    std::copy_n(wide.begin() + (first - begin * values), count, to);
    return;
  }
  visit([&](const auto* numbers) { blocks::copy(numbers + first, count, to); });
}

const Scalar* Halves::scalars() const {
  const WholeSlice whole_slice;
  std::call_once(once_, [this] {
    std::unique_ptr<Scalar[], Free> all(allocate<Scalar>(count_));
    read(0, count_, all.get());
    scalars_ = std::move(all);
  });
  return scalars_.get();
}

}  // namespace headlight
