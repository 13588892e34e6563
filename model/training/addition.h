// a+b -> the sum, digit by digit.
#pragma once

#include "model/training/task.h"

namespace headlight {

Task addition_task();  // models.md 8.1: numbers of 1-3 digits

}  // namespace headlight
