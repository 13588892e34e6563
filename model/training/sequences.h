// Strings of digits that are copied, reversed or sorted.
#pragma once

#include "model/training/task.h"

namespace headlight {

// models.md 8.1: trained on lengths 1-10, tested outside on 11-20.
Task copy_task();
Task reverse_task();
Task sort_task();

}  // namespace headlight
