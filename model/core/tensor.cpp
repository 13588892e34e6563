#include "model/core/tensor.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "model/core/system.h"

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(begin, size)
#endif

#ifdef EIGEN_USE_BLAS
// Of OpenBLAS: its headers are not needed for anything else.
extern "C" void openblas_set_num_threads(int count);
#endif

namespace headlight {

namespace {
#ifdef EIGEN_USE_BLAS
// Training runs one batch part on each core and a window runs small products: threads inside one product only get in
// their way, and one thread makes sums independent of the machine's core count.
const bool single_threaded_products = (openblas_set_num_threads(1), true);
#endif

const bool keeps_freed_memory = keep_freed_memory(128 << 20);
}  // namespace

Shape::Shape(std::initializer_list<Index> dims) : rank_(static_cast<int>(dims.size())) {
  if (rank_ > kMaxRank) throw ShapeError("shape: at most 5 dimensions");
  std::copy(dims.begin(), dims.end(), dims_.begin());
}

Shape::Shape(const std::vector<Index>& dims) : rank_(static_cast<int>(dims.size())) {
  if (rank_ > kMaxRank) throw ShapeError("shape: at most 5 dimensions");
  std::copy(dims.begin(), dims.end(), dims_.begin());
}

Index Shape::size() const {
  Index size = 1;
  for (int i = 0; i < rank_; ++i) {
    if constexpr (sizeof(Index) < sizeof(std::int64_t)) {
      if (__builtin_mul_overflow(size, (*this)[i], &size)) throw std::bad_alloc();  // more than there can be memory for
    } else {
      size *= (*this)[i];
    }
  }
  return size;
}

Shape Shape::without(int axis) const {
  Shape shape = *this;
  std::copy(dims_.begin() + axis + 1, dims_.begin() + rank_, shape.dims_.begin() + axis);
  shape.dims_[static_cast<std::size_t>(--shape.rank_)] = 0;
  return shape;
}

Shape Shape::with_last(Index n) const {
  Shape shape = *this;
  shape.dims_[static_cast<std::size_t>(rank_ - 1)] = n;
  return shape;
}

std::string Shape::text() const {
  std::string text = "[";
  for (int i = 0; i < rank_; ++i) text += (i ? " x " : "") + std::to_string((*this)[i]);
  return text + "]";
}

namespace {

constexpr std::size_t kAlign = 64;   // bytes: the widest vector loads never straddle a cache line
constexpr std::size_t kOwners = 64;  // in front of the values: who counts their owners

// For the counter of a shared_ptr, in the block that holds its values, too: a run makes thousands of small tensors.
template <class T>
struct InFront {
  using value_type = T;
  void* block;
  explicit InFront(void* memory) : block(memory) {}
  template <class Other>
  InFront(const InFront<Other>& other) : block(other.block) {}  // NOLINT: as allocators are
  T* allocate(std::size_t) {
    static_assert(sizeof(T) <= kOwners);
    return static_cast<T*>(block);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }
  template <class Other>
  bool operator==(const InFront<Other>& other) const {
    return block == other.block;
  }
};

std::shared_ptr<Scalar[]> allocate(Index size) {
  const std::size_t bytes = std::max<std::size_t>(1, static_cast<std::size_t>(size)) * sizeof(Scalar);
  const std::size_t values = (bytes + kAlign - 1) / kAlign * kAlign, all = kOwners + kAlign + values;
  void* memory = std::malloc(all);
  if (!memory) throw std::bad_alloc();
  void* begin = static_cast<std::byte*>(memory) + kOwners;
  std::size_t room = all - kOwners;
  std::align(kAlign, values, begin, room);
  // Who reads in front of the values, or behind them, is found out.
  [[maybe_unused]] auto* first = static_cast<std::byte*>(begin);
  ASAN_POISON_MEMORY_REGION(first - 16, 16);
  ASAN_POISON_MEMORY_REGION(first + values, room - values);
  return {static_cast<Scalar*>(begin), [](Scalar*) {}, InFront<Scalar>(memory)};
}

}  // namespace

Tensor::Tensor(const Shape& shape) : storage_(allocate(shape.size())), shape_(shape) {}

Tensor Tensor::shape_only(const Shape& shape) {
  Tensor tensor;
  tensor.shape_ = shape;
  return tensor;
}

Tensor Tensor::zeros(const Shape& shape) { return full(shape, 0); }

Tensor Tensor::full(const Shape& shape, Scalar value) {
  Tensor tensor(shape);
  std::fill_n(tensor.data(), tensor.size(), value);
  return tensor;
}

Tensor Tensor::of(const Shape& shape, const std::vector<Scalar>& values) {
  require_shape(shape.size() == static_cast<Index>(values.size()), "tensor", std::to_string(values.size()) + " values",
                shape);
  Tensor tensor(shape);
  std::copy(values.begin(), values.end(), tensor.data());
  return tensor;
}

Tensor Tensor::ids(const std::vector<TokenId>& ids) { return vector(std::vector<Scalar>(ids.begin(), ids.end())); }

Tensor Tensor::in_halves(const Shape& shape, std::shared_ptr<const Halves> numbers) {
  require_shape(shape.size() == numbers->count(), "tensor", std::to_string(numbers->count()) + " values", shape);
  Tensor tensor;
  tensor.halves_ = numbers.get();
  tensor.storage_ = {numbers, reinterpret_cast<Scalar*>(const_cast<std::uint16_t*>(numbers->bits()))};
  tensor.shape_ = shape;
  return tensor;
}

void Tensor::read(Index first, Index count, Scalar* to) const {
  if (halves_) return halves_->read(offset_ + first, count, to);
  std::copy_n(data() + first, count, to);
}

std::vector<Scalar> Tensor::values() const {
  std::vector<Scalar> values(static_cast<std::size_t>(size()));
  read(0, size(), values.data());
  return values;
}

Tensor Tensor::view(Index offset, const Shape& shape) const {
  if (offset < 0 || offset + shape.size() > size())
    throw ShapeError("view: " + shape.text() + " at " + std::to_string(offset) + " leaves " + shape_.text());
  Tensor tensor = *this;
  tensor.offset_ += offset;
  tensor.shape_ = shape;
  tensor.node_ = {};
  tensor.parameter_ = false;
  return tensor;
}

Tensor Tensor::clone() const {
  Tensor tensor(shape_);
  read(0, size(), tensor.data());
  return tensor;
}

void require_shape(bool ok, const char* operation, const std::string& expected, const Shape& got) {
  if (!ok) throw ShapeError(std::string(operation) + ": expected " + expected + ", got " + got.text());
}

}  // namespace headlight
