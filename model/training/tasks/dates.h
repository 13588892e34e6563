// Dates in words and numbers -> YYYY-MM-DD.
#pragma once

#include <string>

namespace headlight {

bool reads_dates(const std::string& task);  // whether it is one of these, by its name

}  // namespace headlight
