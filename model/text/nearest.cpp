#include "model/text/nearest.h"

#include <algorithm>

namespace headlight {

// The optimal string alignment distance: Damerau's four slips, none of which touches a letter twice.
std::size_t slips_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = above;
    above = row;
  }
  return above[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 100, kBeginning = 3;  // longer ones are no names
  if (word.size() > kLongest) return {};
  std::string best;
  std::size_t fewest = word.size() / 3 + 1;
  for (const std::string& name : known) {
    const bool begins = word.size() >= kBeginning && name.starts_with(word);
    const std::size_t slips = begins ? 1 : slips_between(word, name);
    if (slips >= std::min(fewest, name.size())) continue;
    best = name;
    fewest = slips;
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string name = nearest(word, known);
  return name.empty() ? std::string() : "; did you mean '" + name + "'?";
}

std::string did_you_mean_or(const char* intro, std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kRoom = 350;
  if (std::string near = did_you_mean(word, known); !near.empty()) return near;
  std::string list;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (list.size() + known[i].size() > kRoom)
      return "; " + (intro + list) + " and " + std::to_string(known.size() - i) + " more";
    list += (i > 0 ? ", " : "") + known[i];
  }
  return "; " + (intro + list);
}

}  // namespace headlight
