// Pairs of sentences from the user's own files.
#pragma once

#include "model/training/tasks/task.h"

namespace headlight {

// The task `pairs` of these options (models.md 8.1). Of the distinct sources every tenth one is held out, with one
// translation; the vocabulary holds the words of the rest. Throws UsageError, FileError, and FormatError that names
// file and line.
std::shared_ptr<const Task> pairs_task(const FileOptions& options);

}  // namespace headlight
