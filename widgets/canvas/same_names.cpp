#include "widgets/canvas/same_names.h"

#include <algorithm>

namespace headlight {

std::vector<std::pair<int, int>> same_names(const std::vector<QString>& before, const std::vector<QString>& now) {
  const std::size_t m = before.size(), n = now.size();
  if (m > kMostNames || n > kMostNames) return {};
  std::vector<int> longest((m + 1) * (n + 1), 0);  // of what follows both places
  const auto at = [&](std::size_t i, std::size_t j) -> int& { return longest[i * (n + 1) + j]; };
  for (std::size_t i = m; i-- > 0;)
    for (std::size_t j = n; j-- > 0;)
      at(i, j) = before[i] == now[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t i = 0, j = 0; i < m && j < n;) {
    if (before[i] == now[j])
      pairs.emplace_back(static_cast<int>(i++), static_cast<int>(j++));
    else
      at(i + 1, j) >= at(i, j + 1) ? ++i : ++j;
  }
  return pairs;
}

}  // namespace headlight
