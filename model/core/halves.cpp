#include "model/core/halves.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "model/core/blocks.h"

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

Scalar Halves::at(Index i) const {
  const std::uint16_t bits = bits_[static_cast<std::size_t>(i)];
  return static_cast<Scalar>(kind_ == Kind::float16 ? widened(Float16{bits}) : widened(BFloat16{bits}));
}

void Halves::read(Index first, Index count, Scalar* to) const {
  visit([&](const auto* numbers) { blocks::copy(numbers + first, count, to); });
}

const Scalar* Halves::scalars() const {
  std::call_once(once_, [this] {
    std::unique_ptr<Scalar[], Free> all(allocate<Scalar>(count_));
    read(0, count_, all.get());
    scalars_ = std::move(all);
  });
  return scalars_.get();
}

}  // namespace headlight
