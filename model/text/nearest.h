// Slips of the fingers: which known name was meant by one that nobody knows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/core/errors.h"

namespace headlight {

// Letters put in, left out, changed, or put in the place of their neighbour, to make one word of the other.
std::size_t slips_between(std::string_view a, std::string_view b);
// The known word that `word` begins, or that is a slip or two away from it; empty: none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);
// Ends of a message about a word that nobody knows: "; did you mean 'date-attention'?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);
// The same, or else "; known: a, b, c" as far as that fits on a line, with `intro` for "known: ".
std::string did_you_mean_or(const char* intro, std::string_view word, const std::vector<std::string>& known);

// The row of a table that has this name. Throws UsageError: "there is no WHAT 'NAME'; known: ...".
template <class Rows>
const auto& row_named(const Rows& rows, const std::string& name, const std::string& what) {
  std::string known;
  for (const auto& row : rows) {
    if (row.name == name) return row;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  throw UsageError("there is no " + what + " '" + name + "'; known: " + known);
}

}  // namespace headlight
