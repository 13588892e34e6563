// Pairs of sentences from the user's own files, or typed in the window.
#pragma once

#include <string>
#include <vector>

#include "model/training/tasks/task.h"

namespace headlight {

// The task `pairs` of these options (models.md 8.1). Of the distinct sources every tenth one is held out, with one
// translation; the vocabulary holds the words of the rest. Throws UsageError, FileError, and FormatError that names
// file and line.
std::shared_ptr<const Task> pairs_task(const FileOptions& options);

// A text as the task compares it: its words (or characters), small letters if asked for. Texts with the same pieces are
// the same to it.
std::vector<std::string> pair_pieces(const std::string& text, const FileOptions& options);

}  // namespace headlight
