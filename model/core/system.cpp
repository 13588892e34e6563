#include "model/core/system.h"

#include <cstdint>
#include <cstdlib>
#include <system_error>

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace headlight {

bool keep_freed_memory([[maybe_unused]] int bytes) {
#if defined(__GLIBC__)
  return mallopt(M_MMAP_THRESHOLD, 1 << 30) && mallopt(M_TRIM_THRESHOLD, bytes);
#else
  return false;
#endif
}

void prefer_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t kLarge = std::uintptr_t{2} << 20;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + kLarge - 1) / kLarge * kLarge,
             end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / kLarge * kLarge;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);  // a wish
#endif
}

std::filesystem::path program_file() {
  std::error_code error;
  const std::filesystem::path file = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path() : file;
}

}  // namespace headlight
