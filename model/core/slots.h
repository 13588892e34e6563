// A hash table of numbers whose keys stand elsewhere: the entries of a trace by their names. One block of memory, where
// a map would allocate for each of thousands of entries of each run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headlight {

class Slots {
 public:
  // The number that was added with that hash and for which `is_it(number)`; -1: none. Of several the first one.
  template <class IsIt>
  int find(std::size_t hash, const IsIt& is_it) const {
    if (slots_.empty()) return -1;
    const std::uint32_t mark = mixed(hash);
    for (std::size_t at = mark;; ++at) {
      const Slot& slot = slots_[at & (slots_.size() - 1)];
      if (slot.number < 0) return -1;
      if (slot.mark == mark && is_it(slot.number)) return slot.number;
    }
  }
  void add(std::size_t hash, int number) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    put({mixed(hash), number});
    ++count_;
  }

 private:
  struct Slot {
    std::uint32_t mark = 0;
    int number = -1;
  };
  // Addresses are multiples of 64: their low bits say nothing.
  static std::uint32_t mixed(std::size_t hash) {
    return static_cast<std::uint32_t>((hash * std::uint64_t{0x9E3779B97F4A7C15}) >> 32);
  }
  void put(Slot slot) {
    std::size_t at = slot.mark;
    while (slots_[at & (slots_.size() - 1)].number >= 0) ++at;
    slots_[at & (slots_.size() - 1)] = slot;
  }
  void grow() {
    constexpr std::size_t kFirst = 1024;  // a power of two, and so are all sizes
    const std::vector<Slot> before = std::move(slots_);
    slots_.assign(before.empty() ? kFirst : 2 * before.size(), {});
    // From an empty slot on, so that those with equal keys keep their order.
    std::size_t start = 0;
    while (start < before.size() && before[start].number >= 0) ++start;
    for (std::size_t i = 0; i < before.size(); ++i)
      if (const Slot& slot = before[(start + i) & (before.size() - 1)]; slot.number >= 0) put(slot);
  }

  std::vector<Slot> slots_;  // at most half of them taken
  std::size_t count_ = 0;
};

}  // namespace headlight
