// The task `text`: a model of the language of any text file, which goes on writing.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/core/cancel.h"
#include "model/models/model.h"
#include "model/training/tasks/task.h"

namespace headlight {

// A model of a text of one's own has at most so many numbers: it learns from thousands of characters, not millions.
inline constexpr Index kMostTextNumbers = 4'000'000;
// Bytes of text, unpacked, of all files together.
inline constexpr std::size_t kMostTextBytes = 16'000'000;

// The task of these options. Windows of `context` tokens, one behind the other in the order of the text, no token in
// two of them; the last tenth of each file is held out. The source of an example is empty (its start sign alone), the
// target is the window; there is no end sign, for a text goes on. Throws UsageError, FileError, and FormatError that
// names file and line.
std::shared_ptr<const Task> text_task(const FileOptions& options);

// Files cut into such windows for a model that is there already: by its rules, as long as those that it was trained on.
TaskData text_windows(const std::vector<std::filesystem::path>& files, const TextRules& rules);

// What a window spells: of characters the text itself; of words and byte pairs their text in normal form, with single
// spaces, as Tokenizer::join() writes it.
std::string spelled(const TextRules& rules, const std::string& window);

// Perplexity of a character of these windows: exp(Σ −log p of their tokens / characters that they spell), each window
// read from its start sign on. A word that is unknown is charged its sign <unk>, and each of its letters as if all
// letters of the vocabulary were equally likely. Throws Cancelled.
double perplexity_per_character(const Model& model, const TextRules& rules, const std::vector<Example>& windows,
                                const CancelToken& cancel = {});

}  // namespace headlight
