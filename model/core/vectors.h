// One vector register of the machine that this was compiled for.
#pragma once

#include <cstring>

#include "model/core/scalar.h"

namespace headlight::vectors {

// kRows x kVectors registers hold a block of a product's result; some are left for a row of W and a broadcast.
#if defined(__AVX512F__)
constexpr int kBytes = 64, kRows = 12, kVectors = 2;
#elif defined(__AVX__)
constexpr int kBytes = 32, kRows = 6, kVectors = 2;
#else
constexpr int kBytes = 16, kRows = 4, kVectors = 2;
#endif
constexpr int kLanes = kBytes / static_cast<int>(sizeof(Scalar));
constexpr int kWidth = kVectors * kLanes;  // columns of a block

typedef Scalar Vector __attribute__((vector_size(kBytes)));

inline Vector load(const Scalar* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
inline void store(const Vector& v, Scalar* to) { std::memcpy(to, &v, sizeof v); }

}  // namespace headlight::vectors
