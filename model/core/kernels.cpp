#include "model/core/kernels.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string_view>

#include "model/core/blocks.h"
#include "model/core/system.h"

#ifdef EIGEN_USE_BLAS
extern "C" char* openblas_get_corename();
#endif

namespace headlight {

namespace {

constexpr const char *kChoice = "OPENBLAS_CORETYPE", *kAsIfFound = "HEADLIGHT_CHOOSE_KERNELS";

// All others are older than AVX, or what the library takes when it knows nothing.
constexpr std::array<std::string_view, 11> kWithVectors = {"Sandybridge", "Bulldozer", "Piledriver",    "Steamroller",
                                                           "Excavator",   "Haswell",   "Zen",           "SkylakeX",
                                                           "Cooperlake",  "Icelake",   "SapphireRapids"};

bool same_letters(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

VectorInstructions vector_instructions() {
#if defined(__x86_64__)
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  return {__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"), avx512};
#else
  return {};
#endif
}

std::string product_kernels() {
#ifdef EIGEN_USE_BLAS
  return openblas_get_corename();
#else
  return "this processor";
#endif
}

int register_bytes() { return blocks::kBytes; }

std::string better_kernels(const std::string& used, const VectorInstructions& processor) {
  if (!processor.avx2) return {};
  if (std::ranges::any_of(kWithVectors, [&](std::string_view known) { return same_letters(known, used); })) return {};
  return processor.avx512 ? "SkylakeX" : "Haswell";
}

void use_better_kernels([[maybe_unused]] char** arguments) {
#ifdef EIGEN_USE_BLAS
  if (std::getenv(kChoice) && !std::getenv(kAsIfFound)) return;
  ::unsetenv(kAsIfFound);
  const std::string better = better_kernels(product_kernels(), vector_instructions());
  if (better.empty() || ::setenv(kChoice, better.c_str(), 1) != 0) return;
  const std::string program = program_file().string();
  ::execv(program.c_str(), arguments);  // comes back only where that is impossible: slower products do no harm
#endif
}

}  // namespace headlight
