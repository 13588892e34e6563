#include "model/core/budget.h"

#include <cstdio>
#include <iterator>

namespace headlight {

std::string memory_text(double bytes) {
  const char* const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < std::size(units)) bytes /= 1000, ++unit;
  char text[40];
  std::snprintf(text, sizeof(text), unit >= 3 && bytes < 9.95 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
  return text;
}

void within_budget(double bytes, double most, const std::string& what, const std::string& instead) {
  if (bytes <= most) return;
  throw BudgetError(what + " takes " + memory_text(bytes) + " of memory, at most " + memory_text(most) +
                   " are taken: " + instead);
}

}  // namespace headlight
