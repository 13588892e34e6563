#include "model/io/unfinished.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>

namespace headlight {

namespace {

// Only what a handler may touch: no memory is taken, no lock is waited for. A longer path, or one too many, is left to
// the next writer into its folder.
struct Slot {
  std::atomic<bool> used{false};
  std::array<char, 1024> path{};
};
std::array<Slot, 64> slots;
std::mutex changing;

bool is_ours(const char* path) {
  const std::size_t length = std::strlen(path), end = std::strlen(kUnfinishedEnd);
  return std::strstr(path, kUnfinishedStart) && length > end && std::strcmp(path + length - end, kUnfinishedEnd) == 0;
}

// The entries of a folder as the system gives them: opendir() would take memory.
void remove_files_in(int folder) {
  struct Entry {
    std::uint64_t number;
    std::int64_t offset;
    unsigned short size;
    unsigned char kind;
    char name[1];
  };
  alignas(std::uint64_t) std::array<char, 4096> entries;
  for (long count = 0; (count = ::syscall(SYS_getdents64, folder, entries.data(), entries.size())) > 0;)
    for (long at = 0; at < count;) {
      const char* entry = entries.data() + at;
      unsigned short size = 0;
      std::memcpy(&size, entry + offsetof(Entry, size), sizeof size);
      ::unlinkat(folder, entry + offsetof(Entry, name), 0);  // says no to "." and ".."
      at += size;
    }
}

}  // namespace

void remember_unfinished(const std::filesystem::path& path) {
  std::error_code error;
  const std::string text = std::filesystem::absolute(path, error).string();
  const std::lock_guard guard(changing);
  for (Slot& slot : slots) {
    if (slot.used || error || text.size() >= slot.path.size()) continue;
    std::memcpy(slot.path.data(), text.c_str(), text.size() + 1);
    slot.used = true;
    return;
  }
}

void forget_unfinished(const std::filesystem::path& path) {
  std::error_code error;
  const std::string text = std::filesystem::absolute(path, error).string();
  const std::lock_guard guard(changing);
  for (Slot& slot : slots)
    if (slot.used && text == slot.path.data()) slot.used = false;
}

void remove_remembered() noexcept {
  for (Slot& slot : slots) {
    const char* path = slot.path.data();
    if (!slot.used || !is_ours(path)) continue;
    if (::unlink(path) == 0) continue;
    const int folder = ::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) continue;
    remove_files_in(folder);
    ::close(folder);
    ::rmdir(path);
  }
}

}  // namespace headlight
