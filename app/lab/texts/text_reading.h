// A text file that a language model is to learn from: what it is like, how well counting alone tells its next letter,
// or one plain sentence that says why it cannot be used.
#pragma once

#include <QString>
#include <vector>

#include "model/core/cancel.h"
#include "model/training/ngram.h"
#include "model/training/tasks/task.h"

namespace headlight {

struct ReadText {
  QString path;
  QString problem;  // empty: it can be learned from
  Index characters = 0, different = 0;
  std::vector<NgramPerplexity> counted;  // letters alone, pairs, 3 … 6 in a row: of the last tenth
};

// Reads, looks and counts: some seconds for a long text, so not on the thread of the window. Throws Cancelled.
ReadText read_text_of(const QString& path, const FileOptions& options, const CancelToken& cancel = {});
// What is wrong with these bytes of a file of this name; empty: nothing. Its line is counted from 1.
QString problem_of_text(const std::string& bytes, const QString& name);

struct BundledText {
  QString title, path;
};
std::vector<BundledText> bundled_texts();
// "A harbour's log"; of another file its name without ending.
QString title_of_text(const QString& path);

}  // namespace headlight
