// Dates in words and numbers -> YYYY-MM-DD.
#pragma once

#include "model/training/task.h"

namespace headlight {

Task date_task();       // the distribution of the book (models.md 8.1): 1970-2017, four surface forms
Task wide_date_task();  // 1950-2049 and the forms that people type
bool reads_dates(const std::string& task);  // whether it is one of these, by its name

}  // namespace headlight
