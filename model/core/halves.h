// Weights in half precision, kept as their file has them: two bytes a number. What multiplies by them makes float32 of
// a few rows at a time. Quantised ones are kept in the blocks of their file, too.
//
// Large matrices of float16 and bfloat16 files are such tensors (Tensor::halves). They are read, never mapped, straight
// into the layout that products want. product, embedding, clone, read and single cells widen what they read, a register
// at a time, and give what weights in float32 give, bit for bit. data() and matrix() make a float32 copy of the whole,
// which lasts: nothing that runs or explains asks for it (tests/model/test_halves.cpp).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "model/core/scalar.h"

namespace headlight {

struct Float16 {  // IEEE 754 binary16
  std::uint16_t bits;
};
struct BFloat16 {  // the upper half of a float32
  std::uint16_t bits;
};

// Exact: every number of half precision is one of float32.
inline float widened(BFloat16 x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16); }
inline float widened(Float16 x) {
  // As the exponent of a float32 it is 112 too small, which a product mends, also for subnormal numbers.
  const std::uint32_t magnitude = x.bits & 0x7fffu, infinite_or_nan = magnitude >= 0x7c00u ? 0x7f800000u : 0;
  const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | infinite_or_nan | (x.bits & 0x8000u) << 16);
}

class PackedFactor;

// How a file packs numbers: `values` of them in so many bytes.
struct BlockForm {
  std::uint32_t values = 0, bytes = 0;
  void (*widen)(const unsigned char* from, std::size_t blocks, float* to) = nullptr;
  // The sum of their products with x, without widening them first; null: there is no such way.
  float (*multiply)(const unsigned char* from, std::size_t blocks, const PackedFactor& x) = nullptr;
};

class Halves {
 public:
  enum class Kind : std::uint8_t { float16, bfloat16, blocks };

  Halves(Kind kind, Index count);  // not initialised
  // Rows of whole blocks; `turned`: the numbers are those of the transposed matrix, [columns x rows].
  Halves(const BlockForm& form, Index rows, Index columns, bool turned);
  Halves(const Halves&) = delete;
  Halves& operator=(const Halves&) = delete;

  Kind kind() const { return kind_; }
  Index count() const { return count_; }
  std::uint16_t* bits() { return bits_.get(); }  // for whoever makes them
  const std::uint16_t* bits() const { return bits_.get(); }
  Scalar at(Index i) const;
  // `count` numbers from `first` on.
  void read(Index first, Index count, Scalar* to) const;
  // Of blocks: a row as its file has it, and some of them as Scalars.
  bool turned() const { return turned_; }
  Index row_bytes() const { return columns_ / form_.values * form_.bytes; }
  bool multiplies() const { return form_.multiply != nullptr; }
  // Row r times x.
  float multiplied(Index r, const PackedFactor& x) const;
  unsigned char* row(Index r) { return reinterpret_cast<unsigned char*>(bits_.get()) + r * row_bytes(); }
  void widen_rows(Index first, Index count, Scalar* to) const;
  // Not of blocks. Calls f with the first of them: const Float16* or const BFloat16*.
  template <class F>
  void visit(const F& f) const {
    if (kind_ == Kind::float16) {
      f(reinterpret_cast<const Float16*>(bits_.get()));
    } else {
      f(reinterpret_cast<const BFloat16*>(bits_.get()));
    }
  }

  // All of them as Scalars: made when somebody asks for the first time, and kept. Any thread.
  const Scalar* scalars() const;
  bool has_scalars() const { return scalars_ != nullptr; }

 private:
  struct Free {
    void operator()(void* memory) const;
  };
  void widen_blocks(Index first, Index count, Scalar* to) const;
  void read_turned(Index first, Index count, Scalar* to) const;

  Kind kind_;
  Index count_;
  std::unique_ptr<std::uint16_t[], Free> bits_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<Scalar[], Free> scalars_;
  BlockForm form_;
  Index columns_ = 0;
  bool turned_ = false;
};

}  // namespace headlight
