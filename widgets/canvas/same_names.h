// Two rows of names, that of before and that of now, token by token.
#pragma once

#include <QString>
#include <utility>
#include <vector>

namespace headlight {

// The longest common subsequence, as pairs of places in both. Nothing where one has more than kMostNames.
constexpr std::size_t kMostNames = 400;
std::vector<std::pair<int, int>> same_names(const std::vector<QString>& before, const std::vector<QString>& now);

}  // namespace headlight
