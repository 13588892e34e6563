// Texts in the order of their bytes, to ask which of them another text begins with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "model/core/effort.h"

namespace headlight::pretrained {

class Prefixes {
 public:
  Prefixes() = default;
  // Each with a number of the caller's; the texts have to outlive this.
  explicit Prefixes(std::vector<std::pair<std::string_view, std::uint32_t>> texts) : texts_(std::move(texts)) {
    std::ranges::stable_sort(texts_, {}, &std::pair<std::string_view, std::uint32_t>::first);
  }
  bool empty() const { return texts_.empty(); }

  // Calls take(length, number) for each that `text` begins with, the shortest first; of equal ones for the first that
  // was given. The range of those that agree so far becomes smaller byte by byte.
  template <typename Take>
  void for_each(std::string_view text, Take take) const {
    auto first = texts_.begin(), last = texts_.end();
    std::size_t at = 0;
    for (; at < text.size() && first != last; ++at) {
      const auto byte = static_cast<unsigned char>(text[at]);
      const auto at_byte = [&](const auto& entry) {  // -1: it ends before
        return at < entry.first.size() ? static_cast<int>(static_cast<unsigned char>(entry.first[at])) : -1;
      };
      first = std::lower_bound(first, last, byte, [&](const auto& entry, int b) { return at_byte(entry) < b; });
      last = std::upper_bound(first, last, byte, [&](int b, const auto& entry) { return b < at_byte(entry); });
      if (first != last && first->first.size() == at + 1) take(at + 1, first->second);
    }
    Effort::spend(10 * (at + 1));
  }

 private:
  std::vector<std::pair<std::string_view, std::uint32_t>> texts_;
};

}  // namespace headlight::pretrained
