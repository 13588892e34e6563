// The matrix products of the date model at one thread: Eigen's own kernels beside OpenBLAS, in one run.
// This file alone is compiled without EIGEN_USE_BLAS. Where the library does not know the processor, it is measured
// with the kernels that it takes then, and again with those that the program asks for (model/core/kernels.h).
//
//   build/release/bench_gemm

#define EIGEN_DONT_PARALLELIZE
#undef EIGEN_USE_BLAS
#include <Eigen/Core>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "model/core/kernels.h"

extern "C" {
void openblas_set_num_threads(int count);
void cblas_sgemm(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha, const float* a, int lda,
                 const float* b, int ldb, float beta, float* c, int ldc);
}

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class F>
double median_seconds(F f, double flops) {
  const int repeats = std::max(3, static_cast<int>(4e8 / flops));
  std::vector<double> rounds;
  for (int r = 0; r < 5; ++r) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; ++i) f();
    rounds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / repeats);
  }
  std::sort(rounds.begin(), rounds.end());
  return rounds[2];
}

void compare(const char* name, int m, int k, int n) {
  const Matrix a = Matrix::Random(m, k), b = Matrix::Random(k, n);
  Matrix c(m, n);
  const double flops = 2.0 * m * k * n;
  const double eigen = median_seconds([&] { c.noalias() = a * b; }, flops);
  constexpr int kRowMajor = 101, kNoTranspose = 111;
  const double blas = median_seconds(
      [&] { cblas_sgemm(kRowMajor, kNoTranspose, kNoTranspose, m, n, k, 1, a.data(), k, b.data(), n, 0, c.data(), n); },
      flops);
  std::printf("%-26s %5d x %4d x %4d   Eigen %6.1f   OpenBLAS %6.1f GFLOP/s   ratio %.2f\n", name, m, k, n,
              flops / eigen * 1e-9, flops / blas * 1e-9, eigen / blas);
}

}  // namespace

int main(int, char** arguments) {
  openblas_set_num_threads(1);
  std::printf("OpenBLAS with its kernels for %s\n", headlight::product_kernels().c_str());
  compare("step, training (64)", 64, 256, 1024);
  compare("step, training (128)", 128, 256, 1024);
  compare("step, one sentence", 1, 256, 1024);
  compare("input projection", 1856, 16, 1024);
  compare("square", 1024, 1024, 1024);
  std::fflush(stdout);
  headlight::use_better_kernels(arguments);
}
